/* SPDX-License-Identifier: MIT */
/* The walks, and what they add up to. A kind of block (a row of the machine) is walked once however
 * many blocks and warps of it there are; a program that meets no other is walked once for all kinds
 * of block.
 */
#include "sim/bounds/wp-bounds.h"

#include "sim/bounds/wp-meet.h"

#include <math.h>
#include <stdlib.h>

/* Sums beyond this cannot be written (wp_mean_format()). */
#define MAX_SUM 0x1p107

typedef struct
{
  WpTrail trail, best; /* of the present walk; of the one that has the slowest warp so far */
  uint32_t n_done;     /* segments */
  WpMeet meet;         /* of the present walk; no warps: none has begun */
  uint32_t current;
  WpAloneResult *results; /* [n_segments] */
  uint32_t *known;        /* [n_programs]: a segment that has walked it, + 1 */
  WpBoundsStatus status;  /* other than MORE: for good */
  double n_walked, n_total;
} Walk;

/* ---- Kinds of blocks ---- */

static bool
has_barrier (const WpMachine *machine, uint32_t program)
{
  const WpProgram *p = &machine->programs[program];

  for (uint32_t i = 0; i < p->n_instrs; i++)
    if (machine->instrs[p->first_instr + i].pipeline == WP_NO_PIPELINE)
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

static void
add_row (WpBounds *bounds, uint32_t r, uint64_t blocks)
{
  const WpMachine *machine = bounds->machine;
  const WpRow *row = &machine->rows[r];
  const WpSegment *from = machine->segments + row->first_segment;
  bool with_block = false;

  for (uint32_t i = 0; i < row->n_segments; i++)
    with_block |= has_barrier (machine, from[i].program);
  for (uint32_t i = 0; i < row->n_segments; i++)
    {
      uint32_t end = i + 1 < row->n_segments ? from[i + 1].first_warp : machine->warps_per_block;

      bounds->segments[bounds->n_segments++]
          = (WpBoundsSegment){ .row = r,
                               .first_warp = from[i].first_warp,
                               .n_warps = end - from[i].first_warp,
                               .program = from[i].program,
                               .with_block = with_block,
                               .blocks = blocks };
    }
}

static bool
find_segments (WpBounds *bounds)
{
  const WpMachine *machine = bounds->machine;
  uint64_t *blocks = calloc ((size_t)machine->n_rows + 1, sizeof *blocks);

  bounds->segments = calloc ((size_t)machine->n_segments + 1, sizeof *bounds->segments);
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

/* ---- Walking ---- */

WpBounds *
wp_bounds_new (const WpMachine *machine)
{
  WpBounds *bounds = calloc (1, sizeof *bounds);
  Walk *walk = calloc (1, sizeof *walk);

  if (bounds == NULL || walk == NULL)
    {
      free (bounds);
      free (walk);
      return NULL;
    }
  bounds->machine = machine;
  bounds->walk = walk;
  bounds->counts = calloc ((size_t)machine->n_instrs + 1, sizeof *bounds->counts);
  bounds->firsts = calloc ((size_t)machine->n_instrs + 1, sizeof *bounds->firsts);
  bounds->pipelines = calloc ((size_t)machine->n_pipelines + 1, sizeof *bounds->pipelines);
  walk->known = calloc ((size_t)machine->n_programs + 1, sizeof *walk->known);
  if (bounds->counts == NULL || bounds->firsts == NULL || bounds->pipelines == NULL
      || walk->known == NULL || !find_segments (bounds))
    {
      wp_bounds_free (bounds);
      return NULL;
    }
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    bounds->firsts[i].time = -1;
  walk->results = calloc ((size_t)bounds->n_segments + 1, sizeof *walk->results);
  if (walk->results == NULL)
    {
      wp_bounds_free (bounds);
      return NULL;
    }
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    walk->n_total += (double)machine->programs[bounds->segments[i].program].n_dynamic;
  return bounds;
}

void
wp_bounds_free (WpBounds *bounds)
{
  Walk *walk;

  if (bounds == NULL)
    return;
  walk = bounds->walk;
  wp_meet_clear (&walk->meet);
  wp_trail_clear (&walk->trail);
  wp_trail_clear (&walk->best);
  free (walk->results);
  free (walk->known);
  free (walk);
  free (bounds->segments);
  free (bounds->counts);
  free (bounds->firsts);
  free (bounds->pipelines);
  free (bounds->path);
  free (bounds->intervals);
  free (bounds);
}

/* How many segments from the next one on walk together: a block's, where they meet at barriers. */
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
begin_walk (WpBounds *bounds, Walk *walk)
{
  wp_trail_reset (&walk->trail);
  walk->current = 0;
  if (!wp_meet_init (&walk->meet, bounds->machine, count_together (bounds, walk->n_done),
                     bounds->segments, walk->n_done))
    return false;
  for (uint32_t i = 0; i < walk->meet.n; i++)
    walk->meet.warps[i].firsts = bounds->firsts;
  return true;
}

static WpTick
get_latency (const WpAloneResult *result)
{
  return result->end.time < 0 ? 0 : result->end.time;
}

/* The present walk, of N segments, is over; its trail stays where it has the slowest warp. */
static void
finish_walk (WpBounds *bounds, Walk *walk, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t s = walk->n_done + i;
      WpBoundsSegment *segment = &bounds->segments[s];

      segment->latency = get_latency (&walk->results[s]);
      if (s > 0 && segment->latency <= bounds->segments[bounds->slowest].latency)
        continue;
      bounds->slowest = s;
    }
  if (bounds->slowest >= walk->n_done)
    {
      WpTrail best = walk->best;

      walk->best = walk->trail;
      walk->trail = best;
    }
  for (uint32_t i = 0; i < n; i++)
    walk->n_walked += (double)walk->results[walk->n_done + i].counts.n_walked;
  walk->n_done += n;
  wp_meet_clear (&walk->meet);
}

/* ---- All of it ---- */

/* In dataflow order a walk is done at once. */
static WpAloneStatus
walk_flow (WpBounds *bounds, Walk *walk, uint64_t *budget)
{
  uint32_t first = walk->n_done, n = count_together (bounds, first);
  uint64_t walked = 0;
  WpAloneStatus status;

  wp_trail_reset (&walk->trail);
  status = wp_alone_flow (bounds->machine, n, bounds->segments + first, first, &walk->trail,
                          bounds->firsts, walk->results + first);
  for (uint32_t i = 0; i < n; i++)
    walked += walk->results[first + i].counts.n_walked;
  *budget -= walked < *budget ? walked : *budget;
  if (status == WP_ALONE_STOPPED)
    finish_walk (bounds, walk, n);
  return status == WP_ALONE_STOPPED ? WP_ALONE_MORE : status;
}

static WpAloneStatus
walk_on (WpBounds *bounds, Walk *walk, uint64_t *budget)
{
  WpMeet *meet = &walk->meet;
  WpAloneStatus status = WP_ALONE_MORE;

  if (meet->n == 0 && !begin_walk (bounds, walk))
    return WP_ALONE_NO_MEMORY;
  for (; walk->current < meet->n; walk->current++)
    if (!meet->warps[walk->current].ended)
      {
        status = wp_alone_walk (&meet->warps[walk->current], &walk->trail, budget);
        if (status != WP_ALONE_STOPPED)
          return status;
      }
  walk->current = 0;
  status = wp_meet_release (meet, &walk->trail);
  if (status != WP_ALONE_STOPPED)
    return status;
  for (uint32_t i = 0; i < meet->n; i++)
    walk->results[walk->n_done + i]
        = (WpAloneResult){ meet->warps[i].end, meet->warps[i].last, meet->warps[i].counts };
  if (meet->n == 1)
    walk->known[bounds->segments[walk->n_done].program] = walk->n_done + 1;
  finish_walk (bounds, walk, meet->n);
  return WP_ALONE_MORE;
}

/* The next segment, if its program has been walked alone already. */
static bool
take_known (WpBounds *bounds, Walk *walk)
{
  uint32_t known = walk->known[bounds->segments[walk->n_done].program];

  if (known == 0 || walk->meet.n > 0 || count_together (bounds, walk->n_done) > 1)
    return false;
  walk->results[walk->n_done] = walk->results[known - 1];
  wp_trail_reset (&walk->trail);
  finish_walk (bounds, walk, 1);
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
  uint64_t times[IDG_MAX_DEPTH + 1];
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
      if (instr->pipeline != WP_NO_PIPELINE
          && !add_times (&bounds->pipelines[instr->pipeline].num, bounds->counts[i].num,
                         (uint64_t)instr->issue))
        return false;
    }
  return true;
}

