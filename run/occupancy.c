/* SPDX-License-Identifier: MIT */
/* More registers or more shared memory never let more blocks in, so that where a step of those
 * tables ends is found by bisection. More threads a block may: that table has a row for each number
 * of warps. */
#include "run/occupancy.h"

#include "cli/common/cli-json.h"

/* ---- Points ---- */

static gint64 *
get_varied (IdgLaunch *launch, WpVaried varied)
{
  switch (varied)
    {
    case WP_VARY_THREADS:
      return &launch->threads;
    case WP_VARY_REGISTERS:
      return &launch->registers;
    default:
      return &launch->shared_memory;
    }
}

/* The launch with another VALUE of what is VARIED. */
static IdgLaunch
vary (const WpOccupancyReport *report, WpVaried varied, gint64 value)
{
  IdgLaunch launch = report->launch;

  *get_varied (&launch, varied) = value;
  return launch;
}

/* Blocks that fit of LAUNCH, 0 where none does. */
static gint64
count_blocks (const WpOccupancyReport *report, const IdgLaunch *launch, gint64 cap)
{
  WpOccupancy occupancy;

  return wp_occupancy_compute (report->gpu, launch, cap, FALSE, &occupancy, NULL) ? occupancy.blocks
                                                                                  : 0;
}

static gint64
count_warps (const WpOccupancyReport *report, const IdgLaunch *launch, gint64 blocks)
{
  return blocks == WP_DOES_NOT_BIND
             ? blocks
             : blocks * wp_occupancy_get_need (report->gpu, launch, WP_LIMIT_WARPS);
}

static WpOccupancyBetter
make_better (const WpOccupancyReport *report, const IdgLaunch *launch)
{
  gint64 blocks = count_blocks (report, launch, report->cap);

  return (WpOccupancyBetter){ TRUE, *launch, blocks, count_warps (report, launch, blocks) };
}

/* ---- Tables ---- */

/* The most that a launch may have of what is VARIED. */
static gint64
get_most (const WpOccupancyReport *report, WpVaried varied)
{
  const WpGpuLimits *limits = &report->gpu->limits;
  const gint64 of_gpu[WP_N_VARIED] = { limits->threads_per_block, limits->registers_per_thread,
                                       limits->shared_memory_per_block };
  const gint64 of_launch[WP_N_VARIED]
      = { IDG_MAX_THREADS, IDG_MAX_REGISTERS, IDG_MAX_SHARED_MEMORY };

  return of_gpu[varied] != 0 ? MIN (of_gpu[varied], of_launch[varied]) : of_launch[varied];
}

/* The last value, from VALUE on, with which as many blocks fit. */
static gint64
find_end (const WpOccupancyReport *report, WpVaried varied, gint64 value)
{
  IdgLaunch launch = vary (report, varied, value);
  gint64 blocks = count_blocks (report, &launch, report->cap);
  gint64 good = value, bad = get_most (report, varied) + 1;

  while (bad - good > 1)
    {
      gint64 middle = good + (bad - good) / 2;

      launch = vary (report, varied, middle);
      if (count_blocks (report, &launch, report->cap) == blocks)
        good = middle;
      else
        bad = middle;
    }
  return good;
}

/* The step that begins with FROM. */
static WpOccupancyStep
make_step (const WpOccupancyReport *report, WpVaried varied, gint64 from)
{
  gint64 most = get_most (report, varied);
  gint64 warp_size = report->gpu->warp_size;
  IdgLaunch launch = vary (report, varied, from);
  WpOccupancyStep step = { .from = from, .to = most };

  step.blocks = count_blocks (report, &launch, report->cap);
  step.warps = count_warps (report, &launch, step.blocks);
  if (varied != WP_VARY_THREADS)
    step.to = find_end (report, varied, from);
  else if (step.blocks > 0 && step.blocks != WP_DOES_NOT_BIND)
    step.to = MIN (most, (from + warp_size - 1) / warp_size * warp_size);
  return step;
}

/* The step that the launch is on, of a table that was cut before it. From where it is: its
 * beginning is not known. */
static void
add_current (const WpOccupancyReport *report, WpVaried varied, WpOccupancyTable *table)
{
  WpOccupancyStep step = make_step (report, varied, table->value);

  g_array_append_val (table->steps, step);
}

