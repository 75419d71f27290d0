/* SPDX-License-Identifier: MIT */
/* A timing wheel of warp slots: it finds the slots that are due at a time, exactly, without
 * comparing them. Private; plain C11.
 *
 * A time is in a bucket chosen by the highest digit (of eight bits) in which it differs from
 * `base`: level 0 has a bucket for each of the next ticks, level 1 one for each 256 of them, and so
 * on. When time reaches a bucket of a higher level, its slots move down. A slot moves down at most
 * once per level, so that all operations are O(1), and a wheel takes some ten kilobytes for any
 * number of slots and any spread of times (Varghese and Lauck 1987).
 *
 *   base 0x0134    level 0: 0x0134 .. 0x01ff, a tick each
 *                  level 1: 0x02.., 0x03.., ... 0xff..
 *                  level 2: 0x01...., 0x02...., ... */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wp-compiler.h"
#include "sim/base/wp-time.h"

#define WP_WHEEL_BITS 8
#define WP_WHEEL_SIZE (1 << WP_WHEEL_BITS)
#define WP_WHEEL_LEVELS 8 /* 64 bits */
#define WP_WHEEL_WORDS (WP_WHEEL_SIZE / 64)
#define WP_NO_SLOT UINT32_MAX

typedef struct
{
  WpTick base; /* no slot is due earlier */
  WpTick next; /* no slot is due before; exact if that slot is on level 0; WP_TICK_LIMIT if empty */
  uint64_t used[WP_WHEEL_LEVELS][WP_WHEEL_WORDS];
  uint32_t heads[WP_WHEEL_LEVELS][WP_WHEEL_SIZE]; /* the first slot of a bucket, or WP_NO_SLOT */
  uint32_t *links; /* [n_slots]: the next slot of the same bucket, or WP_NO_SLOT */
  WpTick *times;   /* [n_slots] */
} WpWheel;

/* Allocates a wheel for N_SLOTS slots; free it with wp_wheel_clear(). Returns false if memory is
 * exhausted. */
bool wp_wheel_init (WpWheel *wheel, uint32_t n_slots);
void wp_wheel_clear (WpWheel *wheel);

/* The bytes that wp_wheel_init() takes. */
uint64_t wp_wheel_measure (uint32_t n_slots);

/* Empties the wheel and makes it begin at BASE. */
void wp_wheel_reset (WpWheel *wheel, WpTick base);

/* Copies FROM to TO. Both must have been made for N_SLOTS slots. */
void wp_wheel_copy (WpWheel *to, const WpWheel *from, uint32_t n_slots);

/* Returns the bucket of TIME, which must not be before the wheel's base, and its level in LEVEL. */
static inline uint32_t
wp_wheel_find_bucket (const WpWheel *wheel, WpTick time, uint32_t *level)
{
  uint64_t differs = (uint64_t)(time ^ wheel->base);

  *level = 0;
  if (differs < WP_WHEEL_SIZE)
    return (uint64_t)time % WP_WHEEL_SIZE;
  *level = wp_highest_bit (differs) / WP_WHEEL_BITS;
  return (uint64_t)time >> *level * WP_WHEEL_BITS & (WP_WHEEL_SIZE - 1);
}

/* Adds SLOT, which must not be in the wheel, at TIME, which must not be before the wheel's base and
 * must be below WP_TICK_LIMIT. */
static inline void
wp_wheel_put (WpWheel *wheel, uint32_t slot, WpTick time)
{
  uint32_t level, digit = wp_wheel_find_bucket (wheel, time, &level);

  wheel->times[slot] = time;
  wheel->links[slot] = wheel->heads[level][digit];
  wheel->heads[level][digit] = slot;
  wheel->used[level][digit / 64] |= UINT64_C (1) << digit % 64;
  if (time < wheel->next)
    wheel->next = time;
}

/* Removes SLOT, which must be in the wheel. Afterwards, `next` may be too early. O(slots of its
 * bucket). */
void wp_wheel_remove (WpWheel *wheel, uint32_t slot);

/* Computes `next` again. */
void wp_wheel_find_next (WpWheel *wheel);

/* Advances `base` to NOW, which must differ from it in more than the lowest digit, and moves down
 * the slots of the buckets that time has reached. */
void wp_wheel_turn (WpWheel *wheel, WpTick now);

/* Removes the slots that are due at NOW, which must not be after `next`. Returns the first of them,
 * linked by `links`, or WP_NO_SLOT. */
static inline uint32_t
wp_wheel_take (WpWheel *wheel, WpTick now)
{
  uint32_t digit = (uint64_t)now % WP_WHEEL_SIZE;
  uint32_t first;

  if ((uint64_t)(now ^ wheel->base) >= WP_WHEEL_SIZE)
    wp_wheel_turn (wheel, now);
  first = wheel->heads[0][digit];
  wheel->heads[0][digit] = WP_NO_SLOT;
  wheel->used[0][digit / 64] &= ~(UINT64_C (1) << digit % 64);
  if (wheel->used[0][digit / 64] != 0) /* all of them later than NOW */
    wheel->next = now - digit + digit / 64 * 64 + wp_lowest_bit (wheel->used[0][digit / 64]);
  else
    wp_wheel_find_next (wheel);
  return first;
}
