/* SPDX-License-Identifier: MIT */
/* The instruction dependency graph of a kernel as nodes and edges, to be drawn: DOT (graphviz) and
 * GraphML (yEd, networkx). Green computation, orange memory, yellow barrier, as Lemeire draws them;
 * repeats are boxes.
 *
 * An instruction is one node however often it comes. It depends on the most recent instance of its
 * producer: of the same iteration, or of the iteration before of some repeat; then the edge is
 * "carried" by that repeat, over a distance of one iteration. A dependence for which there never is
 * an instance is no edge, and what stands in a repeat of no iterations no node.
 *
 * This module knows no GPU: what latencies edges have, when nodes issue and which of them are
 * critical is filled in by who does, as text and marks.
 */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

#define IDG_NO_NODE G_MAXUINT
#define IDG_ALL_PROGRAMS G_MAXUINT

typedef enum
{
  IDG_CLASS_COMPUTATION,
  IDG_CLASS_MEMORY,
  IDG_CLASS_BARRIER,
  IDG_CLASS_MARK, /* no instruction: the end of the warp, for one */
} IdgClass;

typedef enum
{
  IDG_EDGE_RESULT,  /* waits for the producer's result */
  IDG_EDGE_BARRIER, /* comes after a barrier, or is a barrier and comes after the node */
  IDG_EDGE_ORDER,   /* is the next in program order */
} IdgEdgeKind;

typedef struct
{
  guint program;       /* in the kernel's programs */
  guint index;         /* in that program's nodes; IDG_NO_NODE: a mark */
  guint number;        /* of the program's instructions and barriers that run, from 0 */
  const IdgNode *node; /* borrowed from the kernel; NULL: a mark */
  IdgClass type;
  /* To be filled in, as idg_graph_keep() returns them; NULL: not known. */
  const gchar *name; /* of a mark */
  const gchar *unit; /* that executes it */
  const gchar *time; /* when it issues */
  gboolean critical;
} IdgGraphNode;

typedef struct
{
  guint from, to; /* in IdgGraph.nodes */
  IdgEdgeKind kind;
  guint carrier; /* the repeat, in the program's nodes, from one of whose iterations it goes to the
                    next; or IDG_NO_NODE */
  guint next_in; /* the next edge to the same node, or IDG_NO_NODE */
  /* To be filled in: */
  const gchar *latency;
  gboolean implied; /* another edge between the two nodes says as much: left out of drawings */
  guint64 critical; /* how often the critical path takes it */
} IdgGraphEdge;

typedef struct
{
  const IdgKernel *kernel; /* borrowed */
  GArray *nodes;           /* of IdgGraphNode: by program, in program order; then marks */
  GArray *edges;           /* of IdgGraphEdge: by consumer, then those added */
  GArray *first_in;        /* of guint, for each node: the first edge to it, or IDG_NO_NODE */
  guint *first_nodes;      /* for each program: its first node; IDG_NO_NODE: it was not asked for */
  guint *
      *parents; /* for each program and node of it: the repeat that it stands in, or IDG_NO_NODE */
  GPtrArray *lines;    /* of const gchar: what stands above the drawing; to be filled in */
  GPtrArray *captions; /* for each program: what stands on its box, or NULL; likewise */
  GStringChunk *strings;
} IdgGraph;

/* The graph of KERNEL, which outlives it, or of its PROGRAM alone (IDG_ALL_PROGRAMS: of all). With
 * PROGRAM_ORDER each instruction has an edge from the one written before it; without, only barriers
 * have edges that no result is behind: those that say what comes before and after them. Free with
 * idg_graph_free(). O(nodes and dependences x depth). */
IDG_API IdgGraph *idg_graph_new (const IdgKernel *kernel, guint program, gboolean program_order);
IDG_API void idg_graph_free (IdgGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgGraph, idg_graph_free)

static inline IdgGraphNode *
idg_graph_get_node (const IdgGraph *graph, guint i)
{
  return &g_array_index (graph->nodes, IdgGraphNode, i);
}

static inline IdgGraphEdge *
idg_graph_get_edge (const IdgGraph *graph, guint i)
{
  return &g_array_index (graph->edges, IdgGraphEdge, i);
}

/* Keeps TEXT as long as the graph; like texts are kept once. */
IDG_API const gchar *idg_graph_keep (IdgGraph *graph, const gchar *text);

/* The first edge of KIND between two nodes with that LATENCY (NULL: whatever it is), or NULL.
 * O(edges to TO). */
IDG_API IdgGraphEdge *idg_graph_find_edge (const IdgGraph *graph, guint from, guint to,
                                           IdgEdgeKind kind, const gchar *latency);

/* Adds an edge, whose carrier is found. O(edges to TO + depth). */
IDG_API IdgGraphEdge *idg_graph_add_edge (IdgGraph *graph, guint from, guint to, IdgEdgeKind kind);

/* Adds a mark; returns its place in nodes[]. */
IDG_API guint idg_graph_add_mark (IdgGraph *graph, const gchar *name);

/* How often a warp runs NODE: the product of the repeats that it stands in. */
IDG_API guint64 idg_graph_count (const IdgGraph *graph, const IdgGraphNode *node);

/* Whether an op of that NAME accesses memory, by the mnemonics of PTX. */
IDG_API gboolean idg_op_is_memory (const gchar *name);

/* "warps 0-3 7, blocks 2": which warps run PROGRAM, or NULL: all. Free with g_free(). */
IDG_API gchar *idg_kernel_program_describe (const IdgKernelProgram *program);

/* The graph as a file, appended to OUT. The same graph gives the same bytes. O(its size x depth).
 */
IDG_API void idg_graph_write_dot (const IdgGraph *graph, GString *out);
IDG_API void idg_graph_write_graphml (const IdgGraph *graph, GString *out);

G_END_DECLS
