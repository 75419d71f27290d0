/* SPDX-License-Identifier: MIT */
/* First makes a plan, from the last block to the first: where each block leads, within its loop;
 * where each loop leads, seen from outside; and where the sides of a divergent branch meet. All of
 * that depends only on later blocks, so that nothing is recursive. Then walks, and writes steps and
 * notes for the blocks that it really passes.
 *
 * A loop is left by one branch, the one that its count refers to: the last branch of an iteration,
 * if that may leave, else the first that may. What comes after it in the iteration runs one time
 * less than what comes before it:
 *
 *   while form:  header, leave?, body          repeat N { header, body } header
 *   do form:     body, leave?                  repeat N { body } */
#include "idg/import/flow/idg-walk.h"

#include "idg/import/base/idg-notes.h"

/* The most blocks to pass while searching the joins of all divergent branches, which may be far
 * away. */
#define MAX_JOIN_STEPS (1 << 26)

typedef enum
{
  TURN_ON,   /* continue at `next` */
  TURN_FORK, /* walk both sides, then continue at `join` */
} TurnKind;

/* The decision at the end of a block. */
typedef struct
{
  TurnKind kind;
  guint next;       /* a block or IDG_FLOW_END */
  guint other;      /* the side not taken, or IDG_FLOW_NONE */
  guint join;       /* of a fork: where its sides meet, or IDG_FLOW_NONE */
  gboolean taken;   /* whether `next` is the branch's target */
  gboolean assumed; /* no hint decided it */
  gboolean leaves;  /* `other` is outside of the innermost loop, and no hint says to go there */
} Turn;

/* A loop as seen from outside. */
typedef struct
{
  guint next;    /* where it leads: a block or IDG_FLOW_END */
  guint exit;    /* the block whose branch the count refers to, or IDG_FLOW_NONE */
  gboolean once; /* an iteration does not return to the header */
  guint64 found; /* how often `exit` is reached according to the code, or 0 */
} Plan;

typedef struct
{
  const IdgFlow *flow;
  const IdgDecisions *decisions;
  IdgImport *import;
  Turn *turns;  /* by block */
  Plan *plans;  /* by loop */
  guint *marks; /* by block: the last fork whose search passed it, times two, plus 1 for the fork's
                 * other side */
  GArray *steps;
  guint sides;
  guint64 join_steps; /* what is left of MAX_JOIN_STEPS */
  GError **error;
} Walk;

static const IdgCodeInstr *
get_last (const Walk *walk, guint block)
{
  return idg_code_get (walk->flow->code, idg_flow_get_block (walk->flow, block)->last);
}

/* ---- The plan ---- */

/* Returns where the path continues after BLOCK, as seen in LOOP, which contains BLOCK. */
static guint
get_next (const Walk *walk, guint block, guint loop)
{
  const Turn *turn = &walk->turns[block];

  if (idg_flow_get_block (walk->flow, block)->loop != loop)
    return walk->plans[idg_flow_get_child (walk->flow, block, loop)].next;
  return turn->kind == TURN_FORK ? turn->join : turn->next;
}

/* Tells whether NEXT, reached in LOOP, ends the iteration. */
static gboolean
ends_round (const Walk *walk, guint next, guint loop)
{
  return next >= IDG_FLOW_END || !idg_flow_is_in (walk->flow, next, loop)
         || (loop != IDG_FLOW_NONE && next == idg_flow_get_loop (walk->flow, loop)->header);
}

/* As get_next(), while planning: a path that goes back to a block without a plan is lost (the walk
 * reports that when it gets there). */
static guint
advance (const Walk *walk, guint block, guint loop)
{
  guint next = get_next (walk, block, loop);

  if (!ends_round (walk, next, loop)
      && idg_flow_get_block (walk->flow, next)->order
             <= idg_flow_get_block (walk->flow, block)->order)
    return IDG_FLOW_NONE;
  return next;
}

/* Advances *AT by one step on its path, unless that has ended, and marks the block with MINE.
 * Returns whether *AT is on the path marked with OTHER. */
