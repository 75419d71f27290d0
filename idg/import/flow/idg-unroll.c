/* SPDX-License-Identifier: MIT */
/* Finds loops that the compiler unrolled. Where it does not know the trip count, it leaves a
 * remainder: it computes the count modulo the number of copies, a power of two, by an AND. So each
 * AND with such a mask is a candidate: if its operand were the count, would there be a loop that
 * runs as often as that count divided by the copies? That is tried with two counts, by executing
 * what decides the loop. A loop that then runs as often as the rest of the division is the
 * remainder; it may as well be straight-line code. */
#include "idg/import/flow/idg-plan.h"

#define MAX_CANDIDATES 32
#define MAX_COPIES 64
#define MAX_RUNS 4096 /* instructions to execute for one loop */
#define MAX_SHIFTED (1 << 24)
#define MAX_CHAIN 8 /* instructions between a count and what it is computed from */

/* Wraps around as the machine does: constants of a listing may be anything. */
static gint64
add (gint64 a, gint64 b)
{
  return (gint64)((guint64)a + (guint64)b);
}

/* Follows MEANING one step back: what is added to its operand, and how far that is shifted. Returns
 * FALSE if it is another kind of instruction. */
static gboolean
follow (const IdgMeaning *meaning, IdgUnrolled *new)
{
  gint64 a = meaning->a.value, b = meaning->b.value;
  gboolean is_small = new->offset > -MAX_SHIFTED &&new->offset < MAX_SHIFTED;

  if (meaning->b.reg != IDG_NO_REGISTER || meaning->c.reg != IDG_NO_REGISTER
      || meaning->c.value != 0)
    return FALSE;
  if (meaning->math == IDG_MATH_MOVE)
    new->offset = add (new->offset, a);
  else if (meaning->math == IDG_MATH_ADD)
    new->offset = add (add (new->offset, a), b);
  else if (meaning->math == IDG_MATH_SUB)
    new->offset = add (add (new->offset, a), add (~b, 1));
  else if (meaning->math == IDG_MATH_SHR && b >= 0 && b < 24 && b + new->shift < 24 && a == 0
           && is_small)
    {
      new->shift += (guint)b;
      new->offset *= (gint64)1 << b;
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
is_special (const IdgOperand *operand)
{
  return operand->reg >= IDG_SPECIAL_TID_X && operand->reg < IDG_SPECIAL_END;
}

/* A difference of two registers is a count from 0 on, wherever it begins. Returns whether MEANING
 * is one whose operands are what single instructions write. */
static gboolean
follow_difference (const IdgFlow *flow, guint at, const IdgMeaning *meaning, IdgUnrolled *new)
{
  guint block = flow->block_of[at];
  guint end, begin;

  if (meaning->math != IDG_MATH_SUB || meaning->a.reg >= IDG_SPECIAL_TID_X
      || meaning->b.reg >= IDG_SPECIAL_TID_X || meaning->a.value != 0 || meaning->b.value != 0)
    return FALSE;
  end = idg_value_find_writer (flow, block, at, meaning->a.reg);
  begin = idg_value_find_writer (flow, block, at, meaning->b.reg);
  if (end == IDG_FLOW_NONE || begin == IDG_FLOW_NONE || end == begin)
    return FALSE;
  new->root = end;
  new->zero = begin;
  return TRUE;
}

/* Follows REG, read by instruction AT, back through additions of constants and shifts to the
 * instruction that determines it. Returns FALSE if that is one of several, a constant, or a special
 * register. */
static gboolean
find_root (const IdgFlow *flow, guint at, guint reg, IdgUnrolled *new)
{
  for (guint i = 0; i < MAX_CHAIN; i++)
    {
      guint writer = idg_value_find_writer (flow, flow->block_of[at], at, reg);
      const IdgMeaning *meaning;
      IdgUnrolled next = *new;

      if (writer == IDG_FLOW_NONE)
        return new->root != IDG_FLOW_NONE;
      meaning = idg_value_get_meaning (flow->code, idg_code_get (flow->code, writer), reg);
      if (meaning != NULL && (is_special (&meaning->a) || meaning->a.reg == IDG_NO_REGISTER))
        return FALSE;
      new->root = writer;
      if (meaning != NULL && follow_difference (flow, writer, meaning, new))
        return TRUE;
      if (meaning == NULL || !follow (meaning, &next)
          || idg_value_find_writer (flow, flow->block_of[writer], writer, meaning->a.reg)
                 == IDG_FLOW_NONE)
        return TRUE;
      *new = next;
      at = writer;
      reg = meaning->a.reg;
    }
  return TRUE;
}

void
idg_unroll_assume (const IdgUnrolled *unrolled, gint64 rounds, IdgFacts *facts)
{
  facts->assumed = unrolled->root;
  facts->assumed_value = ((guint64)rounds << unrolled->shift) - (guint64)unrolled->offset;
  facts->zero = unrolled->zero;
}

static void
free_remainder (gpointer data)
{
  IdgRemainder *remainder = data;

  g_array_unref (remainder->mains);
  g_array_unref (remainder->rests);
  g_array_unref (remainder->others);
  g_free (remainder);
}

static gboolean
is_known (const GPtrArray *remainders, const IdgUnrolled *new)
{
  for (guint i = 0; i < remainders->len; i++)
    {
      const IdgUnrolled *old = &((const IdgRemainder *)g_ptr_array_index (remainders, i))->count;

      if (old->root == new->root && old->offset == new->offset && old->shift == new->shift
          && old->zero == new->zero && old->copies == new->copies)
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
idg_unroll_find (const IdgFlow *flow)
{
  const IdgCode *code = flow->code;
  GPtrArray *remainders = g_ptr_array_new_with_free_func (free_remainder);

  for (guint i = 0; i < code->instrs->len && remainders->len < MAX_CANDIDATES; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, i);
      const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, instr->meaning);
      IdgRemainder new = { .count = { .root = IDG_FLOW_NONE,
                                      .zero = IDG_FLOW_NONE,
                                      .rest = IDG_FLOW_NONE,
                                      .copies = (guint)meaning->b.value + 1 } };

      if (meaning->math != IDG_MATH_AND || instr->has_guard || meaning->bits < 32
          || meaning->b.reg != IDG_NO_REGISTER || meaning->a.reg >= IDG_SPECIAL_TID_X
          || meaning->b.value < 1 || meaning->b.value >= MAX_COPIES
          || (new.count.copies &(new.count.copies - 1)) != 0
          || idg_flow_get_block (flow, flow->block_of[i])->order == IDG_FLOW_NONE
          || !find_root (flow, i, meaning->a.reg, &new.count) || is_known (remainders, &new.count))
        continue;
      new.mains = g_array_new (FALSE, FALSE, sizeof (guint));
      new.rests = g_array_new (FALSE, FALSE, sizeof (guint));
      new.others = g_array_new (FALSE, FALSE, sizeof (guint));
      g_ptr_array_add (remainders, g_memdup2 (&new, sizeof new));
    }
  return remainders;
}

void
idg_unroll_add_loop (const IdgFlow *flow, const IdgFacts *facts, GPtrArray *remainders, guint loop,
                     guint exit, const GArray *path)
{
  for (guint i = 0; i < remainders->len; i++)
    {
      IdgRemainder *remainder = g_ptr_array_index (remainders, i);
      /* Two counts, and how often the loop and the remainder would run. */
      guint64 k = remainder->count.copies;
      guint64 counts[] = { 8 * k + 1, 16 * k + (k > 2 ? 2 : 1) };
      guint64 found[G_N_ELEMENTS (counts)];

      for (guint j = 0; j < G_N_ELEMENTS (counts); j++)
        {
          IdgFacts trial = *facts;

          trial.most_runs = MAX_RUNS;
          idg_unroll_assume (&remainder->count, (gint64)counts[j], &trial);
          found[j] = idg_flow_count_trips (flow, &trial, loop, exit, path, NULL, 0);
        }
      if (found[0] == 8 && found[1] == 16)
        g_array_append_val (remainder->mains, loop);
      else if (found[0] == 1 && found[1] == counts[1] - 16 * k)
        g_array_append_val (remainder->rests, loop);
      else if (found[0] == 0 && found[1] == 0)
        g_array_append_val (remainder->others, loop);
    }
}

/* Returns the loop of REMAINDER's remainders that is nearest to LOOP in the listing, and beside it.
 */
static guint
find_rest (const IdgFlow *flow, const IdgRemainder *remainder, guint loop)
{
  const IdgLoop *main = idg_flow_get_loop (flow, loop);
  guint best = IDG_FLOW_NONE, distance = G_MAXUINT;

  for (guint i = 0; i < remainder->rests->len; i++)
    {
      guint rest = g_array_index (remainder->rests, guint, i);
      const IdgLoop *other = idg_flow_get_loop (flow, rest);
      guint apart = MAX (other->header, main->header) - MIN (other->header, main->header);

      if (other->parent == main->parent && apart < distance)
        {
          best = rest;
          distance = apart;
        }
    }
  return best;
}

/* Tells whether the guard of LOOP, which nothing counts, lets a warp in from one round of
 * REMAINDER's copies on: then the loop is counted by an index, and only the remainder by the
 * count. */
static gboolean
is_guarded_by (const IdgFlow *flow, const IdgFacts *facts, const IdgRemainder *remainder,
               guint loop)
{
  guint block = idg_flow_get_block (flow, idg_flow_get_loop (flow, loop)->header)->dominator;
  const gint64 k = remainder->count.copies, counts[] = { k - 1, k, 2 * k };
  gboolean taken[G_N_ELEMENTS (counts)];

  while (idg_flow_get_block (flow, block)->n_next < 2
         && idg_flow_get_block (flow, block)->dominator != block)
    block = idg_flow_get_block (flow, block)->dominator;
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      IdgFacts trial = *facts;

      idg_unroll_assume (&remainder->count, counts[i], &trial);
      if (!idg_value_is_taken (flow, &trial, block, &taken[i]))
        return FALSE;
    }
  return taken[0] != taken[1] && taken[1] == taken[2];
}

/* Adds to the loops of REMAINDER those that only their guards tie to it. */
static void
add_guarded (const IdgFlow *flow, const IdgFacts *facts, const IdgRemainder *remainder)
{
  for (guint i = 0; i < remainder->others->len; i++)
    {
      guint loop = g_array_index (remainder->others, guint, i);

      if (find_rest (flow, remainder, loop) != IDG_FLOW_NONE
          && is_guarded_by (flow, facts, remainder, loop))
        g_array_append_val (remainder->mains, loop);
    }
}

void
idg_unroll_pair (const IdgFlow *flow, const IdgFacts *facts, const GPtrArray *remainders,
                 GArray *unrolled)
{
  g_autofree guint8 *taken = g_new0 (guint8, flow->loops->len + 1);

  for (guint i = 0; i < remainders->len; i++)
    {
      const IdgRemainder *remainder = g_ptr_array_index (remainders, i);

      if (remainder->mains->len == 0)
        add_guarded (flow, facts, remainder);
      for (guint j = 0; j < remainder->mains->len; j++)
        {
          guint loop = g_array_index (remainder->mains, guint, j);
          IdgUnrolled new = remainder->count;

          new.loop = loop;
          new.rest = find_rest (flow, remainder, loop);
          if (taken[loop] || (new.rest != IDG_FLOW_NONE &&taken[new.rest]))
            continue;
          taken[loop] = TRUE;
          if (new.rest != IDG_FLOW_NONE)
            taken[new.rest] = TRUE;
          g_array_append_val (unrolled, new);
        }
    }
}
