/* SPDX-License-Identifier: MIT */
/* Private to idg-plan*.c, from the bottom up: path, ahead, rounds, branch, plan. LOOP is the one in
 * which a block is looked at, or IDG_FLOW_NONE for the code outside of all loops. */
#pragma once

#include "idg/import/flow/idg-plan.h"

G_BEGIN_DECLS

static inline const IdgCodeInstr *
idg_plan_get_last (const IdgPlan *plan, guint block)
{
  return idg_code_get (plan->flow->code, idg_flow_get_block (plan->flow, block)->last);
}

/* The first instruction of LOOP, by which hints know it. */
static inline guint
idg_plan_get_first (const IdgPlan *plan, guint loop)
{
  return idg_flow_get_block (plan->flow, idg_flow_get_loop (plan->flow, loop)->header)->first;
}

/* ---- idg-plan-path.c ---- */

/* As idg_plan_get_next(), while planning: a path that goes back to a block without a plan is lost
 * (the walk reports that when it gets there). */
guint idg_plan_advance (const IdgPlan *plan, guint block, guint loop);
/* Returns where the paths from A and B meet within LOOP, as long as there are steps left. From
 * there on they are the same path, so that the search takes as many steps as the longer of the two
 * has up to that block. */
guint idg_plan_find_join (IdgPlan *plan, guint a, guint b, guint loop);
/* Returns whether BLOCK consists of a jump, or ends the warp at once. */
gboolean idg_plan_is_jump (const IdgPlan *plan, guint block);

/* ---- idg-plan-ahead.c ---- */

/* Adds MORE to SUM. */
void idg_plan_add_ahead (IdgAhead *sum, const IdgAhead *more);
/* Returns what LOOP counts for, with the loops in it. */
IdgAhead idg_plan_weigh_loop (const IdgPlan *plan, guint loop);
/* Returns the loops ahead of NEXT, as seen in LOOP. */
IdgAhead idg_plan_look_ahead (const IdgPlan *plan, guint next, guint loop);
/* Returns whether A is to be preferred to B: below 0, if so; 0: neither. */
gint idg_plan_compare_ahead (const IdgAhead *a, const IdgAhead *b);

/* ---- idg-plan-rounds.c ---- */

/* Returns the number after that of the last thread of the warp that begins with thread FIRST. A
 * warp that the block does not have is whole. */
gint64 idg_plan_get_end (const IdgFacts *facts, gint64 first);
/* Counts LOOP, whose round is PATH (of guint, blocks). If the exit ends its rounds, so that all of
 * them are whole, branches inside of it may go different ways in each. */
void idg_plan_count_rounds (IdgPlan *plan, guint loop, const GArray *path);
/* Forgets the groups of rounds. */
void idg_plan_clear_rounds (IdgLoopPlan *plan);

/* ---- idg-plan-branch.c ---- */

/* Decides the branch at the end of block B into TURN, which has the defaults. */
void idg_plan_decide (IdgPlan *plan, guint b, IdgTurn *turn);

G_END_DECLS
