/* SPDX-License-Identifier: MIT */
/* Walks along the plan (idg-plan.h), and writes steps and notes for the blocks that it really
 * passes.
 *
 * A loop is left by one branch, the one that its count refers to: the last branch of an iteration,
 * if that may leave, else the first that may. What comes after it in the iteration runs one time
 * less than what comes before it:
 *
 *   while form:  header, leave?, body          repeat N { header, body } header
 *   do form:     body, leave?                  repeat N { body }
 *
 * Where branches in a loop go different ways from round to round, each group of rounds in which
 * they go the same ways is a repeat of its own. */
#include "idg/import/flow/idg-walk.h"

#include "idg/import/base/idg-notes.h"
#include "idg/import/flow/idg-places.h"

#include <string.h>

typedef struct
{
  const IdgFlow *flow;
  const IdgDecisions *decisions;
  IdgOutcome *outcome;
  IdgImport *import;
  IdgPlan *plan;
  IdgPlaceCounts counts;
  GArray *steps;
  guint sides;
  GError **error;
} Walk;

static const IdgCodeInstr *
get_last (const Walk *walk, guint block)
{
  return idg_code_get (walk->flow->code, idg_flow_get_block (walk->flow, block)->last);
}

static guint
get_first (const Walk *walk, guint loop)
{
  return idg_flow_get_block (walk->flow, idg_flow_get_loop (walk->flow, loop)->header)->first;
}

/* ---- Notes ---- */

static gchar *
name_source (const gchar *source)
{
  return source != NULL ? g_strdup_printf (" (%s)", source) : g_strdup ("");
}

/* Returns why the branch goes where it goes, as the end of "assumed taken". */
static const gchar *
get_reason (const IdgTurn *turn)
{
  switch (turn->why)
    {
    case IDG_WHY_STAYS:
      return ", so that the loop goes on";
    case IDG_WHY_ENTERS:
      return ", so that the loop ahead is entered";
    case IDG_WHY_WORKS:
      return ", so that nothing is skipped";
    case IDG_WHY_CODE:
    case IDG_WHY_CONSTANT:
    case IDG_WHY_THREAD:
    case IDG_WHY_NAMED:
    case IDG_WHY_ALL:
    case IDG_WHY_BELOW:
    default:
      return "";
    }
}

static gboolean
is_noted (const Walk *walk, const IdgTurn *turn)
{
  return turn->why >= IDG_WHY_STAYS && !turn->agrees && !turn->is_said
         && !(turn->leaves && walk->decisions->breaks_hint);
}

/* Lists the blocks that end with copies of the branch at the end of B about which the same is
 * assumed. */
static GArray *
find_copies (const Walk *walk, guint b)
{
  const IdgFlow *flow = walk->flow;
  const guint *copies = walk->outcome->copies;
  const IdgTurn *turn = &walk->plan->turns[b];
  guint copy = copies[idg_flow_get_block (flow, b)->last];
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < flow->blocks->len; i++)
    {
      const IdgTurn *other = &walk->plan->turns[i];

      if (copies[idg_flow_get_block (flow, i)->last] == copy && other->taken == turn->taken
          && other->why == turn->why && other->differs == turn->differs && is_noted (walk, other))
        g_array_append_val (found, i);
    }
  return found;
}

/* Returns "L__BB0_3, L__BB0_6, ..." */
static gchar *
list_targets (const Walk *walk, const GArray *blocks)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < blocks->len && i < 3; i++)
    {
      g_autofree gchar *target = idg_place_name_target (
          walk->flow->code, get_last (walk, g_array_index (blocks, guint, i)), 0);

      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", target);
    }
  if (blocks->len > 3)
    g_string_append (list, ", ...");
  return g_string_free (list, FALSE);
}

/* Notes once what is assumed of all copies of the branch at the end of B. Returns FALSE if it has
 * none. */
