/* SPDX-License-Identifier: MIT */
/* The calculator's report for scripts (FORMATS.md). What does not bind is null. */
#include "cli/common/cli-json.h"
#include "cli/occupancy/occupancy-print.h"

/* A limit or a count; null where it does not bind. */
static void
write_count (WpJson *json, const gchar *name, gint64 count, gint64 does_not_bind)
{
  if (count == does_not_bind)
    wp_json_literal (json, name, "null");
  else
    wp_json_unsigned (json, name, (guint64)count);
}

static void
write_ratio (WpJson *json, const WpOccupancyReport *report, const gchar *name, gint64 warps)
{
  if (report->max_warps == 0 || warps == WP_DOES_NOT_BIND)
    wp_json_literal (json, name, "null");
  else
    wp_json_ratio (json, name, wp_occupancy_report_get_ratio (report, warps));
}

static void
write_launch (WpJson *json, const gchar *name, const IdgLaunch *launch)
{
  wp_json_begin (json, name, '{');
  if (launch->blocks > 0)
    wp_json_unsigned (json, "blocks", (guint64)launch->blocks);
  wp_json_unsigned (json, "threads", (guint64)launch->threads);
  wp_json_unsigned (json, "registers", (guint64)launch->registers);
  wp_json_unsigned (json, "shared_memory", (guint64)launch->shared_memory);
  wp_json_end (json, '}');
}

static void
write_limits (WpJson *json, const WpGpu *gpu)
{
  const WpGpuLimits *limits = &gpu->limits;
  const struct
  {
    const gchar *name;
    gint64 value;
  } values[] = {
    { "warps", limits->warps },
    { "blocks", limits->blocks },
    { "threads", limits->threads },
    { "registers", limits->registers },
    { "shared_memory", limits->shared_memory },
    { "threads_per_block", limits->threads_per_block },
    { "registers_per_thread", limits->registers_per_thread },
    { "shared_memory_per_block", limits->shared_memory_per_block },
  };

  wp_json_begin (json, "limits", '{');
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    write_count (json, values[i].name, values[i].value, 0);
  wp_json_unsigned (json, "warp_size", (guint64)gpu->warp_size);
  wp_json_unsigned (json, "register_allocation", (guint64)limits->register_allocation);
  wp_json_string (json, "register_scope", limits->register_per_block ? "block" : "warp");
  wp_json_unsigned (json, "register_partitions", (guint64)limits->register_partitions);
  wp_json_unsigned (json, "shared_memory_allocation", (guint64)limits->shared_memory_allocation);
  wp_json_unsigned (json, "shared_memory_reserved", (guint64)limits->shared_memory_reserved);
  wp_json_end (json, '}');
}

/* Of each resource: what an SM has, what a block takes, what is left, and how many blocks it
 * allows. */
