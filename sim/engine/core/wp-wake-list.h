/* SPDX-License-Identifier: MIT */
/* Who waits until when: each warp that runs and is not ready, until it may be, and each that has
 * issued all, until it terminates. One interface for every mode; a warp is in the list at most
 * once.
 *
 * Behind it are two structures, as neither is good enough for both uses. An SM's timing wheel takes
 * any number of warps and any time, at a cost that is always the same. In the fast loop
 * (wp-sm-fast.c), where schedulers run ahead of one another, warps that are to be ready are in two
 * short sorted lists of their scheduler instead, those for soon and those for later; they hold 64
 * warps and times below WP_FAST_LIMIT. Measured in machine instructions on the runs of
 * bench/baseline.json: with a wheel for each scheduler in the place of the lists 1% to 270% more
 * (`volkov-mix` 255%, `vector-add` 30%), with one list in the place of the two up to 57% more.
 * Warps that end are in one list of the SM then: most end in the order in which they issue their
 * last instruction, and a wheel takes 200 machine instructions for each. Private to the engine;
 * plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* wp_wake_list_put() in the loop of wp-sm-many.c: into the lists of SCHEDULER. False: the wheel is
 * to have it. A policy with lists wants to be told of memory, as the wheel does. */
static INLINE bool
wp_wake_list_put_of (const WpSm *sm, WpScheduler *scheduler, const WpWarp *warp, WpTick now,
                     WpTick time)
{
  if (sm->policy->update != NULL && warp->memory_ready > now)
    return false;
  return wp_key_queue_put (time - now > sm->near ? &scheduler->late : &scheduler->soon, time,
                           warp->bit);
}

/* Puts WARP, which is in no list, into the wheel until TIME. */
static INLINE void
wp_wake_list_put_into_wheel (WpSm *sm, const WpWarp *warp, WpTick time)
{
  wp_wheel_put (&sm->wheel, wp_sm_get_slot (sm, warp), time);
  sm->limit = time < sm->limit ? time : sm->limit;
}

/* In the fast loop: puts BIT's warp, which is in no list, where it waits at NOW until TIME, later,
 * when it may be ready. Where schedulers go on in step, `wake` says when the first of a scheduler's
 * may be, so that its lists are looked at only then. */
static INLINE void
wp_wake_list_put_fast (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTick now, WpTick time)
{
  if (UNLIKELY (time >= WP_FAST_LIMIT))
    wp_wake_list_put_into_wheel (sm, scheduler->own_warps[bit], time);
  else
    {
      uint64_t key = wp_key_make (time, bit);

      wp_key_list_put (time - now > sm->near ? &scheduler->far : &scheduler->near, key);
      scheduler->wake = key < scheduler->wake ? key : scheduler->wake;
    }
}

/* The same of WARP in every mode. */
static INLINE void
wp_wake_list_put (WpSm *sm, WpScheduler *scheduler, const WpWarp *warp, WpTick now, WpTick time)
{
  if (sm->fast)
    wp_wake_list_put_fast (sm, scheduler, warp->bit, now, time);
  else if (!sm->many || !wp_wake_list_put_of (sm, scheduler, warp, now, time))
    wp_wake_list_put_into_wheel (sm, warp, time);
}

/* The same for WARP's termination. */
static inline void
wp_wake_list_put_end (WpSm *sm, const WpWarp *warp, WpTick time)
{
  if (sm->fast)
    wp_slot_list_put (&sm->ends, wp_sm_get_slot (sm, warp), time);
  else
    wp_wheel_put (&sm->wheel, wp_sm_get_slot (sm, warp), time);
  sm->limit = time < sm->limit ? time : sm->limit;
}

/* When WARP is due, where it is in the list (not in the fast loop). */
static inline WpTick *
wp_wake_list_get_time (const WpSm *sm, const WpWarp *warp)
{
  return &sm->wheel.times[wp_sm_get_slot (sm, warp)];
}

/* Whether WARP is in the list, when what is due now has been taken (not in the fast loop). */
static inline bool
wp_wake_list_has (const WpSm *sm, const WpWarp *warp)
{
  return *wp_wake_list_get_time (sm, warp) > sm->now;
}

/* WARP waits until TIME, later than now, where it has not waited until an earlier time (not in the
 * fast loop). */
