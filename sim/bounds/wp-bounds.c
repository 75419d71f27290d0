/* SPDX-License-Identifier: MIT */
/* The runs, and what they add up to. A kind of block (a row of the machine) is run once however
 * many blocks there are, with one warp of each of its programs, as all warps of a program do the
 * same; a program that meets no other is run once for all kinds of block.
 */
#include "sim/bounds/wp-bounds.h"

#include "sim/bounds/wp-bounds-means.h"
#include "sim/bounds/wp-bounds-recorder.h"
#include "sim/engine/wp-device-private.h"

#include <math.h>
#include <stdlib.h>

/* Sums beyond this cannot be written (wp_mean_format()). */
#define MAX_SUM 0x1p107

typedef struct
{
  WpBounds bounds;           /* first: what the caller sees */
  WpBoundsTrail trail, best; /* of the present run; of the one that has the slowest warp so far */
  uint32_t n_done;           /* segments */
  WpDevice *device;          /* of the present run; NULL: none has begun */
  WpBoundsMeans means;       /* where there are mixes; else all 0 */
  WpUnlimited unlimited;
  WpBoundsRecorder recorder;
  WpWarpRecord *records; /* [n_segments] */
  uint32_t *known;       /* [n_programs]: a segment that has run it alone, + 1 */
  WpStuck stuck;
  WpBoundsStatus status; /* other than MORE: for good */
  double n_issued, n_total;
} Work;

/* ---- Kinds of blocks ---- */

static bool
has_barrier (const WpMachine *machine, uint32_t program)
{
  const WpProgram *p = &machine->programs[program];

  for (uint32_t i = 0; i < p->n_instrs; i++)
    if (machine->instrs[p->first_instr + i].cost->pipeline == WP_NO_PIPELINE)
      return true;
  return false;
}

/* How many blocks of the run are of each row, into BLOCKS[n_rows]. */
static void
count_blocks (const WpMachine *machine, uint64_t *blocks)
{
  for (uint32_t i = 0; i < machine->n_block_ranges; i++)
    {
      uint64_t first = machine->block_ranges[i].first_block;
      uint64_t end = i + 1 < machine->n_block_ranges ? machine->block_ranges[i + 1].first_block
                                                     : machine->n_blocks;

      end = end < machine->n_blocks ? end : machine->n_blocks;
      if (first < end)
        blocks[machine->block_ranges[i].row] += end - first;
    }
}

/* Whether a number of warps releases a barrier that blocks of ROW come to. */
static bool
meets_by_number (const WpMachine *machine, const WpRow *row)
{
  for (uint32_t s = 0; s < row->n_segments; s++)
    {
      const WpProgram *p = &machine->programs[machine->segments[row->first_segment + s].program];

      for (uint32_t i = 0; i < p->n_instrs; i++)
        if (wp_instr_meets_by_number (machine, &machine->instrs[p->first_instr + i]))
          return true;
    }
  return false;
}

/* One more than the last warp of ROW's segment I. */
static uint32_t
find_end (const WpMachine *machine, const WpRow *row, uint32_t i)
{
  uint32_t end = i + 1 < row->n_segments ? machine->segments[row->first_segment + i + 1].first_warp
                                         : machine->warps_per_block;

  return end < machine->warps_per_block ? end : machine->warps_per_block;
}

static void
add_row (WpBounds *bounds, uint32_t r, uint64_t blocks)
{
  const WpMachine *machine = bounds->machine;
  const WpRow *row = &machine->rows[r];
  const WpSegment *from = machine->segments + row->first_segment;
  bool with_block = false, by_number;

  for (uint32_t i = 0; i < row->n_segments; i++)
    with_block |= has_barrier (machine, from[i].program);
  by_number = meets_by_number (machine, row);
  for (uint32_t i = 0; i < row->n_segments; i++)
    {
      uint32_t end = find_end (machine, row, i), step = by_number ? 1 : end - from[i].first_warp;

      for (uint32_t w = from[i].first_warp; w < end; w += step)
        bounds->segments[bounds->n_segments++] = (WpBoundsSegment){ .row = r,
                                                                    .first_warp = w,
                                                                    .n_warps = step,
                                                                    .program = from[i].program,
                                                                    .with_block = with_block,
                                                                    .blocks = blocks };
    }
}

