/* SPDX-License-Identifier: MIT */
/* Writes JSON inside of a page. All bytes that have to be escaped can only occur in strings, so
 * that one pass over the text is enough. */
#include "traces/html/wp-html-json.h"

#include <string.h>

/* Returns the length of the bytes at AT that the page must not contain literally, or 0; ESCAPE
 * receives their replacement. */
static guint
find_escape (const gchar *at, const gchar **escape)
{
  if (*at == '<')
    {
      *escape = "\\u003c";
      return 1;
    }
  if (strncmp (at, "\xe2\x80\xa8", 3) == 0 || strncmp (at, "\xe2\x80\xa9", 3) == 0)
    {
      *escape = at[2] == '\xa8' ? "\\u2028" : "\\u2029";
      return 3;
    }
  return 0;
}

void
wp_html_write_json (const gchar *json, FILE *out)
{
  const gchar *escape;
  guint length;

  while (*json != '\0')
    if ((length = find_escape (json, &escape)) > 0)
      {
        fputs (escape, out);
        json += length;
      }
    else
      fputc (*json++, out);
}

void
wp_html_write_string (const gchar *text, FILE *out)
{
  g_autoptr (GString) json = g_string_new ("\"");

  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (json, "\\%c", *text);
    else if ((guchar)*text < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint)(guchar)*text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
  wp_html_write_json (json->str, out);
}
