/* SPDX-License-Identifier: MIT */
/* Private: the functions that the reader uses to build a GPU. */
#pragma once

#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* Returns a GPU that has only defaults. Free with wp_gpu_free(). */
WpGpu *wp_gpu_new (void);

/* Returns an op that costs nothing and has only defaults. The GPU's array of ops frees it. */
WpGpuOp *wp_gpu_op_new (const gchar *name);

/* Indexes the ops of GPU by name, once its array of ops is complete. */
void wp_gpu_index_ops (WpGpu *gpu);

/* Makes OP a copy of SOURCE, except for its name. O(contexts and consumers). */
void wp_gpu_op_assign (WpGpuOp *op, const WpGpuOp *source);

void wp_gpu_spread_free (WpGpuSpread *spread);

/* Frees all that CONTEXT holds, and leaves it empty. */
void wp_gpu_context_clear (WpGpuContext *context);

/* How many numbers the name of CONTEXT takes: 0 where it is no wildcard. */
guint wp_gpu_context_count_stars (const WpGpuContext *context);

G_END_DECLS
