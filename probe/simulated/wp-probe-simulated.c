/* SPDX-License-Identifier: MIT */
/* A launch becomes a kernel in memory, which the engine runs on all SMs of the GPU. What the
 * measuring program gets back is the time of the last termination and nothing else. */
#include "probe/simulated/wp-probe-simulated.h"

#include <math.h>

#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"

typedef struct
{
  WpProbeDevice device;
  const WpGpu *gpu;
  guint64 most_bytes; /* of a launch */
} Simulated;

#define SLICE (1 << 16) /* issues in one call of the engine */

/* ---- The kernel ---- */

/* The instruction or barrier of STEP, whose place INDEX receives. */
static IdgStatus
add_node (IdgProgram *program, const WpProbeStep *step, guint32 *index)
{
  if (g_str_equal (step->op, WP_PROBE_BARRIER))
    return idg_program_add_barrier (program, NULL, 0, index);
  return idg_program_add_instruction (program, step->op, step->access, NULL, NULL, 0, index);
}

/* LAST: the place of the step before, and then of this one. */
static IdgStatus
add_step (IdgProgram *program, const WpProbeStep *step, guint32 *last)
{
  IdgStatus status = idg_program_begin_repeat (program, step->times, 0, NULL);
  guint32 index = 0;

  if (status == IDG_OK)
    status = add_node (program, step, &index);
  if (status == IDG_OK && step->is_chained)
    status = idg_program_add_dependence (program, index, index);
  if (status == IDG_OK && step->waits)
    status = idg_program_add_dependence (program, index, *last);
  if (status == IDG_OK)
    status = idg_program_end_repeat (program);
  *last = index;
  return status;
}

/* NULL: out of memory. */
static IdgProgram *
make_program (const WpProbeLaunch *launch)
{
  IdgProgram *program = idg_program_new ();
  IdgStatus status = program != NULL ? IDG_OK : IDG_NO_MEMORY;
  guint32 last = 0;

  if (status == IDG_OK)
    status = idg_program_begin_repeat (program, launch->rounds, 0, NULL);
  for (guint i = 0; status == IDG_OK && i < launch->n_steps; i++)
    if (launch->steps[i].times > 0)
      status = add_step (program, &launch->steps[i], &last);
  if (status == IDG_OK)
    status = idg_program_end_repeat (program);
  if (status == IDG_OK)
    return program;
  idg_program_free (program);
  return NULL;
}

/* The warps of LAUNCH that execute the steps, or those that do not. */
static GArray *
list_warps (const WpProbeLaunch *launch, gboolean work)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (IdgRange));

  for (guint warp = 0; warp < launch->warps; warp++)
    if ((warp % launch->stride == 0) == work)
      {
        IdgRange range = { warp, warp };

        g_array_append_val (ranges, range);
      }
  return ranges;
}

/* Gives KERNEL the program of LAUNCH for the warps that work, or that do not. */
static gboolean
add_program (IdgKernel *kernel, const WpProbeLaunch *launch, gboolean work)
{
  static const WpProbeLaunch nothing = { .rounds = 1 };
  IdgProgram *program = make_program (work ? launch : &nothing);

  if (program != NULL)
    idg_kernel_add_program (kernel, program, NULL, list_warps (launch, work), NULL, 0);
  return program != NULL;
}

/* NULL: out of memory. */
static IdgKernel *
make_kernel (const WpProbeLaunch *launch, gint64 warp_size)
{
  g_autoptr (IdgKernel) kernel = idg_kernel_new ("probe");

  kernel->launch.blocks = (gint64)launch->blocks;
  kernel->launch.threads = launch->warps * warp_size;
  kernel->launch.registers = launch->registers;
  kernel->launch.shared_memory = launch->shared_memory;
  if (!add_program (kernel, launch, TRUE)
      || (launch->stride > 1 && launch->warps > 1 && !add_program (kernel, launch, FALSE)))
    return NULL;
  return g_steal_pointer (&kernel);
}

/* ---- The run ---- */

static gboolean
goes_on (const WpProbeDevice *device)
{
  return device->goes_on == NULL || device->goes_on (device->data);
}

static WpDevice *
start (const Simulated *simulated, const WpMachine *machine, GError **error)
{
  const gchar *problem = NULL;
  guint64 needed = 0;
  WpDevice *device = wp_device_new_within (machine, wp_policy_find ("rr"), NULL, 0, TRUE,
                                           simulated->most_bytes, &needed, &problem);

  if (device == NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_MEMORY,
                 "%s: cannot run a microbenchmark on all its SMs: %s", simulated->device.name,
                 problem);
  return device;
}

