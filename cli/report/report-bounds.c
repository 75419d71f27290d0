/* SPDX-License-Identifier: MIT */
/* The rows of the worksheet are exact, as the bounds are: they add up to them. Ratios are floating
 * point.
 */
#include "cli/report/report-bounds.h"

/* Throughput is shown for so many warps at most, where the GPU has no limit of its own. */
#define MAX_WARPS 4096

/* ---- The worksheet ---- */

static WpBoundsRow
make_row (const gchar *name, const gchar *context, WpMean count, guint64 num, guint64 den)
{
  guint64 common = wp_gcd (num, den);
  WpMean each = { { 0, num / common }, den / common };

  return (WpBoundsRow){ name, context, count, each, wp_mean_multiply (count, num, den) };
}

/* A row for each op and context of each pipeline, in order of first appearance. */
static void
fill_pipelines (WpBoundsReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];
      const gchar *context = report->resolved->origins[i].node->context;
      const gchar *op = machine->names[instr->name];
      WpMean count = report->bounds->counts[i];
      gdouble times = wp_mean_to_double (count);
      g_autofree gchar *key = NULL;
      WpBoundsUnit *unit;
      WpBoundsRow row;
      gpointer place;

      if (instr->pipeline == WP_NO_PIPELINE || times == 0)
        continue;
      unit = &report->units[instr->pipeline];
      unit->instructions += times;
      unit->flops += times * (gdouble)instr->flops;
      unit->bytes += times * (gdouble)instr->bytes;
      row = make_row (op, context, count, (guint64)instr->issue, unit->instances);
      key = g_strdup_printf ("%s %s", op, context != NULL ? context : "");
      if (g_hash_table_lookup_extended (known, key, NULL, &place))
        {
          WpBoundsRow *sum = &g_array_index (unit->rows, WpBoundsRow, GPOINTER_TO_UINT (place));

          sum->count = wp_mean_add (sum->count, row.count);
          sum->use = wp_mean_add (sum->use, row.use);
          continue;
        }
      g_hash_table_insert (known, g_steal_pointer (&key), GUINT_TO_POINTER (unit->rows->len));
      g_array_append_val (unit->rows, row);
    }
}

static void
fill_schedulers (WpBoundsReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpBounds *bounds = report->bounds;
  WpBoundsUnit *unit = &report->units[machine->n_pipelines];
  guint64 limit = machine->issue_limit, interval = (guint64)machine->interval;
  guint64 slots = limit * machine->n_schedulers;
  /* A filled slot takes the place of all its issues, one of which is counted already; it has no
   * other place where slots are for one issue. */
  const WpBoundsRow rows[] = {
    make_row ("single issue", NULL, bounds->single_issues, interval, slots),
    make_row ("dual issue", NULL, bounds->dual_issues, interval, slots),
    make_row ("filled slot", NULL, bounds->filled, (limit - 1) * interval, slots),
    make_row ("reissue", NULL, bounds->reissues, interval, machine->n_schedulers),
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
  const WpMachine *machine = &report->resolved->machine;

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
  /* Only near the quotient is the product sure to fit, and the rounded quotient not good enough. */
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
  /* The quotient is rounded; what it stands for is not. */
  n = (guint64)report->needed;
  n -= MIN (n, 1);
  while (!wp_bounds_report_is_enough (report, n))
    n++;
  return n;
}

/* How long an SM takes for its WARPS. Where latency counts, that of the launch does not after the
 * last ones, whose place nobody takes. */
static gdouble
predict_cycles (const WpBoundsReport *report, gdouble warps)
{
  const WpMachine *machine = &report->resolved->machine;
  gdouble ticks_per_cycle = (gdouble)machine->ticks_per_cycle;
  gdouble use = warps * wp_mean_to_double (report->bounds->throughput);
  gdouble lives = warps / (gdouble)report->warps * wp_mean_to_double (report->bounds->latency);

  return MAX (use, lives - (gdouble)machine->launch_latency) / ticks_per_cycle;
}

/* As many as the GPU has room for, and what the launch has or would need. */
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
  report->estimates = wp_bounds_are_estimates (machine);
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
  g_free (report->units);
  g_free (report);
}

gdouble
wp_bounds_report_get_rate (const WpBoundsReport *report, gdouble amount, gdouble throughput)
{
  gdouble mhz = wp_cycles_to_double (report->gpu->clock_mhz);

  return amount == 0 ? 0 : amount * throughput * report->resolved->machine.n_sms * mhz / 1000;
}

