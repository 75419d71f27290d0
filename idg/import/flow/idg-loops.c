/* SPDX-License-Identifier: MIT */
/* Finds natural loops: back edges to a header, and the blocks that lead to them. The blocks of a
 * loop, including those of inner loops, are a slice of one array, so that two comparisons tell
 * whether a block is in a loop, and visiting a loop costs no more than the loop. */
#include "idg/import/flow/idg-flow.h"

#include "idg/import/base/idg-notes.h"

/* Returns the outermost of the loops found so far that LOOP is in. Compresses paths in AROUND. */
static guint
find_outermost (guint *around, guint loop)
{
  guint outermost = loop;

  while (around[outermost] != outermost)
    outermost = around[outermost];
  while (around[loop] != outermost)
    {
      guint next = around[loop];

      around[loop] = outermost;
      loop = next;
    }
  return outermost;
}

/* Adds everything that leads to the back edges of LOOP to it: blocks, and the outermost loops found
 * before. */
static void
fill_loop (IdgFlow *flow, guint loop, GArray *work, guint *around)
{
  guint header = idg_flow_get_loop (flow, loop)->header;

  while (work->len > 0)
    {
      guint b = g_array_index (work, guint, work->len - 1);
      IdgBlock *block = idg_flow_get_block (flow, b);

      g_array_set_size (work, work->len - 1);
      if (block->loop == IDG_FLOW_NONE)
        block->loop = loop;
      else
        {
          guint inner = find_outermost (around, block->loop);

          if (inner == loop)
            continue;
          idg_flow_get_loop (flow, inner)->parent = around[inner] = loop;
          b = idg_flow_get_loop (flow, inner)->header;
        }
      if (b != header)
        g_array_append_vals (work, flow->from + flow->from_start[b],
                             flow->from_start[b + 1] - flow->from_start[b]);
    }
}

/* Finds all loops, later headers first, so that inner loops come before those around them. */
static void
find_all (IdgFlow *flow)
{
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *around = g_new (guint, flow->order->len);

  for (guint i = flow->order->len; i-- > 0;)
    {
      IdgLoop loop = { .header = g_array_index (flow->order, guint, i), .parent = IDG_FLOW_NONE };
      guint number = flow->loops->len;

      for (guint j = flow->from_start[loop.header]; j < flow->from_start[loop.header + 1]; j++)
        if (idg_flow_is_dominated (flow, flow->from[j], loop.header))
          g_array_append_val (work, flow->from[j]);
      if (work->len == 0)
        continue;
      g_array_append_val (flow->loops, loop);
      around[number] = number;
      idg_flow_get_block (flow, loop.header)->loop = number;
      fill_loop (flow, number, work, around);
    }
}

static void
find_depths (IdgFlow *flow)
{
  for (guint i = flow->loops->len; i-- > 0;)
    {
      IdgLoop *loop = idg_flow_get_loop (flow, i);

      loop->depth
          = loop->parent != IDG_FLOW_NONE ? idg_flow_get_loop (flow, loop->parent)->depth + 1 : 1;
    }
}

/* Lists the blocks of each loop: first those of inner loops, one loop after another, then its own.
 */
static void
list_members (IdgFlow *flow)
{
  guint n_loops = flow->loops->len;
  g_autofree guint *next = g_new0 (guint, n_loops + 1); /* the last one is for blocks in no loop */

  flow->members = g_new (guint, flow->order->len + 1);
  for (guint i = 0; i < flow->order->len; i++)
    {
      guint loop = idg_flow_get_block (flow, g_array_index (flow->order, guint, i))->loop;

      if (loop != IDG_FLOW_NONE)
        idg_flow_get_loop (flow, loop)->n_members++;
    }
  for (guint i = 0; i < n_loops; i++)
    if (idg_flow_get_loop (flow, i)->parent != IDG_FLOW_NONE)
      idg_flow_get_loop (flow, idg_flow_get_loop (flow, i)->parent)->n_members
          += idg_flow_get_loop (flow, i)->n_members;
  for (guint i = n_loops; i-- > 0;)
    {
      IdgLoop *loop = idg_flow_get_loop (flow, i);
      guint around = MIN (loop->parent, n_loops);

      loop->first_member = next[i] = next[around];
      next[around] += loop->n_members;
    }
  for (guint i = 0; i < flow->order->len; i++)
    {
      guint b = g_array_index (flow->order, guint, i);
      IdgBlock *block = idg_flow_get_block (flow, b);

      block->member = next[MIN (block->loop, n_loops)]++;
      flow->members[block->member] = b;
    }
}

gboolean
idg_flow_is_in (const IdgFlow *flow, guint block, guint loop)
{
  const IdgLoop *around;
  const IdgBlock *b;

  if (block == IDG_FLOW_END || loop == IDG_FLOW_NONE)
    return block != IDG_FLOW_END;
  around = idg_flow_get_loop (flow, loop);
  b = idg_flow_get_block (flow, block);
  return b->order != IDG_FLOW_NONE && b->member >= around->first_member
         && b->member - around->first_member < around->n_members;
}

guint
idg_flow_get_child (const IdgFlow *flow, guint block, guint loop)
{
  guint child = idg_flow_get_block (flow, block)->loop;

  while (idg_flow_get_loop (flow, child)->parent != loop)
    child = idg_flow_get_loop (flow, child)->parent;
  return child;
}

gboolean
idg_flow_find_loops (IdgFlow *flow, GError **error)
{
  find_all (flow);
  find_depths (flow);
  for (guint i = 0; i < flow->loops->len; i++)
    if (idg_flow_get_loop (flow, i)->depth > IDG_MAX_DEPTH)
      return idg_import_fail (flow->code->file, 0, IDG_ERROR_VALUE, error,
                              "%s has loops nested deeper than %d", flow->code->name,
                              IDG_MAX_DEPTH);
  list_members (flow);
  return TRUE;
}
