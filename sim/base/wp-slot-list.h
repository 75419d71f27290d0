/* SPDX-License-Identifier: MIT */
/* A sorted list of warp slots by time, for a use where most are put at its end, or near it.
 * Private; plain C11.
 *
 *   entries   -    12:3   12:9   20:1   limit
 *   below ^        ^ first              ^ end: a time above all others ends every search */
#pragma once

#include "sim/base/wp-time.h"

typedef struct
{
  WpTick time;
  uint32_t slot;
} WpSlotEntry;

typedef struct
{
  WpSlotEntry *first, *end; /* end->time is WP_TICK_LIMIT */
  WpSlotEntry *entries;     /* [2 n_slots + 2] */
  uint32_t n_slots;
} WpSlotList;

/* Allocates a list of at most N_SLOTS slots; free it with wp_slot_list_clear(). False when memory
 * is out. */
bool wp_slot_list_init (WpSlotList *list, uint32_t n_slots);
void wp_slot_list_clear (WpSlotList *list);

/* The bytes that wp_slot_list_init() takes. */
uint64_t wp_slot_list_measure (uint32_t n_slots);

/* Empties the list. */
void wp_slot_list_reset (WpSlotList *list);

/* Copies FROM to TO. Both must have been made for as many slots. */
void wp_slot_list_copy (WpSlotList *to, const WpSlotList *from);

/* Moves those that are left to the front. */
void wp_slot_list_make_room (WpSlotList *list);

/* Adds SLOT at TIME, which must not be before those that have been taken. O(slots that are later).
 */
static inline void
wp_slot_list_put (WpSlotList *list, uint32_t slot, WpTick time)
{
  WpSlotEntry *place;

  if (list->end == list->entries + 2 * (size_t)list->n_slots + 1)
    wp_slot_list_make_room (list);
  place = list->end++;
  list->end->time = WP_TICK_LIMIT;
  for (; place[-1].time > time; place--)
    *place = place[-1];
  *place = (WpSlotEntry){ time, slot };
}

/* When the first is due, or WP_TICK_LIMIT. */
static inline WpTick
wp_slot_list_get_next (const WpSlotList *list)
{
  return list->first->time;
}

/* Takes out the first, which must exist. */
static inline uint32_t
wp_slot_list_take (WpSlotList *list)
{
  return list->first++->slot;
}
