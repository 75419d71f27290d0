/* SPDX-License-Identifier: MIT */
/* Private: the control flow of a listing: basic blocks, dominators, natural loops (Aho, Lam, Sethi
 * and Ullman 2006, section 9.6; dominators by Lengauer and Tarjan 1979). This finds where a warp
 * may go; idg-walk.h decides where it goes. */
#pragma once

#include "idg/import/flow/idg-code.h"

G_BEGIN_DECLS

#define IDG_FLOW_END (G_MAXUINT - 1) /* the "block" at which a warp ends */
#define IDG_FLOW_NONE G_MAXUINT

typedef struct
{
  guint first, last; /* instructions, both included */
  guint first_next;  /* in IdgFlow.next: the targets of the branch that ends it, then the block
                      * after it */
  guint n_next;
  guint order;     /* its position in reverse postorder; IDG_FLOW_NONE: unreachable */
  guint dominator; /* its immediate dominator; the first block is its own */
  guint place;     /* its position in the tree of dominators; it dominates the N_BELOW positions
                    * that follow */
  guint n_below;
  guint loop;   /* the innermost loop around it, or IDG_FLOW_NONE */
  guint member; /* its position in IdgFlow.members */
} IdgBlock;

typedef struct
{
  guint header; /* the block that dominates the others and that the back edges lead to */
  guint parent; /* the next loop around this one, or IDG_FLOW_NONE */
  guint depth;  /* 1 for a loop inside no other */
  guint first_member, n_members; /* its blocks in IdgFlow.members, those of inner loops included */
} IdgLoop;

/* A block in the order in which the depth-first search reached it. */
typedef struct
{
  guint block;
  guint parent; /* the block it was reached from, as an index into IdgFlow.search; the first one's
                 * is itself */
} IdgReached;

/* What of the launch a value depends on. */
enum
{
  IDG_USED_THREADS = 1,
  IDG_USED_BLOCKS = 2,
  IDG_USED_LAYOUT = 4, /* the number of a thread in a direction of the block */
};

/* What counting the iterations of all loops of a listing has cost so far, so that it can stop after
 * a few seconds; and scratch memory for it. */
typedef struct
{
  guint64 runs, looks; /* instructions executed, and instructions examined */
  guint8 *on_path;     /* by block; all FALSE between two loops */
  guint8 *endless;     /* by loop: whether it was executed for too long */
  guint8 touched;      /* IDG_USED_..., by what is being looked for */
  guint8 used;         /* and by what was found */
} IdgTripsRoom;

/* What is known besides the code: the launch, which thread is looked at, and the value of one
 * instruction's result. */
typedef struct
{
  gint64 block_dim[3], grid_dim[3]; /* 0: not known */
  gint64 thread;                    /* its number in the block; -1: any */
  guint assumed;                    /* this instruction's result is... */
  guint64 assumed_value;            /* ...this; IDG_FLOW_NONE: no instruction's */
  guint zero;                       /* and this one's is 0; or IDG_FLOW_NONE */
  guint64 most_runs;                /* instructions to execute for one loop at most; 0: no limit but
                                     * that for the listing */
} IdgFacts;

typedef struct
{
  const IdgCode *code;
  GArray *blocks;           /* of IdgBlock, in the order of the listing; the first is the entry */
  GArray *next;             /* of guint: blocks or IDG_FLOW_END */
  GArray *loops;            /* of IdgLoop; inner loops come before those around them */
  GArray *order;            /* of guint: the reachable blocks, in reverse postorder */
  GArray *search;           /* of IdgReached: the reachable blocks, in the order of the search */
  guint *block_of;          /* by instruction */
  guint *writers;           /* by register: the only instruction that writes it, or IDG_FLOW_NONE */
  guint *label_of;          /* by instruction: the first label there, or IDG_NO_TARGET */
  guint *from_start, *from; /* the predecessors of block b: from[from_start[b]] up to, excluding,
                             * from[from_start[b + 1]] */
  guint *members;           /* the blocks of `order`, grouped by loop */
  IdgTripsRoom *trips;
} IdgFlow;

/* Finds the control flow of CODE, which must outlive the result. Returns NULL with an error if a
 * branch leads nowhere or loops are nested deeper than IDG_MAX_DEPTH. O(n log n) in instructions
 * and targets. Free with idg_flow_free(). */
IdgFlow *idg_flow_new (const IdgCode *code, GError **error);
void idg_flow_free (IdgFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgFlow, idg_flow_free)

/* Tells whether FACTS have the result of INSTR, and its VALUE. */
static inline gboolean
idg_facts_get_assumed (const IdgFacts *facts, guint instr, guint64 *value)
{
  *value = instr == facts->assumed ? facts->assumed_value : 0;
  return instr == facts->assumed || instr == facts->zero;
}

#define idg_flow_get_block(flow, i) (&g_array_index ((flow)->blocks, IdgBlock, (i)))
#define idg_flow_get_loop(flow, i) (&g_array_index ((flow)->loops, IdgLoop, (i)))
#define idg_flow_get_next(flow, block, i)                                                          \
  g_array_index ((flow)->next, guint, (block)->first_next + (i))
#define idg_code_get(code, i) (&g_array_index ((code)->instrs, IdgCodeInstr, (i)))

/* Tells whether BLOCK (which may be IDG_FLOW_END) is in LOOP. Every block except IDG_FLOW_END is in
 * IDG_FLOW_NONE. O(1). */
gboolean idg_flow_is_in (const IdgFlow *flow, guint block, guint loop);
/* Tells whether every path to BLOCK leads through OTHER. Both must be reachable. O(1). */
gboolean idg_flow_is_dominated (const IdgFlow *flow, guint block, guint other);
/* Returns the first label directly before INSTR, or NULL. O(1). */
const gchar *idg_flow_get_label (const IdgFlow *flow, guint instr);
/* Returns the loop around BLOCK whose parent is LOOP. BLOCK must be in LOOP, inside an inner loop.
 * O(depth). */
guint idg_flow_get_child (const IdgFlow *flow, guint block, guint loop);

/* ---- For idg_flow_new() alone ---- */

/* idg-dominate.c: fills in dominators and places, using order, search and the predecessors. */
void idg_flow_find_dominators (IdgFlow *flow);
/* idg-loops.c: fills in loops and members, using the dominators. */
gboolean idg_flow_find_loops (IdgFlow *flow, GError **error);

/* ---- idg-trips.c ---- */

/* A branch inside of a loop whose rounds are executed. */
typedef struct
{
  guint block;    /* that it ends */
  gboolean known; /* whether the values that are executed decide it */
  GArray *taken;  /* of guint8, by round; or NULL */
} IdgObserved;

/* Counts how often EXIT is reached in LOOP, if constants and FACTS decide that. The branch at the
 * end of EXIT leaves the loop. PATH (of guint) lists the blocks that each iteration executes, from
 * the loop's header on, with inner loops represented by their headers. OBSERVED, N of them, receive
 * how their branches go in each round; those that cannot be decided become unknown. Returns 0 if
 * the count is not known, or if counting all loops of the listing has taken too long (2^22
 * instructions executed, 2^28 examined). O(iterations), and at most some hundred times the size of
 * the loop. */
guint64 idg_flow_count_trips (const IdgFlow *flow, const IdgFacts *facts, guint loop, guint exit,
                              const GArray *path, IdgObserved *observed, guint n);

G_END_DECLS
