/* SPDX-License-Identifier: MIT */
/* Plans from the last block to the first: where each block leads, within its loop; where each loop
 * leads, seen from outside; where the sides of a divergent branch meet; and which loops lie ahead.
 * All of that depends only on later blocks, so that nothing is recursive.
 *
 * A branch that neither a hint nor a constant decides goes where the work is: it stays in its loop;
 * else it goes where the loops are that hints name, where more loops are, or around nothing. That
 * finds the guard of a loop in whatever shape it has, a branch to the loop or one around it,
 * through jumps and other guards.
 *
 * Loops that the compiler unrolled need a second plan, made with the trip count of the source as a
 * constant: it decides the loop, its remainder, and all guards between them. */
#include "idg/import/flow/idg-plan.h"

#include "idg/import/flow/idg-places.h"

#include <string.h>

/* The most blocks to pass while searching the joins of all divergent branches, which may be far
 * away. */
#define MAX_JOIN_STEPS (1 << 26)
/* And while comparing the sides of branches. */
#define MAX_SIDE_STEPS (1 << 24)
/* The most branches of one loop that are followed round by round, and the most groups of rounds. */
#define MAX_OBSERVED 16
#define MAX_SEGMENTS 256

static const IdgCodeInstr *
get_last (const IdgPlan *plan, guint block)
{
  return idg_code_get (plan->flow->code, idg_flow_get_block (plan->flow, block)->last);
}

static guint
get_first (const IdgPlan *plan, guint loop)
{
  return idg_flow_get_block (plan->flow, idg_flow_get_loop (plan->flow, loop)->header)->first;
}

/* ---- The planned path ---- */

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

/* As idg_plan_get_next(), while planning: a path that goes back to a block without a plan is lost
 * (the walk reports that when it gets there). */
static guint
advance (const IdgPlan *plan, guint block, guint loop)
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
  *at = advance (plan, *at, loop);
  return FALSE;
}

/* Returns where the paths from A and B meet within LOOP, as long as there are steps left. From
 * there on they are the same path, so that the search takes as many steps as the longer of the two
 * has up to that block. */
static guint
find_join (IdgPlan *plan, guint a, guint b, guint loop)
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

/* ---- Loops ahead ---- */

gint64
idg_plan_get_hint (const IdgPlan *plan, guint loop)
{
  guint first = get_first (plan, loop);
  gint64 hint = plan->decisions->trips[first];

  return hint != IDG_TRIPS_UNKNOWN ? hint : plan->decisions->source_trips[first];
}

static void
add_ahead (IdgAhead *sum, const IdgAhead *more)
{
  sum->named += more->named;
  sum->loops += more->loops;
  sum->zeros += more->zeros;
}

gint64
idg_plan_get_share (const IdgPlan *plan, guint loop)
{
  guint unrolled = plan->loops[loop].unrolled;
  const IdgUnrolled *u;

  if (unrolled == 0)
    return IDG_TRIPS_UNKNOWN;
  u = &g_array_index (plan->outcome->unrolled, IdgUnrolled, unrolled - 1);
  return u->loop == loop ? u->rounds / u->copies : u->rounds % u->copies;
}

/* Returns what LOOP counts for, with the loops in it. */
static IdgAhead
weigh_loop (const IdgPlan *plan, guint loop)
{
  gint64 share = idg_plan_get_share (plan, loop);
  gint64 hint = share == IDG_TRIPS_UNKNOWN || share == 0 ? idg_plan_get_hint (plan, loop) : share;
  IdgAhead weight = plan->ahead[idg_flow_get_loop (plan->flow, loop)->header];

  if (hint == IDG_TRIPS_UNKNOWN && plan->loops[loop].found == 0)
    hint = plan->decisions->other_trips == 0 ? 0 : IDG_TRIPS_UNKNOWN;
  if (hint == 0 || share == 0)
    return (IdgAhead){ 0, 0, 1 };
  weight.named
      += hint > 0
         && (share == IDG_TRIPS_UNKNOWN
             || g_array_index (plan->outcome->unrolled, IdgUnrolled, plan->loops[loop].unrolled - 1)
                    .is_said);
  weight.loops++;
  return weight;
}

/* Returns the loops ahead of NEXT, as seen in LOOP. */
static IdgAhead
look_ahead (const IdgPlan *plan, guint next, guint loop)
{
  IdgAhead sum = { 0, 0, 0 };

  if (idg_plan_ends_round (plan, next, loop))
    return sum;
  if (idg_flow_get_block (plan->flow, next)->loop == loop)
    return plan->ahead[next];
  return plan->loops[idg_flow_get_child (plan->flow, next, loop)].weight;
}