/* The most segments that there may be, + 1. */
static size_t
count_segments (const WpMachine *machine)
{
  size_t n = (size_t)machine->n_segments + 1;

  for (uint32_t r = 0; r < machine->n_rows; r++)
    if (meets_by_number (machine, &machine->rows[r]))
      n += machine->warps_per_block;
  return n;
}

static bool
find_segments (WpBounds *bounds)
{
  const WpMachine *machine = bounds->machine;
  uint64_t *blocks = calloc ((size_t)machine->n_rows + 1, sizeof *blocks);

  bounds->segments = calloc (count_segments (machine), sizeof *bounds->segments);
  if (blocks == NULL || bounds->segments == NULL)
    {
      free (blocks);
      return false;
    }
  count_blocks (machine, blocks);
  for (uint32_t r = 0; r < machine->n_rows; r++)
    if (blocks[r] > 0)
      add_row (bounds, r, blocks[r]);
  free (blocks);
  return true;
}

/* ---- Running ---- */

static void
end_run (Work *work)
{
  wp_device_free (work->device);
  wp_bounds_recorder_clear (&work->recorder);
  wp_unlimited_clear (&work->unlimited);
  work->device = NULL;
}

WpBounds *
wp_bounds_new (const WpMachine *machine)
{
  Work *work = calloc (1, sizeof *work);
  WpBounds *bounds;

  if (work == NULL)
    return NULL;
  bounds = &work->bounds;
  if (wp_machine_has_mixes (machine))
    {
      if (!wp_bounds_means_init (&work->means, machine))
        {
          wp_bounds_free (bounds);
          return NULL;
        }
      machine = &work->means.machine;
      work->status = work->means.overflow ? WP_BOUNDS_OVERFLOW : WP_BOUNDS_MORE;
    }
  bounds->machine = machine;
  bounds->counts = calloc ((size_t)machine->n_instrs + 1, sizeof *bounds->counts);
  bounds->firsts = calloc ((size_t)machine->n_instrs + 1, sizeof *bounds->firsts);
  bounds->pipelines = calloc ((size_t)machine->n_pipelines + 1, sizeof *bounds->pipelines);
  work->known = calloc ((size_t)machine->n_programs + 1, sizeof *work->known);
  if (bounds->counts == NULL || bounds->firsts == NULL || bounds->pipelines == NULL
      || work->known == NULL || !find_segments (bounds))
    {
      wp_bounds_free (bounds);
      return NULL;
    }
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    bounds->firsts[i].time = -1;
  work->records = calloc ((size_t)bounds->n_segments + 1, sizeof *work->records);
  if (work->records == NULL)
    {
      wp_bounds_free (bounds);
      return NULL;
    }
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    work->n_total += (double)machine->programs[bounds->segments[i].program].n_dynamic;
  return bounds;
}

void
wp_bounds_free (WpBounds *bounds)
{
  Work *work;

  if (bounds == NULL)
    return;
  work = (Work *)bounds;
  end_run (work);
  wp_bounds_trail_clear (&work->trail);
  wp_bounds_trail_clear (&work->best);
  wp_bounds_means_clear (&work->means);
  free (work->records);
  free (work->known);
  free (bounds->segments);
  free (bounds->counts);
  free (bounds->firsts);
  free (bounds->pipelines);
  free (bounds->path);
  free (bounds->intervals);
  free (work);
}