static gboolean
note_copies (const Walk *walk, guint b)
{
  const IdgTurn *turn = &walk->plan->turns[b];
  const IdgOutcome *outcome = walk->outcome;
  guint last = idg_flow_get_block (walk->flow, b)->last;
  const gchar *source = idg_place_get_source (idg_code_get (walk->flow->code, last));
  gchar *key
      = g_strdup_printf ("%u %d%d%d", outcome->copies[last], turn->why, turn->taken, turn->differs);
  g_autoptr (GArray) copies = NULL;
  g_autofree gchar *targets = NULL;
  gboolean is_only;

  if (source == NULL || g_hash_table_contains (outcome->noted, key))
    {
      g_free (key);
      return source != NULL;
    }
  copies = find_copies (walk, b);
  if (copies->len < 2)
    {
      g_free (key);
      return FALSE;
    }
  g_hash_table_add (outcome->noted, key);
  is_only = idg_place_is_only (walk->flow, outcome->copies, last);
  targets = list_targets (walk, copies);
  idg_import_note (
      walk->import, walk->flow->code->file, 0,
      "%s: a branch in %u copies%s%s%s: assumed %s%s%s; --branch %s=taken, not or both "
      "decides %s",
      source, copies->len, is_only ? "" : " (to ", is_only ? "" : targets, is_only ? "" : ")",
      turn->taken ? "taken" : "not taken", get_reason (turn),
      turn->differs ? " (--branch all is not for it)" : "", is_only ? source : "LABEL",
      is_only ? "it" : "each");
  return TRUE;
}

static void
note_branch (const Walk *walk, guint b)
{
  const IdgTurn *turn = &walk->plan->turns[b];
  const IdgCodeInstr *last = get_last (walk, b);
  g_autofree gchar *source = name_source (idg_place_get_source (last));
  g_autofree gchar *target = idg_place_name_target (walk->flow->code, last, 0);
  g_autofree gchar *handle = NULL;

  walk->outcome->used_all_branches |= turn->leaves && walk->decisions->breaks_hint;
  if (!is_noted (walk, turn) || note_copies (walk, b))
    return;
  if (last->n_targets > 1)
    {
      idg_import_note (walk->import, walk->flow->code->file, last->line,
                       "indexed branch%s: assumed to go to %s; --branch LABEL=taken chooses "
                       "another of its labels",
                       source, target);
      return;
    }
  handle
      = idg_place_name_branch (walk->flow, &walk->counts, idg_flow_get_block (walk->flow, b)->last);
  idg_import_note (walk->import, walk->flow->code->file, last->line,
                   "branch to %s%s: assumed %s%s%s; --branch %s=taken, not or both decides it",
                   last->n_targets > 0 ? target : "the end", source,
                   turn->taken ? "taken" : "not taken", get_reason (turn),
                   turn->differs ? " (--branch all is not for it)" : "", handle);
}

/* LOOP, as hints name it, was assumed to run once. */
static void
add_assumed (const Walk *walk, const gchar *loop)
{
  if (g_hash_table_add (walk->outcome->noted, g_strconcat ("assumed loop ", loop, NULL)))
    g_ptr_array_add (walk->outcome->assumed, g_strdup (loop));
}

/* As idg_place_are_copies(), but looks at each line of the source once. */
static gboolean
are_copies (const Walk *walk, guint loop, guint *n)
{
  const gchar *source = idg_place_get_loop_source (walk->flow, loop);
  GHashTable *noted = walk->outcome->noted;
  gpointer known;
  gchar *key;

  if (source == NULL)
    return FALSE;
  key = g_strdup_printf ("loops of %s", source);
  if (g_hash_table_lookup_extended (noted, key, NULL, &known))
    {
      g_free (key);
      *n = GPOINTER_TO_UINT (known);
      return *n > 0;
    }
  if (!idg_place_are_copies (walk->flow, loop, n))
    *n = 0;
  g_hash_table_insert (noted, key, GUINT_TO_POINTER (*n));
  return *n > 0;
}

/* Notes TEXT once for all copies of LOOP, which are the N loops on its line of the source. */
static void
note_loop_copies (const Walk *walk, guint loop, guint n, const gchar *text)
{
  idg_import_note (walk->import, walk->flow->code->file, 0, "%s: a loop in %u copies: %s",
                   idg_place_get_loop_source (walk->flow, loop), n, text);
}

