/* SPDX-License-Identifier: MIT */
/* Private: which way each branch of a listing goes, how often each loop runs, and why. */
#pragma once

#include "idg/import/base/idg-import-options.h"
#include "idg/import/flow/idg-values.h"

G_BEGIN_DECLS

typedef enum
{
  IDG_HINT_NONE,
  IDG_HINT_TAKEN,
  IDG_HINT_NOT,
  IDG_HINT_BOTH,
} IdgHint;

#define IDG_TRIPS_UNKNOWN (-1)
/* With a hint for all other branches: it says which warps it is for, so that it is for guards of
 * loops, too. */
#define IDG_HINT_FIRM 4

/* The hints for a listing that hold for one group of warps. */
typedef struct
{
  const guint8 *named;        /* of IdgHint, by instruction: hints that name this branch */
  const guint8 *others;       /* the same: hints for branches that no hint names, perhaps with
                               * IDG_HINT_FIRM */
  const guint *targets;       /* by instruction: which target of an indexed branch is taken */
  const gint64 *trips;        /* by instruction: rounds of the loop that begins there, or
                          * IDG_TRIPS_UNKNOWN */
  const gint64 *source_trips; /* the same, in rounds of the loop of the source */
  gint64 other_trips;         /* rounds of all other loops that the code does not determine, or
                          * IDG_TRIPS_UNKNOWN */
  gboolean breaks_hint; /* hints decide all branches, so that those that would leave a loop early
                          * are known not to */
  IdgFacts facts;       /* the launch */
  gint64 warp;          /* which warp of the block, or -1: threads are not told apart */
} IdgDecisions;

/* What came of the hints. Lists by instruction are as long as the listing. */
typedef struct
{
  guint8 *walked;     /* by block: whether a warp executes it */
  guint8 *whys;       /* by block that was walked: of IdgWhy, of the branch that ends it */
  guint8 *uses;       /* by instruction: of IdgUse */
  GArray *unrolled;   /* of IdgUnrolled */
  GPtrArray *assumed; /* of gchar, each once: loops that were assumed to run once, as hints name
                       * them */
  guint *copies;      /* by instruction (idg_place_find_copies()) */
  GHashTable *noted;  /* of gchar: copies and loops of which a note has told, and what */
  gboolean used_all_trips, used_all_branches;
  gboolean by_thread; /* the number of a thread in its block decides a branch or a loop */
} IdgOutcome;

typedef enum
{
  IDG_USE_TRIPS = 1,          /* the trip hint for the loop that begins here took effect */
  IDG_USE_COUNTED = 2,        /* the loop that begins here is counted by the code */
  IDG_USE_CONSTANT = 4,       /* constants decide this branch: not taken */
  IDG_USE_CONSTANT_TAKEN = 8, /* or taken */
} IdgUse;

/* Why a branch goes where it goes. */
typedef enum
{
  IDG_WHY_CODE,     /* it has no condition */
  IDG_WHY_CONSTANT, /* constants and the launch decide it */
  IDG_WHY_THREAD,   /* and the numbers of the warp's threads */
  IDG_WHY_NAMED,    /* a hint that names it */
  IDG_WHY_ALL,      /* a hint for all others */
  IDG_WHY_STAYS,    /* the other side would leave the loop */
  IDG_WHY_ENTERS,   /* the other side has no loop, or fewer */
  IDG_WHY_WORKS,    /* the other side does nothing */
  IDG_WHY_BELOW,    /* both sides do something; the next instruction is as good as any */
} IdgWhy;

typedef enum
{
  IDG_TURN_ON,   /* continue at `next` */
  IDG_TURN_FORK, /* walk both sides, then continue at `join` */
} IdgTurnKind;

/* The decision at the end of a block. */
typedef struct
{
  IdgTurnKind kind;
  IdgWhy why;
  guint next;       /* a block or IDG_FLOW_END */
  guint other;      /* the side not taken, or IDG_FLOW_NONE */
  guint join;       /* of a fork: where its sides meet, or IDG_FLOW_NONE */
  gboolean taken;   /* whether `next` is the branch's target */
  gboolean leaves;  /* `other` is outside of the innermost loop, and no hint says to go there */
  gboolean is_said; /* it follows from hints about loops, or makes no difference */
  gboolean agrees;  /* a hint for all others says the same */
  gboolean differs; /* a hint for all others says something else, but is not for this branch */
} IdgTurn;

/* Rounds of a loop in which the branches inside of it go the same ways. */
typedef struct
{
  guint64 rounds;
  guint first; /* in IdgLoopPlan.ways: one IdgHint for each of IdgLoopPlan.observed */
} IdgRounds;

/* What lies ahead of a block on the planned path, up to the end of the round of its loop. */
typedef struct
{
  guint named; /* loops that a hint gives rounds */
  guint loops; /* loops that are entered */
  guint zeros; /* loops that a hint says to skip */
} IdgAhead;

