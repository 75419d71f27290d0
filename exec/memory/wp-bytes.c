/* SPDX-License-Identifier: MIT */
/* Most accesses are of all lanes in a row, and those are copied as one. */
#include "exec/memory/wp-bytes.h"

#include "exec/memory/wp-vectors.h"

#include <string.h>

#define LANES 32

/* The lowest lane of LANES, which is not 0. */
static inline guint
get_lowest (guint32 lanes)
{
  return (guint)__builtin_ctz (lanes);
}

static gboolean
is_row (const guint32 offsets[LANES], guint32 mask, guint size)
{
  guint32 odd = 0;

  if (mask != WP_ALL_LANES)
    return FALSE;
  for (guint32 lane = 0; lane < LANES; lane++)
    odd |= offsets[lane] ^ (offsets[0] + lane * size);
  return odd == 0;
}

/* ---- Data ---- */

static void
load_row (const guint8 *data, guint n_words, guint32 (*rows)[LANES])
{
  guint32 words[4 * LANES];

  memcpy (words, data, 4 * LANES * n_words);
  if (n_words == 1)
    memcpy (rows[0], words, sizeof rows[0]);
  else if (n_words == 2)
    for (guint lane = 0; lane < LANES; lane++)
      {
        rows[0][lane] = words[2 * lane];
        rows[1][lane] = words[2 * lane + 1];
      }
  else
    for (guint k = 0; k < 4; k++)
      for (guint lane = 0; lane < LANES; lane++)
        rows[k][lane] = words[4 * lane + k];
}

static void
store_row (guint8 *data, guint n_words, guint32 (*const rows)[LANES])
{
  guint32 words[4 * LANES];

  if (n_words == 1)
    memcpy (words, rows[0], sizeof rows[0]);
  else if (n_words == 2)
    for (guint lane = 0; lane < LANES; lane++)
      {
        words[2 * lane] = rows[0][lane];
        words[2 * lane + 1] = rows[1][lane];
      }
  else
    for (guint k = 0; k < 4; k++)
      for (guint lane = 0; lane < LANES; lane++)
        words[4 * lane + k] = rows[k][lane];
  memcpy (data, words, 4 * LANES * n_words);
}

static void
load_narrow (const guint8 *data, const guint32 offsets[LANES], guint32 mask, guint size,
             gboolean is_signed, guint32 row[LANES])
{
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = get_lowest (left);
      const guint8 *from = data + offsets[lane];
      guint16 half = from[0];

      if (size == 2)
        memcpy (&half, from, 2);
      row[lane] = !is_signed ? half : size == 1 ? (guint32)(gint8)half : (guint32)(gint16)half;
    }
}

static void
load_words (const guint8 *data, const guint32 offsets[LANES], guint32 mask, guint32 row[LANES])
{
  if (mask == WP_ALL_LANES)
    for (guint lane = 0; lane < LANES; lane++)
      memcpy (&row[lane], data + offsets[lane], 4);
  else
    for (guint32 left = mask; left != 0; left &= left - 1)
      memcpy (&row[get_lowest (left)], data + offsets[get_lowest (left)], 4);
}

static void
load_data (const guint8 *data, const guint32 offsets[LANES], guint32 mask, guint size,
           gboolean is_signed, guint32 (*rows)[LANES])
{
  if (size < 4)
    load_narrow (data, offsets, mask, size, is_signed, rows[0]);
  for (guint k = 0; k < size / 4; k++)
    load_words (data + 4 * k, offsets, mask, rows[k]);
}

static void
store_data (guint8 *data, const guint32 offsets[LANES], guint32 mask, guint size,
            guint32 (*const rows)[LANES])
{
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = get_lowest (left);

      if (size < 4)
        memcpy (data + offsets[lane], &rows[0][lane], size);
      for (guint k = 0; k < size / 4; k++)
        memcpy (data + offsets[lane] + 4 * k, &rows[k][lane], 4);
    }
}

/* ---- What is known ---- */

