/* SPDX-License-Identifier: MIT */
/* The graph of a kernel for `warpipe show`: what a GPU adds to it (latencies, times, the critical
 * path), and its text. */
#pragma once

#include "cli/common/cli-text.h"
#include "idg/kernel/idg-graph.h"
#include "sim/bounds/wp-bounds.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* What the graph is shown on. */
typedef struct
{
  const WpGpu *gpu;
  const WpResolved *resolved;
  const WpBounds *bounds; /* done */
} WpShown;

/* Fills in GRAPH from SHOWN: classes by pipeline, latencies, the times of a warp that has the SM to
 * itself, the critical path as far as it runs through the graph's programs, and the heading. GRAPH
 * was made with program order unless the machine's order is dataflow. */
void wp_show_fill (IdgGraph *graph, const WpShown *shown);

/* Fills in the heading only, for a graph without a GPU. */
void wp_show_fill_plain (IdgGraph *graph);

/* Appends GRAPH to OUT as a listing, at most WP_TEXT_WIDTH wide where names allow. SHOWN may be
 * NULL: there is no GPU. */
void wp_show_write_text (const IdgGraph *graph, const WpShown *shown, const WpTextStyle *style,
                         GString *out);

G_END_DECLS