/* How many segments from the next one on run together: a block's, where they meet at barriers. */
static uint32_t
count_together (const WpBounds *bounds, uint32_t first)
{
  uint32_t n = 1;

  while (bounds->segments[first].with_block && first + n < bounds->n_segments
         && bounds->segments[first + n].row == bounds->segments[first].row)
    n++;
  return n;
}

static bool
begin_run (WpBounds *bounds, Work *work)
{
  uint32_t n = count_together (bounds, work->n_done);
  const WpObserver *observer = &work->recorder.observer;
  const char *problem;

  wp_bounds_trail_reset (&work->trail);
  if (wp_unlimited_init (&work->unlimited, bounds->machine, n, bounds->segments + work->n_done)
      && wp_bounds_recorder_init (&work->recorder, &work->unlimited, n, work->n_done, &work->trail,
                                  bounds->firsts, work->means.slots))
    work->device = wp_device_new_eager (&work->unlimited.machine, wp_policy_find ("rr"), &observer,
                                        1, &problem);
  return work->device != NULL;
}

static WpTick
get_latency (const WpWarpRecord *record)
{
  return record->end.time < 0 ? 0 : record->end.time;
}

/* The present run, of N segments, is over; its trail stays where it has the slowest warp. */
static void
finish_run (WpBounds *bounds, Work *work, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t s = work->n_done + i;
      WpBoundsSegment *segment = &bounds->segments[s];

      segment->latency = get_latency (&work->records[s]);
      if (s > 0 && segment->latency <= bounds->segments[bounds->slowest].latency)
        continue;
      bounds->slowest = s;
    }
  if (bounds->slowest >= work->n_done)
    {
      WpBoundsTrail best = work->best;

      work->best = work->trail;
      work->trail = best;
    }
  for (uint32_t i = 0; i < n; i++)
    work->n_issued += (double)work->records[work->n_done + i].counts.n_issued;
  work->n_done += n;
  end_run (work);
}

/* ---- All of it ---- */

/* Whoever waits, as what they are in the run. */
static void
note_stuck (const WpBounds *bounds, Work *work)
{
  const WpMachine *machine = bounds->machine;
  const WpBoundsSegment *segment;
  WpStuck *stuck = &work->stuck;

  wp_device_get_stuck (work->device, stuck);
  segment = &bounds->segments[work->n_done + stuck->warp];
  stuck->warp = segment->first_warp;
  stuck->instr
      = stuck->instr == WP_NO_INSTR ? stuck->instr : work->unlimited.written_at[stuck->instr];
  for (uint32_t i = machine->n_block_ranges; i-- > 0;)
    if (machine->block_ranges[i].row == segment->row)
      stuck->block = machine->block_ranges[i].first_block;
}

/* Goes on with the present run, or begins it. */
static WpBoundsStatus
run_on (WpBounds *bounds, Work *work, uint64_t *budget)
{
  WpRunStatus status;
  uint64_t n;

  if (work->device == NULL && !begin_run (bounds, work))
    return WP_BOUNDS_NO_MEMORY;
  n = wp_bounds_trail_count (&work->trail);
  status = wp_device_run (work->device, *budget);
  n = wp_bounds_trail_count (&work->trail) - n;
  *budget -= n < *budget && status != WP_RUN_MORE ? n : *budget;
  if (work->recorder.no_memory)
    return WP_BOUNDS_NO_MEMORY;
  if (status == WP_RUN_OVERFLOW)
    return WP_BOUNDS_OVERFLOW;
  if (status == WP_RUN_STUCK)
    {
      note_stuck (bounds, work);
      return WP_BOUNDS_STUCK;
    }
  if (status == WP_RUN_MORE)
    return WP_BOUNDS_MORE;
  for (uint32_t i = 0; i < work->recorder.n; i++)
    work->records[work->n_done + i] = work->recorder.warps[i].record;
  if (work->recorder.n == 1)
    work->known[bounds->segments[work->n_done].program] = work->n_done + 1;
  finish_run (bounds, work, work->recorder.n);
  return WP_BOUNDS_MORE;
}

