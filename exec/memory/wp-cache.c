/* SPDX-License-Identifier: MIT */
/* A set is kept in the order of use: what is used moves to the front. A hit is mostly near it. */
#include "exec/memory/wp-cache.h"

#include "exec/memory/wp-vectors.h"

#include <string.h>

#define LINE_BYTES 128
#define VALID 15u

void
wp_cache_init (WpCache *cache, guint64 bytes, guint ways)
{
  cache->ways = ways;
  cache->sets = bytes == 0 ? 0 : MAX (1, bytes / LINE_BYTES / ways);
  cache->entries = g_new0 (guint64, MAX (1, cache->sets * ways));
}

void
wp_cache_clear (WpCache *cache)
{
  g_clear_pointer (&cache->entries, g_free);
}

/* The set of LINE: the upper half of a product with 2^64 over the golden ratio, spread over the
 * sets by another product, so that their number need be no power of two. */
static inline guint64 *
get_set (const WpCache *cache, guint64 line)
{
  guint64 hash = (line ^ line >> 15) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 32;

  return cache->entries + (hash * cache->sets >> 32) * cache->ways;
}

void
wp_cache_expect (const WpCache *cache, guint64 line)
{
  const guint64 *set = cache->entries;

  if (cache->sets > 0)
    set = get_set (cache, line);
  __builtin_prefetch (set, 1);
  __builtin_prefetch (set + 8, 1);
}

/* Most GPUs have so many. Then all of a set are looked at without a question between them. */
#define WAYS 16

typedef guint64 Two __attribute__ ((vector_size (16)));
typedef guint64 Four __attribute__ ((vector_size (32)));

/* Adds to FOUND the MARKS of those of four ways that have WANTED, a line. */
WP_INLINE void
match (const guint64 *ways, const Four *wanted, const Four *marks, Four *found)
{
  Four four;

  memcpy (&four, ways, sizeof four);
  *found |= (Four)(four >> 8 == *wanted) & *marks;
}

/* A bit for each way that has LINE. */
WP_INLINE guint32
find_ways (const guint64 *set, guint64 line)
{
  const Four wanted = line - (Four){ 0 };
  Four found = { 0 };
  Two both[2];

  match (set, &wanted, &(Four){ 1, 2, 4, 8 }, &found);
  match (set + 4, &wanted, &(Four){ 1 << 4, 2 << 4, 4 << 4, 8 << 4 }, &found);
  match (set + 8, &wanted, &(Four){ 1 << 8, 2 << 8, 4 << 8, 8 << 8 }, &found);
  match (set + 12, &wanted, &(Four){ 1 << 12, 2 << 12, 4 << 12, 8 << 12 }, &found);
  memcpy (both, &found, sizeof both);
  both[0] |= both[1];
  return (guint32)(both[0][0] | both[0][1]);
}

WP_WIDE static guint32
find_ways_wide (const guint64 *set, guint64 line)
{
  return find_ways (set, line);
}

/* Where LINE is in SET; the number of ways: it is not there. It is mostly at the front or nowhere.
 */
static inline guint
find_way (const guint64 *set, guint ways, guint64 line)
{
  guint32 found;
  guint way = 0;

  if (set[0] >> 8 == line)
    return 0;
  if (ways == WAYS)
    {
      found = wp_host_is_wide () ? find_ways_wide (set, line) : find_ways (set, line);
      return found == 0 ? WAYS : (guint)__builtin_ctz (found);
    }
  while (way < ways && set[way] >> 8 != line)
    way++;
  return way;
}

/* Moves the entry at WAY of SET to the front. */
WP_INLINE void
move_to_front (guint64 *set, guint way)
{
  const guint64 entry = set[way];

  for (guint k = way; k > 0; k--)
    set[k] = set[k - 1];
  set[0] = entry;
}

/* The same of the last of WAYS, mostly that of a line that comes anew. */
WP_INLINE void
move_last_to_front (guint64 *set)
{
  const guint64 entry = set[WAYS - 1];
  guint64 kept[WAYS - 1];

  memcpy (kept, set, sizeof kept);
  memcpy (set + 1, kept, sizeof kept);
  set[0] = entry;
}

