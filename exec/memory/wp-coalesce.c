/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-coalesce.h"

#include <string.h>

#include "exec/memory/wp-bytes.h"
#include "exec/memory/wp-shared.h"

#define LANES WP_MEMORY_LANES
#define LINE 128
#define LINE_SHIFT 7
#define SECTOR 32
#define SECTOR_SHIFT 5
#define LINES_OF_CYCLE 4 /* that L1 looks up */

/* An instruction mostly does the same again, somewhere else: what its lanes' addresses come to,
 * relative to the first one's, is remembered for some instructions of the warp. Banks do not change
 * when all addresses move by a multiple of what a lane accesses, and lines do not when they keep
 * their place in a line of 128 bytes. */
#define PATTERNS 8

typedef struct
{
  guint32 relative[LANES]; /* of lanes in `mask` */
  guint32 mask;
  guint8 bytes, place; /* in a line */
  guint8 wavefronts, n_lines, partial;
  WpLine lines[LANES]; /* relative to the first lane's line */
} Pattern;

struct WpPatterns
{
  Pattern global[PATTERNS];
  struct
  {
    guint32 relative[LANES];
    guint32 mask;
    guint8 bytes, wavefronts;
  } shared[PATTERNS];
  guint next_shared; /* the place in shared[] that is given up next */
};

static struct WpPatterns *
get_patterns (WpAccessLog *log)
{
  if (log->patterns == NULL)
    log->patterns = g_new0 (struct WpPatterns, 1);
  return log->patterns;
}

void
wp_access_log_init (WpAccessLog *log)
{
  log->accesses = g_array_new (FALSE, FALSE, sizeof (WpAccess));
  log->lines = g_array_new (FALSE, FALSE, sizeof (WpLine));
  log->patterns = NULL;
}

void
wp_access_log_reset (WpAccessLog *log)
{
  g_array_set_size (log->accesses, 0);
  g_array_set_size (log->lines, 0);
}

void
wp_access_log_clear (WpAccessLog *log)
{
  g_clear_pointer (&log->accesses, g_array_unref);
  g_clear_pointer (&log->lines, g_array_unref);
  g_clear_pointer (&log->patterns, g_free);
}

/* ---- Lines ---- */

static WpLine
get_line (guint64 address)
{
  return address >> LINE_SHIFT << 4 | 1u << (address >> SECTOR_SHIFT & 3);
}