static gboolean
step_to_join (Walk *walk, guint *at, guint loop, guint mine, guint other)
{
  if (ends_round (walk, *at, loop))
    return FALSE;
  if (walk->marks[*at] == other)
    return TRUE;
  walk->marks[*at] = mine;
  *at = advance (walk, *at, loop);
  return FALSE;
}

/* Returns where the paths from A and B meet within LOOP, as long as there are steps left. From
 * there on they are the same path, so that the search takes as many steps as the longer of the two
 * has up to that block. */
static guint
find_join (Walk *walk, guint fork, guint a, guint b, guint loop)
{
  for (; walk->join_steps > 0 && (!ends_round (walk, a, loop) || !ends_round (walk, b, loop));
       walk->join_steps--)
    {
      if (step_to_join (walk, &a, loop, 2 * fork, 2 * fork + 1))
        return a;
      if (step_to_join (walk, &b, loop, 2 * fork + 1, 2 * fork))
        return b;
    }
  return a == b ? a : IDG_FLOW_NONE;
}

/* Tells whether BLOCK leads into a loop that a hint names. */
static gboolean
leads_to_hinted_loop (const Walk *walk, guint block, guint from)
{
  const IdgFlow *flow = walk->flow;

  for (guint i = 0; i < 8 && block != IDG_FLOW_END; i++)
    {
      const IdgBlock *b = idg_flow_get_block (flow, block);

      if (b->loop != IDG_FLOW_NONE && idg_flow_get_loop (flow, b->loop)->header == block
          && !idg_flow_is_in (flow, from, b->loop))
        return walk->decisions->trips[b->first] > 0;
      if (b->n_next != 1)
        return FALSE;
      block = idg_flow_get_next (flow, b, 0);
    }
  return FALSE;
}

/* Decides a branch without a hint: a branch that leaves a loop stays in it, one around a loop with
 * a known count enters it, and any other is not taken. */
static void
assume (const Walk *walk, guint b, guint target, guint below, Turn *turn)
{
  guint loop = idg_flow_get_block (walk->flow, b)->loop;
  gboolean leaves_there = !idg_flow_is_in (walk->flow, target, loop);
  gboolean leaves_below = !idg_flow_is_in (walk->flow, below, loop);

  turn->leaves = loop != IDG_FLOW_NONE && leaves_there != leaves_below;
  turn->taken = turn->leaves ? leaves_below
                             : leads_to_hinted_loop (walk, target, b)
                                   && !leads_to_hinted_loop (walk, below, b);
  turn->assumed = turn->leaves
                  || !(leads_to_hinted_loop (walk, turn->taken ? target : below, b)
                       && !leads_to_hinted_loop (walk, turn->taken ? below : target, b));
}

static void
plan_branch (Walk *walk, guint b, Turn *turn)
{
  const IdgBlock *block = idg_flow_get_block (walk->flow, b);
  const IdgCodeInstr *last = get_last (walk, b);
  IdgHint hint = walk->decisions->branches[block->last];
  guint target = idg_flow_get_next (walk->flow, block, walk->decisions->targets[block->last]);
  guint below = idg_flow_get_next (walk->flow, block, block->n_next - 1);

  if (!last->has_guard)
    {
      turn->next = target;
      turn->taken = TRUE;
      turn->assumed = last->n_targets > 1 && hint == IDG_HINT_NONE;
      return;
    }
  if (hint == IDG_HINT_NONE)
    assume (walk, b, target, below, turn);
  else
    turn->taken = hint == IDG_HINT_TAKEN;
  turn->next = turn->taken ? target : below;
  turn->other = turn->taken ? below : target;
  if (hint == IDG_HINT_BOTH)
    {
      turn->kind = TURN_FORK;
      turn->join = find_join (walk, b, turn->next, turn->other, block->loop);
    }
}

