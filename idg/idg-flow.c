/* SPDX-License-Identifier: MIT */
/* Textbook control flow. Nothing here recurses: a listing may have as many blocks as instructions. Blocks that nothing
 * leads to (the padding after the last EXIT, functions that nobody calls) have no order and are never looked at.
 */
#include "idg/idg-flow.h"

#include "idg/idg-frontend.h"

#define MAX_RUN (1 << 22) /* instructions, to count rounds */

/* ---- Blocks ---- */

static gboolean
ends_block (const IdgCodeInstr *instr)
{
  return instr->kind == IDG_CODE_BRANCH || instr->kind == IDG_CODE_EXIT;
}

/* Marks the instructions that begin a block. */
static gboolean
find_leaders (const IdgCode *code, guint8 *leads, GError **error)
{
  for (guint i = 0; i < code->targets->len; i++)
    {
      guint number = g_array_index (code->targets, guint, i);
      const IdgCodeLabel *label = &g_array_index (code->labels, IdgCodeLabel, number);

      if (label->instr == IDG_NO_TARGET)
        return idg_import_fail (code->file, label->line, IDG_ERROR_VALUE, error,
                                "a branch to \"%s\", which stands nowhere; expected a label of %s",
                                label->name, code->name);
      leads[label->instr] = TRUE;
    }
  for (guint i = 0; i < code->instrs->len; i++)
    if (ends_block (idg_code_get (code, i)))
      leads[i + 1] = TRUE;
  return TRUE;
}

static void
cut_blocks (IdgFlow *flow, const guint8 *leads)
{
  guint n = flow->code->instrs->len;

  for (guint i = 0; i < n; i++)
    {
      IdgBlock block = { .first = i,
                         .last = i,
                         .order = IDG_FLOW_NONE,
                         .dominator = IDG_FLOW_NONE,
                         .loop = IDG_FLOW_NONE };

      if (i == 0 || leads[i])
        g_array_append_val (flow->blocks, block);
      idg_flow_get_block (flow, flow->blocks->len - 1)->last = i;
      flow->block_of[i] = flow->blocks->len - 1;
    }
  flow->block_of[n] = IDG_FLOW_END;
}

static void
add_next (IdgFlow *flow, IdgBlock *block, guint next)
{
  g_array_append_val (flow->next, next);
  block->n_next++;
}

static void
link_blocks (IdgFlow *flow)
{
  const IdgCode *code = flow->code;

  for (guint b = 0; b < flow->blocks->len; b++)
    {
      IdgBlock *block = idg_flow_get_block (flow, b);
      const IdgCodeInstr *last = idg_code_get (code, block->last);

      block->first_next = flow->next->len;
      for (guint i = 0; i < last->n_targets; i++)
        {
          guint label = g_array_index (code->targets, guint, last->first_target + i);

          add_next (flow, block,
                    flow->block_of[g_array_index (code->labels, IdgCodeLabel, label).instr]);
        }
      if (last->kind == IDG_CODE_EXIT)
        add_next (flow, block, IDG_FLOW_END);
      if (!ends_block (last) || last->has_guard)
        add_next (flow, block, flow->block_of[block->last + 1]);
    }
}

/* ---- Order and dominators ---- */

typedef struct
{
  guint block, i;
} Visit;

static void
find_order (IdgFlow *flow)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Visit));
  g_autofree guint8 *seen = g_new0 (guint8, flow->blocks->len);
  Visit first = { 0, 0 };

  seen[0] = TRUE;
  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Visit *visit = &g_array_index (stack, Visit, stack->len - 1);
      const IdgBlock *block = idg_flow_get_block (flow, visit->block);

      if (visit->i < block->n_next)
        {
          Visit next = { idg_flow_get_next (flow, block, visit->i++), 0 };

          if (next.block == IDG_FLOW_END || seen[next.block])
            continue;
          seen[next.block] = TRUE;
          g_array_append_val (stack, next);
          continue;
        }
      g_array_append_val (flow->order, visit->block);
      g_array_set_size (stack, stack->len - 1);
    }
  for (guint i = 0, j = flow->order->len - 1; i < j; i++, j--)
    {
      guint *order = (guint *)flow->order->data;
      guint other = order[i];

      order[i] = order[j];
      order[j] = other;
    }
  for (guint i = 0; i < flow->order->len; i++)
    idg_flow_get_block (flow, g_array_index (flow->order, guint, i))->order = i;
}

