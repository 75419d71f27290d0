/* SPDX-License-Identifier: MIT */
/* Reads what it writes: cells in quotes (RFC 4180), but no line's end within one, as
 * wp_make_printable() has made an escape of it.
 */
#include "run/base/csv.h"

#include "idg/kernel/idg-text.h"
#include "run/base/printable.h"

#include <string.h>

void
wp_csv_append_text (GString *line, const gchar *text)
{
  g_autofree gchar *plain = wp_make_printable (text);
  g_autofree gchar *cell
      = idg_text_is_formula (plain) ? g_strconcat ("'", plain, NULL) : g_strdup (plain);

  if (strpbrk (cell, ",\"") == NULL)
    {
      g_string_append (line, cell);
      return;
    }
  g_string_append_c (line, '"');
  for (const gchar *at = cell; *at != '\0'; at++)
    {
      if (*at == '"')
        g_string_append_c (line, '"');
      g_string_append_c (line, *at);
    }
  g_string_append_c (line, '"');
}

gboolean
wp_csv_take_cell (const gchar **at, GString *cell)
{
  const gchar *from = *at;
  gboolean is_quoted = *from == '"';

  if (*from == '\0')
    return FALSE;
  g_string_truncate (cell, 0);
  from += is_quoted;
  for (; *from != '\0' && *from != '\n' && (is_quoted || *from != ','); from++)
    {
      if (*from == '"' && from[1] == '"')
        from++;
      else if (*from == '"')
        {
          is_quoted = FALSE;
          continue;
        }
      g_string_append_c (cell, *from);
    }
  *at = *from != '\0' ? from + 1 : from;
  return TRUE;
}

gint
wp_csv_find_column (const gchar *header, const gchar *name)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  for (gint i = 0; wp_csv_take_cell (&header, cell); i++)
    if (strcmp (cell->str, name) == 0)
      return i;
  g_assert_not_reached ();
}
