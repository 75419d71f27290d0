/* SPDX-License-Identifier: MIT */
/* What to say of runs side by side, and what scripts read. What is not known is left empty in CSV,
 * null or absent in JSON.
 */
#include "run/compare/metrics.h"

#include "cli/common/cli-json.h"
#include "cli/common/cli-seeds.h"
#include "run/base/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this difference in time (half of what is shown) runs count as equally fast. */
#define NO_DIFFERENCE 0.0005

/* Below these it is not worth a word: parts of the warps' time, of a pipeline's, of the occupancy.
 */
#define LITTLE_SHARE 0.01
#define LITTLE_USE 0.005
#define LITTLE_OCCUPANCY 0.005

static const WpMetrics *
get_run (const WpComparison *comparison, guint i)
{
  return g_ptr_array_index (comparison->runs, i);
}

/* ---- The verdict ---- */

/* The part of the time that its pipeline NAME is in use; what is left in a queue at the end was not
 * within it. */
static gdouble
get_use (const WpMetrics *metrics, const gchar *name)
{
  gdouble use = wp_metrics_get_utilization (metrics, name);

  return isnan (use) ? 0 : MIN (use, 1);
}

/* What explains best why A took another time than B did, as far as that shows: ": ..., and ...", or
 * "". */
static gchar *
explain (const WpMetrics *a, const WpMetrics *b)
{
  static const gchar *const doing[WP_N_STALLS]
      = { "waiting at barriers",    "waiting for results",       "between issues of their own",
          "waiting for a pipeline", "waiting for the scheduler", "waiting for their last results" };
  GString *text = g_string_new (NULL);
  const WpMetricsPipeline *busiest = NULL;
  guint most = 0;

  for (guint i = 1; i < WP_N_STALLS; i++)
    if (fabs (wp_metrics_get_share (a, i) - wp_metrics_get_share (b, i))
        > fabs (wp_metrics_get_share (a, most) - wp_metrics_get_share (b, most)))
      most = i;
  if (fabs (wp_metrics_get_share (a, most) - wp_metrics_get_share (b, most)) >= LITTLE_SHARE)
    g_string_append_printf (text, "its warps spend %.1f%% of their lives %s (%s: %.1f%%)",
                            100 * wp_metrics_get_share (a, most), doing[most], b->label,
                            100 * wp_metrics_get_share (b, most));
  for (guint i = 0; i < a->pipelines->len; i++)
    {
      const WpMetricsPipeline *pipeline = g_ptr_array_index (a->pipelines, i);

      if (busiest == NULL || pipeline->utilization > busiest->utilization)
        busiest = pipeline;
    }
  if (busiest != NULL
      && fabs (get_use (a, busiest->name) - get_use (b, busiest->name)) >= LITTLE_USE)
    g_string_append_printf (text, "%spipeline %s is in use %.1f%% of the time (%s: %.1f%%)",
                            text->len > 0 ? ", " : "", busiest->name,
                            100 * get_use (a, busiest->name), b->label,
                            100 * get_use (b, busiest->name));
  if (fabs (a->mean_occupancy - b->mean_occupancy) >= LITTLE_OCCUPANCY * b->mean_occupancy)
    g_string_append_printf (text, "%s%.4g warps are resident on average (%s: %.4g)",
                            text->len > 0 ? ", and " : "", a->mean_occupancy, b->label,
                            b->mean_occupancy);
  if (text->len > 0)
    g_string_prepend (text, ": ");
  return g_string_free (text, FALSE);
}

/* "is 3.1% faster than", and the like: SPEED_UP against another. */
static gchar *
describe_speed_up (gdouble speed_up)
{
  if (speed_up >= 2)
    return g_strdup_printf ("%.3g times as fast as", speed_up);
  if (speed_up <= 0.5)
    return g_strdup_printf ("%.3g times as slow as", 1 / speed_up);
  if (speed_up >= 1)
    return g_strdup_printf ("%.1f%% faster than", 100 * (speed_up - 1));
  return g_strdup_printf ("%.1f%% slower than", 100 * (1 / speed_up - 1));
}

