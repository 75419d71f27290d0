/* SPDX-License-Identifier: MIT */
/* Textbook control flow. Nothing here recurses: a listing may have as many blocks as instructions. Blocks that nothing
 * leads to (the padding after the last EXIT, functions that nobody calls) have no order and are never looked at.
 */
#include "idg/idg-flow.h"

#include "idg/idg-frontend.h"

#define MAX_RUN (1 << 22)   /* instructions, to count rounds */
#define MAX_LOOKS (1 << 27) /* at blocks, likewise */

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

/* In the order in which the blocks are met first. */
typedef struct
{
  guint *visited; /* blocks */
  guint *parent;  /* the number of the block from which each is met */
  guint *number;  /* by block */
  guint n;
} Numbers;

static void
number_block (Numbers *numbers, guint block, guint parent)
{
  numbers->number[block] = numbers->n;
  numbers->visited[numbers->n] = block;
  numbers->parent[numbers->n++] = parent;
}

static void
find_order (IdgFlow *flow, Numbers *numbers)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Visit));
  g_autofree guint8 *seen = g_new0 (guint8, flow->blocks->len);
  Visit first = { 0, 0 };

  seen[0] = TRUE;
  number_block (numbers, 0, 0);
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
          number_block (numbers, next.block, numbers->number[visit->block]);
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

/* What leads to each block. */
static void
find_backward (IdgFlow *flow)
{
  guint n = flow->blocks->len;
  g_autofree guint *room = g_new0 (guint, n + 1);

  flow->start = g_new0 (guint, n + 1);
  flow->from = g_new (guint, flow->next->len + 1);
  for (guint i = 0; i < flow->order->len; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, g_array_index (flow->order, guint, i));

      for (guint j = 0; j < block->n_next; j++)
        if (idg_flow_get_next (flow, block, j) != IDG_FLOW_END)
          flow->start[idg_flow_get_next (flow, block, j) + 1]++;
    }
  for (guint b = 0; b < n; b++)
    {
      flow->start[b + 1] += flow->start[b];
      room[b] = flow->start[b];
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

/* Lengauer and Tarjan, with path compression alone. All are numbers of `visited`, in which a block comes after its
 * parent; a semidominator is the first block from which a way leads here through later ones only. A listing may be a
 * ladder of branches to one label, on which simpler ways of finding dominators take n^2 steps. */
typedef struct
{
  const guint *visited; /* blocks */
  const guint *parent;
  guint *semi, *dominator;
  guint *ancestor,
      *best; /* the forest: IDG_FLOW_NONE is a root; the one with the least `semi` below it */
  guint *bucket, *beside; /* whose semidominator it is: a list */
  GArray *path;           /* of guint: what find_best() passes */
} Domination;

static guint
find_best (Domination *d, guint v)
{
  if (d->ancestor[v] == IDG_FLOW_NONE)
    return v;
  for (guint u = v; d->ancestor[d->ancestor[u]] != IDG_FLOW_NONE; u = d->ancestor[u])
    g_array_append_val (d->path, u);
  while (d->path->len > 0)
    {
      guint u = g_array_index (d->path, guint, d->path->len - 1);
      guint above = d->ancestor[u];

      if (d->semi[d->best[above]] < d->semi[d->best[u]])
        d->best[u] = d->best[above];
      d->ancestor[u] = d->ancestor[above];
      g_array_set_size (d->path, d->path->len - 1);
    }
  return d->best[v];
}

static void
empty_bucket (Domination *d, guint of)
{
  for (guint v = d->bucket[of]; v != IDG_FLOW_NONE; v = d->beside[v])
    {
      guint best = find_best (d, v);

      d->dominator[v] = d->semi[best] < d->semi[v] ? best : of;
    }
  d->bucket[of] = IDG_FLOW_NONE;
}

static void
dominate (const IdgFlow *flow, Domination *d, const guint *number)
{
  guint n = flow->order->len;

  for (guint w = n; w-- > 1;)
    {
      guint b = d->visited[w];

      for (guint i = flow->start[b]; i < flow->start[b + 1]; i++)
        d->semi[w] = MIN (d->semi[w], d->semi[find_best (d, number[flow->from[i]])]);
      d->beside[w] = d->bucket[d->semi[w]];
      d->bucket[d->semi[w]] = w;
      d->ancestor[w] = d->parent[w];
      empty_bucket (d, d->parent[w]);
    }
  for (guint w = 1; w < n; w++)
    if (d->dominator[w] != d->semi[w])
      d->dominator[w] = d->dominator[d->dominator[w]];
}

static void
find_dominators (IdgFlow *flow, const Numbers *numbers)
{
  guint n = flow->order->len;
  g_autofree guint *rooms = g_new (guint, 6 * n);
  Domination d = { .visited = numbers->visited,
                   .parent = numbers->parent,
                   .semi = rooms,
                   .dominator = rooms + n,
                   .ancestor = rooms + 2 * n,
                   .best = rooms + 3 * n,
                   .bucket = rooms + 4 * n,
                   .beside = rooms + 5 * n,
                   .path = g_array_new (FALSE, FALSE, sizeof (guint)) };

  for (guint w = 0; w < n; w++)
    {
      d.semi[w] = d.best[w] = w;
      d.dominator[w] = 0;
      d.ancestor[w] = d.bucket[w] = d.beside[w] = IDG_FLOW_NONE;
    }
  dominate (flow, &d, numbers->number);
  for (guint w = 0; w < n; w++)
    idg_flow_get_block (flow, d.visited[w])->dominator = d.visited[d.dominator[w]];
  g_array_unref (d.path);
}

/* Numbers blocks so that those that one dominates come together. In the order, what dominates comes first. */
static void
number_dominated (IdgFlow *flow)
{
  const guint *order = (const guint *)flow->order->data;
  guint n = flow->order->len;
  g_autofree guint *room = g_new0 (guint, flow->blocks->len);

  for (guint i = 0; i < n; i++)
    idg_flow_get_block (flow, order[i])->end = 1; /* for now, how many it dominates */
  for (guint i = n; i-- > 1;)
    {
      const IdgBlock *block = idg_flow_get_block (flow, order[i]);

      idg_flow_get_block (flow, block->dominator)->end += block->end;
    }
  for (guint i = 0; i < n; i++)
    {
      IdgBlock *block = idg_flow_get_block (flow, order[i]);

      block->begin = room[block->dominator];
      room[block->dominator] += block->end;
      block->end += block->begin;
      room[order[i]] = block->begin + 1;
    }
}

gboolean
idg_flow_is_dominated (const IdgFlow *flow, guint block, guint other)
{
  guint begin = idg_flow_get_block (flow, block)->begin;

  return idg_flow_get_block (flow, other)->begin <= begin
         && begin < idg_flow_get_block (flow, other)->end;
}

/* ---- Loops ---- */

/* While loops are found, the depth of one is that of the loops in it. */
static void
deepen (IdgFlow *flow, guint loop, guint inner)
{
  guint *depth = &idg_flow_get_loop (flow, loop)->depth;

  *depth = MAX (*depth, idg_flow_get_loop (flow, inner)->depth + 1);
}

/* Puts what leads to the back edges of LOOP into it: blocks, and the outermost of the loops found before. */
static void
fill_loop (IdgFlow *flow, guint loop, GArray *work)
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
          deepen (flow, loop, inner);
          b = idg_flow_get_loop (flow, inner)->header;
        }
      if (b != header)
        g_array_append_vals (work, flow->from + flow->start[b],
                             flow->start[b + 1] - flow->start[b]);
    }
}