static void
write_resources (WpJson *json, const WpOccupancyReport *report)
{
  const WpOccupancy *occupancy = &report->occupancy;

  wp_json_begin (json, "resources", '[');
  for (guint limit = 0; limit < WP_N_LIMITS; limit++)
    {
      gint64 supply = wp_occupancy_get_supply (report->gpu, report->cap, limit);
      gint64 need = wp_occupancy_get_need (report->gpu, &report->launch, limit);
      gint64 left = supply == 0 ? 0 : supply - occupancy->blocks * need;

      if (limit == WP_LIMIT_OCCUPANCY && report->cap == 0)
        continue;
      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "name", wp_limit_get_name (limit));
      write_count (json, "per_sm", supply, 0);
      wp_json_unsigned (json, "per_block", (guint64)need);
      write_count (json, "left", supply == 0 ? -1 : left, -1);
      write_count (json, "blocks", occupancy->by[limit], WP_DOES_NOT_BIND);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_limiters (WpJson *json, const WpOccupancy *occupancy)
{
  wp_json_begin (json, "limiters", '[');
  for (guint limit = 0; limit < WP_N_LIMITS && occupancy->blocks != WP_DOES_NOT_BIND; limit++)
    if (occupancy->by[limit] == occupancy->blocks)
      wp_json_string (json, NULL, wp_limit_get_name (limit));
  wp_json_end (json, ']');
}

static void
write_tables (WpJson *json, const WpOccupancyReport *report)
{
  static const gchar *const names[WP_N_VARIED] = { "threads", "registers", "shared_memory" };

  wp_json_begin (json, "tables", '{');
  for (guint i = 0; i < WP_N_VARIED; i++)
    {
      const WpOccupancyTable *table = &report->tables[i];

      wp_json_begin (json, names[i], '[');
      for (guint row = 0; row < table->steps->len; row++)
        {
          const WpOccupancyStep *step = &g_array_index (table->steps, WpOccupancyStep, row);

          wp_json_begin (json, NULL, '{');
          wp_json_unsigned (json, "from", (guint64)step->from);
          wp_json_unsigned (json, "to", (guint64)step->to);
          write_count (json, "resident_blocks", step->blocks, WP_DOES_NOT_BIND);
          write_count (json, "resident_warps", step->warps, WP_DOES_NOT_BIND);
          write_ratio (json, report, "occupancy_ratio", step->warps);
          wp_json_boolean (json, "current", step->from <= table->value && table->value <= step->to);
          wp_json_end (json, '}');
        }
      wp_json_end (json, ']');
    }
  wp_json_end (json, '}');
}

static void
write_better (WpJson *json, const WpOccupancyReport *report, const gchar *name,
              const WpOccupancyBetter *better)
{
  if (!better->exists)
    {
      wp_json_literal (json, name, "null");
      return;
    }
  wp_json_begin (json, name, '{');
  write_launch (json, "launch", &better->launch);
  write_count (json, "resident_blocks", better->blocks, WP_DOES_NOT_BIND);
  write_count (json, "resident_warps", better->warps, WP_DOES_NOT_BIND);
  write_ratio (json, report, "occupancy_ratio", better->warps);
  wp_json_end (json, '}');
}

static void
write_advice (WpJson *json, const WpOccupancyReport *report)
{
  g_autofree gchar *text = wp_occupancy_report_get_advice (report);

  wp_json_begin (json, "advice", '{');
  wp_json_string (json, "text", text);
  write_better (json, report, "next_block", &report->next);
  write_better (json, report, "fewer_threads", &report->smaller);
  write_better (json, report, "more_threads", &report->larger);
  write_better (json, report, "room", &report->room);
  wp_json_end (json, '}');
}

void
wp_occupancy_report_print_json (const WpOccupancyReport *report)
{
  const WpOccupancy *occupancy = &report->occupancy;
  WpJson json = { .out = stdout };

  wp_json_begin (&json, NULL, '{');
  if (report->kernel != NULL)
    wp_json_string (&json, "kernel", report->kernel->name);
  if (report->capability != NULL)
    wp_json_string (&json, "compute_capability", report->capability->name);
  else
    wp_json_string (&json, "gpu", report->gpu->name);
  write_launch (&json, "launch", &report->launch);
  wp_json_unsigned (&json, "warps_per_block", (guint64)occupancy->warps_per_block);
  write_count (&json, "resident_blocks", occupancy->blocks, WP_DOES_NOT_BIND);
  write_count (&json, "resident_warps", report->warps, WP_DOES_NOT_BIND);
  write_count (&json, "max_warps", report->max_warps, 0);
  write_ratio (&json, report, "occupancy_ratio", report->warps);
  write_limiters (&json, occupancy);
  write_resources (&json, report);
  write_limits (&json, report->gpu);
  write_tables (&json, report);
  write_advice (&json, report);
  wp_json_begin (&json, "notes", '[');
  for (guint i = 0; i < report->notes->len; i++)
    wp_json_string (&json, NULL, g_ptr_array_index (report->notes, i));
  wp_json_end (&json, ']');
  wp_json_end (&json, '}');
}
