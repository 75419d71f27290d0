/* SPDX-License-Identifier: MIT */
/* Banks do not change when all addresses move by a multiple of what a lane accesses, and lines do
 * not when they keep their place in a line of 128 bytes. The place in the table comes from what
 * tells patterns apart, so that instructions with the same pattern share it. */
#include "exec/memory/wp-patterns.h"

#include <string.h>

#include "exec/memory/wp-bytes.h"
#include "exec/memory/wp-fill.h" /* wp_mix() */
#include "exec/memory/wp-shared.h"
#include "exec/memory/wp-vectors.h"

#define LANES WP_MEMORY_LANES
#define LINE 128
#define LINE_SHIFT 7
#define SECTOR 32
#define SECTOR_SHIFT 5
#define LINES_OF_CYCLE 4 /* that L1 looks up */
#define PLACE_SHARED 128 /* no place in a line */

/* What a sector takes of L2 beyond one of which all is written, for each of its bytes that is not:
 * so many of SECTOR. Fitted to transposes (doc/fidelity-kernels.md, "Transposes"). */
#define PARTIAL_COST 3
#define PARTIAL_UNKNOWN G_MAXUINT8 /* 32 bytes of 1, each in a sector of its own, come to 93 */

WpPatterns *
wp_patterns_new (void)
{
  WpPatterns *patterns = g_new0 (WpPatterns, 1);

  patterns->last_shape = WP_SHAPE_UNIFORM;
  return patterns;
}

void
wp_patterns_free (WpPatterns *patterns)
{
  g_free (patterns);
}

/* ---- Lines ---- */

static WpLine
get_line (guint64 address)
{
  return address >> LINE_SHIFT << 4 | 1u << (address >> SECTOR_SHIFT & 3);
}

/* Any addresses. Mostly they rise, so that a line above all before it is a new one. */
static guint
add_lanes (const guint64 addresses[LANES], guint32 mask, WpLine *lines)
{
  guint n = 0, at = 0;
  guint64 greatest = 0;

  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      WpLine line = get_line (addresses[__builtin_ctz (left)]);

      if (n == 0 || line >> 4 != lines[at] >> 4)
        {
          at = n;
          if (line >> 4 <= greatest)
            for (at = 0; at < n && lines[at] >> 4 != line >> 4;)
              at++;
          if (at == n)
            lines[n++] = line;
          greatest = MAX (greatest, line >> 4);
        }
      lines[at] |= line & 15;
    }
  return n;
}

/* Passes of the banks of L1, whose words are those of shared memory. Addresses that differ in their
 * upper halves alone differ here, too. */
static guint
count_passes (const guint64 addresses[LANES], guint32 mask, guint bytes)
{
  guint32 words[LANES];

  for (guint lane = 0; lane < LANES; lane++)
    words[lane] = (guint32)addresses[lane] + (guint32)(addresses[lane] >> 32) * 0x1f351380u;
  return bytes > 16 ? 2 * wp_shared_wavefronts (words, mask, 16)
                    : wp_shared_wavefronts (words, mask, bytes);
}

/* What a store takes of L2, in sectors, beyond one for each sector of the N LINES, as some of them
 * are not written as a whole. */
static guint
find_partial (const guint64 addresses[LANES], guint32 mask, guint bytes, const WpLine *lines,
              guint n)
{
  guint32 written[LANES][LINE / SECTOR] = { { 0 } }; /* a bit for each byte */
  guint unwritten = 0;

  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint64 address = addresses[__builtin_ctz (left)];
      guint i = 0;

      while (lines[i] >> 4 != address >> LINE_SHIFT)
        i++;
      written[i][address >> SECTOR_SHIFT & 3]
          |= bytes == SECTOR ? G_MAXUINT32 : ((1u << bytes) - 1) << (address & (SECTOR - 1));
    }
  for (guint i = 0; i < n; i++)
    for (guint sector = 0; sector < LINE / SECTOR; sector++)
      if (written[i][sector] != 0)
        unwritten += SECTOR - (guint)__builtin_popcount (written[i][sector]);
  return (PARTIAL_COST * unwritten + SECTOR / 2) / SECTOR;
}

/* ---- Patterns ---- */

/* The most lanes, a power of two, of which all parts of RELATIVE have STEP bytes between
 * neighbours. */
static guint8
find_parts (const guint64 relative[LANES], guint step)
{
  guint n = LANES;

  for (guint lane = 1; lane < LANES; lane++)
    while ((lane & (n - 1)) != 0 && relative[lane] - relative[lane - 1] != step)
      n /= 2;
  return (guint8)n;
}

