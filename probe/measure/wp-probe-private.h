/* SPDX-License-Identifier: MIT */
/* Private to the measuring program: its parts, in the order in which they run. Each uses what those
 * before it have found. */
#pragma once

#include "probe/measure/wp-probe-timing.h"

G_BEGIN_DECLS

/* wp-probe-limits.c: in which units registers and shared memory are handed out. */
void wp_probe_find_limits (WpProbe *probe);

/* wp-probe-rates.c: what each op costs on a warp, a scheduler, an SM, the device; how many
 * schedulers there are, and how often each issues. */
void wp_probe_find_rates (WpProbe *probe);

/* wp-probe-latency.c: how long results take, for the instructions that wait for them. */
void wp_probe_find_latencies (WpProbe *probe);
void wp_probe_find_consumers (WpProbe *probe);

/* wp-probe-units.c: which ops share a pipeline, by which share a rate. */
void wp_probe_find_units (WpProbe *probe);

/* wp-probe-memory.c: the path of accesses to memory, and which SMs share a part of it. */
void wp_probe_find_paths (WpProbe *probe);

/* wp-probe-queues.c: how many instructions wait before a pipeline. */
void wp_probe_find_queues (WpProbe *probe);

/* wp-probe-blocks.c: barriers, the replacement of blocks, what of an SM a block takes. */
void wp_probe_find_blocks (WpProbe *probe);

/* wp-probe-load.c: what memory gives by how many loads are under way. */
void wp_probe_find_loads (WpProbe *probe);

/* Says how far it is, of the parts above. */
void wp_probe_report (WpProbe *probe, gdouble share);

static inline gboolean
wp_probe_is_store (const WpProbeOp *op)
{
  return op->family == WP_PROBE_STORE_LOCAL || op->family == WP_PROBE_STORE_GLOBAL;
}

static inline gboolean
wp_probe_is_global (const WpProbeOp *op)
{
  return op->family >= WP_PROBE_GLOBAL;
}

G_END_DECLS