/* All lanes in a row from ADDRESS on, N bytes in all. */
static guint
add_row (guint64 address, guint n, WpLine *lines)
{
  guint64 first = address >> SECTOR_SHIFT, last = (address + n - 1) >> SECTOR_SHIFT;
  guint n_lines = 0;

  for (guint64 sector = first; sector <= last;)
    {
      guint in = (guint)(sector & 3), here = (guint)MIN (4 - in, last - sector + 1);

      lines[n_lines++] = sector >> 2 << 4 | ((1u << here) - 1) << in;
      sector += here;
    }
  return n_lines;
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

static gboolean
is_row (const guint64 addresses[LANES], guint32 mask, guint bytes)
{
  guint64 odd = 0, expected = addresses[0];

  if (mask != WP_ALL_LANES)
    return FALSE;
  for (guint lane = 0; lane < LANES; lane++, expected += bytes)
    odd |= addresses[lane] ^ expected;
  return odd == 0;
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

/* How many sectors of the N LINES are not written as a whole. */
static guint
count_partial (const guint64 addresses[LANES], guint32 mask, guint bytes, const WpLine *lines,
               guint n)
{
  guint32 written[LANES][LINE / SECTOR] = { { 0 } }; /* a bit for each byte */
  guint partial = 0;

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
      partial += written[i][sector] != 0 && written[i][sector] != G_MAXUINT32;
  return partial;
}

/* Fills in PATTERN for ADDRESSES: all but `relative`. */
static void
make_pattern (const guint64 addresses[LANES], guint32 mask, guint bytes, Pattern *pattern)
{
  const guint64 first = addresses[__builtin_ctz (mask)];
  guint n = add_lanes (addresses, mask, pattern->lines);
  guint passes = count_passes (addresses, mask, bytes);

  pattern->partial = (guint8)count_partial (addresses, mask, bytes, pattern->lines, n);
  for (guint i = 0; i < n; i++)
    pattern->lines[i] -= first >> LINE_SHIFT << 4;
  pattern->mask = mask;
  pattern->bytes = (guint8)bytes;
  pattern->place = first & (LINE - 1);
  pattern->n_lines = (guint8)n;
  pattern->wavefronts = (guint8)MAX (passes, (n + LINES_OF_CYCLE - 1) / LINES_OF_CYCLE);
}

/* The pattern of ADDRESSES, which may be that of the last time. Addresses too far from one another
 * for 32 bits make one anew. */
static const Pattern *
find_pattern (WpAccessLog *log, guint32 index, const guint64 addresses[LANES], guint32 mask,
              guint bytes)
{
  const guint64 first = addresses[__builtin_ctz (mask)];
  Pattern *pattern = &get_patterns (log)->global[index % PATTERNS];
  guint32 relative[LANES];
  guint64 far = 0;

  for (guint lane = 0; lane < LANES; lane++)
    {
      guint64 distance = mask >> lane & 1 ? addresses[lane] - first : 0;

      far |= distance + (G_GUINT64_CONSTANT (1) << 31);
      relative[lane] = (guint32)distance;
    }
  if (far >> 32 == 0 && pattern->mask == mask && pattern->bytes == bytes
      && pattern->place == (first & (LINE - 1))
      && memcmp (relative, pattern->relative, sizeof relative) == 0)
    return pattern;
  make_pattern (addresses, mask, bytes, pattern);
  memcpy (pattern->relative, relative, sizeof relative);
  if (far >> 32 != 0)
    pattern->mask = 0;
  return pattern;
}

/* Whether it matters that ACCESS writes sectors in part: where it goes to L2 as it is. */
static gboolean
has_partial (const WpAccess *access)
{
  return access->is_write && !access->is_atomic && access->space == WP_SPACE_GLOBAL;
}

static void
add_pattern (WpAccessLog *log, WpAccess *access, const Pattern *pattern, guint64 first)
{
  const guint before = log->lines->len;
  WpLine *lines;

  access->n_lines = pattern->n_lines;
  access->wavefronts = pattern->wavefronts;
  access->partial = has_partial (access) ? pattern->partial : 0;
  g_array_set_size (log->lines, before + pattern->n_lines);
  lines = (WpLine *)(gpointer)log->lines->data + before;
  for (guint i = 0; i < pattern->n_lines; i++)
    lines[i] = pattern->lines[i] + (first >> LINE_SHIFT << 4);
}

void
wp_access_log_add (WpAccessLog *log, WpAccess access, const guint64 addresses[LANES], guint32 mask,
                   guint bytes)
{
  if (is_row (addresses, mask, bytes))
    {
      WpLine lines[LANES];
      const guint n = add_row (addresses[0], LANES * bytes, lines);

      access.n_lines = (guint8)n;
      access.wavefronts = (guint8)MAX (1, bytes / 4);
      /* Both ends are in the middle of a sector, or none. */
      access.partial = has_partial (&access) && addresses[0] % SECTOR != 0 ? 2 : 0;
      g_array_append_vals (log->lines, lines, n);
    }
  else
    add_pattern (log, &access, find_pattern (log, access.index, addresses, mask, bytes),
                 addresses[__builtin_ctz (mask)]);
  g_array_append_vals (log->accesses, &access, 1);
}

void
wp_access_log_add_banks (WpAccessLog *log, guint32 index, gboolean is_write,
                         const guint32 addresses[LANES], guint32 mask, guint bytes)
{
  struct WpPatterns *patterns = get_patterns (log);
  const guint32 first = addresses[__builtin_ctz (mask)];
  guint32 relative[LANES];
  guint slot = 0;

  for (guint lane = 0; lane < LANES; lane++)
    relative[lane] = addresses[lane] - first;
  for (guint lane = 0; mask != WP_ALL_LANES && lane < LANES; lane++)
    relative[lane] = mask >> lane & 1 ? relative[lane] : 0;
  while (slot < PATTERNS
         && (patterns->shared[slot].mask != mask || patterns->shared[slot].bytes != bytes
             || memcmp (relative, patterns->shared[slot].relative, sizeof relative) != 0))
    slot++;
  if (slot == PATTERNS || bytes < 4) /* where in its word a byte is matters */
    {
      slot = patterns->next_shared++ % PATTERNS;
      memcpy (patterns->shared[slot].relative, relative, sizeof relative);
      patterns->shared[slot].mask = mask;
      patterns->shared[slot].bytes = (guint8)bytes;
      patterns->shared[slot].wavefronts = (guint8)wp_shared_wavefronts (addresses, mask, bytes);
    }
  wp_access_log_add_shared (log, index, is_write, FALSE, patterns->shared[slot].wavefronts);
}

void
wp_access_log_add_shared (WpAccessLog *log, guint32 index, gboolean is_write, gboolean is_atomic,
                          guint wavefronts)
{
  const WpAccess access = { .index = index,
                            .space = WP_SPACE_SHARED,
                            .wavefronts = (guint8)wavefronts,
                            .is_write = is_write != FALSE,
                            .is_atomic = is_atomic != FALSE };

  g_array_append_vals (log->accesses, &access, 1);
}
