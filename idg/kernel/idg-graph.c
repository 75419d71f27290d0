/* SPDX-License-Identifier: MIT */
/* Builds the graph: first the nodes, then the edges to each of them, in one pass over the program,
 * because everything that precedes a node is known when the pass reaches it.
 *
 * Edges around barriers: every instruction between two barriers comes after the first and before
 * the second, but most of that follows from the results that instructions wait for. Therefore only
 * those that no instruction of the stretch waits for get an edge to the barrier below, and only
 * those that wait for no instruction of the stretch get an edge from the barrier above:
 *
 *     barrier -> a -> b -> barrier        a -> b: b waits for a's result */
#include "idg/kernel/idg-graph.h"

#include "idg/kernel/idg-barriers.h"

#include <string.h>

/* ---- Classes ---- */

gboolean
idg_op_is_memory (const gchar *name)
{
  static const gchar *const ops[]
      = { "memory", "ld",   "ldu",  "ldmatrix", "st", "stmatrix", "atom",      "red",     "tex",
          "tld4",   "suld", "sust", "sured",    "cp", "prefetch", "prefetchu", "multimem" };
  gsize length = strcspn (name, ".");

  /* A parameter is an operand from the constant bank; any other instruction may have one, too. */
  if (g_str_has_prefix (name, "ld.param"))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    if (strlen (ops[i]) == length && strncmp (ops[i], name, length) == 0)
      return TRUE;
  return FALSE;
}

static IdgClass
find_class (const IdgNode *node)
{
  if (node->kind != IDG_INSTRUCTION)
    return IDG_CLASS_BARRIER;
  return idg_op_is_memory (node->op) ? IDG_CLASS_MEMORY : IDG_CLASS_COMPUTATION;
}

/* ---- Repeats ---- */

static const IdgProgram *
get_program (const IdgGraph *graph, guint p)
{
  const IdgKernelProgram *named = g_ptr_array_index (graph->kernel->programs, p);

  return named->program;
}

static guint *
find_parents (const IdgProgram *program)
{
  guint *parents = g_new (guint, (gsize)program->n_nodes + 1);
  guint parent = IDG_NO_NODE;

  for (guint i = 0; i < program->n_nodes; i++)
    {
      if (program->nodes[i].kind == IDG_END)
        parent = parents[parent];
      parents[i] = parent;
      if (program->nodes[i].kind == IDG_REPEAT)
        parent = i;
    }
  return parents;
}

/* Returns the innermost repeat of more than one iteration around both A and B, or IDG_NO_NODE. */
static guint
find_carrier (const IdgGraph *graph, guint p, guint a, guint b)
{
  const IdgProgram *program = get_program (graph, p);
  guint repeat = graph->parents[p][a];

  while (repeat != IDG_NO_NODE
         && (b < repeat || b > program->nodes[repeat].partner || program->nodes[repeat].count < 2))
    repeat = graph->parents[p][repeat];
  return repeat;
}

guint64
idg_graph_count (const IdgGraph *graph, const IdgGraphNode *node)
{
  const IdgProgram *program = get_program (graph, node->program);
  guint64 count = 1;

  if (node->node == NULL)
    return 1;
  for (guint i = graph->parents[node->program][node->index]; i != IDG_NO_NODE;
       i = graph->parents[node->program][i])
    count *= program->nodes[i].count;
  return count;
}

/* ---- Edges ---- */

const gchar *
idg_graph_keep (IdgGraph *graph, const gchar *text)
{
  return g_string_chunk_insert_const (graph->strings, text);
}

static void
append_edge (IdgGraph *graph, IdgGraphEdge edge)
{
  guint index = graph->edges->len;
  guint *first = &g_array_index (graph->first_in, guint, edge.to);

  edge.next_in = IDG_NO_NODE;
  g_array_append_val (graph->edges, edge);
  if (*first == IDG_NO_NODE)
    *first = index;
  else
    {
      IdgGraphEdge *last = idg_graph_get_edge (graph, *first);

      /* Nearly always the last edge, because edges are added by consumer. */
      if (idg_graph_get_edge (graph, index - 1)->to == edge.to)
        last = idg_graph_get_edge (graph, index - 1);
      while (last->next_in != IDG_NO_NODE)
        last = idg_graph_get_edge (graph, last->next_in);
      last->next_in = index;
    }
}

IdgGraphEdge *
idg_graph_add_edge (IdgGraph *graph, guint from, guint to, IdgEdgeKind kind)
{
  const IdgGraphNode *a = idg_graph_get_node (graph, from), *b = idg_graph_get_node (graph, to);
  IdgGraphEdge edge
      = { .from = from, .to = to, .kind = kind, .carrier = IDG_NO_NODE, .distance = 1 };

  if (a->node != NULL && b->node != NULL && a->program == b->program && a->index >= b->index)
    edge.carrier = find_carrier (graph, a->program, a->index, b->index);
  edge.iterations = edge.carrier != IDG_NO_NODE;
  append_edge (graph, edge);
  return idg_graph_get_edge (graph, graph->edges->len - 1);
}

