/* SPDX-License-Identifier: MIT */
/* A place is an instance of a pipeline, or a scheduler. SMs that share a pipeline are one *group*;
 * of all else an SM is one.
 *
 * Work. Of all groups one gets at least ceil(blocks / groups) blocks; of its places one gets at
 * least its share of their work, and of schedulers one gets at least ceil(warps / schedulers) of
 * their warps, which is exact where all warps run one program. Of several programs in a block it is
 * known which warps a scheduler gets, where warps per block are a multiple of schedulers: blocks
 * take and give back whole rows of slots, so that warp w is always in one of scheduler w mod S's.
 * (Where blocks are of several kinds, one place has at least the mean.) What passes a place does so
 * one after another, each with a head before it (its first issue by a warp alone) and a tail behind
 * (wp-tails.c), so that wp-windows.c's bound holds for any part of it. Waits that a turnaround,
 * `inflight`, a full queue or a channel adds only make it later. In a pipeline the tail is less the
 * use itself. Left out of the part is what may begin after its warp has ended: posted instructions
 * that wait in a queue or pass a path. A shared pipeline counts with the smaller of its issue
 * latencies.
 *
 * Slots. An issue costs interval / issue limit, and an interval for each slot beyond the first. No
 * slot lasts less than its issues cost together: at most `issue limit` share one, and an issue of k
 * slots is the last in its slot, which then lasts k intervals. So the last slot begins no earlier
 * than the head and the costs in all slots before it; its own are at most the slots of its last
 * issue, which are taken off the tail. With an issue limit of 1 a slot begins when it is issued in.
 * Otherwise one may begin up to an interval before its first issue of the part that is looked at,
 * which is taken off as well.
 *
 * Blocks in turn. A group holds at most P blocks at a time, each until its last warp ends. No block
 * lives shorter than L: its slowest warp alone (MODEL.md, section 10, or wp-tails.c's tail of all
 * of it), or its work on one SM. The group's m-th block is handed out when at least m - P others
 * have ended, launches the launch latency D later and lives for L. So, with F(m) the least time in
 * which m blocks of a group end, F(m) >= F(m - P) + D + L. Of blocks in T turns, the last or first
 * of r blocks, the end is no earlier than F(r) + (T - 1) (D + L), with F(r) >= L and F(r) >= the
 * work of r blocks. The work is linear in m, so that r blocks and all of them are the extremes.
 *
 * Contended memory. Channels, and spreads that add, only make an instruction later than its `begin`
 * plus its latency with ideal memory, on which all of this stands.
 */
#include "sim/bounds/wp-floor.h"

#include <stdlib.h>

#include "sim/bounds/wp-bounds.h"
#include "sim/bounds/wp-tails.h"
#include "sim/bounds/wp-windows.h"

#define ANY_SCHEDULER UINT32_MAX

typedef struct
{
  const WpBounds *bounds;
  WpTails tails;
  WpUse *uses; /* of the present place */
  size_t n_uses;
  bool uniform;   /* all blocks are of one kind */
  bool has_heads; /* first issues are those of all blocks */
  bool overflow;
  WpTick block;          /* no block lives shorter */
  uint32_t *program_of;  /* [n_instrs] */
  uint32_t *warps, *own; /* [n_programs]: of a block, run it; of these, with `scheduler` */
  uint32_t scheduler;    /* the present place's, or ANY_SCHEDULER: its share of all */
} Search;

static bool
may_be_faster (const WpMachine *machine)
{
  if (!machine->contended)
    return false;
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->spread != WP_NO_SPREAD
        && machine->spreads[machine->instrs[i].cost->spread].add[0] < 0)
      return true;
  return false;
}

const char *
wp_floor_refuse (const WpMachine *machine)
{
  if (may_be_faster (machine))
    return "memory is contended, with accesses that may be faster than their latency";
  return wp_bounds_are_estimates (machine) ? "a warp may be faster in company than alone: dataflow "
                                             "order, dual issue, a mix, or a "
                                             "barrier with a number of warps"
                                           : NULL;
}

/* ---- Blocks ---- */

