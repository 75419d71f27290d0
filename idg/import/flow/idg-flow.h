/* SPDX-License-Identifier: MIT */
/* Private: control flow of a listing: basic blocks, dominators, natural loops (Aho, Lam, Sethi and
 * Ullman 2006, section 9.6; dominators by Lengauer and Tarjan 1979). It says where a warp may go;
 * idg-walk.h, where it goes. */
#pragma once

#include "idg/import/flow/idg-code.h"

G_BEGIN_DECLS

#define IDG_FLOW_END (G_MAXUINT - 1) /* the "block" at which a warp ends */
#define IDG_FLOW_NONE G_MAXUINT

typedef struct
{
  guint first, last; /* instructions, both included */
  guint first_next;  /* in IdgFlow.next: targets of the branch that ends it, then the block below */
  guint n_next;
  guint order;     /* in reverse postorder; IDG_FLOW_NONE: nothing leads here */
  guint dominator; /* the nearest one; of the first block itself */
  guint place;     /* in the tree of dominators; the N_BELOW after it are those that it dominates */
  guint n_below;
  guint loop;   /* the innermost one that it is in, or IDG_FLOW_NONE */
  guint member; /* where it stands in IdgFlow.members */
} IdgBlock;

typedef struct
{
  guint header; /* the block that dominates the others, and to which the last ones go back */
  guint parent; /* the next loop around it, or IDG_FLOW_NONE */
  guint depth;  /* 1: in no other */
  guint first_member, n_members; /* its blocks in IdgFlow.members, those of inner loops included */
} IdgLoop;

/* A block as the depth-first search came to it. */
typedef struct
{
  guint block;
  guint parent; /* from where: in IdgFlow.search; of the first itself */
} IdgReached;

/* What counting the rounds of all loops of a listing together may still take, so that it takes
 * seconds at most; and room for it. */
typedef struct
{
  guint64 runs, looks; /* instructions run, and looked at */
  guint8 *on_path;     /* by block; all FALSE between loops */
} IdgTripsRoom;

typedef struct
{
  const IdgCode *code;
  GArray *blocks;           /* of IdgBlock, in the order of the listing; the first is the entry */
  GArray *next;             /* of guint: blocks or IDG_FLOW_END */
  GArray *loops;            /* of IdgLoop; inner ones before those around them */
  GArray *order;            /* of guint: blocks that something leads to, in reverse postorder */
  GArray *search;           /* of IdgReached: the same blocks as the search came to them */
  guint *block_of;          /* by instruction */
  guint *label_of;          /* by instruction: the first label there, or IDG_NO_TARGET */
  guint *from_start, *from; /* blocks that lead to block b: from[from_start[b]] to before
                               from[from_start[b + 1]] */
  guint *members;           /* the blocks of `order` by loop */
  IdgTripsRoom *trips;
} IdgFlow;

/* The control flow of CODE, which must stay. NULL with an error for a branch to nowhere, and for
 * loops nested deeper than IDG_MAX_DEPTH. O(n log n) in instructions and targets. Free with
 * idg_flow_free(). */
IdgFlow *idg_flow_new (const IdgCode *code, GError **error);
void idg_flow_free (IdgFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgFlow, idg_flow_free)

#define idg_flow_get_block(flow, i) (&g_array_index ((flow)->blocks, IdgBlock, (i)))
#define idg_flow_get_loop(flow, i) (&g_array_index ((flow)->loops, IdgLoop, (i)))
#define idg_flow_get_next(flow, block, i)                                                          \
  g_array_index ((flow)->next, guint, (block)->first_next + (i))
#define idg_code_get(code, i) (&g_array_index ((code)->instrs, IdgCodeInstr, (i)))

/* Whether BLOCK (which may be IDG_FLOW_END) is in LOOP (all is in IDG_FLOW_NONE but the end). O(1).
 */
gboolean idg_flow_is_in (const IdgFlow *flow, guint block, guint loop);
/* Whether every way to BLOCK leads through OTHER; something leads to both. O(1). */
gboolean idg_flow_is_dominated (const IdgFlow *flow, guint block, guint other);
/* The first label that stands before INSTR, or NULL. O(1). */
const gchar *idg_flow_get_label (const IdgFlow *flow, guint instr);
/* The loop around BLOCK that has LOOP next around it; BLOCK is in LOOP, and not directly. O(depth).
 */
guint idg_flow_get_child (const IdgFlow *flow, guint block, guint loop);

/* ---- For idg_flow_new() alone ---- */

/* idg-dominate.c: fills in dominators and places, from order, search and what leads to each block.
 */
void idg_flow_find_dominators (IdgFlow *flow);
/* idg-loops.c: fills in loops and members, from dominators. */
gboolean idg_flow_find_loops (IdgFlow *flow, GError **error);

/* ---- idg-trips.c ---- */

/* How often LOOP goes round if all that decides it is constant: the branch that ends EXIT leaves
 * it, and PATH (of guint, blocks from the header on that each round goes through, loops in it by
 * their headers) is a round. The number of times that EXIT is reached, or 0 where that is not
 * known, or where all loops of the listing together took too long to count (2^22 instructions run,
 * 2^28 looked at). O(rounds), and some hundred times the loop at most. */
guint64 idg_flow_count_trips (const IdgFlow *flow, guint loop, guint exit, const GArray *path);

G_END_DECLS