static void
note_unrolled_copies (const Walk *walk, const IdgUnrolled *u, guint n, const gchar *rest)
{
  const gchar *source = idg_place_get_loop_source (walk->flow, u->loop);
  g_autofree gchar *text = NULL;

  if (u->is_said)
    text = g_strdup_printf (
        "unrolled by %u: %" G_GINT64_FORMAT " rounds of the source are %" G_GINT64_FORMAT
        " of it and %" G_GINT64_FORMAT " of its remainder (%s)",
        u->copies, u->rounds, u->rounds / u->copies, u->rounds % u->copies, rest);
  else
    text = g_strdup_printf ("unrolled by %u: assumed to run once, %" G_GINT64_FORMAT
                            " rounds of the source, and its remainder (%s) not at all; --trip %s=N "
                            "sets the rounds of the source",
                            u->copies, u->rounds, rest, source);
  note_loop_copies (walk, u->loop, n, text);
  if (!u->is_said)
    add_assumed (walk, source);
}

/* Notes how the rounds of the source are divided between an unrolled loop and its remainder. */
static void
note_unrolled (const Walk *walk, const IdgUnrolled *u)
{
  const IdgCode *code = walk->flow->code;
  g_autofree gchar *source = name_source (idg_place_get_loop_source (walk->flow, u->loop));
  g_autofree gchar *name = idg_place_name_loop (walk->flow, u->loop);
  g_autofree gchar *best = idg_place_name_loop_best (walk->flow, &walk->counts, u->loop,
                                                     u->rest != IDG_FLOW_NONE ? 2 : 1);
  g_autofree gchar *loop
      = u->rest != IDG_FLOW_NONE ? idg_place_name_loop (walk->flow, u->rest) : NULL;
  g_autofree gchar *rest
      = loop != NULL ? g_strdup_printf ("with the loop %s", loop) : g_strdup ("straight-line code");
  g_autofree gchar *option
      = strcmp (best, name) != 0
            ? g_strdup_printf ("--trip %s=N sets the rounds of the source", best)
            : g_strdup_printf ("--trip %s=N sets its rounds, %u of the source each", name,
                               u->copies);
  guint n_copies;

  if (u->rest == IDG_FLOW_NONE && are_copies (walk, u->loop, &n_copies))
    note_unrolled_copies (walk, u, n_copies, rest);
  else if (u->is_said)
    idg_import_note (
        walk->import, code->file, idg_code_get (code, get_first (walk, u->loop))->line,
        "loop %s%s: unrolled by %u: %" G_GINT64_FORMAT " rounds of the source are %" G_GINT64_FORMAT
        " of it and %" G_GINT64_FORMAT " of its remainder (%s)",
        name, source, u->copies, u->rounds, u->rounds / u->copies, u->rounds % u->copies, rest);
  else
    {
      idg_import_note (walk->import, code->file,
                       idg_code_get (code, get_first (walk, u->loop))->line,
                       "loop %s%s: unrolled by %u: assumed to run once, %" G_GINT64_FORMAT
                       " rounds of the source, and its remainder (%s) not at all; %s",
                       name, source, u->copies, u->rounds, rest, option);
      add_assumed (walk, best);
    }
}

/* Returns the iterations of LOOP: how often its exit is reached, minus the last, partial iteration
 * in a `while`. */