static gchar *
compare_two (const WpMetrics *first, const WpMetrics *other)
{
  gdouble speed_up = wp_metrics_get_speed_up (other, first);
  g_autofree gchar *by = NULL, *why = NULL;

  if (speed_up == 1)
    return g_strdup_printf ("%s and %s take the same time.", first->label, other->label);
  if (fabs (speed_up - 1) < NO_DIFFERENCE)
    return g_strdup_printf ("%s and %s take nearly the same time (%.2g%% apart).", first->label,
                            other->label, 100 * fabs (speed_up - 1));
  by = describe_speed_up (speed_up);
  why = explain (other, first);
  return g_strdup_printf ("%s is %s %s%s.", other->label, by, first->label, why);
}

static gchar *
join_labels (const WpComparison *comparison, gdouble speed_up)
{
  GString *text = g_string_new (NULL);
  guint n = 0, k = 0;

  for (guint i = 0; i < comparison->runs->len; i++)
    n += wp_metrics_get_speed_up (get_run (comparison, i), get_run (comparison, 0)) == speed_up;
  for (guint i = 0; i < comparison->runs->len; i++)
    if (wp_metrics_get_speed_up (get_run (comparison, i), get_run (comparison, 0)) == speed_up)
      {
        g_string_append_printf (text, "%s%s",
                                k == 0      ? ""
                                : k + 1 < n ? ", "
                                            : " and ",
                                get_run (comparison, i)->label);
        k++;
      }
  g_string_append (text, n == 1 ? " is" : " are");
  return g_string_free (text, FALSE);
}

static gchar *
compare_many (const WpComparison *comparison)
{
  const WpMetrics *first = get_run (comparison, 0);
  guint best = 0, worst = 0;
  GString *text;
  gdouble fastest, slowest;

  for (guint i = 1; i < comparison->runs->len; i++)
    {
      if (wp_metrics_get_speed_up (get_run (comparison, i), get_run (comparison, best)) > 1)
        best = i;
      if (wp_metrics_get_speed_up (get_run (comparison, i), get_run (comparison, worst)) < 1)
        worst = i;
    }
  fastest = wp_metrics_get_speed_up (get_run (comparison, best), first);
  slowest = wp_metrics_get_speed_up (get_run (comparison, worst), first);
  if (fastest == slowest)
    return g_strdup ("All take the same time.");
  if (fastest - slowest < NO_DIFFERENCE)
    return g_strdup_printf ("All take nearly the same time (%.2g%% apart).",
                            100 * (fastest - slowest));
  text = g_string_new (NULL);
  if (fastest > 1)
    {
      g_autofree gchar *labels = join_labels (comparison, fastest);
      g_autofree gchar *by = describe_speed_up (fastest);
      g_autofree gchar *why = explain (get_run (comparison, best), first);

      g_string_append_printf (text, "%s the fastest, %s %s%s.", labels, by, first->label, why);
    }
  else
    g_string_append_printf (text, "None is faster than %s.", first->label);
  if (slowest < 1)
    {
      g_autofree gchar *labels = join_labels (comparison, slowest);
      g_autofree gchar *by = describe_speed_up (slowest);
      g_autofree gchar *why = explain (get_run (comparison, worst), first);

      g_string_append_printf (text, " %s the slowest, %s %s%s.", labels, by, first->label, why);
    }
  return g_string_free (text, FALSE);
}

static gchar *
compare_rates (const WpComparison *comparison)
{
  const WpMetrics *first = get_run (comparison, 0), *best = first;
  GString *text = g_string_new ("The runs do different work, so that their times do not compare. ");

  for (guint i = 1; i < comparison->runs->len; i++)
    if (get_run (comparison, i)->rate > best->rate)
      best = get_run (comparison, i);
  g_string_append_printf (text, "%s does the most instructions in a microsecond on an SM: %.4g",
                          best->label, best->rate);
  if (best != first)
    g_string_append_printf (text, ", %.4g times as many as %s", best->rate / first->rate,
                            first->label);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

gchar *
wp_comparison_get_verdict (const WpComparison *comparison)
{
  const WpMetrics *first = get_run (comparison, 0);
  gboolean same_work = TRUE;

  for (guint i = 0; i < comparison->runs->len; i++)
    {
      const WpMetrics *run = get_run (comparison, i);

      if (run->partial)
        return g_strdup_printf (
            "%s was stopped before its end: its figures are of the part done, and its time says "
            "nothing.",
            run->label);
      if (!(run->time_us > 0) || run->instructions == 0)
        return g_strdup_printf ("%s does nothing that takes time: there is nothing to compare.",
                                run->label);
      same_work &= wp_metrics_have_same_work (run, first);
    }
  if (comparison->runs->len == 1)
    return g_strdup ("There is nothing to compare: nothing varies but the seed.");
  if (!same_work)
    return compare_rates (comparison);
  return comparison->runs->len == 2 ? compare_two (first, get_run (comparison, 1))
                                    : compare_many (comparison);
}

/* ---- Where schedules part ---- */

#define MAX_SHOWN 12 /* warps of a list for people */

/* "0.1 0.2 3.1 and 4 more": block and warp. */
static void
append_candidates (GString *text, const WpPick *pick)
{
  for (guint i = 0; i < pick->n_candidates && i < MAX_SHOWN; i++)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT ".%u", pick->candidates[i].block,
                            pick->candidates[i].warp);
  if (pick->n_candidates > MAX_SHOWN)
    g_string_append_printf (text, " and %u more", pick->n_candidates - MAX_SHOWN);
}

