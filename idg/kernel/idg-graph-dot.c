/* SPDX-License-Identifier: MIT */
/* Writes a graph as DOT. The drawing can also be read without colour: computation is round, memory
 * square, and a barrier has eight corners; results are solid lines, program order and barriers
 * dotted, carried edges dashed, and the critical path thick. Carried edges go back up and do not
 * affect the ranking, so that a repeat reads from top to bottom.
 *
 * For a chain of hundreds of nodes with edges that pass one another, dot takes minutes, mostly for
 * labels that have their own rank. A large graph is therefore drawn with less: its labels are
 * placed beside the edges, wherever there is room, program order is shown only on the critical
 * path, and dot optimizes for fewer rounds. */
#include "idg/kernel/idg-barriers.h"
#include "idg/kernel/idg-graph.h"

#include <string.h>

#define REPEAT_STYLE                                                                               \
  "style=\"rounded,filled\"; fillcolor=\"#f2f2f2\"; color=\"#888888\"; fontsize=12;"
#define LARGE 100    /* graphs with at least this many nodes are drawn with less */
#define MAX_TEXT 44  /* characters of a source line in a node */
#define MAX_NAME 100 /* characters of any other line */

static const struct
{
  const gchar *name, *shape, *style, *fill, *border;
} classes[] = {
  [IDG_CLASS_COMPUTATION] = { "computation", "box", "filled,rounded", "#c5e8b7", "#2e7d32" },
  [IDG_CLASS_MEMORY] = { "memory", "box", "filled", "#ffcc99", "#d9660a" },
  [IDG_CLASS_BARRIER] = { "barrier", "octagon", "filled", "#fff59d", "#b38f00" },
  [IDG_CLASS_MARK] = { "mark", "plaintext", "", "", "" },
};

/* ---- Quoting ---- */

/* Tells whether TEXT begins with what dot would interpret as a character reference: "&amp;",
 * "&#38;". */
static gboolean
is_entity (const gchar *text)
{
  gsize length = strspn (text + 1, "#0123456789"
                                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

  return length > 0 && text[1 + length] == ';';
}

/* Appends TEXT for the inside of a quoted string. */
static void
append_quoted (GString *out, const gchar *text)
{
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (out, "\\%c", *text);
    else if (*text == '\n')
      g_string_append (out, "\\n");
    else if (*text == '&' && is_entity (text))
      g_string_append (out, "&amp;");
    else
      g_string_append_c (out, *text);
}

/* Appends TEXT for the inside of an HTML-like label. There, too, "\\G" means the graph's name. */
static void
append_markup (GString *out, const gchar *text)
{
  g_autofree gchar *escaped = g_markup_escape_text (text, -1);

  for (const gchar *at = escaped; *at != '\0'; at++)
    g_string_append_printf (out, *at == '\\' ? "\\%c" : "%c", *at);
}

/* Returns TEXT, cut to at most WIDTH characters. Free with g_free(). */
static gchar *
cut (const gchar *text, glong width)
{
  g_autofree gchar *head = NULL;

  if (g_utf8_strlen (text, -1) <= width)
    return g_strdup (text);
  head = g_utf8_substring (text, 0, width - 3);
  return g_strconcat (head, "...", NULL);
}

static void
append_cut (GString *out, const gchar *text, glong width)
{
  g_autofree gchar *shown = cut (text, width);

  append_quoted (out, shown);
}

/* ---- Nodes ---- */

static void
append_op (GString *out, const IdgGraphNode *node)
{
  if (node->node->kind != IDG_INSTRUCTION)
    {
      g_autofree gchar *name = idg_node_describe (node->node);

      append_cut (out, name, MAX_NAME);
      return;
    }
  append_cut (out, node->node->op, MAX_NAME);
  if (node->node->context != NULL)
    {
      g_string_append_c (out, ' ');
      append_cut (out, node->node->context, MAX_NAME);
    }
}

static void
append_label (GString *out, const IdgGraphNode *node)
{
  if (node->node == NULL)
    append_cut (out, node->name, MAX_NAME);
  else
    {
      g_string_append_printf (out, "%u  ", node->number);
      append_op (out, node);
      if (node->node->text != NULL)
        {
          g_string_append (out, "\\n");
          append_cut (out, node->node->text, MAX_TEXT);
        }
    }
  if (node->time != NULL)
    g_string_append_printf (out, "\\nat %s", node->time);
  if (node->path != NULL)
    {
      g_string_append (out, "\\n");
      append_cut (out, node->path, MAX_TEXT);
    }
}

static void
append_node (GString *out, const IdgGraph *graph, guint i)
{
  const IdgGraphNode *node = idg_graph_get_node (graph, i);
  const gchar *name = classes[node->type].name;

  g_string_append_printf (out, "n%u [label=\"", i);
  append_label (out, node);
  g_string_append_printf (out, "\", class=\"%s%s\", shape=%s", name,
                          node->critical ? " critical" : "", classes[node->type].shape);
  if (node->type != IDG_CLASS_MARK)
    g_string_append_printf (out, ", style=\"%s\", fillcolor=\"%s\", color=\"%s\"%s",
                            classes[node->type].style, classes[node->type].fill,
                            classes[node->type].border, node->critical ? ", penwidth=2.5" : "");
  if (node->type == IDG_CLASS_BARRIER)
    g_string_append (out, ", margin=\"0.02,0.01\"");
  g_string_append (out, "];\n");
}

static void
append_indent (GString *out, guint depth)
{
  for (guint i = 0; i < depth; i++)
    g_string_append (out, "  ");
}

/* Appends the nodes of program P, with a box for each repeat. */
static void
append_nodes (GString *out, const IdgGraph *graph, guint p, guint depth)
{
  const IdgKernelProgram *named = g_ptr_array_index (graph->kernel->programs, p);
  const IdgProgram *program = named->program;
  guint next = graph->first_nodes[p];

  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT && node->count == 0)
        {
          i = node->partner;
          continue;
        }
      depth -= node->kind == IDG_END;
      append_indent (out, depth);
      if (node->kind == IDG_REPEAT)
        {
          g_string_append_printf (out, "subgraph cluster_p%u_%u { label=\"%u time%s\"; %s\n", p, i,
                                  node->count, node->count == 1 ? "" : "s", REPEAT_STYLE);
          depth++;
        }
      else if (node->kind == IDG_END)
        g_string_append (out, "}\n");
      else
        append_node (out, graph, next++);
    }
}