static guint64
count_rounds (const Walk *walk, guint loop, gboolean is_while)
{
  const IdgLoopPlan *plan = &walk->plan->loops[loop];
  const IdgCode *code = walk->flow->code;
  guint first = get_first (walk, loop);
  gint64 hint = walk->decisions->trips[first];
  g_autofree gchar *name = NULL;
  g_autofree gchar *best = NULL;
  g_autofree gchar *source = NULL;
  guint n_copies;

  if (hint == IDG_TRIPS_UNKNOWN && plan->unrolled == 0)
    hint = walk->decisions->source_trips[first];
  if (hint != IDG_TRIPS_UNKNOWN || plan->unrolled > 0)
    walk->outcome->uses[first] |= IDG_USE_TRIPS;
  if (hint == IDG_TRIPS_UNKNOWN && plan->found > 0)
    return plan->found - (is_while ? 1 : 0);
  name = idg_place_name_loop (walk->flow, loop);
  source = name_source (idg_place_get_loop_source (walk->flow, loop));
  if (hint == IDG_TRIPS_UNKNOWN && plan->unrolled > 0)
    return (guint64)idg_plan_get_share (walk->plan, loop);
  if (plan->found > 0 && (guint64)hint + (is_while ? 1 : 0) != plan->found && plan->unrolled == 0
      && !plan->by_thread)
    idg_import_note (walk->import, code->file, idg_code_get (code, first)->line,
                     "loop %s%s: runs %" G_GINT64_FORMAT " times, as --trip says; constants of "
                     "the code make it %" G_GUINT64_FORMAT,
                     name, source, hint, plan->found - (is_while ? 1 : 0));
  if (hint != IDG_TRIPS_UNKNOWN)
    return (guint64)hint;
  if (walk->decisions->other_trips != IDG_TRIPS_UNKNOWN)
    {
      walk->outcome->used_all_trips = TRUE;
      return (guint64)walk->decisions->other_trips;
    }
  if (are_copies (walk, loop, &n_copies) && !idg_place_has_copies (walk->flow, loop))
    {
      g_autofree gchar *text = g_strdup_printf ("assumed to run once; --trip %s=N sets its count",
                                                idg_place_get_loop_source (walk->flow, loop));

      note_loop_copies (walk, loop, n_copies, text);
      add_assumed (walk, idg_place_get_loop_source (walk->flow, loop));
      return 1;
    }
  best = idg_place_has_copies (walk->flow, loop)
             ? g_strdup (name)
             : idg_place_name_loop_best (walk->flow, &walk->counts, loop, 1);
  idg_import_note (walk->import, code->file, idg_code_get (code, first)->line,
                   "loop %s%s: assumed to run once; --trip %s=N sets its count", name, source,
                   best);
  add_assumed (walk, best);
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
  const IdgTurn *turn = &walk->plan->turns[b];
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
  const IdgTurn *turn = &walk->plan->turns[b];

  walk->outcome->walked[b] = TRUE;
  walk->outcome->whys[b] = (guint8)turn->why;
  for (guint i = block->first; i <= block->last; i++)
    if (!add_step (walk, IDG_STEP_INSTR, i, i == block->last && turn->taken))
      return FALSE;
  if (loop == IDG_FLOW_NONE || walk->plan->loops[loop].exit != b || walk->plan->loops[loop].once)
    note_branch (walk, b);
  return turn->kind != IDG_TURN_FORK || walk_fork (walk, b, loop);
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

/* Walks one iteration of LOOP. MIDDLE receives the step after the exit's branch. */
static gboolean
walk_round (Walk *walk, guint loop, guint *middle)
{
  const IdgLoopPlan *plan = &walk->plan->loops[loop];
  guint header = idg_flow_get_loop (walk->flow, loop)->header;
  guint next;

  if (!walk_level (walk, header, loop, plan->once ? IDG_FLOW_NONE : plan->exit, &next))
    return FALSE;
  *middle = walk->steps->len;
  /* walk_level() stopped before the exit's block; continue through it from here. */
  if (next != plan->exit || next == IDG_FLOW_NONE || plan->once)
    return TRUE;
  if (!walk_block (walk, next, loop))
    return FALSE;
  *middle = walk->steps->len;
  next = idg_plan_get_next (walk->plan, next, loop);
  return idg_plan_ends_round (walk->plan, next, loop)
         || walk_level (walk, next, loop, IDG_FLOW_NONE, &next);
}

/* Makes the round that begins after step START, and that was to be repeated, the only one: it ends
 * at MIDDLE, with the exit's branch now taken, or not. */
static gboolean
end_round (Walk *walk, guint start, guint middle, gboolean taken)
{
  g_array_set_size (walk->steps, middle);
  g_array_index (walk->steps, IdgStep, middle - 1).taken = taken;
  g_array_remove_index (walk->steps, start);
  return TRUE;
}

/* Walks the rounds of LOOP group by group. */
static gboolean
walk_segments (Walk *walk, guint loop)
{
  const IdgLoopPlan *plan = &walk->plan->loops[loop];
  gboolean stays = walk->plan->turns[plan->exit].taken;

  for (guint i = 0; i < plan->segments->len; i++)
    {
      IdgRounds segment = g_array_index (plan->segments, IdgRounds, i);
      guint start = walk->steps->len;
      gboolean last = i + 1 == plan->segments->len;
      gboolean has_rest;
      guint middle;

      idg_plan_choose_segment (walk->plan, loop, &segment);
      if (!add_step (walk, IDG_STEP_REPEAT, (guint)segment.rounds, FALSE)
          || !walk_round (walk, loop, &middle))
        return FALSE;
      has_rest = last && walk->steps->len > middle; /* the last round is without its jump */
      if (has_rest && segment.rounds == 1)
        return end_round (walk, start, middle, !stays);
      if (has_rest)
        g_array_index (walk->steps, IdgStep, start).arg--;
      else if (last && segment.rounds == 1)
        g_array_index (walk->steps, IdgStep, walk->steps->len - 1).taken = !stays;
      if (!add_step (walk, IDG_STEP_END, 0, FALSE)
          || (has_rest && !leave_loop (walk, start + 1, middle, !stays)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
walk_loop (Walk *walk, guint loop)
{
  const IdgLoopPlan *plan = &walk->plan->loops[loop];
  guint start = walk->steps->len;
  guint middle, end;
  guint64 rounds;
  gboolean has_rest, taken;

  if (plan->segments != NULL && !plan->once)
    return walk_segments (walk, loop);
  if (!add_step (walk, IDG_STEP_REPEAT, 1, FALSE) || !walk_round (walk, loop, &middle))
    return FALSE;
  end = walk->steps->len;
  if (plan->once)
    return add_step (walk, IDG_STEP_END, 0, FALSE);
  has_rest = end > middle;
  taken = plan->exit != IDG_FLOW_NONE && walk->plan->turns[plan->exit].taken;
  rounds = count_rounds (walk, loop, has_rest && !plan->whole);
  if (has_rest && plan->whole && rounds > 0)
    {
      rounds--; /* the last one is without the jump */
      if (rounds == 0)
        return end_round (walk, start, middle, !taken);
    }
  else if (plan->whole)
    has_rest = FALSE;
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

  while (b != join && (first || !idg_plan_ends_round (walk->plan, b, loop)))
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
      following = idg_plan_get_next (walk->plan, b, loop);
      if (!idg_plan_ends_round (walk->plan, following, loop)
          && idg_flow_get_block (flow, following)->order <= idg_flow_get_block (flow, b)->order)
        return fail_at (
            walk, b,
            "a jump back that makes no loop with one entry cannot be expressed as repeats");
      b = following;
    }
  *next = b;
  return TRUE;
}

/* Checks that there were enough steps to find where the sides of branches meet. */
static gboolean
check_joins (const Walk *walk)
{
  return idg_plan_has_joins (walk->plan)
         || idg_import_fail (walk->flow->code->file, 0, IDG_ERROR_VALUE, walk->error,
                             "%s has too many divergent branches whose sides meet far away; "
                             "decide some of them with --branch",
                             walk->flow->code->name);
}

/* Notes the unrolled loops that the walk has come by. */
static void
note_all_unrolled (Walk *walk)
{
  for (guint i = 0; i < walk->outcome->unrolled->len; i++)
    {
      const IdgUnrolled *u = &g_array_index (walk->outcome->unrolled, IdgUnrolled, i);
      const guint8 *walked = walk->outcome->walked;

      if (!walked[idg_flow_get_loop (walk->flow, u->loop)->header]
          && (u->rest == IDG_FLOW_NONE || !walked[idg_flow_get_loop (walk->flow, u->rest)->header])
          && !(u->is_said && u->rest == IDG_FLOW_NONE))
        continue;
      note_unrolled (walk, u);
      walk->outcome->used_all_trips |= u->by_all;
      walk->outcome->uses[get_first (walk, u->loop)] |= IDG_USE_TRIPS;
      if (u->rest != IDG_FLOW_NONE)
        walk->outcome->uses[get_first (walk, u->rest)] |= IDG_USE_TRIPS;
    }
}

GArray *
idg_walk (const IdgFlow *flow, const IdgDecisions *decisions, IdgOutcome *outcome,
          IdgImport *import, GError **error)
{
  Walk walk = { .flow = flow,
                .decisions = decisions,
                .outcome = outcome,
                .import = import,
                .plan = idg_plan_new (flow, decisions, outcome),
                .steps = g_array_new (FALSE, FALSE, sizeof (IdgStep)),
                .error = error };
  guint next;
  gboolean done;

  idg_place_counts_init (&walk.counts, flow);
  done = check_joins (&walk) && walk_level (&walk, 0, IDG_FLOW_NONE, IDG_FLOW_NONE, &next);
  if (done)
    note_all_unrolled (&walk);
  idg_plan_free (walk.plan);
  idg_place_counts_clear (&walk.counts);
  if (!done)
    g_clear_pointer (&walk.steps, g_array_unref);
  return walk.steps;
}
