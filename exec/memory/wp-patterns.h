/* SPDX-License-Identifier: MIT */
/* Patterns that were there before: warps mostly do again, somewhere else, what they or others did,
 * so that a pattern is remembered, and found by the addresses themselves. */
#pragma once

#include "exec/memory/wp-pattern.h"

G_BEGIN_DECLS

/* The distances of the words of a register from the first one, over some lanes, as a number: equal
 * ones have one number as long as it is remembered, and no two different ones have the same. Where
 * words of all lanes are equally far apart, the number tells how far, if that is below 2^30. */
typedef guint32 WpShape;
#define WP_SHAPE_NONE 0    /* not known */
#define WP_SHAPE_UNIFORM 1 /* all words are equal, whatever the lanes are */
#define WP_SHAPE_STRIDED 0x80000000u

static inline gboolean
wp_shape_is_strided (WpShape shape)
{
  return shape >= WP_SHAPE_STRIDED;
}

/* How far words are apart; 0 where SHAPE is not strided. */
static inline guint32
wp_shape_get_step (WpShape shape)
{
  return wp_shape_is_strided (shape) ? (shape & 0x7fffffff) | (shape & 0x40000000) << 1 : 0;
}

/* The shape of words that are STEP apart, modulo 2^32; WP_SHAPE_NONE: too far. */
static inline WpShape
wp_shape_of_step (guint32 step)
{
  return step == 0                         ? WP_SHAPE_UNIFORM
         : (step + 0x40000000u) >> 31 == 0 ? WP_SHAPE_STRIDED | step
                                           : WP_SHAPE_NONE;
}

/* ---- What is remembered: private but for the calls below, so that these are short ---- */

#define WP_PATTERNS_BITS 8
#define WP_PATTERNS (1 << WP_PATTERNS_BITS)
#define WP_SHAPES_BITS 6
#define WP_SHAPES (1 << WP_SHAPES_BITS)
#define WP_KEPT_BITS 9
#define WP_KEPT_PATTERNS (1 << WP_KEPT_BITS)

typedef struct
{
  guint32 relative[WP_PATTERN_LANES]; /* to the lowest lane in `mask`; others 0 */
  guint32 mask;
  WpShape number;
} WpShapeEntry;

/* The pattern of an access whose addresses are the words of a register, shifted, plus something
 * that is the same for all lanes. */
typedef struct
{
  WpShape shape;
  guint32 mask, access;
  guint32 least, span; /* it holds where the first word is one of the SPAN + 1 from LEAST on */
  guint64 number;      /* of the pattern, which may have been replaced by another one meanwhile */
  const WpPattern *pattern;
} WpKeptPattern;

typedef struct WpPatterns
{
  WpKeptPattern kept[WP_KEPT_PATTERNS];
  WpPattern patterns[WP_PATTERNS];
  guint64 n_made; /* patterns */
  WpShapeEntry shapes[WP_SHAPES];
  WpShape last_shape; /* the greatest number that is used, of those that are not strided */
} WpPatterns;

/* ---- By the addresses ---- */

WpPatterns *wp_patterns_new (void);
void wp_patterns_free (WpPatterns *patterns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPatterns, wp_patterns_free)

/* Returns the pattern of BYTES (up to 32) at each of ADDRESSES in MASK, which is not 0, in shared
 * memory or (lines) in device memory. It is good until the next call. Mostly one look at each
 * address. */
const WpPattern *wp_patterns_find (WpPatterns *patterns, const guint64 addresses[WP_PATTERN_LANES],
                                   guint32 mask, guint bytes, gboolean is_shared);

/* Returns what a store of PATTERN, which is one of PATTERNS, takes of L2, as `partial` of a
 * WpAccess. A look at each lane, once for each pattern. */
guint wp_patterns_get_partial (WpPatterns *patterns, const WpPattern *pattern);

/* ---- By the shape of a register ---- */

/* Returns the shape of WORDS over the lanes in MASK (not 0), or WP_SHAPE_NONE where all numbers are
 * used up. One look at each. */
WpShape wp_patterns_get_shape (WpPatterns *patterns, const guint32 words[WP_PATTERN_LANES],
                               guint32 mask);

static inline guint
wp_patterns_get_kept (guint32 access)
{
  return (access * 0x9E3779B1u) >> (32 - WP_KEPT_BITS);
}

/* Returns what wp_patterns_keep() was given for SHAPE over the lanes in MASK, ACCESS and a range
 * that WORD is in, or NULL. It is good until the next call of wp_patterns_find(). O(1). */
static inline const WpPattern *
wp_patterns_find_kept (const WpPatterns *patterns, WpShape shape, guint32 mask, guint32 access,
                       guint32 word)
{
  const WpKeptPattern *kept = &patterns->kept[wp_patterns_get_kept (access)];

  return kept->shape == shape && kept->mask == mask && kept->access == access
                 && word - kept->least <= kept->span && kept->pattern->number == kept->number
             ? kept->pattern
             : NULL;
}

/* Remembers PATTERN, which wp_patterns_find() has just returned, for SHAPE, not WP_SHAPE_NONE, and
 * ACCESS: whatever tells accesses apart that come to different things. It holds where the first
 * word is in LEAST to MOST. O(1). */
void wp_patterns_keep (WpPatterns *patterns, WpShape shape, guint32 access, guint32 least,
                       guint32 most, const WpPattern *pattern);

G_END_DECLS
