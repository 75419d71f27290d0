/* SPDX-License-Identifier: MIT */
/* How many blocks there are, how many fit, on how many SMs, and which program each warp runs. */
#include "sim/gpu/wp-resolver.h"

static void
override (gint64 *value, gint64 by)
{
  if (by >= 0)
    *value = by;
}

/* Returns ceil (BLOCKS x M / N) without overflow: BLOCKS is at most 2^53, M and N at most 2^16. */
static guint64
share (guint64 blocks, guint64 m, guint64 n)
{
  return blocks / n * m + (blocks % n * m + n - 1) / n;
}

/* Applies ideal occupancy: only the GPU's limits of warps and threads bind. That never reduces the
 * number of blocks: if it would, as with --no-limits, nothing changes. OFFERED: how many blocks an
 * SM gets. */
static void
fill_up (WpResolver *r, guint64 offered)
{
  const WpGpuLimits *limits = &r->gpu->limits;
  WpOccupancy *occupancy = &r->resolved->occupancy;
  WpOccupancy full = { .warps_per_block = occupancy->warps_per_block };

  for (guint limit = 0; limit < WP_N_LIMITS; limit++)
    full.by[limit] = WP_DOES_NOT_BIND;
  if (limits->warps > 0)
    full.by[WP_LIMIT_WARPS] = limits->warps / full.warps_per_block;
  if (limits->threads > 0)
    full.by[WP_LIMIT_THREADS] = limits->threads / r->gpu->warp_size / full.warps_per_block;
  full.blocks = MIN (full.by[WP_LIMIT_WARPS], full.by[WP_LIMIT_THREADS]);
  if (full.blocks <= occupancy->blocks)
    return;
  if (offered > (guint64)occupancy->blocks)
    wp_resolver_note_ideal (r, WP_IDEAL_OCCUPANCY);
  *occupancy = full;
}

void
wp_run_options_override (const WpRunOptions *options, IdgLaunch *launch)
{
  override (&launch->blocks, options->blocks);
  override (&launch->threads, options->threads);
  override (&launch->registers, options->registers);
  override (&launch->shared_memory, options->shared_memory);
}

/* A kernel whose loops and branches depend on the launch is for that one. */
static gboolean
check_launch (const WpResolver *r, GError **error)
{
  const IdgLaunch *made = &r->kernel->launch, *launch = &r->resolved->launch;
  gboolean threads = r->kernel->fixed_threads && launch->threads != made->threads;

  if (!threads && (!r->kernel->fixed_blocks || launch->blocks == made->blocks))
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_FIT,
               "%s: loops and branches of %s were decided for %" G_GINT64_FORMAT
               " %s, and would be others for %" G_GINT64_FORMAT
               "; expected a kernel that is imported for that launch, one in each command",
               idg_kernel_get_file (r->kernel), r->kernel->name,
               threads ? made->threads : made->blocks, threads ? "threads per block" : "blocks",
               threads ? launch->threads : launch->blocks);
  return FALSE;
}

gboolean
wp_resolver_shares (const WpGpu *gpu)
{
  for (guint i = 0; i < gpu->pipelines->len; i++)
    if (((const WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, i))->shared > 1)
      return TRUE;
  return FALSE;
}

/* Whether an instruction of COST passes pipeline P, in one of its contexts. */
static gboolean
passes (const WpResolverCost *cost, guint p)
{
  gboolean found = cost->op != NULL && cost->op->pipeline == p;

  for (guint i = 0; i < cost->n; i++)
    for (guint k = 0; k < cost->contexts[i].cost.n_passes; k++)
      found = found || cost->contexts[i].cost.passes[k].pipeline == p;
  return found;
}

/* Whether an instruction of the kernel does, once costs are known. */
static gboolean
is_passed (const WpResolver *r, guint p)
{
  for (guint i = 0; i < r->kernel->programs->len; i++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (r->kernel->programs, i);
      const WpResolverCost *costs = g_ptr_array_index (r->costs, i);

      for (guint n = 0; n < program->program->n_nodes; n++)
        if (passes (&costs[n], p))
          return TRUE;
    }
  return FALSE;
}

