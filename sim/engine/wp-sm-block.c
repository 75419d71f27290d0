/* SPDX-License-Identifier: MIT */
/* Rounds: what is due at a time but issue (MODEL.md, section 7, steps 1 and 2), block by block. */
#include "sim/engine/steady/wp-replicas.h"
#include "sim/engine/wp-sm-wait.h"

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

void
wp_sm_end_at (WpSm *sm, WpWarp *warp, WpTick time)
{
  uint32_t slot = wp_sm_get_slot (sm, warp);
  uint32_t word = slot / 64;

  if (time > sm->now || sm->ahead)
    {
      wp_wheel_put (&sm->wheel, slot, time);
      sm->limit = time < sm->limit ? time : sm->limit;
      return;
    }
  sm->limit = sm->now;
  if (sm->n_ending == 0 || word < sm->first_ending)
    sm->first_ending = word;
  if (sm->n_ending == 0 || word > sm->last_ending)
    sm->last_ending = word;
  sm->ending[word] |= UINT64_C (1) << slot % 64;
  sm->n_ending++;
}

void
wp_sm_settle_occupancy (WpSm *sm, WpTick now)
{
  wp_sum_add_product (&sm->result->occupied, sm->n_live, (uint64_t)(now - sm->occupied_since));
  sm->occupied_since = now;
}

static void
change_occupancy (WpSm *sm, uint32_t more, uint32_t fewer)
{
  wp_sm_settle_occupancy (sm, sm->now);
  sm->n_live += more;
  sm->n_live -= fewer;
}

/* Warps for which the barrier is the last instruction terminate at its release, or when the rest is
 * complete. Where that lies ahead it is known now, and so they go with the first of those that
 * terminate at that time; a release at once comes after the terminations of its round, and theirs
 * belong to the next. */
static void
end_at_release (WpSm *sm, const WpBlock *block)
{
  for (uint32_t i = 0; i < sm->machine->warps_per_block; i++)
    {
      WpWarp *warp = &sm->warps[block->slots[i]];

      if (warp->state != WP_WARP_HELD)
        continue;
      wp_sm_complete_barrier (warp, block->release);
      warp->ends_at_release = wp_sm_is_through (sm, warp);
      if (warp->ends_at_release)
        wp_sm_end_at (sm, warp, warp->end);
    }
}

/* All warps of the block in PLACE that have not terminated are at the barrier. */
static void
decide_release (WpSm *sm, uint32_t place)
{
  WpBlock *block = &sm->blocks[place];
  WpDevice *device = sm->device;
  WpReleaseEvent event = { .time = sm->now, .sm = sm->id, .block = block->id };

  block->release = sm->now + sm->machine->barrier_latency;
  if (wp_device_overflows (device, block->release, "a barrier's release", sm->id, block->id,
                           UINT32_MAX))
    {
      sm->limit = sm->now;
      return;
    }
  block->n_arrived = 0;
  if (block->release > sm->now)
    end_at_release (sm, block);
  wp_queue_put (&sm->releases, block->release, place);
  find_due (sm);
  event.release = block->release;
  event.barrier = block->barrier++;
  WP_DEVICE_NOTIFY (device, barrier_release, &event);
}

void
wp_sm_arrive (WpSm *sm, WpWarp *warp)
{
  WpBlock *block = &sm->blocks[warp->block];

  warp->state = WP_WARP_HELD;
  wp_sm_note (sm, &sm->schedulers[warp->scheduler], warp);
  if (++block->n_arrived == block->n_live)
    decide_release (sm, warp->block);
}

static void
tell_warp_end (WpSm *sm, const WpWarp *warp)
{
  WpWarpEvent event = { .sm = sm->id,
                        .slot = wp_sm_get_slot (sm, warp),
                        .scheduler = warp->scheduler,
                        .block = sm->blocks[warp->block].id,
                        .warp = warp->warp,
                        .age = warp->age,
                        .start = warp->start,
                        .end = warp->end,
                        .issued = warp->index,
                        .producer = warp->end_index,
                        .producer_instr = warp->end_instr };

  memcpy (event.stalls, warp->stalls, sizeof event.stalls);
  WP_DEVICE_NOTIFY (sm->device, warp_end, &event);
}

static void
terminate (WpSm *sm, WpWarp *warp)
{
  WpBlock *block = &sm->blocks[warp->block];
  WpScheduler *scheduler = &sm->schedulers[warp->scheduler];
  WpResult *result = sm->result;

  warp->state = WP_WARP_FREE;
  warp->ends_at_release = false;
  wp_sm_note (sm, scheduler, warp);
  if (sm->watched == warp)
    sm->watched = NULL;
  wp_sm_invalidate (sm, scheduler);
  scheduler->last_gone |= warp->bit == scheduler->last_bit;
  if (sm->policy->by_age)
    scheduler->live[warp->bit / 64] &= ~(UINT64_C (1) << warp->bit % 64);
  warp->stalls[WP_STALL_DRAIN] = warp->end - warp->since;
  wp_sum_add (&result->stalls[WP_STALL_DRAIN], (uint64_t)warp->stalls[WP_STALL_DRAIN]);
  wp_sum_add (&result->lifetimes, (uint64_t)(warp->end - warp->start));
  result->warps++;
  result->elapsed = warp->end > result->elapsed ? warp->end : result->elapsed;
  change_occupancy (sm, 0, 1);
  if (sm->policy->leave != NULL)
    sm->policy->leave (scheduler, warp->bit);
  tell_warp_end (sm, warp);
  if (--block->n_live == 0)
    sm->ended[sm->n_ended++] = warp->block;
  else if (block->n_arrived == block->n_live) /* n_arrived is 0 once the release is decided */
    decide_release (sm, warp->block);
}