static WpSum
as_sum (uint64_t value)
{
  return (WpSum){ 0, value };
}

/* Slots in units of interval / issue limit / schedulers: one for each issue, `issue limit` for each
 * that fills its slot and for each reissue. */
static bool
add_schedulers (WpBounds *bounds, const uint64_t *weights, uint64_t total)
{
  const WpMachine *machine = bounds->machine;
  const Walk *walk = bounds->walk;
  uint64_t limit = machine->issue_limit;
  WpSum units = { 0, 0 };

  bounds->single_issues.den = bounds->dual_issues.den = total;
  bounds->filled.den = bounds->reissues.den = total;
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    {
      const WpAloneCounts *counts = &walk->results[i].counts;

      if (!add_times (&bounds->single_issues.num, as_sum (counts->singles), weights[i])
          || !add_times (&bounds->dual_issues.num, as_sum (counts->groups), weights[i])
          || !add_times (&bounds->filled.num, as_sum (counts->filled), weights[i])
          || !add_times (&bounds->reissues.num, counts->reissues, weights[i]))
        return false;
    }
  bounds->scheduler.den = total * machine->n_schedulers * limit;
  return add_times (&units, bounds->single_issues.num, 1)
         && add_times (&units, bounds->dual_issues.num, 1)
         && add_times (&units, bounds->filled.num, limit - 1)
         && add_times (&units, bounds->reissues.num, limit)
         && add_times (&bounds->scheduler.num, units, (uint64_t)machine->interval);
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
  const Walk *walk = bounds->walk;
  const WpAloneResult *result = &walk->results[bounds->slowest];
  WpInterval last = { .pipeline = result->end.pipeline };

  if (result->end.time < 0)
    return wp_trail_find_path (&walk->best, WP_NOWHERE, 0, bounds);
  last.wait = result->end.time - result->last;
  bounds->completion = result->end.length;
  return wp_trail_find_path (&walk->best, result->end.at, result->end.time - result->end.length,
                             bounds)
         && wp_trail_find_intervals (&walk->best, bounds->slowest, last, bounds);
}

