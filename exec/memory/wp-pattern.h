/* SPDX-License-Identifier: MIT */
/* What the addresses of a warp's lanes come to, relative to the first one: lines, sectors, passes
 * of the banks, and how far they reach. Plain data. */
#pragma once

#include "exec/memory/wp-access.h"

G_BEGIN_DECLS

#define WP_PATTERN_LANES 32

typedef struct
{
  guint64 relative[WP_PATTERN_LANES]; /* of lanes in `mask` to the lowest of them, others 0 */
  guint32 mask;
  guint8 bytes;
  guint8 place; /* of the lowest lane: in a line of 128 bytes; of shared memory: in a word */
  guint8 wavefronts;
  gboolean is_row; /* all lanes, one right after the other */
  /* The most lanes beside each other, a power of two from 1 on, into which all 32 can be divided so
   * that those of a part are one right after the other; so that they are at one place. */
  guint8 row_lanes, same_lanes;
  gint64 low, high;               /* least of `relative`; greatest, and the bytes of that lane */
  guint64 bits;                   /* that are set in any of `relative` */
  guint64 number;                 /* of all that were made, from 1 on; another one has another */
  guint8 n_lines;                 /* of device memory */
  guint8 partial;                 /* wp_patterns_get_partial() */
  WpLine lines[WP_PATTERN_LANES]; /* relative to the line of the lowest lane */
} WpPattern;

/* Whether all of PATTERN at FIRST is aligned to the bytes of a lane. */
static inline gboolean
wp_pattern_is_aligned (const WpPattern *pattern, guint64 first)
{
  return ((first | pattern->bits) & (pattern->bytes - 1u)) == 0;
}

G_END_DECLS
