/* SPDX-License-Identifier: MIT */
/* States of a warp, relative to a time. A latency that has run out by then sets no later issue's
 * time; one that ends just then may still be named as what set it, so it counts as part of the
 * state.
 */
#include "sim/bounds/wp-alone.h"

#include <stdlib.h>
#include <string.h>

bool
wp_alone_state_init (WpAloneState *state, const WpAloneScope *scope)
{
  *state = (WpAloneState){ .life = 1 };
  state->ages = calloc ((size_t)scope->n_reads + 1, sizeof *state->ages);
  state->backs = calloc ((size_t)scope->n_reads + 1, sizeof *state->backs);
  return state->ages != NULL && state->backs != NULL;
}

void
wp_alone_state_clear (WpAloneState *state)
{
  free (state->ages);
  free (state->backs);
  state->ages = NULL;
  state->backs = NULL;
}

/* How long before NOW something happened at TIME (-1: never) that matters for REACH; -1: it does
 * not any more. */
static WpTick
get_age (WpTick now, WpTick time, WpTick reach)
{
  return time < 0 || now - time > reach ? -1 : now - time;
}

static WpTick
get_read_age (const WpAlone *alone, const WpAloneRead *read, WpTick now)
{
  return get_age (now, alone->issued_at[read->instr], read->reach);
}

void
wp_alone_keep (const WpAlone *alone, WpAloneState *state, const WpAloneScope *scope,
               const WpTrail *trail, WpTick now)
{
  state->set = true;
  state->scope = scope;
  state->age = 0;
  state->now = now;
  state->last = get_age (now, alone->last, alone->machine->ilp_latency);
  state->last_back = trail->position - alone->last_position;
  state->release = get_age (now, alone->release, 0);
  state->release_length = alone->release_length;
  state->release_back = trail->position - alone->release_position;
  state->group = alone->group;
  state->slots = alone->slots;
  state->used = alone->used;
  state->after_barrier = alone->after_barrier;
  state->position = trail->position;
  state->n_entries = wp_trail_count (trail);
  state->pc = alone->pc;
  state->depth = alone->depth;
  for (uint32_t d = 1; d <= alone->depth; d++)
    state->left[d] = alone->levels[d].left;
  state->counts = alone->counts;
  for (uint32_t i = 0; i < scope->n_reads; i++)
    {
      state->ages[i] = get_read_age (alone, &scope->reads[i], now);
      state->backs[i] = trail->position - alone->position[scope->reads[i].instr];
    }
}

static bool
is_same_last (const WpAlone *alone, const WpAloneState *state, const WpTrail *trail, WpTick now)
{
  return state->last == get_age (now, alone->last, alone->machine->ilp_latency)
         && (state->last < 0 || now == state->now
             || state->last_back == trail->position - alone->last_position);
}

static bool
is_same_release (const WpAlone *alone, const WpAloneState *state, const WpTrail *trail, WpTick now)
{
  if (state->release != get_age (now, alone->release, 0))
    return false;
  return state->release < 0 || now == state->now
         || (state->release_length == alone->release_length
             && state->release_back == trail->position - alone->release_position);
}

bool
wp_alone_is_same (const WpAlone *alone, const WpAloneState *state, const WpTrail *trail, WpTick now)
{
  const WpAloneScope *scope = state->scope;

  if (alone->pc != state->pc || alone->depth != state->depth || alone->group != state->group
      || alone->slots != state->slots || alone->used != state->used
      || alone->after_barrier != state->after_barrier || !is_same_last (alone, state, trail, now)
      || !is_same_release (alone, state, trail, now))
    return false;
  for (uint32_t i = 0; i < scope->n_reads; i++)
    {
      uint64_t back = trail->position - alone->position[scope->reads[i].instr];

      if (state->ages[i] != get_read_age (alone, &scope->reads[i], now)
          || (state->ages[i] >= 0 && state->backs[i] != back && now > state->now))
        return false;
    }
  return true;
}

WpAloneEnd
wp_alone_forget (WpAlone *alone)
{
  WpAloneEnd end = { .time = -1 };

  for (uint32_t d = alone->depth + 1; d-- > 0;)
    {
      WpAloneLevel *level = &alone->levels[d];

      wp_alone_end_join (&end, level->end);
      level->end.time = -1;
      level->skipped = false;
      level->state->set = false;
      level->state->life = 1;
    }
  return end;
}

/* ---- Skipping ---- */

static uint64_t
move_count (uint64_t count, uint64_t kept, uint64_t times)
{
  return count + times * (count - kept);
}

static void
skip_counts (WpAloneCounts *counts, const WpAloneCounts *kept, uint64_t times)
{
  counts->singles = move_count (counts->singles, kept->singles, times);
  counts->groups = move_count (counts->groups, kept->groups, times);
  counts->filled = move_count (counts->filled, kept->filled, times);
  counts->n_walked = move_count (counts->n_walked, kept->n_walked, times);
  wp_sum_add_times (&counts->reissues, wp_sum_subtract (counts->reissues, kept->reissues), times);
}

/* END comes again, so much later. False: beyond the limit. */
static bool
skip_end (WpAlone *alone, WpTick by, uint64_t positions, WpAloneEnd *end)
{
  if (end->time < 0)
    return true;
  if (end->time >= WP_TICK_LIMIT - by)
    return false;
  end->time += by;
  end->at += positions;
  wp_alone_end_join (&alone->end, *end);
  return true;
}

bool
wp_alone_skip (WpAlone *alone, const WpAloneState *state, uint32_t level, uint64_t times,
               WpTick period, uint64_t positions, WpAloneEnd *end)
{
  const WpAloneScope *scope = alone->levels[level].scope;
  uint32_t rounds = state->left[level] - alone->levels[level].left;
  WpTick by;

  if (period > 0 && times >= (uint64_t)(WP_TICK_LIMIT / period))
    return false;
  by = (WpTick)times * period;
  if (alone->last >= WP_TICK_LIMIT - by || alone->release >= WP_TICK_LIMIT - by
      || !skip_end (alone, by, positions, end))
    return false;
  for (uint32_t i = scope->first_instr; i < scope->end_instr; i++)
    {
      alone->issued_at[i] += by;
      alone->position[i] += positions;
    }
  alone->last += by;
  alone->last_position += positions;
  if (alone->release >= 0 && alone->release_position >= state->position)
    {
      alone->release += by;
      alone->release_position += positions;
    }
  alone->levels[level].left -= (uint32_t)times * rounds;
  skip_counts (&alone->counts, &state->counts, times);
  return true;
}
