/* SPDX-License-Identifier: MIT */
/* Follows values backwards. A register that one instruction alone writes, as nearly all of PTX, has
 * the value of that instruction wherever it is read; others are followed block by block, as long as
 * one block alone leads to the next, or those between a block and its dominator do not write it. */
#include "idg/import/flow/idg-values.h"

#define MAX_CONSTANT 24  /* the most instructions that compute a constant, one from another */
#define MAX_BETWEEN 64   /* the most blocks between one and its dominator */
#define MAX_SEARCH 20000 /* the most instructions examined for a value */

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

/* Dividing by nothing, and the least number by -1, is not defined: any result will do. */
static guint64
divide (guint64 a, guint64 b, const IdgMeaning *meaning)
{
  gboolean rest = meaning->math == IDG_MATH_REM;

  if (b == 0 || (meaning->is_signed && b == G_MAXUINT64))
    return b == 0 ? G_MAXUINT64 : rest ? 0 : narrow (-a, meaning);
  if (meaning->is_signed)
    return (guint64)(rest ? (gint64)a % (gint64)b : (gint64)a / (gint64)b);
  return rest ? a % b : a / b;
}

guint64
idg_value_compute (const IdgMeaning *meaning, guint64 a, guint64 b, guint64 c)
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
    case IDG_MATH_OR:
      return a | b;
    case IDG_MATH_XOR:
      return a ^ b;
    case IDG_MATH_DIV:
    case IDG_MATH_REM:
      return divide (a, b, meaning);
    case IDG_MATH_MIN:
      return is_less (a, b, meaning) ? a : b;
    case IDG_MATH_MAX:
      return is_less (a, b, meaning) ? b : a;
    case IDG_MATH_SELECT:
      return c != 0 ? a : b;
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

/* ---- Special registers ---- */

static gboolean
get_given (gint64 given, guint64 *value)
{
  *value = (guint64)given;
  return given > 0;
}

gboolean
idg_value_get_special (const IdgFlow *flow, const IdgFacts *facts, guint reg, guint64 *value)
{
  const gint64 *block = facts->block_dim;

  flow->trips->touched |= reg >= IDG_SPECIAL_NTID_X && reg <= IDG_SPECIAL_NTID_Z ? IDG_USED_THREADS
                          : reg >= IDG_SPECIAL_NCTAID_X && reg <= IDG_SPECIAL_NCTAID_Z
                              ? IDG_USED_BLOCKS
                              : IDG_USED_LAYOUT;
  if (reg >= IDG_SPECIAL_NTID_X && reg <= IDG_SPECIAL_NTID_Z)
    return get_given (block[reg - IDG_SPECIAL_NTID_X], value);
  if (reg >= IDG_SPECIAL_NCTAID_X && reg <= IDG_SPECIAL_NCTAID_Z)
    return get_given (facts->grid_dim[reg - IDG_SPECIAL_NCTAID_X], value);
  if (facts->thread < 0 || block[0] <= 0 || block[1] <= 0)
    return FALSE;
  if (block[1] == 1
      && block[2] == 1) /* a thread may be beyond the block, to see what it would do */
    {
      *value = reg == IDG_SPECIAL_TID_X  ? (guint64)facts->thread
               : reg == IDG_SPECIAL_LANE ? (guint64)facts->thread % 32
                                         : 0;
      return TRUE;
    }
  *value = (guint64)(reg == IDG_SPECIAL_TID_X   ? facts->thread % block[0]
                     : reg == IDG_SPECIAL_TID_Y ? facts->thread / block[0] % block[1]
                     : reg == IDG_SPECIAL_TID_Z ? facts->thread / block[0] / block[1]
                                                : facts->thread % 32);
  return TRUE;
}

/* ---- What writes a register ---- */

gboolean
idg_value_is_written (const IdgCode *code, const IdgCodeInstr *instr, guint reg)
{
  for (guint i = 0; i < instr->n_writes; i++)
    if (g_array_index (code->registers, guint, instr->first_write + i) == reg)
      return TRUE;
  return FALSE;
}

const IdgMeaning *
idg_value_get_meaning (const IdgCode *code, const IdgCodeInstr *instr, guint reg)
{
  const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, instr->meaning);

  return instr->meaning > 0 && !instr->has_guard && meaning->result == reg ? meaning : NULL;
}

gboolean
idg_value_may_look (const IdgFlow *flow, guint64 n)
{
  guint64 *left = &flow->trips->looks;

  if (*left < n)
    return FALSE;
  *left -= n;
  return TRUE;
}