/* The nearest block that dominates both. */
static guint
intersect (const IdgFlow *flow, guint a, guint b)
{
  while (a != b)
    if (idg_flow_get_block (flow, a)->order > idg_flow_get_block (flow, b)->order)
      a = idg_flow_get_block (flow, a)->dominator;
    else
      b = idg_flow_get_block (flow, b)->dominator;
  return a;
}

static void
find_dominators (IdgFlow *flow)
{
  gboolean changed = TRUE;

  idg_flow_get_block (flow, 0)->dominator = 0;
  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < flow->order->len; i++)
        {
          guint b = g_array_index (flow->order, guint, i);
          const IdgBlock *block = idg_flow_get_block (flow, b);

          for (guint j = 0; j < block->n_next; j++)
            {
              guint next = idg_flow_get_next (flow, block, j);
              IdgBlock *below = next != IDG_FLOW_END ? idg_flow_get_block (flow, next) : NULL;
              guint dominator;

              if (below == NULL || next == 0)
                continue;
              dominator
                  = below->dominator == IDG_FLOW_NONE ? b : intersect (flow, below->dominator, b);
              changed |= dominator != below->dominator;
              below->dominator = dominator;
            }
        }
    }
}

gboolean
idg_flow_is_dominated (const IdgFlow *flow, guint block, guint other)
{
  guint order = idg_flow_get_block (flow, other)->order;

  while (idg_flow_get_block (flow, block)->order > order)
    block = idg_flow_get_block (flow, block)->dominator;
  return block == other;
}

/* ---- Loops ---- */

/* For each block, those that lead to it: from[start[b]] to from[start[b + 1] - 1]. */
typedef struct
{
  guint *start, *from;
} Backward;

static void
find_backward (const IdgFlow *flow, Backward *backward)
{
  guint n = flow->blocks->len;
  g_autofree guint *room = g_new0 (guint, n + 1);

  backward->start = g_new0 (guint, n + 1);
  backward->from = g_new (guint, flow->next->len + 1);
  for (guint i = 0; i < flow->order->len; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, g_array_index (flow->order, guint, i));

      for (guint j = 0; j < block->n_next; j++)
        if (idg_flow_get_next (flow, block, j) != IDG_FLOW_END)
          backward->start[idg_flow_get_next (flow, block, j) + 1]++;
    }
  for (guint b = 0; b < n; b++)
    {
      backward->start[b + 1] += backward->start[b];
      room[b] = backward->start[b];
    }
  for (guint i = 0; i < flow->order->len; i++)
    {
      guint b = g_array_index (flow->order, guint, i);
      const IdgBlock *block = idg_flow_get_block (flow, b);

      for (guint j = 0; j < block->n_next; j++)
        if (idg_flow_get_next (flow, block, j) != IDG_FLOW_END)
          backward->from[room[idg_flow_get_next (flow, block, j)]++] = b;
    }
}

/* Puts what leads to the back edges of LOOP into it: blocks, and the outermost of the loops found before. */
static void
fill_loop (IdgFlow *flow, guint loop, GArray *work, const Backward *backward)
{
  guint header = idg_flow_get_loop (flow, loop)->header;

  while (work->len > 0)
    {
      guint b = g_array_index (work, guint, work->len - 1);
      IdgBlock *block = idg_flow_get_block (flow, b);
      guint inner = block->loop;

      g_array_set_size (work, work->len - 1);
      if (inner == loop)
        continue;
      if (inner == IDG_FLOW_NONE)
        block->loop = loop;
      else
        {
          while (idg_flow_get_loop (flow, inner)->parent != IDG_FLOW_NONE)
            inner = idg_flow_get_loop (flow, inner)->parent;
          if (inner == loop)
            continue;
          idg_flow_get_loop (flow, inner)->parent = loop;
          b = idg_flow_get_loop (flow, inner)->header;
        }
      if (b != header)
        g_array_append_vals (work, backward->from + backward->start[b],
                             backward->start[b + 1] - backward->start[b]);
    }
}