/* Follows one iteration of LOOP to find where the loop leads. */
static void
plan_loop (Walk *walk, guint loop)
{
  const IdgFlow *flow = walk->flow;
  Plan *plan = &walk->plans[loop];
  guint header = idg_flow_get_loop (flow, loop)->header;
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));
  guint b = header;
  guint last = header;

  plan->exit = IDG_FLOW_NONE;
  do
    {
      if (plan->exit == IDG_FLOW_NONE && idg_flow_get_block (flow, b)->loop == loop
          && walk->turns[b].leaves)
        plan->exit = b;
      g_array_append_val (path, b);
      last = b;
      b = advance (walk, b, loop);
    }
  while (!ends_round (walk, b, loop));
  plan->once = b != header && b != IDG_FLOW_NONE;
  plan->next = plan->once ? b : IDG_FLOW_END;
  if (plan->once)
    return;
  if (idg_flow_get_block (flow, last)->loop == loop && walk->turns[last].leaves)
    plan->exit = last;
  if (plan->exit == IDG_FLOW_NONE)
    return;
  plan->next = walk->turns[plan->exit].other;
  plan->found = idg_flow_count_trips (flow, loop, plan->exit, path);
}

static void
make_plan (Walk *walk)
{
  const IdgFlow *flow = walk->flow;

  for (guint i = flow->order->len; i-- > 0;)
    {
      guint b = g_array_index (flow->order, guint, i);
      const IdgBlock *block = idg_flow_get_block (flow, b);
      const IdgCodeInstr *last = get_last (walk, b);
      Turn *turn = &walk->turns[b];

      *turn = (Turn){ .kind = TURN_ON, .other = IDG_FLOW_NONE, .join = IDG_FLOW_NONE };
      turn->next = idg_flow_get_next (flow, block, 0);
      if (last->kind == IDG_CODE_BRANCH || (last->kind == IDG_CODE_EXIT && last->has_guard))
        plan_branch (walk, b, turn);
      if (block->loop != IDG_FLOW_NONE && idg_flow_get_loop (flow, block->loop)->header == b)
        plan_loop (walk, block->loop);
    }
}

/* ---- Notes ---- */

/* Returns the name by which an option refers to the loop that begins at FIRST, or to the target of
 * BRANCH. Labels need no quotes in a shell without their `$`. */
static gchar *
name_place (const Walk *walk, guint first, const IdgCodeInstr *branch)
{
  const IdgCode *code = walk->flow->code;
  const gchar *name = NULL;

  if (branch != NULL && branch->n_targets > 0)
    {
      guint label = g_array_index (code->targets, guint, branch->first_target);

      name = g_array_index (code->labels, IdgCodeLabel, label).name;
    }
  else if (branch == NULL)
    name = idg_flow_get_label (walk->flow, first);
  if (name == NULL)
    return g_strdup_printf ("%d", branch != NULL ? branch->line : idg_code_get (code, first)->line);
  return g_strdup (*name == '$' ? name + 1 : name);
}

static gchar *
name_source (const IdgCodeInstr *instr)
{
  return instr->source != NULL ? g_strdup_printf (" (%s)", instr->source) : g_strdup ("");
}

static void
note_branch (const Walk *walk, guint b)
{
  const Turn *turn = &walk->turns[b];
  const IdgCodeInstr *last = get_last (walk, b);
  g_autofree gchar *name = name_place (walk, 0, last);
  g_autofree gchar *source = name_source (last);

  if (!turn->assumed || (turn->leaves && walk->decisions->breaks_hint))
    return;
  if (last->n_targets > 1)
    idg_import_note (walk->import, walk->flow->code->file, last->line,
                     "indexed branch%s: assumed to go to %s; --branch LABEL=taken chooses another "
                     "of its labels",
                     source, name);
  else
    idg_import_note (walk->import, walk->flow->code->file, last->line,
                     "branch to %s%s: assumed %s; --branch %s=taken, not or both decides it",
                     last->n_targets > 0 ? name : "the end", source,
                     turn->taken ? "taken" : "not taken", name);
}

/* Returns the iterations of LOOP: how often its exit is reached, minus the last, partial iteration
 * if there is one. */
