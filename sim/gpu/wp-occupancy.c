/* SPDX-License-Identifier: MIT */
/* Computes occupancy with plain arithmetic. No product overflows: resources are below 2^40
 * (wp-gpu.h), a block has at most 2^20 threads, and its warps times the registers of a warp are at
 * most 2^20 x 2^10 x 2^16. */
#include "sim/gpu/wp-occupancy.h"

static const gchar *const names[WP_N_LIMITS]
    = { "blocks", "warps", "threads", "registers", "shared-memory", "occupancy" };

const gchar *
wp_limit_get_name (WpLimit limit)
{
  return names[limit];
}

static gint64
round_up (gint64 need, gint64 unit)
{
  return (need + unit - 1) / unit * unit;
}

static gint64
count_warps (const WpGpu *gpu, const IdgLaunch *launch)
{
  return (launch->threads + gpu->warp_size - 1) / gpu->warp_size;
}

/* If the limit or the need is 0, nothing binds. */
static gint64
divide (gint64 limit, gint64 need)
{
  return limit == 0 || need == 0 ? WP_DOES_NOT_BIND : limit / need;
}

static gint64
blocks_by_registers (const WpGpu *gpu, const IdgLaunch *launch, gint64 warps)
{
  const WpGpuLimits *limits = &gpu->limits;
  gint64 per_warp = launch->registers * gpu->warp_size;
  gint64 in_partition = limits->registers / limits->register_partitions;

  if (limits->registers == 0 || per_warp == 0)
    return WP_DOES_NOT_BIND;
  if (limits->register_per_block)
    return limits->registers / wp_occupancy_get_need (gpu, launch, WP_LIMIT_REGISTERS);
  return limits->register_partitions
         * (in_partition / round_up (per_warp, limits->register_allocation)) / warps;
}

static gint64
blocks_by_shared_memory (const WpGpu *gpu, const IdgLaunch *launch)
{
  return divide (gpu->limits.shared_memory,
                 wp_occupancy_get_need (gpu, launch, WP_LIMIT_SHARED_MEMORY));
}

/* Checks the limits of one block, which hold even if those of the SM do not. */
static gboolean
check_block (const WpGpu *gpu, const IdgLaunch *launch, GError **error)
{
  const struct
  {
    gint64 limit, need;
    const gchar *what;
  } checks[] = {
    { gpu->limits.threads_per_block, launch->threads, "threads per block" },
    { gpu->limits.registers_per_thread, launch->registers, "registers per thread" },
    { gpu->limits.shared_memory_per_block, launch->shared_memory,
      "bytes of shared memory per block" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (checks); i++)
    if (checks[i].limit != 0 && checks[i].need > checks[i].limit)
      {
        g_set_error (error, WP_ERROR, WP_ERROR_FIT,
                     "the launch has %" G_GINT64_FORMAT " %s; %s allows at most %" G_GINT64_FORMAT,
                     checks[i].need, checks[i].what, gpu->name, checks[i].limit);
        return FALSE;
      }
  return TRUE;
}

gint64
wp_occupancy_get_need (const WpGpu *gpu, const IdgLaunch *launch, WpLimit limit)
{
  const WpGpuLimits *limits = &gpu->limits;
  gint64 warps = count_warps (gpu, launch);
  gint64 registers = launch->registers * gpu->warp_size;

  switch (limit)
    {
    case WP_LIMIT_BLOCKS:
      return 1;
    case WP_LIMIT_THREADS:
      return warps * gpu->warp_size;
    case WP_LIMIT_REGISTERS:
      return limits->register_per_block ? round_up (registers * warps, limits->register_allocation)
                                        : round_up (registers, limits->register_allocation) * warps;
    case WP_LIMIT_SHARED_MEMORY:
      return round_up (launch->shared_memory + limits->shared_memory_reserved,
                       limits->shared_memory_allocation);
    default:
      return warps;
    }
}

gint64
wp_occupancy_get_supply (const WpGpu *gpu, gint64 cap, WpLimit limit)
{
  const gint64 supplies[WP_N_LIMITS]
      = { gpu->limits.blocks,    gpu->limits.warps,         gpu->limits.threads,
          gpu->limits.registers, gpu->limits.shared_memory, cap };

  return supplies[limit];
}

/* Sets ERROR because not even one block fits: names what LIMIT allows and what one block needs. */
static void
set_no_fit (const WpGpu *gpu, const IdgLaunch *launch, gint64 cap, WpLimit limit, GError **error)
{
  static const gchar *const units[WP_N_LIMITS]
      = { "blocks", "warps", "threads", "registers", "bytes of shared memory", "warps" };

  g_set_error (error, WP_ERROR, WP_ERROR_FIT,
               "no block fits: one needs %" G_GINT64_FORMAT " %s, and %s %" G_GINT64_FORMAT "%s",
               wp_occupancy_get_need (gpu, launch, limit), units[limit],
               limit == WP_LIMIT_OCCUPANCY ? "--occupancy allows" : "an SM has",
               wp_occupancy_get_supply (gpu, cap, limit),
               limit == WP_LIMIT_REGISTERS && gpu->limits.register_partitions > 1
                   ? " in partitions that warps do not straddle"
                   : "");
}

gboolean
wp_occupancy_compute (const WpGpu *gpu, const IdgLaunch *launch, gint64 cap, gboolean no_limits,
                      WpOccupancy *occupancy, GError **error)
{
  gint64 warps = count_warps (gpu, launch);

  if (!check_block (gpu, launch, error))
    return FALSE;
  occupancy->warps_per_block = warps;
  occupancy->by[WP_LIMIT_BLOCKS] = divide (gpu->limits.blocks, 1);
  occupancy->by[WP_LIMIT_WARPS] = divide (gpu->limits.warps, warps);
  occupancy->by[WP_LIMIT_THREADS] = divide (gpu->limits.threads, warps * gpu->warp_size);
  occupancy->by[WP_LIMIT_REGISTERS] = blocks_by_registers (gpu, launch, warps);
  occupancy->by[WP_LIMIT_SHARED_MEMORY] = blocks_by_shared_memory (gpu, launch);
  for (guint limit = 0; no_limits && limit < WP_N_LIMITS; limit++)
    occupancy->by[limit] = WP_DOES_NOT_BIND;
  occupancy->by[WP_LIMIT_OCCUPANCY] = divide (cap, warps);
  occupancy->blocks = WP_DOES_NOT_BIND;
  for (guint limit = 0; limit < WP_N_LIMITS; limit++)
    {
      occupancy->blocks = MIN (occupancy->blocks, occupancy->by[limit]);
      if (occupancy->blocks == 0)
        {
          set_no_fit (gpu, launch, cap, limit, error);
          return FALSE;
        }
    }
  return TRUE;
}
