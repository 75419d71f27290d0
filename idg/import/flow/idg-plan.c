/* SPDX-License-Identifier: MIT */
/* Plans from the last block to the first: where each block leads, within its loop; where each loop
 * leads, seen from outside; where the sides of a divergent branch meet; and which loops lie ahead.
 * All of that depends only on later blocks, so that nothing is recursive.
 *
 * Loops that the compiler unrolled need a second plan, made with the trip count of the source as a
 * constant: it decides the loop, its remainder, and all guards between them. */
#include "idg/import/flow/idg-places.h"
#include "idg/import/flow/idg-plan-private.h"

/* The most blocks to pass while searching the joins of all divergent branches, which may be far
 * away. */
#define MAX_JOIN_STEPS (1 << 26)
/* And while comparing the sides of branches: as many for each block as the sides of what compilers
 * make are long, so that the cost of a listing grows as its length. A short one may have more. */
#define SIDE_STEPS_EACH 64
#define MIN_SIDE_STEPS (1 << 18)

/* ---- Loops ---- */

/* Tells whether nothing but jumps comes after EXIT on PATH. */
static gboolean
ends_with (const IdgPlan *plan, const GArray *path, guint exit)
{
  guint i = path->len;

  while (i > 0 && idg_plan_is_jump (plan, g_array_index (path, guint, i - 1)))
    i--;
  return i > 0 && g_array_index (path, guint, i - 1) == exit;
}

/* Follows one iteration of LOOP to find where the loop leads. */
static void
plan_loop (IdgPlan *plan, guint loop)
{
  const IdgFlow *flow = plan->flow;
  IdgLoopPlan *l = &plan->loops[loop];
  guint header = idg_flow_get_loop (flow, loop)->header;
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));
  guint b = header;
  guint last = header;

  l->exit = IDG_FLOW_NONE;
  do
    {
      if (l->exit == IDG_FLOW_NONE && idg_flow_get_block (flow, b)->loop == loop
          && plan->turns[b].leaves)
        l->exit = b;
      g_array_append_val (path, b);
      last = b;
      b = idg_plan_advance (plan, b, loop);
    }
  while (!idg_plan_ends_round (plan, b, loop));
  l->once = b != header && b != IDG_FLOW_NONE;
  l->next = l->once ? b : IDG_FLOW_END;
  if (l->once)
    return;
  if (idg_flow_get_block (flow, last)->loop == loop && plan->turns[last].leaves)
    l->exit = last;
  if (l->exit == IDG_FLOW_NONE)
    return;
  l->next = plan->turns[l->exit].other;
  l->whole = ends_with (plan, path, l->exit);
  l->found = 0;
  l->by_thread = FALSE;
  idg_plan_clear_rounds (l);
  if (idg_plan_get_share (plan, loop) != 0)
    idg_plan_count_rounds (plan, loop, path);
  if (l->found > 0)
    plan->outcome->uses[idg_plan_get_first (plan, loop)] |= IDG_USE_COUNTED;
  else if (plan->remainders != NULL && l->whole)
    idg_unroll_add_loop (flow, &plan->decisions->facts, plan->remainders, loop, l->exit, path);
}

static void
plan_block (IdgPlan *plan, guint b)
{
  const IdgFlow *flow = plan->flow;
  const IdgBlock *block = idg_flow_get_block (flow, b);
  const IdgCodeInstr *last = idg_plan_get_last (plan, b);
  IdgTurn *turn = &plan->turns[b];
  IdgAhead other;

  *turn = (IdgTurn){ .kind = IDG_TURN_ON, .other = IDG_FLOW_NONE, .join = IDG_FLOW_NONE };
  turn->next = idg_flow_get_next (flow, block, 0);
  if (last->kind == IDG_CODE_BRANCH || (last->kind == IDG_CODE_EXIT && last->has_guard))
    idg_plan_decide (plan, b, turn);
  plan->ahead[b] = idg_plan_look_ahead (plan, turn->next, block->loop);
  if (turn->kind == IDG_TURN_FORK)
    {
      other = idg_plan_look_ahead (plan, turn->other, block->loop);
      if (idg_plan_compare_ahead (&other, &plan->ahead[b]) < 0)
        plan->ahead[b] = other;
    }
  if (block->loop == IDG_FLOW_NONE || idg_flow_get_loop (flow, block->loop)->header != b
      || plan->again == block->loop)
    return;
  plan_loop (plan, block->loop);
  plan->loops[block->loop].weight = idg_plan_weigh_loop (plan, block->loop);
  other = idg_plan_look_ahead (plan, plan->loops[block->loop].next,
                               idg_flow_get_loop (flow, block->loop)->parent);
  idg_plan_add_ahead (&plan->loops[block->loop].weight, &other);
}