guint32
wp_bounds_report_get_number (const WpBoundsReport *report, const WpPathItem *item)
{
  const WpBoundsSegment *segment = &report->bounds->segments[item->segment];

  return item->instr - report->resolved->machine.programs[segment->program].first_instr;
}

const IdgNode *
wp_bounds_report_get_node (const WpBoundsReport *report, const WpPathItem *item)
{
  return report->resolved->origins[item->instr].node;
}

const gchar *
wp_bounds_report_get_program (const WpBoundsReport *report, const WpBoundsSegment *segment)
{
  const IdgKernelProgram *program = g_ptr_array_index (report->kernel->programs, segment->program);

  return program->name;
}

/* ---- JSON ---- */

static void
write_mean (WpJson *json, const gchar *name, WpMean mean, gint64 ticks_per_cycle)
{
  gchar text[WP_TIME_CHARS];

  wp_json_literal (json, name, wp_mean_format (mean, ticks_per_cycle, text));
}

static void
write_ticks (WpJson *json, const WpBoundsReport *report, const gchar *name, WpTick ticks)
{
  gchar text[WP_TIME_CHARS];

  wp_json_literal (json, name,
                   wp_tick_format (ticks, report->resolved->machine.ticks_per_cycle, text));
}

static void
write_rows (WpJson *json, const WpBoundsReport *report, const WpBoundsUnit *unit)
{
  gint64 ticks_per_cycle = report->resolved->machine.ticks_per_cycle;
  gboolean schedulers = unit == &report->units[report->n_units - 1];

  wp_json_begin (json, "rows", '[');
  for (guint i = 0; i < unit->rows->len; i++)
    {
      const WpBoundsRow *row = &g_array_index (unit->rows, WpBoundsRow, i);

      wp_json_begin (json, NULL, '{');
      wp_json_string (json, schedulers ? "kind" : "op", row->name);
      if (row->context != NULL)
        wp_json_string (json, "context", row->context);
      write_mean (json, "count", row->count, 1);
      write_mean (json, "each", row->each, ticks_per_cycle);
      write_mean (json, "cycles", row->use, ticks_per_cycle);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_unit (WpJson *json, const WpBoundsReport *report, const WpBoundsUnit *unit)
{
  wp_json_unsigned (json, "instances", unit->instances);
  wp_json_boolean (json, "tightest", unit == report->tightest);
  write_mean (json, "cycles", unit->use, report->resolved->machine.ticks_per_cycle);
  write_rows (json, report, unit);
}

static void
write_worksheet (WpJson *json, const WpBoundsReport *report)
{
  wp_json_begin (json, "pipelines", '[');
  for (guint i = 0; i + 1 < report->n_units; i++)
    {
      const WpBoundsUnit *unit = &report->units[i];

      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "name", unit->name);
      write_unit (json, report, unit);
      wp_json_ratio (json, "gflops",
                     wp_bounds_report_get_rate (report, unit->flops, report->throughput));
      wp_json_ratio (json, "gbytes_per_s",
                     wp_bounds_report_get_rate (report, unit->bytes, report->throughput));
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
  wp_json_begin (json, "schedulers", '{');
  write_unit (json, report, &report->units[report->n_units - 1]);
  wp_json_end (json, '}');
}

static void
write_segments (WpJson *json, const WpBoundsReport *report)
{
  wp_json_begin (json, "segments", '[');
  for (guint32 i = 0; i < report->bounds->n_segments; i++)
    {
      const WpBoundsSegment *segment = &report->bounds->segments[i];
      const gchar *program = wp_bounds_report_get_program (report, segment);

      wp_json_begin (json, NULL, '{');
      if (program != NULL)
        wp_json_string (json, "program", program);
      wp_json_unsigned (json, "first_warp", segment->first_warp);
      wp_json_unsigned (json, "warps", segment->n_warps);
      wp_json_unsigned (json, "blocks", segment->blocks);
      wp_json_boolean (json, "with_block", segment->with_block);
      write_ticks (json, report, "latency", segment->latency);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_step (WpJson *json, const WpBoundsReport *report, const WpPathItem *item, WpTick time)
{
  static const gchar *const edges[WP_N_EDGES] = { "start", "dependency", "ilp", "pair", "barrier" };
  const WpMachine *machine = &report->resolved->machine;
  const IdgNode *node = wp_bounds_report_get_node (report, item);

  wp_json_begin (json, NULL, '{');
  write_ticks (json, report, "time", time);
  wp_json_string (json, "edge", edges[item->edge]);
  write_ticks (json, report, "cycles", item->length);
  wp_json_unsigned (json, "segment", item->segment);
  wp_json_unsigned (json, "instruction", wp_bounds_report_get_number (report, item));
  wp_json_string (json, "op", machine->names[machine->instrs[item->instr].name]);
  if (node->context != NULL)
    wp_json_string (json, "context", node->context);
  if (node->text != NULL)
    wp_json_string (json, "text", node->text);
  if (node->line > 0)
    wp_json_unsigned (json, "line", (guint64)node->line);
  wp_json_end (json, '}');
}

/* Items FROM .. TO - 1, from TIME on; returns when they end. */
static WpTick
write_items (WpJson *json, const WpBoundsReport *report, guint32 from, guint32 to, WpTick time)
{
  for (guint32 i = from; i < to; i++)
    {
      const WpPathItem *item = &report->bounds->path[i];

      if (item->n_items == 0)
        {
          time += item->length;
          write_step (json, report, item, time);
        }
      else
        {
          WpTick end;

          wp_json_begin (json, NULL, '{');
          wp_json_unsigned (json, "times", item->times);
          wp_json_begin (json, "steps", '[');
          end = write_items (json, report, i + 1, i + 1 + item->n_items, time);
          wp_json_end (json, ']');
          wp_json_end (json, '}');
          time += (end - time) * (WpTick)item->times;
          i += item->n_items;
        }
    }
  return time;
}

static void
write_path (WpJson *json, const WpBoundsReport *report)
{
  const WpBounds *bounds = report->bounds;

  wp_json_begin (json, "critical_path", '{');
  wp_json_unsigned (json, "segment", bounds->slowest);
  write_ticks (json, report, "begins", bounds->path_begins);
  wp_json_begin (json, "steps", '[');
  write_items (json, report, 0, bounds->n_path, bounds->path_begins);
  wp_json_end (json, ']');
  write_ticks (json, report, "completion", bounds->completion);
  wp_json_end (json, '}');
}

static void
write_curve (WpJson *json, const WpBoundsReport *report)
{
  wp_json_begin (json, "by_occupancy", '[');
  for (guint32 n = 1; n <= report->max_warps; n++)
    {
      wp_json_begin (json, NULL, '{');
      wp_json_unsigned (json, "warps", n);
      wp_json_ratio (json, "warp_throughput", wp_bounds_predict (report->bounds, n));
      wp_json_string (json, "bound",
                      wp_bounds_report_is_enough (report, n) ? "throughput" : "latency");
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

void
wp_bounds_report_write_json (const WpBoundsReport *report, FILE *out)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpBounds *bounds = report->bounds;
  WpJson json = { .out = out };

  wp_json_begin (&json, NULL, '{');
  wp_json_string (&json, "kernel", report->kernel->name);
  wp_json_string (&json, "gpu", report->gpu->name);
  wp_json_string (&json, "order", machine->dataflow ? "dataflow" : "program");
  wp_json_unsigned (&json, "sms", machine->simulated_sms);
  wp_json_launch (&json, report->resolved);
  wp_json_unsigned (&json, "ticks_per_cycle", (guint64)machine->ticks_per_cycle);
  wp_json_boolean (&json, "estimates", report->estimates);
  wp_json_string (&json, "regime", report->is_enough ? "throughput" : "latency");
  write_mean (&json, "latency_bound", bounds->latency, machine->ticks_per_cycle);
  write_ticks (&json, report, "launch_latency", machine->launch_latency);
  write_mean (&json, "throughput_bound", bounds->throughput, machine->ticks_per_cycle);
  wp_json_string (&json, "tightest", report->tightest->name);
  wp_json_ratio (&json, "needed_occupancy", report->needed);
  wp_json_unsigned (&json, "occupancy", (guint64)report->warps);
  wp_json_unsigned (&json, "resident_blocks", (guint64)report->resident.blocks);
  wp_json_unsigned (&json, "resident_warps", (guint64)report->resident.warps);
  wp_json_limiters (&json, &report->resident);
  wp_json_ratio (&json, "warp_throughput", report->throughput);
  wp_json_ratio (&json, "cycles", report->cycles);
  wp_json_ratio (&json, "time_us", report->time_us);
  write_worksheet (&json, report);
  write_segments (&json, report);
  write_path (&json, report);
  write_curve (&json, report);
  wp_json_end (&json, '}');
}