static gboolean
have_same_candidates (const WpPick *a, const WpPick *b)
{
  gboolean same = a->n_candidates == b->n_candidates;

  for (guint i = 0; same && i < a->n_candidates; i++)
    same = a->candidates[i].slot == b->candidates[i].slot;
  return same;
}

static void
append_pick (GString *text, const gchar *label, const WpPick *pick)
{
  const WpCandidate *warp = pick->issues ? &pick->candidates[pick->pick] : NULL;

  if (warp == NULL)
    g_string_append_printf (text, "%s issues nothing", label);
  else
    g_string_append_printf (text, "%s picks warp %" G_GUINT64_FORMAT ".%u (%s)", label, warp->block,
                            warp->warp, pick->op);
}

gchar *
wp_comparison_describe_divergence (const WpComparison *comparison, const WpDivergenceOf *of)
{
  const gchar *labels[]
      = { get_run (comparison, of->first)->label, get_run (comparison, of->other)->label };
  const WpDivergence *divergence = &of->divergence;
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s and %s ", labels[0], labels[1]);
  if (divergence->kind == WP_DIVERGENCE_NONE)
    g_string_append (text, "issue the same instructions at the same times, from the first to the "
                           "last.");
  else if (divergence->kind == WP_DIVERGENCE_TOO_LATE)
    g_string_append_printf (text,
                            "issue the same %" G_GUINT64_FORMAT
                            " instructions first; no difference was looked for after these.",
                            divergence->issues);
  if (divergence->kind != WP_DIVERGENCE_FOUND)
    return g_string_free (text, FALSE);
  g_string_append_printf (
      text, "part at cycle %s on SM %u, scheduler %u, after %" G_GUINT64_FORMAT " instruction%s: ",
      divergence->time, divergence->sm, divergence->scheduler, divergence->issues,
      divergence->issues == 1 ? "" : "s");
  append_pick (text, labels[0], &divergence->picks[0]);
  g_string_append (text, ", ");
  append_pick (text, labels[1], &divergence->picks[1]);
  g_string_append_c (text, '.');
  if (have_same_candidates (&divergence->picks[0], &divergence->picks[1]))
    {
      g_string_append (text, " Could issue, as block.warp:");
      append_candidates (text, &divergence->picks[0]);
      g_string_append_c (text, '.');
    }
  else
    for (guint i = 0; i < 2; i++)
      if (divergence->picks[i].issues)
        {
          g_string_append_printf (text, " %s could pick, as block.warp:", labels[i]);
          append_candidates (text, &divergence->picks[i]);
          g_string_append_c (text, '.');
        }
  return g_string_free (text, FALSE);
}

/* ---- CSV ---- */

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
print_csv_settings (const WpMetrics *run)
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
print_csv_metrics (const WpMetrics *run, const WpMetrics *first)
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
print_csv_divergence (const WpDivergenceOf *of)
{
  if (of == NULL || of->divergence.kind != WP_DIVERGENCE_FOUND)
    fputs (",,,", stdout);
  else
    printf (",%s,%u,%u", of->divergence.time, of->divergence.sm, of->divergence.scheduler);
}

/* Columns of several seeds. */
static void
print_csv_spread_names (const WpMetrics *run)
{
  if (run->spreads[0].n == 0)
    return;
  fputs (",seeds", stdout);
  for (guint i = 0; i < WP_N_SPREADS; i++)
    printf (",%s_sd,%s_min,%s_max", wp_metrics_spread_names[i], wp_metrics_spread_names[i],
            wp_metrics_spread_names[i]);
}

