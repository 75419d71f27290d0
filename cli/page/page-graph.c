/* SPDX-License-Identifier: MIT */
/* The nodes of each program in order, each with the nodes that it waits for. The critical path of
 * the bounds is marked; for a group of steps that repeats, so is the way from its last step back to
 * its first. */
#include "cli/page/page.h"

#define MAX_NODES 400 /* of all programs: more than that nobody will look through */
#define NONE G_MAXUINT32

typedef struct
{
  const WpBoundsReport *report;
  GHashTable *critical; /* instructions on the path, and (producer + 1) x 2^32 + consumer */
  guint32 *node_of;     /* [machine.n_instrs] its place in its program's nodes */
} Graph;

static guint64 *
make_key (guint32 producer, guint32 consumer)
{
  guint64 key = ((guint64)(producer + 1) << 32) + consumer;

  return g_memdup2 (&key, sizeof key);
}

static void
mark (Graph *graph, guint32 before, const WpPathItem *item)
{
  g_hash_table_add (graph->critical, make_key (NONE, item->instr));
  if (item->edge == WP_EDGE_DEPENDENCY && before != NONE)
    g_hash_table_add (graph->critical, make_key (before, item->instr));
}

static guint32
find_first_step (const WpBounds *bounds, guint32 i)
{
  while (bounds->path[i].n_items > 0)
    i++;
  return i;
}

/* Items FROM .. TO - 1, which come after instruction BEFORE; returns their last instruction. */
static guint32
mark_items (Graph *graph, guint32 from, guint32 to, guint32 before)
{
  const WpBounds *bounds = graph->report->bounds;

  for (guint32 i = from; i < to; i++)
    {
      const WpPathItem *item = &bounds->path[i];

      if (item->n_items == 0)
        {
          mark (graph, before, item);
          before = item->instr;
          continue;
        }
      before = mark_items (graph, i + 1, i + 1 + item->n_items, before);
      mark (graph, before, &bounds->path[find_first_step (bounds, i)]);
      i += item->n_items;
    }
  return before;
}

static gboolean
is_critical (const Graph *graph, guint32 producer, guint32 consumer)
{
  guint64 key = ((guint64)(producer + 1) << 32) + consumer;

  return g_hash_table_contains (graph->critical, &key);
}

static void
write_ticks (WpJson *json, const Graph *graph, const gchar *name, WpTick ticks)
{
  gchar text[WP_TIME_CHARS];

  wp_json_literal (json, name,
                   wp_tick_format (ticks, graph->report->bounds->machine->ticks_per_cycle, text));
}

