/* SPDX-License-Identifier: MIT */
/* One cache: lines of 128 bytes with four sectors, in sets of some ways, the least recently used of
 * which makes room. Sets are chosen by a hash of the line, as GPUs do, so that no stride is worse
 * than another.
 *
 * It knows no addresses and no time: callers look up lines in an order of theirs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 *entries; /* of each set WAYS of them, the last used first: line << 8 | written sectors
                     * << 4 | sectors that are there; 0: free */
  guint64 sets;
  guint ways;
} WpCache;

/* Makes CACHE one of BYTES, rounded down to whole sets, of one set at least. With 0 bytes there is
 * none, and nothing is ever found. */
void wp_cache_init (WpCache *cache, guint64 bytes, guint ways);
void wp_cache_clear (WpCache *cache);

/* How many of the four SECTORS there are: a table in a word, as not all hosts count bits. */
static inline guint
wp_cache_count (guint sectors)
{
  return (guint)(G_GUINT64_CONSTANT (0x4332322132212110) >> 4 * (sectors & 15)) & 7;
}

/* LINE will be looked up soon. */
void wp_cache_expect (const WpCache *cache, guint64 line);

/* Reads SECTORS (a bit for each) of LINE, and returns those that were not there; they are now.
 * The number of written sectors that had to make room is added to EVICTED (may be NULL). O(ways).
 */
guint wp_cache_read (WpCache *cache, guint64 line, guint sectors, guint *evicted);

/* Writes SECTORS of LINE into CACHE, to be written back later, and returns those that did not wait
 * for that already. EVICTED and the cost are as above. */
guint wp_cache_write (WpCache *cache, guint64 line, guint sectors, guint *evicted);

/* Writes SECTORS of LINE through: they are used if the line is there, else nothing changes. */
void wp_cache_write_through (WpCache *cache, guint64 line, guint sectors);

/* Takes SECTORS of LINE out. */
void wp_cache_invalidate (WpCache *cache, guint64 line, guint sectors);

/* Sectors that wait to be written back. O(lines). */
guint64 wp_cache_count_written (const WpCache *cache);

G_END_DECLS
