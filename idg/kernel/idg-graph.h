/* SPDX-License-Identifier: MIT */
/* The instruction dependency graph of a kernel as nodes and edges, ready to be drawn: as DOT
 * (graphviz) or GraphML (yEd, networkx). Computation is green, memory orange and barriers yellow,
 * as in Lemeire's drawings; repeats are boxes.
 *
 * Each instruction is one node, however often it executes. It depends on the most recent instance
 * of its producer, either from the same iteration or from the previous iteration of some repeat; in
 * the latter case the edge is "carried" by that repeat, over a distance of one iteration; or, where
 * the dependence is on the d-th most recent instance, of d or d - 1 iterations. A
 * dependence that never has an instance gives no edge, and instructions in a repeat of zero
 * iterations give no nodes.
 *
 * This module knows no GPU. Callers who do fill in latencies, issue times and the critical path, as
 * text and flags. */
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
  IDG_CLASS_MARK, /* not an instruction, but for example the end of the warp */
} IdgClass;

typedef enum
{
  IDG_EDGE_RESULT,  /* waits for the producer's result */
  IDG_EDGE_BARRIER, /* follows a barrier, or is a barrier that follows the node */
  IDG_EDGE_ORDER,   /* is the next in program order */
} IdgEdgeKind;

typedef struct
{
  guint program;       /* index into the kernel's programs */
  guint index;         /* index into that program's nodes; IDG_NO_NODE: a mark */
  guint number;        /* position among the program's instructions and barriers that execute, from
                        * 0 */
  const IdgNode *node; /* borrowed from the kernel; NULL: a mark */
  IdgClass type;
  /* The caller fills these in with strings from idg_graph_keep(); NULL: not known. */
  const gchar *name; /* of a mark */
  const gchar *unit; /* the unit that executes it */
  const gchar *path; /* the units that it passes, "lsu > l2 > memory"; NULL: `unit` alone */
  const gchar *time; /* when it issues */
  gboolean critical;
} IdgGraphNode;

typedef struct
{
  guint from, to; /* indices into IdgGraph.nodes */
  IdgEdgeKind kind;
  guint carrier;    /* the repeat (index into the program's nodes) from one of whose iterations the
                  * edge goes to the next; IDG_NO_NODE: within one iteration */
  guint distance;   /* of a result: which instance of the producer, 1 being the most recent */
  guint iterations; /* how many iterations of the carrier the edge goes over; 0: it has no carrier,
                     * or the producer runs several times in each */
  guint next_in;    /* the next edge to the same node, or IDG_NO_NODE */
  /* The caller fills these in. */
  const gchar *latency;
  gboolean implied; /* redundant, because of another edge between the two nodes: not drawn */
  guint64 critical; /* how often the critical path uses it */
} IdgGraphEdge;

typedef struct
{
  const IdgKernel *kernel; /* borrowed */
  GArray *nodes;           /* of IdgGraphNode: by program, in program order; then marks */
  GArray *edges;           /* of IdgGraphEdge: sorted by consumer, then those added later */
  GArray *first_in;        /* of guint, for each node: the first edge to it, or IDG_NO_NODE */
  guint *first_nodes;      /* for each program: its first node, or IDG_NO_NODE if it is not part of
                            * this graph */
  guint *
      *parents; /* for each node of each program: the repeat directly around it, or IDG_NO_NODE */
  GPtrArray *lines;    /* of const gchar: text above the drawing; the caller fills it in */
  GPtrArray *captions; /* for each program: the title of its box, or NULL; the caller fills it in */
  GStringChunk *strings;
} IdgGraph;

/* Returns the graph of KERNEL, or of its program number PROGRAM alone (IDG_ALL_PROGRAMS: of all).
 * KERNEL must outlive the graph. With PROGRAM_ORDER, each instruction has an edge from the one
 * before it. Without, the only edges that carry no result are those of barriers, which say what
 * must come before and after them. Free with idg_graph_free(). O(nodes and dependences x depth). */
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

/* Returns a copy of TEXT that lives as long as the graph. Equal texts share one copy. */
IDG_API const gchar *idg_graph_keep (IdgGraph *graph, const gchar *text);

/* Returns the first edge of KIND between two nodes that has LATENCY (NULL: any), or NULL if there
 * is none. O(edges to TO). */
IDG_API IdgGraphEdge *idg_graph_find_edge (const IdgGraph *graph, guint from, guint to,
                                           IdgEdgeKind kind, const gchar *latency);

/* Adds an edge and finds its carrier. The pointer is good until the next edge is added. O(edges to
 * TO + depth). */
IDG_API IdgGraphEdge *idg_graph_add_edge (IdgGraph *graph, guint from, guint to, IdgEdgeKind kind);

/* Adds a mark and returns its index in nodes[]. */
IDG_API guint idg_graph_add_mark (IdgGraph *graph, const gchar *name);

/* Returns how often a warp runs NODE: the product of the counts of the repeats around it. */
IDG_API guint64 idg_graph_count (const IdgGraph *graph, const IdgGraphNode *node);

/* Tells whether the op NAME accesses memory, judging by the mnemonics of PTX. */
IDG_API gboolean idg_op_is_memory (const gchar *name);

/* Returns "warps 0-3 7, blocks 2", the warps that run PROGRAM, or NULL if all do. Free with
 * g_free(). */
IDG_API gchar *idg_kernel_program_describe (const IdgKernelProgram *program);

/* Appends the graph, as the text of a file, to OUT. Equal graphs give equal bytes. O(size of the
 * text x depth). */
IDG_API void idg_graph_write_dot (const IdgGraph *graph, GString *out);
IDG_API void idg_graph_write_graphml (const IdgGraph *graph, GString *out);

G_END_DECLS
