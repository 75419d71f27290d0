/* SPDX-License-Identifier: MIT */
/* Decides branches. One that neither a hint nor a constant decides goes where the work is: it stays
 * in its loop; else it goes where the loops are that hints name, where more loops are, or around
 * nothing. That finds the guard of a loop in whatever shape it has, a branch to the loop or one
 * around it, through jumps and other guards. */
#include "idg/import/flow/idg-plan-private.h"

#include <string.h>

/* ---- Sides that do nothing ---- */

/* Counts the instructions of BLOCK that do more than to move a value or to go elsewhere. */
static guint
count_work (const IdgPlan *plan, guint block, guint loop)
{
  const IdgBlock *b = idg_flow_get_block (plan->flow, block);
  guint n = b->loop != loop;

  for (guint i = b->first; i <= b->last && n == 0; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (plan->flow->code, i);

      n += instr->kind == IDG_CODE_BARRIER
           || (instr->kind == IDG_CODE_OP && !g_str_has_prefix (instr->op, "mov")
               && strcmp (instr->op, "nop") != 0);
    }
  return n;
}

/* A side of a branch, followed up to where it meets the other. */
typedef struct
{
  guint at;
  guint work;
} Side;

static guint
get_order (const IdgPlan *plan, guint at, guint loop)
{
  return idg_plan_ends_round (plan, at, loop) ? IDG_FLOW_NONE
                                              : idg_flow_get_block (plan->flow, at)->order;
}

/* Follows both sides until they meet, or until it is clear that both do something. */
static void
follow_sides (IdgPlan *plan, Side *a, Side *b, guint loop)
{
  for (; plan->side_steps > 0 && a->at != b->at; plan->side_steps--)
    {
      guint order_a = get_order (plan, a->at, loop), order_b = get_order (plan, b->at, loop);
      Side *first = order_a < order_b ? a : b;

      if (order_a == order_b || (a->work > 0 && b->work > 0))
        return;
      first->work += count_work (plan, first->at, loop);
      first->at = idg_plan_advance (plan, first->at, loop);
      if ((first->work > 0 && MAX (order_a, order_b) == IDG_FLOW_NONE))
        return;
    }
}

/* Decides by what the sides do. A side that does nothing is the way around the other one, unless
 * the other one was put out of the way (a branch to it, and back). */
static void
decide_by_sides (IdgPlan *plan, guint b, guint target, guint below, IdgTurn *turn)
{
  guint loop = idg_flow_get_block (plan->flow, b)->loop;
  Side there = { target, 0 }, here = { below, 0 };

  turn->taken = FALSE;
  turn->why = IDG_WHY_BELOW;
  follow_sides (plan, &there, &here, loop);
  turn->is_said = plan->side_steps > 0 && there.work == 0 && here.work == 0; /* all the same */
  if (plan->side_steps == 0 || (there.work > 0) == (here.work > 0))
    return;
  if (here.work == 0 && !idg_plan_is_jump (plan, below))
    return;
  turn->taken = here.work == 0;
  turn->why = IDG_WHY_WORKS;
}

/* ---- Branches ---- */

static gboolean
leaves_on_one_side (const IdgPlan *plan, guint b, guint target, guint below)
{
  guint loop = idg_flow_get_block (plan->flow, b)->loop;

  return loop != IDG_FLOW_NONE
         && idg_flow_is_in (plan->flow, target, loop) != idg_flow_is_in (plan->flow, below, loop);
}

/* Returns how many blocks LOOP begins after B, or G_MAXUINT: loops come after their guards. */
static guint
get_distance (const IdgPlan *plan, guint loop, guint b)
{
  guint header = idg_flow_get_loop (plan->flow, loop)->header;

  return header > b ? header - b : G_MAXUINT;
}

/* Decides a branch by the trip count of the unrolled loop that it is a guard of. Of several the one
 * on the same line of the source is taken, or else the next. */
static gboolean
is_taken_by_count (const IdgPlan *plan, guint b, gboolean *taken)
{
  const IdgFlow *flow = plan->flow;
  const GArray *unrolled = plan->outcome->unrolled;
  const gchar *source = idg_plan_get_last (plan, b)->source;
  gboolean found = FALSE, best_same = FALSE;
  guint best = G_MAXUINT;

  for (guint i = 0; i < unrolled->len; i++)
    {
      const IdgUnrolled *u = &g_array_index (unrolled, IdgUnrolled, i);
      guint distance = get_distance (plan, u->loop, b);
      guint exit = plan->loops[u->loop].exit;
      IdgFacts facts = plan->decisions->facts;
      gboolean here, same;

      if (u->rest != IDG_FLOW_NONE)
        distance = MIN (distance, get_distance (plan, u->rest, b));
      idg_unroll_assume (u, u->rounds, &facts);
      same = source != NULL && exit < IDG_FLOW_END
             && g_strcmp0 (source, idg_plan_get_last (plan, exit)->source) == 0;
      if (idg_flow_get_loop (flow, u->loop)->parent != idg_flow_get_block (flow, b)->loop
          || (found && (best_same > same || (best_same == same && best <= distance)))
          || !idg_value_is_taken (flow, &facts, b, &here))
        continue;
      *taken = here;
      best = distance;
      best_same = same;
      found = TRUE;
    }
  return found;
}