/* Returns whether A is to be preferred to B: below 0, if so; 0: neither. */
static gint
compare_ahead (const IdgAhead *a, const IdgAhead *b)
{
  if (a->named != b->named)
    return a->named > b->named ? -1 : 1;
  if (a->loops != b->loops)
    return a->loops > b->loops ? -1 : 1;
  if (a->zeros != b->zeros)
    return a->zeros < b->zeros ? -1 : 1;
  return 0;
}

/* ---- Sides that do nothing ---- */

/* Returns whether BLOCK consists of a jump, or ends the warp at once. */
static gboolean
is_jump (const IdgPlan *plan, guint block)
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
      first->at = advance (plan, first->at, loop);
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
  if (here.work == 0 && !is_jump (plan, below))
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

/* Returns the loop next to the branch at the end of B, at its level: loops come after their guards.
 */
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
  const gchar *source = get_last (plan, b)->source;
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
             && g_strcmp0 (source, get_last (plan, exit)->source) == 0;
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

/* Returns the number after that of the last thread of the warp that begins with FIRST. A warp that
 * the block does not have is whole. */
static gint64
get_end (const IdgFacts *facts, gint64 first)
{
  gint64 threads = facts->block_dim[0] * facts->block_dim[1] * facts->block_dim[2];

  return first < threads ? MIN (first + 32, threads) : first + 32;
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
  end = get_end (&facts, first);
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
  there = look_ahead (plan, target, loop);
  here = look_ahead (plan, below, loop);
  better = compare_ahead (&there, &here);
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
  if (is_jump (plan, other))
    other = advance (plan, other, loop);
  turn->agrees = hint == get_way (turn->taken);
  turn->differs = !is_firm && hint != IDG_HINT_BOTH && !turn->agrees
                  && (turn->leaves || turn->why == IDG_WHY_ENTERS
                      || (turn->why == IDG_WHY_WORKS && idg_plan_ends_round (plan, other, loop)));
  if (turn->leaves || turn->agrees || turn->differs)
    return IDG_HINT_NONE;
  turn->why = IDG_WHY_ALL;
  return hint;
}

static void
plan_branch (IdgPlan *plan, guint b, IdgTurn *turn)
{
  const IdgFlow *flow = plan->flow;
  const IdgBlock *block = idg_flow_get_block (flow, b);
  const IdgCodeInstr *last = get_last (plan, b);
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
      turn->join = find_join (plan, turn->next, turn->other, block->loop);
    }
}

/* ---- Rounds ---- */

/* Returns the branches on PATH that are assumed, to see whether values that are executed to count
 * the rounds of LOOP decide them. */
static GArray *
find_observed (const IdgPlan *plan, guint loop, const GArray *path)
{
  GArray *observed = g_array_new (FALSE, FALSE, sizeof (IdgObserved));

  for (guint i = 0; i < path->len && observed->len < MAX_OBSERVED; i++)
    {
      guint b = g_array_index (path, guint, i);
      const IdgTurn *turn = &plan->turns[b];
      IdgObserved new = { b, TRUE, NULL };

      if (idg_flow_get_block (plan->flow, b)->loop == loop && get_last (plan, b)->has_guard
          && (turn->why == IDG_WHY_ENTERS || turn->why == IDG_WHY_WORKS
              || turn->why == IDG_WHY_BELOW || turn->why == IDG_WHY_ALL)
          && get_last (plan, b)->kind == IDG_CODE_BRANCH)
        {
          new.taken = g_array_new (FALSE, FALSE, sizeof (guint8));
          g_array_append_val (observed, new);
        }
    }
  return observed;
}

static void
clear_observed (GArray *observed)
{
  for (guint i = 0; i < observed->len; i++)
    g_array_unref (g_array_index (observed, IdgObserved, i).taken);
  g_array_unref (observed);
}

/* The rounds of a loop, and how its branches go in each. */
typedef struct
{
  guint64 rounds;
  GArray *observed;  /* of IdgObserved */
  GByteArray **ways; /* by observed branch: 1 for each round in which some thread does not take it,
                      * 2 where some does */
} Rounds;

