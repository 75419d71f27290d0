/* SPDX-License-Identifier: MIT */
/* What accesses cost, counted: for each instruction how often a warp's access had W wavefronts, A
 * sectors that L1 lacked and B that L2 lacked; and the mix of contexts that they make (MODEL.md,
 * section 13).
 *
 * A warp has one while it runs; when it is known which class it is of, its counts are added to
 * those of the class. */
#pragma once

#include "exec/memory/wp-access.h"

G_BEGIN_DECLS

typedef struct WpCounts WpCounts;

/* All that happened to one instruction. Of one that copies from device to shared memory it is what
 * it reads; what it writes comes apart. */
typedef struct
{
  WpSpace space;
  gboolean is_write, is_atomic;
  guint64 accesses, wavefronts;
  guint64 copies, copy_wavefronts; /* into shared memory */
  guint64 sectors;                 /* asked for */
  guint64 l1_sectors;              /* that L1 lacked: of writes all that were not kept there */
  guint64 l2_sectors;              /* that L2 lacked */
} WpTotals;

WpCounts *wp_counts_new (void);
void wp_counts_free (WpCounts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCounts, wp_counts_free)
/* Empties it and keeps its room. */
void wp_counts_reset (WpCounts *counts);

/* Counts ACCESS TIMES times, each of which asked for SECTORS, of which L1 lacked A and L2 lacked B.
 * LEVEL not 0: it waits for sectors that another has asked for, and L1 lacked A, which L2 has, or
 * nothing, and B is 0; what it waits for comes from L2 (LEVEL 1) or from memory (2); or it is
 * WP_COUNTS_TO_L2, of a prefetch: nobody waits, and none of the A sectors is sent on. O(1). */
#define WP_COUNTS_TO_L2 3
void wp_counts_add_times (WpCounts *counts, const WpAccess *access, guint sectors, guint a, guint b,
                          guint level, guint64 times);

/* The same once, of one that waits for nothing. */
static inline void
wp_counts_add (WpCounts *counts, const WpAccess *access, guint sectors, guint a, guint b)
{
  wp_counts_add_times (counts, access, sectors, a, b, 0, 1);
}

/* Adds all of OTHER. O(its entries). */
void wp_counts_merge (WpCounts *counts, const WpCounts *other);
/* Adds TIMES / OF (not 0) times all of OTHER, each count rounded. O(its entries). */
void wp_counts_merge_times (WpCounts *counts, const WpCounts *other, guint64 times, guint64 of);

/* The same of instruction INDEX alone. */
void wp_counts_merge_index (WpCounts *counts, const WpCounts *other, guint32 index, guint64 times,
                            guint64 of);
/* Takes away OTHER, all of which COUNTS has. O(its entries). */
void wp_counts_take_away (WpCounts *counts, const WpCounts *other);

/* Returns the instructions that are counted, ascending, as a new array of guint32. */
GArray *wp_counts_get_indices (const WpCounts *counts);
/* What instruction INDEX comes to; FALSE if it is not counted. O(entries). */
gboolean wp_counts_get_totals (const WpCounts *counts, guint32 index, WpTotals *totals);

/* Most contexts of a mix that is made here. */
#define WP_MAX_TRIPLES 16

/* Returns the context of instruction INDEX: "access-1-4-2" where all accesses were alike, of one
 * that waits for what another asked for from L2 "access-1-0-0-1", from memory "access-1-0-0-2",
 * else a mix "access-1-4-4*31 access-1-4-0*1", the most frequent first, ties by their numbers. Of
 * more than WP_MAX_TRIPLES contexts the rarer ones join the nearest (by the sum of the
 * differences). Of shared memory "conflict-2*5 conflict-1*3". A sector that a store writes in part
 * counts twice in A: L2 has to read the rest of its 32 bytes, which have one ECC, to write it.
 * A prefetch to L2 has 0 there. NULL where nothing is counted. Weights have no common factor,
 * and come to 2^31 - 1 at most. Free with g_free(). O(entries). */
gchar *wp_counts_get_context (const WpCounts *counts, guint32 index);

G_END_DECLS
