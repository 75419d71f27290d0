/* SPDX-License-Identifier: MIT */
/* The runs of several seeds as one that is their mean, so that a comparison can treat it as any
 * other run. */
#include "run/compare/metrics.h"

#include <math.h>

const gchar *const wp_metrics_spread_names[WP_N_SPREADS]
    = { "cycles",         "time_us",           "speed_up",       "ipc",
        "mean_occupancy", "mean_warp_latency", "warp_throughput" };

static const WpMetrics *
get_run (const GPtrArray *runs, guint i)
{
  return g_ptr_array_index (runs, i);
}

/* The mean of the number at OFFSET of WpMetrics. */
static gdouble
get_mean (const GPtrArray *runs, gsize offset)
{
  WpSample sample = { 0 };

  for (guint i = 0; i < runs->len; i++)
    wp_sample_add (&sample, G_STRUCT_MEMBER (gdouble, get_run (runs, i), offset));
  return sample.n > 0 ? sample.mean : NAN;
}

static void
take_means (WpMetrics *mean, const GPtrArray *runs)
{
  static const gsize offsets[] = { G_STRUCT_OFFSET (WpMetrics, cycles),
                                   G_STRUCT_OFFSET (WpMetrics, time_us),
                                   G_STRUCT_OFFSET (WpMetrics, cycles_drained),
                                   G_STRUCT_OFFSET (WpMetrics, time_drained_us),
                                   G_STRUCT_OFFSET (WpMetrics, ipc),
                                   G_STRUCT_OFFSET (WpMetrics, rate),
                                   G_STRUCT_OFFSET (WpMetrics, mean_occupancy),
                                   G_STRUCT_OFFSET (WpMetrics, mean_warp_latency),
                                   G_STRUCT_OFFSET (WpMetrics, warp_throughput),
                                   G_STRUCT_OFFSET (WpMetrics, scheduler_utilization) };
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  for (gsize i = 0; i < G_N_ELEMENTS (offsets); i++)
    G_STRUCT_MEMBER (gdouble, mean, offsets[i]) = get_mean (runs, offsets[i]);
  for (guint i = 0; i < WP_N_STALLS; i++)
    mean->stalls[i] = get_mean (runs, G_STRUCT_OFFSET (WpMetrics, stalls) + i * sizeof (gdouble));
  mean->drained_text
      = g_strdup (g_ascii_formatd (text, sizeof text, "%.12g", mean->cycles_drained));
  mean->cycles_text = g_strdup (g_ascii_formatd (text, sizeof text, "%.12g", mean->cycles));
}

static void
take_pipelines (WpMetrics *mean, const GPtrArray *runs)
{
  const WpMetrics *first = get_run (runs, 0);

  for (guint p = 0; p < first->pipelines->len; p++)
    {
      const gchar *name
          = ((const WpMetricsPipeline *)g_ptr_array_index (first->pipelines, p))->name;
      WpSample sample = { 0 };

      for (guint i = 0; i < runs->len; i++)
        wp_sample_add (&sample, wp_metrics_get_utilization (get_run (runs, i), name));
      wp_metrics_add_pipeline (mean, name, sample.mean);
    }
}

static void
take_percentiles (WpMetrics *mean, const GPtrArray *runs)
{
  for (guint k = 0; k < WP_N_PERCENTILES; k++)
    {
      WpSample sample = { 0 };
      gchar text[G_ASCII_DTOSTR_BUF_SIZE];

      for (guint i = 0; i < runs->len; i++)
        if (get_run (runs, i)->percentiles[k] != NULL)
          wp_sample_add (&sample, g_ascii_strtod (get_run (runs, i)->percentiles[k], NULL));
      if (sample.n == runs->len)
        mean->percentiles[k] = g_strdup (g_ascii_formatd (text, sizeof text, "%.12g", sample.mean));
    }
}

static void
take_settings (WpMetrics *mean, const WpMetrics *first)
{
  mean->label = g_strdup (first->label);
  mean->kernel = g_strdup (first->kernel);
  mean->gpu = g_strdup (first->gpu);
  mean->policy = g_strdup (first->policy);
  mean->order = g_strdup (first->order);
  mean->memory = g_strdup (first->memory);
  mean->settings = g_strdup (first->settings);
  mean->seed = first->seed;
  mean->sms = first->sms;
  mean->occupancy = first->occupancy;
  mean->active_set = first->active_set;
  mean->blocks = first->blocks;
  mean->threads = first->threads;
  mean->registers = first->registers;
  mean->shared_memory = first->shared_memory;
  mean->instructions = first->instructions;
  mean->warps = first->warps;
  mean->resident_blocks = first->resident_blocks;
  mean->resident_warps = first->resident_warps;
  wp_metrics_take_warnings (mean, first->warnings, first->notes);
  for (guint i = 0; i < first->limiters->len; i++)
    g_ptr_array_add (mean->limiters, g_strdup (g_ptr_array_index (first->limiters, i)));
}

static void
take_spreads (WpMetrics *mean, const GPtrArray *runs, const GPtrArray *first)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const WpMetrics *run = get_run (runs, i);
      const gdouble values[WP_N_SPREADS] = { run->cycles,
                                             run->time_us,
                                             wp_metrics_get_speed_up (run, get_run (first, i)),
                                             run->ipc,
                                             run->mean_occupancy,
                                             run->mean_warp_latency,
                                             run->warp_throughput };

      for (guint k = 0; k < WP_N_SPREADS; k++)
        wp_sample_add (&mean->spreads[k], values[k]);
      mean->too_many_lifetimes |= run->too_many_lifetimes;
      mean->partial |= run->partial;
      mean->stores_queued |= run->stores_queued;
    }
}

WpMetrics *
wp_metrics_new_mean (const GPtrArray *runs, const GPtrArray *first)
{
  WpMetrics *mean = wp_metrics_new_empty ();

  take_settings (mean, get_run (runs, 0));
  take_means (mean, runs);
  take_pipelines (mean, runs);
  take_percentiles (mean, runs);
  take_spreads (mean, runs, first);
  return mean;
}