/* Executes the rounds of one thread, or of any. */
static guint64
run_rounds (IdgPlan *plan, const IdgFacts *facts, guint loop, const GArray *path, Rounds *rounds)
{
  GArray *observed = rounds->observed;
  guint64 found;

  for (guint i = 0; i < observed->len; i++)
    g_array_set_size (g_array_index (observed, IdgObserved, i).taken, 0);
  found = idg_flow_count_trips (plan->flow, facts, loop, plan->loops[loop].exit, path,
                                (IdgObserved *)(gpointer)observed->data, observed->len);
  for (guint i = 0; found > 0 && i < observed->len; i++)
    {
      const IdgObserved *o = &g_array_index (observed, IdgObserved, i);
      GByteArray *ways = rounds->ways[i];

      for (guint j = 0; o->known && j < o->taken->len; j++)
        {
          guint8 none = 0;

          if (j == ways->len)
            g_byte_array_append (ways, &none, 1);
          ways->data[j] |= g_array_index (o->taken, guint8, j) ? 2 : 1;
        }
    }
  return found;
}

/* Executes the rounds of each thread of the warp, which goes on as long as one of them does. */
static guint64
run_threads (IdgPlan *plan, IdgFacts facts, guint loop, const GArray *path, Rounds *rounds)
{
  const gint64 *dim = facts.block_dim;
  gint64 first = plan->decisions->warp * 32;
  gint64 end = get_end (&facts, first);
  guint64 most = 0;

  if (plan->decisions->warp < 0 || !plan->uses_threads || dim[0] <= 0)
    return 0;
  for (guint i = 0; i < rounds->observed->len; i++)
    {
      g_byte_array_set_size (rounds->ways[i], 0);
      g_array_index (rounds->observed, IdgObserved, i).known = TRUE;
    }
  for (facts.thread = first; facts.thread < end; facts.thread++)
    {
      guint64 found = run_rounds (plan, &facts, loop, path, rounds);

      if (found == 0)
        return 0;
      most = MAX (most, found);
    }
  plan->outcome->by_thread |= most > 0;
  return most;
}

static gboolean
has_unknown (const GArray *observed)
{
  for (guint i = 0; i < observed->len; i++)
    if (!g_array_index (observed, IdgObserved, i).known)
      return TRUE;
  return FALSE;
}

static void
clear_segments (IdgLoopPlan *plan)
{
  g_clear_pointer (&plan->observed, g_array_unref);
  g_clear_pointer (&plan->segments, g_array_unref);
  g_clear_pointer (&plan->ways, g_byte_array_unref);
}

/* Groups rounds in which all observed branches go the same ways. */
static void
make_segments (IdgLoopPlan *plan, const Rounds *rounds)
{
  clear_segments (plan);
  plan->observed = g_array_new (FALSE, FALSE, sizeof (guint));
  plan->segments = g_array_new (FALSE, FALSE, sizeof (IdgRounds));
  plan->ways = g_byte_array_new ();
  for (guint i = 0; i < rounds->observed->len; i++)
    if (g_array_index (rounds->observed, IdgObserved, i).known)
      g_array_append_val (plan->observed, g_array_index (rounds->observed, IdgObserved, i).block);
  if (plan->observed->len == 0)
    {
      clear_segments (plan);
      return;
    }
  for (guint64 r = 0; r < rounds->rounds && plan->segments->len <= MAX_SEGMENTS; r++)
    {
      static const guint8 hints[] = { IDG_HINT_NONE, IDG_HINT_NOT, IDG_HINT_TAKEN, IDG_HINT_BOTH };
      IdgRounds segment = { 1, plan->ways->len };
      IdgRounds *last = plan->segments->len > 0
                            ? &g_array_index (plan->segments, IdgRounds, plan->segments->len - 1)
                            : NULL;

      for (guint i = 0; i < rounds->observed->len; i++)
        if (g_array_index (rounds->observed, IdgObserved, i).known)
          {
            guint8 way = r < rounds->ways[i]->len ? rounds->ways[i]->data[r] : 0;

            g_byte_array_append (plan->ways, &hints[way], 1);
          }
      if (last != NULL
          && memcmp (plan->ways->data + last->first, plan->ways->data + segment.first,
                     plan->observed->len)
                 == 0)
        {
          last->rounds++;
          g_byte_array_set_size (plan->ways, segment.first);
        }
      else
        g_array_append_val (plan->segments, segment);
    }
  if (plan->segments->len > MAX_SEGMENTS)
    clear_segments (plan);
}

/* Returns the facts about LOOP: the trip count of the source, if it was unrolled. */
static IdgFacts
get_facts (const IdgPlan *plan, guint loop)
{
  IdgFacts facts = plan->decisions->facts;
  guint unrolled = plan->loops[loop].unrolled;

  if (unrolled > 0)
    {
      const IdgUnrolled *u = &g_array_index (plan->outcome->unrolled, IdgUnrolled, unrolled - 1);

      idg_unroll_assume (u, u->rounds, &facts);
    }
  return facts;
}

