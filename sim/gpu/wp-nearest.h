/* SPDX-License-Identifier: MIT */
/* Kernels that were not written for a GPU: those made of what compilers and tracers print have any
 * op that there is, and contexts from addresses. Where such a kernel says so (ops="nearest"), an op
 * that a GPU lacks runs as the nearest one by class that it has, and a context that the op lacks
 * there is left out. What was done so can be told. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* The op that NAME is looked up as (wp_gpu_look_up_op()), else the first of those nearest by class
 * (idg-ops.h) that is found so; NULL if none is. Borrowed. */
WP_API const WpGpuOp *wp_nearest_look_up (const WpGpu *gpu, const gchar *name);

/* The CONTEXT (may be NULL) itself where OP has it, else NULL. */
WP_API const gchar *wp_nearest_get_context (const WpGpuOp *op, const gchar *context);

/* What is done for some instructions of a kernel: RUNS_AS is not what they say, or lacks their
 * context. */
typedef struct
{
  gint line;              /* of the first of them */
  const gchar *op;        /* theirs, as the kernel writes it; borrowed */
  const WpGpuOp *runs_as; /* borrowed */
  gchar *context;         /* left out: "l2", or "sectors-*" for all of that stem; NULL: none is */
  guint64 n;              /* of them, as written */
  gdouble share;          /* of what the kernel's own launch executes, 0 to 1 */
} WpReplacement;

/* All that is done for KERNEL on GPU, each op and each context once, by first appearance: of
 * WpReplacement, empty where the kernel does not ask for it. Where programs do not fit the launch,
 * shares are of one warp of each. Ops for which nothing is found are not among them: wp_resolve()
 * refuses those. Both must outlive the result; free with g_ptr_array_unref(). Cost: linear in the
 * kernel. */
WP_API GPtrArray *wp_nearest_find (const IdgKernel *kernel, const WpGpu *gpu);

G_END_DECLS
