/* SPDX-License-Identifier: MIT */
/* Writes a graph as GraphML, without nesting, because networkx does not support graphs inside
 * nodes: the repeats around a node, and how often a warp runs it, are attributes. yEd ignores
 * unknown attributes and takes shapes, colours and labels from elements of its own, which networkx
 * ignores. Nodes are placed on a grid by their longest distance from the top; any layout algorithm
 * does better, but no two nodes overlap. */
#include "idg/kernel/idg-barriers.h"
#include "idg/kernel/idg-graph.h"

static const struct
{
  const gchar *name, *shape, *fill;
} classes[] = {
  [IDG_CLASS_COMPUTATION] = { "computation", "roundrectangle", "#C5E8B7" },
  [IDG_CLASS_MEMORY] = { "memory", "rectangle", "#FFCC99" },
  [IDG_CLASS_BARRIER] = { "barrier", "octagon", "#FFF59D" },
  [IDG_CLASS_MARK] = { "mark", "ellipse", "#FFFFFF" },
};

static const struct
{
  const gchar *id, *of, *type;
} keys[] = {
  { "op", "node", "string" },       { "context", "node", "string" },
  { "text", "node", "string" },     { "class", "node", "string" },
  { "program", "node", "string" },  { "number", "node", "int" },
  { "repeats", "node", "string" },  { "count", "node", "long" },
  { "pipeline", "node", "string" }, { "issue", "node", "double" },
  { "on_path", "node", "boolean" }, { "kind", "edge", "string" },
  { "latency", "edge", "double" },  { "distance", "edge", "int" },
  { "carrier", "edge", "string" },  { "times_on_path", "edge", "long" },
  { "barrier", "node", "string" },  { "warps", "node", "int" },
  { "instance", "edge", "int" },    { "path", "node", "string" },
};

#define WIDTH 190 /* of a node; with 40 more, of a cell of the grid */
#define HEIGHT 44
#define GAP 40

/* ---- Elements ---- */

static void
append_data (GString *out, const gchar *key, const gchar *text)
{
  g_autofree gchar *escaped = NULL;

  if (text == NULL)
    return;
  escaped = g_markup_escape_text (text, -1);
  g_string_append_printf (out, "      <data key=\"%s\">%s</data>\n", key, escaped);
}

static void
append_number (GString *out, const gchar *key, guint64 number)
{
  g_string_append_printf (out, "      <data key=\"%s\">%" G_GUINT64_FORMAT "</data>\n", key,
                          number);
}

