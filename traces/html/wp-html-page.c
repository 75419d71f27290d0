/* SPDX-License-Identifier: MIT */
/* Writes the page around the data: traces/html/page.html with page.css, the data and the script
 * (the .js files) inserted. The data are in a script element that is not executed, and the page
 * uses them as text only (wp-html-json.h). The page's policy allows only our own script and style,
 * by their hashes, and no network access. */
#include "traces/html/wp-html-page.h"

#include "idg/kernel/idg-problem.h"

#include <errno.h>
#include <string.h>

#include "traces/html/wp-html-json.h"
#include "traces/html/wp-html-parts.h"

static void
write_data (const WpHtmlPage *page, FILE *out)
{
  fputs ("{\"page\":", out);
  wp_html_write_json (page->facts, out);
  fputs (",\n\"runs\":[", out);
  for (guint i = 0; i < page->n_runs; i++)
    {
      fputs (i > 0 ? ",\n{\"facts\":" : "{\"facts\":", out);
      wp_html_write_json (page->runs[i].facts, out);
      fputs (",\n\"record\":", out);
      wp_html_recorder_write (page->runs[i].recorder, page->runs[i].elapsed, out);
      fputc ('}', out);
    }
  fputs ("]}", out);
}

/* Writes TEXT's hash as a policy has it: "sha256-..." in base 64. */
static void
write_hash (const gchar *text, FILE *out)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree gchar *base64 = NULL;
  guint8 digest[32];
  gsize length = sizeof digest;

  g_checksum_update (checksum, (const guchar *)text, -1);
  g_checksum_get_digest (checksum, digest, &length);
  base64 = g_base64_encode (digest, length);
  fprintf (out, "sha256-%s", base64);
}

static void
write_title (const gchar *title, FILE *out)
{
  g_autofree gchar *valid = g_utf8_make_valid (title, -1);
  g_autofree gchar *text = g_markup_escape_text (valid, -1);

  fputs (text, out);
}

static void
write_part (const WpHtmlPage *page, const gchar *name, FILE *out)
{
  if (strcmp (name, "title") == 0)
    write_title (page->title, out);
  else if (strcmp (name, "style-hash") == 0)
    write_hash (wp_html_style, out);
  else if (strcmp (name, "script-hash") == 0)
    write_hash (wp_html_script, out);
  else if (strcmp (name, "style") == 0)
    fputs (wp_html_style, out);
  else if (strcmp (name, "script") == 0)
    fputs (wp_html_script, out);
  else if (strcmp (name, "data") == 0)
    write_data (page, out);
  else
    g_error ("page.html: no part is called \"%s\"", name);
}

gboolean
wp_html_page_write (const WpHtmlPage *page, FILE *out, GError **error)
{
  /* Text and, between two @, names of parts alternate. */
  g_auto (GStrv) parts = g_strsplit (wp_html_page, "@", -1);
  gint number;

  errno = 0;
  for (guint i = 0; parts[i] != NULL; i++)
    if (i % 2 == 0)
      fputs (parts[i], out);
    else
      write_part (page, parts[i], out);
  if (fflush (out) == 0 && !ferror (out))
    return TRUE;
  number = errno != 0 ? errno : EIO;
  g_set_error (error, WP_TRACE_ERROR,
               number == EPIPE ? WP_TRACE_ERROR_CLOSED : WP_TRACE_ERROR_WRITE,
               "cannot write the page: %s", idg_problem_describe (number));
  return FALSE;
}
