/* SPDX-License-Identifier: MIT */
/* The graph as a listing: a line for each instruction, in program order, with those that it
 * depends on. That a warp issues its instructions in order is said once, at the end; a line
 * mentions it only where the critical path follows such an edge. */
#include "cli/show/show.h"

#include "idg/kernel/idg-barriers.h"

#include <stdio.h>
#include <string.h>

#define OP_WIDTH 40    /* of an op and its context: longer ones are cut */
#define AFTER_WIDTH 44 /* of what it depends on: more continues in the next line */
#define MAX_INDENT 8   /* repeats; deeper ones get the same indent */

typedef struct
{
  const IdgGraph *graph;
  const WpShown *shown; /* or NULL */
  const WpTextStyle *style;
  GString *out;
  gint times, numbers, ops, units, afters; /* widths of columns */
} Listing;

/* ---- Cells ---- */

static gchar *
describe_op (const IdgGraphNode *node)
{
  g_autofree gchar *name = idg_node_describe (node->node);

  return wp_text_cut (name, OP_WIDTH);
}

static const gchar *
get_unit (const Listing *listing, const IdgGraphNode *node)
{
  static const gchar *const classes[] = { "computation", "memory", "barrier", "" };

  if (listing->shown == NULL)
    return classes[node->type];
  if (node->path != NULL)
    return node->path;
  return node->unit != NULL ? node->unit : "";
}

/* "*2 (9)", "0 (368, +1)", "0:2 (368, +1)". */
static void
append_after (GString *text, const Listing *listing, const IdgGraphEdge *edge)
{
  static const gchar *const kinds[] = { NULL, "barrier", "in order" };
  const IdgGraphNode *from = idg_graph_get_node (listing->graph, edge->from);
  const IdgGraphNode *to = idg_graph_get_node (listing->graph, edge->to);
  const gchar *kind = listing->shown != NULL ? kinds[edge->kind] : NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *joined = NULL;

  if (edge->latency != NULL)
    g_ptr_array_add (words, g_strdup (edge->latency));
  if (edge->iterations > 0)
    g_ptr_array_add (words, g_strdup_printf ("+%u", edge->iterations));
  if (kind != NULL)
    g_ptr_array_add (words, g_strdup (kind));
  if (edge->critical > 1)
    g_ptr_array_add (words, g_strdup_printf ("%" G_GUINT64_FORMAT " times", edge->critical));
  if (to->node != NULL && from->program != to->program)
    g_ptr_array_add (words, g_strdup_printf ("of program %u", from->program + 1));
  g_ptr_array_add (words, NULL);
  joined = g_strjoinv (", ", (gchar **)words->pdata);
  g_string_append_printf (text, "%s%u", edge->critical > 0 ? "*" : "", from->number);
  if (edge->distance > 1)
    g_string_append_printf (text, ":%u", edge->distance);
  if (*joined != '\0')
    g_string_append_printf (text, " (%s)", joined);
}

static gboolean
is_listed (const IdgGraphEdge *edge)
{
  return edge->kind != IDG_EDGE_ORDER || edge->critical > 0;
}

/* What node I depends on, in lines of at most AFTER_WIDTH where that is possible. Free with
 * g_strfreev(). */
static gchar **
describe_after (const Listing *listing, guint i)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  GString *line = g_string_new (NULL);

  for (guint e = g_array_index (listing->graph->first_in, guint, i); e != IDG_NO_NODE;
       e = idg_graph_get_edge (listing->graph, e)->next_in)
    {
      const IdgGraphEdge *edge = idg_graph_get_edge (listing->graph, e);
      g_autoptr (GString) one = g_string_new (NULL);

      if (!is_listed (edge))
        continue;
      append_after (one, listing, edge);
      if (line->len > 0)
        g_string_append_c (line, ',');
      if (line->len > 0 && line->len + 1 + one->len > AFTER_WIDTH)
        {
          g_ptr_array_add (lines, g_string_free (line, FALSE));
          line = g_string_new (NULL);
        }
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", one->str);
    }
  g_ptr_array_add (lines, g_string_free (line, FALSE));
  g_ptr_array_add (lines, NULL);
  return (gchar **)g_ptr_array_free (g_steal_pointer (&lines), FALSE);
}

/* ---- Columns ---- */

static gint
get_length (const gchar *text)
{
  return text != NULL ? (gint)g_utf8_strlen (text, -1) : 0;
}

static void
widen (gint *width, gint other)
{
  *width = MAX (*width, other);
}

static gint
get_indent (guint depth)
{
  return 3 * (gint)MIN (depth, MAX_INDENT);
}

