/* SPDX-License-Identifier: MIT */
/* Microbenchmarks as OpenCL C. */
#pragma once

#include "probe/code/wp-probe-code.h"

G_BEGIN_DECLS

#define WP_OPENCL_LOCAL_WORDS 1536
#define WP_OPENCL_STEP (64 * 16411) /* words from one access of a warp to its next */
#define WP_OPENCL_APART (32 * 1009) /* words from where a step begins to where the next one does */

/* What OP with ACCESS works on; WP_PROBE_N_TYPES: OpenCL C has no such instruction. */
WpProbeType wp_opencl_get_type (const gchar *op, const gchar *access);

/* How many words of memory each kind of access goes through: powers of 2. */
typedef struct
{
  guint64 memory, l2, l1;
} WpOpenClSizes;

/* The text of a kernel, "probe", that does what LAUNCH says but for how many rounds, warps and blocks
 * of what stride, which are its arguments:
 *
 *   memory (2 x SIZES->memory + 1 words, word i of the first half holds (i + WP_OPENCL_STEP) modulo
 *   that half), local words (WP_OPENCL_LOCAL_WORDS), rounds, threads of a warp, stride, 1.0f, 1u, the
 *   word at which warp 0 begins
 *
 * Rounds are a multiple of UNROLL, which it sets: as many as make a loop of BODY
 * instructions at most. Free with g_free(). */
gchar *wp_opencl_write (const WpProbeLaunch *launch, const WpOpenClSizes *sizes, guint64 body,
                        guint64 *unroll);

/* The word at which a launch behind LAUNCH, which began at SHIFT, is to begin, so that no warp reads
 * again what it has read: a cache may still have that. It counts modulo 2^32, of which each region
 * is a part. */
guint32 wp_opencl_advance (const WpProbeLaunch *launch, guint32 shift);

G_END_DECLS
