/* SPDX-License-Identifier: MIT */
/* Looks come at fixed numbers of blocks, and use nothing but when these were handed out: so a run
 * gives the same estimate however it is cut into slices, and on however many cores.
 *
 *   first                next     from                                            end     grid
 *   |--- seen ----------|--------|................ left out ................|----|------|
 *
 * Where a look finds the mean known, blocks between `from`, some way ahead, and the end are left
 * out, whole generations, so that the last one is as full as it would have been.
 */
#include "run/simulate/estimate.h"

#include "idg/kernel/idg-program.h"
#include "run/base/progress.h"

#include <math.h>

/* Generations before the first look, and how many times as many before the next. Instructions
 * before it, where states may recur: a fraction of a second, in which most do. */
#define FIRST_LOOK 40
#define NEXT_LOOK 1.5
#define FIRST_WORK (1 << 22)
/* The part of what was seen that is simulated before blocks are left out. */
#define AHEAD 8
/* Less than this part of the grid is not worth leaving out. */
#define WORTH 0.25
/* Without random numbers, SMs that drift against one another may come to another pattern at any
 * time, and keep to it: no statistic knows of it before. Relative; of 66 such runs 4 were off by
 * more than what is stated with it (doc/performance.md). */
#define PATTERN 0.006
/* Times of blocks that are kept. */
#define ROOM 16384
/* Instructions within which a steady state should come. */
#define SEARCH (1 << 24)

/* ---- What runs the same programs ---- */

/* The longest stretch of blocks of one row. */
static void
find_stretch (WpEstimate *estimate, const WpMachine *machine)
{
  const WpBlockRange *ranges = machine->block_ranges;

  for (guint32 i = 0, begin = 0; i < machine->n_block_ranges; i++)
    {
      guint64 end = i + 1 < machine->n_block_ranges ? ranges[i + 1].first_block : machine->n_blocks;
      guint64 first;

      if (ranges[i].row != ranges[begin].row)
        begin = i;
      first = MIN (ranges[begin].first_block, machine->n_blocks);
      end = MIN (end, machine->n_blocks);
      if (end > first && end - first > estimate->end - estimate->first)
        {
          estimate->first = first;
          estimate->end = end;
        }
    }
}

/* When to look first: so many blocks have been handed out. */
static guint64
find_first_look (const WpEstimate *estimate)
{
  guint64 n = FIRST_LOOK * estimate->generation;

  if (estimate->recurs && (gdouble)n * estimate->per_block < FIRST_WORK)
    n = (guint64)(FIRST_WORK / fmax (estimate->per_block, 1));
  return estimate->first + n;
}

gboolean
wp_estimate_begin (WpEstimate *estimate, const WpSimulation *simulation, GError **error)
{
  const WpMachine *machine = &simulation->resolved->machine;

  estimate->generation = (guint64)machine->resident_blocks * machine->simulated_sms;
  estimate->per_block
      = wp_machine_count_instructions (machine) / (gdouble)MAX (machine->n_blocks, 1);
  estimate->recurs = !wp_machine_is_random (machine);
  find_stretch (estimate, machine);
  estimate->next = find_first_look (estimate);
  if (wp_device_keep_starts (simulation->device, ROOM))
    return TRUE;
  g_set_error_literal (error, WP_ERROR, WP_ERROR_MEMORY, "out of memory");
  return FALSE;
}

/* ---- Looking ---- */

/* The blocks to leave out after a look at `next`: from *FROM on, so many; 0: not worth it. */
static guint64
plan (const WpEstimate *estimate, guint64 *from)
{
  guint64 generation = estimate->generation;
  guint64 ahead = MAX ((estimate->next - estimate->first) / AHEAD, generation);

  *from = estimate->next + ahead;
  if (*from >= estimate->end || estimate->end - *from < 2 * generation)
    return 0;
  return (estimate->end - *from - generation) / generation * generation;
}

/* When BLOCK was handed out, between those of which it is known. */
static gdouble
find_start (const WpTick *starts, guint64 every, guint32 n, guint64 block)
{
  guint64 i = MIN (block / every, n - 1);
  gdouble part = (gdouble)(block % every) / (gdouble)every;

  if (part == 0 || i + 1 >= n)
    return (gdouble)starts[i];
  return (gdouble)starts[i] + part * (gdouble)(starts[i + 1] - starts[i]);
}