/* The next segment, if its program has been run alone already. */
static bool
take_known (WpBounds *bounds, Work *work)
{
  uint32_t known = work->known[bounds->segments[work->n_done].program];

  if (known == 0 || work->device != NULL || count_together (bounds, work->n_done) > 1)
    return false;
  work->records[work->n_done] = work->records[known - 1];
  wp_bounds_trail_reset (&work->trail);
  finish_run (bounds, work, 1);
  return true;
}

/* ---- What they add up to ---- */

/* How much each segment counts in a mean over warps: its warps, times the blocks of its kind, these
 * in the smallest whole numbers. Returns the sum, or 0 if it is too large. */
static uint64_t
find_weights (const WpBounds *bounds, uint64_t *weights)
{
  uint64_t gcd = 0;
  double total = 0;
  uint64_t sum = 0;

  for (uint32_t i = 0; i < bounds->n_segments; i++)
    gcd = wp_gcd (gcd, bounds->segments[i].blocks);
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    {
      weights[i] = bounds->segments[i].blocks / gcd * bounds->segments[i].n_warps;
      total += (double)(bounds->segments[i].blocks / gcd) * bounds->segments[i].n_warps;
      sum += weights[i];
    }
  return total < 0x1p62 ? sum : 0;
}

/* How often each instruction of PROGRAM is issued by a warp. */
static void
add_counts (WpBounds *bounds, uint32_t program, uint64_t weight)
{
  const WpProgram *p = &bounds->machine->programs[program];
  const WpCode *code = bounds->machine->code + p->first_code;
  uint64_t times[WP_MAX_DEPTH + 1];
  uint32_t depth = 0;

  times[0] = 1;
  for (uint32_t pc = 0; pc < p->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      wp_sum_add_product (&bounds->counts[code[pc].arg].num, times[depth], weight);
    else if (code[pc].kind == WP_CODE_REPEAT)
      {
        times[depth + 1] = times[depth] * code[pc].count;
        depth++;
      }
    else
      depth--;
}

/* SUM += A x B; false if it would be too large to be written. */
static bool
add_times (WpSum *sum, WpSum a, uint64_t b)
{
  if (wp_sum_to_double (*sum) + wp_sum_to_double (a) * (double)b >= MAX_SUM)
    return false;
  wp_sum_add_times (sum, a, b);
  return true;
}

/* MODEL.md, section 12: the bound of a pipeline that k SMs share is k x the time that its
 * description gives; ISSUE is k / m of that for the m of them that are simulated. */
static uint64_t
find_use (const WpMachine *machine, uint32_t pipeline, WpTick issue)
{
  uint64_t m = wp_machine_count_sharers (machine, pipeline, 0);

  return (uint64_t)issue > UINT64_MAX / m ? UINT64_MAX : (uint64_t)issue * m;
}

static bool
add_pipelines (WpBounds *bounds, uint64_t total)
{
  const WpMachine *machine = bounds->machine;

  for (uint32_t p = 0; p < machine->n_pipelines; p++)
    bounds->pipelines[p].den
        = total * (machine->pipelines[p].per_scheduler ? machine->n_schedulers : 1);
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];

      bounds->counts[i].den = total;
      if (instr->cost->pipeline != WP_NO_PIPELINE
          && !add_times (&bounds->pipelines[instr->cost->pipeline].num, bounds->counts[i].num,
                         find_use (machine, instr->cost->pipeline, instr->cost->issue)))
        return false;
      for (uint32_t k = 0; k < instr->cost->n_passes; k++)
        {
          const WpPass *pass = &machine->passes[instr->cost->first_pass + k];

          if (!add_times (&bounds->pipelines[pass->pipeline].num, bounds->counts[i].num,
                          find_use (machine, pass->pipeline, pass->issue)))
            return false;
        }
    }
  return true;
}