/* The blocks' warps that live shortest decide nothing: a block ends with its slowest. */
static WpTick
find_shortest_block (const WpBounds *bounds, const WpTails *tails)
{
  WpTick shortest = WP_TICK_LIMIT;

  for (uint32_t i = 0, next; i < bounds->n_segments; i = next)
    {
      WpTick slowest = 0;

      for (next = i;
           next < bounds->n_segments && bounds->segments[next].row == bounds->segments[i].row;
           next++)
        {
          const WpBoundsSegment *segment = &bounds->segments[next];
          WpTick life = tails->lives[segment->program];

          life = segment->latency > life ? segment->latency : life;
          slowest = life > slowest ? life : slowest;
        }
      shortest = slowest < shortest ? slowest : shortest;
    }
  return bounds->n_segments > 0 ? shortest : 0;
}

/* Where warps meet at barriers, the first issues of another kind of block may be earlier than those
 * that the bounds keep. */
static void
look_at_blocks (Search *search)
{
  const WpBounds *bounds = search->bounds;
  bool meet = false;

  search->uniform = true;
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    {
      search->uniform &= bounds->segments[i].row == bounds->segments[0].row;
      meet |= bounds->segments[i].with_block;
    }
  search->has_heads = search->uniform || !meet;
  search->block = find_shortest_block (bounds, &search->tails);
}

/* TURNS blocks one after another: the last of them takes LAST, the others a block's life and the
 * launch of the next. -1 where that would be too long. */
static WpTick
add_turns (const Search *search, uint64_t turns, WpTick last)
{
  WpTick launch = search->bounds->machine->launch_latency, one;

  if (turns <= 1)
    return last;
  if (launch >= WP_TICK_LIMIT - search->block)
    return -1;
  one = search->block + launch;
  if (one > 0 && turns - 1 > (uint64_t)(WP_TICK_LIMIT - 1 - last) / (uint64_t)one)
    return -1;
  return last + (WpTick)(turns - 1) * one;
}

/* ---- Which warps a scheduler gets ---- */

/* Whether warps of a block always have the same scheduler, and this decides anything. */
static bool
keeps_schedulers (const Search *search)
{
  const WpMachine *machine = search->bounds->machine;

  return search->uniform && search->bounds->n_segments > 1
         && machine->warps_per_block % machine->n_schedulers == 0;
}

static void
set_scheduler (Search *search, uint32_t scheduler)
{
  const WpBounds *bounds = search->bounds;
  const WpMachine *machine = bounds->machine;

  search->scheduler = scheduler;
  for (uint32_t p = 0; p < machine->n_programs; p++)
    search->warps[p] = search->own[p] = 0;
  for (uint32_t i = 0; i < bounds->n_segments; i++)
    for (uint32_t w = 0; w < bounds->segments[i].n_warps; w++)
      {
        uint32_t program = bounds->segments[i].program;

        search->warps[program]++;
        search->own[program]
            += (bounds->segments[i].first_warp + w) % machine->n_schedulers == scheduler;
      }
}

/* How often warps issue instruction I: the numerator of the mean over all, or, of one scheduler,
 * those that it gets of a block. Where blocks are of one kind the former is a block's. */
static WpSum
count_issues (const Search *search, uint32_t i)
{
  WpSum count = search->bounds->counts[i].num, own = { 0, 0 };
  uint32_t program = search->program_of[i];

  if (search->scheduler == ANY_SCHEDULER)
    return count;
  /* Of a block, this is below 2^64: a program has at most 2^53 instructions. */
  if (search->own[program] > 0)
    wp_sum_add_product (&own, count.lo / search->warps[program], search->own[program]);
  return own;
}

/* ---- What passes a place ---- */

static void
add_use (Search *search, uint32_t i, uint64_t cost, WpTick tail)
{
  const WpBounds *bounds = search->bounds;
  WpUse *use = &search->uses[search->n_uses];
  WpSum count = count_issues (search, i);

  if (wp_sum_to_double (count) * (double)cost >= 0x1p100)
    {
      search->overflow = true;
      return;
    }
  *use = (WpUse){ .head = search->has_heads ? bounds->firsts[i].time : 0, .tail = tail };
  wp_sum_add_times (&use->work, count, cost);
  search->n_uses++;
}

