/* SPDX-License-Identifier: MIT */
/* From files' data to the machine: looks up each instruction's op and context on the GPU, finds the
 * common tick (MODEL.md, section 1), how many blocks fit (section 3) and which program each warp
 * runs.
 */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"
#include "sim/gpu/wp-idealise.h"
#include "sim/gpu/wp-occupancy.h"
#include "sim/machine/wp-machine.h"

G_BEGIN_DECLS

/* What a run asks for beside kernel and GPU. Start from WP_RUN_OPTIONS_INIT. */
typedef struct
{
  gint64 blocks, threads, registers, shared_memory; /* -1: as the kernel's launch has it */
  gint64 occupancy;                                 /* cap on warps per SM; 0: none */
  gboolean no_limits;                               /* none of the GPU's limits per SM binds */
  gint64 sms;                                       /* SMs to simulate; 0: all */
  gboolean has_order;
  WpOrder order; /* where has_order, else the GPU's */
  gboolean contended;
  guint64 seed;
  guint32 active_set;
  guint32 ideals; /* what is ideal: a set of WP_IDEAL_BIT() */
} WpRunOptions;

#define WP_RUN_OPTIONS_INIT                                                                        \
  {                                                                                                \
    -1, -1, -1, -1, 0, FALSE, 1, FALSE, WP_ORDER_PROGRAM, FALSE, 1, 8, 0                           \
  }

/* Puts what OPTIONS have in the place of a launch into LAUNCH. */
WP_API void wp_run_options_override (const WpRunOptions *options, IdgLaunch *launch);

/* Where an instruction of the machine comes from; both are borrowed. */
typedef struct
{
  const IdgNode *node; /* of the kernel */
  const WpGpuOp *op;   /* of the GPU, as looked up; NULL: a barrier */
} WpOrigin;

/* A machine with what it borrows, and the facts about the launch that reports want. */
typedef struct
{
  WpMachine machine;
  IdgLaunch launch;        /* the one in force */
  WpOccupancy occupancy;   /* what fits, and what limits it */
  const WpOrigin *origins; /* [machine.n_instrs] */
  guint32 idealised;       /* of the ideals asked for, those that changed something */
  guint64
      blocks_of_sm; /* the most blocks that a simulated SM can be sure to be offered: ceil(B / N) */
  gpointer arena; /* private: owns all that the machine points to, but for the pipelines' names (the
                     GPU's) */
} WpResolved;

/* Joins KERNEL and GPU; both must outlive the result. Errors (WP_ERROR, or IDG_ERROR from the
 * assignment) name the kernel's file and line where there is one. Free with wp_resolved_free().
 * Cost: linear in the kernel. */
WP_API WpResolved *wp_resolve (const IdgKernel *kernel, const WpGpu *gpu,
                               const WpRunOptions *options, GError **error);
WP_API void wp_resolved_free (WpResolved *resolved);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpResolved, wp_resolved_free)

G_END_DECLS
