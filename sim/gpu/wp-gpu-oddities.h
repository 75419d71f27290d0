/* SPDX-License-Identifier: MIT */
/* What a GPU description says that no GPU can be: allowed, as a description may be of any machine,
 * but most likely a figure that was changed without those that belong to it. */
#pragma once

#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name; /* "memory-above-pins" or "context-faster"; static */
  gchar *text; /* a sentence without a full stop, which names the first op and how many more */
} WpGpuOddity;

/* Returns the oddities of GPU (of WpGpuOddity), one of each name at most, in this order:
 *
 * memory-above-pins: accesses of an op, in no context or in one that does not hit a cache
 * (`transactions` above 0, and `share` neither sm nor device) and whose last pipeline has kind
 * memory, would move more than `pin-gbs`, through the slowest of what they pass, if all SMs had
 * nothing else to do. A hundredth more is taken for rounding; an issue time of 0 for memory without
 * a limit. Contexts with several numbers are not looked at.
 *
 * context-faster: an access with conflicts, or in at least as many transactions as the plain one
 * (contexts conflict-*, stride-*, random, sectors-*), would complete before it. Contexts with such
 * a share are left out here, too.
 *
 * Free with g_ptr_array_unref(). Linear in the ops and their contexts. */
WP_API GPtrArray *wp_gpu_find_oddities (const WpGpu *gpu);

G_END_DECLS
