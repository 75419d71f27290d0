/* SPDX-License-Identifier: MIT */
#include "cli/figures.h"

#include <math.h>
#include <string.h>

const guint wp_figures_percents[WP_N_PERCENTILES] = { 5, 50, 95 };

static void
pipeline_free (gpointer data)
{
  WpFiguresPipeline *pipeline = data;

  g_free (pipeline->name);
  g_free (pipeline);
}

WpFigures *
wp_figures_new_empty (void)
{
  WpFigures *figures = g_new0 (WpFigures, 1);

  figures->pipelines = g_ptr_array_new_with_free_func (pipeline_free);
  figures->limiters = g_ptr_array_new_with_free_func (g_free);
  return figures;
}

static gdouble
get_cycles (const WpReport *report, WpSum sum)
{
  return wp_sum_to_double (sum) / (gdouble)report->resolved->machine.ticks_per_cycle;
}

void
wp_figures_add_pipeline (WpFigures *figures, const gchar *name, gdouble utilization)
{
  WpFiguresPipeline *pipeline = g_new (WpFiguresPipeline, 1);

  *pipeline = (WpFiguresPipeline){ g_strdup (name), utilization };
  g_ptr_array_add (figures->pipelines, pipeline);
}

static void
take_settings (WpFigures *figures, const WpReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  const IdgLaunch *launch = &report->resolved->launch;

  figures->kernel = g_strdup (report->kernel->name);
  figures->gpu = g_strdup (report->gpu->name);
  figures->policy = g_strdup (report->policy);
  figures->order = g_strdup (machine->dataflow ? "dataflow" : "program");
  figures->memory = g_strdup (machine->contended ? "contended" : "ideal");
  figures->settings = g_strdup ("");
  figures->seed = machine->seed;
  figures->sms = machine->simulated_sms;
  figures->active_set = machine->active_set;
  figures->blocks = launch->blocks;
  figures->threads = launch->threads;
  figures->registers = launch->registers;
  figures->shared_memory = launch->shared_memory;
  figures->resident_blocks = report->resident.blocks;
  figures->resident_warps = report->resident.warps;
  for (guint i = 0; i < report->resident.limiters->len; i++)
    g_ptr_array_add (figures->limiters,
                     g_strdup (g_ptr_array_index (report->resident.limiters, i)));
}

static void
take_lifetimes (WpFigures *figures, const WpReport *report, const WpLifetimes *lifetimes)
{
  WpTick values[WP_N_PERCENTILES];
  gchar text[WP_TIME_CHARS];

  figures->too_many_lifetimes = wp_lifetimes_get_n_values (lifetimes) > WP_MAX_LIFETIMES;
  if (!wp_lifetimes_get_percentiles (lifetimes, wp_figures_percents, WP_N_PERCENTILES, values))
    return;
  for (guint i = 0; i < WP_N_PERCENTILES; i++)
    figures->percentiles[i]
        = g_strdup (wp_tick_format (values[i], report->resolved->machine.ticks_per_cycle, text));
}

void
wp_figures_set_rate (WpFigures *figures)
{
  gdouble time = figures->time_us * (gdouble)figures->sms;

  figures->rate = time > 0 ? (gdouble)figures->instructions / time : NAN;
}

WpFigures *
wp_figures_new (const WpReport *report, const WpLifetimes *lifetimes)
{
  const WpResult *result = report->result;
  WpFigures *figures = wp_figures_new_empty ();
  gchar text[WP_TIME_CHARS];

  take_settings (figures, report);
  figures->partial = !result->complete;
  figures->cycles_text = g_strdup (
      wp_tick_format (result->elapsed, report->resolved->machine.ticks_per_cycle, text));
  figures->cycles = report->cycles;
  figures->time_us = report->time_us;
  figures->ipc = report->ipc;
  figures->instructions = (gint64)result->issued;
  figures->warps = (gint64)result->warps;
  figures->mean_occupancy = report->mean_occupancy;
  figures->mean_warp_latency = report->mean_warp_latency;
  figures->warp_throughput = report->warp_throughput;
  figures->scheduler_utilization = report->scheduler_utilization;
  for (guint i = 0; i < report->resolved->machine.n_pipelines; i++)
    wp_figures_add_pipeline (figures, report->pipelines[i].name, report->pipelines[i].utilization);
  for (guint i = 0; i < WP_N_STALLS; i++)
    figures->stalls[i] = get_cycles (report, result->stalls[i]);
  wp_figures_set_rate (figures);
  if (lifetimes != NULL)
    take_lifetimes (figures, report, lifetimes);
  return figures;
}

