/* SPDX-License-Identifier: MIT */
/* A report for people has its warnings before its verdict; one for scripts has them as members, and
 * standard error has them for those who look at that. */
#include "cli/report/report-warnings.h"

#include "cli/common/cli.h"

#include <string.h>

static const WpWarning *
get (const GPtrArray *warnings, guint i)
{
  return g_ptr_array_index (warnings, i);
}

void
wp_print_warnings (const GPtrArray *warnings, const WpTextStyle *style)
{
  if (warnings->len > 0)
    printf ("\n%sWarnings%s\n", style->bold, style->plain);
  for (guint i = 0; i < warnings->len; i++)
    printf ("  %s%s%s: %s\n", style->bold, get (warnings, i)->name, style->plain,
            get (warnings, i)->text);
}

void
wp_json_warnings (WpJson *json, const GPtrArray *warnings, const GPtrArray *notes)
{
  wp_json_begin (json, "warnings", '[');
  for (guint i = 0; i < warnings->len; i++)
    {
      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "name", get (warnings, i)->name);
      wp_json_string (json, "text", get (warnings, i)->text);
      wp_json_boolean (json, "no_verdict", get (warnings, i)->no_verdict);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
  wp_json_begin (json, "notes", '[');
  for (guint i = 0; i < notes->len; i++)
    wp_json_string (json, NULL, g_ptr_array_index (notes, i));
  wp_json_end (json, ']');
}

void
wp_complain_of_warnings (const GPtrArray *warnings)
{
  for (guint i = 0; i < warnings->len; i++)
    if (strcmp (get (warnings, i)->name, "stores-queued") != 0)
      wp_cli_complain ("warning: %s: %s", get (warnings, i)->name, get (warnings, i)->text);
}

static void
complain (gpointer data, const gchar *text)
{
  (void)data;
  wp_cli_complain ("%s", text);
}

gboolean
wp_cli_check_warnings (const GPtrArray *warnings, gboolean strict, GError **error)
{
  return !strict || wp_warnings_refuse (warnings, complain, NULL, error);
}
