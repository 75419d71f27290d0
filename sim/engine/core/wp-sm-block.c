/* SPDX-License-Identifier: MIT */
/* Rounds: what is due at a time but issue (MODEL.md, section 7, steps 1 and 2), block by block. */
#include "sim/engine/core/wp-sm-block.h"

#include "sim/engine/core/wp-sm-account.h"
#include "sim/engine/core/wp-sm-cause.h"
#include "sim/engine/core/wp-sm-flow.h"
#include "sim/engine/core/wp-sm-ready.h"
#include "sim/engine/core/wp-sm-step.h"
#include "sim/engine/core/wp-sm-wait.h"

#include <string.h>

static void
find_due (WpSm *sm)
{
  WpTick release = wp_queue_get_time (&sm->releases), launch = wp_queue_get_time (&sm->launches);

  sm->due = release < launch ? release : launch;
  sm->limit = sm->due < sm->limit ? sm->due : sm->limit;
}

void
wp_sm_hand_out (WpSm *sm, uint64_t block, WpTick time)
{
  wp_queue_put (&sm->launches, time, block);
  find_due (sm);
  if (time < sm->next)
    sm->next = time;
}

/* MODEL.md, section 6: the warp's last barrier is complete at RELEASE. */
static void
complete_barrier (WpWarp *warp, WpTick release)
{
  if (release < warp->end)
    return;
  warp->end = release;
  warp->end_index = warp->barrier;
  warp->end_instr = WP_NO_INSTR;
}

/* A warp for which the barrier is the last instruction terminates at its release, or when the rest
 * is complete. Where that lies ahead it is known now, and so the warp goes with the first of those
 * that terminate at that time; a release at once comes after the terminations of its round, and its
 * warps belong to the next. */
static void
end_at_release (WpSm *sm, WpWarp *warp, WpTick release)
{
  if (release <= sm->now)
    return;
  complete_barrier (warp, release);
  warp->ends_at_release = wp_sm_is_through (sm, warp);
  if (warp->ends_at_release)
    wp_sm_end_at (sm, warp, warp->end);
}

/* MODEL.md, section 6: what is decided now, with the last coming at TIME, is released at this time.
 * False: it would be too late. */
static bool
find_release (WpSm *sm, const WpBlock *block, WpTick time, WpTick *release)
{
  *release = time + sm->machine->barrier_latency;
  if (!wp_sm_overflows (sm, *release, "a barrier's release", block->id, UINT32_MAX))
    return true;
  sm->limit = sm->now;
  return false;
}

/* MODEL.md, section 6: the release of the barrier without a name, which all warps of the block in
 * PLACE that have not terminated have arrived at. */
static void
decide_release (WpSm *sm, uint32_t place)
{
  WpBlock *block = &sm->blocks[place];
  WpReleaseEvent event
      = { .time = sm->now, .sm = sm->id, .block = block->id, .warp = WP_ALL_WARPS };

  if (!find_release (sm, block, sm->now, &block->release))
    return;
  block->n_arrived = 0;
  for (uint32_t i = 0; block->release > sm->now && i < sm->machine->warps_per_block; i++)
    if (wp_sm_is_held_at (&sm->warps[block->slots[i]], 0))
      end_at_release (sm, &sm->warps[block->slots[i]], block->release);
  wp_queue_put (&sm->releases, block->release, place);
  find_due (sm);
  event.release = block->release;
  event.barrier = block->barrier++;
  WP_HOST_NOTIFY (sm->host, barrier_release, &event);
}

/* ---- Barriers with names (MODEL.md, section 14) ---- */

/* Whether WARP is held at the barrier NAME by a coming that is decided now: of one for all warps,
 * its last one, as whoever waits comes no more. */
static bool
is_decided (const WpSm *sm, const WpBlock *block, const WpWarp *warp, uint32_t name)
{
  if (!wp_sm_is_held_at (warp, name) || warp->release != WP_TICK_LIMIT)
    return false;
  return sm->machine->barriers[name - 1].warps > 0
         || block->ahead[(size_t)(name - 1) * sm->machine->warps_per_block + warp->warp] == 0;
}

