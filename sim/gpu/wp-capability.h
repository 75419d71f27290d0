/* SPDX-License-Identifier: MIT */
/* Limits of occupancy by compute capability, for GPUs that no description exists of.
 *
 * They are a table, as CUDA's occupancy calculator has it: CSV, a header line of the columns below
 * in this order, lines that begin with '#' are comments. All values are whole numbers of at least 1
 * (shared_reserved: of at least 0); a '*' behind one says that it was found in no primary source.
 * register_unit is for each warp, or with "/block" behind it for each block.
 *
 *   cc,warps_per_sm,blocks_per_sm,shared_per_sm,shared_per_block,registers_per_sm,register_unit,
 *   registers_per_thread,shared_unit,register_partitions,shared_reserved
 *
 * What is no column: warps have 32 threads, an SM has 32 threads for each warp, and a block at most
 * 512 (cc 1.x) or 1024 (CUDA C Programming Guide, "Technical Specifications per Compute
 * Capability").
 */
#pragma once

#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name; /* "8.6" */
  WpGpuLimits limits;
  GPtrArray *doubtful; /* of const gchar: names of the columns whose value has a '*' */
} WpCapability;

#define WP_MAX_CAPABILITIES 1000 /* rows of a table */

/* The table in the file at PATH, an array of WpCapability in the order of the file; free with
 * g_ptr_array_unref(). NULL with ERROR (of WP_ERROR), which reads "FILE:LINE: what is wrong; what
 * would have been right". O(size of the file). */
WP_API GPtrArray *wp_capabilities_load (const gchar *path, GError **error);

/* The same from memory; NAME stands in messages for the file's path. */
WP_API GPtrArray *wp_capabilities_parse (const gchar *data, gsize length, const gchar *name,
                                         GError **error);

/* That of exactly this NAME, borrowed; NULL with ERROR that lists those that there are. */
WP_API const WpCapability *wp_capabilities_find (const GPtrArray *table, const gchar *name,
                                                 GError **error);

/* A GPU of the limits of CAPABILITY and nothing else, called "compute capability 8.6": enough for
 * wp-occupancy.h. Free with wp_gpu_free(). */
WP_API WpGpu *wp_capability_make_gpu (const WpCapability *capability);

G_END_DECLS