/* Whether any of the N bytes from FROM on is unknown. */
static gboolean
has_any_of_many (const guint64 *unknown, guint32 from, guint32 n)
{
  guint32 first = from >> 6, last = (from + n - 1) >> 6;
  guint64 found = 0;

  for (guint32 i = first; i <= last; i++)
    {
      guint64 bits = __atomic_load_n (&unknown[i], __ATOMIC_RELAXED);

      if (i == first)
        bits &= ~(guint64)0 << (from & 63);
      if (i == last)
        bits &= ~(guint64)0 >> (63 - ((from + n - 1) & 63));
      found |= bits;
    }
  return found != 0;
}

/* The same; mostly they are in one word or two. */
static inline gboolean
has_any (const guint64 *unknown, guint32 from, guint32 n)
{
  const guint32 first = from >> 6, last = (from + n - 1) >> 6;
  const guint64 after = ~(guint64)0 << (from & 63);
  const guint64 before = ~(guint64)0 >> (63 - ((from + n - 1) & 63));
  guint64 low, high;

  if (last - first > 1)
    return has_any_of_many (unknown, from, n);
  low = __atomic_load_n (&unknown[first], __ATOMIC_RELAXED);
  high = __atomic_load_n (&unknown[last], __ATOMIC_RELAXED);
  return first == last ? (low & after & before) != 0 : (low & after) != 0 || (high & before) != 0;
}

/* Whether any byte of the lanes is. */
static gboolean
has_lanes (const guint64 *bits, const guint32 offsets[LANES], guint32 mask, guint size)
{
  guint32 found = 0;

  if (mask == WP_ALL_LANES)
    for (guint lane = 0; lane < LANES; lane++)
      found |= wp_bytes_get_unknown (bits, offsets[lane], size);
  else
    for (guint32 left = mask; left != 0; left &= left - 1)
      found |= wp_bytes_get_unknown (bits, offsets[get_lowest (left)], size);
  return found != 0;
}

#define MAX_SPAN 1024 /* more bytes than that are as many words as there are lanes */

/* The least and the greatest of all. */
WP_INLINE void
find_span (const guint32 offsets[LANES], guint32 *low, guint32 *high)
{
  guint32 least = offsets[0], most = offsets[0];

  for (guint lane = 0; lane < LANES; lane++)
    least = MIN (least, offsets[lane]);
  for (guint lane = 0; lane < LANES; lane++)
    most = MAX (most, offsets[lane]);
  *low = least;
  *high = most;
}

WP_WIDE static void
find_span_wide (const guint32 offsets[LANES], guint32 *low, guint32 *high)
{
  find_span (offsets, low, high);
}

/* Whether the bytes between the lowest and the highest of the lanes are all known (0), all unknown
 * (1), or differ, or are too many to be looked at (-1): mostly they are all alike. */
static gint
find_common (const guint64 *bits, const guint32 offsets[LANES], guint32 mask, guint size)
{
  guint32 low = G_MAXUINT32, high = 0;
  guint64 any = 0, all = ~(guint64)0;

  if (mask == WP_ALL_LANES && wp_host_is_wide ())
    find_span_wide (offsets, &low, &high);
  else if (mask == WP_ALL_LANES)
    find_span (offsets, &low, &high);
  else
    for (guint32 left = mask; left != 0; left &= left - 1)
      {
        low = MIN (low, offsets[get_lowest (left)]);
        high = MAX (high, offsets[get_lowest (left)]);
      }
  high += size - 1;
  if (high - low >= MAX_SPAN)
    return -1;
  for (guint32 i = low >> 6; i <= high >> 6; i++)
    {
      guint64 part = __atomic_load_n (&bits[i], __ATOMIC_RELAXED), inside = ~(guint64)0;

      if (i == low >> 6)
        inside &= ~(guint64)0 << (low & 63);
      if (i == high >> 6)
        inside &= ~(guint64)0 >> (63 - (high & 63));
      any |= part & inside;
      all &= part | ~inside;
    }
  return any == 0 ? 0 : all == ~(guint64)0 ? 1 : -1;
}