static void
release (WpSm *sm, WpBlock *block)
{
  const WpMachine *m = sm->machine;

  for (uint32_t i = 0; i < m->warps_per_block; i++)
    {
      WpWarp *warp = &sm->warps[block->slots[i]];

      if (warp->state != WP_WARP_HELD)
        continue;
      warp->released = block->release;
      wp_sm_complete_barrier (warp, block->release);
      if (sm->flows != NULL)
        wp_flow_open (&sm->flows[block->slots[i]], m, sm->flows[block->slots[i]].stretch_end + 1,
                      sm->now);
      if (sm->flows != NULL && sm->flows[block->slots[i]].n_left == 0)
        sm->flows[block->slots[i]].barrier_ready = warp->end;
      wp_sm_go_on (sm, warp);
    }
}

static void
tell_block (WpSm *sm, uint64_t block, bool launch)
{
  WpBlockEvent event = { sm->now, sm->id, block };

  if (launch)
    WP_DEVICE_NOTIFY (sm->device, block_launch, &event);
  else
    WP_DEVICE_NOTIFY (sm->device, block_end, &event);
}

/* Blocks whose last warp has terminated give back what they hold, and the dispatcher hands out the
 * next. */
static void
finish_blocks (WpSm *sm)
{
  if (sm->n_ended > 0 && sm->count > 1)
    wp_replicas_ask (sm->device, sm);
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
      tell_block (sm, block->id, false);
      if (wp_device_take_block (sm->device, sm, &next)
          && !wp_device_overflows (sm->device, sm->now + sm->machine->launch_latency,
                                   "a block's launch", sm->id, next, UINT32_MAX))
        wp_sm_hand_out (sm, next, sm->now + sm->machine->launch_latency);
    }
  sm->n_ended = 0;
}

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

static void
rename_wakes (WpWakeList *wakes, uint32_t bit, uint32_t to)
{
  for (uint64_t *key = wakes->first; key != wakes->end; key++)
    if (*key % 64 == bit)
      *key -= bit - to;
}

/* Bits by age are handed out upwards, so that the order of bits is that of age; those of the warps
 * that are left move down when none is left to hand out. */
static void
renumber (WpSm *sm, WpScheduler *scheduler)
{
  uint32_t kept = 0;

  for (uint32_t bit = 0; bit < scheduler->n_bits; bit++)
    {
      WpWarp *warp = scheduler->warps[bit];

      if ((scheduler->live[bit / 64] >> bit % 64 & 1) == 0)
        continue;
      for (uint32_t row = 0; row <= sm->machine->n_pipelines; row++)
        move_bit (scheduler->want + (size_t)row * scheduler->n_words, bit, kept);
      move_bit (scheduler->arrived, bit, kept);
      move_bit (scheduler->live, bit, kept);
      rename_wakes (&scheduler->near, bit, kept);
      rename_wakes (&scheduler->far, bit, kept);
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
  if (sm->device->observes_issues)
    wp_sm_forget_writers (sm, warp);
  if (m->contended)
    warp->random = wp_random_of_warp (m->seed, block->id, number);
  if (sm->flows != NULL)
    {
      wp_flow_start (&sm->flows[slot], &sm->unrolled[program], m->n_pipelines);
      wp_flow_open (&sm->flows[slot], m, 0, sm->now);
      if (sm->flows[slot].n_left == 0 && sm->flows[slot].stretch_end < sm->unrolled[program].n)
        sm->flows[slot].barrier_ready = sm->now;
    }
  else
    wp_sm_walk (sm, warp, 0);
  if (sm->policy->by_age)
    give_bit (sm, &sm->schedulers[warp->scheduler], warp);
  if (sm->policy->join != NULL)
    sm->policy->join (&sm->schedulers[warp->scheduler], warp->bit);
  wp_sm_invalidate (sm, &sm->schedulers[warp->scheduler]);
  wp_sm_go_on (sm, warp);
}

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
  block->n_live = m->warps_per_block;
  block->n_arrived = 0;
  block->barrier = 0;
  sm->n_taken++; /* a block of empty programs issues nothing */
  if (sm->n_launched % sm->look_at == 0)
    wp_sm_mark (sm);
  tell_block (sm, id, true);
  change_occupancy (sm, m->warps_per_block, 0);
  for (uint32_t s = 0; s < row->n_segments; s++)
    {
      uint32_t end = s + 1 < row->n_segments ? segments[s + 1].first_warp : m->warps_per_block;

      for (uint32_t w = segments[s].first_warp; w < end && w < m->warps_per_block; w++)
        start_warp (sm, place, w, segments[s].program);
    }
}

/* By slot. */
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

/* One round of steps 1 and 2; returns how many things happened. One that begins with blocks that
 * have ended goes on where wp_replicas_ask() has kept it. */
uint64_t
wp_sm_run_round (WpSm *sm)
{
  uint64_t n = 0;

  if (sm->n_ended == 0)
    {
      n += terminate_all (sm);
      for (; wp_queue_get_time (&sm->releases) <= sm->now; n++)
        release (sm, &sm->blocks[wp_queue_take (&sm->releases)]);
    }
  finish_blocks (sm);
  for (; wp_queue_get_time (&sm->launches) <= sm->now; n++)
    launch (sm, wp_queue_take (&sm->launches));
  find_due (sm);
  return n;
}