static void
find_uses_of_pipeline (Search *search, uint32_t pipeline)
{
  const WpMachine *machine = search->bounds->machine;

  search->n_uses = 0;
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];
      const WpTail *tail = &search->tails.instrs[i];

      if (wp_sum_to_double (count_issues (search, i)) == 0)
        continue;
      if (instr->cost->pipeline == pipeline && tail->begin >= 0)
        add_use (search, i, (uint64_t)instr->cost->issue, tail->begin - instr->cost->issue);
      for (uint32_t k = 0; k < instr->cost->n_passes; k++)
        {
          const WpPass *pass = &machine->passes[instr->cost->first_pass + k];

          if (pass->pipeline == pipeline && tail->pass >= 0)
            add_use (search, i, (uint64_t)pass->issue, tail->pass - pass->issue);
        }
    }
}

/* Costs are in units of a tick / issue limit. */
static void
find_uses_of_slots (Search *search)
{
  const WpMachine *machine = search->bounds->machine;
  uint64_t limit = machine->issue_limit, interval = (uint64_t)machine->interval;
  WpTick before = limit > 1 ? machine->interval : 0;

  search->n_uses = 0;
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      uint64_t slots = machine->instrs[i].cost->slots, units = (slots - 1) * limit + 1;

      if (wp_sum_to_double (count_issues (search, i)) == 0)
        continue;
      if ((double)interval * (double)units >= 0x1p61 || (double)interval * (double)slots >= 0x1p61)
        search->overflow = true;
      else
        add_use (search, i, interval * units,
                 search->tails.instrs[i].issue - (WpTick)(slots * interval) - before);
    }
}

/* ---- How long that takes ---- */

typedef struct
{
  uint64_t n, in_group; /* groups, and blocks that one holds at a time */
  uint32_t places;      /* of each */
  uint32_t units;       /* of the costs, in a tick */
  bool of_warps;        /* a place has whole warps */
} Groups;

static Groups
get_groups (const WpMachine *machine, uint32_t pipeline)
{
  const WpPipelineDesc *desc
      = pipeline < machine->n_pipelines ? &machine->pipelines[pipeline] : NULL;
  uint32_t shared = desc != NULL ? wp_pipeline_get_shared (desc) : 1;
  bool per_scheduler = desc == NULL || desc->per_scheduler;

  return (Groups){ .n = ((uint64_t)machine->simulated_sms + shared - 1) / shared,
                   .in_group = (uint64_t)machine->resident_blocks * shared,
                   .places = per_scheduler ? machine->n_schedulers : 1,
                   .units = desc == NULL ? machine->issue_limit : 1,
                   .of_warps = per_scheduler };
}

/* The work of BLOCKS in one of N_GROUPS. */
static WpTick
find_work_of (Search *search, const Groups *groups, uint64_t n_groups, uint64_t blocks)
{
  const WpBounds *bounds = search->bounds;
  const WpMachine *machine = bounds->machine;
  uint64_t warps = blocks * machine->warps_per_block;
  WpShare share = { .num = warps, .places = groups->places * n_groups, .den = groups->units };
  WpTick time = 0;

  if ((double)blocks * machine->warps_per_block >= 0x1p62
      || (double)bounds->counts[0].den * groups->units >= 0x1p62)
    {
      search->overflow = true;
      return 0;
    }
  if (search->scheduler != ANY_SCHEDULER)
    share = (WpShare){ .num = blocks, .places = 1, .den = groups->units };
  else if (groups->of_warps && search->uniform && bounds->n_segments == 1)
    {
      share.num = warps / groups->places + (warps % groups->places > 0);
      share.places = 1;
    }
  if (search->scheduler == ANY_SCHEDULER)
    share.den *= bounds->counts[0].den;
  search->overflow |= !wp_windows_find (search->uses, search->n_uses, share, &time);
  return time;
}

static uint64_t
divide_up (uint64_t a, uint64_t b)
{
  return a / b + (a % b > 0);
}

/* Of all blocks: at once, or by turns where they are of one kind. */
static WpTick
find_work (Search *search, uint32_t pipeline)
{
  const WpMachine *machine = search->bounds->machine;
  Groups groups = get_groups (machine, pipeline);
  uint64_t blocks = divide_up (machine->n_blocks, groups.n);
  uint64_t turns = divide_up (blocks, groups.in_group);
  WpTick all, last;

  if (!search->uniform || turns == 0)
    return find_work_of (search, &groups, groups.n, machine->n_blocks);
  all = find_work_of (search, &groups, 1, blocks);
  last = find_work_of (search, &groups, 1, blocks - (turns - 1) * groups.in_group);
  last = add_turns (search, turns, last);
  search->overflow |= last < 0;
  return all > last ? all : last;
}