static void
print_csv_spreads (const WpMetrics *run)
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

void
wp_comparison_print_csv (const WpComparison *comparison)
{
  g_autoptr (GPtrArray) pipelines = wp_comparison_get_pipelines (comparison);

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
  print_csv_spread_names (get_run (comparison, 0));
  putchar ('\n');
  for (guint i = 0; i < comparison->runs->len; i++)
    {
      const WpMetrics *run = get_run (comparison, i);

      print_csv_settings (run);
      print_csv_metrics (run, get_run (comparison, 0));
      print_csv_divergence (find_divergence (comparison, i));
      print_cell (run->scheduler_utilization);
      for (guint p = 0; p < pipelines->len; p++)
        print_cell (wp_metrics_get_utilization (run, g_ptr_array_index (pipelines, p)));
      print_csv_spreads (run);
      putchar ('\n');
    }
}

/* ---- JSON ---- */

/* Left out where it is not known. */
static void
write_count (WpJson *json, const gchar *name, gint64 count)
{
  if (count >= 0)
    wp_json_unsigned (json, name, (guint64)count);
}

static void
write_parameters (WpJson *json, const gchar *settings)
{
  g_auto (GStrv) items = g_strsplit (settings != NULL ? settings : "", " ", -1);

  wp_json_begin (json, "parameters", '{');
  for (guint i = 0; items[i] != NULL && *items[i] != '\0'; i++)
    {
      gchar *equals = strchr (items[i], '=');

      *equals = '\0';
      wp_json_literal (json, items[i], equals + 1);
    }
  wp_json_end (json, '}');
}

static void
write_settings (WpJson *json, const WpMetrics *run)
{
  wp_json_string (json, "run", run->label);
  wp_json_string (json, "kernel", run->kernel);
  wp_json_string (json, "gpu", run->gpu);
  wp_json_string (json, "policy", run->policy);
  wp_json_string (json, "order", run->order);
  wp_json_string (json, "memory", run->memory);
  wp_json_unsigned (json, "seed", run->seed);
  write_count (json, "sms", run->sms);
  if (run->blocks >= 0)
    {
      wp_json_begin (json, "launch", '{');
      write_count (json, "blocks", run->blocks);
      write_count (json, "threads", run->threads);
      write_count (json, "registers", run->registers);
      write_count (json, "shared_memory", run->shared_memory);
      wp_json_end (json, '}');
    }
  write_count (json, "occupancy", run->occupancy);
  write_count (json, "active_set", run->active_set);
  if (run->settings != NULL)
    write_parameters (json, run->settings);
}

