/* SPDX-License-Identifier: MIT */
/* The critical path is a list of steps with groups that repeat (sim/bounds/wp-bounds.h); the graph
 * has each instruction once. Two successive steps are an edge of the graph, and so are the last and
 * the first step of a group. An edge is added where the graph has none: where the path goes through
 * a barrier into another program, or in dataflow order from one issue to the next. */
#include "cli/show/show.h"

/* ---- Latencies and times ---- */

static const gchar *
keep_ticks (IdgGraph *graph, const WpShown *shown, WpTick ticks)
{
  gchar text[WP_TIME_CHARS];

  return idg_graph_keep (graph,
                         wp_tick_format (ticks, shown->bounds->machine->ticks_per_cycle, text));
}

static guint32
get_instr_index (const WpShown *shown, const IdgGraphNode *node)
{
  return wp_resolved_find_instr (shown->resolved, node->program, node->number);
}

/* "lsu > l2 > memory". */
static const gchar *
keep_path (IdgGraph *graph, const WpMachine *machine, const WpInstr *instr)
{
  g_autoptr (GString) path = g_string_new (machine->pipelines[instr->cost->pipeline].name);

  for (guint32 i = 0; i < instr->cost->n_passes; i++)
    g_string_append_printf (
        path, " > %s",
        machine->pipelines[machine->passes[instr->cost->first_pass + i].pipeline].name);
  return idg_graph_keep (graph, path->str);
}

static void
fill_node (IdgGraph *graph, const WpShown *shown, IdgGraphNode *node)
{
  const WpMachine *machine = shown->bounds->machine;
  guint32 index = get_instr_index (shown, node);
  const WpInstr *instr = &machine->instrs[index];
  WpTick time = shown->bounds->firsts[index].time;

  if (time >= 0)
    node->time = keep_ticks (graph, shown, time);
  if (instr->cost->pipeline == WP_NO_PIPELINE)
    return;
  node->unit = idg_graph_keep (graph, machine->pipelines[instr->cost->pipeline].name);
  if (instr->cost->n_passes > 0)
    node->path = keep_path (graph, machine, instr);
  if (wp_instr_is_on_memory (machine, instr))
    node->type = IDG_CLASS_MEMORY;
}

/* The latency of EDGE, which carries no result. In dataflow order a barrier waits until what comes
 * before it is complete. */
static WpTick
get_order_latency (const IdgGraph *graph, const WpShown *shown, const IdgGraphEdge *edge)
{
  const WpMachine *machine = shown->bounds->machine;
  const IdgGraphNode *from = idg_graph_get_node (graph, edge->from);
  const IdgGraphNode *to = idg_graph_get_node (graph, edge->to);

  if (edge->kind == IDG_EDGE_ORDER)
    return shown->bounds->firsts[get_instr_index (shown, to)].paired ? 0 : machine->ilp_latency;
  if (from->node->kind == IDG_BARRIER)
    return machine->barrier_latency;
  return machine->instrs[get_instr_index (shown, from)].cost->completion;
}

/* Whether node TO waits for the most recent instance of FROM. */
static gboolean
has_result (const IdgGraph *graph, guint from, guint to)
{
  for (guint e = g_array_index (graph->first_in, guint, to); e != IDG_NO_NODE;
       e = idg_graph_get_edge (graph, e)->next_in)
    {
      const IdgGraphEdge *edge = idg_graph_get_edge (graph, e);

      if (edge->from == from && edge->kind == IDG_EDGE_RESULT && edge->distance == 1)
        return TRUE;
    }
  return FALSE;
}

