/* SPDX-License-Identifier: MIT */
/* Microbenchmarks as PTX. */
#pragma once

#include "probe/code/wp-probe-code.h"

G_BEGIN_DECLS

#define WP_CUDA_STEP (256 * 16411) /* bytes from one access of a warp to its next */
#define WP_CUDA_APART (128 * 1009) /* bytes from where a step begins to where the next one does */
#define WP_CUDA_THREADS 1024       /* of a block at most */

/* What OP with ACCESS works on; WP_PROBE_N_TYPES: no such instruction is timed on a device of compute
 * capability CC / 10. */
WpProbeType wp_cuda_get_type (const gchar *op, const gchar *access, guint cc);

/* How many bytes of memory each kind of access goes through: powers of 2. One region lies behind the
 * other: for loads, for stores, and those that stay in L2 and L1. Each 8 bytes of the first and the
 * last two hold the address of those WP_CUDA_STEP bytes behind them in their region, which is a
 * ring. */
typedef struct
{
  guint64 memory, l2, l1;
} WpCudaSizes;

static inline guint64
wp_cuda_sizes_get_sum (const WpCudaSizes *sizes)
{
  return 2 * sizes->memory + sizes->l2 + sizes->l1;
}

/* The PTX of a kernel, "probe", that does what LAUNCH says but for how many rounds, warps and blocks of
 * what stride, which are its parameters:
 *
 *   out (three 64-bit words for each warp that works: its SM, and the SM's clock before and after),
 *   memory, rounds, stride, 1.0f, 1u
 *
 * Rounds are a multiple of UNROLL, which it sets: as many as make a loop of BODY
 * instructions at most. Free with g_free(). */
gchar *wp_cuda_write (const WpProbeLaunch *launch, const WpCudaSizes *sizes, guint cc, guint64 body,
                      guint64 *unroll);

G_END_DECLS
