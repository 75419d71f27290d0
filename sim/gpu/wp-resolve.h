/* SPDX-License-Identifier: MIT */
/* Joins a kernel and a GPU into a machine that the engine can run: looks up each instruction's op
 * and context, finds a common tick (MODEL.md, section 1), how many blocks fit (section 3), and
 * which program each warp runs. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"
#include "sim/gpu/wp-idealise.h"
#include "sim/gpu/wp-occupancy.h"
#include "sim/machine/wp-machine.h"

G_BEGIN_DECLS

/* How contexts begin of accesses whose addresses were known, so that they were counted: before
 * their wavefronts and sectors. */
#define WP_COUNTED_CONTEXT "access-"

/* MODEL.md, section 11. */
typedef enum
{
  WP_MEMORY_OF_KERNEL, /* as the kernel's file says, ideal if it does not */
  WP_MEMORY_IDEAL,
  WP_MEMORY_CONTENDED,
} WpMemoryMode;

/* The options of a run, apart from kernel and GPU. Initialize with WP_RUN_OPTIONS_INIT. */
typedef struct
{
  gint64 blocks, threads, registers, shared_memory; /* -1: the value of the kernel's launch */
  gint64 occupancy;                                 /* cap on warps per SM; 0: none */
  gboolean no_limits;                               /* none of the GPU's limits per SM binds */
  gint64 sms;                                       /* SMs to simulate; 0: all */
  gboolean has_order;
  WpOrder order; /* used if has_order, else the GPU's */
  WpMemoryMode memory;
  guint64 seed;
  guint32 active_set;
  guint32 ideals;                    /* what to idealise: a set of WP_IDEAL_BIT() */
  guint64 block_dim[3], grid_dim[3]; /* for an import: the shapes of `threads` and `blocks`; 0: not
                                      * said */
  gboolean sms_said; /* `sms` was asked for; else, where it is 1, SMs that share a pipeline are
                      * simulated together: MODEL.md, section 12 */
} WpRunOptions;

#define WP_RUN_OPTIONS_INIT                                                                        \
  {                                                                                                \
    -1, -1, -1, -1, 0, FALSE, 1, FALSE, WP_ORDER_PROGRAM, WP_MEMORY_OF_KERNEL, 1, 8, 0,            \
        { 0, 0, 0 }, { 0, 0, 0 }, FALSE                                                            \
  }

/* Replaces the members of LAUNCH that OPTIONS override. */
WP_API void wp_run_options_override (const WpRunOptions *options, IdgLaunch *launch);

/* Whether memory is contended in a run of KERNEL with OPTIONS. */
static inline gboolean
wp_run_options_contend (const WpRunOptions *options, const IdgKernel *kernel)
{
  return options->memory == WP_MEMORY_OF_KERNEL ? kernel->contended
                                                : options->memory == WP_MEMORY_CONTENDED;
}

/* A machine, and facts about the launch for reports. It owns everything that the machine points to
 * except names, which belong to the kernel and the GPU. Only wp_resolve() makes one: a copy of the
 * struct is not a WpResolved. */
typedef struct
{
  WpMachine machine;
  IdgLaunch launch;            /* after the overrides of the options */
  WpOccupancy occupancy;       /* what fits, and what limits it */
  const IdgNode *const *nodes; /* [machine.n_instrs]: of the kernel, what each comes from */
  guint32 idealised;           /* the idealisations asked for that changed something */
  guint64 blocks_of_sm;        /* the most blocks that every simulated SM may get: ceil(B / N) */
  gint64 asked_warps;          /* the occupancy that the options ask for; 0: none */
  gboolean assumed_launch;     /* nobody said how many blocks there are, or threads in each */
  /* Of a kernel with spread_blocks, where not all are simulated: those that are do not come first
   * in the launch, but are spread over it (wp-resolve-sample.c), and the block that does most is
   * the first of them; the instructions of a block of the launch, on average, and of that one. */
  gboolean is_sample, has_longest;
  gdouble mean_work, most_work;
} WpResolved;

/* Joins KERNEL and GPU; both must outlive the result. Returns NULL with an error (WP_ERROR, or
 * IDG_ERROR from the assignment) that names the kernel's file, and line if there is one. Free with
 * wp_resolved_free(). Cost: linear in the kernel. */
WP_API WpResolved *wp_resolve (const IdgKernel *kernel, const WpGpu *gpu,
                               const WpRunOptions *options, GError **error);
/* Returns the op of the GPU that the instruction at INSTR was looked up as; NULL for a barrier.
 * O(1). */
WP_API const WpGpuOp *wp_resolved_get_op (const WpResolved *resolved, guint32 instr);
/* Returns the number of the instruction at INSTR among its program's instructions as written that
 * are in the machine: those of a mix have one number. O(log programs); where the kernel has mixes,
 * O(instructions before it). */
WP_API guint32 wp_resolved_get_number (const WpResolved *resolved, guint32 instr);
/* Returns the first instruction of the machine with that NUMBER in PROGRAM. O(1); with mixes as
 * above. */
WP_API guint32 wp_resolved_find_instr (const WpResolved *resolved, guint32 program, guint32 number);
WP_API void wp_resolved_free (WpResolved *resolved);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpResolved, wp_resolved_free)

G_END_DECLS