static WpBoundsStatus
run (WpBounds *bounds, Walk *walk, uint64_t budget)
{
  WpBoundsStatus status;

  while (walk->n_done < bounds->n_segments)
    {
      WpAloneStatus walked = WP_ALONE_MORE;

      if (budget == 0)
        return WP_BOUNDS_MORE;
      if (bounds->machine->dataflow)
        walked = walk_flow (bounds, walk, &budget);
      else if (!take_known (bounds, walk))
        walked = walk_on (bounds, walk, &budget);
      if (walked == WP_ALONE_OVERFLOW)
        return WP_BOUNDS_OVERFLOW;
      if (walked == WP_ALONE_NO_MEMORY)
        return WP_BOUNDS_NO_MEMORY;
    }
  status = add_up (bounds);
  if (status != WP_BOUNDS_DONE)
    return status;
  return find_path (bounds) ? WP_BOUNDS_DONE : WP_BOUNDS_NO_MEMORY;
}

WpBoundsStatus
wp_bounds_run (WpBounds *bounds, uint64_t max_steps)
{
  Walk *walk = bounds->walk;

  if (walk->status == WP_BOUNDS_MORE)
    walk->status = run (bounds, walk, max_steps);
  return walk->status;
}

double
wp_bounds_get_progress (const WpBounds *bounds)
{
  const Walk *walk = bounds->walk;
  double walked = walk->n_walked;

  for (uint32_t i = 0; i < walk->meet.n; i++)
    walked += (double)walk->meet.warps[i].counts.n_walked;
  return walk->n_total > 0 ? walked / walk->n_total : 1;
}

bool
wp_bounds_are_estimates (const WpMachine *machine)
{
  return machine->dataflow || machine->dual_issue > 1;
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
