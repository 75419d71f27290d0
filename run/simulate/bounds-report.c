/* SPDX-License-Identifier: MIT */
/* The rows of the worksheet are exact, as the bounds are, and add up to them. Ratios are floating
 * point. */
#include "run/simulate/bounds-report.h"

#include "run/simulate/find-bounds.h"
#include "run/simulate/warnings-find.h"

/* Where the GPU does not limit the warps, throughput is shown for at most this many. */
#define MAX_WARPS 4096

/* ---- The worksheet ---- */

static WpMean
make_each (guint64 num, guint64 den)
{
  guint64 common = wp_gcd (num, den);

  return (WpMean){ { 0, num / common }, den / common };
}

static WpBoundsRow
make_row (const gchar *name, const gchar *context, WpMean count, guint64 num, guint64 den)
{
  return (WpBoundsRow){ name, context, count, make_each (num, den),
                        wp_mean_multiply (count, num, den) };
}

/* Adds that instruction I passes PIPELINE, which takes ISSUE. KNOWN: the places of rows, by
 * pipeline, op, context and issue. LAST: it is the last that it passes. */
static void
add_pass (WpBoundsReport *report, GHashTable *known, guint32 i, guint32 pipeline, WpTick issue)
{
  const WpMachine *machine = report->bounds->machine;
  const WpInstr *instr = &machine->instrs[i];
  const gchar *context = report->resolved->nodes[i]->context;
  const gchar *op = machine->names[instr->cost->name];
  WpMean count = report->bounds->counts[i];
  WpBoundsUnit *unit = &report->units[pipeline];
  guint64 sharers = wp_machine_count_sharers (machine, pipeline, 0);
  WpBoundsRow row = make_row (op, context, count, (guint64)issue * sharers, unit->instances);
  g_autofree gchar *key = g_strdup_printf ("%u %" G_GINT64_FORMAT " %s %s", pipeline, (gint64)issue,
                                           op, context != NULL ? context : "");
  gpointer place;

  if (g_hash_table_lookup_extended (known, key, NULL, &place))
    {
      WpBoundsRow *sum = &g_array_index (unit->rows, WpBoundsRow, GPOINTER_TO_UINT (place));

      sum->count = wp_mean_add (sum->count, row.count);
      sum->use = wp_mean_add (sum->use, row.use);
      return;
    }
  g_hash_table_insert (known, g_steal_pointer (&key), GUINT_TO_POINTER (unit->rows->len));
  g_array_append_val (unit->rows, row);
}

/* INSTR issues TIMES times: in which units, and what it does in the last of these. */
static void
count_context (WpBoundsReport *report, const WpInstr *instr, gdouble times)
{
  const WpMachine *machine = &report->resolved->machine;
  WpBoundsUnit *last = &report->units[wp_instr_get_last_pipeline (machine, instr)];

  report->units[instr->cost->pipeline].instructions += times;
  for (guint32 k = 0; k < instr->cost->n_passes; k++)
    report->units[machine->passes[instr->cost->first_pass + k].pipeline].instructions += times;
  last->flops += times * (gdouble)instr->cost->flops;
  last->bytes += times * (gdouble)instr->cost->bytes;
}

/* The same of instruction I, whose context may be a mix: each of it for its part of the times. */
static void
count_passes (WpBoundsReport *report, guint32 i)
{
  const WpInstr *instr = &report->resolved->machine.instrs[i];
  gdouble times = wp_mean_to_double (report->bounds->counts[i]);

  for (guint32 k = 0; k < instr->cost->mix; k++)
    count_context (report, &instr[k], times * wp_instr_get_share (&instr[k]));
  if (instr->cost->mix == 0)
    count_context (report, instr, times);
}