gboolean
idg_value_is_written_in (const IdgFlow *flow, guint loop, guint reg, gboolean beside)
{
  const IdgLoop *l = idg_flow_get_loop (flow, loop);

  for (guint i = 0; i < l->n_members; i++)
    {
      guint b = flow->members[l->first_member + i];
      const IdgBlock *block = idg_flow_get_block (flow, b);

      if (!idg_value_may_look (flow, 1))
        return TRUE;
      if (beside && flow->trips->on_path[b])
        continue;
      if (!idg_value_may_look (flow, block->last - block->first + 1))
        return TRUE;
      for (guint j = block->first; j <= block->last; j++)
        if (idg_value_is_written (flow->code, idg_code_get (flow->code, j), reg))
          return TRUE;
    }
  return FALSE;
}

static guint
get_one_before (const IdgFlow *flow, guint b)
{
  guint loop = idg_flow_get_block (flow, b)->loop;
  guint found = IDG_FLOW_NONE;

  if (loop != IDG_FLOW_NONE && idg_flow_get_loop (flow, loop)->header != b)
    loop = IDG_FLOW_NONE;
  for (guint i = flow->from_start[b]; i < flow->from_start[b + 1]; i++)
    {
      guint other = flow->from[i];

      if (!idg_value_may_look (flow, 1))
        return IDG_FLOW_NONE;
      if (other == found || (loop != IDG_FLOW_NONE && idg_flow_is_in (flow, other, loop)))
        continue;
      if (found != IDG_FLOW_NONE)
        return IDG_FLOW_NONE;
      found = other;
    }
  return found;
}

/* Returns the instruction that alone writes REG in the whole listing and has done so when a warp
 * reaches instruction END of block B; or IDG_FLOW_NONE. */
static guint
get_sole_writer (const IdgFlow *flow, guint b, guint end, guint reg)
{
  guint writer = flow->writers[reg];
  guint home;

  if (writer == IDG_FLOW_NONE || idg_code_get (flow->code, writer)->has_guard)
    return IDG_FLOW_NONE;
  home = flow->block_of[writer];
  if (idg_flow_get_block (flow, home)->order == IDG_FLOW_NONE)
    return IDG_FLOW_NONE;
  if (home == b ? writer < end : idg_flow_is_dominated (flow, b, home))
    return writer;
  return IDG_FLOW_NONE;
}

/* Tells whether no block between DOMINATOR and B, which it dominates, writes REG. Where B heads a
 * loop, that loop is left out. Gives up after a few blocks. */
static gboolean
is_kept_between (const IdgFlow *flow, guint dominator, guint b, guint reg)
{
  guint loop = idg_flow_get_block (flow, b)->loop;
  guint seen[MAX_BETWEEN + 1] = { b };
  guint n = 1;

  if (loop != IDG_FLOW_NONE && idg_flow_get_loop (flow, loop)->header != b)
    loop = IDG_FLOW_NONE;
  for (guint i = 0; i < n; i++)
    for (guint j = flow->from_start[seen[i]]; j < flow->from_start[seen[i] + 1]; j++)
      {
        guint other = flow->from[j];
        const IdgBlock *block = idg_flow_get_block (flow, other);
        gboolean known
            = other == dominator || (loop != IDG_FLOW_NONE && idg_flow_is_in (flow, other, loop));

        for (guint k = 0; k < n; k++)
          known |= seen[k] == other;
        if (known)
          continue;
        if (n > MAX_BETWEEN || !idg_value_may_look (flow, block->last - block->first + 1))
          return FALSE;
        for (guint k = block->first; k <= block->last; k++)
          if (idg_value_is_written (flow->code, idg_code_get (flow->code, k), reg))
            return FALSE;
        seen[n++] = other;
      }
  return TRUE;
}

/* Returns a block above B from which REG comes to B unchanged, or IDG_FLOW_NONE. */
static guint
get_above (const IdgFlow *flow, guint b, guint reg)
{
  guint above = get_one_before (flow, b);
  guint dominator = idg_flow_get_block (flow, b)->dominator;

  if (above != IDG_FLOW_NONE || dominator == b || dominator == IDG_FLOW_NONE)
    return above;
  return is_kept_between (flow, dominator, b, reg) ? dominator : IDG_FLOW_NONE;
}

