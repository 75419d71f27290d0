/* SPDX-License-Identifier: MIT */
/* Counts the iterations of loops with constant bounds by executing the instructions of an iteration
 * that the exit's predicate depends on, starting from the constants before the loop. This handles
 * any step and any comparison (i += 4, s >>= 1), wraps around as the machine does, and takes
 * milliseconds: loops with millions of iterations and bounds known to the compiler are too rare to
 * solve equations for them. */
#include "idg/import/flow/idg-values.h"

#include <stdlib.h>

#define MAX_SLICE 64 /* the most instructions and registers that decide an exit */

/* A place in an iteration: before instruction END of the block PATH[P]. */
typedef struct
{
  guint p, end;
} Place;

typedef struct
{
  guint n;
  guint registers[MAX_SLICE]; /* the registers that decide the exit */
  guint64 values[MAX_SLICE];
  gboolean known[MAX_SLICE]; /* whether its value is known */
  guint n_instrs;
  Place places[MAX_SLICE]; /* of the instructions to execute, in the order of an iteration; the
                            * branches are among them */
} Slice;

typedef struct
{
  const IdgFlow *flow;
  guint loop;
  guint exit;
  const GArray *path;
  guint64 size; /* how many instructions the loop has */
  const IdgFacts *facts;
  IdgObserved *observed;
  guint n_observed;
} Trips;

static guint64
count_instrs (const IdgFlow *flow, guint loop)
{
  const IdgLoop *l = idg_flow_get_loop (flow, loop);
  guint64 n = 0;

  for (guint i = 0; i < l->n_members; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, flow->members[l->first_member + i]);

      n += block->last - block->first + 1;
    }
  return n;
}

/* ---- What decides the exit ---- */

static gint
find_register (const Slice *slice, guint reg)
{
  for (guint i = 0; i < slice->n; i++)
    if (slice->registers[i] == reg)
      return (gint)i;
  return -1;
}

static gboolean
add_register (Slice *slice, guint reg)
{
  if (reg >= IDG_SPECIAL_TID_X || find_register (slice, reg) >= 0)
    return TRUE;
  if (slice->n == MAX_SLICE)
    return FALSE;
  slice->registers[slice->n++] = reg;
  return TRUE;
}

/* Moves PLACE to the nearest instruction before it that writes REG, but not before P is FIRST.
 * Returns FALSE if there is none. */
static gboolean
find_writer (const Trips *trips, Place *place, guint first, guint reg)
{
  const IdgFlow *flow = trips->flow;

  for (guint p = place->p + 1; p-- > first;)
    {
      guint b = g_array_index (trips->path, guint, p);
      const IdgBlock *block = idg_flow_get_block (flow, b);
      guint end = p == place->p ? place->end : block->last + 1;

      for (guint i = end; flow->trips->on_path[b] && i-- > block->first;)
        if (idg_value_is_written (flow->code, idg_code_get (flow->code, i), reg))
          {
            *place = (Place){ p, i };
            return TRUE;
          }
    }
  return FALSE;
}

/* Moves PLACE to the instruction that writes the value of REG that is read there, in the same
 * iteration or the previous one; if no instruction of an iteration does, sets its END to
 * IDG_FLOW_NONE. Returns FALSE if an instruction beside the path may have changed the value on its
 * way from another block, or if that would take too long to find out. */
static gboolean
find_source (const Trips *trips, Place *place, guint reg)
{
  Place last = { trips->path->len - 1, 0 };

  if (!idg_value_may_look (trips->flow, trips->size + trips->path->len))
    return FALSE;
  if (find_writer (trips, place, place->p, reg))
    return TRUE;
  if (idg_value_is_written_in (trips->flow, trips->loop, reg, TRUE)
      || !idg_value_may_look (trips->flow, 2 * (trips->size + trips->path->len)))
    return FALSE;
  if (find_writer (trips, place, 0, reg))
    return TRUE;
  last.end = idg_flow_get_block (trips->flow, g_array_index (trips->path, guint, last.p))->last + 1;
  if (!find_writer (trips, &last, 0, reg))
    last.end = IDG_FLOW_NONE;
  *place = last;
  return TRUE;
}

static gboolean
add_instr (Slice *slice, const Place *place)
{
  for (guint i = 0; i < slice->n_instrs; i++)
    if (slice->places[i].end == place->end)
      return TRUE;
  if (slice->n_instrs == MAX_SLICE)
    return FALSE;
  slice->places[slice->n_instrs++] = *place;
  return TRUE;
}