/* Finds how the threads of the warp go. */
static IdgHint
get_way_of_threads (const IdgPlan *plan, guint b)
{
  IdgFacts facts = plan->decisions->facts;
  const gint64 *dim = facts.block_dim;
  gint64 first = plan->decisions->warp * 32, end;
  gboolean some[2] = { FALSE, FALSE };

  if (plan->decisions->warp < 0 || !plan->uses_threads || dim[0] <= 0)
    return IDG_HINT_NONE;
  end = idg_plan_get_end (&facts, first);
  for (facts.thread = first; facts.thread < end; facts.thread++)
    {
      gboolean taken;

      if (!idg_value_is_taken (plan->flow, &facts, b, &taken))
        return IDG_HINT_NONE;
      some[taken] = TRUE;
    }
  plan->outcome->by_thread |= first < end;
  return some[0] && some[1] ? IDG_HINT_BOTH
         : some[1]          ? IDG_HINT_TAKEN
         : some[0]          ? IDG_HINT_NOT
                            : IDG_HINT_NONE;
}

static IdgHint
get_way (gboolean taken)
{
  return taken ? IDG_HINT_TAKEN : IDG_HINT_NOT;
}

/* Decides by what is known: hints for this branch, constants, and the numbers of threads. */
static IdgHint
find_way (IdgPlan *plan, guint b, gboolean leaves, IdgWhy *why)
{
  guint last = idg_flow_get_block (plan->flow, b)->last;
  IdgHint named = plan->decisions->named[last], way;
  gboolean taken;

  if (!leaves && idg_value_is_taken (plan->flow, &plan->decisions->facts, b, &taken))
    {
      *why = named == IDG_HINT_NONE ? IDG_WHY_CONSTANT : IDG_WHY_NAMED;
      plan->outcome->uses[last] |= taken ? IDG_USE_CONSTANT_TAKEN : IDG_USE_CONSTANT;
      return get_way (taken); /* a hint for it says the same, or is for copies of it, too */
    }
  *why = IDG_WHY_NAMED;
  if (named != IDG_HINT_NONE || leaves)
    return named;
  *why = IDG_WHY_CONSTANT;
  if (is_taken_by_count (plan, b, &taken))
    return get_way (taken);
  *why = IDG_WHY_THREAD;
  way = plan->ways[last];
  return way != IDG_HINT_NONE ? way : get_way_of_threads (plan, b);
}

/* Decides a branch about which nothing is known. */
static void
assume (IdgPlan *plan, guint b, guint target, guint below, gboolean leaves, IdgTurn *turn)
{
  guint loop = idg_flow_get_block (plan->flow, b)->loop;
  IdgAhead there, here;
  gint better;

  turn->leaves = leaves;
  turn->why = IDG_WHY_STAYS;
  turn->taken = leaves && !idg_flow_is_in (plan->flow, below, loop);
  if (leaves)
    return;
  there = idg_plan_look_ahead (plan, target, loop);
  here = idg_plan_look_ahead (plan, below, loop);
  better = idg_plan_compare_ahead (&there, &here);
  turn->why = IDG_WHY_ENTERS;
  turn->taken = better < 0;
  turn->is_said = better != 0
                  && (there.named != here.named || there.loops == here.loops
                      || plan->decisions->other_trips != IDG_TRIPS_UNKNOWN);
  if (better == 0)
    decide_by_sides (plan, b, target, below, turn);
}

/* Applies a hint for all branches that no hint names. It is not for those that decide whether a
 * loop is entered, or whether the rest of the kernel or of a round is executed at all. */
static IdgHint
apply_others (const IdgPlan *plan, guint b, guint target, guint below, IdgTurn *turn)
{
  guint loop = idg_flow_get_block (plan->flow, b)->loop;
  guint8 given = plan->decisions->others[idg_flow_get_block (plan->flow, b)->last];
  gboolean is_firm = (given & IDG_HINT_FIRM) != 0;
  IdgHint hint = given & ~IDG_HINT_FIRM;
  guint other = turn->taken ? below : target;

  if (hint == IDG_HINT_NONE)
    return hint;
  plan->outcome->used_all_branches = TRUE;
  if (idg_plan_is_jump (plan, other))
    other = idg_plan_advance (plan, other, loop);
  turn->agrees = hint == get_way (turn->taken);
  turn->differs = !is_firm && hint != IDG_HINT_BOTH && !turn->agrees
                  && (turn->leaves || turn->why == IDG_WHY_ENTERS
                      || (turn->why == IDG_WHY_WORKS && idg_plan_ends_round (plan, other, loop)));
  if (turn->leaves || turn->agrees || turn->differs)
    return IDG_HINT_NONE;
  turn->why = IDG_WHY_ALL;
  return hint;
}

void
idg_plan_decide (IdgPlan *plan, guint b, IdgTurn *turn)
{
  const IdgFlow *flow = plan->flow;
  const IdgBlock *block = idg_flow_get_block (flow, b);
  const IdgCodeInstr *last = idg_plan_get_last (plan, b);
  guint target = idg_flow_get_next (flow, block, plan->decisions->targets[block->last]);
  guint below = idg_flow_get_next (flow, block, block->n_next - 1);
  gboolean leaves = leaves_on_one_side (plan, b, target, below);
  IdgHint way;

  turn->taken = TRUE;
  turn->next = target;
  if (!last->has_guard)
    {
      if (last->n_targets > 1)
        turn->why
            = plan->decisions->named[block->last] != IDG_HINT_NONE ? IDG_WHY_NAMED : IDG_WHY_BELOW;
      return;
    }
  way = find_way (plan, b, leaves, &turn->why);
  if (way == IDG_HINT_NONE)
    {
      assume (plan, b, target, below, leaves, turn);
      way = apply_others (plan, b, target, below, turn);
    }
  if (way != IDG_HINT_NONE)
    turn->taken = way == IDG_HINT_TAKEN;
  turn->next = turn->taken ? target : below;
  turn->other = turn->taken ? below : target;
  if (way == IDG_HINT_BOTH)
    {
      turn->kind = IDG_TURN_FORK;
      turn->join = idg_plan_find_join (plan, turn->next, turn->other, block->loop);
    }
}