static inline void
wp_wake_list_put_first (WpSm *sm, const WpWarp *warp, WpTick time)
{
  uint32_t slot = wp_sm_get_slot (sm, warp);

  if (wp_wake_list_has (sm, warp))
    {
      if (sm->wheel.times[slot] <= time)
        return;
      wp_wheel_remove (&sm->wheel, slot);
    }
  wp_wake_list_put_end (sm, warp, time);
}

/* When the first of the SM's list is due, or WP_TICK_LIMIT. Not of those of a scheduler. */
static inline WpTick
wp_wake_list_get_next (const WpSm *sm)
{
  WpTick end = wp_slot_list_get_next (&sm->ends);

  return end < sm->wheel.next ? end : sm->wheel.next;
}

/* In the fast loop: takes out a warp that ends now: its slot, or WP_NO_SLOT. */
static inline uint32_t
wp_wake_list_take_end (WpSm *sm)
{
  return wp_slot_list_get_next (&sm->ends) <= sm->now ? wp_slot_list_take (&sm->ends) : WP_NO_SLOT;
}

/* Takes out the others that are due now: the first slot, or WP_NO_SLOT. */
static inline uint32_t
wp_wake_list_take (WpSm *sm)
{
  return sm->wheel.next <= sm->now ? wp_wheel_take (&sm->wheel, sm->now) : WP_NO_SLOT;
}

/* The slot that was taken with SLOT, or WP_NO_SLOT. */
static inline uint32_t
wp_wake_list_get_following (const WpSm *sm, uint32_t slot)
{
  return sm->wheel.links[slot];
}

/* In the fast loop: the key of the first of SCHEDULER's that is due, or WP_KEY_NEVER. */
static inline uint64_t
wp_wake_list_get_next_key_of (const WpScheduler *scheduler)
{
  uint64_t near = *scheduler->near.first, far = *scheduler->far.first;

  return near < far ? near : far;
}

/* The same: when it is due, or WP_TICK_LIMIT. */
static inline WpTick
wp_wake_list_get_next_of (const WpScheduler *scheduler)
{
  uint64_t key = wp_wake_list_get_next_key_of (scheduler);

  return key == WP_KEY_NEVER ? WP_TICK_LIMIT : wp_key_get_time (key);
}

/* In the loop of wp-sm-many.c: when the first of SCHEDULER's is due, or WP_TICK_LIMIT. */
static inline WpTick
wp_wake_list_get_next_of_many (const WpScheduler *scheduler)
{
  uint64_t soon = *scheduler->soon.first, late = *scheduler->late.first;

  return wp_key_queue_get_time (&scheduler->soon, soon < late ? soon : late);
}

/* In the fast loop: takes out those of SCHEDULER that are due at NOW, as a set. */
static inline uint64_t
wp_wake_list_take_of (WpScheduler *scheduler, WpTick now)
{
  uint64_t later = wp_key_make_later (now);

  return wp_key_list_take (&scheduler->near, later) | wp_key_list_take (&scheduler->far, later);
}

/* Takes out of LIST those of WANT that are due by TIME, up to the first that is not; as a set. That
 * may be before their time, and so other keys may come that are earlier than theirs: which makes
 * what is left of theirs 0. */
static INLINE uint64_t
wp_wake_list_take_wanting (WpKeyList *list, uint64_t want, WpTick time)
{
  uint64_t later = wp_key_make_later (time), taken = 0;

  for (; *list->first < later && (wp_key_get_set (*list->first) & want) != 0; *list->first++ = 0)
    taken |= wp_key_get_set (*list->first);
  return taken;
}

/* WARP of SCHEDULER is called TO, which is lower, from now on. */
static inline void
wp_wake_list_rename (WpScheduler *scheduler, uint32_t bit, uint32_t to)
{
  wp_key_list_rename (&scheduler->near, bit, to);
  wp_key_list_rename (&scheduler->far, bit, to);
}

/* In the loop of wp-sm-many.c: the warps of SCHEDULER are called what they say from now on; what
 * they were called is where scheduler->warps[] has them. */
void wp_wake_list_rename_all (WpScheduler *scheduler);

/* Empties the list, and lets it begin now. */
void wp_wake_list_reset (WpSm *sm);

/* Makes TO's the same as FROM's. */
void wp_wake_list_copy (WpSm *to, const WpSm *from);

