/* SPDX-License-Identifier: MIT */
/* What a run tells those who estimate the rest of it: when blocks were handed out. And the blocks
 * that are then left out. Private; plain C11.
 */
#pragma once

#include "sim/base/wp-time.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  WpTick *times; /* [room]: when block i x every was handed out; NULL: nobody asked */
  uint32_t n, room;
  uint64_t every;
  bool broken; /* periods of blocks have been skipped: no more starts, and nothing is left out */

  uint64_t from, to_leave; /* once that block comes, so many are left out; 0: none */
  uint64_t left_out;       /* since then */
  bool just_now;           /* states from before are not those of as many blocks ago */
} WpStarts;

/* Room for N starts, an even number. False when memory is out. */
bool wp_starts_init (WpStarts *starts, uint32_t n);
void wp_starts_clear (WpStarts *starts);

/* The blocks before NEXT have been handed out, the last of them at NOW. */
static inline void wp_starts_note (WpStarts *starts, uint64_t next, WpTick now);

/* NEXT is the next block. Returns how many blocks to pass over. */
static inline uint64_t
wp_starts_leave_out (WpStarts *starts, uint64_t next)
{
  uint64_t n = starts->to_leave;

  if (n == 0 || next < starts->from)
    return 0;
  starts->left_out = n;
  starts->to_leave = 0;
  starts->just_now = true;
  return n;
}

/* Private to the next one. */
void wp_starts_add (WpStarts *starts, uint64_t next, WpTick now);

static inline void
wp_starts_note (WpStarts *starts, uint64_t next, WpTick now)
{
  if (starts->times != NULL && starts->n * starts->every < next)
    wp_starts_add (starts, next, now);
}