static void
write_stalls (WpJson *json, const WpMetrics *run)
{
  wp_json_begin (json, "stall_shares", '{');
  for (guint i = 0; i < WP_N_STALLS; i++)
    wp_json_ratio (json, wp_report_get_stall_name (i), wp_metrics_get_share (run, i));
  wp_json_end (json, '}');
  wp_json_begin (json, "limiters", '[');
  for (guint i = 0; i < run->limiters->len; i++)
    wp_json_string (json, NULL, g_ptr_array_index (run->limiters, i));
  wp_json_end (json, ']');
  wp_json_begin (json, "pipelines", '[');
  for (guint i = 0; i < run->pipelines->len; i++)
    {
      const WpMetricsPipeline *pipeline = g_ptr_array_index (run->pipelines, i);

      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "name", pipeline->name);
      wp_json_ratio (json, "utilization", pipeline->utilization);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

/* Of several seeds. */
static void
write_spreads (WpJson *json, const WpMetrics *run)
{
  if (run->spreads[0].n == 0)
    return;
  wp_json_unsigned (json, "seeds", run->spreads[WP_SPREAD_CYCLES].n);
  wp_json_begin (json, "spread", '{');
  for (guint i = 0; i < WP_N_SPREADS; i++)
    wp_json_spread (json, wp_metrics_spread_names[i], &run->spreads[i]);
  wp_json_end (json, '}');
}

static void
write_run (WpJson *json, const WpMetrics *run, const WpMetrics *first)
{
  wp_json_begin (json, NULL, '{');
  write_settings (json, run);
  wp_json_boolean (json, "complete", !run->partial);
  wp_json_literal (json, "cycles", run->cycles_text);
  wp_json_ratio (json, "time_us", run->time_us);
  wp_json_ratio (json, "speed_up", wp_metrics_get_speed_up (run, first));
  write_count (json, "warps", run->warps);
  write_count (json, "instructions", run->instructions);
  wp_json_ratio (json, "ipc", run->ipc);
  wp_json_ratio (json, "instructions_per_us", run->rate);
  write_count (json, "resident_blocks", run->resident_blocks);
  write_count (json, "resident_warps", run->resident_warps);
  wp_json_ratio (json, "mean_occupancy", run->mean_occupancy);
  wp_json_ratio (json, "mean_warp_latency", run->mean_warp_latency);
  for (guint i = 0; i < WP_N_PERCENTILES; i++)
    {
      g_autofree gchar *name = g_strdup_printf ("lifetime_p%u", wp_metrics_percents[i]);

      wp_json_literal (json, name, run->percentiles[i] != NULL ? run->percentiles[i] : "null");
    }
  wp_json_ratio (json, "warp_throughput", run->warp_throughput);
  wp_json_ratio (json, "scheduler_utilization", run->scheduler_utilization);
  write_stalls (json, run);
  write_spreads (json, run);
  wp_json_end (json, '}');
}

static void
write_pick (WpJson *json, const WpPick *pick)
{
  wp_json_begin (json, NULL, '{');
  wp_json_boolean (json, "issues", pick->issues);
  if (pick->issues)
    {
      wp_json_unsigned (json, "block", pick->candidates[pick->pick].block);
      wp_json_unsigned (json, "warp", pick->candidates[pick->pick].warp);
      wp_json_string (json, "op", pick->op);
    }
  wp_json_begin (json, "candidates", '[');
  for (guint i = 0; i < pick->n_candidates; i++)
    {
      const WpCandidate *candidate = &pick->candidates[i];

      wp_json_begin (json, NULL, '{');
      wp_json_unsigned (json, "block", candidate->block);
      wp_json_unsigned (json, "warp", candidate->warp);
      wp_json_unsigned (json, "slot", candidate->slot);
      wp_json_unsigned (json, "age", candidate->age);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
  wp_json_end (json, '}');
}

static void
write_divergence (WpJson *json, const WpDivergenceOf *of)
{
  const WpDivergence *divergence = &of->divergence;
  static const gchar *const kinds[] = { "found", "none", "not looked for any further" };

  wp_json_begin (json, NULL, '{');
  wp_json_unsigned (json, "first", of->first);
  wp_json_unsigned (json, "other", of->other);
  wp_json_string (json, "parting", kinds[divergence->kind]);
  wp_json_unsigned (json, "issued_alike", divergence->issues);
  if (divergence->kind == WP_DIVERGENCE_FOUND)
    {
      wp_json_literal (json, "time", divergence->time);
      wp_json_unsigned (json, "sm", divergence->sm);
      wp_json_unsigned (json, "scheduler", divergence->scheduler);
      wp_json_begin (json, "picks", '[');
      write_pick (json, &divergence->picks[0]);
      write_pick (json, &divergence->picks[1]);
      wp_json_end (json, ']');
    }
  wp_json_end (json, '}');
}

void
wp_comparison_print_json (const WpComparison *comparison)
{
  g_autofree gchar *verdict = wp_comparison_get_verdict (comparison);
  WpJson json = { .out = stdout };

  wp_json_begin (&json, NULL, '{');
  wp_json_begin (&json, "varied", '[');
  for (guint i = 0; i < comparison->names->len; i++)
    wp_json_string (&json, NULL, g_ptr_array_index (comparison->names, i));
  wp_json_end (&json, ']');
  wp_json_begin (&json, "runs", '[');
  for (guint i = 0; i < comparison->runs->len; i++)
    write_run (&json, get_run (comparison, i), get_run (comparison, 0));
  wp_json_end (&json, ']');
  wp_json_begin (&json, "partings", '[');
  for (guint i = 0; i < comparison->divergences->len; i++)
    write_divergence (&json, &g_array_index (comparison->divergences, WpDivergenceOf, i));
  wp_json_end (&json, ']');
  wp_json_string (&json, "verdict", verdict);
  wp_json_end (&json, '}');
}