/* Walks back from block to block, past others that leave REG as it is. */
static guint
find_writer_before (const IdgFlow *flow, guint b, guint end, guint reg, guint *left)
{
  for (guint depth = 0; depth < MAX_CONSTANT && b != IDG_FLOW_NONE; depth++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, b);

      for (guint i = end; i-- > block->first; --*left)
        {
          if (*left == 0 || !idg_value_may_look (flow, 1))
            return IDG_FLOW_NONE;
          if (idg_value_is_written (flow->code, idg_code_get (flow->code, i), reg))
            return idg_code_get (flow->code, i)->has_guard ? IDG_FLOW_NONE : i;
        }
      if (block->loop != IDG_FLOW_NONE && idg_flow_get_loop (flow, block->loop)->header == b
          && idg_value_is_written_in (flow, block->loop, reg, FALSE))
        return IDG_FLOW_NONE;
      b = get_above (flow, b, reg);
      end = b != IDG_FLOW_NONE ? idg_flow_get_block (flow, b)->last + 1 : 0;
    }
  return IDG_FLOW_NONE;
}

static guint
find_writer (const IdgFlow *flow, guint b, guint end, guint reg, guint *left)
{
  guint writer = get_sole_writer (flow, b, end, reg);

  return writer != IDG_FLOW_NONE ? writer : find_writer_before (flow, b, end, reg, left);
}

guint
idg_value_find_writer (const IdgFlow *flow, guint b, guint end, guint reg)
{
  guint left = MAX_SEARCH;

  return reg >= IDG_SPECIAL_TID_X ? IDG_FLOW_NONE : find_writer (flow, b, end, reg, &left);
}

/* ---- Values ---- */

typedef struct
{
  const IdgFlow *flow;
  const IdgFacts *facts;
  guint left; /* what is left of MAX_SEARCH */
} Search;

static gboolean find (Search *search, guint b, guint end, guint reg, guint depth, guint64 *value);

static gboolean
find_operand (Search *search, guint b, guint end, const IdgOperand *operand, guint depth,
              guint64 *value)
{
  *value = 0;
  if (operand->reg != IDG_NO_REGISTER && !find (search, b, end, operand->reg, depth + 1, value))
    return FALSE;
  *value += (guint64)operand->value;
  return TRUE;
}

static gboolean
find (Search *search, guint b, guint end, guint reg, guint depth, guint64 *value)
{
  const IdgFlow *flow = search->flow;
  const IdgMeaning *meaning;
  guint64 a, second, third;
  guint writer;

  if (reg >= IDG_SPECIAL_TID_X)
    return idg_value_get_special (flow, search->facts, reg, value);
  if (depth >= MAX_CONSTANT || search->left == 0 || !idg_value_may_look (flow, 1))
    return FALSE;
  search->left--;
  writer = find_writer (flow, b, end, reg, &search->left);
  if (writer == IDG_FLOW_NONE)
    return FALSE;
  if (idg_facts_get_assumed (search->facts, writer, value))
    return TRUE;
  meaning = idg_value_get_meaning (flow->code, idg_code_get (flow->code, writer), reg);
  b = flow->block_of[writer];
  if (meaning == NULL || !find_operand (search, b, writer, &meaning->a, depth, &a)
      || !find_operand (search, b, writer, &meaning->b, depth, &second)
      || !find_operand (search, b, writer, &meaning->c, depth, &third))
    return FALSE;
  *value = idg_value_compute (meaning, a, second, third);
  return TRUE;
}

gboolean
idg_value_find (const IdgFlow *flow, const IdgFacts *facts, guint block, guint end, guint reg,
                guint64 *value)
{
  Search search = { flow, facts, MAX_SEARCH };

  return find (&search, block, end, reg, 0, value);
}

gboolean
idg_value_find_before (const IdgFlow *flow, const IdgFacts *facts, guint loop, guint reg,
                       guint64 *value)
{
  guint header = idg_flow_get_loop (flow, loop)->header;
  guint above = get_above (flow, header, reg);

  return above != IDG_FLOW_NONE
         && idg_value_find (flow, facts, above, idg_flow_get_block (flow, above)->last + 1, reg,
                            value);
}

gboolean
idg_value_is_taken (const IdgFlow *flow, const IdgFacts *facts, guint block, gboolean *taken)
{
  guint last = idg_flow_get_block (flow, block)->last;
  const IdgCodeInstr *branch = idg_code_get (flow->code, last);
  guint64 value;

  flow->trips->touched = 0;
  if (!branch->has_guard || branch->guard == IDG_NO_REGISTER
      || !idg_value_find (flow, facts, block, last, branch->guard, &value))
    return FALSE;
  flow->trips->used |= flow->trips->touched;
  *taken = (value != 0) != branch->guard_negated;
  return TRUE;
}