/* How far the lanes are from the first one. */
static void
set_relative (const guint64 addresses[LANES], guint32 mask, guint bytes, WpPattern *pattern)
{
  const guint64 first = addresses[__builtin_ctz (mask)];

  pattern->low = pattern->high = 0;
  pattern->bits = 0;
  pattern->is_row = mask == WP_ALL_LANES;
  for (guint lane = 0; lane < LANES; lane++)
    {
      const guint64 distance = mask >> lane & 1 ? addresses[lane] - first : 0;

      pattern->relative[lane] = distance;
      pattern->low = MIN (pattern->low, (gint64)distance);
      pattern->high = MAX (pattern->high, (gint64)distance);
      pattern->bits |= distance;
      pattern->is_row &= distance == (guint64)lane * bytes;
    }
  pattern->high += bytes;
  pattern->row_lanes = mask == WP_ALL_LANES ? find_parts (pattern->relative, bytes) : 1;
  pattern->same_lanes = mask == WP_ALL_LANES ? find_parts (pattern->relative, 0) : 1;
}

static void
set_banks (const guint64 addresses[LANES], guint32 mask, guint bytes, WpPattern *pattern)
{
  guint32 narrow[LANES];

  for (guint lane = 0; lane < LANES; lane++)
    narrow[lane] = (guint32)addresses[lane];
  pattern->wavefronts = (guint8)wp_shared_wavefronts (narrow, mask, bytes);
}

static void
set_lines (const guint64 addresses[LANES], guint32 mask, guint bytes, WpPattern *pattern)
{
  const guint64 first = addresses[__builtin_ctz (mask)];
  const guint n = add_lanes (addresses, mask, pattern->lines);
  const guint passes = pattern->is_row ? MAX (1, bytes / 4) : count_passes (addresses, mask, bytes);

  pattern->partial = PARTIAL_UNKNOWN;
  for (guint i = 0; i < n; i++)
    pattern->lines[i] -= first >> LINE_SHIFT << 4;
  pattern->n_lines = (guint8)n;
  pattern->wavefronts = (guint8)MAX (passes, (n + LINES_OF_CYCLE - 1) / LINES_OF_CYCLE);
}

static const WpPattern *
make (WpPatterns *patterns, WpPattern *pattern, const guint64 addresses[LANES], guint32 mask,
      guint bytes, guint8 place)
{
  pattern->number = ++patterns->n_made;
  pattern->mask = mask;
  pattern->bytes = (guint8)bytes;
  pattern->place = place;
  set_relative (addresses, mask, bytes, pattern);
  if (place & PLACE_SHARED)
    set_banks (addresses, mask, bytes, pattern);
  else
    set_lines (addresses, mask, bytes, pattern);
  return pattern;
}

guint
wp_patterns_get_partial (WpPatterns *patterns, const WpPattern *pattern)
{
  WpPattern *own = &patterns->patterns[pattern - patterns->patterns];
  const guint64 first = ((guint64)1 << 62) + own->place; /* lanes may be below it */
  guint64 addresses[LANES];
  WpLine lines[LANES];

  if (own->partial != PARTIAL_UNKNOWN)
    return own->partial;
  for (guint lane = 0; lane < LANES; lane++)
    addresses[lane] = first + own->relative[lane];
  for (guint i = 0; i < own->n_lines; i++)
    lines[i] = own->lines[i] + (first >> LINE_SHIFT << 4);
  own->partial = (guint8)find_partial (addresses, own->mask, own->bytes, lines, own->n_lines);
  return own->partial;
}

/* Whether all lanes of PATTERN are as far from one another as those of ADDRESSES. */
WP_INLINE gboolean
are_all_same (const WpPattern *pattern, const guint64 addresses[LANES], guint64 first)
{
  guint64 differ = 0;

  for (guint lane = 0; lane < LANES; lane++)
    differ |= (addresses[lane] - first) ^ pattern->relative[lane];
  return differ == 0;
}

/* ...those in MASK, which is the pattern's. */
WP_INLINE gboolean
are_same (const WpPattern *pattern, const guint64 addresses[LANES], guint32 mask, guint64 first)
{
  guint64 differ = 0;

  for (guint lane = 0; lane < LANES; lane++)
    differ |= ((addresses[lane] - first) ^ pattern->relative[lane]) & -(guint64)(mask >> lane & 1);
  return differ == 0;
}

/* What mostly tells patterns apart: the second, a middle and the last lane. */
WP_INLINE guint
get_slot (const guint64 addresses[LANES], guint32 mask, guint64 first, guint key)
{
  const guint32 rest = mask & (mask - 1);
  const guint second = (guint)__builtin_ctz (rest | 1u << 31);
  const guint last = 31 - (guint)__builtin_clz (mask);
  guint64 hash = mask * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) + key;

  if (rest != 0)
    hash ^= (addresses[second] - first) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  hash += (addresses[last] - first) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  if (mask >> 16 & 1)
    hash ^= (addresses[16] - first) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);
  return (guint)((hash * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >> (64 - WP_PATTERNS_BITS));
}

WP_INLINE gboolean
is_it (const WpPattern *pattern, const guint64 addresses[LANES], guint32 mask, guint64 first,
       guint bytes, guint8 place)
{
  return pattern->mask == mask && pattern->bytes == bytes && pattern->place == place
         && (mask == WP_ALL_LANES ? are_all_same (pattern, addresses, first)
                                  : are_same (pattern, addresses, mask, first));
}

/* It is at one of WAYS places. Of these the one that was made first makes room. */
#define WAYS 4