/* Adds the instruction that writes the value of REG at PLACE. */
static gboolean
add_source (const Trips *trips, Slice *slice, Place place, guint reg)
{
  guint64 value;

  if (reg >= IDG_SPECIAL_TID_X)
    return TRUE;
  if (!add_register (slice, reg) || !find_source (trips, &place, reg))
    return FALSE;
  if (place.end == IDG_FLOW_NONE)
    return TRUE;
  return (idg_facts_get_assumed (trips->facts, place.end, &value)
          || idg_value_get_meaning (trips->flow->code, idg_code_get (trips->flow->code, place.end),
                                    reg)
                 != NULL)
         && add_instr (slice, &place);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *left = a, *right = b;

  if (left->p != right->p)
    return left->p < right->p ? -1 : 1;
  return left->end < right->end ? -1 : left->end > right->end;
}

/* Adds what decides the branch at the end of BLOCK, and that branch. */
static gboolean
add_branch (const Trips *trips, Slice *slice, guint block)
{
  const IdgCode *code = trips->flow->code;
  Place branch = { 0, idg_flow_get_block (trips->flow, block)->last };
  guint guard = idg_code_get (code, branch.end)->guard;
  guint i = slice->n_instrs;
  guint64 value;

  while (branch.p < trips->path->len && g_array_index (trips->path, guint, branch.p) != block)
    branch.p++;
  if (branch.p == trips->path->len || guard >= IDG_SPECIAL_TID_X
      || !add_source (trips, slice, branch, guard))
    return FALSE;
  for (; i < slice->n_instrs; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, slice->places[i].end);
      const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, instr->meaning);

      if (!idg_facts_get_assumed (trips->facts, slice->places[i].end, &value)
          && (!add_source (trips, slice, slice->places[i], meaning->a.reg)
              || !add_source (trips, slice, slice->places[i], meaning->b.reg)
              || !add_source (trips, slice, slice->places[i], meaning->c.reg)))
        return FALSE;
    }
  return add_instr (slice, &branch);
}

/* Adds what decides the observed branches. An instruction that only one side of another branch has
 * would be executed in rounds that do not have it: what depends on such a one stays unknown. */
static void
add_observed (const Trips *trips, Slice *slice)
{
  guint last = g_array_index (trips->path, guint, trips->path->len - 1);

  for (guint i = 0; i < trips->n_observed; i++)
    {
      Slice before = *slice;

      trips->observed[i].known = add_branch (trips, slice, trips->observed[i].block);
      for (guint j = 0; trips->observed[i].known && j < slice->n_instrs; j++)
        {
          guint block = trips->flow->block_of[slice->places[j].end];

          trips->observed[i].known = idg_flow_is_dominated (trips->flow, trips->exit, block)
                                     || idg_flow_is_dominated (trips->flow, last, block);
        }
      if (!trips->observed[i].known)
        *slice = before;
    }
}

/* Collects the slice backwards from the predicates. It does not matter if a register is written
 * several times in an iteration, as compilers reuse them: only the writes that a value comes from
 * are executed. */
static gboolean
make_slice (const Trips *trips, Slice *slice)
{
  const IdgFlow *flow = trips->flow;

  if (!add_branch (trips, slice, trips->exit))
    return FALSE;
  add_observed (trips, slice);
  for (guint i = 0; i < slice->n; i++)
    slice->known[i] = idg_value_find_before (flow, trips->facts, trips->loop, slice->registers[i],
                                             &slice->values[i]);
  qsort (slice->places, slice->n_instrs, sizeof *slice->places, compare_places);
  return TRUE;
}

/* ---- Rounds ---- */

static gboolean
get_operand (const Trips *trips, const Slice *slice, const IdgOperand *operand, guint64 *value)
{
  gint i;

  *value = (guint64)operand->value;
  if (operand->reg == IDG_NO_REGISTER)
    return TRUE;
  if (operand->reg >= IDG_SPECIAL_TID_X)
    return idg_value_get_special (trips->flow, trips->facts, operand->reg, value);
  i = find_register (slice, operand->reg);
  *value += i >= 0 ? slice->values[i] : 0;
  return i < 0 || slice->known[i];
}

