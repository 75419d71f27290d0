/* SPDX-License-Identifier: MIT */
/* The sources of a run that is shown by line: of each file what is from a little before the first
 * line with instructions to a little behind the last. */
#include "cli/page/page-sources.h"

#include <string.h>

#define AROUND 3
#define MOST 4000 /* lines of a file */

static void
write_source (WpJson *json, const WpSource *source, guint first, guint last)
{
  guint n = g_strv_length (source->lines);

  first = first > AROUND ? first - AROUND : 1;
  last = MIN (MIN (last + AROUND, n), first + MOST - 1);
  wp_json_begin (json, NULL, '{');
  wp_json_string (json, "file", source->name);
  wp_json_unsigned (json, "first", first);
  wp_json_begin (json, "lines", '[');
  for (guint i = first; i <= last; i++)
    wp_json_string (json, NULL, g_strchomp (source->lines[i - 1]));
  wp_json_end (json, ']');
  wp_json_end (json, '}');
}

void
wp_page_write_sources (WpJson *json, const IdgKernel *kernel, const WpByLine *lines)
{
  wp_json_begin (json, NULL, '[');
  for (guint i = 0, end; i < lines->n; i = end)
    {
      WpSource *source = wp_source_read (kernel, lines->lines[i].file);

      for (end = i + 1; end < lines->n; end++)
        if (strcmp (lines->lines[end].file, lines->lines[i].file) != 0)
          break;
      if (source->lines != NULL && lines->lines[end - 1].line <= g_strv_length (source->lines)
          && lines->lines[end - 1].line - lines->lines[i].line < MOST - 2 * AROUND)
        write_source (json, source, lines->lines[i].line, lines->lines[end - 1].line);
      wp_source_free (source);
    }
  wp_json_end (json, ']');
}