static void
plan_all (IdgPlan *plan)
{
  const IdgFlow *flow = plan->flow;

  for (guint i = flow->order->len; i-- > 0;)
    plan_block (plan, g_array_index (flow->order, guint, i));
}

/* ---- Unrolled loops ---- */

/* Sets the rounds of the source: those of a hint for the source, or those that hints for the loop
 * and its remainder make, or those for all loops, or else once through the loop. */
static void
set_rounds (IdgPlan *plan, IdgUnrolled *u)
{
  const IdgDecisions *d = plan->decisions;
  guint first = idg_plan_get_first (plan, u->loop);
  guint rest = u->rest != IDG_FLOW_NONE ? idg_plan_get_first (plan, u->rest) : first;
  gint64 source = MAX (d->source_trips[first], d->source_trips[rest]);
  gint64 whole = d->trips[first], part = rest != first ? d->trips[rest] : IDG_TRIPS_UNKNOWN;

  u->is_said = TRUE;
  if (source != IDG_TRIPS_UNKNOWN)
    u->rounds = source;
  else if (whole == IDG_TRIPS_UNKNOWN && part == IDG_TRIPS_UNKNOWN
           && d->other_trips != IDG_TRIPS_UNKNOWN)
    {
      u->rounds = d->other_trips;
      u->by_all = TRUE;
    }
  else
    {
      u->is_said = whole != IDG_TRIPS_UNKNOWN || part != IDG_TRIPS_UNKNOWN;
      if (whole == IDG_TRIPS_UNKNOWN)
        whole = d->other_trips != IDG_TRIPS_UNKNOWN ? d->other_trips / u->copies : 1;
      u->rounds = whole * u->copies + MAX (part, 0);
    }
}

static void
plan_unrolled (IdgPlan *plan)
{
  GArray *unrolled = plan->outcome->unrolled;

  g_array_set_size (unrolled, 0);
  plan->remainders = idg_unroll_find (plan->flow);
  plan_all (plan);
  idg_unroll_pair (plan->flow, &plan->decisions->facts, plan->remainders, unrolled);
  g_clear_pointer (&plan->remainders, g_ptr_array_unref);
  for (guint i = 0; i < unrolled->len; i++)
    {
      IdgUnrolled *u = &g_array_index (unrolled, IdgUnrolled, i);

      set_rounds (plan, u);
      plan->loops[u->loop].unrolled = i + 1;
      if (u->rest != IDG_FLOW_NONE)
        plan->loops[u->rest].unrolled = i + 1;
    }
  if (unrolled->len > 0)
    plan_all (plan);
}

/* ---- The plan ---- */

static gint
compare_orders (gconstpointer a, gconstpointer b, gpointer data)
{
  const IdgPlan *plan = data;
  guint left = idg_flow_get_block (plan->flow, *(const guint *)a)->order;
  guint right = idg_flow_get_block (plan->flow, *(const guint *)b)->order;

  return left > right ? -1 : left < right;
}