static void
append_program (GString *out, const IdgGraph *graph, guint p)
{
  const gchar *caption = g_ptr_array_index (graph->captions, p);

  if (graph->first_nodes[p] == IDG_NO_NODE)
    return;
  if (caption == NULL)
    {
      append_nodes (out, graph, p, 1);
      return;
    }
  g_string_append_printf (out, "  subgraph cluster_p%u { label=\"", p);
  append_cut (out, caption, MAX_NAME);
  g_string_append (out, "\"; style=\"rounded,dashed\"; color=\"#888888\"; fontsize=12;\n");
  append_nodes (out, graph, p, 2);
  g_string_append (out, "  }\n");
}

/* ---- Edges ---- */

static gboolean
is_large (const IdgGraph *graph)
{
  return graph->nodes->len > LARGE;
}

static gboolean
is_drawn (const IdgGraph *graph, const IdgGraphEdge *edge)
{
  if (edge->critical > 0)
    return TRUE;
  return !edge->implied && !(edge->kind == IDG_EDGE_ORDER && is_large (graph));
}

/* Appends "301", "6, +1, 32 times", "368, :2, +1". */
static void
append_edge_label (GString *out, const IdgGraph *graph, const IdgGraphEdge *edge)
{
  const gchar *comma = "";

  g_string_append (out, is_large (graph) ? "xlabel=\" " : "label=\" ");
  if (edge->latency != NULL)
    {
      append_quoted (out, edge->latency);
      comma = ", ";
    }
  if (edge->distance > 1)
    {
      g_string_append_printf (out, "%s:%u", comma, edge->distance);
      comma = ", ";
    }
  if (edge->iterations > 0)
    g_string_append_printf (out, "%s+%u", comma, edge->iterations);
  if (edge->critical > 1)
    g_string_append_printf (out, " \\n (%" G_GUINT64_FORMAT " times)", edge->critical);
  g_string_append (out, " \"");
}

static gboolean
has_edge_label (const IdgGraphEdge *edge)
{
  return edge->latency != NULL || edge->iterations > 0 || edge->distance > 1 || edge->critical > 1;
}