guint32
wp_resolver_get_shared (const WpResolver *r, guint p)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);

  return pipeline->shared > 1 && is_passed (r, p) ? pipeline->shared : 1;
}

/* The most SMs that share a pipeline: they are simulated where nobody says how many. */
static guint32
find_group (const WpResolver *r)
{
  guint32 most = 1;

  for (guint p = 0; p < r->gpu->pipelines->len; p++)
    most = MAX (most, wp_resolver_get_shared (r, p));
  return MIN (most, (guint32)r->gpu->sms);
}

gboolean
wp_resolver_fit_launch (WpResolver *r, GError **error)
{
  WpResolved *resolved = r->resolved;
  WpMachine *machine = &resolved->machine;
  const WpRunOptions *options = r->options;
  guint64 most;

  resolved->launch = r->kernel->launch;
  wp_run_options_override (options, &resolved->launch);
  resolved->asked_warps = options->occupancy;
  resolved->assumed_launch = (r->kernel->assumed_blocks && options->blocks < 0)
                             || (r->kernel->assumed_threads && options->threads < 0);
  if (!check_launch (r, error))
    return FALSE;
  if (options->sms > r->gpu->sms)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_FIT,
                   "%" G_GINT64_FORMAT " SMs are to be simulated; %s has %" G_GINT64_FORMAT,
                   options->sms, r->gpu->name, r->gpu->sms);
      return FALSE;
    }
  if (!wp_occupancy_compute (r->gpu, &resolved->launch, options->occupancy, options->no_limits,
                             &resolved->occupancy, error))
    {
      g_prefix_error (error, "%s: ", idg_kernel_get_file (r->kernel));
      return FALSE;
    }
  machine->n_sms = (guint32)r->gpu->sms;
  machine->simulated_sms = options->sms == 0 ? machine->n_sms : (guint32)options->sms;
  if (options->sms == 1 && !options->sms_said)
    machine->simulated_sms = find_group (r);
  machine->n_blocks
      = share ((guint64)resolved->launch.blocks, machine->simulated_sms, machine->n_sms);
  machine->warps_per_block = (guint32)resolved->occupancy.warps_per_block;
  resolved->blocks_of_sm = machine->n_blocks / machine->simulated_sms;
  most = (machine->n_blocks + machine->simulated_sms - 1) / machine->simulated_sms;
  if (wp_resolver_is_ideal (r, WP_IDEAL_OCCUPANCY))
    fill_up (r, most);
  most = MIN (most, (guint64)resolved->occupancy.blocks);
  if (most > WP_MAX_RESIDENT_WARPS / machine->warps_per_block / machine->simulated_sms)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT
                   " blocks of %u warp%s would be resident at a time on each SM that is simulated "
                   "(%u); the most is %u warps in all: use --occupancy",
                   most, machine->warps_per_block, machine->warps_per_block == 1 ? "" : "s",
                   machine->simulated_sms, WP_MAX_RESIDENT_WARPS);
      return FALSE;
    }
  machine->resident_blocks = (guint32)most;
  return TRUE;
}

gboolean
wp_resolver_assign_programs (WpResolver *r, GError **error)
{
  g_autoptr (IdgAssignment) assignment = idg_kernel_assign (
      r->kernel, (guint64)r->resolved->launch.blocks, r->resolved->machine.warps_per_block, error);

  if (assignment == NULL)
    return FALSE;
  for (guint i = 0; i < assignment->blocks->len; i++)
    {
      const IdgAssignedBlocks *blocks = &g_array_index (assignment->blocks, IdgAssignedBlocks, i);
      WpBlockRange range = { blocks->first_block, blocks->row };

      g_array_append_val (r->arena->block_ranges, range);
    }
  for (guint i = 0; i < assignment->rows->len; i++)
    {
      const GArray *segments = g_ptr_array_index (assignment->rows, i);
      WpRow row = { r->arena->segments->len, segments->len };

      for (guint s = 0; s < segments->len; s++)
        {
          const IdgSegment *from = &g_array_index (segments, IdgSegment, s);
          WpSegment segment = { from->first_warp, from->program };

          g_array_append_val (r->arena->segments, segment);
        }
      g_array_append_val (r->arena->rows, row);
    }
  return TRUE;
}