/* The release of those that wait at NAME and are decided, the last coming being at TIME. Where none
 * is, as all arrived only, nothing happens. */
static void
decide_named (WpSm *sm, uint32_t place, uint32_t name, WpTick time)
{
  WpBlock *block = &sm->blocks[place];
  WpReleaseEvent event = { .time = time, .sm = sm->id, .block = block->id, .name = name };
  bool any = false;

  if (!find_release (sm, block, time, &event.release))
    return;
  for (uint32_t i = 0; i < sm->machine->warps_per_block; i++)
    {
      WpWarp *warp = &sm->warps[block->slots[i]];

      if (!is_decided (sm, block, warp, name))
        continue;
      any = true;
      warp->release = event.release;
      end_at_release (sm, warp, event.release);
      event.warp = warp->warp;
      WP_HOST_NOTIFY (sm->host, barrier_release, &event);
    }
  if (!any)
    return;
  wp_queue_put (&sm->releases, event.release, place | (uint64_t)name << 32);
  find_due (sm);
}

/* All warps of the block in PLACE that have not terminated have come to NAME once more, or several
 * times, than was decided: that is decided now. */
static void
decide_ahead (WpSm *sm, uint32_t place, uint32_t name)
{
  WpBlock *block = &sm->blocks[place];
  uint32_t n = sm->machine->warps_per_block;
  uint64_t *ahead = block->ahead + (size_t)(name - 1) * n, least = UINT64_MAX;

  for (uint32_t i = 0; i < n; i++)
    if (sm->warps[block->slots[i]].state != WP_WARP_FREE && ahead[i] < least)
      least = ahead[i];
  block->n_come[name - 1] = 0;
  for (uint32_t i = 0; i < n; i++)
    if (sm->warps[block->slots[i]].state != WP_WARP_FREE)
      {
        ahead[i] -= least;
        block->n_come[name - 1] += ahead[i] > 0;
      }
  decide_named (sm, place, name, sm->now);
}

/* MODEL.md, section 14: when WARP, which issues OP now, comes by it. */
static WpTick
find_coming (const WpSm *sm, const WpWarp *warp, const WpOp *op)
{
  WpTick time = sm->now;

  for (uint32_t i = 0; sm->flows == NULL && i < op->n_late; i++)
    {
      WpTick complete = wp_sm_get_completion (warp, &op->late[i]);

      time = complete > time ? complete : time;
    }
  return time;
}

/* WARP comes to the barrier NAME at TIME. */
static void
come (WpSm *sm, const WpWarp *warp, uint32_t name, WpTick time)
{
  WpBlock *block = &sm->blocks[warp->block];
  uint32_t warps = sm->machine->barriers[name - 1].warps;
  uint32_t *n_come = &block->n_come[name - 1];
  WpTick *latest = &block->latest[name - 1];
  uint64_t *ahead = &block->ahead[(size_t)(name - 1) * sm->machine->warps_per_block + warp->warp];

  if (warps > 0)
    {
      if (time > sm->now && time > *latest)
        *latest = time;
      if (++*n_come < warps)
        return;
      time = *latest > sm->now ? *latest : sm->now;
      *n_come = 0;
      *latest = 0;
      decide_named (sm, warp->block, name, time);
    }
  else if (++*ahead == 1 && ++*n_come == block->n_live)
    decide_ahead (sm, warp->block, name);
}

/* A warp of the block in PLACE, number NUMBER, has terminated: others wait for it no more. */
static void
stop_coming (WpSm *sm, uint32_t place, uint32_t number)
{
  const WpMachine *m = sm->machine;
  WpBlock *block = &sm->blocks[place];

  for (uint32_t i = 0; i < m->n_barriers; i++)
    {
      uint64_t *ahead = &block->ahead[(size_t)i * m->warps_per_block + number];

      if (m->barriers[i].warps > 0)
        continue;
      block->n_come[i] -= *ahead > 0;
      *ahead = 0;
      if (block->n_live > 0 && block->n_come[i] == block->n_live)
        decide_ahead (sm, place, i + 1);
    }
}

