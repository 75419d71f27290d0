/* SPDX-License-Identifier: MIT */
/* Numbers that stand for what nobody gave, so that what is computed from them comes out as it would
 * with some such data: threads that have read the same word have the same, a row that a word
 * chooses is in one piece, and what it chooses anew is elsewhere (WP_TAG_STANDS). They are random,
 * depend on where a word was read alone, and are below 2^31, so that they serve as an index of 32
 * bits; what part of a buffer an address by them means is for wp_memory_wrap(). All are O(lanes).
 */
#pragma once

#include "exec/machine/wp-data.h"

G_BEGIN_DECLS

/* The last step of MurmurHash3 (A. Appleby, in the public domain): a permutation of 32 bits each of
 * which depends on all. */
static inline guint32
wp_stand_in_mix (guint32 x)
{
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

/* The upper word of what may be a pointer, of two numbers: HIGH, but for 8 of its highest bits,
 * which are the last ones of LOW. Few look at those, and what is added to a pointer leaves them. */
#define WP_STAND_IN_LAST 23
static inline guint32
wp_stand_in_join (guint32 low, guint32 high)
{
  return (high & ~(0xffu << WP_STAND_IN_LAST)) | (low & 0xff) << WP_STAND_IN_LAST;
}

/* Of BYTES (1 to 16) for each lane of MASK, which were loaded from PLACES in device memory, the
 * words of DATA that are unknown become numbers that stand for them; data->stands has those lanes
 * from now on. What is narrower than a word is as large as that allows, extended as IS_SIGNED has
 * it. Of 8 bytes, which may be a pointer, the words are joined. */
void wp_stand_in_loaded (WpData *data, const guint64 places[WP_LANES], guint32 mask, guint bytes,
                         gboolean is_signed);

/* The number that stands for the word at OFFSET of the bank of variables. */
static inline guint32
wp_stand_in_constant (guint32 offset)
{
  const guint32 number = wp_stand_in_mix (offset) >> 1;

  return offset % 8 == 0 ? number : wp_stand_in_join (wp_stand_in_mix (offset - 4) >> 1, number);
}

/* A pointer by such a number, and how far it was moved, are ADDRESS: the same with a pointer that
 * is aligned as those of cudaMalloc() are, to 256 bytes. */
static inline guint64
wp_stand_in_align (guint64 address)
{
  return address - (address >> (32 + WP_STAND_IN_LAST) & 0xff);
}

/* The N words from ROWS on which are unknown in the lanes of MASK become numbers of WARP's own,
 * each another one, which nobody else has read. */
void wp_stand_in_own (const WpWarp *warp, guint32 (*rows)[WP_LANES], const guint32 *unknown,
                      guint n, guint32 mask);

/* BITS, of a comparison of STEP's first two sources, which says which of them is more: where
 * numbers stand for them, in lanes that are UNKNOWN it is as likely as not, and the same for those
 * that compare the same. */
guint32 wp_stand_in_compare (const WpWarp *warp, const WpStep *step, guint32 bits, guint32 unknown);

/* Where numbers stand for all that is unknown in the sources of STEP, which TAG is of, and all its
 * lanes in MASK are UNKNOWN: writes such a number to its destination, of one word (IS_WIDE: two),
 * that depends on the sources alone. It is for floating point, whose random bits would mostly be
 * far too large or too small to tell them apart. Whole results have the lowest BITS set at most.
 * FALSE: nothing is written. */
gboolean wp_stand_in_put (WpWarp *warp, const WpStep *step, guint32 mask, guint32 unknown,
                          WpTag tag, gboolean is_wide, guint bits);
static inline gboolean
wp_stand_in_result (WpWarp *warp, const WpStep *step, guint32 mask, guint32 unknown, WpTag tag,
                    gboolean is_wide, guint bits)
{
  return G_UNLIKELY ((tag & WP_TAG_STANDS) != 0)
         && wp_stand_in_put (warp, step, mask, unknown, tag, is_wide, bits);
}

G_END_DECLS
