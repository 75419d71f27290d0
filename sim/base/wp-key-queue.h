/* SPDX-License-Identifier: MIT */
/* A sorted list of keys for any number of bits, for a use where nearly all keys are inserted at the
 * end, or near it. A key is a time x 2^n + a bit. It refuses a key that it could insert only at a
 * cost; its user needs another place for that. So every operation is O(1), whatever the number of
 * bits. Private; plain C11.
 *
 * wp-key-list.h is the same for 64 bits, and refuses none. */
#pragma once

#include "sim/base/wp-compiler.h"
#include "sim/base/wp-time.h"

typedef struct
{
  uint64_t *first, *end; /* *end is WP_KEY_QUEUE_NEVER */
  uint64_t *last;        /* where *end fits last */
  WpTick limit;          /* no key has a time from here on */
  uint64_t low;          /* the bits of a key below its time, */
  uint32_t n_low;        /* so many */
  uint32_t room;
  uint64_t *keys; /* [room]; keys[0], below all others, ends every search */
} WpKeyQueue;

#define WP_KEY_QUEUE_NEVER UINT64_MAX

/* A key moves past this many others at most. */
#define WP_KEY_QUEUE_REACH 32

/* Makes a list for N_BITS bits. False when memory is out: wp_key_queue_clear() it all the same. */
bool wp_key_queue_init (WpKeyQueue *queue, uint32_t n_bits);
void wp_key_queue_clear (WpKeyQueue *queue);

/* The bytes that wp_key_queue_init() takes. */
uint64_t wp_key_queue_measure (uint32_t n_bits);

/* Empties it. */
void wp_key_queue_reset (WpKeyQueue *queue);

/* Copies FROM to TO, which was made for as many bits. */
void wp_key_queue_copy (WpKeyQueue *to, const WpKeyQueue *from);

/* wp_key_queue_put() where the key is not simply the last one. */
bool wp_key_queue_insert (WpKeyQueue *queue, WpTick time, uint32_t bit);

/* Inserts BIT at TIME. False: it is not in the list, as the time is too late for a key, or it
 * would move past too many, or there are too many. */
static INLINE bool
wp_key_queue_put (WpKeyQueue *queue, WpTick time, uint32_t bit)
{
  uint64_t key = (uint64_t)time << queue->n_low | bit, *place = queue->end;

  if (UNLIKELY (time >= queue->limit || place == queue->last || place[-1] > key))
    return wp_key_queue_insert (queue, time, bit);
  place[0] = key;
  place[1] = WP_KEY_QUEUE_NEVER;
  queue->end = place + 1;
  return true;
}

/* A key above all keys of times up to TIME. */
static inline uint64_t
wp_key_queue_make_later (const WpKeyQueue *queue, WpTick time)
{
  return time >= queue->limit ? WP_KEY_QUEUE_NEVER : (uint64_t)(time + 1) << queue->n_low;
}

/* When what KEY, the first of QUEUE or of one like it, says is due, or WP_TICK_LIMIT. */
static inline WpTick
wp_key_queue_get_time (const WpKeyQueue *queue, uint64_t key)
{
  return key == WP_KEY_QUEUE_NEVER ? WP_TICK_LIMIT : (WpTick)(key >> queue->n_low);
}

/* Removes the first, which must be there, and returns its bit. */
static inline uint32_t
wp_key_queue_take (WpKeyQueue *queue)
{
  uint64_t key = *queue->first++;

  return (uint32_t)(key & queue->low);
}