/* MODEL.md, sections 6 and 14. */
void
wp_sm_arrive (WpSm *sm, WpWarp *warp, const WpOp *op)
{
  WpBlock *block = &sm->blocks[warp->block];

  if (!op->posted)
    {
      warp->state = WP_WARP_HELD;
      warp->held_at = op->barrier;
      warp->held_by = (uint32_t)(op - sm->ops);
      warp->release = WP_TICK_LIMIT;
      wp_sm_note (sm, &sm->schedulers[warp->scheduler], warp);
    }
  if (UNLIKELY (op->barrier > 0))
    come (sm, warp, op->barrier, find_coming (sm, warp, op));
  else if (++block->n_arrived == block->n_live)
    decide_release (sm, warp->block);
}

static void
notify_warp_end (WpSm *sm, const WpWarp *warp)
{
  WpWarpEvent event = { .sm = sm->id,
                        .slot = wp_sm_get_slot (sm, warp),
                        .scheduler = warp->scheduler,
                        .block = sm->blocks[warp->block].id,
                        .warp = warp->warp,
                        .age = warp->age,
                        .start = warp->start,
                        .end = warp->end,
                        .producer = WP_NO_PRODUCER,
                        .producer_instr = WP_NO_INSTR };

  if (sm->keeps_stalls)
    {
      event.issued = sm->machine->programs[warp->program].n_dynamic;
      wp_sm_find_stalls (sm, warp, event.stalls);
    }
  if (sm->host->observes_details)
    {
      event.producer = warp->end_index;
      event.producer_instr = warp->end_instr;
    }
  WP_HOST_NOTIFY (sm->host, warp_end, &event);
}

/* What a warp's termination is for itself, its scheduler and the totals, whatever time it is. */
static INLINE void
leave (WpSm *sm, WpWarp *warp)
{
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

  warp->state = WP_WARP_FREE;
  warp->ends_at_release = false;
  if (sm->watched == warp)
    sm->watched = NULL;
  scheduler->last_gone |= warp->bit == scheduler->last_bit;
  if (sm->policy->by_age)
    scheduler->live[warp->bit / 64] &= ~(UINT64_C (1) << warp->bit % 64);
  wp_sm_account_end (sm, warp);
}

/* Those of BLOCK that have issued all terminate, but for LAST, if their end is not after NOW: they
 * are counted as resident until then. */
static void
leave_late (WpSm *sm, WpBlock *block, const WpWarp *last, WpTick now)
{
  WpSum late = { 0, 0 };

  wp_sm_settle_occupancy (sm, now);
  for (uint32_t i = 0; i < sm->machine->warps_per_block; i++)
    {
      WpWarp *warp = &sm->warps[block->slots[i]];

      if (warp->state != WP_WARP_DRAINING || warp == last || warp->end > now)
        continue;
      leave (sm, warp);
      sm->n_live--;
      block->n_live--;
      wp_sum_add (&late, (uint64_t)(now - warp->end));
    }
  sm->result->occupied = wp_sum_subtract (sm->result->occupied, late);
}

void
wp_sm_end_deferred (WpSm *sm, WpTick now)
{
  now = now < sm->occupied_since ? sm->occupied_since : now;
  for (uint32_t slot = 0; sm->defers && slot < sm->n_slots; slot++)
    {
      WpBlock *block = &sm->blocks[sm->warps[slot].block];

      if (sm->taken[slot] && sm->warps[slot].warp == 0)
        leave_late (sm, block, block->n_busy == 0 ? wp_sm_find_last_end (sm, block) : NULL, now);
    }
}

/* MODEL.md, section 6: the warp, whose end is now, terminates. For barriers it counts as arrived.
 */