/* A block's own work, where blocks are of one kind. */
static void
find_block (Search *search, uint32_t pipeline)
{
  Groups groups = get_groups (search->bounds->machine, pipeline);
  WpTick time = search->uniform ? find_work_of (search, &groups, 1, 1) : 0;

  search->block = time > search->block ? time : search->block;
}

static void
find_uses (Search *search, uint32_t pipeline)
{
  if (pipeline < search->bounds->machine->n_pipelines)
    find_uses_of_pipeline (search, pipeline);
  else
    find_uses_of_slots (search);
  wp_windows_sort (search->uses, search->n_uses);
}

static void
look_at_work (Search *search, uint32_t pipeline, WpFloor *floor)
{
  WpTick time = find_work (search, pipeline);

  if (time <= floor->work)
    return;
  floor->work = time;
  floor->pipeline = pipeline;
}

/* Looks at each place of an SM that may have more work than others: at its work of all blocks for
 * FLOOR, or, where that is NULL, of one. */
static void
look_at_places (Search *search, WpFloor *floor)
{
  const WpMachine *machine = search->bounds->machine;
  bool keeps = keeps_schedulers (search);

  for (uint32_t p = 0; p <= machine->n_pipelines; p++)
    {
      bool several = keeps && get_groups (machine, p).of_warps;

      for (uint32_t k = 0; k < (several ? machine->n_schedulers : 1) && !search->overflow; k++)
        {
          set_scheduler (search, several ? k : ANY_SCHEDULER);
          find_uses (search, p);
          if (floor != NULL)
            look_at_work (search, p, floor);
          else
            find_block (search, p);
        }
    }
}

static void
find_floor (Search *search, WpFloor *floor)
{
  const WpMachine *machine = search->bounds->machine;
  uint64_t places = (uint64_t)machine->resident_blocks * machine->simulated_sms;

  look_at_blocks (search);
  look_at_places (search, NULL);
  look_at_places (search, floor);
  floor->blocks = add_turns (search, divide_up (machine->n_blocks, places), search->block);
  search->overflow |= floor->blocks < 0;
  floor->time = floor->blocks > floor->work ? floor->blocks : floor->work;
}

/* The most uses of one place. */
static size_t
count_uses (const WpMachine *machine)
{
  size_t n = machine->n_instrs;

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    n += machine->instrs[i].cost->n_passes;
  return n;
}

static bool
search_init (Search *search, const WpBounds *bounds)
{
  const WpMachine *machine = bounds->machine;

  *search = (Search){ .bounds = bounds };
  search->uses = malloc (count_uses (machine) * sizeof *search->uses);
  search->program_of = calloc (machine->n_instrs, sizeof *search->program_of);
  search->warps = calloc (machine->n_programs, sizeof *search->warps);
  search->own = calloc (machine->n_programs, sizeof *search->own);
  if (search->uses == NULL || search->program_of == NULL || search->warps == NULL
      || search->own == NULL || !wp_tails_init (&search->tails, machine))
    return false;
  for (uint32_t p = 0; p < machine->n_programs; p++)
    for (uint32_t i = 0; i < machine->programs[p].n_instrs; i++)
      search->program_of[machine->programs[p].first_instr + i] = p;
  return true;
}

static void
search_clear (Search *search)
{
  wp_tails_clear (&search->tails);
  free (search->uses);
  free (search->program_of);
  free (search->warps);
  free (search->own);
}

WpFloorStatus
wp_floor_find (const WpBounds *bounds, WpFloor *floor)
{
  Search search;
  bool done;

  *floor = (WpFloor){ .pipeline = WP_NO_PIPELINE };
  if (bounds->machine->n_blocks == 0 || bounds->machine->n_instrs == 0)
    return WP_FLOOR_FOUND;
  done = search_init (&search, bounds);
  if (done)
    find_floor (&search, floor);
  search_clear (&search);
  if (!done)
    return WP_FLOOR_NO_MEMORY;
  return search.overflow ? WP_FLOOR_TOO_LARGE : WP_FLOOR_FOUND;
}
