/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-coalesce.h"

#include <string.h>

#include "exec/memory/wp-patterns.h"

#define LINE_SHIFT 7
#define LINE_BYTES (1u << LINE_SHIFT)
#define SECTOR_SHIFT 5
#define SECTOR_BYTES (1u << SECTOR_SHIFT)
#define FIRST_ROOM 16

void
wp_access_log_init (WpAccessLog *log, WpPatterns *patterns)
{
  *log = (WpAccessLog){ .patterns = patterns };
}

void
wp_access_log_reset (WpAccessLog *log)
{
  for (guint i = 0; i < log->n_touched; i++)
    log->shared[log->touched[i]].count = 0;
  log->n_touched = 0;
  log->n_accesses = log->n_lines = 0;
}

void
wp_access_log_clear (WpAccessLog *log)
{
  g_clear_pointer (&log->accesses, g_free);
  g_clear_pointer (&log->lines, g_free);
  g_clear_pointer (&log->shared, g_free);
  g_clear_pointer (&log->touched, g_free);
}

void
wp_access_log_swap (WpAccessLog *log, WpAccessLog *other)
{
  const WpAccessLog kept = *log;
  WpPatterns *patterns = other->patterns;

  *log = *other;
  log->patterns = kept.patterns;
  *other = kept;
  other->patterns = patterns;
}

void
wp_access_log_grow (WpAccessLog *log)
{
  log->room = MAX (2 * log->room, FIRST_ROOM);
  log->accesses = g_renew (WpAccess, log->accesses, log->room);
}

void
wp_access_log_grow_lines (WpAccessLog *log, guint n)
{
  log->lines_room = MAX (2 * log->lines_room, log->n_lines + MAX (n, FIRST_ROOM));
  log->lines = g_renew (WpLine, log->lines, log->lines_room);
}

/* Whether it matters that ACCESS writes sectors in part: where it goes to L2 as it is. */
static inline gboolean
has_partial (const WpAccess *access)
{
  return access->is_write && !access->is_atomic && access->space == WP_SPACE_GLOBAL;
}

void
wp_access_log_add (WpAccessLog *log, const WpAccess *access, const WpPattern *pattern,
                   guint64 first)
{
  const WpLine line = first >> LINE_SHIFT << 4;
  WpLine *lines = wp_access_log_append_lines (log, pattern->n_lines);
  WpAccess *added = wp_access_log_append (log);

  *added = *access;
  added->n_lines = pattern->n_lines;
  added->wavefronts = pattern->wavefronts;
  added->partial
      = has_partial (access) ? (guint16)wp_patterns_get_partial (log->patterns, pattern) : 0;
  added->lanes = access->is_atomic ? (guint8)__builtin_popcount (pattern->mask) & 63 : 0;
  lines[0] = pattern->lines[0] + line; /* there is one, and mostly no other */
  for (guint i = 1; i < pattern->n_lines; i++)
    lines[i] = pattern->lines[i] + line;
}

/* The sectors of line NUMBER that the bytes from FIRST up to END touch. */
static guint
get_sectors (guint64 number, guint64 first, guint64 end)
{
  const guint64 begin = number << LINE_SHIFT;
  const guint from = first > begin ? (guint)(first - begin) >> SECTOR_SHIFT : 0;
  const guint last = MIN (end - begin, LINE_BYTES) - 1;

  return (2u << (last >> SECTOR_SHIFT)) - (1u << from);
}

/* How many sectors the bytes from FIRST up to END begin or end within. */
static guint
count_cut (guint64 first, guint64 end)
{
  const gboolean is_cut = first % SECTOR_BYTES != 0, is_cut_last = end % SECTOR_BYTES != 0;
  const gboolean is_one = first >> SECTOR_SHIFT == (end - 1) >> SECTOR_SHIFT;

  return is_one ? is_cut || is_cut_last : (guint)is_cut + (guint)is_cut_last;
}

void
wp_access_log_add_span (WpAccessLog *log, const WpAccess *access, guint64 first, guint bytes)
{
  const guint64 end = first + bytes, number = first >> LINE_SHIFT;
  const guint n = (guint)(((end - 1) >> LINE_SHIFT) - number) + 1;
  WpLine *lines = wp_access_log_append_lines (log, n);
  WpAccess *added = wp_access_log_append (log);

  *added = *access;
  added->n_lines = (guint16)n;
  if (access->wavefronts == 0)
    added->wavefronts = (guint16)((bytes - 1) / LINE_BYTES + 1);
  if (!has_partial (access))
    added->partial = 0;
  else if (access->partial == 0)
    added->partial = (guint16)count_cut (first, end);
  for (guint i = 0; i < n; i++)
    lines[i] = (number + i) << 4 | get_sectors (number + i, first, end);
}

void
wp_access_log_extend_span (WpAccessLog *log, guint64 first, guint bytes)
{
  WpAccess *access = &log->accesses[log->n_accesses - 1];
  const guint64 end = first + bytes, last = (end - 1) >> LINE_SHIFT;

  if (has_partial (access))
    access->partial += (guint16)count_cut (first, end);
  for (guint64 number = first >> LINE_SHIFT; number <= last; number++)
    {
      const WpLine line = number << 4 | get_sectors (number, first, end);

      if (log->lines[log->n_lines - 1] >> 4 == number)
        log->lines[log->n_lines - 1] |= line;
      else
        {
          *wp_access_log_append_lines (log, 1) = line;
          access->n_lines++;
        }
    }
}

/* What instruction INDEX is counted in; it was not before. */
static WpSharedAccesses *
touch_shared (WpAccessLog *log, guint32 index)
{
  const guint room = log->shared_room;

  if (index >= room)
    {
      log->shared_room = MAX (2 * room, index + FIRST_ROOM);
      log->shared = g_renew (WpSharedAccesses, log->shared, log->shared_room);
      memset (log->shared + room, 0, (log->shared_room - room) * sizeof *log->shared);
    }
  if (log->n_touched == log->touched_room)
    {
      log->touched_room = MAX (2 * log->touched_room, FIRST_ROOM);
      log->touched = g_renew (guint32, log->touched, log->touched_room);
    }
  log->touched[log->n_touched++] = index;
  return &log->shared[index];
}

void
wp_access_log_add_other (WpAccessLog *log, guint32 index, gboolean is_write, gboolean is_atomic,
                         guint wavefronts, guint32 times)
{
  if (index >= log->shared_room || log->shared[index].count == 0)
    {
      *touch_shared (log, index)
          = (WpSharedAccesses){ times, (guint16)wavefronts, is_write != FALSE, is_atomic != FALSE };
      return;
    }
  for (guint32 k = 0; k < times; k++)
    *wp_access_log_append (log) = (WpAccess){ .index = index,
                                              .space = WP_SPACE_SHARED,
                                              .wavefronts = (guint16)wavefronts,
                                              .is_write = is_write != FALSE,
                                              .is_atomic = is_atomic != FALSE };
}