/* A loop as seen from outside. */
typedef struct
{
  guint next;         /* where it leads: a block or IDG_FLOW_END */
  guint exit;         /* the block whose branch the count refers to, or IDG_FLOW_NONE */
  gboolean whole;     /* nothing but jumps comes after `exit` in an iteration */
  gboolean once;      /* an iteration does not return to the header */
  gboolean by_thread; /* `found` is for one warp */
  guint64 found;      /* how often `exit` is reached according to the code, or 0 */
  guint unrolled;     /* its index + 1 in IdgOutcome.unrolled, or 0 */
  GArray *observed;   /* of guint: blocks whose branches differ from round to round; or NULL */
  GArray *segments;   /* of IdgRounds; or NULL */
  GByteArray *ways;
  IdgAhead weight; /* this loop, those in it, and those that come after it */
} IdgLoopPlan;

/* A loop that the compiler unrolled, so that one round of it is several of the source, and the loop
 * with what remains. */
typedef struct
{
  guint loop, rest; /* `rest` is IDG_FLOW_NONE: the remainder is no loop */
  guint copies;     /* rounds of the source in one of `loop` */
  guint root;       /* the instruction whose result is, to the rounds of the source... */
  guint shift;
  gint64 offset;    /* ...as (rounds << shift) - offset */
  guint zero;       /* if that of this instruction is 0; or IDG_FLOW_NONE */
  gint64 rounds;    /* of the source */
  gboolean is_said; /* by a hint */
  gboolean by_all;  /* namely the one for all other loops */
} IdgUnrolled;

typedef struct
{
  const IdgFlow *flow;
  const IdgDecisions *decisions;
  IdgOutcome *outcome;
  IdgTurn *turns;        /* by block */
  IdgLoopPlan *loops;    /* by loop */
  IdgAhead *ahead;       /* by block */
  guint8 *ways;          /* of IdgHint, by instruction: what this round's values decide */
  guint *marks;          /* by block: the last search for a join that passed it, times two, plus 1
                         * for the fork's other side */
  gboolean uses_threads; /* the code reads the number of a thread */
  guint again;           /* the loop whose rounds are being planned one by one, or IDG_FLOW_NONE */
  guint searches;        /* for joins, so far */
  GPtrArray *remainders; /* of IdgRemainder, while unrolled loops are being looked for; or NULL */
  guint64 join_steps;    /* what is left of the blocks to pass while searching joins */
  guint64 side_steps;    /* and while comparing sides */
} IdgPlan;

IdgOutcome *idg_outcome_new (const IdgFlow *flow);
void idg_outcome_free (IdgOutcome *outcome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgOutcome, idg_outcome_free)

/* Returns the plan of the warps that DECISIONS are for. What came of the hints goes to OUTCOME. All
 * three must outlive it. Free with idg_plan_free(). O(blocks), but for what
 * idg_flow_count_trips() takes. */
IdgPlan *idg_plan_new (const IdgFlow *flow, const IdgDecisions *decisions, IdgOutcome *outcome);
void idg_plan_free (IdgPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgPlan, idg_plan_free)

/* Tells whether there were enough steps to find where the sides of all divergent branches meet. */
gboolean idg_plan_has_joins (const IdgPlan *plan);

/* Returns where the path continues after BLOCK, as seen in LOOP, which contains BLOCK. */
guint idg_plan_get_next (const IdgPlan *plan, guint block, guint loop);
/* Tells whether NEXT, reached in LOOP, ends the iteration. */
gboolean idg_plan_ends_round (const IdgPlan *plan, guint next, guint loop);
/* Plans LOOP anew for a segment of its rounds. */
void idg_plan_choose_segment (IdgPlan *plan, guint loop, const IdgRounds *segment);
/* Returns the rounds that a hint gives LOOP, or IDG_TRIPS_UNKNOWN. */
gint64 idg_plan_get_hint (const IdgPlan *plan, guint loop);

/* Returns the rounds that LOOP has in the listing by the trip count of the source, if it was
 * unrolled, or IDG_TRIPS_UNKNOWN. */
gint64 idg_plan_get_share (const IdgPlan *plan, guint loop);

/* ---- idg-unroll.c ---- */

/* A candidate: an instruction that computes a count modulo a power of two. */
typedef struct
{
  IdgUnrolled count;              /* `loop` and `rest` are not known yet */
  GArray *mains, *rests, *others; /* of guint: loops that turn out to be of it, or not */
} IdgRemainder;

/* Adds to FACTS that the source has ROUNDS. */
void idg_unroll_assume (const IdgUnrolled *unrolled, gint64 rounds, IdgFacts *facts);
/* Returns the candidates of a listing, of IdgRemainder. */
GPtrArray *idg_unroll_find (const IdgFlow *flow);
/* Adds LOOP to those of REMAINDERS that it is counted by. */
void idg_unroll_add_loop (const IdgFlow *flow, const IdgFacts *facts, GPtrArray *remainders,
                          guint loop, guint exit, const GArray *path);
/* Appends what was found to UNROLLED, of IdgUnrolled; `rounds` is left to the caller. */
void idg_unroll_pair (const IdgFlow *flow, const IdgFacts *facts, const GPtrArray *remainders,
                      GArray *unrolled);

G_END_DECLS