/* A row for each op and context of each pipeline, in order of first appearance. */
static void
fill_pipelines (WpBoundsReport *report)
{
  const WpMachine *machine = report->bounds->machine;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];

      if (instr->cost->pipeline == WP_NO_PIPELINE
          || wp_mean_to_double (report->bounds->counts[i]) == 0)
        continue;
      count_passes (report, i);
      add_pass (report, known, i, instr->cost->pipeline, instr->cost->issue);
      for (guint32 k = 0; k < instr->cost->n_passes; k++)
        {
          const WpPass *pass = &machine->passes[instr->cost->first_pass + k];

          add_pass (report, known, i, pass->pipeline, pass->issue);
        }
    }
}

static void
fill_schedulers (WpBoundsReport *report)
{
  const WpMachine *machine = report->bounds->machine;
  const WpBounds *bounds = report->bounds;
  WpBoundsUnit *unit = &report->units[machine->n_pipelines];
  guint64 limit = machine->issue_limit, interval = (guint64)machine->interval;
  guint64 slots = limit * machine->n_schedulers;
  /* A filled slot takes the places of all its issues, of which one is counted already. Where a slot
   * has one issue only, nothing is left to count. */
  const WpBoundsRow rows[] = {
    make_row ("single issue", NULL, bounds->single_issues, interval, slots),
    make_row ("dual issue", NULL, bounds->dual_issues, interval, slots),
    make_row ("filled slot", NULL, bounds->filled, (limit - 1) * interval, slots),
    { "reissue", NULL, bounds->reissues, make_each (interval, machine->n_schedulers),
      wp_mean_multiply (bounds->reissue_time, 1, machine->n_schedulers) },
  };

  unit->name = "schedulers";
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if ((rows[i].count.num.lo != 0 || rows[i].count.num.hi != 0) && (i != 2 || limit > 1))
      g_array_append_val (unit->rows, rows[i]);
  unit->use = bounds->scheduler;
  unit->instances = machine->n_schedulers;
  for (guint i = 0; i < machine->n_pipelines; i++)
    unit->instructions += report->units[i].instructions;
}

static void
fill_units (WpBoundsReport *report)
{
  const WpMachine *machine = report->bounds->machine;

  report->n_units = machine->n_pipelines + 1;
  report->units = g_new0 (WpBoundsUnit, report->n_units);
  for (guint i = 0; i < report->n_units; i++)
    report->units[i].rows = g_array_new (FALSE, FALSE, sizeof (WpBoundsRow));
  for (guint i = 0; i < machine->n_pipelines; i++)
    {
      const WpPipelineDesc *desc = &machine->pipelines[i];

      report->units[i].name = desc->name;
      report->units[i].per_scheduler = desc->per_scheduler;
      report->units[i].instances = desc->per_scheduler ? machine->n_schedulers : 1;
      report->units[i].shared = wp_pipeline_get_shared (desc);
      report->units[i].use = report->bounds->pipelines[i];
    }
  fill_pipelines (report);
  fill_schedulers (report);
  report->tightest = &report->units[report->bounds->tightest];
}

/* ---- What follows ---- */

gboolean
wp_bounds_report_is_enough (const WpBoundsReport *report, guint64 n)
{
  /* Near the quotient the rounded value is not exact enough; far from it the product may
   * overflow. */
  if ((gdouble)n > 2 * report->needed || (gdouble)n < report->needed / 2)
    return (gdouble)n > report->needed;
  return wp_mean_compare (report->bounds->latency,
                          wp_mean_multiply (report->bounds->throughput, n, 1))
         <= 0;
}

static guint64
round_up_needed (const WpBoundsReport *report)
{
  guint64 n;

  if (!(report->needed < 0x1p62))
    return G_MAXUINT64;
  /* `needed` is rounded, so that the search begins one below. */
  n = (guint64)report->needed;
  n -= MIN (n, 1);
  while (!wp_bounds_report_is_enough (report, n))
    n++;
  return n;
}

/* The cycles that an SM takes for its WARPS. No block follows the last ones, so that the latency
 * bound counts one launch latency too many. */