/* Counts LOOP. If the exit ends its rounds, so that all of them are whole, branches inside of it
 * may go different ways in each. */
static void
count_loop (IdgPlan *plan, guint loop, const GArray *path)
{
  IdgLoopPlan *l = &plan->loops[loop];
  IdgFacts facts = get_facts (plan, loop);
  Rounds rounds = { 0, NULL, NULL };
  guint64 found;

  rounds.observed = l->whole ? find_observed (plan, loop, path)
                             : g_array_new (FALSE, FALSE, sizeof (IdgObserved));
  rounds.ways = g_new0 (GByteArray *, rounds.observed->len + 1);
  for (guint i = 0; i < rounds.observed->len; i++)
    rounds.ways[i] = g_byte_array_new ();
  l->found = run_rounds (plan, &facts, loop, path, &rounds);
  if (l->found == 0 || has_unknown (rounds.observed))
    {
      found = run_threads (plan, facts, loop, path, &rounds);
      l->by_thread = found > 0;
      l->found = found > 0 ? found : l->found;
      if (found == 0)
        for (guint i = 0; i < rounds.observed->len; i++)
          g_array_index (rounds.observed, IdgObserved, i).known = FALSE;
    }
  rounds.rounds = l->found;
  clear_segments (l);
  if (l->found > 0 && idg_plan_get_hint (plan, loop) == IDG_TRIPS_UNKNOWN)
    make_segments (l, &rounds);
  for (guint i = 0; i < rounds.observed->len; i++)
    g_byte_array_unref (rounds.ways[i]);
  g_free (rounds.ways);
  clear_observed (rounds.observed);
}

/* ---- Loops ---- */

/* Tells whether nothing but jumps comes after EXIT on PATH. */
static gboolean
ends_with (const IdgPlan *plan, const GArray *path, guint exit)
{
  guint i = path->len;

  while (i > 0 && is_jump (plan, g_array_index (path, guint, i - 1)))
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
      b = advance (plan, b, loop);
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
  clear_segments (l);
  if (idg_plan_get_share (plan, loop) != 0)
    count_loop (plan, loop, path);
  if (l->found > 0)
    plan->outcome->uses[get_first (plan, loop)] |= IDG_USE_COUNTED;
  else if (plan->remainders != NULL && l->whole)
    idg_unroll_add_loop (flow, &plan->decisions->facts, plan->remainders, loop, l->exit, path);
}

static void
plan_block (IdgPlan *plan, guint b)
{
  const IdgFlow *flow = plan->flow;
  const IdgBlock *block = idg_flow_get_block (flow, b);
  const IdgCodeInstr *last = get_last (plan, b);
  IdgTurn *turn = &plan->turns[b];
  IdgAhead other;

  *turn = (IdgTurn){ .kind = IDG_TURN_ON, .other = IDG_FLOW_NONE, .join = IDG_FLOW_NONE };
  turn->next = idg_flow_get_next (flow, block, 0);
  if (last->kind == IDG_CODE_BRANCH || (last->kind == IDG_CODE_EXIT && last->has_guard))
    plan_branch (plan, b, turn);
  plan->ahead[b] = look_ahead (plan, turn->next, block->loop);
  if (turn->kind == IDG_TURN_FORK)
    {
      other = look_ahead (plan, turn->other, block->loop);
      if (compare_ahead (&other, &plan->ahead[b]) < 0)
        plan->ahead[b] = other;
    }
  if (block->loop == IDG_FLOW_NONE || idg_flow_get_loop (flow, block->loop)->header != b
      || plan->again == block->loop)
    return;
  plan_loop (plan, block->loop);
  plan->loops[block->loop].weight = weigh_loop (plan, block->loop);
  other = look_ahead (plan, plan->loops[block->loop].next,
                      idg_flow_get_loop (flow, block->loop)->parent);
  add_ahead (&plan->loops[block->loop].weight, &other);
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
  guint first = get_first (plan, u->loop);
  guint rest = u->rest != IDG_FLOW_NONE ? get_first (plan, u->rest) : first;
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
  plan->side_steps = MAX_SIDE_STEPS;
  for (guint i = 0; i < flow->blocks->len; i++)
    plan->marks[i] = IDG_FLOW_NONE;
  plan_unrolled (plan);
  return plan;
}

gboolean
idg_plan_has_joins (const IdgPlan *plan)
{
  return plan->join_steps > 0;
}

void
idg_plan_free (IdgPlan *plan)
{
  if (plan == NULL)
    return;
  for (guint i = 0; i < plan->flow->loops->len; i++)
    clear_segments (&plan->loops[i]);
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
