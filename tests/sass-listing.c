/* SPDX-License-Identifier: MIT */
/* sass-listing SM FILE: the instructions of a file of machine code alone, a line each, as
 * bench/listings.py compares them with a disassembler's: text and control bits, or "!" and what is
 * not known. */
#include "config.h"

#include "exec/sass/wp-sass.h"

#include <stdlib.h>

static void
print_instr (guint sm, const guint8 *code, guint64 address)
{
  WpSassInstr instr;
  g_autofree gchar *problem = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  const WpSassControl *control = &instr.control;

  if (!wp_sass_decode (sm, code, address, &instr, &problem))
    {
      g_print ("!%s\n", problem);
      return;
    }
  wp_sass_append (&instr, text);
  g_print ("%x,%x,%x,%x,%x,%s\n", control->stall, control->yield ? 1 : 0, control->write_barrier,
           control->read_barrier, control->wait, text->str);
}

int
main (int argc, char **argv)
{
  g_autofree gchar *code = NULL;
  gsize length;

  if (argc != 3 || !g_file_get_contents (argv[2], &code, &length, NULL))
    {
      g_printerr ("usage: sass-listing SM FILE\n");
      return 2;
    }
  for (gsize k = 0; k + WP_SASS_BYTES <= length; k += WP_SASS_BYTES)
    print_instr ((guint)strtoul (argv[1], NULL, 10), (const guint8 *)code + k, k);
  return 0;
}