/* Later headers first, so that inner loops are there before those around them. */
static gboolean
find_loops (IdgFlow *flow, GError **error)
{
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = flow->order->len; i-- > 0;)
    {
      IdgLoop loop = { g_array_index (flow->order, guint, i), IDG_FLOW_NONE, 1 };

      for (guint j = flow->start[loop.header]; j < flow->start[loop.header + 1]; j++)
        if (idg_flow_is_dominated (flow, flow->from[j], loop.header))
          g_array_append_val (work, flow->from[j]);
      if (work->len == 0)
        continue;
      g_array_append_val (flow->loops, loop);
      idg_flow_get_block (flow, loop.header)->loop = flow->loops->len - 1;
      fill_loop (flow, flow->loops->len - 1, work);
      if (idg_flow_get_loop (flow, flow->loops->len - 1)->depth > IDG_MAX_DEPTH)
        return idg_import_fail (flow->code->file, 0, IDG_ERROR_VALUE, error,
                                "%s has loops nested deeper than %d", flow->code->name,
                                IDG_MAX_DEPTH);
    }
  for (guint i = flow->loops->len; i-- > 0;)
    {
      guint parent = idg_flow_get_loop (flow, i)->parent;

      idg_flow_get_loop (flow, i)->depth
          = parent != IDG_FLOW_NONE ? idg_flow_get_loop (flow, parent)->depth + 1 : 1;
    }
  return TRUE;
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
  g_autofree guint *rooms = NULL;
  Numbers numbers = { 0 };

  flow->code = code;
  flow->blocks = g_array_new (FALSE, FALSE, sizeof (IdgBlock));
  flow->next = g_array_new (FALSE, FALSE, sizeof (guint));
  flow->loops = g_array_new (FALSE, FALSE, sizeof (IdgLoop));
  flow->order = g_array_new (FALSE, FALSE, sizeof (guint));
  flow->block_of = g_new (guint, code->instrs->len + 1);
  flow->left = g_new (guint64, 1);
  *flow->left = MAX_RUN;
  flow->looks = g_new (guint64, 1);
  *flow->looks = MAX_LOOKS;
  if (code->instrs->len == 0)
    {
      idg_import_fail (code->file, 0, IDG_ERROR_VALUE, error, "%s has no instructions", code->name);
      return NULL;
    }
  if (!find_leaders (code, leads, error))
    return NULL;
  cut_blocks (flow, leads);
  link_blocks (flow);
  rooms = g_new (guint, 3 * flow->blocks->len);
  numbers.visited = rooms;
  numbers.parent = rooms + flow->blocks->len;
  numbers.number = rooms + 2 * flow->blocks->len;
  find_order (flow, &numbers);
  find_backward (flow);
  find_dominators (flow, &numbers);
  number_dominated (flow);
  if (!find_loops (flow, error))
    return NULL;
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
  g_free (flow->start);
  g_free (flow->from);
  g_free (flow->left);
  g_free (flow->looks);
  g_free (flow);
}
