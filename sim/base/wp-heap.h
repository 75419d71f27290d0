/* SPDX-License-Identifier: MIT */
/* A binary heap of warp slots by time: at most one entry for each slot, which can be moved.
 * Private; plain C11. */
#pragma once

#include "sim/base/wp-time.h"

#define WP_NO_PLACE UINT32_MAX

typedef struct
{
  uint32_t n;
  uint32_t *slots; /* the heap: the earliest first; at one time the lowest slot first */
  uint32_t *place; /* [slot]: index into slots, or WP_NO_PLACE */
  WpTick *times;   /* [slot] */
} WpHeap;

/* False when memory is out. */
bool wp_heap_init (WpHeap *heap, uint32_t n_slots);
void wp_heap_clear (WpHeap *heap);

/* Makes TO, which has room for N_SLOTS too, the same as FROM. */
void wp_heap_copy (WpHeap *to, const WpHeap *from, uint32_t n_slots);

/* Puts SLOT at TIME, from wherever it was. O(log n), as all below. */
void wp_heap_put (WpHeap *heap, uint32_t slot, WpTick time);

/* The earliest time, or WP_TICK_LIMIT when the heap is empty. O(1). */
static inline WpTick
wp_heap_get_time (const WpHeap *heap)
{
  return heap->n == 0 ? WP_TICK_LIMIT : heap->times[heap->slots[0]];
}

/* Takes the first slot out. The heap must not be empty. */
uint32_t wp_heap_take (WpHeap *heap);
