/* SPDX-License-Identifier: MIT */
/* Numbers go through GLib's locale-free formatting: the same bytes everywhere. */
#include "cli/common/cli-json.h"

#include <math.h>

static void
write_string (WpJson *json, const gchar *value)
{
  g_autofree gchar *valid = g_utf8_make_valid (value, -1);

  fputc ('"', json->out);
  for (const gchar *at = valid; *at != '\0'; at++)
    if (*at == '"' || *at == '\\')
      fprintf (json->out, "\\%c", *at);
    else if ((guchar)*at < 0x20)
      fprintf (json->out, "\\u%04x", (guint)(guchar)*at);
    else
      fputc (*at, json->out);
  fputc ('"', json->out);
}

static gboolean
is_in_line (const WpJson *json)
{
  return json->line > 0 && json->depth > json->line;
}

static void
begin_member (WpJson *json, const gchar *name)
{
  if (is_in_line (json))
    fputs (json->first ? "" : ", ", json->out);
  else if (json->depth > 0)
    fprintf (json->out, "%s\n%*s", json->first ? "" : ",", (int)(2 * json->depth), "");
  json->first = FALSE;
  if (name == NULL)
    return;
  write_string (json, name);
  fputs (": ", json->out);
}

void
wp_json_begin (WpJson *json, const gchar *name, gchar bracket)
{
  begin_member (json, name);
  fputc (bracket, json->out);
  json->depth++;
  json->first = TRUE;
}

void
wp_json_begin_line (WpJson *json, const gchar *name, gchar bracket)
{
  wp_json_begin (json, name, bracket);
  if (json->line == 0)
    json->line = json->depth - 1;
}

void
wp_json_end (WpJson *json, gchar bracket)
{
  gboolean in_line = is_in_line (json);

  json->depth--;
  if (!json->first && !in_line)
    fprintf (json->out, "\n%*s", (int)(2 * json->depth), "");
  if (json->depth == json->line)
    json->line = 0;
  fputc (bracket, json->out);
  json->first = FALSE;
  if (json->depth == 0)
    fputc ('\n', json->out);
}

void
wp_json_string (WpJson *json, const gchar *name, const gchar *value)
{
  begin_member (json, name);
  write_string (json, value);
}

void
wp_json_unsigned (WpJson *json, const gchar *name, guint64 value)
{
  begin_member (json, name);
  fprintf (json->out, "%" G_GUINT64_FORMAT, value);
}

void
wp_json_boolean (WpJson *json, const gchar *name, gboolean value)
{
  begin_member (json, name);
  fputs (value ? "true" : "false", json->out);
}

void
wp_json_ratio (WpJson *json, const gchar *name, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  wp_json_literal (json, name,
                   isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.12g", value) : "null");
}

void
wp_json_literal (WpJson *json, const gchar *name, const gchar *value)
{
  begin_member (json, name);
  fputs (value, json->out);
}
