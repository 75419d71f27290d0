/* SPDX-License-Identifier: MIT */
/* Only what allocates or moves all of a list. */
#include "sim/base/wp-slot-list.h"

#include "sim/base/wp-measure.h"

#include <stdlib.h>
#include <string.h>

void
wp_slot_list_reset (WpSlotList *list)
{
  list->first = list->end = list->entries + 1;
  list->entries[0].time = INT64_MIN;
  list->end->time = WP_TICK_LIMIT;
}

uint64_t
wp_slot_list_measure (uint32_t n_slots)
{
  const WpSlotList *list = NULL;

  return wp_measure (2 * (uint64_t)n_slots + 2, sizeof *list->entries);
}

bool
wp_slot_list_init (WpSlotList *list, uint32_t n_slots)
{
  list->n_slots = n_slots;
  list->entries = calloc (2 * (size_t)n_slots + 2, sizeof *list->entries);
  if (list->entries == NULL)
    return false;
  wp_slot_list_reset (list);
  return true;
}

void
wp_slot_list_clear (WpSlotList *list)
{
  free (list->entries);
}

void
wp_slot_list_copy (WpSlotList *to, const WpSlotList *from)
{
  size_t n = (size_t)(from->end - from->first);

  memcpy (to->entries, from->first - 1, (n + 2) * sizeof *to->entries);
  to->first = to->entries + 1;
  to->end = to->first + n;
}

void
wp_slot_list_make_room (WpSlotList *list)
{
  size_t n = (size_t)(list->end - list->first);

  memmove (list->entries, list->first - 1, (n + 2) * sizeof *list->entries);
  list->first = list->entries + 1;
  list->end = list->first + n;
}