static void
fill_table (WpOccupancyReport *report, WpVaried varied)
{
  WpOccupancyTable *table = &report->tables[varied];
  gint64 most = get_most (report, varied);
  gint64 from = varied == WP_VARY_SHARED_MEMORY ? 0 : 1;

  table->steps = g_array_new (FALSE, FALSE, sizeof (WpOccupancyStep));
  table->value = *get_varied (&report->launch, varied);
  while (from <= most && table->steps->len < WP_MAX_STEPS)
    {
      WpOccupancyStep step = make_step (report, varied, from);

      g_array_append_val (table->steps, step);
      from = step.to + 1;
    }
  table->cut = from <= most;
  if (table->cut && table->value >= from)
    add_current (report, varied, table);
}

/* ---- What would be better ---- */

/* The most of what is VARIED, and no more than the launch has, with which LIMIT allows BLOCKS; -1
 * where none does. */
static gint64
find_most_for (const WpOccupancyReport *report, WpVaried varied, WpLimit limit, gint64 blocks)
{
  gint64 good = varied == WP_VARY_REGISTERS ? 0 : -1;
  gint64 bad = report->tables[varied].value + 1;
  gint64 least = good;

  while (bad - good > 1)
    {
      gint64 middle = good + (bad - good) / 2;
      IdgLaunch launch = vary (report, varied, middle);
      WpOccupancy occupancy = { 0 };

      wp_occupancy_compute (report->gpu, &launch, report->cap, FALSE, &occupancy, NULL);
      if (occupancy.by[limit] >= blocks)
        good = middle;
      else
        bad = middle;
    }
  return good == least && report->tables[varied].value > least ? -1 : good;
}

/* One block more, by fewer registers, less shared memory, or both; not where another limit allows
 * no more. */
static void
find_next (WpOccupancyReport *report)
{
  const WpOccupancy *occupancy = &report->occupancy;
  gint64 target = occupancy->blocks + 1;
  IdgLaunch launch = report->launch;

  if (occupancy->blocks == WP_DOES_NOT_BIND)
    return;
  launch.registers = find_most_for (report, WP_VARY_REGISTERS, WP_LIMIT_REGISTERS, target);
  launch.shared_memory
      = find_most_for (report, WP_VARY_SHARED_MEMORY, WP_LIMIT_SHARED_MEMORY, target);
  if (launch.registers >= 0 && launch.shared_memory >= 0
      && count_blocks (report, &launch, report->cap) >= target)
    report->next = make_better (report, &launch);
}

/* The nearest number of warps a block, in steps of STEP, with more warps resident than now. */
static WpOccupancyBetter
find_threads (const WpOccupancyReport *report, gint64 step)
{
  gint64 warp_size = report->gpu->warp_size;
  gint64 most = get_most (report, WP_VARY_THREADS) / warp_size;

  for (gint64 warps = report->occupancy.warps_per_block + step; warps >= 1 && warps <= most;
       warps += step)
    {
      IdgLaunch launch = vary (report, WP_VARY_THREADS, warps * warp_size);
      WpOccupancyBetter better = make_better (report, &launch);

      if (better.warps > report->warps)
        return better;
      if (better.blocks == 0 && step > 0)
        break;
    }
  return (WpOccupancyBetter){ .exists = FALSE };
}

static void
find_room (WpOccupancyReport *report)
{
  IdgLaunch launch = report->launch;

  launch.registers = find_end (report, WP_VARY_REGISTERS, launch.registers);
  launch.shared_memory = find_end (report, WP_VARY_SHARED_MEMORY, launch.shared_memory);
  report->room = make_better (report, &launch);
}

/* ---- Notes ---- */