static void
terminate (WpSm *sm, WpWarp *warp)
{
  WpBlock *block = &sm->blocks[warp->block];
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];

  if (sm->defers)
    leave_late (sm, block, warp, sm->now);
  leave (sm, warp);
  wp_sm_note (sm, scheduler, warp);
  wp_sm_invalidate (sm, scheduler);
  wp_sm_settle_occupancy (sm, sm->now);
  sm->n_live--;
  if (sm->policy->leave != NULL)
    sm->policy->leave (scheduler, warp->bit);
  if (UNLIKELY (sm->policy->tell != NULL))
    sm->policy->tell (sm, scheduler, warp->bit, WP_TOLD_END);
  if (sm->host->n_observers > 0)
    notify_warp_end (sm, warp);
  if (--block->n_live == 0)
    sm->ended[sm->n_ended++] = warp->block;
  else if (block->n_arrived == block->n_live) /* n_arrived is 0 once the release is decided */
    decide_release (sm, warp->block);
  if (UNLIKELY (sm->machine->n_barriers > 0))
    stop_coming (sm, warp->block, warp->warp);
}

/* MODEL.md, section 6: those held at the barrier NAME of BLOCK go on, of one with a name those that
 * this is decided of. */
static void
release (WpSm *sm, WpBlock *block, uint32_t name)
{
  for (uint32_t i = 0; i < sm->machine->warps_per_block; i++)
    {
      WpWarp *warp = &sm->warps[block->slots[i]];
      WpTick time = name == 0 ? block->release : warp->release;

      if (!wp_sm_is_held_at (warp, name) || time > sm->now)
        continue;
      warp->released = time;
      complete_barrier (warp, time);
      if (sm->flows != NULL)
        wp_sm_open_stretch (sm, warp, sm->flows[block->slots[i]].stretch_end + 1);
      wp_sm_go_on (sm, warp);
      if (UNLIKELY (sm->policy->tell != NULL))
        sm->policy->tell (sm, &sm->schedulers[warp->scheduler], warp->bit, WP_TOLD_WAIT);
    }
}

/* The first of the releases, which is due. */
static void
take_release (WpSm *sm)
{
  uint64_t entry = wp_queue_take (&sm->releases);

  release (sm, &sm->blocks[(uint32_t)entry], (uint32_t)(entry >> 32));
}

static void
notify_block (WpSm *sm, uint64_t block, bool launch)
{
  WpBlockEvent event = { sm->now, sm->id, block };

  if (launch)
    WP_HOST_NOTIFY (sm->host, block_launch, &event);
  else
    WP_HOST_NOTIFY (sm->host, block_end, &event);
}

/* MODEL.md, section 4: blocks whose last warp has terminated give back what they hold, and the
 * dispatcher hands out the next. */
static void
finish_blocks (WpSm *sm)
{
  if (sm->n_ended > 0 && sm->count > 1)
    sm->host->prepare_to_take (sm->host, sm);
  for (uint32_t i = 0; i < sm->n_ended; i++)
    {
      WpBlock *block = &sm->blocks[sm->ended[i]];
      uint64_t next;

      for (uint32_t w = 0; w < sm->machine->warps_per_block; w++)
        {
          sm->taken[block->slots[w]] = false;
          if (block->slots[w] < sm->lowest_free)
            sm->lowest_free = block->slots[w];
        }
      sm->free_blocks[sm->n_free_blocks++] = sm->ended[i];
      sm->result->blocks++;
      notify_block (sm, block->id, false);
      if (sm->host->take_block (sm->host, sm, &next)
          && !wp_sm_overflows (sm, sm->now + sm->machine->launch_latency, "a block's launch", next,
                               UINT32_MAX))
        wp_sm_hand_out (sm, next, sm->now + sm->machine->launch_latency);
    }
  sm->n_ended = 0;
}

/* MODEL.md, section 4: a warp gets the lowest free slot. */
static uint32_t
take_lowest_slot (WpSm *sm)
{
  uint32_t slot = sm->lowest_free;

  while (sm->taken[slot])
    slot++;
  sm->taken[slot] = true;
  sm->lowest_free = slot + 1;
  return slot;
}

/* BIT of the set WORDS, which becomes another. */
static void
move_bit (uint64_t *words, uint32_t bit, uint32_t to)
{
  uint64_t member = words[bit / 64] >> bit % 64 & 1;

  words[bit / 64] &= ~(UINT64_C (1) << bit % 64);
  words[to / 64] |= member << to % 64;
}

