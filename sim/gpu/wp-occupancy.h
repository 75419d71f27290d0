/* SPDX-License-Identifier: MIT */
/* How many blocks of a launch an SM holds at a time, and what limits it (MODEL.md, section 3). */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef enum
{
  WP_LIMIT_BLOCKS,
  WP_LIMIT_WARPS,
  WP_LIMIT_THREADS,
  WP_LIMIT_REGISTERS,
  WP_LIMIT_SHARED_MEMORY,
  WP_LIMIT_OCCUPANCY, /* the user's cap */
  WP_N_LIMITS
} WpLimit;

#define WP_DOES_NOT_BIND G_MAXINT64

typedef struct
{
  gint64 warps_per_block;
  gint64 by[WP_N_LIMITS]; /* blocks that each limit allows; WP_DOES_NOT_BIND */
  gint64 blocks;          /* the least of them; WP_DOES_NOT_BIND where nothing binds */
} WpOccupancy;

/* Fills OCCUPANCY for LAUNCH on GPU. CAP: warps per SM that the user allows, 0: no cap. NO_LIMITS:
 * none of the GPU's limits per SM binds. False with ERROR (WP_ERROR_FIT) that names the limiting
 * resource, what is needed and what there is, if a limit of one block is exceeded or not even one
 * block fits. O(1). */
WP_API gboolean wp_occupancy_compute (const WpGpu *gpu, const IdgLaunch *launch, gint64 cap,
                                      gboolean no_limits, WpOccupancy *occupancy, GError **error);

/* What one block of LAUNCH takes of the resource of LIMIT, all that rounding and reservation add
 * included: of blocks 1, of WP_LIMIT_OCCUPANCY its warps. 0: nothing. O(1). */
WP_API gint64 wp_occupancy_get_need (const WpGpu *gpu, const IdgLaunch *launch, WpLimit limit);

/* What an SM of GPU has of it, or CAP; 0: it does not bind. */
WP_API gint64 wp_occupancy_get_supply (const WpGpu *gpu, gint64 cap, WpLimit limit);

/* "blocks", "warps", "threads", "registers", "shared-memory", "occupancy". */
WP_API const gchar *wp_limit_get_name (WpLimit limit);

G_END_DECLS