static void
append_head (GString *out, const IdgGraph *graph)
{
  g_autofree gchar *name = g_markup_escape_text (graph->kernel->name, -1);

  g_string_append (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"\n"
                        "         xmlns:y=\"http://www.yworks.com/xml/graphml\">\n");
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    g_string_append_printf (out,
                            "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                            keys[i].id, keys[i].of, keys[i].id, keys[i].type);
  g_string_append (out, "  <key id=\"kernel\" for=\"graph\" attr.name=\"kernel\" "
                        "attr.type=\"string\"/>\n"
                        "  <key id=\"shown_node\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n"
                        "  <key id=\"shown_edge\" for=\"edge\" yfiles.type=\"edgegraphics\"/>\n");
  g_string_append_printf (out,
                          "  <graph id=\"G\" edgedefault=\"directed\">\n"
                          "    <data key=\"kernel\">%s</data>\n",
                          name);
}

/* ---- Places ---- */

typedef struct
{
  guint *row, *column; /* of each node */
} Grid;

static void
grid_clear (Grid *grid)
{
  g_free (grid->row);
  g_free (grid->column);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Grid, grid_clear)

static Grid
find_places (const IdgGraph *graph)
{
  guint n = graph->nodes->len;
  Grid grid = { g_new0 (guint, (gsize)n + 1), g_new0 (guint, (gsize)n + 1) };
  g_autofree guint *filled = g_new0 (guint, (gsize)n + 1);

  for (guint i = 0; i < n; i++)
    {
      for (guint e = g_array_index (graph->first_in, guint, i); e != IDG_NO_NODE;
           e = idg_graph_get_edge (graph, e)->next_in)
        {
          guint from = idg_graph_get_edge (graph, e)->from;

          if (from < i)
            grid.row[i] = MAX (grid.row[i], grid.row[from] + 1);
        }
      grid.column[i] = filled[grid.row[i]]++;
    }
  return grid;
}

/* ---- Nodes ---- */

/* Returns "20 x 32", the repeats around NODE, outermost first. Free with g_free(). */
static gchar *
describe_repeats (const IdgGraph *graph, const IdgGraphNode *node)
{
  const IdgKernelProgram *named = g_ptr_array_index (graph->kernel->programs, node->program);
  const guint *parents = graph->parents[node->program];
  GString *text = g_string_new (NULL);

  for (guint i = parents[node->index]; i != IDG_NO_NODE; i = parents[i])
    {
      g_autofree gchar *count
          = g_strdup_printf ("%u%s", named->program->nodes[i].count, text->len > 0 ? " x " : "");

      g_string_prepend (text, count);
    }
  return g_string_free (text, text->len == 0);
}

static const gchar *
get_op (const IdgNode *node)
{
  static const gchar *const ops[] = { [IDG_BARRIER] = "bar.sync", [IDG_ARRIVE] = "bar.arrive" };

  return node->kind == IDG_INSTRUCTION ? node->op : ops[node->kind];
}

static void
append_instruction (GString *out, const IdgGraph *graph, const IdgGraphNode *node)
{
  const IdgKernelProgram *named = g_ptr_array_index (graph->kernel->programs, node->program);
  g_autofree gchar *repeats = describe_repeats (graph, node);

  append_data (out, "op", get_op (node->node));
  append_data (out, "context", node->node->context);
  append_data (out, "text", node->node->text);
  append_data (out, "program", named->name);
  append_number (out, "number", node->number);
  append_data (out, "repeats", repeats);
  append_number (out, "count", idg_graph_count (graph, node));
  append_data (out, "barrier", node->node->name);
  if (node->node->warps > 0)
    append_number (out, "warps", node->node->warps);
}

static void
append_shown_node (GString *out, const IdgGraphNode *node, guint row, guint column)
{
  g_autofree gchar *described = NULL;
  const gchar *name = node->node != NULL ? node->node->op : node->name;
  g_autofree gchar *label = NULL;

  if (node->node != NULL && node->node->op == NULL)
    name = described = idg_node_describe (node->node);
  label = g_markup_escape_text (name, -1);
  g_string_append_printf (
      out,
      "      <data key=\"shown_node\"><y:ShapeNode><y:Geometry x=\"%u\" y=\"%u\" width=\"%u\" "
      "height=\"%u\"/><y:Fill color=\"%s\"/><y:BorderStyle color=\"#000000\" width=\"%u\"/>"
      "<y:NodeLabel>%s</y:NodeLabel><y:Shape type=\"%s\"/></y:ShapeNode></data>\n",
      column * (WIDTH + GAP), row * (HEIGHT + GAP), WIDTH, HEIGHT, classes[node->type].fill,
      node->critical ? 3 : 1, label, classes[node->type].shape);
}

static void
append_node (GString *out, const IdgGraph *graph, guint i, const Grid *grid)
{
  const IdgGraphNode *node = idg_graph_get_node (graph, i);

  g_string_append_printf (out, "    <node id=\"n%u\">\n", i);
  if (node->node != NULL)
    append_instruction (out, graph, node);
  else
    append_data (out, "text", node->name);
  append_data (out, "class", classes[node->type].name);
  append_data (out, "pipeline", node->unit);
  append_data (out, "path", node->path);
  append_data (out, "issue", node->time);
  append_data (out, "on_path", node->critical ? "true" : "false");
  append_shown_node (out, node, grid->row[i], grid->column[i]);
  g_string_append (out, "    </node>\n");
}

/* ---- Edges ---- */

static void
append_carrier (GString *out, const IdgGraph *graph, const IdgGraphEdge *edge)
{
  guint p = idg_graph_get_node (graph, edge->from)->program;
  const IdgKernelProgram *named = g_ptr_array_index (graph->kernel->programs, p);
  const IdgNode *repeat = &named->program->nodes[edge->carrier];
  g_autofree gchar *text = NULL;

  if (repeat->line > 0)
    text = g_strdup_printf ("%u times, line %d", repeat->count, repeat->line);
  else
    text = g_strdup_printf ("%u times", repeat->count);
  append_data (out, "carrier", text);
}

/* Appends "368, :2, +1": the latency, the distance, the iterations. */
static void
append_label (GString *out, const IdgGraphEdge *edge)
{
  const gchar *comma = "";

  if (edge->latency == NULL && edge->iterations == 0 && edge->distance == 1)
    return;
  g_string_append (out, "<y:EdgeLabel>");
  if (edge->latency != NULL)
    {
      g_string_append (out, edge->latency);
      comma = ", ";
    }
  if (edge->distance > 1)
    {
      g_string_append_printf (out, "%s:%u", comma, edge->distance);
      comma = ", ";
    }
  if (edge->iterations > 0)
    g_string_append_printf (out, "%s+%u", comma, edge->iterations);
  g_string_append (out, "</y:EdgeLabel>");
}

static void
append_shown_edge (GString *out, const IdgGraphEdge *edge)
{
  gboolean carried = edge->carrier != IDG_NO_NODE;
  const gchar *style = edge->kind == IDG_EDGE_RESULT ? "line" : "dotted";

  g_string_append_printf (out,
                          "      <data key=\"shown_edge\"><y:PolyLineEdge><y:LineStyle "
                          "color=\"%s\" type=\"%s\" width=\"%u\"/><y:Arrows source=\"none\" "
                          "target=\"standard\"/>",
                          edge->critical > 0 ? "#B3123A" : "#333333", carried ? "dashed" : style,
                          edge->critical > 0 ? 3 : 1);
  append_label (out, edge);
  g_string_append (out, "</y:PolyLineEdge></data>\n");
}

static void
append_edge (GString *out, const IdgGraph *graph, guint i)
{
  static const gchar *const kinds[] = { "result", "barrier", "order" };
  const IdgGraphEdge *edge = idg_graph_get_edge (graph, i);

  g_string_append_printf (out, "    <edge id=\"e%u\" source=\"n%u\" target=\"n%u\">\n", i,
                          edge->from, edge->to);
  append_data (out, "kind", kinds[edge->kind]);
  append_data (out, "latency", edge->latency);
  append_number (out, "distance", edge->iterations);
  if (edge->carrier != IDG_NO_NODE)
    append_carrier (out, graph, edge);
  append_number (out, "times_on_path", edge->critical);
  if (edge->distance > 1)
    append_number (out, "instance", edge->distance);
  append_shown_edge (out, edge);
  g_string_append (out, "    </edge>\n");
}

void
idg_graph_write_graphml (const IdgGraph *graph, GString *out)
{
  g_auto (Grid) grid = find_places (graph);

  append_head (out, graph);
  for (guint i = 0; i < graph->nodes->len; i++)
    append_node (out, graph, i, &grid);
  for (guint i = 0; i < graph->edges->len; i++)
    append_edge (out, graph, i);
  g_string_append (out, "  </graph>\n</graphml>\n");
}
