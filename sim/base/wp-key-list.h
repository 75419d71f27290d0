/* SPDX-License-Identifier: MIT */
/* A short list of keys in order, for what mostly enters behind all others: a key is a time x 64 + a
 * bit, so that taking those that are due gives a set of bits. Private; plain C11.
 *
 *   keys   0   12:3   12:9   20:1   never
 *   below ^    ^ first              ^ end: the key above all others ends every search
 */
#pragma once

#include "sim/base/wp-time.h"

#define WP_KEY_LIST_ROOM 96
#define WP_KEY_NEVER UINT64_MAX

typedef struct
{
  uint64_t *first, *end; /* *end is the key above all others */
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

/* All keys of times up to TIME are below this one. */
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

/* Puts KEY where it belongs, mostly at the end: *END is the place of the key above all others,
 * which moves on. */
static inline void
wp_key_list_insert (uint64_t **end, uint64_t key)
{
  uint64_t *place = (*end)++;

  **end = WP_KEY_NEVER;
  for (; place[-1] > key; place--)
    *place = place[-1];
  *place = key;
}

/* Whether nothing more fits in, END being the list's: then room is to be made. */
static inline bool
wp_key_list_is_full (const WpKeyList *list, const uint64_t *end)
{
  return end == list->keys + WP_KEY_LIST_ROOM - 1;
}

/* Moves what is left to the front. */
void wp_key_list_make_room (WpKeyList *list);

/* Puts KEY, later than all that have been taken. */
static inline void
wp_key_list_put (WpKeyList *list, uint64_t key)
{
  wp_key_list_insert (&list->end, key);
  if (wp_key_list_is_full (list, list->end))
    wp_key_list_make_room (list);
}

/* Takes out the keys below LATER, and returns their bits. */
static inline uint64_t
wp_key_list_take (WpKeyList *list, uint64_t later)
{
  uint64_t taken = 0;

  for (; *list->first < later; list->first++)
    taken |= wp_key_get_set (*list->first);
  return taken;
}

/* Makes TO the same as FROM. */
void wp_key_list_copy (WpKeyList *to, const WpKeyList *from);

/* Bit BIT is called TO, which is lower, from now on. */
void wp_key_list_rename (WpKeyList *list, uint32_t bit, uint32_t to);
