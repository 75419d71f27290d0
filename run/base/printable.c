/* SPDX-License-Identifier: MIT */
/* Messages and tables quote names that users wrote. A name with a line's end or an escape sequence
 * in it must not break a table's row or recolour a terminal.
 */
#include "run/base/printable.h"

gchar *
wp_make_printable (const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_new (NULL);

  for (const gchar *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c == '\n')
        g_string_append (line, "\\n");
      else if (g_unichar_iscntrl (c))
        g_string_append_printf (line, "\\x%02x", c);
      else
        g_string_append_unichar (line, c);
    }
  return g_string_free (line, FALSE);
}
