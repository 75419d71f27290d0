/* SPDX-License-Identifier: MIT */
/* Counts the iterations of loops with constant bounds by executing the instructions of an iteration
 * that the exit's predicate depends on, starting from the constants before the loop. This handles
 * any step and any comparison (i += 4, s >>= 1), wraps around as the machine does, and takes
 * milliseconds: loops with millions of iterations and bounds known to the compiler are too rare to
 * solve equations for them. */
#include "idg/import/flow/idg-flow.h"

#include <stdlib.h>

#define MAX_SLICE 64      /* the most instructions and registers that decide an exit */
#define MAX_CONSTANT 16   /* the most instructions that compute a constant */
#define MAX_SEARCH 100000 /* the most instructions examined for constants, in one loop */

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
                            * exit's branch is one of them */
} Slice;

typedef struct
{
  const IdgFlow *flow;
  guint loop;
  guint exit;
  const GArray *path;
  guint64 size; /* how many instructions the loop has */
  guint left;   /* what is left of MAX_SEARCH */
} Trips;

/* ---- Arithmetic ---- */

static guint64
narrow (guint64 value, const IdgMeaning *meaning)
{
  guint spare = 64 - meaning->bits;

  return meaning->is_signed ? (guint64)((gint64)(value << spare) >> spare)
                            : value << spare >> spare;
}

static gboolean
is_less (guint64 a, guint64 b, const IdgMeaning *meaning)
{
  return meaning->is_signed ? (gint64)a < (gint64)b : a < b;
}

static guint64
shift_right (guint64 a, guint64 b, const IdgMeaning *meaning)
{
  b = MIN (b, 63);
  return meaning->is_signed ? (guint64)((gint64)a >> b) : a >> b;
}

static guint64
compute (const IdgMeaning *meaning, guint64 a, guint64 b, guint64 c)
{
  guint64 amount = b & 0xffffffff;

  a = narrow (a, meaning);
  b = narrow (b, meaning);
  switch (meaning->math)
    {
    case IDG_MATH_MOVE:
      return a;
    case IDG_MATH_ADD:
      return narrow (a + b + c, meaning);
    case IDG_MATH_SUB:
      return narrow (a - b, meaning);
    case IDG_MATH_MUL:
      return narrow (a * b + c, meaning);
    case IDG_MATH_SHL:
      return amount < meaning->bits ? narrow (a << amount, meaning) : 0;
    case IDG_MATH_SHR:
      return shift_right (a, amount, meaning);
    case IDG_MATH_AND:
      return a & b;
    case IDG_MATH_LT:
      return is_less (a, b, meaning);
    case IDG_MATH_LE:
      return !is_less (b, a, meaning);
    case IDG_MATH_GT:
      return is_less (b, a, meaning);
    case IDG_MATH_GE:
      return !is_less (a, b, meaning);
    case IDG_MATH_EQ:
      return a == b;
    case IDG_MATH_NE:
      return a != b;
    case IDG_MATH_NONE:
    default:
      g_assert_not_reached ();
    }
}

/* ---- Constants before the loop ---- */

static gboolean
writes (const IdgCode *code, const IdgCodeInstr *instr, guint reg)
{
  for (guint i = 0; i < instr->n_writes; i++)
    if (g_array_index (code->registers, guint, instr->first_write + i) == reg)
      return TRUE;
  return FALSE;
}

/* Returns what INSTR writes to REG, or NULL if that is not known. */
static const IdgMeaning *
get_meaning (const IdgCode *code, const IdgCodeInstr *instr, guint reg)
{
  const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, instr->meaning);

  return instr->meaning > 0 && !instr->has_guard && meaning->result == reg ? meaning : NULL;
}

/* Charges the examination of N more instructions to the limit for this listing. Returns FALSE above
 * it. */
static gboolean
may_look (const Trips *trips, guint64 n)
{
  guint64 *left = &trips->flow->trips->looks;

  if (*left < n)
    return FALSE;
  *left -= n;
  return TRUE;
}

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

/* Tells whether REG is written in LOOP, or whether that would take too long to find out. With
 * BESIDE, only writes beside the path count, in a side of a branch or an inner loop. */