/* BIT of the sets that say what its warp does. */
static void
rename_bit (const WpSm *sm, WpScheduler *scheduler, uint32_t bit, uint32_t to)
{
  for (uint32_t row = 0; row <= sm->machine->n_pipelines; row++)
    move_bit (scheduler->want + (size_t)row * scheduler->n_words, bit, to);
  move_bit (scheduler->arrived, bit, to);
  wp_wake_list_rename (scheduler, bit, to);
}

/* What each warp of SCHEDULER will be called. */
static void
number_anew (WpScheduler *scheduler)
{
  uint32_t kept = 0;

  for (uint32_t word = 0; word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->live[word]; rest != 0; rest &= rest - 1)
      scheduler->warps[word * 64 + wp_lowest_bit (rest)]->bit = kept++;
}

/* Bits by age are handed out upwards, so that the order of bits is that of age; those of the warps
 * that are left move down when none is left to hand out. */
static void
renumber (WpSm *sm, WpScheduler *scheduler)
{
  uint32_t kept = 0;

  if (sm->many)
    {
      number_anew (scheduler);
      wp_wake_list_rename_all (scheduler);
    }
  for (uint32_t bit = 0; bit < scheduler->n_bits; bit++)
    {
      WpWarp *warp = scheduler->warps[bit];

      if ((scheduler->live[bit / 64] >> bit % 64 & 1) == 0)
        continue;
      if (sm->many)
        wp_ready_sets_rename (&scheduler->ready, bit, kept);
      else
        rename_bit (sm, scheduler, bit, kept);
      move_bit (scheduler->live, bit, kept);
      if (scheduler->last_bit == bit && !scheduler->last_gone)
        scheduler->last_bit = kept;
      warp->bit = kept;
      scheduler->warps[kept++] = warp;
    }
  scheduler->n_bits = kept;
}

static void
give_bit (WpSm *sm, WpScheduler *scheduler, WpWarp *warp)
{
  if (scheduler->n_bits == 64 * scheduler->n_words)
    renumber (sm, scheduler);
  warp->bit = scheduler->n_bits++;
  scheduler->live[warp->bit / 64] |= UINT64_C (1) << warp->bit % 64;
  scheduler->warps[warp->bit] = warp;
}

/* MODEL.md, section 5: a warp that starts now is ready for its first instruction, on which the ILP
 * latency comes last. As wp_sm_go_on(), where nothing else needs looking at. */
static void
go_on_at_once (WpSm *sm, WpScheduler *scheduler, WpWarp *warp)
{
  warp->state = WP_WARP_RUNNING;
  warp->ready = sm->now;
  warp->memory_ready = 0;
  warp->wait = sm->machine->n_pipelines + WP_WAIT_ILP;
  wp_scheduler_set_want (scheduler, warp->bit, warp->op->row, true);
  wp_sm_note (sm, scheduler, warp);
  wp_sm_set_arrived (sm, scheduler, warp);
}

