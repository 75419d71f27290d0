/* SPDX-License-Identifier: MIT */
/* What a kernel says of an instruction. The file is without its folder: who shows the source looks
 * for it beside the kernel's own file, wherever it was compiled. */
#include "exec/fold/wp-fold.h"

static void
append_barrier (GString *text, const gchar *letter, guint barrier)
{
  g_string_append (text, letter);
  if (barrier < 7)
    g_string_append_printf (text, "%u", barrier);
  else
    g_string_append_c (text, '-');
}

static void
append_control (GString *text, const WpSassControl *control)
{
  g_string_append (text, " ; B");
  for (guint i = 0; i < 6; i++)
    g_string_append_c (text, control->wait >> i & 1 ? (gchar)('0' + i) : '-');
  append_barrier (text, ":R", control->read_barrier);
  append_barrier (text, ":W", control->write_barrier);
  g_string_append_printf (text, ":%c:S%02u", control->yield ? 'Y' : '-', control->stall);
}

gchar *
wp_fold_make_text (const WpFoldInput *input, guint index)
{
  GString *text = g_string_new (NULL);
  const gchar *file = NULL;
  guint line = 0;

  if (input->find_line)
    input->find_line (input->line_data, index, &file, &line);
  if (file && line > 0)
    {
      g_autofree gchar *name = g_path_get_basename (file);

      g_string_append_printf (text, "%s:%u: ", name, line);
    }
  wp_sass_append (&input->instrs[index], text);
  append_control (text, &input->instrs[index].control);
  return g_string_free (text, FALSE);
}