/* Executes instruction AT. A value that is not known makes its result unknown. */
static void
run_instr (const Trips *trips, Slice *slice, guint at)
{
  const IdgCode *code = trips->flow->code;
  const IdgCodeInstr *instr = idg_code_get (code, at);
  const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, instr->meaning);
  gint result;
  guint64 a, b, c;

  if (idg_facts_get_assumed (trips->facts, at, &a))
    {
      for (guint i = 0; i < instr->n_writes; i++)
        if ((result = find_register (
                 slice, g_array_index (code->registers, guint, instr->first_write + i)))
            >= 0)
          {
            slice->values[result] = a;
            slice->known[result] = TRUE;
          }
      return;
    }
  result = find_register (slice, meaning->result);
  slice->known[result] = get_operand (trips, slice, &meaning->a, &a)
                         && get_operand (trips, slice, &meaning->b, &b)
                         && get_operand (trips, slice, &meaning->c, &c);
  if (slice->known[result])
    slice->values[result] = idg_value_compute (meaning, a, b, c);
}

/* Tells whether BRANCH is taken with its guard as it is now. Returns FALSE if that is not known. */
static gboolean
get_taken (const Slice *slice, const IdgCodeInstr *branch, gboolean *taken)
{
  gint guard = find_register (slice, branch->guard);

  *taken = (slice->values[guard] != 0) != branch->guard_negated;
  return slice->known[guard];
}

/* Notes how the branch at AT goes in this round, if it is an observed one. */
static void
observe (const Trips *trips, const Slice *slice, guint at)
{
  for (guint i = 0; i < trips->n_observed; i++)
    {
      IdgObserved *observed = &trips->observed[i];
      gboolean taken;

      if (!observed->known || idg_flow_get_block (trips->flow, observed->block)->last != at)
        continue;
      observed->known = get_taken (slice, idg_code_get (trips->flow->code, at), &taken);
      if (observed->taken != NULL)
        {
          guint8 as_byte = taken;

          g_array_append_val (observed->taken, as_byte);
        }
    }
}

/* Executes SLICE until the exit's branch leaves. Returns how often that branch was reached. A loop
 * that does not end takes half of what is left for the listing, once. */
static guint64
count_rounds (const Trips *trips, Slice *slice)
{
  const IdgFlow *flow = trips->flow;
  const IdgBlock *exit = idg_flow_get_block (flow, trips->exit);
  gboolean plain = trips->facts->assumed == IDG_FLOW_NONE;
  guint64 left = trips->facts->most_runs > 0 ? MIN (trips->facts->most_runs, flow->trips->runs)
                                             : flow->trips->runs / 2;

  if (plain && flow->trips->endless[trips->loop])
    return 0;

  for (guint64 rounds = 1;; rounds++)
    for (guint i = 0; i < slice->n_instrs; i++)
      {
        guint at = slice->places[i].end;
        gboolean taken;

        if (left == 0)
          {
            flow->trips->endless[trips->loop] |= plain;
            return 0;
          }
        flow->trips->runs--;
        left--;
        if (at == exit->last)
          {
            if (!get_taken (slice, idg_code_get (flow->code, at), &taken))
              return 0;
            if (!idg_flow_is_in (flow, idg_flow_get_next (flow, exit, taken ? 0 : exit->n_next - 1),
                                 trips->loop))
              return rounds;
          }
        else if (idg_code_get (flow->code, at)->kind == IDG_CODE_OP)
          run_instr (trips, slice, at);
        else
          observe (trips, slice, at);
      }
}

/* Marks or unmarks the blocks of PATH that are in LOOP and in no inner loop. */
static void
mark_path (const IdgFlow *flow, guint loop, const GArray *path, gboolean on)
{
  for (guint i = 0; i < path->len; i++)
    {
      guint b = g_array_index (path, guint, i);

      flow->trips->on_path[b] = on && idg_flow_get_block (flow, b)->loop == loop;
    }
}

guint64
idg_flow_count_trips (const IdgFlow *flow, const IdgFacts *facts, guint loop, guint exit,
                      const GArray *path, IdgObserved *observed, guint n)
{
  Trips trips = { flow, loop, exit, path, count_instrs (flow, loop), facts, observed, n };
  Slice slice = { 0 };
  guint64 rounds;

  flow->trips->touched = 0;
  mark_path (flow, loop, path, TRUE);
  rounds = make_slice (&trips, &slice) ? count_rounds (&trips, &slice) : 0;
  mark_path (flow, loop, path, FALSE);
  if (rounds > 0)
    flow->trips->used |= flow->trips->touched;
  return rounds;
}
