/* SPDX-License-Identifier: MIT */
/* The trail of a warp: which instructions it executed, in order, and with which lanes.
 *
 * Who executes calls wp_trail_add() for each instruction and wp_trail_cut() after each branch that
 * goes backwards. Instructions that follow one another in the code and have the same lanes are a
 * *run*, and cost one comparison each. What lies between two cuts is a *segment*; equal segments
 * are stored once. Repeats of a segment, and of a short sequence of segments, are counted, so that
 * a loop of a million equal iterations is a few words, and loops within loops are, too. It is
 * exact: wp_trail_reader_next() gives every step back.
 *
 * A store holds the segments of any number of warps. It belongs to one thread at a time; each
 * worker, or each SM, has one of its own. Numbers of units are good within one store. Hashes are
 * made from what was executed and nothing else, so that they agree between stores, and results do
 * not depend on how many there are. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_TRAIL_NOWHERE G_MAXUINT32

/* N instructions from FIRST on, one after the other in the code, by the lanes in MASK. */
typedef struct
{
  guint32 first, n, mask;
} WpTrailRun;

/* COUNT times unit UNIT, one after the other. */
typedef struct
{
  guint32 unit, count;
} WpTrailItem;

typedef struct
{
  guint64 a, b;
} WpTrailHash;

/* A segment, which is runs, or a body, which is items. */
typedef struct
{
  WpTrailHash hash;     /* of what is executed in it */
  guint64 instructions; /* executed in it, repeats counted in full */
  guint32 first, n;     /* in the store's runs or items */
  guint16 depth;        /* 0: a segment; else how deep bodies nest in it, itself included */
} WpTrailUnit;

typedef struct WpTrailStore WpTrailStore;

WpTrailStore *wp_trail_store_new (void);
void wp_trail_store_free (WpTrailStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTrailStore, wp_trail_store_free)

/* The pointers are good until something is added to STORE. O(1). */
const WpTrailUnit *wp_trail_store_get (const WpTrailStore *store, guint32 unit);
const WpTrailRun *wp_trail_store_get_runs (const WpTrailStore *store, guint32 unit);
const WpTrailItem *wp_trail_store_get_items (const WpTrailStore *store, guint32 unit);
/* Bytes that STORE holds. */
gsize wp_trail_store_get_size (const WpTrailStore *store);
/* Returns the number in STORE of UNIT of store FROM, which is copied if STORE lacks it. O(its runs
 * and items). */
guint32 wp_trail_store_copy (WpTrailStore *store, const WpTrailStore *from, guint32 unit);

/* What one warp has executed so far. Private but for the calls below; it is laid out here so that
 * adding an instruction is a comparison. */
typedef struct
{
  guint32 next, mask; /* the instruction that would continue the run */
  guint32 first;      /* of the run, WP_TRAIL_NOWHERE: none */
  WpTrailStore *store;
  WpTrailRun *runs; /* the segment so far */
  guint32 n_runs, room;
  GArray *items; /* of WpTrailItem: the segments before it */
} WpTrail;

/* Makes TRAIL empty, for a warp whose segments STORE keeps. Clear it with wp_trail_clear(). */
void wp_trail_init (WpTrail *trail, WpTrailStore *store);
void wp_trail_clear (WpTrail *trail);
/* Makes TRAIL empty for another warp; keeps its memory. STORE may be another one. */
void wp_trail_restart (WpTrail *trail, WpTrailStore *store);

void wp_trail_turn (WpTrail *trail, guint32 index, guint32 mask);

/* Adds the instruction INDEX, executed by the lanes in MASK: those that are active and that its
 * guard lets through. MASK 0: none, but it issued. The mask of a branch has the lanes that take it.
 * O(1), a few machine instructions. */
static inline void
wp_trail_add (WpTrail *trail, guint32 index, guint32 mask)
{
  if (G_LIKELY (index == trail->next && mask == trail->mask))
    trail->next++;
  else
    wp_trail_turn (trail, index, mask);
}

/* Adds N instructions from INDEX on, all by the lanes in MASK, as wp_trail_add() one by one. */
static inline void
wp_trail_add_some (WpTrail *trail, guint32 index, guint32 n, guint32 mask)
{
  wp_trail_add (trail, index, mask);
  trail->next += n - 1;
}

/* Says that the warp goes backwards in the code from here: call it after wp_trail_add() of a branch
 * that is taken to an index that is not larger than its own. O(runs of the segment). */
void wp_trail_cut (WpTrail *trail);

/* Ends the trail. HASH receives 128 bits that tell what was executed: equal for equal sequences of
 * (index, mask). COUNT (may be NULL) receives how many instructions that is. O(items). */
void wp_trail_finish (WpTrail *trail, WpTrailHash *hash, guint64 *count);
/* Stores a trail that has ended as a unit, and returns its number. Trails whose hash is known need
 * not be stored. O(items). */
guint32 wp_trail_keep (WpTrail *trail);

/* Walks through the steps of a unit. */
typedef struct
{
  const WpTrailStore *store;
  GArray *levels; /* where it is in each body */
  guint32 unit;   /* the segment, WP_TRAIL_NOWHERE: the end */
  guint32 run, place;
} WpTrailReader;

void wp_trail_reader_init (WpTrailReader *reader, const WpTrailStore *store, guint32 unit);
void wp_trail_reader_clear (WpTrailReader *reader);
/* Returns FALSE after the last step. Amortised O(1). */
gboolean wp_trail_reader_next (WpTrailReader *reader, guint32 *index, guint32 *mask);

static inline gboolean
wp_trail_hash_equal (const WpTrailHash *x, const WpTrailHash *y)
{
  return x->a == y->a && x->b == y->b;
}

G_END_DECLS