static void add_note (WpOccupancyReport *report, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_note (WpOccupancyReport *report, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (report->notes, g_strdup_vprintf (format, args));
  va_end (args);
}

static void
note_doubts (WpOccupancyReport *report)
{
  const WpCapability *capability = report->capability;

  for (guint i = 0; capability != NULL && i < capability->doubtful->len; i++)
    add_note (report,
              "The limit %s of compute capability %s was found in no primary source; trust what "
              "rests on it accordingly.",
              (const gchar *)g_ptr_array_index (capability->doubtful, i), capability->name);
}

/* cc 1.x: CUDA's calculator rounds the warps of a block up to an even number for the registers; the
 * model does not. */
static void
note_even_warps (WpOccupancyReport *report)
{
  const WpOccupancy *occupancy = &report->occupancy;
  IdgLaunch even = report->launch;
  gint64 per_block;

  if (!report->gpu->limits.register_per_block || report->gpu->limits.registers == 0
      || even.registers == 0 || occupancy->warps_per_block % 2 == 0)
    return;
  even.threads = (occupancy->warps_per_block + 1) * report->gpu->warp_size;
  per_block = wp_occupancy_get_need (report->gpu, &even, WP_LIMIT_REGISTERS);
  if (report->gpu->limits.registers / per_block < occupancy->blocks)
    add_note (report,
              "NVIDIA's calculator counts the registers of a block here for an even number of "
              "warps: %" G_GINT64_FORMAT " a block, of which %" G_GINT64_FORMAT
              " fit%s. The model has no such rounding (MODEL.md, section 3).",
              per_block, report->gpu->limits.registers / per_block,
              report->gpu->limits.registers / per_block == 1 ? "s" : "");
}

/* What is left would be enough for a block, were it not in parts. */
static void
note_partitions (WpOccupancyReport *report)
{
  const WpOccupancy *occupancy = &report->occupancy;
  const WpGpuLimits *limits = &report->gpu->limits;
  gint64 need = wp_occupancy_get_need (report->gpu, &report->launch, WP_LIMIT_REGISTERS);

  if (occupancy->by[WP_LIMIT_REGISTERS] == occupancy->blocks && occupancy->blocks > 0
      && occupancy->blocks != WP_DOES_NOT_BIND
      && limits->registers - occupancy->blocks * need >= need)
    add_note (report,
              "Enough registers for another block are left, but in %" G_GINT64_FORMAT
              " parts: all that a warp has must come from one, and %" G_GINT64_FORMAT
              " warps fit in each.",
              limits->register_partitions,
              limits->registers / limits->register_partitions
                  / (need / occupancy->warps_per_block));
}

static void
note_launch (WpOccupancyReport *report)
{
  const IdgLaunch *launch = &report->launch;
  gint64 sms = report->gpu->sms;
  gint64 each = launch->blocks / sms + (launch->blocks % sms != 0);

  if (launch->registers == 0 && report->gpu->limits.registers != 0)
    add_note (report, "How many registers a thread has is not known (0): they are left out.");
  if (launch->blocks > 0 && report->capability == NULL && each < report->occupancy.blocks)
    add_note (report,
              "The launch has %" G_GINT64_FORMAT " block%s for %" G_GINT64_FORMAT
              " SM%s, at most %" G_GINT64_FORMAT " for each: fewer than fit.",
              launch->blocks, launch->blocks == 1 ? "" : "s", sms, sms == 1 ? "" : "s", each);
}

/* ---- All of it ---- */

static gint64
get_max_warps (const WpGpu *gpu)
{
  gint64 by_threads = gpu->limits.threads / gpu->warp_size;

  if (gpu->limits.warps == 0 || gpu->limits.threads == 0)
    return MAX (gpu->limits.warps, by_threads);
  return MIN (gpu->limits.warps, by_threads);
}

WpOccupancyReport *
wp_occupancy_report_new (const IdgKernel *kernel, const WpGpu *gpu, const WpCapability *capability,
                         const IdgLaunch *launch, gint64 cap, GError **error)
{
  g_autoptr (WpOccupancyReport) report = g_new0 (WpOccupancyReport, 1);

  report->kernel = kernel;
  report->gpu = gpu;
  report->capability = capability;
  report->launch = *launch;
  report->cap = cap;
  report->notes = g_ptr_array_new_with_free_func (g_free);
  if (!wp_occupancy_compute (gpu, launch, cap, FALSE, &report->occupancy, error))
    return NULL;
  report->warps = count_warps (report, launch, report->occupancy.blocks);
  report->max_warps = get_max_warps (gpu);
  for (guint i = 0; i < WP_N_VARIED; i++)
    fill_table (report, i);
  find_next (report);
  find_room (report);
  report->smaller = find_threads (report, -1);
  report->larger = find_threads (report, 1);
  note_doubts (report);
  note_even_warps (report);
  note_partitions (report);
  note_launch (report);
  return g_steal_pointer (&report);
}

void
wp_occupancy_report_free (WpOccupancyReport *report)
{
  if (report == NULL)
    return;
  for (guint i = 0; i < WP_N_VARIED; i++)
    g_clear_pointer (&report->tables[i].steps, g_array_unref);
  g_ptr_array_unref (report->notes);
  g_free (report);
}

gdouble
wp_occupancy_report_get_ratio (const WpOccupancyReport *report, gint64 warps)
{
  return (gdouble)warps / (gdouble)report->max_warps;
}

/* ---- JSON ---- */

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