/* Later headers first, so that inner loops are there before those around them. */
static void
find_loops (IdgFlow *flow, const Backward *backward)
{
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = flow->order->len; i-- > 0;)
    {
      IdgLoop loop = { g_array_index (flow->order, guint, i), IDG_FLOW_NONE, 1 };

      for (guint j = backward->start[loop.header]; j < backward->start[loop.header + 1]; j++)
        if (idg_flow_is_dominated (flow, backward->from[j], loop.header))
          g_array_append_val (work, backward->from[j]);
      if (work->len == 0)
        continue;
      g_array_append_val (flow->loops, loop);
      idg_flow_get_block (flow, loop.header)->loop = flow->loops->len - 1;
      fill_loop (flow, flow->loops->len - 1, work, backward);
    }
  for (guint i = flow->loops->len; i-- > 0;)
    if (idg_flow_get_loop (flow, i)->parent != IDG_FLOW_NONE)
      idg_flow_get_loop (flow, i)->depth
          = idg_flow_get_loop (flow, idg_flow_get_loop (flow, i)->parent)->depth + 1;
}

gboolean
idg_flow_is_in (const IdgFlow *flow, guint block, guint loop)
{
  guint around;

  if (block == IDG_FLOW_END)
    return FALSE;
  around = idg_flow_get_block (flow, block)->loop;
  while (around != loop && around != IDG_FLOW_NONE)
    around = idg_flow_get_loop (flow, around)->parent;
  return around == loop;
}

guint
idg_flow_get_child (const IdgFlow *flow, guint block, guint loop)
{
  guint child = idg_flow_get_block (flow, block)->loop;

  while (idg_flow_get_loop (flow, child)->parent != loop)
    child = idg_flow_get_loop (flow, child)->parent;
  return child;
}

IdgFlow *
idg_flow_new (const IdgCode *code, GError **error)
{
  g_autoptr (IdgFlow) flow = g_new0 (IdgFlow, 1);
  g_autofree guint8 *leads = g_new0 (guint8, code->instrs->len + 1);
  Backward backward = { NULL, NULL };

  flow->code = code;
  flow->blocks = g_array_new (FALSE, FALSE, sizeof (IdgBlock));
  flow->next = g_array_new (FALSE, FALSE, sizeof (guint));
  flow->loops = g_array_new (FALSE, FALSE, sizeof (IdgLoop));
  flow->order = g_array_new (FALSE, FALSE, sizeof (guint));
  flow->block_of = g_new (guint, code->instrs->len + 1);
  flow->left = g_new (guint64, 1);
  *flow->left = MAX_RUN;
  if (code->instrs->len == 0)
    {
      idg_import_fail (code->file, 0, IDG_ERROR_VALUE, error, "%s has no instructions", code->name);
      return NULL;
    }
  if (!find_leaders (code, leads, error))
    return NULL;
  cut_blocks (flow, leads);
  link_blocks (flow);
  find_order (flow);
  find_dominators (flow);
  find_backward (flow, &backward);
  find_loops (flow, &backward);
  g_free (backward.start);
  g_free (backward.from);
  return g_steal_pointer (&flow);
}

void
idg_flow_free (IdgFlow *flow)
{
  if (flow == NULL)
    return;
  g_array_unref (flow->blocks);
  g_array_unref (flow->next);
  g_array_unref (flow->loops);
  g_array_unref (flow->order);
  g_free (flow->block_of);
  g_free (flow->left);
  g_free (flow);
}
