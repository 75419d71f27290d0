/* SPDX-License-Identifier: MIT */
/* The caches of a device, and what becomes of the accesses of its warps in them: an L1 for each SM,
 * an L2 for all.
 *
 * L1: loads take it, and lines come with them. Stores go through to L2, and change nothing but the
 * use of a line that is there. Atomics are L2's, and take their sectors out of L1. Local memory is
 * written back: a store brings its line, and what it writes goes to L2 once.
 * L2: loads and stores take it, and bring their lines; of a sector that is written as a whole
 * nothing is read. What is written goes to memory once, when it is evicted or in the end. So a
 * store's B counts the sectors that did not wait to be written back already.
 *
 * What was asked for is on its way for some turns. A load that finds it in a cache meanwhile waits
 * for it: it is counted as one that takes as long as a miss, and asks for nothing more.
 *
 * The order is that of doc/execute.md, section 5, the model's at its plainest: the SMs in turn,
 * each with one access to device memory (or local memory) of its resident warps in turn. Accesses
 * to shared memory are counted, and take no turn.
 *
 * Replays come in parts, so that threads can share the work: of each SM its L1, on any thread,
 * which then hands on what it lacked; then L2, on one; then, of each SM, what L2 answered is
 * counted, on any thread. While L2 is replayed, L1s may be replayed anew. What comes out does not
 * depend on how many threads there are, nor on which of these come at the same time. */
#pragma once

#include "exec/memory/wp-counts.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef struct WpCaches WpCaches;

/* A resident warp: what it did since the last replay, and where that is counted. */
typedef struct
{
  const WpAccessLog *log;
  WpCounts *counts;
} WpCachesWarp;

/* What all accesses to device and local memory came to. */
typedef struct
{
  guint64 sectors;                /* asked for */
  guint64 l1_sectors, l2_sectors; /* lacked by L1, by L2 */
  guint64 read, written;          /* sectors of the device's memory that are read, and written */
  /* Of L1_SECTORS, those that a warp had asked for itself up to WP_LOST_SINCE accesses before: they
   * had come, and had to make room for what other warps asked for. How many there are depends on
   * the order in which warps come. */
  guint64 lost;
} WpTraffic;
#define WP_LOST_SINCE 16

/* The 32 bytes of device memory that most atomics went to: those of how many threads, and by which
 * instruction first. TIMES 0: there were none. */
typedef struct
{
  guint64 times;
  guint32 index;
} WpMeeting;

/* Returns the bytes of level LEVEL (1 or 2) of GPU: what its description says, else what is
 * assumed, of which ASSUMED (may be NULL) receives a sentence; free it. Level 1 is with the shared
 * memory that it has to give. */
guint64 wp_caches_get_bytes (const WpGpu *gpu, guint level, gchar **assumed);

/* Returns what is left of an SM's L1 on GPU when its resident blocks take SHARED bytes of shared
 * memory together: shared memory is carved out in the steps of CUDA's programming guide, "Compute
 * Capabilities". */
guint64 wp_caches_get_l1_bytes (const WpGpu *gpu, guint64 shared);

/* Caches for SMS SMs of GPU (borrowed while it is made), all empty. NOTES (may be NULL) receives
 * sentences on what is assumed, of gchar*. */
WpCaches *wp_caches_new (const WpGpu *gpu, guint sms, GPtrArray *notes);
void wp_caches_free (WpCaches *caches);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCaches, wp_caches_free)

/* Begins a launch whose resident blocks take SHARED bytes of shared memory on an SM: L1s are empty
 * and have what that leaves; L2 stays as it is. */
void wp_caches_begin_launch (WpCaches *caches, guint64 shared);

/* Adds to COUNTS the accesses to shared memory of LOG that it has by instruction, whose order does
 * not matter. */
void wp_caches_count_shared (const WpAccessLog *log, WpCounts *counts);

/* Looks the accesses of the N WARPS of SM up in its L1, and counts those that L1 and the banks of
 * shared memory serve. The logs may be emptied afterwards; the counts are used until what is handed
 * on next has been counted. Different SMs may be replayed at the same time, and L2. */
void wp_caches_replay_l1 (WpCaches *caches, guint sm, const WpCachesWarp *warps, guint n);
/* Hands on to L2 what the L1 of SM lacked since the last time, of which all has been counted. O(1).
 */
void wp_caches_hand_on (WpCaches *caches, guint sm);
/* Looks up in L2 what was handed on. Each SM is to be counted next. */
void wp_caches_replay_l2 (WpCaches *caches);
/* Counts what SM asked L2 for, after wp_caches_replay_l2(). Different SMs may be counted at the
 * same time. */
void wp_caches_count (WpCaches *caches, guint sm);

/* What all accesses came to since the launch began. O(SMs). */
WpTraffic wp_caches_get_traffic (const WpCaches *caches);

/* Where most atomics met since the launch began. Of many thousands of places some are forgotten, so
 * that it may have been a few more. O(1). */
WpMeeting wp_caches_get_meeting (const WpCaches *caches);

/* Sectors that wait in L2 to be written back, and those that it has room for. O(lines). */
guint64 wp_caches_count_unwritten (const WpCaches *caches);
guint64 wp_caches_get_l2_sectors (const WpCaches *caches);

G_END_DECLS