static void
load_unknown (const guint64 *bits, const guint32 offsets[LANES], guint32 mask, guint size,
              guint32 *unknown)
{
  guint n_words = size < 4 ? 1 : size / 4;
  gint common;

  for (guint k = 0; k < n_words; k++)
    unknown[k] &= ~mask;
  if (bits == NULL || mask == 0)
    return;
  common = find_common (bits, offsets, mask, size);
  for (guint k = 0; common == 1 && k < n_words; k++)
    unknown[k] |= mask;
  if (common >= 0 || !has_lanes (bits, offsets, mask, size))
    return;
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = get_lowest (left);
      guint32 found = wp_bytes_get_unknown (bits, offsets[lane], size);

      for (guint k = 0; found != 0; k++, found >>= 4)
        if (found & 15)
          unknown[k] |= 1u << lane;
    }
}

static void
set_range (guint64 *unknown, guint32 from, guint32 n, gboolean is_unknown)
{
  guint32 first = from >> 6, last = (from + n - 1) >> 6;

  for (guint32 i = first; i <= last; i++)
    {
      guint64 bits = ~(guint64)0;

      if (i == first)
        bits &= ~(guint64)0 << (from & 63);
      if (i == last)
        bits &= ~(guint64)0 >> (63 - ((from + n - 1) & 63));
      wp_bytes_set_unknown (&unknown[i], bits, is_unknown);
    }
}

static void
store_unknown (guint64 *bits, const guint32 offsets[LANES], guint32 mask, guint size,
               const guint32 *unknown)
{
  guint n_words = size < 4 ? 1 : size / 4, part = size < 4 ? size : 4;
  guint32 any = 0;

  for (guint k = 0; k < n_words; k++)
    any |= unknown[k] & mask;
  if (any == 0 && !has_lanes (bits, offsets, mask, size))
    return;
  for (guint32 left = mask; left != 0; left &= left - 1)
    for (guint lane = get_lowest (left), k = 0; k < n_words; k++)
      wp_bytes_set_unknown (&bits[offsets[lane] >> 6],
                            ((guint64)(1u << part) - 1) << ((offsets[lane] & 63) + 4 * k),
                            unknown[k] >> lane & 1);
}

/* Whether the lanes of N_WORDS are all known (0), all unknown (1) or differ (-1). */
static gint
get_common (const guint32 *unknown, guint n_words)
{
  guint32 all = WP_ALL_LANES, any = 0;

  for (guint k = 0; k < n_words; k++)
    {
      all &= unknown[k];
      any |= unknown[k];
    }
  return any == 0 ? 0 : all == WP_ALL_LANES ? 1 : -1;
}

static void
get_offsets (guint32 offset, guint size, guint32 offsets[LANES])
{
  for (guint lane = 0; lane < LANES; lane++)
    offsets[lane] = offset + lane * size;
}

/* ---- Both ---- */

gboolean
wp_bytes_load_row (const WpBytes *bytes, guint32 offset, guint size, guint32 (*rows)[LANES],
                   guint32 *unknown)
{
  guint32 offsets[LANES];

  load_row (bytes->data + offset, size / 4, rows);
  memset (unknown, 0, size);
  if (bytes->unknown == NULL || !has_any (bytes->unknown, offset, LANES * size))
    return FALSE;
  get_offsets (offset, size, offsets);
  load_unknown (bytes->unknown, offsets, WP_ALL_LANES, size, unknown);
  return TRUE;
}

void
wp_bytes_store_row (const WpBytes *bytes, guint32 offset, guint size, guint32 (*const rows)[LANES],
                    const guint32 *unknown)
{
  guint32 offsets[LANES];
  gint common = get_common (unknown, size / 4);

  store_row (bytes->data + offset, size / 4, rows);
  if (bytes->unknown == NULL)
    return;
  if (common >= 0)
    set_range (bytes->unknown, offset, LANES * size, common);
  else
    {
      get_offsets (offset, size, offsets);
      store_unknown (bytes->unknown, offsets, WP_ALL_LANES, size, unknown);
    }
}