void
idg_plan_choose_segment (IdgPlan *plan, guint loop, const IdgRounds *segment)
{
  const IdgLoop *l = idg_flow_get_loop (plan->flow, loop);
  const IdgLoopPlan *planned = &plan->loops[loop];
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (guint));
  guint outer = plan->again;

  for (guint i = 0; i < planned->observed->len; i++)
    {
      guint b = g_array_index (planned->observed, guint, i);

      plan->ways[idg_flow_get_block (plan->flow, b)->last]
          = planned->ways->data[segment->first + i];
    }
  g_array_append_vals (blocks, plan->flow->members + l->first_member, l->n_members);
  for (guint i = 0; i < blocks->len; i++)
    {
      const IdgBlock *block = idg_flow_get_block (plan->flow, g_array_index (blocks, guint, i));

      if (block->loop != loop) /* the rounds of an inner loop begin anew */
        plan->ways[block->last] = IDG_HINT_NONE;
    }
  g_array_sort_with_data (blocks, compare_orders, plan);
  plan->again = loop;
  for (guint i = 0; i < blocks->len; i++)
    plan_block (plan, g_array_index (blocks, guint, i));
  plan->again = outer;
}

static gboolean
reads_threads (const IdgCode *code)
{
  for (guint i = 1; i < code->meanings->len; i++)
    {
      const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, i);
      const guint regs[] = { meaning->a.reg, meaning->b.reg, meaning->c.reg };

      for (guint j = 0; j < G_N_ELEMENTS (regs); j++)
        if ((regs[j] >= IDG_SPECIAL_TID_X && regs[j] <= IDG_SPECIAL_TID_Z)
            || regs[j] == IDG_SPECIAL_LANE)
          return TRUE;
    }
  return FALSE;
}

IdgPlan *
idg_plan_new (const IdgFlow *flow, const IdgDecisions *decisions, IdgOutcome *outcome)
{
  IdgPlan *plan = g_new0 (IdgPlan, 1);

  plan->flow = flow;
  plan->decisions = decisions;
  plan->outcome = outcome;
  plan->turns = g_new0 (IdgTurn, flow->blocks->len);
  plan->loops = g_new0 (IdgLoopPlan, flow->loops->len + 1);
  plan->ahead = g_new0 (IdgAhead, flow->blocks->len);
  plan->ways = g_new0 (guint8, flow->code->instrs->len);
  plan->marks = g_new (guint, flow->blocks->len);
  plan->again = IDG_FLOW_NONE;
  plan->uses_threads = reads_threads (flow->code);
  plan->join_steps = MAX_JOIN_STEPS;
  plan->side_steps = MAX (MIN_SIDE_STEPS, (guint64)SIDE_STEPS_EACH * flow->blocks->len);
  for (guint i = 0; i < flow->blocks->len; i++)
    plan->marks[i] = IDG_FLOW_NONE;
  plan_unrolled (plan);
  return plan;
}

void
idg_plan_free (IdgPlan *plan)
{
  if (plan == NULL)
    return;
  for (guint i = 0; i < plan->flow->loops->len; i++)
    idg_plan_clear_rounds (&plan->loops[i]);
  g_free (plan->turns);
  g_free (plan->loops);
  g_free (plan->ahead);
  g_free (plan->ways);
  g_free (plan->marks);
  g_free (plan);
}

IdgOutcome *
idg_outcome_new (const IdgFlow *flow)
{
  IdgOutcome *outcome = g_new0 (IdgOutcome, 1);

  outcome->walked = g_new0 (guint8, flow->blocks->len);
  outcome->whys = g_new0 (guint8, flow->blocks->len);
  outcome->uses = g_new0 (guint8, flow->code->instrs->len + 1);
  outcome->unrolled = g_array_new (FALSE, FALSE, sizeof (IdgUnrolled));
  outcome->assumed = g_ptr_array_new_with_free_func (g_free);
  outcome->copies = idg_place_find_copies (flow);
  outcome->noted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return outcome;
}

void
idg_outcome_free (IdgOutcome *outcome)
{
  if (outcome == NULL)
    return;
  g_free (outcome->walked);
  g_free (outcome->whys);
  g_free (outcome->uses);
  g_array_unref (outcome->unrolled);
  g_ptr_array_unref (outcome->assumed);
  g_free (outcome->copies);
  g_hash_table_unref (outcome->noted);
  g_free (outcome);
}
