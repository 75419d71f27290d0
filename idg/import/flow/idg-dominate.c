/* SPDX-License-Identifier: MIT */
/* Finds dominators by the algorithm of Lengauer and Tarjan (1979), with path compression: simpler
 * algorithms are quadratic if many branches of a long listing share a target. Vertices are numbered
 * in the order in which the depth-first search reached them. */
#include "idg/import/flow/idg-flow.h"

typedef struct
{
  const IdgFlow *flow;
  guint *number; /* by block: its vertex */
  guint *semi;   /* by vertex: the semidominator found so far */
  guint *best;   /* on the path to the root of its tree: the vertex with the least semidominator */
  guint *ancestor; /* in the forest; IDG_FLOW_NONE: a root */
  guint *bucket;   /* the first vertex with this semidominator, or IDG_FLOW_NONE */
  guint *next;     /* in the same bucket */
  guint *dominator;
  GArray *way; /* of guint: scratch memory for a path */
} Search;

static const IdgReached *
get_reached (const Search *search, guint v)
{
  return &g_array_index (search->flow->search, IdgReached, v);
}

/* Compresses the path from V to the root of its tree. */
static void
compress (Search *search, guint v)
{
  g_array_set_size (search->way, 0);
  for (; search->ancestor[search->ancestor[v]] != IDG_FLOW_NONE; v = search->ancestor[v])
    g_array_append_val (search->way, v);
  for (guint i = search->way->len; i-- > 0;)
    {
      guint w = g_array_index (search->way, guint, i);
      guint above = search->ancestor[w];

      if (search->semi[search->best[above]] < search->semi[search->best[w]])
        search->best[w] = search->best[above];
      search->ancestor[w] = search->ancestor[above];
    }
}

static guint
find_best (Search *search, guint v)
{
  if (search->ancestor[v] == IDG_FLOW_NONE)
    return v;
  compress (search, v);
  return search->best[v];
}

/* Processes vertex W, after all later vertices, and links it into the forest. */
static void
take (Search *search, guint w)
{
  const IdgFlow *flow = search->flow;
  guint block = get_reached (search, w)->block;
  guint parent = get_reached (search, w)->parent;

  for (guint i = flow->from_start[block]; i < flow->from_start[block + 1]; i++)
    search->semi[w]
        = MIN (search->semi[w], search->semi[find_best (search, search->number[flow->from[i]])]);
  search->next[w] = search->bucket[search->semi[w]];
  search->bucket[search->semi[w]] = w;
  search->ancestor[w] = parent;
  for (guint v = search->bucket[parent]; v != IDG_FLOW_NONE; v = search->next[v])
    {
      guint best = find_best (search, v);

      search->dominator[v] = search->semi[best] < search->semi[v] ? best : parent;
    }
  search->bucket[parent] = IDG_FLOW_NONE;
}

/* Numbers the places in the tree of dominators, so that the blocks that a block dominates follow
 * it. */
static void
number_tree (IdgFlow *flow)
{
  g_autofree guint *next = g_new0 (guint, flow->blocks->len);

  for (guint i = flow->order->len; i-- > 1;)
    {
      const IdgBlock *block = idg_flow_get_block (flow, g_array_index (flow->order, guint, i));

      idg_flow_get_block (flow, block->dominator)->n_below += block->n_below + 1;
    }
  for (guint i = 0; i < flow->order->len; i++)
    {
      guint b = g_array_index (flow->order, guint, i);
      IdgBlock *block = idg_flow_get_block (flow, b);

      block->place = next[block->dominator];
      next[block->dominator] += block->n_below + 1;
      next[b] = block->place + 1;
    }
}

void
idg_flow_find_dominators (IdgFlow *flow)
{
  guint n = flow->search->len;
  g_autofree guint *room = g_new (guint, 6 * (gsize)n + flow->blocks->len);
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (guint));
  Search search = { .flow = flow, .way = way };

  search.semi = room;
  search.best = room + n;
  search.ancestor = room + 2 * (gsize)n;
  search.bucket = room + 3 * (gsize)n;
  search.next = room + 4 * (gsize)n;
  search.dominator = room + 5 * (gsize)n;
  search.number = room + 6 * (gsize)n;
  for (guint v = 0; v < n; v++)
    {
      search.semi[v] = search.best[v] = v;
      search.ancestor[v] = search.bucket[v] = search.next[v] = IDG_FLOW_NONE;
      search.dominator[v] = 0;
      search.number[get_reached (&search, v)->block] = v;
    }
  for (guint w = n; w-- > 1;)
    take (&search, w);
  idg_flow_get_block (flow, 0)->dominator = 0;
  for (guint w = 1; w < n; w++)
    {
      if (search.dominator[w] != search.semi[w])
        search.dominator[w] = search.dominator[search.dominator[w]];
      idg_flow_get_block (flow, get_reached (&search, w)->block)->dominator
          = get_reached (&search, search.dominator[w])->block;
    }
  number_tree (flow);
}

gboolean
idg_flow_is_dominated (const IdgFlow *flow, guint block, guint other)
{
  const IdgBlock *b = idg_flow_get_block (flow, block), *o = idg_flow_get_block (flow, other);

  return b->place >= o->place && b->place - o->place <= o->n_below;
}
