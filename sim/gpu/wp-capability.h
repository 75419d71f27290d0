/* SPDX-License-Identifier: MIT */
/* Limits of occupancy by compute capability, for GPUs without a description.
 *
 * They come from a table like that of CUDA's occupancy calculator: a CSV file whose header line has
 * the columns below, in this order. Lines that begin with '#' are comments. All values are whole
 * numbers of at least 1 (shared_reserved: at least 0). A '*' after a value marks one for which no
 * primary source was found. register_unit applies to each warp or, with "/block" after it, to each
 * block.
 *
 *   cc,warps_per_sm,blocks_per_sm,shared_per_sm,shared_per_block,registers_per_sm,register_unit,
 *   registers_per_thread,shared_unit,register_partitions,shared_reserved
 *
 * Three limits have no column: a warp has 32 threads, an SM has 32 threads for each warp, and a
 * block has at most 512 (cc 1.x) or 1024 threads (CUDA C Programming Guide, "Technical
 * Specifications per Compute Capability"). */
#pragma once

#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name; /* "8.6" */
  WpGpuLimits limits;
  GPtrArray *doubtful; /* of const gchar: names of the columns whose value is marked with a '*' */
} WpCapability;

#define WP_MAX_CAPABILITIES 1000 /* maximum number of rows of a table */

/* Loads the table in the file at PATH and returns an array of WpCapability, in the order of the
 * file. Free with g_ptr_array_unref(). Returns NULL with ERROR (of WP_ERROR) that reads "FILE:LINE:
 * what is wrong; what would have been right". O(size of the file). */
WP_API GPtrArray *wp_capabilities_load (const gchar *path, GError **error);

/* As wp_capabilities_load(), from LENGTH bytes of memory. Messages use NAME as the file's path. */
WP_API GPtrArray *wp_capabilities_parse (const gchar *data, gsize length, const gchar *name,
                                         GError **error);

/* Returns the row called exactly NAME, borrowed, or NULL with ERROR that lists all names. */
WP_API const WpCapability *wp_capabilities_find (const GPtrArray *table, const gchar *name,
                                                 GError **error);

/* Returns a GPU called "compute capability 8.6" that has the limits of CAPABILITY and nothing else.
 * That is enough for wp-occupancy.h. Free with wp_gpu_free(). */
WP_API WpGpu *wp_capability_make_gpu (const WpCapability *capability);

G_END_DECLS
