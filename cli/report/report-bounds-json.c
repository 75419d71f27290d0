/* SPDX-License-Identifier: MIT */
/* The bounds for scripts (FORMATS.md): all rows, the whole path, exact times. */
#include "cli/report/report-bounds.h"

#include "cli/common/cli-json.h"
#include "cli/common/cli-launch.h"
#include "cli/report/report-warnings.h"

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
                   wp_tick_format (ticks, report->bounds->machine->ticks_per_cycle, text));
}

static void
write_rows (WpJson *json, const WpBoundsReport *report, const WpBoundsUnit *unit)
{
  gint64 ticks_per_cycle = report->bounds->machine->ticks_per_cycle;
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
  if (unit->shared > 1)
    wp_json_unsigned (json, "shared", unit->shared);
  wp_json_boolean (json, "tightest", unit == report->tightest);
  write_mean (json, "cycles", unit->use, report->bounds->machine->ticks_per_cycle);
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

/* null: there is none that is known. */
static void
write_floor (WpJson *json, const WpBoundsReport *report)
{
  const WpFloor *floor = &report->floor;

  if (report->no_floor != NULL)
    {
      wp_json_literal (json, "floor", "null");
      return;
    }
  wp_json_begin (json, "floor", '{');
  write_ticks (json, report, "cycles", floor->time);
  write_ticks (json, report, "blocks", floor->blocks);
  write_ticks (json, report, "work", floor->work);
  if (floor->pipeline != WP_NO_PIPELINE)
    wp_json_string (json, "pipeline", wp_floor_get_name (report->bounds->machine, floor));
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
  const WpMachine *machine = report->bounds->machine;
  const IdgNode *node = wp_bounds_report_get_node (report, item);

  wp_json_begin (json, NULL, '{');
  write_ticks (json, report, "time", time);
  wp_json_string (json, "edge", edges[item->edge]);
  write_ticks (json, report, "cycles", item->length);
  wp_json_unsigned (json, "segment", item->segment);
  wp_json_unsigned (json, "instruction", wp_bounds_report_get_number (report, item));
  wp_json_string (json, "op", machine->names[machine->instrs[item->instr].cost->name]);
  if (node->context != NULL)
    wp_json_string (json, "context", node->context);
  if (node->text != NULL)
    wp_json_string (json, "text", node->text);
  if (node->line > 0)
    wp_json_unsigned (json, "line", (guint64)node->line);
  wp_json_end (json, '}');
}

/* Writes items FROM .. TO - 1, from TIME on; returns the time of their end. */
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
  const WpMachine *machine = report->bounds->machine;
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
  write_floor (&json, report);
  write_worksheet (&json, report);
  write_segments (&json, report);
  write_path (&json, report);
  write_curve (&json, report);
  wp_json_warnings (&json, report->warnings, report->notes);
  wp_json_end (&json, '}');
}