static void
start_warp (WpSm *sm, uint32_t place, uint32_t number, uint32_t program)
{
  const WpMachine *m = sm->machine;
  WpBlock *block = &sm->blocks[place];
  uint32_t slot = take_lowest_slot (sm);
  WpWarp *warp = &sm->warps[slot];

  block->slots[number] = slot;
  warp->block = place;
  warp->warp = number;
  warp->program = program;
  warp->code = m->code + m->programs[program].first_code;
  warp->n_code = m->programs[program].n_code;
  warp->age = sm->n_aged++;
  warp->start = warp->since = warp->end = sm->now;
  warp->end_index = WP_NO_PRODUCER;
  warp->end_instr = WP_NO_INSTR;
  warp->released = WP_NEVER;
  warp->index = 0;
  warp->counter = warp->counters;
  memset (warp->stalls, 0, sizeof warp->stalls);
  for (uint32_t i = 0; i < m->programs[program].n_values; i++)
    warp->values[i] = WP_NEVER;
  if (sm->host->observes_issues)
    wp_sm_forget_writers (sm, warp);
  if (sm->host->plan->accesses != NULL)
    warp->random = wp_random_of_warp (m->seed, block->id, number);
  if (sm->flows != NULL)
    {
      wp_flow_start (&sm->flows[slot], &sm->unrolled[program], m->n_pipelines);
      wp_sm_open_stretch (sm, warp, 0);
    }
  else
    wp_sm_walk (sm, warp, 0);
  if (sm->policy->by_age)
    give_bit (sm, &sm->schedulers[warp->scheduler], warp);
  if (sm->policy->join != NULL)
    sm->policy->join (&sm->schedulers[warp->scheduler], warp->bit);
  wp_sm_invalidate (sm, &sm->schedulers[warp->scheduler]);
  if (sm->flows == NULL && warp->op != NULL)
    go_on_at_once (sm, &sm->schedulers[warp->scheduler], warp);
  else
    wp_sm_go_on (sm, warp);
  if (UNLIKELY (sm->policy->tell != NULL))
    sm->policy->tell (sm, &sm->schedulers[warp->scheduler], warp->bit, WP_TOLD_LAUNCH);
}

/* MODEL.md, section 4: block ID launches now. */
static void
launch (WpSm *sm, uint64_t id)
{
  const WpMachine *m = sm->machine;
  const WpRow *row = wp_machine_get_row (m, id);
  const WpSegment *segments = m->segments + row->first_segment;
  uint32_t place = sm->free_blocks[--sm->n_free_blocks];
  WpBlock *block = &sm->blocks[place];

  block->id = id;
  block->order = sm->n_launched++;
  block->n_live = block->n_busy = m->warps_per_block;
  block->n_arrived = 0;
  block->barrier = 0;
  if (m->n_barriers > 0)
    {
      memset (block->n_come, 0, m->n_barriers * sizeof *block->n_come);
      memset (block->latest, 0, m->n_barriers * sizeof *block->latest);
      memset (block->ahead, 0, (size_t)m->n_barriers * m->warps_per_block * sizeof *block->ahead);
    }
  sm->n_taken++; /* a block of empty programs issues nothing */
  if (sm->n_launched % sm->look_at == 0)
    wp_sm_mark (sm);
  notify_block (sm, id, true);
  wp_sm_settle_occupancy (sm, sm->now);
  sm->n_live += m->warps_per_block;
  for (uint32_t s = 0; s < row->n_segments; s++)
    {
      uint32_t end = s + 1 < row->n_segments ? segments[s + 1].first_warp : m->warps_per_block;

      for (uint32_t w = segments[s].first_warp; w < end && w < m->warps_per_block; w++)
        start_warp (sm, place, w, segments[s].program);
    }
}

/* MODEL.md, section 7, step 1: every warp whose termination time is now, by slot. */
static uint64_t
terminate_all (WpSm *sm)
{
  uint64_t n = 0;

  while (sm->n_ending > 0)
    {
      uint32_t word = sm->first_ending, slot;

      while (sm->ending[word] == 0)
        word++;
      sm->first_ending = word;
      sm->n_ending--;
      n++;
      slot = word * 64 + wp_lowest_bit (sm->ending[word]);
      sm->ending[word] &= sm->ending[word] - 1;
      terminate (sm, &sm->warps[slot]);
    }
  return n;
}

/* MODEL.md, section 7, steps 1 and 2. A round that begins with blocks that have ended goes on where
 * the host, asked before it takes a block, has kept the state. */
uint64_t
wp_sm_run_round (WpSm *sm)
{
  uint64_t n = 0;

  if (sm->n_ended == 0)
    {
      n += terminate_all (sm);
      for (; wp_queue_get_time (&sm->releases) <= sm->now; n++)
        take_release (sm);
    }
  finish_blocks (sm);
  for (; wp_queue_get_time (&sm->launches) <= sm->now; n++)
    launch (sm, wp_queue_take (&sm->launches));
  find_due (sm);
  return n;
}