static guint64
count_rounds (const Walk *walk, guint loop, gboolean has_rest)
{
  const Plan *plan = &walk->plans[loop];
  const IdgCode *code = walk->flow->code;
  guint header = idg_flow_get_loop (walk->flow, loop)->header;
  guint first = idg_flow_get_block (walk->flow, header)->first;
  gint64 hint = walk->decisions->trips[first];
  g_autofree gchar *name = NULL;
  g_autofree gchar *source = NULL;

  if (hint != IDG_TRIPS_UNKNOWN)
    return (guint64)hint;
  if (plan->found > 0)
    return plan->found - (has_rest ? 1 : 0);
  if (walk->decisions->other_trips != IDG_TRIPS_UNKNOWN)
    return (guint64)walk->decisions->other_trips;
  name = name_place (walk, first, NULL);
  source = name_source (idg_code_get (code, first));
  idg_import_note (walk->import, code->file, idg_code_get (code, first)->line,
                   "loop %s%s: assumed to run once; --trip %s=N sets its count", name, source,
                   name);
  return 1;
}

/* ---- The walk ---- */

static gboolean
add_step (Walk *walk, IdgStepKind kind, guint arg, gboolean taken)
{
  IdgStep step = { kind, arg, taken, 0 };

  if (walk->steps->len >= IDG_WALK_MAX_STEPS)
    return idg_import_fail (walk->flow->code->file, 0, IDG_ERROR_VALUE, walk->error,
                            "%s is longer than %d instructions, with the code that follows both "
                            "sides of a branch written twice; decide some of them with --branch",
                            walk->flow->code->name, IDG_WALK_MAX_STEPS);
  g_array_append_val (walk->steps, step);
  return TRUE;
}

static gboolean walk_level (Walk *walk, guint from, guint loop, guint join, guint *next);

static gboolean
fail_at (const Walk *walk, guint block, const gchar *what)
{
  const IdgCodeInstr *last = get_last (walk, block);

  return idg_import_fail (walk->flow->code->file, last->line, IDG_ERROR_VALUE, walk->error, "%s",
                          what);
}

static gboolean
walk_fork (Walk *walk, guint b, guint loop)
{
  const Turn *turn = &walk->turns[b];
  guint sides[] = { turn->next, turn->other };

  if (++walk->sides > IDG_WALK_MAX_SIDES)
    return fail_at (walk, b, "divergent branches nested deeper than 256");
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      guint next;

      if (!add_step (walk, i == 0 ? IDG_STEP_BOTH : IDG_STEP_ELSE, 0, FALSE)
          || !walk_level (walk, sides[i], loop, turn->join, &next))
        return FALSE;
      if (next < IDG_FLOW_END && !idg_flow_is_in (walk->flow, next, loop))
        return fail_at (walk, b,
                        "a branch that leaves its loop on one side cannot go both ways; expected "
                        "taken or not, and the loop's iterations by --trip");
    }
  walk->sides--;
  return add_step (walk, IDG_STEP_JOIN, 0, FALSE);
}

/* Walks the instructions of BLOCK, and both sides of a fork at its end. */
static gboolean
walk_block (Walk *walk, guint b, guint loop)
{
  const IdgBlock *block = idg_flow_get_block (walk->flow, b);
  const Turn *turn = &walk->turns[b];

  for (guint i = block->first; i <= block->last; i++)
    if (!add_step (walk, IDG_STEP_INSTR, i, i == block->last && turn->taken))
      return FALSE;
  if (loop == IDG_FLOW_NONE || walk->plans[loop].exit != b || walk->plans[loop].once)
    note_branch (walk, b);
  return turn->kind != TURN_FORK || walk_fork (walk, b, loop);
}

/* Walks the part of an iteration up to the exit once more, with the exit's branch now taken, or
 * not. */
static gboolean
leave_loop (Walk *walk, guint start, guint end, gboolean taken)
{
  for (guint i = start; i < end; i++)
    {
      IdgStep step = g_array_index (walk->steps, IdgStep, i);

      if (!add_step (walk, step.kind, step.arg, i == end - 1 ? taken : step.taken))
        return FALSE;
    }
  return TRUE;
}