void
wp_figures_free (WpFigures *figures)
{
  if (figures == NULL)
    return;
  gchar *texts[] = { figures->label,          figures->kernel,        figures->gpu,
                     figures->policy,         figures->order,         figures->memory,
                     figures->settings,       figures->cycles_text,   figures->percentiles[0],
                     figures->percentiles[1], figures->percentiles[2] };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_ptr_array_unref (figures->pipelines);
  g_ptr_array_unref (figures->limiters);
  g_free (figures);
}

/* ---- What follows from them ---- */

gdouble
wp_figures_get_share (const WpFigures *figures, WpStall stall)
{
  gdouble whole = 0;

  for (guint i = 0; i < WP_N_STALLS; i++)
    whole += figures->stalls[i];
  return whole > 0 ? figures->stalls[stall] / whole : NAN;
}

gdouble
wp_figures_get_utilization (const WpFigures *figures, const gchar *name)
{
  for (guint i = 0; i < figures->pipelines->len; i++)
    {
      const WpFiguresPipeline *pipeline = g_ptr_array_index (figures->pipelines, i);

      if (strcmp (pipeline->name, name) == 0)
        return pipeline->utilization;
    }
  return NAN;
}

gdouble
wp_figures_get_speed_up (const WpFigures *figures, const WpFigures *first)
{
  if (!(figures->time_us > 0) || !(first->time_us > 0))
    return NAN;
  /* Of one clock the cycles, which are exact. */
  return strcmp (figures->gpu, first->gpu) == 0 ? first->cycles / figures->cycles
                                                : first->time_us / figures->time_us;
}

gboolean
wp_figures_have_same_work (const WpFigures *a, const WpFigures *b)
{
  if (strcmp (a->kernel, b->kernel) != 0 || g_strcmp0 (a->settings, b->settings) != 0)
    return FALSE;
  if (strcmp (a->gpu, b->gpu) == 0 && a->sms == b->sms)
    return a->instructions == b->instructions;
  return a->blocks >= 0 && b->blocks >= 0 && a->blocks * a->threads == b->blocks * b->threads;
}

GPtrArray *
wp_comparison_get_pipelines (const WpComparison *comparison)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < comparison->runs->len; i++)
    {
      const WpFigures *figures = g_ptr_array_index (comparison->runs, i);

      for (guint p = 0; p < figures->pipelines->len; p++)
        {
          const WpFiguresPipeline *pipeline = g_ptr_array_index (figures->pipelines, p);

          if (!g_ptr_array_find_with_equal_func (names, pipeline->name, g_str_equal, NULL))
            g_ptr_array_add (names, pipeline->name);
        }
    }
  return names;
}

static void
clear_parting (gpointer data)
{
  wp_parting_clear (&((WpPartingOf *)data)->parting);
}

WpComparison *
wp_comparison_new (void)
{
  WpComparison *comparison = g_new0 (WpComparison, 1);

  comparison->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_figures_free);
  comparison->names = g_ptr_array_new_with_free_func (g_free);
  comparison->values = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  comparison->partings = g_array_new (FALSE, TRUE, sizeof (WpPartingOf));
  g_array_set_clear_func (comparison->partings, clear_parting);
  return comparison;
}

void
wp_comparison_free (WpComparison *comparison)
{
  if (comparison == NULL)
    return;
  g_ptr_array_unref (comparison->runs);
  g_ptr_array_unref (comparison->names);
  g_ptr_array_unref (comparison->values);
  g_array_unref (comparison->partings);
  g_free (comparison);
}
