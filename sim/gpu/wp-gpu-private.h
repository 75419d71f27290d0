/* SPDX-License-Identifier: MIT */
/* What the reader needs to make a GPU. Not installed. */
#pragma once

#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* A GPU of nothing but the defaults. */
WpGpu *wp_gpu_new (void);

/* An op that costs nothing, with the defaults. The GPU's list of ops frees it. */
WpGpuOp *wp_gpu_op_new (const gchar *name);

/* Indexes the ops of GPU by name, once its list of ops is whole. */
void wp_gpu_index_ops (WpGpu *gpu);

/* Makes OP a copy of SOURCE in all but its name. O(contexts and consumers). */
void wp_gpu_op_assign (WpGpuOp *op, const WpGpuOp *source);

WpGpuSpread *wp_gpu_spread_copy (const WpGpuSpread *spread);
void wp_gpu_spread_free (WpGpuSpread *spread);

gboolean wp_gpu_context_is_wildcard (const WpGpuContext *context);

G_END_DECLS
