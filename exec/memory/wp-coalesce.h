/* SPDX-License-Identifier: MIT */
/* What a warp's addresses make of an access to device memory: lines of 128 bytes and their sectors
 * of 32, and how often the load/store pipeline is passed. */
#pragma once

#include "exec/memory/wp-access.h"
#include "exec/memory/wp-patterns.h"

G_BEGIN_DECLS

/* What accesses come to is remembered in PATTERNS, borrowed. */
void wp_access_log_init (WpAccessLog *log, WpPatterns *patterns);
/* Empties it and keeps its room. */
void wp_access_log_reset (WpAccessLog *log);
void wp_access_log_clear (WpAccessLog *log);
/* Exchanges what was accessed. */
void wp_access_log_swap (WpAccessLog *log, WpAccessLog *other);

/* Make room for another access, and for N lines more. */
void wp_access_log_grow (WpAccessLog *log);
void wp_access_log_grow_lines (WpAccessLog *log, guint n);

/* Append an access, or N lines, to be filled in. */
static inline WpAccess *
wp_access_log_append (WpAccessLog *log)
{
  if (G_UNLIKELY (log->n_accesses == log->room))
    wp_access_log_grow (log);
  return &log->accesses[log->n_accesses++];
}

static inline WpLine *
wp_access_log_append_lines (WpAccessLog *log, guint n)
{
  if (G_UNLIKELY (log->n_lines + n > log->lines_room))
    wp_access_log_grow_lines (log, n);
  log->n_lines += n;
  return &log->lines[log->n_lines - n];
}

/* Adds ACCESS, of which `index`, `space` and the flags are set, to LOG: lanes with PATTERN, of
 * device memory, the first of which is at FIRST. Fills in its lines and wavefronts.
 *
 * A store's sectors that it does not write as a whole are counted, too. Lines are in the order of
 * the lowest lane that is in each. Wavefronts: L1 looks up 4 lines in a cycle (NVIDIA's developer
 * forum, thread 273699, of compute capability 7.0 on), and its data come from banks as those of
 * shared memory (wp_shared_wavefronts()), as the RRZE's gpu-strides measures; whichever takes
 * longer. */
void wp_access_log_add (WpAccessLog *log, const WpAccess *access, const WpPattern *pattern,
                        guint64 first);

/* The same of the BYTES from FIRST on (2^21 at most, and not 0), which no lanes share: a copy in
 * bulk. Its wavefronts are those of shared memory at its other end, 128 bytes each. They and
 * `partial` stay what ACCESS says where that is not 0. O(bytes). */
void wp_access_log_add_span (WpAccessLog *log, const WpAccess *access, guint64 first, guint bytes);

/* The last access of LOG, which was added so, asks for these BYTES, too; its wavefronts stay. It
 * has less than 2^16 lines then. */
void wp_access_log_extend_span (WpAccessLog *log, guint64 first, guint bytes);

/* Adds TIMES accesses to shared memory that are the first ones of INDEX, or not like that. */
void wp_access_log_add_other (WpAccessLog *log, guint32 index, gboolean is_write,
                              gboolean is_atomic, guint wavefronts, guint32 times);

/* Adds TIMES accesses to shared memory, which have WAVEFRONTS alone. The flags are the same
 * whenever INDEX is. */
static inline void
wp_access_log_add_shared (WpAccessLog *log, guint32 index, gboolean is_write, gboolean is_atomic,
                          guint wavefronts, guint32 times)
{
  WpSharedAccesses *shared = index < log->shared_room ? &log->shared[index] : NULL;

  if (G_LIKELY (shared && shared->count > 0 && shared->wavefronts == wavefronts))
    shared->count += times;
  else
    wp_access_log_add_other (log, index, is_write, is_atomic, wavefronts, times);
}

G_END_DECLS
