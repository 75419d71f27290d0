/* SPDX-License-Identifier: MIT */
/* Textbook control flow. Nothing here is recursive, because a listing may have as many blocks as
 * instructions. Unreachable blocks (the padding after the last EXIT, functions that are never
 * called) have no order and are never looked at. */
#include "idg/import/flow/idg-flow.h"

#include "idg/import/base/idg-notes.h"

#define MAX_RUNS (1 << 22)  /* instructions executed to count iterations */
#define MAX_LOOKS (1 << 28) /* instructions examined to find what decides loops */

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
                                "a branch to \"%s\", which is not defined; expected a label of %s",
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

/* ---- Order ---- */

typedef struct
{
  guint block, i;
  guint number; /* index into IdgFlow.search */
} Visit;

static void
reach (IdgFlow *flow, GArray *stack, guint block, guint parent)
{
  IdgReached reached = { block, parent };
  Visit visit = { block, 0, flow->search->len };

  g_array_append_val (flow->search, reached);
  g_array_append_val (stack, visit);
}

static void
find_order (IdgFlow *flow)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Visit));
  g_autofree guint8 *seen = g_new0 (guint8, flow->blocks->len);

  seen[0] = TRUE;
  reach (flow, stack, 0, 0);
  while (stack->len > 0)
    {
      Visit *visit = &g_array_index (stack, Visit, stack->len - 1);
      const IdgBlock *block = idg_flow_get_block (flow, visit->block);

      if (visit->i < block->n_next)
        {
          guint next = idg_flow_get_next (flow, block, visit->i++);

          if (next == IDG_FLOW_END || seen[next])
            continue;
          seen[next] = TRUE;
          reach (flow, stack, next, visit->number);
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

/* ---- What leads to a block ---- */

static void
find_backward (IdgFlow *flow)
{
  guint n = flow->blocks->len;
  g_autofree guint *room = g_new0 (guint, n + 1);
  guint *start = flow->from_start = g_new0 (guint, n + 1);

  flow->from = g_new (guint, flow->next->len + 1);
  for (guint i = 0; i < flow->order->len; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, g_array_index (flow->order, guint, i));

      for (guint j = 0; j < block->n_next; j++)
        if (idg_flow_get_next (flow, block, j) != IDG_FLOW_END)
          start[idg_flow_get_next (flow, block, j) + 1]++;
    }
  for (guint b = 0; b < n; b++)
    {
      start[b + 1] += start[b];
      room[b] = start[b];
    }
  for (guint i = 0; i < flow->order->len; i++)
    {
      guint b = g_array_index (flow->order, guint, i);
      const IdgBlock *block = idg_flow_get_block (flow, b);

      for (guint j = 0; j < block->n_next; j++)
        if (idg_flow_get_next (flow, block, j) != IDG_FLOW_END)
          flow->from[room[idg_flow_get_next (flow, block, j)]++] = b;
    }
}

static void
find_labels (IdgFlow *flow)
{
  const IdgCode *code = flow->code;

  for (guint i = 0; i <= code->instrs->len; i++)
    flow->label_of[i] = IDG_NO_TARGET;
  for (guint i = code->labels->len; i-- > 0;)
    {
      const IdgCodeLabel *label = &g_array_index (code->labels, IdgCodeLabel, i);

      if (label->instr != IDG_NO_TARGET)
        flow->label_of[label->instr] = i;
    }
}

/* Finds the registers that one instruction alone writes. */
static void
find_writers (IdgFlow *flow)
{
  const IdgCode *code = flow->code;
  guint n = code->names->len;
  g_autofree guint8 *counts = g_new0 (guint8, n + 1);

  for (guint i = 0; i < n; i++)
    flow->writers[i] = IDG_FLOW_NONE;
  for (guint i = 0; i < code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, i);

      for (guint j = 0; j < instr->n_writes; j++)
        {
          guint reg = g_array_index (code->registers, guint, instr->first_write + j);

          flow->writers[reg] = counts[reg] == 0 ? i : IDG_FLOW_NONE;
          counts[reg] = 1;
        }
    }
}

const gchar *
idg_flow_get_label (const IdgFlow *flow, guint instr)
{
  guint label = flow->label_of[instr];

  return label != IDG_NO_TARGET ? g_array_index (flow->code->labels, IdgCodeLabel, label).name
                                : NULL;
}

IdgFlow *
idg_flow_new (const IdgCode *code, GError **error)
{
  g_autoptr (IdgFlow) flow = g_new0 (IdgFlow, 1);
  g_autofree guint8 *leads = g_new0 (guint8, code->instrs->len + 1);

  flow->code = code;
  flow->blocks = g_array_new (FALSE, FALSE, sizeof (IdgBlock));
  flow->next = g_array_new (FALSE, FALSE, sizeof (guint));
  flow->loops = g_array_new (FALSE, FALSE, sizeof (IdgLoop));
  flow->order = g_array_new (FALSE, FALSE, sizeof (guint));
  flow->search = g_array_new (FALSE, FALSE, sizeof (IdgReached));
  flow->block_of = g_new (guint, code->instrs->len + 1);
  flow->label_of = g_new (guint, code->instrs->len + 1);
  flow->writers = g_new (guint, code->names->len + 1);
  flow->trips = g_new (IdgTripsRoom, 1);
  *flow->trips = (IdgTripsRoom){ .runs = MAX_RUNS, .looks = MAX_LOOKS };
  if (code->instrs->len == 0)
    {
      idg_import_fail (code->file, 0, IDG_ERROR_VALUE, error, "%s has no instructions", code->name);
      return NULL;
    }
  if (!find_leaders (code, leads, error))
    return NULL;
  cut_blocks (flow, leads);
  link_blocks (flow);
  flow->trips->on_path = g_new0 (guint8, flow->blocks->len);
  find_order (flow);
  find_backward (flow);
  find_labels (flow);
  find_writers (flow);
  idg_flow_find_dominators (flow);
  if (!idg_flow_find_loops (flow, error))
    return NULL;
  flow->trips->endless = g_new0 (guint8, flow->loops->len + 1);
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
  g_array_unref (flow->search);
  g_free (flow->block_of);
  g_free (flow->label_of);
  g_free (flow->writers);
  g_free (flow->from_start);
  g_free (flow->from);
  g_free (flow->members);
  if (flow->trips != NULL)
    {
      g_free (flow->trips->on_path);
      g_free (flow->trips->endless);
    }
  g_free (flow->trips);
  g_free (flow);
}