static gboolean
simulate (Simulated *simulated, const WpMachine *machine, gdouble *cycles, GError **error)
{
  WpDevice *device = start (simulated, machine, error);
  WpRunStatus status = WP_RUN_MORE;
  const WpResult *result;

  if (device == NULL)
    return FALSE;
  while (status == WP_RUN_MORE && goes_on (&simulated->device))
    status = wp_device_run (device, SLICE);
  result = wp_device_get_result (device);
  simulated->device.issued += result->issued;
  *cycles = (gdouble)result->elapsed / (gdouble)machine->ticks_per_cycle;
  wp_device_free (device);
  if (status == WP_RUN_DONE || status == WP_RUN_MORE)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_OVERFLOW,
               "%s: a microbenchmark would take 2^62 ticks or more: times are too long",
               simulated->device.name);
  return FALSE;
}

static gboolean
run (WpProbeDevice *device, const WpProbeLaunch *launch, gdouble *cycles, gboolean *fits,
     GError **error)
{
  const WpGpu *gpu = ((Simulated *)device)->gpu;
  g_autoptr (IdgKernel) kernel = make_kernel (launch, gpu->warp_size);
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (GError) refused = NULL;
  WpRunOptions options = WP_RUN_OPTIONS_INIT;

  if (kernel == NULL)
    {
      g_set_error_literal (error, WP_ERROR, WP_ERROR_MEMORY, "out of memory");
      return FALSE;
    }
  options.sms = 0;
  options.sms_said = TRUE;
  options.memory = launch->is_contended ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  resolved = wp_resolve (kernel, gpu, &options, &refused);
  if (fits != NULL)
    *fits = resolved != NULL;
  if (resolved != NULL)
    return simulate ((Simulated *)device, &resolved->machine, cycles, error);
  if (fits != NULL && g_error_matches (refused, WP_ERROR, WP_ERROR_FIT))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&refused));
  return FALSE;
}

/* ---- What a driver tells ---- */

static gboolean
has (WpProbeDevice *device, const gchar *name, const gchar *access)
{
  const WpGpuOp *op = wp_gpu_get_op (((Simulated *)device)->gpu, name);

  return op != NULL && (access == NULL || wp_gpu_op_has_context (op, access));
}

static gint64
get (WpProbeDevice *device, WpProbeAttribute attribute)
{
  const WpGpu *gpu = ((Simulated *)device)->gpu;
  const WpGpuLimits *limits = &gpu->limits;

  switch (attribute)
    {
    case WP_PROBE_SMS:
      return gpu->sms;
    case WP_PROBE_CLOCK_KHZ:
      return (gint64)(wp_cycles_to_double (gpu->clock_mhz) * 1000 + 0.5);
    case WP_PROBE_WARP_SIZE:
      return gpu->warp_size;
    case WP_PROBE_WARPS:
      return limits->warps;
    case WP_PROBE_BLOCKS:
      return limits->blocks;
    case WP_PROBE_THREADS:
      return limits->threads;
    case WP_PROBE_REGISTERS:
      return limits->registers;
    case WP_PROBE_SHARED_MEMORY:
      return limits->shared_memory;
    case WP_PROBE_THREADS_PER_BLOCK:
      return limits->threads_per_block;
    case WP_PROBE_REGISTERS_PER_THREAD:
      return limits->registers_per_thread;
    case WP_PROBE_SHARED_MEMORY_PER_BLOCK:
      return limits->shared_memory_per_block;
    case WP_PROBE_SHARED_MEMORY_RESERVED:
      return limits->shared_memory_reserved;
    case WP_PROBE_L2_BYTES:
      return (gint64)gpu->caches[1].bytes;
    case WP_PROBE_CC:
      return gpu->cc != NULL ? lround (10 * g_ascii_strtod (gpu->cc, NULL)) : 0;
    default:
      return 0;
    }
}

static gint64
count_blocks (WpProbeDevice *device, const WpProbeLaunch *launch)
{
  const WpGpu *gpu = ((Simulated *)device)->gpu;
  IdgLaunch asked = { .blocks = 1,
                      .threads = launch->warps * gpu->warp_size,
                      .registers = launch->registers,
                      .shared_memory = launch->shared_memory };
  WpOccupancy occupancy;

  if (!wp_occupancy_compute (gpu, &asked, 0, FALSE, &occupancy, NULL))
    return 0;
  return occupancy.blocks == WP_DOES_NOT_BIND ? -1 : occupancy.blocks;
}

static void
free_simulated (WpProbeDevice *device)
{
  g_free (device);
}

WpProbeDevice *
wp_probe_simulated_new (const WpGpu *gpu, guint64 most_bytes)
{
  Simulated *simulated = g_new0 (Simulated, 1);

  simulated->gpu = gpu;
  simulated->most_bytes = most_bytes;
  simulated->device = (WpProbeDevice){
    .name = gpu->name,
    .title = gpu->title,
    .clock = "the engine's clock",
    .has = has,
    .get = get,
    .count_blocks = count_blocks,
    .run = run,
    .free = free_simulated,
  };
  return &simulated->device;
}
