/* SPDX-License-Identifier: MIT */
/* When each scheduler of an SM is to be visited, and who is next: of several at one time, the first
 * in rotation (MODEL.md, section 7, step 3).
 *
 * A visit is a key as in a WpKeyList, a time x 64 + a place, so that the lowest of all keys says
 * both when and whose. Each scheduler has two, in two rounds of `room` places, a power of 2:
 *
 *   place       0    1    2    3    4    5    6    7
 *   scheduler   0    1    2    3    0    1    2    3
 *                         ^ turn         ^ the lowest of these `room` keys is the next visit
 *
 * The rotation begins at `turn`: places from there on are in its order. Where there are fewer
 * schedulers than places, the others never come. Private; plain C11. Inline, as it is part of each
 * issue.
 */
#pragma once

#include "sim/base/wp-compiler.h"
#include "sim/base/wp-key-list.h"

#define WP_VISITS_ROOM 32                   /* schedulers */
#define WP_VISITS_FEW 4                     /* those of an SM on most GPUs */
#define WP_VISIT_LATEST (INT64_C (1) << 56) /* later times are kept as this one */

typedef struct
{
  uint32_t turn; /* below `room` */
  uint64_t keys[2 * WP_VISITS_ROOM];
} WpVisits;

/* A visit at TIME, earlier than twice WP_VISIT_LATEST, whose place is not said yet. */
static INLINE uint64_t
wp_visit_at (WpTick time)
{
  return (uint64_t)time << 6;
}

/* The same for any time; WP_TICK_LIMIT: never. */
static INLINE uint64_t
wp_visit_at_any (WpTick time)
{
  if (UNLIKELY (time > WP_VISIT_LATEST))
    return time == WP_TICK_LIMIT ? WP_KEY_NEVER : wp_visit_at (WP_VISIT_LATEST);
  return wp_visit_at (time);
}

/* When; of a visit that never comes, twice WP_VISIT_LATEST or later. */
static INLINE WpTick
wp_visit_get_time (uint64_t key)
{
  return (WpTick)(key >> 6);
}

/* The same, but WP_TICK_LIMIT: never. */
static INLINE WpTick
wp_visit_get_any_time (uint64_t key)
{
  WpTick time = wp_visit_get_time (key);

  return time < 2 * WP_VISIT_LATEST ? time : WP_TICK_LIMIT;
}

/* The places of a round: WP_VISITS_FEW where N schedulers have room in these. */
static INLINE uint32_t
wp_visits_find_room (uint32_t n)
{
  uint32_t room = WP_VISITS_FEW;

  while (room < n)
    room *= 2;
  return room;
}

/* In all that follows ROOM is the places of a round, which a caller knows better than memory. */

/* SCHEDULER is to be visited when KEY says, whatever its place. */
static INLINE void
wp_visits_put (WpVisits *visits, uint32_t scheduler, uint64_t key, const uint32_t room)
{
  key = (key & ~UINT64_C (63)) | scheduler;
  visits->keys[scheduler] = key;
  visits->keys[scheduler + room] = key | room;
}

/* Whose visit KEY is. */
static INLINE uint32_t
wp_visit_get_scheduler (uint64_t key, const uint32_t room)
{
  return (uint32_t)key & (room - 1);
}

/* SCHEDULER has issued: the next one comes first in rotation, or the first one. */
static INLINE void
wp_visits_rotate (WpVisits *visits, uint32_t scheduler, const uint32_t room)
{
  visits->turn = (scheduler + 1) & (room - 1);
}

/* The next visit. */
static INLINE uint64_t
wp_visits_get_first (const WpVisits *visits, const uint32_t room)
{
  const uint64_t *keys = visits->keys + visits->turn;
  uint64_t a = keys[0], b = keys[2];

  a = keys[1] < a ? keys[1] : a;
  b = keys[3] < b ? keys[3] : b;
  for (uint32_t i = 4; i < room; i++)
    a = keys[i] < a ? keys[i] : a;
  return a < b ? a : b;
}

/* The place in the order of rotation of the first of SET, not empty. */
static INLINE uint32_t
wp_visits_find_place (const WpVisits *visits, uint64_t set, const uint32_t room)
{
  uint64_t ahead = set >> visits->turn;

  return ahead != 0 ? wp_lowest_bit (ahead) + visits->turn : wp_lowest_bit (set) + room;
}

/* No scheduler is to be visited yet; the rotation begins at TURN. */
static INLINE void
wp_visits_init (WpVisits *visits, uint32_t turn, const uint32_t room)
{
  visits->turn = turn;
  for (uint32_t i = 0; i < 2 * room; i++)
    visits->keys[i] = WP_KEY_NEVER;
}
