/* SPDX-License-Identifier: MIT */
/* Replaces ops that a GPU description lacks. Kernels imported from listings and traces use whatever
 * ops the compiler used, and contexts that come from addresses. If such a kernel allows it
 * (ops="nearest"), an op that the GPU lacks runs as the most similar op that it has, and a context
 * that the op lacks is dropped. All replacements can be listed for the user. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* Returns the op that NAME is looked up as (wp_gpu_look_up_op()), else the first of the similar
 * names (idg-ops.h) that can be looked up; NULL if there is none. Borrowed. */
WP_API const WpGpuOp *wp_nearest_look_up (const WpGpu *gpu, const gchar *name);

/* Returns CONTEXT (may be NULL) if OP has it, else NULL. */
WP_API const gchar *wp_nearest_get_context (const WpGpuOp *op, const gchar *context);

/* A replacement: some instructions of the kernel run as RUNS_AS instead of their own op, or without
 * their context. */
typedef struct
{
  gint line;              /* of the first such instruction */
  const gchar *op;        /* their op, as the kernel writes it; borrowed */
  const WpGpuOp *runs_as; /* borrowed */
  gchar *context;         /* the context that is dropped: "l2", or "sectors-*" for all of that stem;
                           * NULL: none */
  guint64 n;              /* how many instructions, as written */
  gdouble share;          /* the fraction of the instructions that the kernel's own launch executes,
                           * 0 to 1 */
} WpReplacement;

/* Returns all replacements (of WpReplacement) for KERNEL on GPU, one for each op and each context,
 * in the order of their first appearance; none if the kernel does not allow them. If the programs
 * do not fit the launch, `share` refers to one warp of each. Ops for which nothing similar exists
 * are not listed: wp_resolve() rejects those. KERNEL and GPU must outlive the result; free with
 * g_ptr_array_unref(). Cost: linear in the kernel. */
WP_API GPtrArray *wp_nearest_find (const IdgKernel *kernel, const WpGpu *gpu);

G_END_DECLS