/* Fills in the edges to node I. LATENCIES is scratch space, by instruction of the machine. */
static void
fill_edges (IdgGraph *graph, const WpShown *shown, guint i, WpTick *latencies)
{
  const WpMachine *machine = shown->bounds->machine;
  const WpInstr *instr = &machine->instrs[get_instr_index (shown, idg_graph_get_node (graph, i))];

  for (guint32 d = 0; d < instr->n_deps; d++)
    latencies[machine->deps[instr->first_dep + d].producer]
        = machine->deps[instr->first_dep + d].latency;
  for (guint e = g_array_index (graph->first_in, guint, i); e != IDG_NO_NODE;
       e = idg_graph_get_edge (graph, e)->next_in)
    {
      IdgGraphEdge *edge = idg_graph_get_edge (graph, e);
      WpTick result = latencies[get_instr_index (shown, idg_graph_get_node (graph, edge->from))];
      WpTick order = edge->kind == IDG_EDGE_RESULT ? 0 : get_order_latency (graph, shown, edge);

      edge->latency = keep_ticks (graph, shown, edge->kind == IDG_EDGE_RESULT ? result : order);
      edge->implied
          = edge->kind == IDG_EDGE_ORDER && order <= result && has_result (graph, edge->from, i);
    }
}

/* ---- The critical path ---- */

typedef struct
{
  IdgGraph *graph;
  const WpShown *shown;
} Path;

/* The node of a step; IDG_NO_NODE where its program is not shown. */
static guint
find_node (const Path *path, const WpPathItem *item)
{
  guint32 program = path->shown->bounds->segments[item->segment].program;
  guint first = path->graph->first_nodes[program];

  if (first == IDG_NO_NODE)
    return IDG_NO_NODE;
  return first + wp_resolved_get_number (path->shown->resolved, item->instr);
}

static IdgEdgeKind
get_kind (const IdgGraph *graph, const WpPathItem *item, guint from, guint to)
{
  gboolean barrier = idg_graph_get_node (graph, from)->node->kind == IDG_BARRIER
                     || item->edge == WP_EDGE_BARRIER;

  if (item->edge == WP_EDGE_DEPENDENCY)
    return idg_graph_find_edge (graph, from, to, IDG_EDGE_RESULT, NULL) != NULL ? IDG_EDGE_RESULT
                                                                                : IDG_EDGE_BARRIER;
  return barrier ? IDG_EDGE_BARRIER : IDG_EDGE_ORDER;
}

/* Counts that the path takes the edge from node FROM to the step ITEM another TIMES times. */
static void
mark_edge (const Path *path, guint from, const WpPathItem *item, guint64 times)
{
  guint to = find_node (path, item);
  const gchar *latency = keep_ticks (path->graph, path->shown, item->length);
  IdgEdgeKind kind;
  IdgGraphEdge *edge;

  if (from == IDG_NO_NODE || to == IDG_NO_NODE || times == 0)
    return;
  kind = get_kind (path->graph, item, from, to);
  edge = idg_graph_find_edge (path->graph, from, to, kind, latency);
  if (edge == NULL)
    {
      edge = idg_graph_add_edge (path->graph, from, to, kind);
      edge->latency = latency;
    }
  edge->critical += times;
}

static const WpPathItem *
get_first_step (const WpPathItem *item)
{
  while (item->n_items > 0)
    item++;
  return item;
}

/* Marks items FROM .. TO - 1, which are repeated TIMES times, each time after node BEFORE
 * (IDG_NO_NODE: the caller marks that edge). Returns the last item's node. */
static guint
mark_items (const Path *path, guint32 from, guint32 to, guint before, guint64 times)
{
  for (guint32 i = from; i < to; i++)
    {
      const WpPathItem *item = &path->shown->bounds->path[i];
      guint last;

      if (item->n_items == 0)
        {
          guint node = find_node (path, item);

          mark_edge (path, before, item, times);
          if (node != IDG_NO_NODE)
            idg_graph_get_node (path->graph, node)->critical = TRUE;
          before = node;
          continue;
        }
      last = mark_items (path, i + 1, i + 1 + item->n_items, IDG_NO_NODE, times * item->times);
      mark_edge (path, before, get_first_step (item), times);
      mark_edge (path, last, get_first_step (item), times * (item->times - 1));
      before = last;
      i += item->n_items;
    }
  return before;
}

