/* SPDX-License-Identifier: MIT */
/* What of a kernel runs with figures that are not its own. Kernels imported from listings and
 * traces use whatever ops the compiler used, and contexts that come from addresses. If such a
 * kernel allows it (ops="nearest"), an op that the GPU lacks runs as the most similar op that it
 * has, and a context that the op lacks is dropped. In any kernel, a suffix for which the GPU has
 * neither an op nor a rule is dropped (wp-match.h). An atomic or its like, for which nothing else
 * stands, takes an issue slot alone where the kernel allows the nearest. All such replacements
 * can be listed for the user. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"
#include "sim/gpu/wp-match.h"

G_BEGIN_DECLS

/* Returns what NAME runs as, as wp_match_find() does, or else as the first of the similar names
 * (idg-ops.h) that can be looked up. If there is none, what may take an issue slot alone
 * (idg_ops_may_take_a_slot()) is GPU's `nop` with WP_LOSS_ALL; else, or without a `nop`, `op` is
 * NULL. */
WP_API WpMatch wp_nearest_match (const WpGpu *gpu, const gchar *name);

/* Returns whether GPU has no figure for NAME, and none of another kind may stand for it. */
WP_API gboolean wp_nearest_has_none (const WpGpu *gpu, const gchar *name);

/* Returns CONTEXT (may be NULL) if OP has it, else NULL. */
WP_API const gchar *wp_nearest_get_context (const WpGpuOp *op, const gchar *context);

typedef enum
{
  WP_REPLACED_OP,      /* the GPU lacks the op */
  WP_REPLACED_FIGURES, /* it lacks all that could stand for it: RUNS_AS is `nop` */
  WP_REPLACED_BYTES,   /* it has no figures for as many bytes a thread, and no rule */
  WP_REPLACED_TYPE,    /* it has none for the type or the precision */
  WP_REPLACED_CONTEXT, /* the op lacks the context */
} WpReplaced;

/* A replacement: some instructions of the kernel run as RUNS_AS instead of their own op, or without
 * their context. */
typedef struct
{
  WpReplaced what;
  gint line;              /* of the first such instruction */
  const gchar *op;        /* their op, as the kernel writes it; borrowed */
  const WpGpuOp *runs_as; /* borrowed */
  gchar *context;         /* the context that is dropped: "l2", or "sectors-*" for all of that stem;
                           * NULL: none */
  guint64 n;              /* how many instructions, as written */
  gdouble share;          /* the fraction of the instructions that the kernel's own launch executes,
                           * 0 to 1 */
  gdouble use;            /* the fraction of the time for which that launch keeps its pipeline from
                           * starting another instruction, 0 to 1 */
} WpReplacement;

/* Returns all replacements (of WpReplacement) for KERNEL on GPU, one for each op and each context,
 * in the order of their first appearance. If the programs do not fit the launch, `share` and `use`
 * refer to one warp of each. Ops for which nothing similar exists are not listed: wp_resolve()
 * rejects those. KERNEL and GPU must outlive the result; free with g_ptr_array_unref(). Cost:
 * linear in the kernel. */
WP_API GPtrArray *wp_nearest_find (const IdgKernel *kernel, const WpGpu *gpu);

G_END_DECLS