static gdouble
predict_cycles (const WpBoundsReport *report, gdouble warps)
{
  const WpMachine *machine = report->bounds->machine;
  gdouble ticks_per_cycle = (gdouble)machine->ticks_per_cycle;
  gdouble use = warps * wp_mean_to_double (report->bounds->throughput);
  gdouble lives = warps / (gdouble)report->warps * wp_mean_to_double (report->bounds->latency);

  return MAX (use, lives - (gdouble)machine->launch_latency) / ticks_per_cycle;
}

/* As many warps as the GPU holds, or as the launch has or would need. */
static guint32
find_max_warps (const WpBoundsReport *report, gboolean no_limits)
{
  guint64 most = no_limits ? 0 : (guint64)report->gpu->limits.warps;

  if (most == 0 && report->whole_needed != G_MAXUINT64)
    most = MIN (report->whole_needed, MAX_WARPS / 2) * 5 / 4;
  most = MAX (most, (guint64)report->warps);
  return (guint32)CLAMP (most, 1, MAX_WARPS);
}

WpBoundsReport *
wp_bounds_report_new (const IdgKernel *kernel, const WpGpu *gpu, const WpResolved *resolved,
                      const WpBounds *bounds, gboolean no_limits)
{
  WpBoundsReport *report = g_new0 (WpBoundsReport, 1);
  const WpMachine *machine = &resolved->machine;
  gdouble mhz = wp_cycles_to_double (gpu->clock_mhz);
  gint64 blocks = (resolved->launch.blocks + machine->n_sms - 1) / machine->n_sms;

  report->kernel = kernel;
  report->gpu = gpu;
  report->resolved = resolved;
  report->bounds = bounds;
  report->estimates = wp_bounds_are_estimates (&resolved->machine);
  report->no_floor = wp_find_floor (bounds, &report->floor);
  wp_resident_init (&report->resident, resolved);
  report->warps = (gint64)machine->resident_blocks * machine->warps_per_block;
  report->needed = wp_bounds_get_needed (bounds);
  report->whole_needed = round_up_needed (report);
  report->is_enough = wp_bounds_report_is_enough (report, (guint64)report->warps);
  report->throughput = wp_bounds_predict (bounds, (gdouble)report->warps);
  report->cycles = predict_cycles (report, (gdouble)blocks * machine->warps_per_block);
  report->time_us = report->cycles / mhz;
  fill_units (report);
  report->max_warps = find_max_warps (report, no_limits);
  report->warnings = wp_warnings_new ();
  report->notes = wp_notes_find (kernel, gpu);
  wp_warnings_find_in_setting (report->warnings, kernel, gpu, resolved);
  if (bounds->tightest < machine->n_pipelines)
    wp_warnings_find_constants (report->warnings, kernel, resolved, bounds->tightest);
  return report;
}

void
wp_bounds_report_free (WpBoundsReport *report)
{
  if (report == NULL)
    return;
  wp_resident_clear (&report->resident);
  for (guint i = 0; i < report->n_units; i++)
    g_array_unref (report->units[i].rows);
  g_ptr_array_unref (report->warnings);
  g_ptr_array_unref (report->notes);
  g_free (report->units);
  g_free (report);
}

gdouble
wp_bounds_report_get_rate (const WpBoundsReport *report, gdouble amount, gdouble throughput)
{
  gdouble mhz = wp_cycles_to_double (report->gpu->clock_mhz);

  return amount == 0 ? 0 : amount * throughput * report->bounds->machine->n_sms * mhz / 1000;
}

guint32
wp_bounds_report_get_number (const WpBoundsReport *report, const WpPathItem *item)
{
  return wp_resolved_get_number (report->resolved, item->instr);
}

const IdgNode *
wp_bounds_report_get_node (const WpBoundsReport *report, const WpPathItem *item)
{
  return report->resolved->nodes[item->instr];
}

const gchar *
wp_bounds_report_get_program (const WpBoundsReport *report, const WpBoundsSegment *segment)
{
  const IdgKernelProgram *program = g_ptr_array_index (report->kernel->programs, segment->program);

  return program->name;
}
