/* SPDX-License-Identifier: MIT */
/* Keys are kept by slot, beside the heap of slots, so that a slot can be found and moved without a
 * search. */
#include "sim/base/wp-heap.h"

#include <stdlib.h>
#include <string.h>

bool
wp_heap_init (WpHeap *heap, uint32_t n_slots)
{
  heap->n = 0;
  heap->slots = calloc (n_slots, sizeof *heap->slots);
  heap->place = calloc (n_slots, sizeof *heap->place);
  heap->times = calloc (n_slots, sizeof *heap->times);
  if (heap->slots == NULL || heap->place == NULL || heap->times == NULL)
    return false;
  for (uint32_t slot = 0; slot < n_slots; slot++)
    heap->place[slot] = WP_NO_PLACE;
  return true;
}

void
wp_heap_clear (WpHeap *heap)
{
  free (heap->slots);
  free (heap->place);
  free (heap->times);
}

void
wp_heap_copy (WpHeap *to, const WpHeap *from, uint32_t n_slots)
{
  to->n = from->n;
  memcpy (to->slots, from->slots, n_slots * sizeof *to->slots);
  memcpy (to->place, from->place, n_slots * sizeof *to->place);
  memcpy (to->times, from->times, n_slots * sizeof *to->times);
}

static bool
is_before (const WpHeap *heap, uint32_t a, uint32_t b)
{
  return heap->times[a] != heap->times[b] ? heap->times[a] < heap->times[b] : a < b;
}

static void
set (WpHeap *heap, uint32_t i, uint32_t slot)
{
  heap->slots[i] = slot;
  heap->place[slot] = i;
}

static void
sift_up (WpHeap *heap, uint32_t i, uint32_t slot)
{
  while (i > 0 && is_before (heap, slot, heap->slots[(i - 1) / 2]))
    {
      set (heap, i, heap->slots[(i - 1) / 2]);
      i = (i - 1) / 2;
    }
  set (heap, i, slot);
}

static void
sift_down (WpHeap *heap, uint32_t i, uint32_t slot)
{
  for (;;)
    {
      uint32_t child = 2 * i + 1;

      if (child >= heap->n)
        break;
      if (child + 1 < heap->n && is_before (heap, heap->slots[child + 1], heap->slots[child]))
        child++;
      if (!is_before (heap, heap->slots[child], slot))
        break;
      set (heap, i, heap->slots[child]);
      i = child;
    }
  set (heap, i, slot);
}

void
wp_heap_put (WpHeap *heap, uint32_t slot, WpTick time)
{
  uint32_t i = heap->place[slot];
  bool later = i != WP_NO_PLACE && time > heap->times[slot];

  heap->times[slot] = time;
  if (later)
    sift_down (heap, i, slot);
  else
    sift_up (heap, i != WP_NO_PLACE ? i : heap->n++, slot);
}

uint32_t
wp_heap_take (WpHeap *heap)
{
  uint32_t slot = heap->slots[0];
  uint32_t last = heap->slots[--heap->n];

  heap->place[slot] = WP_NO_PLACE;
  if (heap->n > 0)
    sift_down (heap, 0, last);
  return slot;
}