/* The mean time of a generation, of those up to `next`; the time up to there into *SEEN. */
static void
find_mean (WpEstimate *estimate, const WpDevice *device, gdouble *seen)
{
  guint64 last = estimate->next - 1, every;
  guint n = (guint)((last - estimate->first) / estimate->generation);
  g_autofree gdouble *times = g_new (gdouble, n + 1);
  guint32 n_starts;
  const WpTick *starts = wp_device_get_starts (device, &every, &n_starts);
  gdouble before;

  before = find_start (starts, every, n_starts, last - n * estimate->generation);
  for (guint i = 0; i < n; i++)
    {
      *seen = find_start (starts, every, n_starts, last - (n - 1 - i) * estimate->generation);
      times[i] = *seen - before;
      before = *seen;
    }
  wp_estimate_mean (times, n, &estimate->mean);
}

/* Whether the mean is known well enough to leave out LEFT_OUT blocks. */
static gboolean
is_enough (WpEstimate *estimate, const WpMachine *machine, const WpDevice *device, guint64 left_out)
{
  gdouble n = (gdouble)left_out / (gdouble)estimate->generation, seen = 0, whole;

  find_mean (estimate, device, &seen);
  if (!estimate->mean.known)
    return FALSE;
  whole = seen
          + estimate->mean.mean * (gdouble)(machine->n_blocks - estimate->next)
                / (gdouble)estimate->generation;
  estimate->half = wp_estimate_mean_get_half (&estimate->mean, n);
  if (estimate->recurs)
    estimate->half += PATTERN * n * estimate->mean.mean;
  estimate->tail = estimate->mean.farthest;
  estimate->error = whole > 0 ? (estimate->half + estimate->tail) / whole : 0;
  return estimate->error <= estimate->bound;
}

static void
look (WpEstimate *estimate, const WpSimulation *simulation)
{
  const WpMachine *machine = &simulation->resolved->machine;
  guint64 from, left_out = plan (estimate, &from);

  if ((gdouble)left_out < WORTH * (gdouble)machine->n_blocks)
    {
      estimate->over = TRUE;
      return;
    }
  if (is_enough (estimate, machine, simulation->device, left_out)
      && wp_device_leave_out (simulation->device, from, left_out))
    estimate->over = TRUE;
  else
    {
      guint64 seen = estimate->next - estimate->first;

      estimate->goes_side_by_side = (gdouble)seen * estimate->per_block >= SEARCH;
      estimate->next = estimate->first + (guint64)(NEXT_LOOK * (gdouble)seen);
    }
}

void
wp_estimate_look (WpEstimate *estimate, const WpSimulation *simulation)
{
  while (!estimate->over && !wp_device_has_skipped_blocks (simulation->device)
         && wp_device_get_blocks_started (simulation->device) >= estimate->next)
    look (estimate, simulation);
}

/* The part of the SMs that is simulated now: the others do the same, and cost nothing. */
static gdouble
find_simulated (const WpSimulation *simulation)
{
  const WpMachine *machine = &simulation->resolved->machine;
  guint group = wp_machine_get_group (machine);
  guint n = (machine->simulated_sms + group - 1) / group;

  return (gdouble)wp_device_get_n_groups (simulation->device) / (gdouble)n;
}

guint64
wp_estimate_get_slice (const WpEstimate *estimate, const WpSimulation *simulation)
{
  guint64 started = wp_device_get_blocks_started (simulation->device), ahead;

  if (estimate->over)
    return G_MAXUINT64;
  ahead = MAX ((estimate->next - estimate->first) / AHEAD, estimate->generation);
  ahead = started < estimate->next ? estimate->next - started + ahead / 4 : ahead / 4;
  return (guint64)((gdouble)ahead * estimate->per_block * find_simulated (simulation)) + 1;
}

void
wp_estimate_end (WpEstimate *estimate, const WpSimulation *simulation)
{
  const WpMachine *machine = &simulation->resolved->machine;

  estimate->left_out = wp_device_get_left_out (simulation->device);
  if (estimate->left_out > 0)
    {
      estimate->kind = WP_ESTIMATE_MADE;
      return;
    }
  estimate->half = estimate->tail = estimate->error = 0;
  if (wp_device_has_skipped_blocks (simulation->device))
    estimate->kind = WP_ESTIMATE_PERIOD;
  else
    {
      gdouble stretch = (gdouble)(estimate->end - estimate->first);

      estimate->kind = WP_ESTIMATE_WHOLE;
      estimate->why = (gdouble)find_first_look (estimate) > (1 - WORTH) * (gdouble)machine->n_blocks
                          ? "the grid is small"
                      : stretch < WORTH * (gdouble)machine->n_blocks
                          ? "its blocks run different programs"
                          : "the mean time of its blocks did not become known within the bound";
    }
}

