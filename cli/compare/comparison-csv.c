/* SPDX-License-Identifier: MIT */
/* A comparison for scripts: a row for each column. The order of the table's columns is fixed
 * (FORMATS.md); what is not known is empty. */
#include "cli/compare/comparison-print.h"

#include "run/base/csv.h"

#include <math.h>
#include <stdio.h>

static const WpMetrics *
get_run (const WpComparison *comparison, guint i)
{
  return g_ptr_array_index (comparison->runs, i);
}

static void
print_text_cell (const gchar *text)
{
  g_autoptr (GString) cell = g_string_new (NULL);

  wp_csv_append_text (cell, text);
  fputs (cell->str, stdout);
}

static void
print_cell (gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  putchar (',');
  if (isfinite (value))
    fputs (g_ascii_formatd (text, sizeof text, "%.12g", value), stdout);
}

static void
print_count_cell (gint64 count)
{
  putchar (',');
  if (count >= 0)
    printf ("%" G_GINT64_FORMAT, count);
}

static void
print_settings (const WpMetrics *run)
{
  const gchar *const texts[]
      = { run->label, run->kernel, run->gpu, run->policy, run->order, run->memory };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      fputs (i > 0 ? "," : "", stdout);
      print_text_cell (texts[i]);
    }
  printf (",%" G_GUINT64_FORMAT, run->seed);
  print_count_cell (run->sms);
  print_count_cell (run->blocks);
  print_count_cell (run->threads);
  print_count_cell (run->registers);
  print_count_cell (run->shared_memory);
  print_count_cell (run->occupancy);
  print_count_cell (run->active_set);
  putchar (',');
  print_text_cell (run->settings != NULL ? run->settings : "");
}

static void
print_metrics (const WpMetrics *run, const WpMetrics *first)
{
  printf (",%s", run->cycles_text);
  print_cell (run->time_us);
  print_cell (wp_metrics_get_speed_up (run, first));
  print_count_cell (run->warps);
  print_count_cell (run->instructions);
  print_cell (run->ipc);
  print_cell (run->rate);
  print_count_cell (run->resident_blocks);
  print_count_cell (run->resident_warps);
  print_cell (run->mean_occupancy);
  print_cell (run->mean_warp_latency);
  for (guint i = 0; i < WP_N_PERCENTILES; i++)
    printf (",%s", run->percentiles[i] != NULL ? run->percentiles[i] : "");
  print_cell (run->warp_throughput);
  for (guint i = 0; i < WP_N_STALLS; i++)
    print_cell (wp_metrics_get_share (run, i));
  putchar (',');
  for (guint i = 0; i < run->limiters->len; i++)
    printf ("%s%s", i > 0 ? " " : "", (const gchar *)g_ptr_array_index (run->limiters, i));
}

static const WpDivergenceOf *
find_divergence (const WpComparison *comparison, guint other)
{
  for (guint i = 0; i < comparison->divergences->len; i++)
    {
      const WpDivergenceOf *of = &g_array_index (comparison->divergences, WpDivergenceOf, i);

      if (of->other == other)
        return of;
    }
  return NULL;
}

static void
print_divergence (const WpDivergenceOf *of)
{
  if (of == NULL || of->divergence.kind != WP_DIVERGENCE_FOUND)
    fputs (",,,", stdout);
  else
    printf (",%s,%u,%u", of->divergence.time, of->divergence.sm, of->divergence.scheduler);
}

/* Only where there are several seeds. */
static void
print_spread_names (const WpMetrics *run)
{
  if (run->spreads[0].n == 0)
    return;
  fputs (",seeds", stdout);
  for (guint i = 0; i < WP_N_SPREADS; i++)
    printf (",%s_sd,%s_min,%s_max", wp_metrics_spread_names[i], wp_metrics_spread_names[i],
            wp_metrics_spread_names[i]);
}

static void
print_spreads (const WpMetrics *run)
{
  if (run->spreads[0].n == 0)
    return;
  print_count_cell (run->spreads[WP_SPREAD_CYCLES].n);
  for (guint i = 0; i < WP_N_SPREADS; i++)
    {
      const WpSample *sample = &run->spreads[i];

      print_cell (wp_sample_get_deviation (sample));
      print_cell (sample->n > 0 ? sample->least : NAN);
      print_cell (sample->n > 0 ? sample->most : NAN);
    }
}

static void
print_heading (const WpComparison *comparison, const GPtrArray *pipelines)
{
  fputs ("run,kernel,gpu,policy,order,memory,seed,sms,blocks,threads,registers,shared_memory,"
         "occupancy,active_set,parameters,cycles,time_us,speed_up,warps,instructions,ipc,"
         "instructions_per_us,resident_blocks,resident_warps,mean_occupancy,mean_warp_latency",
         stdout);
  for (guint i = 0; i < WP_N_PERCENTILES; i++)
    printf (",lifetime_p%u", wp_metrics_percents[i]);
  fputs (",warp_throughput", stdout);
  for (guint i = 0; i < WP_N_STALLS; i++)
    printf (",stall_%s", wp_report_get_stall_name (i));
  fputs (",limiters,parting_time,parting_sm,parting_scheduler,scheduler_utilization", stdout);
  for (guint p = 0; p < pipelines->len; p++)
    {
      g_autofree gchar *name
          = g_strdup_printf ("utilization_%s", (const gchar *)g_ptr_array_index (pipelines, p));

      putchar (',');
      print_text_cell (name);
    }
  print_spread_names (get_run (comparison, 0));
  putchar ('\n');
}

void
wp_comparison_print_csv (const WpComparison *comparison)
{
  g_autoptr (GPtrArray) pipelines = wp_comparison_get_pipelines (comparison);

  print_heading (comparison, pipelines);
  for (guint i = 0; i < comparison->runs->len; i++)
    {
      const WpMetrics *run = get_run (comparison, i);

      print_settings (run);
      print_metrics (run, get_run (comparison, 0));
      print_divergence (find_divergence (comparison, i));
      print_cell (run->scheduler_utilization);
      for (guint p = 0; p < pipelines->len; p++)
        print_cell (wp_metrics_get_utilization (run, g_ptr_array_index (pipelines, p)));
      print_spreads (run);
      putchar ('\n');
    }
}
