/* SPDX-License-Identifier: MIT */
/* Blocks in turn. At most P = resident blocks x SMs blocks are held at a time, each from when it is
 * handed out until its last warp ends. Such intervals can be put into P rows in which none overlap,
 * and of B blocks one row has at least ceil(B / P). No warp lives shorter than alone (MODEL.md,
 * section 10), so no block does, and all of a row but the first, which may launch at time 0, take
 * the launch latency on top.
 *
 * Work. Of all n instances of a pipeline one is passed for at least 1/n of the time that all
 * passages together keep it. The first of these begins no earlier than any first use of it may
 * (the head), and each of the others no earlier than the end of the one before. The last begins at
 * the head + all of them but itself, at the earliest, and no run ends before its Lambda after that
 * (the tail, less its own use of the pipeline). Waits that a turnaround, `inflight` or a full queue
 * adds only make it later. A posted instruction may begin after the last warp has ended, so that a
 * pipeline that one passes has no such bound; nor has one that SMs share, whose times depend on how
 * many are simulated.
 */
#include "sim/bounds/wp-floor.h"

#include "sim/bounds/wp-bounds.h"

/* What passes a pipeline. */
typedef struct
{
  bool used, posted;
  WpTick head; /* the earliest first use by any warp */
  WpTick tail; /* the least, over its uses, of Lambda less the use: may be negative */
} Use;

const char *
wp_floor_refuse (const WpMachine *machine)
{
  if (machine->contended)
    return "memory is contended";
  return wp_bounds_are_estimates (machine) ? "a warp may be faster in company than alone: dataflow "
                                             "order, dual issue, a mix, or a "
                                             "barrier with a number of warps"
                                           : NULL;
}

/* The blocks' warps that live shortest decide nothing: a block ends with its slowest. */
static WpTick
find_shortest_block (const WpBounds *bounds)
{
  WpTick shortest = WP_TICK_LIMIT;

  for (uint32_t i = 0, next; i < bounds->n_segments; i = next)
    {
      WpTick slowest = 0;

      for (next = i;
           next < bounds->n_segments && bounds->segments[next].row == bounds->segments[i].row;
           next++)
        if (bounds->segments[next].latency > slowest)
          slowest = bounds->segments[next].latency;
      if (slowest < shortest)
        shortest = slowest;
    }
  return bounds->n_segments > 0 ? shortest : 0;
}

static bool
find_blocks (const WpBounds *bounds, WpTick *time)
{
  const WpMachine *machine = bounds->machine;
  uint64_t places = (uint64_t)machine->resident_blocks * machine->simulated_sms;
  uint64_t turns = machine->n_blocks / places + (machine->n_blocks % places > 0);
  WpTick block = find_shortest_block (bounds);

  *time = 0;
  if (turns == 0)
    return true;
  if (turns > (uint64_t)(WP_TICK_LIMIT - 1) / ((uint64_t)(block + machine->launch_latency) + 1))
    return false;
  *time = (WpTick)turns * block + (WpTick)(turns - 1) * machine->launch_latency;
  return true;
}

/* Whether warps meet at barriers, so that the first issues of another kind of block may be
 * earlier than those that the bounds keep. */
static bool
has_blocks_that_meet (const WpBounds *bounds)
{
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    if (bounds->segments[i].with_block)
      return true;
  return false;
}

static void
add_use (Use *use, WpTick head, WpTick tail, bool posted)
{
  use->head = !use->used || head < use->head ? head : use->head;
  use->tail = !use->used || tail < use->tail ? tail : use->tail;
  use->posted |= posted;
  use->used = true;
}

static Use
find_use_of (const WpBounds *bounds, uint32_t pipeline)
{
  const WpMachine *machine = bounds->machine;
  bool meet = has_blocks_that_meet (bounds);
  Use use = { .used = false };

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];
      WpTick head = meet ? 0 : bounds->firsts[i].time;

      if (wp_sum_to_double (bounds->counts[i].num) == 0)
        continue;
      if (instr->pipeline == pipeline)
        add_use (&use, head, instr->completion - instr->issue, instr->posted);
      for (uint32_t k = 0; k < instr->n_passes; k++)
        {
          const WpPass *pass = &machine->passes[instr->first_pass + k];

          if (pass->pipeline == pipeline)
            add_use (&use, head, instr->completion - pass->issue, instr->posted);
        }
    }
  return use;
}

/* The smallest time that is at least MEAN, or -1 where that is 2^62 or more. */
static WpTick
round_up (WpMean mean)
{
  WpTick low = -1, high = WP_TICK_LIMIT;

  while (high - low > 1)
    {
      WpTick middle = low + (high - low) / 2;

      if (wp_mean_compare ((WpMean){ { 0, (uint64_t)middle }, 1 }, mean) >= 0)
        high = middle;
      else
        low = middle;
    }
  return high < WP_TICK_LIMIT ? high : -1;
}

/* Warps of the run for each SM, times what one uses of the pipeline. */
static bool
find_work (const WpBounds *bounds, uint32_t pipeline, WpTick *time)
{
  const WpMachine *machine = bounds->machine;
  Use use = find_use_of (bounds, pipeline);
  WpMean mean = bounds->pipelines[pipeline];
  double warps = (double)machine->n_blocks * machine->warps_per_block;
  WpTick all;

  *time = 0;
  if (!use.used || use.posted || wp_pipeline_get_shared (&machine->pipelines[pipeline]) > 1)
    return true;
  if (warps >= 0x1p63 || (double)mean.den * machine->simulated_sms >= 0x1p62
      || wp_sum_to_double (mean.num) * warps >= 0x1p126)
    return false;
  all = round_up (wp_mean_multiply (mean, machine->n_blocks * machine->warps_per_block,
                                    machine->simulated_sms));
  if (all < 0 || use.head >= WP_TICK_LIMIT - all)
    return false;
  *time = use.head + all + use.tail;
  return true;
}

bool
wp_floor_find (const WpBounds *bounds, WpFloor *floor)
{
  *floor = (WpFloor){ .pipeline = WP_NO_PIPELINE };
  if (!find_blocks (bounds, &floor->blocks))
    return false;
  for (uint32_t p = 0; p < bounds->machine->n_pipelines; p++)
    {
      WpTick time;

      if (!find_work (bounds, p, &time))
        return false;
      if (time > floor->work)
        {
          floor->work = time;
          floor->pipeline = p;
        }
    }
  floor->time = floor->blocks > floor->work ? floor->blocks : floor->work;
  return true;
}