static void
append_edge (GString *out, const IdgGraph *graph, const IdgGraphEdge *edge)
{
  static const gchar *const kinds[] = { "result", "barrier", "order" };
  gboolean carried = edge->carrier != IDG_NO_NODE;
  gboolean of_mark = idg_graph_get_node (graph, edge->to)->node == NULL;

  g_string_append_printf (out, "  n%u -> n%u [", edge->from, edge->to);
  if (has_edge_label (edge))
    {
      append_edge_label (out, graph, edge);
      g_string_append (out, ", ");
    }
  g_string_append_printf (out, "class=\"%s%s%s\"", kinds[edge->kind], carried ? " carried" : "",
                          edge->critical > 0 ? " critical" : "");
  if (carried)
    g_string_append (out, ", style=dashed, constraint=false");
  else if (edge->kind != IDG_EDGE_RESULT && !of_mark)
    g_string_append_printf (out, ", style=%s", edge->critical > 0 ? "\"bold,dotted\"" : "dotted");
  /* Keeps consecutive instructions in a vertical line. */
  if (!carried && edge->from + 1 == edge->to)
    g_string_append (out, ", weight=6");
  if (edge->critical > 0)
    g_string_append (out, ", penwidth=3, color=\"#b3123a\", fontcolor=\"#b3123a\"");
  else if (edge->kind == IDG_EDGE_ORDER)
    g_string_append (out, ", color=\"#777777\", fontcolor=\"#777777\"");
  g_string_append (out, "];\n");
}

/* ---- What the lines mean ---- */

static void
append_legend (GString *out, const IdgGraph *graph)
{
  gboolean order = FALSE, barrier = FALSE, carried = FALSE, critical = FALSE, latency = FALSE;
  gboolean distant = FALSE;

  for (guint i = 0; i < graph->edges->len; i++)
    {
      const IdgGraphEdge *edge = idg_graph_get_edge (graph, i);

      if (!is_drawn (graph, edge))
        continue;
      order |= edge->kind == IDG_EDGE_ORDER
               && idg_graph_get_node (graph, edge->to)->type != IDG_CLASS_MARK;
      barrier |= edge->kind == IDG_EDGE_BARRIER;
      carried |= edge->carrier != IDG_NO_NODE;
      critical |= edge->critical > 0;
      latency |= edge->latency != NULL;
      distant |= edge->distance > 1;
    }
  g_string_append (out, "solid: waits for the result");
  if (order || barrier)
    g_string_append_printf (out, "; dotted: %s%s%s",
                            order ? is_large (graph) ? "in program order, on the critical path"
                                                     : "in program order"
                                  : "",
                            order && barrier ? ", or " : "", barrier ? "by a barrier" : "");
  if (carried)
    g_string_append (out, "<br/>dashed, +1: from one iteration to the next");
  if (distant)
    g_string_append_printf (out, "%s:2: of the second most recent instance",
                            carried ? "; " : "<br/>");
  if (critical)
    g_string_append_printf (out, "%sthick: the critical path", carried || distant ? "; " : "<br/>");
  if (latency)
    g_string_append (out, "; numbers: cycles");
}

/* Appends the title: an HTML-like label with letters of two sizes, which says what is shown and
 * what the lines mean. */
static void
append_head (GString *out, const IdgGraph *graph)
{
  g_string_append (out, "digraph \"");
  append_quoted (out, graph->kernel->name);
  g_string_append (out, "\" {\n  graph [fontname=\"Helvetica\", fontsize=14, labelloc=t, "
                        "nodesep=0.35, ranksep=0.35,\n         label=<");
  for (guint i = 0; i < graph->lines->len; i++)
    {
      g_autofree gchar *line = cut (g_ptr_array_index (graph->lines, i), MAX_NAME);

      g_string_append (out, i == 0 ? "<b>" : "");
      append_markup (out, line);
      g_string_append (out, i == 0 ? "</b><br/>" : "<br/>");
    }
  g_string_append (out, "<font point-size=\"11\" color=\"#555555\">");
  append_legend (out, graph);
  g_string_append (out, "</font><br/> >];\n"
                        "  node [fontname=\"Helvetica\", fontsize=12, margin=\"0.12,0.05\"];\n"
                        "  edge [fontname=\"Helvetica\", fontsize=11];\n");
}

void
idg_graph_write_dot (const IdgGraph *graph, GString *out)
{
  append_head (out, graph);
  g_string_append (out, "  graph [labeljust=l];\n");
  if (is_large (graph))
    g_string_append (out, "  graph [nslimit=2, mclimit=0.3];\n");
  for (guint p = 0; p < graph->kernel->programs->len; p++)
    append_program (out, graph, p);
  for (guint i = 0; i < graph->nodes->len; i++)
    if (idg_graph_get_node (graph, i)->node == NULL)
      {
        g_string_append (out, "  ");
        append_node (out, graph, i);
      }
  for (guint i = 0; i < graph->edges->len; i++)
    if (is_drawn (graph, idg_graph_get_edge (graph, i)))
      append_edge (out, graph, idg_graph_get_edge (graph, i));
  g_string_append (out, "}\n");
}
