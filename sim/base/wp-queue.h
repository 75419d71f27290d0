/* SPDX-License-Identifier: MIT */
/* A queue of blocks with the times at which they are due, of those due at one time first in, first
 * out. It never holds more entries than there are resident blocks, or warps, where barriers have
 * names. As latencies are constant, entries mostly come in the order in which they are due; not
 * those after a late arrive. Private; plain C11. */
#pragma once

#include "sim/base/wp-time.h"

typedef struct
{
  uint32_t first, n, size;
  struct
  {
    WpTick time;
    uint64_t block; /* a block's number (launches), or its place on the SM and more (releases) */
  } * entries;      /* [size] */
} WpQueue;

/* O(entries that are due later). */
static inline void
wp_queue_put (WpQueue *queue, WpTick time, uint64_t block)
{
  uint32_t i = queue->first + queue->n;

  i -= i >= queue->size ? queue->size : 0;
  for (uint32_t left = queue->n++; left > 0; left--)
    {
      uint32_t before = i > 0 ? i - 1 : queue->size - 1;

      if (queue->entries[before].time <= time)
        break;
      queue->entries[i] = queue->entries[before];
      i = before;
    }
  queue->entries[i].time = time;
  queue->entries[i].block = block;
}

/* Returns when the first entry is due, or WP_TICK_LIMIT if there is none. */
static inline WpTick
wp_queue_get_time (const WpQueue *queue)
{
  return queue->n == 0 ? WP_TICK_LIMIT : queue->entries[queue->first].time;
}

/* Removes the first entry, which must exist, and returns its block. */
static inline uint64_t
wp_queue_take (WpQueue *queue)
{
  uint64_t block = queue->entries[queue->first].block;

  queue->first = queue->first + 1 == queue->size ? 0 : queue->first + 1;
  queue->n--;
  return block;
}
