/* SPDX-License-Identifier: MIT */
/* A short sorted list of keys, for a use where most keys are inserted at the end. A key is a time x
 * 64 + a bit, so that taking all keys up to a time gives a set of bits. Private; plain C11.
 *
 *   keys   0   12:3   12:9   20:1   never
 *   below ^    ^ first              ^ end: the key above all others ends every search */
#pragma once

#include "sim/base/wp-compiler.h"
#include "sim/base/wp-time.h"

#define WP_KEY_LIST_ROOM 336
#define WP_KEY_NEVER UINT64_MAX

typedef struct
{
  uint64_t *first, *end; /* *end is WP_KEY_NEVER */
  uint64_t keys[WP_KEY_LIST_ROOM];
} WpKeyList;

static inline uint64_t
wp_key_make (WpTick time, uint32_t bit)
{
  return (uint64_t)time << 6 | bit;
}

static inline WpTick
wp_key_get_time (uint64_t key)
{
  return (WpTick)(key >> 6);
}

static inline uint64_t
wp_key_get_set (uint64_t key)
{
  return UINT64_C (1) << key % 64;
}

/* Returns a key above all keys of times up to TIME. */
static inline uint64_t
wp_key_make_later (WpTick time)
{
  return (uint64_t)(time + 1) << 6;
}

static inline void
wp_key_list_clear (WpKeyList *list)
{
  list->first = list->end = list->keys + 1;
  list->keys[0] = 0;
  *list->end = WP_KEY_NEVER;
}

/* Inserts KEY in order, searching from the end, where most keys belong. *END points to the
 * WP_KEY_NEVER at the end of the list, and advances. */
static inline void
wp_key_list_insert (uint64_t **end, uint64_t key)
{
  uint64_t *place = (*end)++;

  **end = WP_KEY_NEVER;
  for (; place[-1] > key; place--)
    *place = place[-1];
  *place = key;
}

/* Tells whether LIST, which ends at END, is full; then wp_key_list_make_room() must be called. */
static inline bool
wp_key_list_is_full (const WpKeyList *list, const uint64_t *end)
{
  return end == list->keys + WP_KEY_LIST_ROOM - 1;
}

/* Moves the keys that are left to the front of the array. */
void wp_key_list_make_room (WpKeyList *list);

/* Makes room for N keys more than are left: wp_key_list_insert() needs not ask for so long. */
static inline void
wp_key_list_reserve (WpKeyList *list, size_t n)
{
  if (list->end + n >= list->keys + WP_KEY_LIST_ROOM)
    wp_key_list_make_room (list);
}

/* Inserts KEY, which must be later than all keys that have been taken. */
static inline void
wp_key_list_put (WpKeyList *list, uint64_t key)
{
  wp_key_list_insert (&list->end, key);
  if (UNLIKELY (wp_key_list_is_full (list, list->end)))
    wp_key_list_make_room (list);
}

/* Removes all keys below LATER and returns the set of their bits. */
static inline uint64_t
wp_key_list_take (WpKeyList *list, uint64_t later)
{
  uint64_t taken = 0;

  for (; *list->first < later; list->first++)
    taken |= wp_key_get_set (*list->first);
  return taken;
}

/* The same, and *HEAD is the first key that is left then. */
static INLINE uint64_t
wp_key_list_take_up_to (WpKeyList *list, uint64_t later, uint64_t *head)
{
  uint64_t *first = list->first, key = *first, taken = 0;

  if (key < later)
    {
      do
        {
          taken |= wp_key_get_set (key);
          key = *++first;
        }
      while (key < later);
      list->first = first;
    }
  *head = key;
  return taken;
}

/* Copies FROM to TO. */
void wp_key_list_copy (WpKeyList *to, const WpKeyList *from);

/* Changes BIT to TO, which must be lower, in its key. */
void wp_key_list_rename (WpKeyList *list, uint32_t bit, uint32_t to);