IdgGraphEdge *
idg_graph_find_edge (const IdgGraph *graph, guint from, guint to, IdgEdgeKind kind,
                     const gchar *latency)
{
  for (guint i = g_array_index (graph->first_in, guint, to); i != IDG_NO_NODE;
       i = idg_graph_get_edge (graph, i)->next_in)
    {
      IdgGraphEdge *edge = idg_graph_get_edge (graph, i);

      if (edge->from == from && edge->kind == kind
          && (latency == NULL || g_strcmp0 (edge->latency, latency) == 0))
        return edge;
    }
  return NULL;
}

static guint
append_node (IdgGraph *graph, const IdgGraphNode *node)
{
  const guint none = IDG_NO_NODE;

  g_array_append_val (graph->nodes, *node);
  g_array_append_val (graph->first_in, none);
  return graph->nodes->len - 1;
}

guint
idg_graph_add_mark (IdgGraph *graph, const gchar *name)
{
  IdgGraphNode node = { .index = IDG_NO_NODE, .type = IDG_CLASS_MARK };

  node.name = idg_graph_keep (graph, name);
  return append_node (graph, &node);
}

/* ---- A program ---- */

/* Adds the instructions and barriers of a program that execute; PLACE[i] receives the index of node
 * i in the graph. */
static void
add_nodes (IdgGraph *graph, guint p, guint *place)
{
  const IdgProgram *program = get_program (graph, p);
  IdgGraphNode node = { .program = p };

  graph->first_nodes[p] = graph->nodes->len;
  for (guint i = 0; i < program->n_nodes; i++)
    {
      node.node = &program->nodes[i];
      node.index = i;
      place[i] = IDG_NO_NODE;
      if (node.node->kind == IDG_REPEAT && node.node->count == 0)
        for (; i < node.node->partner; i++)
          place[i + 1] = IDG_NO_NODE;
      else if (idg_node_executes (node.node))
        {
          node.type = find_class (node.node);
          place[i] = append_node (graph, &node);
          node.number++;
        }
    }
}

/* How many instances of node A of program P run in one iteration of CARRIER (IDG_NO_NODE: in all).
 */
static guint64
count_within (const IdgGraph *graph, guint p, guint a, guint carrier)
{
  const IdgProgram *program = get_program (graph, p);
  guint64 count = 1;

  for (guint i = graph->parents[p][a]; i != carrier && i != IDG_NO_NODE; i = graph->parents[p][i])
    count *= program->nodes[i].count;
  return count;
}

/* Adds the edge for a dependence on the instance of FROM that is DISTANCE back, unless TO never has
 * so many before it. What its last instance has before it are all of FROM but, where FROM is not
 * before TO in the program, those of the carrier's last iteration. */
static void
add_distant (IdgGraph *graph, guint from, guint to, guint distance)
{
  const IdgGraphNode *a = idg_graph_get_node (graph, from), *b = idg_graph_get_node (graph, to);
  guint carrier = find_carrier (graph, a->program, a->index, b->index);
  guint64 within = count_within (graph, a->program, a->index, carrier);
  guint64 before = count_within (graph, a->program, a->index, IDG_NO_NODE);
  guint iterations = from < to ? distance - 1 : distance;
  IdgGraphEdge *edge;

  if (before - (from < to ? 0 : within) < distance)
    return;
  edge = idg_graph_add_edge (graph, from, to, IDG_EDGE_RESULT);
  edge->distance = distance;
  if (iterations == 0 || carrier == IDG_NO_NODE || (from < to && within >= distance))
    return;
  edge->carrier = carrier;
  edge->iterations = within == 1 ? iterations : distance == 1;
}

/* Adds edges from the producers that the node at TO waits for. */
static void
add_results (IdgGraph *graph, const guint *place, guint to)
{
  const IdgNode *written = idg_graph_get_node (graph, to)->node;

  for (guint d = 0; d < written->n_after; d++)
    if (place[written->after[d]] != IDG_NO_NODE)
      add_distant (graph, place[written->after[d]], to, written->distances[d]);
}

/* Records which nodes of the stretch from FIRST on node I comes after, and returns whether there
 * are any. One that waits for an earlier instance does not come after the most recent one. */
static gboolean
note_after (const IdgGraph *graph, guint first, guint i, gboolean *has_after)
{
  gboolean some = FALSE;

  for (guint e = g_array_index (graph->first_in, guint, i); e != IDG_NO_NODE;
       e = idg_graph_get_edge (graph, e)->next_in)
    {
      const IdgGraphEdge *edge = idg_graph_get_edge (graph, e);
      guint from = edge->from;

      if (from < first || from >= i || edge->distance > 1)
        continue;
      has_after[from - first] = TRUE;
      some = TRUE;
    }
  return some;
}

