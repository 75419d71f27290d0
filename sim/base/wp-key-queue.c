/* SPDX-License-Identifier: MIT */
/* The rare operations of a key queue. The others are inline, because every issue uses them. */
#include "sim/base/wp-key-queue.h"

#include "sim/base/wp-measure.h"

#include <stdlib.h>
#include <string.h>

static uint32_t
find_room (uint32_t n_bits)
{
  return 2 * n_bits + 2 * WP_KEY_QUEUE_REACH;
}

uint64_t
wp_key_queue_measure (uint32_t n_bits)
{
  const WpKeyQueue *queue = NULL;

  return wp_measure (find_room (n_bits), sizeof *queue->keys);
}

bool
wp_key_queue_init (WpKeyQueue *queue, uint32_t n_bits)
{
  queue->n_low = 1;
  while ((uint64_t)1 << queue->n_low < n_bits)
    queue->n_low++;
  queue->low = (UINT64_C (1) << queue->n_low) - 1;
  queue->room = find_room (n_bits);
  queue->keys = calloc (queue->room, sizeof *queue->keys);
  if (queue->keys == NULL)
    return false;
  queue->last = queue->keys + queue->room - 1;
  queue->limit = (WpTick)(UINT64_C (1) << (62 - queue->n_low));
  wp_key_queue_reset (queue);
  return true;
}

void
wp_key_queue_clear (WpKeyQueue *queue)
{
  free (queue->keys);
}

void
wp_key_queue_reset (WpKeyQueue *queue)
{
  queue->first = queue->end = queue->keys + 1;
  queue->keys[0] = 0;
  *queue->end = WP_KEY_QUEUE_NEVER;
}

void
wp_key_queue_copy (WpKeyQueue *to, const WpKeyQueue *from)
{
  size_t n = (size_t)(from->end - from->first);

  wp_key_queue_reset (to);
  memcpy (to->first, from->first, (n + 1) * sizeof *to->keys);
  to->end = to->first + n;
}

/* At the end of the array: moves the keys that are left to its front, if that gains much. */
static bool
make_room (WpKeyQueue *queue)
{
  size_t n = (size_t)(queue->end - queue->first);

  if (n > queue->room / 2)
    return false;
  memmove (queue->keys + 1, queue->first, (n + 1) * sizeof *queue->keys);
  queue->keys[0] = 0;
  queue->first = queue->keys + 1;
  queue->end = queue->first + n;
  return true;
}

bool
wp_key_queue_insert (WpKeyQueue *queue, WpTick time, uint32_t bit)
{
  uint64_t key = (uint64_t)time << queue->n_low | bit, *place;

  if (time >= queue->limit || (queue->end == queue->last && !make_room (queue)))
    return false;
  place = queue->end;
  if (place - queue->first > WP_KEY_QUEUE_REACH && place[-WP_KEY_QUEUE_REACH - 1] > key)
    return false;
  *++queue->end = WP_KEY_QUEUE_NEVER;
  for (; place[-1] > key; place--)
    *place = place[-1];
  *place = key;
  return true;
}