/* ---- Extrapolating ---- */

static WpSum
scale (WpSum sum, gdouble factor)
{
  gdouble value = rint (wp_sum_to_double (sum) * factor), high = floor (value / 0x1p64);

  return (WpSum){ (guint64)high, (guint64)(value - high * 0x1p64) };
}

/* N executions of instruction I more: of a mix, each for its part. */
static void
add_count (WpResult *result, const WpMachine *machine, guint32 i, guint64 n)
{
  const WpInstr *first = &machine->instrs[i];
  guint64 left = n;

  if (first->cost->mix == 0)
    result->counts[i] += n;
  for (guint32 k = 0; k < first->cost->mix; k++)
    {
      guint64 part = (guint64)rint ((gdouble)n * wp_instr_get_share (&first[k]));

      part = k + 1 == first->cost->mix ? left : MIN (part, left);
      result->counts[i + k] += part;
      left -= part;
    }
}

/* What N warps more execute of PROGRAM. */
static void
add_program (WpResult *result, const WpMachine *machine, const WpProgram *program, guint64 n)
{
  guint64 times[IDG_MAX_DEPTH + 1] = { n };
  guint depth = 0;

  for (guint32 i = 0; i < program->n_code; i++)
    {
      const WpCode *code = &machine->code[program->first_code + i];

      if (code->kind == WP_CODE_REPEAT)
        {
          times[depth + 1] = times[depth] * code->count;
          depth++;
        }
      else if (code->kind == WP_CODE_END)
        depth--;
      else
        add_count (result, machine, code->arg, times[depth]);
    }
}

static void
add_blocks (WpResult *result, const WpMachine *machine, const WpRow *row, guint64 n)
{
  for (guint32 k = 0; k < row->n_segments; k++)
    {
      const WpSegment *segment = &machine->segments[row->first_segment + k];
      guint32 last = k + 1 < row->n_segments ? segment[1].first_warp : machine->warps_per_block;

      add_program (result, machine, &machine->programs[segment->program],
                   n * (last - segment->first_warp));
      result->issued
          += n * (last - segment->first_warp) * machine->programs[segment->program].n_dynamic;
    }
  result->blocks += n;
  result->warps += n * machine->warps_per_block;
}

/* What goes with the time, of which there is FACTOR times as much. */
static void
scale_times (WpResult *result, const WpMachine *machine, gdouble factor)
{
  result->lifetimes = (WpSum){ 0, 0 };
  for (guint i = 0; i < WP_N_STALLS; i++)
    {
      result->stalls[i] = scale (result->stalls[i], factor);
      wp_sum_add_sum (&result->lifetimes, result->stalls[i]);
    }
  result->occupied = result->lifetimes;
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    result->waits[i] = scale (result->waits[i], factor);
  for (gsize i = 0; result->waited != NULL && i < wp_result_count_waited (machine); i++)
    result->waited[i] = scale (result->waited[i], factor);
}

/* What goes with the instructions. */
static void
scale_work (WpResult *result, const WpMachine *machine, gdouble factor)
{
  result->issues = (guint64)rint ((gdouble)result->issues * factor);
  result->slot_time = scale (result->slot_time, factor);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    {
      result->busy[i] = scale (result->busy[i], factor);
      result->turned[i] = scale (result->turned[i], factor);
    }
}

WpResult *
wp_estimate_extrapolate (const WpEstimate *estimate, const WpMachine *machine, const WpResult *part)
{
  WpResult *result = wp_result_new (machine);
  gdouble more = estimate->mean.mean / (gdouble)estimate->generation * (gdouble)estimate->left_out;

  if (result == NULL)
    g_error ("out of memory");
  wp_result_add (result, part, 1, machine);
  result->complete = part->complete;
  if (estimate->left_out == 0)
    return result;
  add_blocks (result, machine, wp_machine_get_row (machine, estimate->first), estimate->left_out);
  result->elapsed += (WpTick)rint (more);
  result->drained += (WpTick)rint (more);
  scale_times (result, machine,
               part->elapsed > 0 ? (gdouble)result->elapsed / (gdouble)part->elapsed : 1);
  scale_work (result, machine,
              part->issued > 0 ? (gdouble)result->issued / (gdouble)part->issued : 1);
  return result;
}