/* Marks the path from its LAST step to the end of the warp, and on to the next block. */
static void
add_end (IdgGraph *graph, const WpShown *shown, guint last)
{
  const WpMachine *machine = shown->bounds->machine;
  const WpBounds *bounds = shown->bounds;
  WpTick end = bounds->segments[bounds->slowest].latency;
  guint before = last;

  for (guint i = 0; i < (machine->launch_latency > 0 ? 2u : 1u); i++)
    {
      guint mark
          = idg_graph_add_mark (graph, i == 0 ? "end of the warp" : "start of the next block");
      IdgGraphEdge *edge = idg_graph_add_edge (graph, before, mark, IDG_EDGE_ORDER);

      edge->latency
          = keep_ticks (graph, shown, i == 0 ? bounds->completion : machine->launch_latency);
      edge->critical = 1;
      idg_graph_get_node (graph, mark)->time
          = keep_ticks (graph, shown, i == 0 ? end : end + machine->launch_latency);
      idg_graph_get_node (graph, mark)->critical = TRUE;
      before = mark;
    }
}

static void
mark_path (IdgGraph *graph, const WpShown *shown)
{
  const Path path = { graph, shown };
  guint last = mark_items (&path, 0, shown->bounds->n_path, IDG_NO_NODE, 1);

  if (last != IDG_NO_NODE)
    add_end (graph, shown, last);
}

/* ---- Headings ---- */

static void
add_line (IdgGraph *graph, const gchar *line)
{
  g_ptr_array_add (graph->lines, (gpointer)idg_graph_keep (graph, line));
}

/* "program loader, warps 0", or NULL where the only program has no name. Free with g_free(). */
static gchar *
describe_program (const IdgGraph *graph, guint p)
{
  const IdgKernelProgram *program = g_ptr_array_index (graph->kernel->programs, p);
  g_autofree gchar *who = idg_kernel_program_describe (program);
  g_autofree gchar *name = NULL;

  if (graph->kernel->programs->len == 1 && program->name == NULL)
    return NULL;
  name = program->name != NULL ? g_strdup_printf ("program %s", program->name)
                               : g_strdup_printf ("program %u", p + 1);
  return who != NULL ? g_strdup_printf ("%s: %s", name, who) : g_steal_pointer (&name);
}

void
wp_show_fill_plain (IdgGraph *graph)
{
  const IdgKernel *kernel = graph->kernel;
  g_autofree gchar *head = NULL;

  if (graph->lines->len == 0)
    {
      head = kernel->title != NULL ? g_strdup_printf ("%s: %s", kernel->name, kernel->title)
                                   : g_strdup (kernel->name);
      add_line (graph, head);
    }
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      g_autofree gchar *caption = describe_program (graph, p);

      if (caption != NULL)
        g_ptr_array_index (graph->captions, p) = (gpointer)idg_graph_keep (graph, caption);
    }
}

static void
add_head (IdgGraph *graph, const WpShown *shown)
{
  const WpMachine *machine = shown->bounds->machine;
  const WpBounds *bounds = shown->bounds;
  const gchar *end = keep_ticks (graph, shown, bounds->segments[bounds->slowest].latency);
  const gchar *whole = keep_ticks (
      graph, shown, bounds->segments[bounds->slowest].latency + machine->launch_latency);
  g_autofree gchar *head = NULL;
  g_autofree gchar *path = NULL;

  head = g_strdup_printf ("%s on %s, %s order", graph->kernel->name, shown->gpu->name,
                          machine->dataflow ? "dataflow" : "program");
  add_line (graph, head);
  if (graph->kernel->title != NULL)
    add_line (graph, graph->kernel->title);
  if (graph->first_nodes[bounds->segments[bounds->slowest].program] == IDG_NO_NODE)
    path = g_strdup_printf ("the critical path, of %s cycles, ends in another program", whole);
  else if (machine->launch_latency == 0)
    path = g_strdup_printf ("critical path: %s cycles", whole);
  else
    path = g_strdup_printf ("critical path: %s cycles (%s of the warp, %s until its block is "
                            "replaced)",
                            whole, end, keep_ticks (graph, shown, machine->launch_latency));
  add_line (graph, path);
}

void
wp_show_fill (IdgGraph *graph, const WpShown *shown)
{
  g_autofree WpTick *latencies = g_new0 (WpTick, (gsize)shown->resolved->machine.n_instrs + 1);

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      fill_node (graph, shown, idg_graph_get_node (graph, i));
      fill_edges (graph, shown, i, latencies);
    }
  mark_path (graph, shown);
  add_head (graph, shown);
  wp_show_fill_plain (graph);
}
