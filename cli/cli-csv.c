/* SPDX-License-Identifier: MIT */
#include "cli/cli-csv.h"

#include "cli/commands.h"

#include <string.h>

void
wp_csv_append_text (GString *line, const gchar *text)
{
  g_autofree gchar *cell = wp_cli_make_printable (text);

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
