/* SPDX-License-Identifier: MIT */
#include "sim/bounds/wp-meet.h"

#include <stdlib.h>

/* ---- Making one ---- */

/* The most repeats that a barrier of PROGRAM stands in. */
static uint32_t
find_depth (const WpMachine *machine, const WpProgram *program)
{
  const WpCode *code = machine->code + program->first_code;
  uint32_t depth = 0, most = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_REPEAT)
      depth++;
    else if (code[pc].kind == WP_CODE_END)
      depth--;
    else if (machine->instrs[code[pc].arg].pipeline == WP_NO_PIPELINE && depth > most)
      most = depth;
  return most;
}

static bool
search_init (WpMeetSearch *search, const WpMeet *meet)
{
  bool done = true;

  search->states = calloc (meet->n, sizeof *search->states);
  search->ends = calloc (meet->n, sizeof *search->ends);
  if (search->states == NULL || search->ends == NULL)
    return false;
  for (uint32_t i = 0; done && i < meet->n; i++)
    done = wp_alone_state_init (&search->states[i], &meet->warps[i].scopes[0]);
  return done;
}

static void
search_clear (WpMeetSearch *search, uint32_t n)
{
  for (uint32_t i = 0; search->states != NULL && i < n; i++)
    wp_alone_state_clear (&search->states[i]);
  free (search->states);
  free (search->ends);
}

static bool
fill (WpMeet *meet, const WpMachine *machine, const WpBoundsSegment *segments,
      uint32_t first_segment)
{
  uint32_t depth = 0;
  bool done = true;

  for (uint32_t i = 0; done && i < meet->n; i++)
    {
      uint32_t program = segments[first_segment + i].program;
      uint32_t own = find_depth (machine, &machine->programs[program]);

      depth = own > depth ? own : depth;
      done = wp_alone_init (&meet->warps[i], machine, program, first_segment + i, meet->n > 1);
    }
  if (!done || meet->n == 1)
    return done;
  meet->searches = calloc ((size_t)depth + 1, sizeof *meet->searches);
  meet->n_searches = meet->searches != NULL ? depth : 0;
  done = meet->searches != NULL;
  for (uint32_t s = 0; done && s < depth; s++)
    done = search_init (&meet->searches[s], meet);
  return done;
}

bool
wp_meet_init (WpMeet *meet, const WpMachine *machine, uint32_t n, const WpBoundsSegment *segments,
              uint32_t first_segment)
{
  *meet = (WpMeet){ .n = n };
  meet->warps = calloc (n, sizeof *meet->warps);
  meet->levels = calloc (n, sizeof *meet->levels);
  if (meet->warps != NULL && meet->levels != NULL && fill (meet, machine, segments, first_segment))
    return true;
  wp_meet_clear (meet);
  return false;
}

void
wp_meet_clear (WpMeet *meet)
{
  for (uint32_t s = 0; s < meet->n_searches; s++)
    search_clear (&meet->searches[s], meet->n);
  for (uint32_t i = 0; meet->warps != NULL && i < meet->n; i++)
    wp_alone_clear (&meet->warps[i]);
  free (meet->searches);
  free (meet->warps);
  free (meet->levels);
  *meet = (WpMeet){ 0 };
}

/* ---- Searches ---- */