WP_INLINE const WpPattern *
find (WpPatterns *patterns, const guint64 addresses[LANES], guint32 mask, guint bytes,
      gboolean is_shared)
{
  const guint64 first = addresses[__builtin_ctz (mask)];
  const guint8 place
      = (guint8)(is_shared ? PLACE_SHARED | (bytes < 4 ? first & 3 : 0) : first & (LINE - 1));
  const guint slot = get_slot (addresses, mask, first, (guint)place << 8 | bytes);
  WpPattern *oldest = &patterns->patterns[slot];

  for (guint way = 0; way < WAYS; way++)
    {
      WpPattern *pattern = &patterns->patterns[slot ^ way];

      if (is_it (pattern, addresses, mask, first, bytes, place))
        return pattern;
      if (pattern->number < oldest->number)
        oldest = pattern;
    }
  return make (patterns, oldest, addresses, mask, bytes, place);
}

WP_WIDE static const WpPattern *
find_wide (WpPatterns *patterns, const guint64 addresses[LANES], guint32 mask, guint bytes,
           gboolean is_shared)
{
  return find (patterns, addresses, mask, bytes, is_shared);
}

const WpPattern *
wp_patterns_find (WpPatterns *patterns, const guint64 addresses[LANES], guint32 mask, guint bytes,
                  gboolean is_shared)
{
  return wp_host_is_wide () ? find_wide (patterns, addresses, mask, bytes, is_shared)
                            : find (patterns, addresses, mask, bytes, is_shared);
}

/* ---- Shapes ---- */

/* Whether the words in MASK are all equal to FIRST. */
WP_INLINE gboolean
is_uniform (const guint32 words[LANES], guint32 mask, guint32 first)
{
  guint32 differ = 0;

  for (guint lane = 0; lane < LANES; lane++)
    differ |= (words[lane] ^ first) & -(mask >> lane & 1);
  return differ == 0;
}

/* Whether all of WORDS are STEP apart. */
WP_INLINE gboolean
is_strided (const guint32 words[LANES], guint32 step)
{
  guint32 differ = 0;

  for (guint lane = 0; lane < LANES; lane++)
    differ |= words[lane] ^ (words[0] + lane * step);
  return differ == 0;
}

WP_INLINE gboolean
has_shape (const WpShapeEntry *shape, const guint32 words[LANES], guint32 mask, guint32 first)
{
  guint32 differ = 0;

  for (guint lane = 0; lane < LANES; lane++)
    differ |= ((words[lane] - first) ^ shape->relative[lane]) & -(mask >> lane & 1);
  return differ == 0 && shape->mask == mask;
}

static WpShape
add_shape (WpPatterns *patterns, WpShapeEntry *shape, const guint32 words[LANES], guint32 mask,
           guint32 first)
{
  if (patterns->last_shape == WP_SHAPE_STRIDED - 1)
    return WP_SHAPE_NONE;
  shape->mask = mask;
  for (guint lane = 0; lane < LANES; lane++)
    shape->relative[lane] = mask >> lane & 1 ? words[lane] - first : 0;
  shape->number = ++patterns->last_shape;
  return shape->number;
}

WP_INLINE WpShape
get_shape (WpPatterns *patterns, const guint32 words[LANES], guint32 mask)
{
  const guint32 first = words[__builtin_ctz (mask)], rest = mask & (mask - 1);
  const guint second = (guint)__builtin_ctz (rest | 1u << 31);
  const guint last = 31 - (guint)__builtin_clz (mask);
  guint32 hash = mask;
  WpShapeEntry *shape;

  if (words[last] == first && is_uniform (words, mask, first))
    return WP_SHAPE_UNIFORM;
  if (mask == WP_ALL_LANES && words[last] - first == (LANES - 1) * (words[1] - first)
      && wp_shape_of_step (words[1] - first) != WP_SHAPE_NONE
      && is_strided (words, words[1] - first))
    return wp_shape_of_step (words[1] - first);
  hash = hash * 0x9E3779B1u + (words[last] - first);
  hash = hash * 0x85EBCA77u + (rest != 0 ? words[second] - first : 0);
  shape = &patterns->shapes[(hash * 0xC2B2AE3Du) >> (32 - WP_SHAPES_BITS)];
  return has_shape (shape, words, mask, first) ? shape->number
                                               : add_shape (patterns, shape, words, mask, first);
}

WP_WIDE static WpShape
get_shape_wide (WpPatterns *patterns, const guint32 words[LANES], guint32 mask)
{
  return get_shape (patterns, words, mask);
}

WpShape
wp_patterns_get_shape (WpPatterns *patterns, const guint32 words[LANES], guint32 mask)
{
  return wp_host_is_wide () ? get_shape_wide (patterns, words, mask)
                            : get_shape (patterns, words, mask);
}

void
wp_patterns_keep (WpPatterns *patterns, WpShape shape, guint32 access, guint32 least, guint32 most,
                  const WpPattern *pattern)
{
  patterns->kept[wp_patterns_get_kept (access)] = (WpKeptPattern){
    shape, pattern->mask, access, least, most - least, pattern->number, pattern
  };
}