/* What INSTR, at NODE of its program, waits for. */
static void
write_dependences (WpJson *json, const Graph *graph, guint32 instr, guint32 node)
{
  const WpMachine *machine = graph->report->bounds->machine;

  wp_json_begin (json, "after", '[');
  for (guint32 i = 0; i < machine->instrs[instr].n_deps; i++)
    {
      const WpDep *dep = &machine->deps[machine->instrs[instr].first_dep + i];
      guint32 producer = graph->node_of[dep->producer];
      guint32 distance = dep->value - machine->instrs[dep->producer].value + 1;

      if (machine->instrs[dep->producer].cost->mix_place > 0)
        continue; /* the same dependence as on the first of the mix */
      wp_json_begin (json, NULL, '{');
      wp_json_unsigned (json, "node", producer);
      write_ticks (json, graph, "cycles", dep->latency);
      wp_json_boolean (json, "carried", producer >= node);
      if (distance > 1)
        wp_json_unsigned (json, "distance", distance);
      wp_json_boolean (json, "critical", is_critical (graph, dep->producer, instr));
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_instruction (WpJson *json, const Graph *graph, const IdgNode *node, guint32 instr,
                   guint32 index)
{
  const WpMachine *machine = graph->report->bounds->machine;
  const WpInstr *what = &machine->instrs[instr];

  wp_json_unsigned (json, "instr", instr);
  if (node->name != NULL)
    {
      g_autofree gchar *op
          = g_strdup_printf ("%s %s", machine->names[what->cost->name], node->name);

      wp_json_string (json, "op", op);
    }
  else
    wp_json_string (json, "op", machine->names[what->cost->name]);
  if (node->context != NULL)
    wp_json_string (json, "context", node->context);
  if (node->text != NULL)
    wp_json_string (json, "text", node->text);
  if (what->cost->pipeline != WP_NO_PIPELINE)
    {
      wp_json_unsigned (json, "pipeline", what->cost->pipeline);
      write_ticks (json, graph, "issue", what->cost->issue);
      write_ticks (json, graph, "completion", what->cost->completion);
    }
  wp_json_boolean (json, "critical", is_critical (graph, NONE, instr));
  write_dependences (json, graph, instr, index);
}

/* Whether instruction INSTR of the machine was made from NODE; not all nodes have an
 * instruction. */
static gboolean
is_of (const Graph *graph, guint32 instr, const IdgNode *node)
{
  const WpResolved *resolved = graph->report->resolved;

  return instr < resolved->machine.n_instrs && resolved->nodes[instr] == node;
}

static void
write_node (WpJson *json, const Graph *graph, const IdgNode *node, guint32 instr, guint32 index)
{
  static const gchar *const kinds[] = { [IDG_INSTRUCTION] = "instruction",
                                        [IDG_BARRIER] = "barrier",
                                        [IDG_ARRIVE] = "arrive",
                                        [IDG_REPEAT] = "repeat",
                                        [IDG_END] = "end" };

  wp_json_begin (json, NULL, '{');
  wp_json_string (json, "kind", kinds[node->kind]);
  if (node->kind == IDG_REPEAT)
    wp_json_unsigned (json, "count", node->count);
  else if (is_of (graph, instr, node))
    write_instruction (json, graph, node, instr, index);
  else if (node->op != NULL)
    wp_json_string (json, "op", node->op);
  wp_json_end (json, '}');
}

/* Finds the place of each instruction of the machine among its program's nodes. */
static void
find_places (Graph *graph)
{
  const WpResolved *resolved = graph->report->resolved;

  graph->node_of = g_new0 (guint32, resolved->machine.n_instrs + 1);
  for (guint32 p = 0; p < resolved->machine.n_programs; p++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (graph->report->kernel->programs, p);
      guint32 instr = resolved->machine.programs[p].first_instr;

      for (guint32 i = 0; i < program->program->n_nodes; i++)
        if (is_of (graph, instr, &program->program->nodes[i]))
          {
            graph->node_of[instr] = i;
            instr += wp_instr_count_contexts (&resolved->machine.instrs[instr]);
          }
    }
}

/* Writes at most LEFT nodes; returns how many are left. */
static guint32
write_program (WpJson *json, const Graph *graph, guint32 p, guint32 left)
{
  const IdgKernelProgram *program = g_ptr_array_index (graph->report->kernel->programs, p);
  const IdgProgram *nodes = program->program;
  guint32 instr = graph->report->resolved->machine.programs[p].first_instr;
  guint32 n = MIN (nodes->n_nodes, left);

  wp_json_begin (json, NULL, '{');
  if (program->name != NULL)
    wp_json_string (json, "name", program->name);
  wp_json_unsigned (json, "n_nodes", nodes->n_nodes);
  wp_json_begin (json, "nodes", '[');
  for (guint32 i = 0; i < n; i++)
    {
      write_node (json, graph, &nodes->nodes[i], instr, i);
      if (is_of (graph, instr, &nodes->nodes[i]))
        instr += wp_instr_count_contexts (&graph->report->resolved->machine.instrs[instr]);
    }
  wp_json_end (json, ']');
  wp_json_end (json, '}');
  return left - n;
}

void
wp_page_write_graph (WpJson *json, const WpBoundsReport *report)
{
  Graph graph = { .report = report };
  guint32 left = MAX_NODES;

  graph.critical = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  mark_items (&graph, 0, report->bounds->n_path, NONE);
  find_places (&graph);
  wp_json_begin (json, "graph", '[');
  for (guint32 p = 0; p < report->resolved->machine.n_programs && left > 0; p++)
    left = write_program (json, &graph, p, left);
  wp_json_end (json, ']');
  g_hash_table_unref (graph.critical);
  g_free (graph.node_of);
}