void
wp_bytes_load (const WpBytes *bytes, const guint32 offsets[LANES], guint32 mask, guint size,
               gboolean is_signed, guint32 (*rows)[LANES], guint32 *unknown)
{
  if (size >= 4 && is_row (offsets, mask, size))
    {
      wp_bytes_load_row (bytes, offsets[0], size, rows, unknown);
      return;
    }
  load_data (bytes->data, offsets, mask, size, is_signed, rows);
  load_unknown (bytes->unknown, offsets, mask, size, unknown);
}

typedef guint32 Four __attribute__ ((vector_size (16)));
typedef guint32 Eight __attribute__ ((vector_size (32)));

/* The word at FROM and OFFSET. */
WP_INLINE guint32
get_word (const guint8 *from, guint64 offset)
{
  guint32 word;

  memcpy (&word, from + (gint64)offset, sizeof word);
  return word;
}

/* Each eight lanes of ROW have the word at the place of the first of them; each four. */
WP_INLINE void
spread_eights (const guint8 *from, const guint64 relative[LANES], guint32 row[LANES])
{
  const Eight words[4]
      = { get_word (from, relative[0]) - (Eight){ 0 }, get_word (from, relative[8]) - (Eight){ 0 },
          get_word (from, relative[16]) - (Eight){ 0 },
          get_word (from, relative[24]) - (Eight){ 0 } };

  memcpy (row, words, sizeof words);
}

WP_INLINE void
spread_fours (const guint8 *from, const guint64 relative[LANES], guint32 row[LANES])
{
  for (guint lane = 0; lane < LANES; lane += 4)
    {
      const Four words = get_word (from, relative[lane]) - (Four){ 0 };

      memcpy (row + lane, &words, sizeof words);
    }
}

/* Each eight lanes of ROW are what lies from the place of the first of them on; each four. */
WP_INLINE void
copy_eights (const guint8 *from, const guint64 relative[LANES], guint32 row[LANES])
{
  for (guint lane = 0; lane < LANES; lane += 8)
    memcpy (row + lane, from + (gint64)relative[lane], sizeof (Eight));
}

WP_INLINE void
copy_fours (const guint8 *from, const guint64 relative[LANES], guint32 row[LANES])
{
  for (guint lane = 0; lane < LANES; lane += 4)
    memcpy (row + lane, from + (gint64)relative[lane], sizeof (Four));
}

/* The lanes of PATTERN, words of 32 bits. The first is at FROM, others perhaps before it. */
WP_INLINE void
load_words_at (const guint8 *from, const WpPattern *pattern, guint32 row[LANES])
{
  if (pattern->mask != WP_ALL_LANES)
    for (guint32 left = pattern->mask; left != 0; left &= left - 1)
      row[get_lowest (left)] = get_word (from, pattern->relative[get_lowest (left)]);
  else if (pattern->same_lanes >= 8)
    spread_eights (from, pattern->relative, row);
  else if (pattern->same_lanes == 4)
    spread_fours (from, pattern->relative, row);
  else if (pattern->bytes == 4 && pattern->row_lanes >= 8)
    copy_eights (from, pattern->relative, row);
  else if (pattern->bytes == 4 && pattern->row_lanes == 4)
    copy_fours (from, pattern->relative, row);
  else
    for (guint lane = 0; lane < LANES; lane++)
      row[lane] = get_word (from, pattern->relative[lane]);
}

/* All words of PATTERN, the first of which is at FROM, and known. */
WP_INLINE void
load_known_at (const guint8 *from, const WpPattern *pattern, guint32 (*rows)[LANES],
               guint32 *unknown)
{
  for (guint k = 0; 4 * k < pattern->bytes; k++)
    {
      load_words_at (from + 4 * k, pattern, rows[k]);
      unknown[k] &= ~pattern->mask;
    }
}