/* Has the entry of LINE at the front of SET, of WAYS; another one's where it is not there. */
WP_INLINE void
bring (guint64 *set, guint64 line)
{
  const guint32 found = find_ways (set, line);
  const guint way = found == 0 ? WAYS - 1 : (guint)__builtin_ctz (found);

  if (way == WAYS - 1)
    move_last_to_front (set);
  else
    move_to_front (set, way);
}

/* Has the entry of LINE at the front of SET, of another number of WAYS. */
static G_GNUC_NO_INLINE void
bring_of (guint64 *set, guint ways, guint64 line)
{
  move_to_front (set, MIN (find_way (set, ways, line), ways - 1));
}

/* Returns the entry of LINE, at the front of its set; makes room for it if it is not there. */
WP_INLINE guint64 *
use_line (WpCache *cache, guint64 line, guint *evicted)
{
  guint64 *set = get_set (cache, line);

  if (set[0] >> 8 != line && G_LIKELY (cache->ways == WAYS))
    bring (set, line);
  else if (set[0] >> 8 != line)
    bring_of (set, cache->ways, line);
  if (*set >> 8 != line || (*set & VALID) == 0)
    {
      if (evicted != NULL)
        *evicted += wp_cache_count ((guint)(*set >> 4));
      *set = line << 8;
    }
  return set;
}

WP_INLINE guint
read_line (WpCache *cache, guint64 line, guint sectors, guint *evicted)
{
  guint64 *entry = use_line (cache, line, evicted);
  const guint missing = sectors & ~(guint)*entry;

  *entry |= sectors;
  return missing;
}

WP_INLINE guint
write_line (WpCache *cache, guint64 line, guint sectors, guint *evicted)
{
  guint64 *entry = use_line (cache, line, evicted);
  const guint fresh = sectors & ~(guint)(*entry >> 4);

  *entry |= sectors | sectors << 4;
  return fresh;
}

WP_WIDE static guint
read_wide (WpCache *cache, guint64 line, guint sectors, guint *evicted)
{
  return read_line (cache, line, sectors, evicted);
}

WP_WIDE static guint
write_wide (WpCache *cache, guint64 line, guint sectors, guint *evicted)
{
  return write_line (cache, line, sectors, evicted);
}

guint
wp_cache_read (WpCache *cache, guint64 line, guint sectors, guint *evicted)
{
  if (cache->sets == 0)
    return sectors;
  return wp_host_is_wide () ? read_wide (cache, line, sectors, evicted)
                            : read_line (cache, line, sectors, evicted);
}

guint
wp_cache_write (WpCache *cache, guint64 line, guint sectors, guint *evicted)
{
  if (cache->sets == 0)
    return sectors;
  return wp_host_is_wide () ? write_wide (cache, line, sectors, evicted)
                            : write_line (cache, line, sectors, evicted);
}

void
wp_cache_write_through (WpCache *cache, guint64 line, guint sectors)
{
  guint64 *set;
  guint way;

  if (cache->sets == 0)
    return;
  set = get_set (cache, line);
  way = find_way (set, cache->ways, line);
  if (way == cache->ways || (set[way] & VALID) == 0)
    return;
  move_to_front (set, way);
  set[0] |= sectors;
}

void
wp_cache_invalidate (WpCache *cache, guint64 line, guint sectors)
{
  guint64 *set;
  guint way;

  if (cache->sets == 0)
    return;
  set = get_set (cache, line);
  way = find_way (set, cache->ways, line);
  if (way < cache->ways)
    set[way] &= ~(guint64)(sectors | sectors << 4);
}

guint64
wp_cache_count_written (const WpCache *cache)
{
  guint64 written = 0;

  for (guint64 i = 0; i < cache->sets * cache->ways; i++)
    written += wp_cache_count ((guint)(cache->entries[i] >> 4));
  return written;
}
