/* SPDX-License-Identifier: MIT */
/* Accesses without a look at each lane. Mostly the lanes' addresses are the words of a register and
 * something that is the same for all of them. Then what an access comes to follows from the shape
 * of the register (wp-patterns.h), which is known as long as nobody writes it, and from where the
 * first lane is.
 *
 * Words of a register that are N apart may also be N - 2^32 apart, or N + 2^32, as numbers. Which
 * of these is the one follows from the first word as long as the least and the greatest one, if
 * they are as far from it as the pattern says, are words, too. That is the range for which a
 * pattern is kept; in shared memory it is the one in which all lanes are in it. */
#pragma once

#include "exec/machine/wp-address.h"
#include "exec/machine/wp-cluster.h"
#include "exec/memory/wp-vectors.h"

G_BEGIN_DECLS

/* Sets step->reach to what OPERAND, step->data, says of accesses of BYTES; IS_WIDE: addresses of 64
 * bits. */
void wp_reach_prepare (WpStep *step, guint bytes, gboolean is_wide);

/* What the two functions below do where the pattern is not known by the SHAPE of the row. */
const WpPattern *wp_reach_find_shared_anew (WpWarp *warp, const WpStep *step, guint32 mask,
                                            WpShape shape, guint32 first, guint32 access);
const WpPattern *wp_reach_find_buffer_anew (WpWarp *warp, const WpStep *step, guint32 mask,
                                            WpShape shape, guint32 access);

/* The shape of ROW over the lanes in MASK. */
static inline WpShape
wp_row_shape (WpWarp *warp, guint row, guint32 mask)
{
  WpRowShape *shape = &warp->r_shape[row];

  if (G_UNLIKELY (shape->shape == WP_SHAPE_NONE || shape->lanes != mask))
    *shape = (WpRowShape){ wp_patterns_get_shape (warp->log.patterns, warp->r[row], mask), mask };
  return shape->shape;
}

/* Returns the pattern of what the lanes in MASK access in shared memory by STEP, and FIRST, where
 * the lowest lane is: all of them are inside of it, and aligned. NULL: not so, or an address is
 * unknown. The pattern is good until another access. O(1) where neither the row is written nor the
 * access is a new one. */
WP_INLINE const WpPattern *
wp_reach_find_shared (WpWarp *warp, const WpStep *step, guint32 mask, guint32 *first)
{
  const WpStepReach *how = &step->reach;
  const guint32 word = warp->r[how->low][__builtin_ctz (mask)];
  const WpPattern *pattern;
  guint32 access;
  WpShape shape;

  if ((warp->r_unknown[how->low] & mask) != 0 || warp->ur_unknown[how->uniform])
    return NULL;
  shape = wp_row_shape (warp, how->low, mask);
  *first = ((word << how->shift) + warp->ur[how->uniform] + (guint32)how->base)
           ^ wp_warp_own_address (warp);
  access = step->index << 8 | (*first & 15);
  pattern = wp_patterns_find_kept (warp->log.patterns, shape, mask, access, *first);
  return G_LIKELY (pattern != NULL)
             ? pattern
             : wp_reach_find_shared_anew (warp, step, mask, shape, *first, access);
}

/* The same in buffers, by addresses of 64 bits. Whether they are in one is not looked at. */
WP_INLINE const WpPattern *
wp_reach_find_buffer (WpWarp *warp, const WpStep *step, guint32 mask, guint64 *first)
{
  const WpStepReach *how = &step->reach;
  const guint lane = (guint)__builtin_ctz (mask);
  const guint32 word = warp->r[how->low][lane];
  const WpPattern *pattern;
  guint32 access;
  WpShape shape;

  if (((warp->r_unknown[how->low] | warp->r_unknown[how->high]) & mask) != 0
      || warp->ur_unknown[how->uniform] || warp->ur_unknown[how->uniform + 1]
      || (how->high != WP_ROW_ZERO && wp_row_shape (warp, how->high, mask) != WP_SHAPE_UNIFORM))
    return NULL;
  shape = wp_row_shape (warp, how->low, mask);
  *first = ((guint64)word << how->shift) + warp->ur[how->uniform] + how->base
           + ((guint64)(warp->r[how->high][lane] + warp->ur[how->uniform + 1]) << 32);
  access = step->index << 8 | (*first & 127);
  pattern = wp_patterns_find_kept (warp->log.patterns, shape, mask, access, word);
  return G_LIKELY (pattern != NULL) ? pattern
                                    : wp_reach_find_buffer_anew (warp, step, mask, shape, access);
}

G_END_DECLS
