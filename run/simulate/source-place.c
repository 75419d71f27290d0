/* SPDX-License-Identifier: MIT */
/* Apart from what reads files, as the playground has none. */
#include "run/simulate/source-line.h"

#include <string.h>

gboolean
wp_source_line_parse (const gchar *text, WpSourceLine *line)
{
  const gchar *colon = text ? strchr (text, ':') : NULL;
  gchar *end;
  guint64 number;

  if (!colon || colon == text || !g_ascii_isdigit (colon[1])
      || memchr (text, ' ', (gsize)(colon - text)))
    return FALSE;
  number = g_ascii_strtoull (colon + 1, &end, 10);
  if (number == 0 || number > G_MAXINT || end[0] != ':' || end[1] != ' ')
    return FALSE;
  line->file = g_strndup (text, (gsize)(colon - text));
  line->line = (guint)number;
  return TRUE;
}
