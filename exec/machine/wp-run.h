/* SPDX-License-Identifier: MIT */
/* A launch is executed: its blocks on the SMs of a GPU, with its caches.
 *
 * A *wave* is what is resident on the device: blocks breadth first over the SMs, as many on each as
 * fit. The blocks of a wave run each until every warp has made WP_EXEC_QUANTUM accesses to memory
 * more, waits for a barrier, or has ended. Then the caches look up what was accessed, SM by SM in
 * turn, each with one access of each of its warps in turn; then the next quantum. Blocks that have
 * ended are replaced by the next ones. Where the limit is below what a few turns execute, turns
 * are shorter.
 *
 * SMs are shared out to worker threads. L2 is one thread's, which looks up what L1s lacked while
 * the others are in the next quantum. Where the results of a kernel may depend on the order of its
 * blocks (atomics whose results are used, sums in floating point), blocks run one after the other
 * on one thread within a quantum; else clusters that have SMs in common do. Results are the same
 * bytes whatever the number of threads is. */
#pragma once

#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-waits.h"
#include "exec/memory/wp-caches.h"
#include "exec/trail/wp-trail-classes.h"

G_BEGIN_DECLS

#define WP_EXEC_QUANTUM 1000
#define WP_EXEC_LIMIT G_GUINT64_CONSTANT (1000000000)

/* Which lanes of warp WARP of a block take the branch at step INDEX of CODE where its guard is
 * unknown: LANES receives a bit for each. FALSE: nothing was said, and none does. Asked for every
 * branch before anything runs. */
typedef gboolean (*WpExecBranch) (const WpKernelCode *code, guint index, guint warp, guint32 *lanes,
                                  gpointer data);

typedef struct
{
  guint64 instructions, blocks, n_blocks; /* so far; all that the launch has */
} WpExecProgress;

typedef struct
{
  guint sms, resident;   /* SMs, and blocks that fit on each at a time, 1 at least */
  WpCaches *caches;      /* begun by wp_caches_begin_launch(); NULL: none are looked up */
  guint64 limit;         /* warp instructions; beyond it blocks are sampled. 0: WP_EXEC_LIMIT */
  guint threads;         /* 0: one for each processor */
  guint max_classes;     /* of warps; 0: 64 */
  gboolean is_lean;      /* data that decides nothing need not be computed... */
  gboolean keeps_memory; /* ...but for what device memory holds afterwards */
  const gint *cancel;    /* (may be NULL) read now and then: not 0: stop */
  WpExecBranch branch;   /* may be NULL */
  /* Called now and then from the caller's thread; may be NULL. */
  void (*progress) (const WpExecProgress *progress, gpointer data);
  /* Called before an error that comes while blocks are executed, with the notes (of WpMachineNote)
   * on what was assumed until then, which may be where it comes from; may be NULL. */
  void (*failed) (const GArray *assumed, const WpKernelCode *code, gpointer data);
  gpointer data; /* for all of them */
} WpExecOptions;

/* What was executed. */
typedef struct
{
  WpKernelCode *code;
  WpTrailClasses *classes;  /* finished */
  GPtrArray *counts;        /* of WpCounts, for each class */
  GArray *notes;            /* of WpMachineNote: by instruction and kind, of the first block each */
  WpWaitsResult waits;      /* at barriers in shared memory */
  guint64 instructions;     /* warp instructions that were executed */
  guint64 blocks, n_blocks; /* executed, and in the launch */
  guint64 wave;             /* blocks of a wave */
  /* Sampled: how many waves from the first on were executed, then the last one; 0: all were. */
  guint64 first_waves;
  /* Where blocks were left out: what stands for them, counts for each class, and how many of its
   * warps these are of. They are of the last waves before those that were left out, since waves
   * before found the caches empty; or, `is_part`, of all blocks that were resident. */
  GPtrArray *steady;
  GArray *steady_warps;    /* of guint64 */
  gboolean is_part;        /* the first wave was too much: the first blocks of it were executed */
  gboolean is_cooperative; /* the launch was taken to be a cooperative one */
} WpExecResult;

/* Executes kernel FUNCTION of CUBIN, relocated, on GRID, which is complete but for `code` and
 * `rows`: they are set here, and good as long as the result. NULL with an error of IDG_ERROR: an
 * instruction that is not covered, before anything runs; or "FILE:LINE: block (X, Y, Z), thread (X,
 * Y, Z): WHAT"; or G_FILE_ERROR_INTR (stopped). Memory then holds what was stored until then. Free
 * with wp_exec_result_free(). */
WpExecResult *wp_exec_run (WpGrid *grid, const WpCubin *cubin, guint function,
                           const WpExecOptions *options, GError **error);
void wp_exec_result_free (WpExecResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpExecResult, wp_exec_result_free)

G_END_DECLS
