/* SPDX-License-Identifier: MIT */
/* Texts as gnuplot reads them. Strings are in single quotes, in which gnuplot expands nothing (in
 * double ones, `...` runs a program). */
#include "plots/wp-plot.h"

#include <string.h>

/* Appends the characters of TEXT, on one line, for the inside of single quotes. */
static void
append_quoted (GString *script, const gchar *text, gsize length)
{
  g_autofree gchar *line = g_strndup (text, length);
  g_autofree gchar *valid = g_utf8_make_valid (line, -1);

  g_string_append_c (script, '\'');
  for (const gchar *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c == '\'')
        g_string_append (script, "''");
      else if (g_unichar_iscntrl (c))
        g_string_append_printf (script, "\\x%02x", c);
      else
        g_string_append_unichar (script, c);
    }
  g_string_append_c (script, '\'');
}

gchar *
wp_plot_quote (const gchar *text)
{
  GString *script = g_string_new (NULL);

  for (;;)
    {
      gsize length = strcspn (text, "\n");

      append_quoted (script, text, length);
      if (text[length] == '\0')
        return g_string_free (script, FALSE);
      g_string_append (script, ".\"\\n\".");
      text += length + 1;
    }
}
