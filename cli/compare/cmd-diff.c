/* SPDX-License-Identifier: MIT */
/* warpipe diff: two saved reports, side by side. What differs between them takes the place of what
 * varies in a comparison. */
#include "cli/commands.h"
#include "cli/common/cli-options.h"
#include "cli/compare/comparison-print.h"
#include "run/base/printable.h"

#include <string.h>

typedef struct
{
  gchar *format_name;
  GStrv files;
  WpFormat format;
} Diff;

static void
diff_clear (Diff *diff)
{
  g_free (diff->format_name);
  g_strfreev (diff->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Diff, diff_clear)

static gboolean
parse (Diff *diff, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_options_add (table, "format", &diff->format_name,
                  "Report as text (when left out), CSV or JSON", "text|csv|json");

  return wp_cli_parse (&wp_command_diff, table, argv, &diff->files, status);
}

static gboolean
check (Diff *diff)
{
  if (g_strv_length (diff->files) == 2)
    return wp_cli_parse_format (&wp_command_diff, diff->format_name, &diff->format);
  wp_cli_usage (&wp_command_diff, "expected two reports, got %u", g_strv_length (diff->files));
  return FALSE;
}

/* ---- Differences ---- */

static void
name_difference (WpComparison *comparison, const gchar *name, gchar *one, gchar *other)
{
  g_ptr_array_add (comparison->names, g_strdup (name));
  for (guint i = 0; i < 2; i++)
    {
      gchar **values = g_ptr_array_index (comparison->values, i);
      guint n = g_strv_length (values);

      values = g_renew (gchar *, values, n + 2);
      values[n] = i == 0 ? one : other;
      values[n + 1] = NULL;
      comparison->values->pdata[i] = values;
    }
}

static void
compare_texts (WpComparison *comparison, const gchar *name, const gchar *one, const gchar *other)
{
  if (strcmp (one, other) != 0)
    name_difference (comparison, name, g_strdup (one), g_strdup (other));
}

static gchar *
format_count (gint64 count)
{
  return count < 0 ? g_strdup ("-") : g_strdup_printf ("%" G_GINT64_FORMAT, count);
}

static void
compare_counts (WpComparison *comparison, const gchar *name, gint64 one, gint64 other)
{
  if (one != other)
    name_difference (comparison, name, format_count (one), format_count (other));
}

static void
name_differences (WpComparison *comparison, GStrv files)
{
  const WpMetrics *one = g_ptr_array_index (comparison->runs, 0);
  const WpMetrics *other = g_ptr_array_index (comparison->runs, 1);

  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (comparison->values, g_new0 (gchar *, 1));
  name_difference (comparison, "report", wp_make_printable (files[0]),
                   wp_make_printable (files[1]));
  compare_texts (comparison, "kernel", one->kernel, other->kernel);
  compare_texts (comparison, "gpu", one->gpu, other->gpu);
  compare_texts (comparison, "policy", one->policy, other->policy);
  compare_texts (comparison, "order", one->order, other->order);
  compare_texts (comparison, "memory", one->memory, other->memory);
  if (one->seed != other->seed
      && (strcmp (one->memory, "ideal") != 0 || strcmp (other->memory, "ideal") != 0))
    name_difference (comparison, "seed", g_strdup_printf ("%" G_GUINT64_FORMAT, one->seed),
                     g_strdup_printf ("%" G_GUINT64_FORMAT, other->seed));
  compare_counts (comparison, "sms", one->sms, other->sms);
  compare_counts (comparison, "blocks", one->blocks, other->blocks);
  compare_counts (comparison, "threads", one->threads, other->threads);
  compare_counts (comparison, "registers", one->registers, other->registers);
  compare_counts (comparison, "shared-memory", one->shared_memory, other->shared_memory);
}

static void
print_text (const WpComparison *comparison)
{
  const WpMetrics *one = g_ptr_array_index (comparison->runs, 0);
  const WpMetrics *other = g_ptr_array_index (comparison->runs, 1);
  g_autofree gchar *title
      = strcmp (one->kernel, other->kernel) != 0 ? g_strdup ("Two reports")
        : strcmp (one->gpu, other->gpu) != 0
            ? g_strdup_printf ("Two reports of %s", one->kernel)
            : g_strdup_printf ("Two reports of %s on %s", one->kernel, one->gpu);
  const gchar *const heading[] = { title, NULL };

  wp_comparison_print_text (comparison, heading);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Diff) diff = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpComparison) comparison = wp_comparison_new ();
  WpExit status;

  (void)max_issues;
  if (!parse (&diff, argv, &status))
    return status;
  if (!check (&diff))
    return WP_EXIT_USAGE;
  for (guint i = 0; i < 2; i++)
    {
      WpMetrics *metrics = wp_metrics_load (diff.files[i], &error);

      if (metrics == NULL)
        return wp_cli_fail (error);
      metrics->label = wp_make_printable (diff.files[i]);
      g_ptr_array_add (comparison->runs, metrics);
    }
  name_differences (comparison, diff.files);
  if (diff.format == WP_FORMAT_CSV)
    wp_comparison_print_csv (comparison);
  else if (diff.format == WP_FORMAT_JSON)
    wp_comparison_print_json (comparison);
  else
    print_text (comparison);
  return WP_EXIT_DONE;
}

const WpCommand wp_command_diff = {
  .name = "diff",
  .arguments = "A.json B.json",
  .summary = "Compare two reports that were saved",
  .details = "Reports are what warpipe run --format json has printed.",
  .run = run_command,
};