/* The fast loop is given up: those of the schedulers' lists go where the others are. Who is due by
 * now may not have been taken yet: nobody has looked; they arrive. */
void wp_wake_list_leave_fast_loop (WpSm *sm);

_Static_assert(64 + WP_MAX_STRETCH + 2 <= WP_KEY_LIST_ROOM,
               "64 warps may wait when a stretch begins, between the keys at both ends");

/* SCHEDULER may now put as many as it issues in a stretch, by wp_wake_cursor_put(). */
static inline void
wp_wake_list_reserve (WpScheduler *scheduler)
{
  wp_key_list_reserve (&scheduler->near, WP_MAX_STRETCH);
}

/* ---- The fast loop's hold of a scheduler's list ----
 *
 * What that loop works on most is in variables, which a machine keeps in registers. */
typedef struct
{
  uint64_t head;         /* *first */
  uint64_t *first, *end; /* of the near list */
  uint64_t far;          /* the first of the other */
} WpWakeCursor;

static INLINE void
wp_wake_cursor_load (WpWakeCursor *cursor, const WpScheduler *scheduler)
{
  cursor->first = scheduler->near.first;
  cursor->end = scheduler->near.end;
  cursor->far = *scheduler->far.first;
  cursor->head = *cursor->first;
}

static INLINE void
wp_wake_cursor_store (const WpWakeCursor *cursor, WpScheduler *scheduler)
{
  scheduler->near.first = cursor->first;
  scheduler->near.end = cursor->end;
}

/* When the first is due; where nobody waits, WP_WAKE_CURSOR_NEVER. */
#define WP_WAKE_CURSOR_NEVER ((WpTick)(WP_KEY_NEVER >> 6))
static INLINE WpTick
wp_wake_cursor_get_next (const WpWakeCursor *cursor)
{
  return wp_key_get_time (cursor->head < cursor->far ? cursor->head : cursor->far);
}

/* Takes out those that are due at TIME, mostly one, and adds them to SET. */
static INLINE uint64_t
wp_wake_cursor_take (WpWakeCursor *cursor, WpScheduler *scheduler, WpTick time, uint64_t set)
{
  uint64_t later = wp_key_make_later (time);

  if (cursor->head < later)
    {
      set |= wp_key_get_set (cursor->head);
      cursor->head = *++cursor->first;
      if (UNLIKELY (cursor->head < later))
        {
          scheduler->near.first = cursor->first;
          set |= wp_key_list_take (&scheduler->near, later);
          cursor->first = scheduler->near.first;
          cursor->head = *cursor->first;
        }
    }
  if (UNLIKELY (cursor->far < later))
    {
      set |= wp_key_list_take (&scheduler->far, later);
      cursor->far = *scheduler->far.first;
    }
  return set;
}

/* Whether nobody is due before TIME, or, of the near list, one of WANT alone. */
static INLINE bool
wp_wake_cursor_has_one_at_most (const WpWakeCursor *cursor, uint64_t want, WpTick time)
{
  uint64_t later = wp_key_make (time, 0);

  if (cursor->far < later)
    return false;
  return cursor->head >= later
         || ((want >> cursor->head % 64 & 1) != 0 && cursor->first[1] >= later);
}

/* Takes out those of WANT that are due by TIME, of each list up to the first that is not; as a
 * set. */
static INLINE uint64_t
wp_wake_cursor_take_wanting (WpWakeCursor *cursor, WpScheduler *scheduler, uint64_t want,
                             WpTick time)
{
  uint64_t later = wp_key_make_later (time), taken = 0;

  for (; cursor->head < later && (wp_key_get_set (cursor->head) & want) != 0;
       cursor->head = *cursor->first)
    {
      taken |= wp_key_get_set (cursor->head);
      *cursor->first++ = 0; /* as in wp_wake_list_take_wanting() */
    }
  if (UNLIKELY (cursor->far < later))
    {
      taken |= wp_wake_list_take_wanting (&scheduler->far, want, time);
      cursor->far = *scheduler->far.first;
    }
  return taken;
}

/* Puts BIT until TIME, within WP_NEAR_CYCLES; wp_wake_list_reserve() was called. */
static INLINE void
wp_wake_cursor_put (WpWakeCursor *cursor, WpTick time, uint32_t bit)
{
  wp_key_list_insert (&cursor->end, wp_key_make (time, bit));
  cursor->head = *cursor->first;
}