static uint32_t
get_least (uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* Whether WARP has not left, since STATE was kept, the repeat at DEPTH (or the innermost one, if it
 * was not so deep). */
static bool
is_inside (const WpAlone *warp, const WpAloneState *state, uint32_t depth)
{
  uint32_t level = get_least (depth, state->depth);

  if (warp->ended || warp->depth < level || warp->levels[level].scope != state->scope)
    return false;
  for (uint32_t d = 1; d < level; d++)
    if (warp->levels[d].left != state->left[d])
      return false;
  return true;
}

/* Whether SEARCH of DEPTH may find something yet. */
static bool
is_of_use (const WpMeet *meet, const WpMeetSearch *search, uint32_t depth)
{
  if (search->life == 0)
    return false;
  for (uint32_t i = 0; i < meet->n; i++)
    if (search->states[i].set && !is_inside (&meet->warps[i], &search->states[i], depth))
      return false;
  return true;
}

/* The only level of WARP that has gone round since STATE was kept, 0: none, or several have. */
static uint32_t
find_level (const WpAlone *warp, const WpAloneState *state)
{
  uint32_t level = 0;

  if (warp->depth != state->depth)
    return 0;
  for (uint32_t d = 1; d <= warp->depth; d++)
    if (warp->levels[d].left != state->left[d])
      {
        if (level != 0 || warp->levels[d].left > state->left[d])
          return 0;
        level = d;
      }
  return level;
}

/* How often what has happened since the states of SEARCH, which is of DEPTH, were kept may happen
 * again; which repeat of each warp goes round meanwhile into MEET's levels. 0: they are in other
 * states now, or only deeper repeats go round, for which there are other searches. */
static uint64_t
find_times (WpMeet *meet, const WpMeetSearch *search, uint32_t depth, const WpTrail *trail,
            WpTick now)
{
  uint32_t outermost = UINT32_MAX;
  uint64_t times = UINT64_MAX;

  for (uint32_t i = 0; i < meet->n; i++)
    {
      const WpAlone *warp = &meet->warps[i];
      const WpAloneState *state = &search->states[i];
      uint32_t level = warp->ended ? 0 : find_level (warp, state);
      uint64_t rounds;

      if (warp->ended)
        continue;
      if (level == 0 || !wp_alone_is_same (warp, state, trail, now))
        return 0;
      rounds = (warp->levels[level].left - 1) / (state->left[level] - warp->levels[level].left);
      times = rounds < times ? rounds : times;
      meet->levels[i] = level;
      outermost = get_least (outermost, level);
    }
  return outermost <= depth ? times : 0;
}

/* What has happened since the states of search S were kept happens TIMES more. */
static WpAloneStatus
skip (WpMeet *meet, uint32_t s, uint64_t times, WpTrail *trail, WpTick now)
{
  const WpMeetSearch *search = &meet->searches[s];
  const WpAloneState *any = NULL;
  WpTick period;
  uint64_t positions;

  for (uint32_t i = 0; i < meet->n; i++)
    if (!meet->warps[i].ended)
      any = &search->states[i];
  period = now - any->now;
  positions = period > 0 ? times * (trail->position - any->position) : 0;
  if (!wp_trail_fold (trail, any->n_entries, any->position, times, period > 0))
    return WP_ALONE_NO_MEMORY;
  for (uint32_t i = 0; i < meet->n; i++)
    {
      if (meet->warps[i].ended)
        continue;
      if (!wp_alone_skip (&meet->warps[i], &search->states[i], meet->levels[i], times, period,
                          positions, &search->ends[i]))
        return WP_ALONE_OVERFLOW;
      for (uint32_t t = 0; t < s; t++)
        wp_alone_end_join (&meet->searches[t].ends[i], search->ends[i]);
    }
  return WP_ALONE_MORE;
}

static void
keep (WpMeet *meet, WpMeetSearch *search, uint32_t depth, const WpTrail *trail, WpTick now)
{
  search->age = 0;
  for (uint32_t i = 0; i < meet->n; i++)
    {
      const WpAlone *warp = &meet->warps[i];

      search->states[i].set = false;
      search->ends[i].time = -1;
      if (!warp->ended)
        wp_alone_keep (warp, &search->states[i], warp->levels[get_least (depth, warp->depth)].scope,
                       trail, now);
    }
}

/* Rounds of meet->levels are about to be skipped, which search S has found. It goes on itself where
 * some of these repeats are deeper than it looks for, so that a period of the outer ones is found
 * yet. */
static void
begin_anew (WpMeet *meet, uint32_t s)
{
  bool exhausted = true;

  for (uint32_t i = 0; i < meet->n; i++)
    exhausted &= meet->warps[i].ended || meet->levels[i] <= s + 1;
  for (uint32_t t = exhausted ? s : s + 1; t < meet->n_searches; t++)
    meet->searches[t].life = 0;
}

/* The warps have just been released together, NOW. A period of outer repeats goes before one of
 * inner ones, and these are searched for anew after it. */
static WpAloneStatus
look_for_period (WpMeet *meet, WpTrail *trail, WpTick now)
{
  for (uint32_t s = 0; s < meet->n_searches; s++)
    {
      WpMeetSearch *search = &meet->searches[s];
      uint64_t times;

      if (!is_of_use (meet, search, s + 1))
        search->life = 0;
      times = search->life > 0 ? find_times (meet, search, s + 1, trail, now) : 0;
      if (times > 0)
        {
          begin_anew (meet, s);
          return skip (meet, s, times, trail, now);
        }
      if (search->life > 0 && ++search->age < search->life)
        continue;
      search->life = search->life == 0 ? 1 : 2 * search->life;
      keep (meet, search, s + 1, trail, now);
    }
  return WP_ALONE_MORE;
}

/* ---- Meetings ---- */

static void
release (WpMeet *meet, uint32_t i, WpAloneEnd last)
{
  WpAlone *warp = &meet->warps[i];
  WpTick latency = warp->machine->barrier_latency;
  WpAloneEnd end = wp_alone_forget (warp);

  wp_alone_release (warp, last.time + latency, last.length + latency, last.at);
  wp_alone_end_join (&end, wp_alone_forget (warp));
  for (uint32_t s = 0; s < meet->n_searches; s++)
    wp_alone_end_join (&meet->searches[s].ends[i], end);
}

WpAloneStatus
wp_meet_release (WpMeet *meet, WpTrail *trail)
{
  WpAloneEnd last = { .time = -1 };
  bool some = false;

  for (uint32_t i = 0; i < meet->n; i++)
    {
      const WpAlone *warp = &meet->warps[i];
      WpAloneEnd arrival
          = warp->waits ? (WpAloneEnd){ .time = warp->last, .at = warp->last_position } : warp->end;

      some |= warp->waits;
      if (arrival.time > last.time)
        last = arrival;
    }
  if (!some)
    return WP_ALONE_STOPPED;
  for (uint32_t i = 0; i < meet->n; i++)
    if (meet->warps[i].waits)
      release (meet, i, last);
  return look_for_period (meet, trail, last.time + meet->warps[0].machine->barrier_latency);
}
