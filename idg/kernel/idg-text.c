/* SPDX-License-Identifier: MIT */
#include "idg/kernel/idg-text.h"

#include <string.h>

gboolean
idg_text_is_hidden (gunichar c)
{
  if (c < 0x7f)
    return c < 0x20;
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT: /* U+200B to U+200F, U+202A to U+202E, U+2066 to U+2069, U+FEFF, ... */
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
      return TRUE;
    default: /* letters and marks that are blank: the grapheme joiner, fillers of Hangul */
      return c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x3164 || c == 0xffa0 || c == 0xfffe
             || c == 0xffff; /* and what XML has no place for */
    }
}

gboolean
idg_text_is_in_names (gunichar c)
{
  return c != ',' && c != '"' && !idg_text_is_hidden (c);
}

void
idg_text_append_escape (GString *string, gunichar c)
{
  if (c == '\n')
    g_string_append (string, "\\n");
  else
    g_string_append_printf (string, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
}

gchar *
idg_text_make_name (const gchar *name, const gchar *except, gsize limit)
{
  g_autofree gchar *valid = g_utf8_make_valid (name, -1);
  GString *made = g_string_new (NULL);

  for (const gchar *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);
      gboolean is_good = idg_text_is_in_names (c) && strchr (except, *at) == NULL;

      if (made->len + (is_good ? (gsize)(g_utf8_next_char (at) - at) : 1) > limit)
        break;
      g_string_append_unichar (made, is_good ? c : '_');
    }
  return g_string_free (made, FALSE);
}

static gboolean
is_number (const gchar *cell)
{
  gchar *end;

  g_ascii_strtod (cell, &end);
  return end > cell && *end == '\0';
}

gboolean
idg_text_is_formula (const gchar *cell)
{
  return strchr ("=+-@", *cell) != NULL && cell[strspn (cell, "-")] != '\0' && !is_number (cell);
}
