/* SPDX-License-Identifier: MIT */
/* Plain arithmetic. No product overflows: resources are below 2^40 (wp-gpu.h), threads of a block at most 2^20, and
 * its warps times a warp's registers at most 2^20 x 2^10 x 2^16.
 */
#include "sim/wp-occupancy.h"

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

/* A limit or a need of zero does not bind. */
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
    return limits->registers / round_up (per_warp * warps, limits->register_allocation);
  return limits->register_partitions
         * (in_partition / round_up (per_warp, limits->register_allocation)) / warps;
}

static gint64
blocks_by_shared_memory (const WpGpu *gpu, const IdgLaunch *launch)
{
  const WpGpuLimits *limits = &gpu->limits;
  gint64 need = launch->shared_memory + limits->shared_memory_reserved;

  return divide (limits->shared_memory, round_up (need, limits->shared_memory_allocation));
}

/* The limits of one block, which hold whether or not the SM's do. */
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

/* No block fits: says what LIMIT has, and what one block needs of it. */
static void
set_no_fit (const WpGpu *gpu, const IdgLaunch *launch, const WpOccupancy *occupancy, gint64 cap,
            WpLimit limit, GError **error)
{
  const WpGpuLimits *limits = &gpu->limits;
  gint64 warps = occupancy->warps_per_block;
  gint64 registers = launch->registers * gpu->warp_size;
  const struct
  {
    gint64 need, have;
    const gchar *unit;
  } facts[WP_N_LIMITS] = {
    { 1, limits->blocks, "blocks" },
    { warps, limits->warps, "warps" },
    { warps * gpu->warp_size, limits->threads, "threads" },
    { limits->register_per_block ? round_up (registers * warps, limits->register_allocation)
                                 : round_up (registers, limits->register_allocation) * warps,
      limits->registers, "registers" },
    { round_up (launch->shared_memory + limits->shared_memory_reserved,
                limits->shared_memory_allocation),
      limits->shared_memory, "bytes of shared memory" },
    { warps, cap, "warps" },
  };

  g_set_error (error, WP_ERROR, WP_ERROR_FIT,
               "no block fits: one needs %" G_GINT64_FORMAT " %s, and %s %" G_GINT64_FORMAT "%s",
               facts[limit].need, facts[limit].unit,
               limit == WP_LIMIT_OCCUPANCY ? "--occupancy allows" : "an SM has", facts[limit].have,
               limit == WP_LIMIT_REGISTERS && limits->register_partitions > 1
                   ? " in partitions that warps do not straddle"
                   : "");
}

gboolean
wp_occupancy_compute (const WpGpu *gpu, const IdgLaunch *launch, gint64 cap, gboolean no_limits,
                      WpOccupancy *occupancy, GError **error)
{
  gint64 warps = (launch->threads + gpu->warp_size - 1) / gpu->warp_size;

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
          set_no_fit (gpu, launch, occupancy, cap, limit, error);
          return FALSE;
        }
    }
  return TRUE;
}