static gboolean
is_written_in (const Trips *trips, guint loop, guint reg, gboolean beside)
{
  const IdgFlow *flow = trips->flow;
  const IdgLoop *l = idg_flow_get_loop (flow, loop);

  for (guint i = 0; i < l->n_members; i++)
    {
      guint b = flow->members[l->first_member + i];
      const IdgBlock *block = idg_flow_get_block (flow, b);

      if (!may_look (trips, 1))
        return TRUE;
      if (beside && flow->trips->on_path[b])
        continue;
      if (!may_look (trips, block->last - block->first + 1))
        return TRUE;
      for (guint j = block->first; j <= block->last; j++)
        if (writes (flow->code, idg_code_get (flow->code, j), reg))
          return TRUE;
    }
  return FALSE;
}

/* Returns the only block that leads to B (if B heads a loop: from outside of it), or IDG_FLOW_NONE.
 */
static guint
get_one_before (const Trips *trips, guint b)
{
  const IdgFlow *flow = trips->flow;
  guint loop = idg_flow_get_block (flow, b)->loop;
  guint found = IDG_FLOW_NONE;

  if (loop != IDG_FLOW_NONE && idg_flow_get_loop (flow, loop)->header != b)
    loop = IDG_FLOW_NONE;
  for (guint i = flow->from_start[b]; i < flow->from_start[b + 1]; i++)
    {
      guint other = flow->from[i];

      if (!may_look (trips, 1))
        return IDG_FLOW_NONE;
      if (other == found || (loop != IDG_FLOW_NONE && idg_flow_is_in (flow, other, loop)))
        continue;
      if (found != IDG_FLOW_NONE)
        return IDG_FLOW_NONE;
      found = other;
    }
  return found;
}

static gboolean find_constant (Trips *trips, guint b, guint end, guint reg, guint depth,
                               guint64 *value);

static gboolean
find_operand (Trips *trips, guint b, guint end, const IdgOperand *operand, guint depth,
              guint64 *value)
{
  *value = 0;
  if (operand->reg != IDG_NO_REGISTER
      && !find_constant (trips, b, end, operand->reg, depth + 1, value))
    return FALSE;
  *value += (guint64)operand->value;
  return TRUE;
}

/* Finds the VALUE of REG before instruction END of block B, if it is the same on every path. */
static gboolean
find_constant (Trips *trips, guint b, guint end, guint reg, guint depth, guint64 *value)
{
  const IdgFlow *flow = trips->flow;

  while (depth < MAX_CONSTANT && b != IDG_FLOW_NONE)
    {
      const IdgBlock *block = idg_flow_get_block (flow, b);

      for (guint i = end; i-- > block->first;)
        {
          const IdgCodeInstr *instr = idg_code_get (flow->code, i);
          const IdgMeaning *meaning = get_meaning (flow->code, instr, reg);
          guint64 a, second, third;

          if (trips->left == 0 || !may_look (trips, 1))
            return FALSE;
          trips->left--;
          if (!writes (flow->code, instr, reg))
            continue;
          if (meaning == NULL || !find_operand (trips, b, i, &meaning->a, depth, &a)
              || !find_operand (trips, b, i, &meaning->b, depth, &second)
              || !find_operand (trips, b, i, &meaning->c, depth, &third))
            return FALSE;
          *value = compute (meaning, a, second, third);
          return TRUE;
        }
      if (block->loop != IDG_FLOW_NONE && idg_flow_get_loop (flow, block->loop)->header == b
          && is_written_in (trips, block->loop, reg, FALSE))
        return FALSE;
      b = get_one_before (trips, b);
      end = b != IDG_FLOW_NONE ? idg_flow_get_block (flow, b)->last + 1 : 0;
      depth++;
    }
  return FALSE;
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
  if (reg == IDG_NO_REGISTER || find_register (slice, reg) >= 0)
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
        if (writes (flow->code, idg_code_get (flow->code, i), reg))
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

  if (!may_look (trips, trips->size + trips->path->len))
    return FALSE;
  if (find_writer (trips, place, place->p, reg))
    return TRUE;
  if (is_written_in (trips, trips->loop, reg, TRUE)
      || !may_look (trips, 2 * (trips->size + trips->path->len)))
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
  if (reg == IDG_NO_REGISTER)
    return TRUE;
  if (!add_register (slice, reg) || !find_source (trips, &place, reg))
    return FALSE;
  if (place.end == IDG_FLOW_NONE)
    return TRUE;
  return get_meaning (trips->flow->code, idg_code_get (trips->flow->code, place.end), reg) != NULL
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

/* Collects the slice backwards from the exit's predicate. It does not matter if a register is
 * written several times in an iteration, as compilers reuse them: only the writes that a value
 * comes from are executed. */
static gboolean
make_slice (Trips *trips, Slice *slice)
{
  const IdgFlow *flow = trips->flow;
  const IdgCode *code = flow->code;
  guint header = idg_flow_get_loop (flow, trips->loop)->header;
  guint before = get_one_before (trips, header);
  Place exit = { 0, idg_flow_get_block (flow, trips->exit)->last };
  guint guard = idg_code_get (code, exit.end)->guard;

  while (exit.p < trips->path->len && g_array_index (trips->path, guint, exit.p) != trips->exit)
    exit.p++;
  if (exit.p == trips->path->len || guard == IDG_NO_REGISTER
      || !add_source (trips, slice, exit, guard))
    return FALSE;
  for (guint i = 0; i < slice->n_instrs; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, slice->places[i].end);
      const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, instr->meaning);

      if (!add_source (trips, slice, slice->places[i], meaning->a.reg)
          || !add_source (trips, slice, slice->places[i], meaning->b.reg)
          || !add_source (trips, slice, slice->places[i], meaning->c.reg))
        return FALSE;
    }
  for (guint i = 0; before != IDG_FLOW_NONE && i < slice->n; i++)
    slice->known[i] = find_constant (trips, before, idg_flow_get_block (flow, before)->last + 1,
                                     slice->registers[i], 0, &slice->values[i]);
  if (!add_instr (slice, &exit))
    return FALSE;
  qsort (slice->places, slice->n_instrs, sizeof *slice->places, compare_places);
  return TRUE;
}

