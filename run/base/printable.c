/* SPDX-License-Identifier: MIT */
/* Messages and tables quote names that users wrote. A name with a line's end or an escape sequence
 * in it must not break a table's row or recolour a terminal.
 */
#include "run/base/printable.h"

#include "idg/kernel/idg-text.h"

#include <string.h>

#define MAX_HEAD 2500 /* bytes of a message's line, */
#define MAX_TAIL 1500 /* whose end says what would have been right */

gchar *
wp_make_printable (const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_new (NULL);

  for (const gchar *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (idg_text_is_hidden (c))
        idg_text_append_escape (line, c);
      else
        g_string_append_unichar (line, c);
    }
  return g_string_free (line, FALSE);
}

gchar *
wp_make_message (const gchar *text)
{
  g_autofree gchar *line = wp_make_printable (text);
  gsize length = strlen (line);
  const gchar *head, *tail;

  if (length <= MAX_HEAD + MAX_TAIL)
    return g_steal_pointer (&line);
  head = g_utf8_find_prev_char (line, line + MAX_HEAD + 1);
  tail = g_utf8_find_next_char (line + length - MAX_TAIL - 1, NULL);
  return g_strdup_printf ("%.*s... (%" G_GSIZE_FORMAT " bytes more) ...%s", (gint)(head - line),
                          line, (gsize)(tail - head), tail);
}
