/* SPDX-License-Identifier: MIT */
/* With more registers or shared memory a block never fits more often, so that bisection finds where
 * a step of those tables ends. With more threads it may: that table has a row for each number of
 * warps. */
#include "run/occupancy.h"

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

/* How many blocks of LAUNCH fit; 0 where none does. */
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

/* Adds the step with the launch's own value to a table that was cut before it. The step begins with
 * that value, as its true beginning is not known. */
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

/* Finds how one more block fits, by fewer registers, less shared memory or both, unless another
 * limit forbids it. */
static void
find_next (WpOccupancyReport *report)
{
  const WpOccupancy *occupancy = &report->occupancy;
  IdgLaunch launch = report->launch;
  gint64 target;

  if (occupancy->blocks == WP_DOES_NOT_BIND)
    return;
  target = occupancy->blocks + 1;
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

/* The registers that are left would be enough for a block, if they were in one part. */
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

/* ---- The report ---- */

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
