/* SPDX-License-Identifier: MIT */
/* Private: control flow of a listing: basic blocks, dominators, natural loops (Aho, Lam, Sethi and Ullman 2006, section
 * 9.6; dominators by Cooper, Harvey and Kennedy 2001). It says where a warp may go; idg-walk.h, where it goes. */
#pragma once

#include "idg/idg-code.h"

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
  guint loop;      /* the innermost one that it is in, or IDG_FLOW_NONE */
} IdgBlock;

typedef struct
{
  guint header; /* the block that dominates the others, and to which the last ones go back */
  guint parent; /* the next loop around it, or IDG_FLOW_NONE */
  guint depth;  /* 1: in no other */
} IdgLoop;

typedef struct
{
  const IdgCode *code;
  GArray *blocks;  /* of IdgBlock, in the order of the listing; the first is the entry */
  GArray *next;    /* of guint: blocks or IDG_FLOW_END */
  GArray *loops;   /* of IdgLoop; inner ones before those around them */
  GArray *order;   /* of guint: blocks that something leads to, in reverse postorder */
  guint *block_of; /* by instruction */
  guint64 *left;   /* instructions that may still be run to count rounds, of all loops together */
} IdgFlow;

/* The control flow of CODE, which must stay. NULL with an error for a branch to nowhere. Free with idg_flow_free(). */
IdgFlow *idg_flow_new (const IdgCode *code, GError **error);
void idg_flow_free (IdgFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgFlow, idg_flow_free)

#define idg_flow_get_block(flow, i) (&g_array_index ((flow)->blocks, IdgBlock, (i)))
#define idg_flow_get_loop(flow, i) (&g_array_index ((flow)->loops, IdgLoop, (i)))
#define idg_flow_get_next(flow, block, i)                                                          \
  g_array_index ((flow)->next, guint, (block)->first_next + (i))
#define idg_code_get(code, i) (&g_array_index ((code)->instrs, IdgCodeInstr, (i)))

/* Whether BLOCK (which may be IDG_FLOW_END) is in LOOP (all is in IDG_FLOW_NONE but the end). O(depth). */
gboolean idg_flow_is_in (const IdgFlow *flow, guint block, guint loop);
/* Whether every way to BLOCK leads through OTHER. O(blocks), mostly a few. */
gboolean idg_flow_is_dominated (const IdgFlow *flow, guint block, guint other);
/* The loop around BLOCK that has LOOP next around it; BLOCK is in LOOP, and not directly. */
guint idg_flow_get_child (const IdgFlow *flow, guint block, guint loop);

/* ---- idg-trips.c ---- */

/* How often LOOP goes round if all that decides it is constant: the branch that ends EXIT leaves it, and PATH (of guint,
 * blocks from the header on that each round goes through, loops in it by their headers) is a round. The number of times
 * that EXIT is reached, or 0 where that is not known. O(rounds), of all loops of a listing together at most 2^22
 * instructions. */
guint64 idg_flow_count_trips (const IdgFlow *flow, guint loop, guint exit, const GArray *path);

G_END_DECLS
