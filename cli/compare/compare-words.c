/* SPDX-License-Identifier: MIT */
/* What warpipe compare says of its runs beside their figures: the heading of the text, the page,
 * the plot. */
#include "run/compare/compare.h"

#include "cli/common/cli-text.h"

/* ---- The heading of the text ---- */

static gboolean
varies (const WpComparison *comparison, const gchar *name)
{
  return g_ptr_array_find_with_equal_func (comparison->names, name, g_str_equal, NULL);
}

static gchar *
get_title (const WpComparison *comparison, const WpCompareRun *run)
{
  const WpMetrics *metrics = g_ptr_array_index (comparison->runs, 0);
  GString *text = g_string_new (metrics->kernel);

  if (!varies (comparison, "gpu"))
    g_string_append_printf (text, " on %s", metrics->gpu);
  if (!varies (comparison, "gpu") && run->gpu->title != NULL)
    g_string_append_printf (text, " (%s)", run->gpu->title);
  if (!varies (comparison, "policy"))
    g_string_append_printf (text, ", policy %s", metrics->policy);
  if (!varies (comparison, "order"))
    g_string_append_printf (text, ", %s order", metrics->order);
  if (!varies (comparison, "memory"))
    g_string_append_printf (text, ", %s memory", metrics->memory);
  return g_string_free (text, FALSE);
}

/* What of the launch all runs have. */
static gchar *
get_launch (const WpComparison *comparison)
{
  const WpMetrics *metrics = g_ptr_array_index (comparison->runs, 0);
  GString *text = g_string_new ("  launch       ");

  if (varies (comparison, "blocks"))
    g_string_append (text, "blocks");
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT " block%s", metrics->blocks,
                            wp_text_plural (metrics->blocks));
  if (!varies (comparison, "threads"))
    g_string_append_printf (text, " of %" G_GINT64_FORMAT " thread%s", metrics->threads,
                            wp_text_plural (metrics->threads));
  if (!varies (comparison, "registers") && metrics->registers > 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " register%s a thread", metrics->registers,
                            wp_text_plural (metrics->registers));
  if (!varies (comparison, "shared-memory") && metrics->shared_memory > 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " byte%s of shared memory",
                            metrics->shared_memory, wp_text_plural (metrics->shared_memory));
  return g_string_free (text, FALSE);
}

/* The parameters that all runs have, or NULL: there is none. */
static gchar *
get_parameters (const WpComparison *comparison, const IdgKernel *kernel)
{
  g_autoptr (GString) text = g_string_new ("  parameters  ");
  gsize empty = text->len;

  for (guint i = 0; i < kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, i);

      if (!varies (comparison, parameter->name))
        g_string_append_printf (text, " %s=%s", parameter->name, parameter->value);
    }
  return text->len > empty ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

void
wp_compare_print_text (const WpComparison *comparison, const WpCompareRun *run)
{
  const WpMetrics *metrics = g_ptr_array_index (comparison->runs, 0);
  g_autofree gchar *title = get_title (comparison, run), *launch = get_launch (comparison);
  g_autofree gchar *parameters = get_parameters (comparison, run->kernel);
  g_autofree gchar *sms
      = varies (comparison, "gpu")
            ? NULL
            : g_strdup_printf ("  simulated    %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " SM%s",
                               metrics->sms, (gint64)run->gpu->sms, wp_text_plural (run->gpu->sms));
  const guint n_seeds = metrics->spreads[WP_SPREAD_CYCLES].n;
  g_autofree gchar *seeds
      = n_seeds > 0 ? g_strdup_printf ("  seeds        %u, of which all figures are means", n_seeds)
                    : NULL;
  g_autoptr (GPtrArray) heading = g_ptr_array_new ();

  g_ptr_array_add (heading, title);
  if (run->kernel->title != NULL)
    g_ptr_array_add (heading, run->kernel->title);
  g_ptr_array_add (heading, (gpointer) "");
  g_ptr_array_add (heading, launch);
  if (parameters != NULL)
    g_ptr_array_add (heading, parameters);
  if (sms != NULL)
    g_ptr_array_add (heading, sms);
  if (seeds != NULL)
    g_ptr_array_add (heading, seeds);
  g_ptr_array_add (heading, NULL);
  wp_comparison_print_text (comparison, (const gchar *const *)heading->pdata);
}

/* ---- The page ---- */

/* What to make of all runs, and where two schedules part. */
static GPtrArray *
get_sentences (const WpComparison *comparison)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (sentences, wp_comparison_get_verdict (comparison));
  for (guint i = 0; i < comparison->divergences->len; i++)
    g_ptr_array_add (sentences,
                     wp_comparison_describe_divergence (
                         comparison, &g_array_index (comparison->divergences, WpDivergenceOf, i)));
  return sentences;
}

gboolean
wp_compare_write_page (const WpComparison *comparison, const GPtrArray *runs, WpBatch *batch,
                       WpOutput *html, GError **error)
{
  const WpMetrics *metrics = g_ptr_array_index (comparison->runs, 0);
  g_autoptr (GPtrArray) pages = g_ptr_array_new (), sentences = get_sentences (comparison);
  g_autoptr (GString) title = g_string_new (metrics->kernel);

  for (guint i = 0; i < runs->len; i++)
    {
      WpPageRun *page = ((const WpCompareRun *)g_ptr_array_index (runs, i))->page;

      if (!wp_page_run_find_bounds (page, batch->progress, batch->max_issues, &batch->interrupted,
                                    error))
        return FALSE;
      if (batch->interrupted != 0)
        return TRUE;
      g_ptr_array_add (pages, page);
    }
  if (!varies (comparison, "gpu"))
    g_string_append_printf (title, " on %s", metrics->gpu);
  for (guint i = 0; i < comparison->names->len; i++)
    g_string_append_printf (title, "%s %s", i == 0 ? ": by" : ",",
                            (const gchar *)g_ptr_array_index (comparison->names, i));
  return wp_page_write (pages, title->str, sentences, html, error);
}

/* ---- The plot ---- */

/* A blank at either end of TEXT, which is taken over, and several between words, are for columns
 * only. */
static gchar *
squeeze (gchar *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ", -1);
  GString *line = g_string_new (NULL);

  g_free (text);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", words[i]);
  return g_string_free (line, FALSE);
}

gboolean
wp_compare_draw (WpCompare *compare, const WpComparison *comparison, const GPtrArray *runs,
                 WpBatch *batch, GError **error)
{
  const WpCompareRun *first = g_ptr_array_index (runs, 0);
  g_autofree gchar *title = squeeze (get_title (comparison, first));
  g_autofree gchar *launch = squeeze (get_launch (comparison));
  g_autofree gchar *heading = g_strconcat (title, "\n", launch + strlen ("launch "), NULL);
  g_autofree const WpRunCurve **curves = g_new (const WpRunCurve *, runs->len);
  g_autoptr (WpPlot) plot = NULL;

  if (!wp_plot_is_wanted (&compare->plot))
    return TRUE;
  for (guint i = 0; i < comparison->runs->len; i++)
    curves[i] = &wp_compare_get_run (compare, runs, i)->curve;
  plot = wp_comparison_get_plot (comparison, compare->kind, curves, heading);
  return wp_plot_write (&compare->plot, plot, batch->progress, &batch->interrupted, error);
}