static WpSum
as_sum (uint64_t value)
{
  return (WpSum){ 0, value };
}

/* Slots in units of interval / issue limit / schedulers: one for each issue, `issue limit` for each
 * that fills its slot and for each reissue. Where there are means, reissues are of any length. */
static bool
add_schedulers (WpBounds *bounds, const uint64_t *weights, uint64_t total)
{
  const WpMachine *machine = bounds->machine;
  const Work *work = (const Work *)bounds;
  uint64_t limit = machine->issue_limit, interval = (uint64_t)machine->interval;
  bool means = work->means.slots != NULL;
  WpSum units = { 0, 0 };

  bounds->single_issues.den = bounds->dual_issues.den = total;
  bounds->filled.den = bounds->reissues.den = total;
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    {
      const WpIssueCounts *counts = &work->records[i].counts;

      if (!add_times (&bounds->single_issues.num, as_sum (counts->singles), weights[i])
          || !add_times (&bounds->dual_issues.num, as_sum (counts->groups), weights[i])
          || !add_times (&bounds->filled.num, as_sum (counts->filled), weights[i])
          || !add_times (&bounds->reissues.num, counts->reissues, weights[i]))
        return false;
    }
  bounds->scheduler.den = total * machine->n_schedulers * limit;
  bounds->reissue_time.den = total;
  if (means && interval > 0)
    bounds->reissues.den *= interval; /* they are in ticks */
  return add_times (&bounds->reissue_time.num, bounds->reissues.num, means ? 1 : interval)
         && add_times (&units, bounds->single_issues.num, 1)
         && add_times (&units, bounds->dual_issues.num, 1)
         && add_times (&units, bounds->filled.num, limit - 1)
         && add_times (&bounds->scheduler.num, units, interval)
         && add_times (&bounds->scheduler.num, bounds->reissue_time.num, limit);
}

/* The segments from FIRST on that are of one row; the latency of the slowest. */
static uint32_t
find_slowest (const WpBounds *bounds, uint32_t first, WpTick *slowest)
{
  uint32_t n = 0;

  *slowest = 0;
  for (uint32_t i = first;
       i < bounds->n_segments && bounds->segments[i].row == bounds->segments[first].row; i++, n++)
    if (bounds->segments[i].latency > *slowest)
      *slowest = bounds->segments[i].latency;
  return n;
}

static bool
add_latency (WpBounds *bounds, const uint64_t *weights, uint64_t total)
{
  uint32_t n;

  bounds->latency.den = total;
  for (uint32_t first = 0; first < bounds->n_segments; first += n)
    {
      WpTick slowest;

      n = find_slowest (bounds, first, &slowest);
      for (uint32_t i = first; i < first + n; i++)
        {
          const WpBoundsSegment *segment = &bounds->segments[i];
          WpTick own = segment->with_block ? slowest : segment->latency;
          uint64_t time = (uint64_t)own + (uint64_t)bounds->machine->launch_latency;

          if (!add_times (&bounds->latency.num, as_sum (time), weights[i]))
            return false;
        }
    }
  return true;
}

static void
find_tightest (WpBounds *bounds)
{
  uint32_t n = bounds->machine->n_pipelines;

  bounds->tightest = n;
  bounds->throughput = bounds->scheduler;
  for (uint32_t p = n; p-- > 0;)
    if (wp_mean_compare (bounds->pipelines[p], bounds->throughput) >= 0)
      {
        bounds->tightest = p;
        bounds->throughput = bounds->pipelines[p];
      }
}