static gboolean
walk_loop (Walk *walk, guint loop)
{
  const Plan *plan = &walk->plans[loop];
  guint header = idg_flow_get_loop (walk->flow, loop)->header;
  guint start = walk->steps->len;
  guint middle, end, next;
  guint64 rounds;
  gboolean has_rest, taken;

  if (!add_step (walk, IDG_STEP_REPEAT, 1, FALSE)
      || !walk_level (walk, header, loop, plan->once ? IDG_FLOW_NONE : plan->exit, &next))
    return FALSE;
  /* walk_level() stopped before the exit's block; continue through it from here. */
  if (next == plan->exit && next != IDG_FLOW_NONE && !plan->once)
    {
      if (!walk_block (walk, next, loop))
        return FALSE;
      middle = walk->steps->len;
      next = get_next (walk, next, loop);
      if (!ends_round (walk, next, loop) && !walk_level (walk, next, loop, IDG_FLOW_NONE, &next))
        return FALSE;
    }
  else
    middle = walk->steps->len;
  end = walk->steps->len;
  if (plan->once)
    return add_step (walk, IDG_STEP_END, 0, FALSE);
  has_rest = end > middle;
  taken = plan->exit != IDG_FLOW_NONE && walk->turns[plan->exit].taken;
  rounds = count_rounds (walk, loop, has_rest);
  g_array_index (walk->steps, IdgStep, start).arg = (guint)rounds;
  if (!has_rest && rounds == 1 && plan->exit != IDG_FLOW_NONE)
    g_array_index (walk->steps, IdgStep, end - 1).taken = !taken;
  return add_step (walk, IDG_STEP_END, 0, FALSE)
         && (!has_rest || leave_loop (walk, start + 1, middle, !taken));
}

/* Walks from block FROM on within LOOP, up to the end of the iteration or to JOIN. NEXT receives
 * the block that was not walked any more. */
static gboolean
walk_level (Walk *walk, guint from, guint loop, guint join, guint *next)
{
  const IdgFlow *flow = walk->flow;
  guint b = from;
  gboolean first = loop != IDG_FLOW_NONE && from == idg_flow_get_loop (flow, loop)->header;

  while (b != join && (first || !ends_round (walk, b, loop)))
    {
      guint around = idg_flow_get_block (flow, b)->loop;
      guint following;

      first = FALSE;
      if (around != loop)
        {
          guint child = idg_flow_get_child (flow, b, loop);

          if (idg_flow_get_loop (flow, child)->header != b)
            return fail_at (walk, b,
                            "a jump into the middle of a loop cannot be expressed as repeats");
          if (!walk_loop (walk, child))
            return FALSE;
        }
      else if (!walk_block (walk, b, loop))
        return FALSE;
      following = get_next (walk, b, loop);
      if (!ends_round (walk, following, loop)
          && idg_flow_get_block (flow, following)->order <= idg_flow_get_block (flow, b)->order)
        return fail_at (
            walk, b,
            "a jump back that makes no loop with one entry cannot be expressed as repeats");
      b = following;
    }
  *next = b;
  return TRUE;
}

/* Checks that MAX_JOIN_STEPS were enough for the plan. */
static gboolean
check_joins (const Walk *walk)
{
  return walk->join_steps > 0
         || idg_import_fail (walk->flow->code->file, 0, IDG_ERROR_VALUE, walk->error,
                             "%s has too many divergent branches whose sides meet far away; "
                             "decide some of them with --branch",
                             walk->flow->code->name);
}

GArray *
idg_walk (const IdgFlow *flow, const IdgDecisions *decisions, IdgImport *import, GError **error)
{
  Walk walk = { .flow = flow,
                .decisions = decisions,
                .import = import,
                .turns = g_new0 (Turn, flow->blocks->len),
                .plans = g_new0 (Plan, flow->loops->len + 1),
                .marks = g_new (guint, flow->blocks->len),
                .steps = g_array_new (FALSE, FALSE, sizeof (IdgStep)),
                .join_steps = MAX_JOIN_STEPS,
                .error = error };
  guint next;
  gboolean done;

  for (guint i = 0; i < flow->blocks->len; i++)
    walk.marks[i] = IDG_FLOW_NONE;
  make_plan (&walk);
  done = check_joins (&walk) && walk_level (&walk, 0, IDG_FLOW_NONE, IDG_FLOW_NONE, &next);
  g_free (walk.turns);
  g_free (walk.plans);
  g_free (walk.marks);
  if (!done)
    g_clear_pointer (&walk.steps, g_array_unref);
  return walk.steps;
}