/* Adds edges to the barrier or the arrive END from the stretch that begins at FIRST, which is a
 * barrier or the program's first node. HAS_AFTER[i - FIRST] says that another node of the stretch
 * comes after node i. */
static void
add_before (IdgGraph *graph, guint first, guint end, gboolean *has_after)
{
  note_after (graph, first, end, has_after);
  for (guint i = first; i < end; i++)
    if (!has_after[i - first])
      {
        idg_graph_add_edge (graph, i, end, IDG_EDGE_BARRIER);
        has_after[i - first] = TRUE;
      }
}

/* Whether what follows NODE comes after it: an arrive holds nothing up. */
static gboolean
holds (const IdgGraphNode *node)
{
  return node->node->kind == IDG_BARRIER;
}

static void
add_edges (IdgGraph *graph, const guint *place, guint first, gboolean program_order)
{
  guint end = graph->nodes->len, begin = first;
  g_autofree gboolean *has_after = g_new0 (gboolean, (gsize)(end - first) + 1);

  for (guint i = first; i < end; i++)
    {
      IdgClass type = idg_graph_get_node (graph, i)->type;

      add_results (graph, place, i);
      if (program_order && i > first)
        idg_graph_add_edge (graph, i - 1, i,
                            holds (idg_graph_get_node (graph, i - 1)) ? IDG_EDGE_BARRIER
                                                                      : IDG_EDGE_ORDER);
      if (program_order)
        continue;
      if (type == IDG_CLASS_BARRIER)
        {
          add_before (graph, begin, i, has_after + (begin - first));
          if (holds (idg_graph_get_node (graph, i)))
            begin = i;
        }
      else if (!note_after (graph, begin, i, has_after + (begin - first)) && begin < i
               && holds (idg_graph_get_node (graph, begin)))
        {
          idg_graph_add_edge (graph, begin, i, IDG_EDGE_BARRIER);
          has_after[begin - first] = TRUE;
        }
    }
}

static void
add_program (IdgGraph *graph, guint p, gboolean program_order)
{
  const IdgProgram *program = get_program (graph, p);
  g_autofree guint *place = g_new (guint, (gsize)program->n_nodes + 1);

  graph->parents[p] = find_parents (program);
  add_nodes (graph, p, place);
  add_edges (graph, place, graph->first_nodes[p], program_order);
}

IdgGraph *
idg_graph_new (const IdgKernel *kernel, guint program, gboolean program_order)
{
  IdgGraph *graph = g_new0 (IdgGraph, 1);
  guint n = kernel->programs->len;

  graph->kernel = kernel;
  graph->nodes = g_array_new (FALSE, FALSE, sizeof (IdgGraphNode));
  graph->edges = g_array_new (FALSE, FALSE, sizeof (IdgGraphEdge));
  graph->first_in = g_array_new (FALSE, FALSE, sizeof (guint));
  graph->first_nodes = g_new (guint, n);
  graph->parents = g_new0 (guint *, n);
  graph->lines = g_ptr_array_new ();
  graph->captions = g_ptr_array_new ();
  g_ptr_array_set_size (graph->captions, (gint)n);
  graph->strings = g_string_chunk_new (4096);
  for (guint p = 0; p < n; p++)
    {
      graph->first_nodes[p] = IDG_NO_NODE;
      if (program == IDG_ALL_PROGRAMS || program == p)
        add_program (graph, p, program_order);
    }
  return graph;
}

void
idg_graph_free (IdgGraph *graph)
{
  if (graph == NULL)
    return;
  for (guint p = 0; p < graph->kernel->programs->len; p++)
    g_free (graph->parents[p]);
  g_array_unref (graph->nodes);
  g_array_unref (graph->edges);
  g_array_unref (graph->first_in);
  g_free (graph->first_nodes);
  g_free (graph->parents);
  g_ptr_array_unref (graph->lines);
  g_ptr_array_unref (graph->captions);
  g_string_chunk_free (graph->strings);
  g_free (graph);
}

/* ---- Words ---- */

static void
append_ranges (GString *text, const gchar *what, const GArray *ranges)
{
  gboolean one;

  if (ranges == NULL)
    return;
  one = ranges->len == 1
        && g_array_index (ranges, IdgRange, 0).first == g_array_index (ranges, IdgRange, 0).last;
  g_string_append_printf (text, "%s%s%s", text->len > 0 ? ", " : "", what, one ? "" : "s");
  for (guint i = 0; i < ranges->len; i++)
    {
      const IdgRange *range = &g_array_index (ranges, IdgRange, i);

      g_string_append_printf (text, " %" G_GUINT64_FORMAT, range->first);
      if (range->last > range->first)
        g_string_append_printf (text, "-%" G_GUINT64_FORMAT, range->last);
    }
}

gchar *
idg_kernel_program_describe (const IdgKernelProgram *program)
{
  GString *text = g_string_new (NULL);

  append_ranges (text, "warp", program->warps);
  append_ranges (text, "block", program->blocks);
  return g_string_free (text, text->len == 0);
}