static guint
get_depth (const IdgGraph *graph, const IdgGraphNode *node)
{
  const guint *parents = graph->parents[node->program];
  guint depth = 0;

  for (guint i = parents[node->index]; i != IDG_NO_NODE; i = parents[i])
    depth++;
  return depth;
}

static void
measure (Listing *listing)
{
  const IdgGraph *graph = listing->graph;
  guint most = 0;

  for (guint i = 0; i < graph->nodes->len; i++)
    if (idg_graph_get_node (graph, i)->node != NULL)
      most = MAX (most, idg_graph_get_node (graph, i)->number);
  listing->numbers = most < 10 ? 1 : (gint)snprintf (NULL, 0, "%u", most);
  listing->times = listing->shown != NULL ? (gint)strlen ("issue") + 2 : 0;
  listing->units = (gint)strlen (listing->shown != NULL ? "pipeline" : "class");
  listing->ops = (gint)strlen ("instruction");
  listing->afters = (gint)strlen ("after");
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const IdgGraphNode *node = idg_graph_get_node (graph, i);
      g_auto (GStrv) after = describe_after (listing, i);
      g_autofree gchar *op = NULL;

      widen (&listing->times, get_length (node->time));
      if (node->node == NULL)
        continue;
      op = describe_op (node);
      widen (&listing->ops,
             get_indent (get_depth (graph, node)) + listing->numbers + 2 + get_length (op));
      widen (&listing->units, get_length (get_unit (listing, node)));
      for (guint k = 0; after[k] != NULL; k++)
        widen (&listing->afters, get_length (after[k]));
    }
}

/* ---- Lines ---- */

/* TEXT, and blanks up to WIDTH. */
static void
put (Listing *listing, const gchar *text, gint width)
{
  g_string_append_printf (listing->out, "%s%*s", text, MAX (width - get_length (text), 0), "");
}

static void
end_line (Listing *listing)
{
  while (listing->out->len > 0 && listing->out->str[listing->out->len - 1] == ' ')
    g_string_truncate (listing->out, listing->out->len - 1);
  g_string_append_c (listing->out, '\n');
}

static void
begin_line (Listing *listing, const gchar *time, gboolean critical)
{
  if (listing->shown == NULL)
    g_string_append (listing->out, "  ");
  else
    g_string_append_printf (listing->out, "  %s %*s  ", critical ? "*" : " ", listing->times,
                            time != NULL ? time : "");
}

static gint
put_indent (Listing *listing, guint depth)
{
  for (guint i = 0; i < MIN (depth, MAX_INDENT); i++)
    g_string_append (listing->out, "|  ");
  return get_indent (depth);
}

static const gchar *
get_colour (const Listing *listing, const IdgGraphNode *node)
{
  static const gchar *const colours[] = { "\033[32m", "\033[38;5;208m", "\033[33m", "" };

  return listing->style->colour ? colours[node->type] : "";
}

/* The columns after that of the op. The first line of an instruction also has the unit and, where
 * there is room, TEXT. */
static void
put_after (Listing *listing, const IdgGraphNode *node, gchar **after)
{
  gint before = 2 + (listing->shown != NULL ? listing->times + 4 : 0) + listing->ops + 2
                + listing->units + 2;
  gint room = WP_TEXT_WIDTH - before - listing->afters - 2;
  g_autofree gchar *text = NULL;

  put (listing, get_unit (listing, node), listing->units + 2);
  put (listing, after[0], listing->afters + 2);
  if (node->node->text != NULL && room >= 8)
    {
      text = wp_text_cut (node->node->text, room);
      g_string_append_printf (listing->out, "%s%s%s", listing->style->dim, text,
                              listing->style->plain);
    }
  end_line (listing);
  for (guint k = 1; after[0] != NULL && after[k] != NULL; k++)
    g_string_append_printf (listing->out, "%*s%s\n", before, "", after[k]);
}

static void
put_node (Listing *listing, guint i, guint depth)
{
  const IdgGraphNode *node = idg_graph_get_node (listing->graph, i);
  g_auto (GStrv) after = describe_after (listing, i);
  g_autofree gchar *op = describe_op (node);
  gint indent;

  begin_line (listing, node->time, node->critical);
  indent = put_indent (listing, depth);
  g_string_append_printf (listing->out, "%*u  %s%s", listing->numbers, node->number,
                          get_colour (listing, node), node->critical ? listing->style->bold : "");
  put (listing, op, 0);
  g_string_append_printf (listing->out, "%s%*s", listing->style->plain,
                          listing->ops + 2 - indent - listing->numbers - 2 - get_length (op), "");
  put_after (listing, node, after);
}

static void
put_repeat (Listing *listing, const IdgNode *node, guint depth)
{
  begin_line (listing, NULL, FALSE);
  put_indent (listing, depth);
  g_string_append_printf (listing->out, "%s%u time%s%s%s\n", listing->style->bold, node->count,
                          node->count == 1 ? "" : "s", node->count == 0 ? ": never runs" : ":",
                          listing->style->plain);
}