static WpBoundsStatus
add_up (WpBounds *bounds)
{
  const WpMachine *machine = bounds->machine;
  uint64_t *weights = malloc (((size_t)bounds->n_segments + 1) * sizeof *weights);
  uint64_t total = weights != NULL ? find_weights (bounds, weights) : 0;
  bool fits = (double)total * machine->n_schedulers * machine->issue_limit
                      * (double)machine->ticks_per_cycle
                  < 0x1p62
              && total > 0;

  if (weights == NULL)
    return WP_BOUNDS_NO_MEMORY;
  for (uint32_t i = 0; fits && i < bounds->n_segments; i++)
    add_counts (bounds, bounds->segments[i].program, weights[i]);
  fits = fits && add_pipelines (bounds, total) && add_schedulers (bounds, weights, total)
         && add_latency (bounds, weights, total);
  free (weights);
  if (!fits)
    return WP_BOUNDS_OVERFLOW;
  find_tightest (bounds);
  return WP_BOUNDS_DONE;
}

static bool
find_path (WpBounds *bounds)
{
  const Work *work = (const Work *)bounds;
  const WpWarpRecord *result = &work->records[bounds->slowest];
  WpInterval last = { .pipeline = result->end.pipeline };

  if (result->end.time < 0)
    return wp_bounds_trail_find_path (&work->best, WP_NOWHERE, 0, bounds);
  last.wait = result->end.time - result->last;
  bounds->completion = result->end.length;
  return wp_bounds_trail_find_path (&work->best, result->end.at,
                                    result->end.time - result->end.length, bounds)
         && wp_bounds_trail_find_intervals (&work->best, bounds->slowest, last, bounds);
}

static WpBoundsStatus
run (WpBounds *bounds, Work *work, uint64_t budget)
{
  WpBoundsStatus status;

  while (work->n_done < bounds->n_segments)
    {
      if (budget == 0)
        return WP_BOUNDS_MORE;
      status = take_known (bounds, work) ? WP_BOUNDS_MORE : run_on (bounds, work, &budget);
      if (status != WP_BOUNDS_MORE)
        return status;
    }
  status = add_up (bounds);
  if (status != WP_BOUNDS_DONE)
    return status;
  return find_path (bounds) ? WP_BOUNDS_DONE : WP_BOUNDS_NO_MEMORY;
}

WpBoundsStatus
wp_bounds_run (WpBounds *bounds, uint64_t max_steps)
{
  Work *work = (Work *)bounds;

  if (work->status == WP_BOUNDS_MORE)
    work->status = run (bounds, work, max_steps);
  return work->status;
}

void
wp_bounds_get_stuck (const WpBounds *bounds, WpStuck *stuck)
{
  *stuck = ((const Work *)bounds)->stuck;
}

double
wp_bounds_get_progress (const WpBounds *bounds)
{
  const Work *work = (const Work *)bounds;
  double issued = work->n_issued;

  for (uint32_t i = 0; i < work->recorder.n; i++)
    issued += (double)work->recorder.warps[i].record.counts.n_issued;
  return work->n_total > 0 ? issued / work->n_total : 1;
}

bool
wp_bounds_are_estimates (const WpMachine *machine)
{
  if (machine->dataflow || machine->dual_issue > 1 || wp_machine_has_mixes (machine))
    return true;
  for (uint32_t i = 0; i < machine->n_barriers; i++)
    if (machine->barriers[i].warps > 0)
      return true;
  return false;
}

double
wp_bounds_get_needed (const WpBounds *bounds)
{
  double latency = wp_mean_to_double (bounds->latency);
  double throughput = wp_mean_to_double (bounds->throughput);

  return latency == 0 ? 0 : throughput == 0 ? INFINITY : latency / throughput;
}

double
wp_bounds_predict (const WpBounds *bounds, double warps)
{
  double cycle = (double)bounds->machine->ticks_per_cycle;
  double latency = wp_mean_to_double (bounds->latency) / cycle;
  double throughput = wp_mean_to_double (bounds->throughput) / cycle;
  double by_latency = latency == 0 ? INFINITY : warps / latency;
  double by_throughput = throughput == 0 ? INFINITY : 1 / throughput;

  return by_latency < by_throughput ? by_latency : by_throughput;
}