/* ---- Rounds ---- */

static gboolean
get_operand (const Slice *slice, const IdgOperand *operand, guint64 *value)
{
  gint i = operand->reg != IDG_NO_REGISTER ? find_register (slice, operand->reg) : -1;

  *value = (guint64)operand->value + (i >= 0 ? slice->values[i] : 0);
  return i < 0 || slice->known[i];
}

static gboolean
run_instr (const IdgCode *code, Slice *slice, const IdgCodeInstr *instr)
{
  const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, instr->meaning);
  gint result = find_register (slice, meaning->result);
  guint64 a, b, c;

  if (!get_operand (slice, &meaning->a, &a) || !get_operand (slice, &meaning->b, &b)
      || !get_operand (slice, &meaning->c, &c))
    return FALSE;
  slice->values[result] = compute (meaning, a, b, c);
  slice->known[result] = TRUE;
  return TRUE;
}

/* Tells whether the exit's branch, with its guard as it is now, leaves the loop. */
static gboolean
leaves (const Trips *trips, const Slice *slice)
{
  const IdgFlow *flow = trips->flow;
  const IdgBlock *block = idg_flow_get_block (flow, trips->exit);
  const IdgCodeInstr *branch = idg_code_get (flow->code, block->last);
  gboolean taken = (slice->values[0] != 0) != branch->guard_negated;

  return !idg_flow_is_in (flow, idg_flow_get_next (flow, block, taken ? 0 : block->n_next - 1),
                          trips->loop);
}

/* Executes SLICE until the exit's branch leaves. Returns how often that branch was reached. */
static guint64
count_rounds (const Trips *trips, Slice *slice)
{
  const IdgFlow *flow = trips->flow;
  guint branch = idg_flow_get_block (flow, trips->exit)->last;

  for (guint64 rounds = 1;; rounds++)
    for (guint i = 0; i < slice->n_instrs; i++)
      {
        guint at = slice->places[i].end;

        if (flow->trips->runs == 0)
          return 0;
        flow->trips->runs--;
        if (at != branch)
          {
            if (!run_instr (flow->code, slice, idg_code_get (flow->code, at)))
              return 0;
          }
        else if (!slice->known[0])
          return 0;
        else if (leaves (trips, slice))
          return rounds;
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
idg_flow_count_trips (const IdgFlow *flow, guint loop, guint exit, const GArray *path)
{
  Trips trips = { flow, loop, exit, path, count_instrs (flow, loop), MAX_SEARCH };
  Slice slice = { 0 };
  guint64 rounds;

  mark_path (flow, loop, path, TRUE);
  rounds = make_slice (&trips, &slice) ? count_rounds (&trips, &slice) : 0;
  mark_path (flow, loop, path, FALSE);
  return rounds;
}