static void
put_program (Listing *listing, guint p)
{
  const IdgKernelProgram *named = g_ptr_array_index (listing->graph->kernel->programs, p);
  const IdgProgram *program = named->program;
  const gchar *caption = g_ptr_array_index (listing->graph->captions, p);
  guint next = listing->graph->first_nodes[p], depth = 0;

  if (next == IDG_NO_NODE)
    return;
  if (caption != NULL)
    g_string_append_printf (listing->out, "\n%s%s%s\n", listing->style->bold, caption,
                            listing->style->plain);
  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT)
        put_repeat (listing, node, depth++);
      if (node->kind == IDG_REPEAT && node->count == 0)
        i = node->partner;
      if (program->nodes[i].kind == IDG_END)
        depth--;
      else if (idg_node_executes (&program->nodes[i]))
        put_node (listing, next++, depth);
    }
  if (program->n_nodes == 0)
    g_string_append (listing->out, "  (empty)\n");
}

static void
put_marks (Listing *listing)
{
  for (guint i = 0; i < listing->graph->nodes->len; i++)
    {
      const IdgGraphNode *node = idg_graph_get_node (listing->graph, i);
      const IdgGraphEdge *edge;

      if (node->node != NULL)
        continue;
      edge
          = idg_graph_get_edge (listing->graph, g_array_index (listing->graph->first_in, guint, i));
      begin_line (listing, node->time, TRUE);
      g_string_append_printf (listing->out, "%s, %s later\n", node->name, edge->latency);
    }
}

static void
put_heading (Listing *listing)
{
  g_string_append (listing->out, "\n");
  g_string_append (listing->out, listing->style->dim);
  begin_line (listing, "issue", FALSE);
  put (listing, "instruction", listing->ops + 2);
  put (listing, listing->shown != NULL ? "pipeline" : "class", listing->units + 2);
  put (listing, "after", 0);
  g_string_append (listing->out, listing->style->plain);
  g_string_append_c (listing->out, '\n');
}

/* ---- The legend ---- */

/* What holds for all instructions. */
static void
put_order (Listing *listing, const WpMachine *machine)
{
  const gchar *pair = machine->dual_issue > 1 ? ", or together with it" : "";
  gchar ilp[WP_TIME_CHARS];

  wp_tick_format (machine->ilp_latency, machine->ticks_per_cycle, ilp);
  if (machine->ilp_latency == 0)
    g_string_append (listing->out, "  None issues before the one above it.\n");
  else
    g_string_append_printf (listing->out,
                            "  Each issues at least %s cycle%s after the one above it%s.\n", ilp,
                            strcmp (ilp, "1") == 0 ? "" : "s", pair);
}

static void
put_legend (Listing *listing)
{
  const IdgGraph *graph = listing->graph;
  gboolean carried = FALSE, distant = FALSE;

  for (guint i = 0; i < graph->edges->len; i++)
    {
      carried |= idg_graph_get_edge (graph, i)->carrier != IDG_NO_NODE;
      distant |= idg_graph_get_edge (graph, i)->distance > 1;
    }
  g_string_append (listing->out, listing->style->dim);
  g_string_append_c (listing->out, '\n');
  if (listing->shown != NULL)
    {
      const WpMachine *machine = &listing->shown->resolved->machine;

      g_string_append (listing->out,
                       "  *       on the critical path\n"
                       "  issue   the cycle in which a warp alone first issues it\n"
                       "  2 (9)   9 cycles after the start of 2, whose result it waits for\n");
      if (!machine->dataflow)
        put_order (listing, machine);
    }
  else
    g_string_append (listing->out, "  after   waits for the results of these\n");
  if (carried)
    g_string_append (listing->out, "  +1      of the iteration before\n");
  if (distant)
    g_string_append (listing->out, "  2:3     the third most recent instance of 2\n");
  g_string_append (listing->out, listing->style->plain);
}

void
wp_show_write_text (const IdgGraph *graph, const WpShown *shown, const WpTextStyle *style,
                    GString *out)
{
  Listing listing = { .graph = graph, .shown = shown, .style = style, .out = out };

  for (guint i = 0; i < graph->lines->len; i++)
    g_string_append_printf (out, "%s%s%s\n", i == 0 ? style->bold : "",
                            (const gchar *)g_ptr_array_index (graph->lines, i), style->plain);
  measure (&listing);
  put_heading (&listing);
  for (guint p = 0; p < graph->kernel->programs->len; p++)
    put_program (&listing, p);
  put_marks (&listing);
  put_legend (&listing);
}