WP_WIDE static void
load_known_at_wide (const guint8 *from, const WpPattern *pattern, guint32 (*rows)[LANES],
                    guint32 *unknown)
{
  load_known_at (from, pattern, rows, unknown);
}

/* Whether the lanes of PATTERN, the first of which is at FIRST, are known, as a look at all that is
 * between them shows. */
static inline gboolean
are_known (const WpBytes *bytes, const WpPattern *pattern, guint32 first)
{
  const guint32 span = (guint32)(pattern->high - pattern->low);

  return bytes->unknown == NULL
         || (span <= MAX_SPAN && !has_any (bytes->unknown, first + (guint32)pattern->low, span));
}

gboolean
wp_bytes_load_at (const WpBytes *bytes, const WpPattern *pattern, guint32 first, gboolean is_signed,
                  guint32 (*rows)[LANES], guint32 *unknown)
{
  guint32 offsets[LANES];

  if (pattern->bytes > 4 && pattern->is_row)
    return wp_bytes_load_row (bytes, first, pattern->bytes, rows, unknown);
  if (pattern->bytes >= 4 && are_known (bytes, pattern, first))
    {
      (wp_host_is_wide () ? load_known_at_wide : load_known_at) (bytes->data + first, pattern, rows,
                                                                 unknown);
      return FALSE;
    }
  if (pattern->bytes == 4 && pattern->is_row)
    return wp_bytes_load_row (bytes, first, 4, rows, unknown);
  for (guint lane = 0; lane < LANES; lane++)
    offsets[lane] = first + (guint32)pattern->relative[lane];
  wp_bytes_load (bytes, offsets, pattern->mask, pattern->bytes, is_signed, rows, unknown);
  return TRUE;
}

void
wp_bytes_store (const WpBytes *bytes, const guint32 offsets[LANES], guint32 mask, guint size,
                guint32 (*const rows)[LANES], const guint32 *unknown)
{
  if (size >= 4 && is_row (offsets, mask, size))
    {
      wp_bytes_store_row (bytes, offsets[0], size, rows, unknown);
      return;
    }
  store_data (bytes->data, offsets, mask, size, rows);
  if (bytes->unknown != NULL)
    store_unknown (bytes->unknown, offsets, mask, size, unknown);
}

/* ---- Atomics ---- */

/* Puts what MODIFICATION makes of the word at PLACE there, as if in one step: other threads may
 * modify it meanwhile. */
#define MODIFY(type, place, modification)                                                          \
  do                                                                                               \
    {                                                                                              \
      type *at_ = (type *)(place), old_ = __atomic_load_n (at_, __ATOMIC_RELAXED), new_;           \
                                                                                                   \
      do                                                                                           \
        new_ = (type)(modification)->modify (old_, (modification)->operands);                      \
      while (!__atomic_compare_exchange_n (at_, &old_, new_, FALSE, __ATOMIC_RELAXED,              \
                                           __ATOMIC_RELAXED));                                     \
      (modification)->old = old_;                                                                  \
    }                                                                                              \
  while (0)

void
wp_bytes_modify (const WpBytes *bytes, guint32 offset, WpModification *m)
{
  guint64 *word = &bytes->unknown[offset >> 6], bits = ((1u << m->bytes) - 1);
  gboolean becomes_unknown;

  m->old_unknown = wp_bytes_get_unknown (bytes->unknown, offset, m->bytes) != 0;
  becomes_unknown = m->is_unknown || (m->old_unknown && !m->replaces);
  m->old = 0;
  if (becomes_unknown && !m->old_unknown)
    memcpy (&m->old, bytes->data + offset, m->bytes);
  else if (!becomes_unknown)
    {
      if (m->bytes == 2)
        MODIFY (guint16, bytes->data + offset, m);
      else if (m->bytes == 4)
        MODIFY (guint32, bytes->data + offset, m);
      else
        MODIFY (guint64, bytes->data + offset, m);
    }
  wp_bytes_set_unknown (word, bits << (offset & 63), becomes_unknown);
}
