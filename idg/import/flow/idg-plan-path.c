/* SPDX-License-Identifier: MIT */
/* The path that the plan has from a block on, within its loop, and where two such paths meet. */
#include "idg/import/flow/idg-plan-private.h"

guint
idg_plan_get_next (const IdgPlan *plan, guint block, guint loop)
{
  const IdgTurn *turn = &plan->turns[block];

  if (idg_flow_get_block (plan->flow, block)->loop != loop)
    return plan->loops[idg_flow_get_child (plan->flow, block, loop)].next;
  return turn->kind == IDG_TURN_FORK ? turn->join : turn->next;
}

gboolean
idg_plan_ends_round (const IdgPlan *plan, guint next, guint loop)
{
  return next >= IDG_FLOW_END || !idg_flow_is_in (plan->flow, next, loop)
         || (loop != IDG_FLOW_NONE && next == idg_flow_get_loop (plan->flow, loop)->header);
}

guint
idg_plan_advance (const IdgPlan *plan, guint block, guint loop)
{
  guint next = idg_plan_get_next (plan, block, loop);

  if (!idg_plan_ends_round (plan, next, loop)
      && idg_flow_get_block (plan->flow, next)->order
             <= idg_flow_get_block (plan->flow, block)->order)
    return IDG_FLOW_NONE;
  return next;
}

/* Advances *AT by one step on its path, unless that has ended, and marks the block with MINE.
 * Returns whether *AT is on the path marked with OTHER. */
static gboolean
step_to_join (IdgPlan *plan, guint *at, guint loop, guint mine, guint other)
{
  if (idg_plan_ends_round (plan, *at, loop))
    return FALSE;
  if (plan->marks[*at] == other)
    return TRUE;
  plan->marks[*at] = mine;
  *at = idg_plan_advance (plan, *at, loop);
  return FALSE;
}

guint
idg_plan_find_join (IdgPlan *plan, guint a, guint b, guint loop)
{
  guint fork = plan->searches++;

  for (; plan->join_steps > 0
         && (!idg_plan_ends_round (plan, a, loop) || !idg_plan_ends_round (plan, b, loop));
       plan->join_steps--)
    {
      if (step_to_join (plan, &a, loop, 2 * fork, 2 * fork + 1))
        return a;
      if (step_to_join (plan, &b, loop, 2 * fork + 1, 2 * fork))
        return b;
    }
  return a == b ? a : IDG_FLOW_NONE;
}

gboolean
idg_plan_is_jump (const IdgPlan *plan, guint block)
{
  const IdgBlock *b;
  const IdgCodeInstr *last;

  if (block >= IDG_FLOW_END)
    return FALSE;
  b = idg_flow_get_block (plan->flow, block);
  last = idg_code_get (plan->flow->code, b->last);
  return b->first == b->last && !last->has_guard && last->n_targets < 2
         && (last->kind == IDG_CODE_BRANCH || last->kind == IDG_CODE_EXIT);
}

gboolean
idg_plan_has_joins (const IdgPlan *plan)
{
  return plan->join_steps > 0;
}
