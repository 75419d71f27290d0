/* SPDX-License-Identifier: MIT */
/* A timing wheel. Entries of a level above the first differ from `base` first in that level's
 * digit, and are later than `base`, so that their digit is the greater one. Hence the lowest bucket
 * in use is the next one of its level, and is earlier than every bucket of higher levels. */
#include "sim/base/wp-wheel.h"

#include "sim/base/wp-measure.h"

#include <stdlib.h>
#include <string.h>

void
wp_wheel_reset (WpWheel *wheel, WpTick base)
{
  wheel->base = base;
  wheel->next = WP_TICK_LIMIT;
  memset (wheel->used, 0, sizeof wheel->used);
  memset (wheel->heads, 0xff, sizeof wheel->heads);
}

uint64_t
wp_wheel_measure (uint32_t n_slots)
{
  const WpWheel *wheel = NULL;

  return wp_measure (n_slots, sizeof *wheel->links) + wp_measure (n_slots, sizeof *wheel->times);
}

bool
wp_wheel_init (WpWheel *wheel, uint32_t n_slots)
{
  wp_wheel_reset (wheel, 0);
  wheel->links = calloc (n_slots, sizeof *wheel->links);
  wheel->times = calloc (n_slots, sizeof *wheel->times);
  return wheel->links != NULL && wheel->times != NULL;
}

void
wp_wheel_clear (WpWheel *wheel)
{
  free (wheel->links);
  free (wheel->times);
}

void
wp_wheel_copy (WpWheel *to, const WpWheel *from, uint32_t n_slots)
{
  WpWheel own = *to;

  *to = *from;
  to->links = memcpy (own.links, from->links, n_slots * sizeof *own.links);
  to->times = memcpy (own.times, from->times, n_slots * sizeof *own.times);
}

/* Returns the lowest bucket of LEVEL in use, or WP_WHEEL_SIZE. */
static uint32_t
find_used (const WpWheel *wheel, uint32_t level)
{
  for (uint32_t word = 0; word < WP_WHEEL_WORDS; word++)
    if (wheel->used[level][word] != 0)
      return word * 64 + wp_lowest_bit (wheel->used[level][word]);
  return WP_WHEEL_SIZE;
}

void
wp_wheel_find_next (WpWheel *wheel)
{
  for (uint32_t level = 0; level < WP_WHEEL_LEVELS; level++)
    {
      uint32_t digit = find_used (wheel, level);
      uint32_t shift = level * WP_WHEEL_BITS;

      if (digit == WP_WHEEL_SIZE)
        continue;
      wheel->next
          = (WpTick)(((uint64_t)wheel->base >> shift & ~(uint64_t)(WP_WHEEL_SIZE - 1)) << shift)
            | (WpTick)((uint64_t)digit << shift);
      return;
    }
  wheel->next = WP_TICK_LIMIT;
}

void
wp_wheel_turn (WpWheel *wheel, WpTick now)
{
  uint32_t level = wp_highest_bit ((uint64_t)(now ^ wheel->base)) / WP_WHEEL_BITS;
  uint32_t digit = (uint64_t)now >> level * WP_WHEEL_BITS & (WP_WHEEL_SIZE - 1);
  uint32_t slot = wheel->heads[level][digit];

  wheel->heads[level][digit] = WP_NO_SLOT;
  wheel->used[level][digit / 64] &= ~(UINT64_C (1) << digit % 64);
  wheel->base = now;
  while (slot != WP_NO_SLOT)
    {
      uint32_t following = wheel->links[slot];

      wp_wheel_put (wheel, slot, wheel->times[slot]);
      slot = following;
    }
}

void
wp_wheel_remove (WpWheel *wheel, uint32_t slot)
{
  uint32_t level, digit = wp_wheel_find_bucket (wheel, wheel->times[slot], &level);
  uint32_t *place = &wheel->heads[level][digit];

  while (*place != slot)
    place = &wheel->links[*place];
  *place = wheel->links[slot];
  if (wheel->heads[level][digit] == WP_NO_SLOT)
    wheel->used[level][digit / 64] &= ~(UINT64_C (1) << digit % 64);
}
