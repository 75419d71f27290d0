/* SPDX-License-Identifier: MIT */
/* What the engine reports as a status becomes an error here that names files, ops and options. */
#include "run/simulate/simulation.h"

#include "run/base/memory-limit.h"
#include "run/base/progress.h"
#include "run/simulate/stuck.h"

#include <string.h>

WpSimulation *
wp_simulation_new (const IdgKernel *kernel, const WpGpu *gpu, const WpPolicy *policy,
                   const WpRunOptions *options, GError **error)
{
  WpResolved *resolved = wp_resolve (kernel, gpu, options, error);
  WpSimulation *simulation;

  if (resolved == NULL)
    return NULL;
  simulation = g_new0 (WpSimulation, 1);
  simulation->kernel = kernel;
  simulation->gpu = gpu;
  simulation->policy = policy;
  simulation->resolved = resolved;
  return simulation;
}

void
wp_simulation_free (WpSimulation *simulation)
{
  if (simulation == NULL)
    return;
  wp_device_free (simulation->device);
  wp_resolved_free (simulation->resolved);
  g_free (simulation);
}

gboolean
wp_simulation_start (WpSimulation *simulation, const WpObserver *const *observers,
                     guint n_observers, gboolean skips, GError **error)
{
  const gchar *problem;
  guint64 needed;

  simulation->skips = skips;
  simulation->device = wp_device_new_within (
      &simulation->resolved->machine, simulation->policy, observers, n_observers, skips,
      wp_memory_limit_get_left (simulation->at_once), &needed, &problem);
  if (simulation->device != NULL)
    return TRUE;
  if (strcmp (problem, WP_DEVICE_TOO_LARGE) == 0)
    wp_memory_limit_refuse (idg_kernel_get_file (simulation->kernel), needed, simulation->at_once,
                            error);
  else if (strcmp (problem, "out of memory") == 0)
    g_set_error (error, WP_ERROR, WP_ERROR_MEMORY,
                 "out of memory; with fewer warps at a time (--occupancy) a run takes less");
  else
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "cannot run with policy %s: %s",
                 wp_policy_get_name (simulation->policy), problem);
  return FALSE;
}

#define LOOK 0.25 /* seconds between two looks how far a run is: all its SMs are added up */

/* How far SIMULATION is, of TOTAL instructions. */
static gdouble
find_share (const WpSimulation *simulation, gdouble total)
{
  gdouble issued = (gdouble)wp_device_get_result (simulation->device)->issued;

  return total > 0 ? MIN (issued / total, 1) : 0;
}

gboolean
wp_simulation_drive (const WpSimulation *simulation, WpGoOn go_on, gpointer data, gboolean *done,
                     GError **error)
{
  WpRunStatus status = WP_RUN_MORE;
  WpProgressMeter meter;
  gboolean goes_on = go_on (data, 0, 0);
  gdouble total = wp_machine_count_instructions (&simulation->resolved->machine);
  gdouble share = 0, looked = 0;

  wp_progress_meter_init (&meter, NULL);
  while (status == WP_RUN_MORE && goes_on)
    {
      gdouble before = wp_progress_meter_get_elapsed (&meter), now;

      status = wp_device_run (simulation->device, meter.slice);
      now = wp_progress_meter_get_elapsed (&meter);
      if (now - looked >= LOOK)
        {
          share = find_share (simulation, total);
          looked = now;
        }
      goes_on = go_on (data, meter.slice, share);
      wp_progress_meter_adapt (&meter, now - before);
    }
  *done = status == WP_RUN_DONE;
  return wp_simulation_check (simulation, status, error);
}

/* MODEL.md, section 14: nothing is left to happen, and warps have not terminated. */
static void
set_stuck (const WpSimulation *simulation, GError **error)
{
  const WpMachine *machine = &simulation->resolved->machine;
  g_autoptr (GString) ideals = g_string_new (NULL);
  g_autofree gchar *who = NULL;
  gchar time[WP_TIME_CHARS];
  WpStuck stuck;

  for (guint i = 0; i < WP_N_IDEALS; i++)
    if (simulation->resolved->idealised & WP_IDEAL_BIT (i))
      g_string_append_printf (ideals, " and ideal %s", wp_ideal_get ((WpIdealKind)i)->name);
  wp_device_get_stuck (simulation->device, &stuck);
  who = wp_stuck_describe (&stuck, machine);
  wp_tick_format (wp_device_get_time (simulation->device), machine->ticks_per_cycle, time);
  g_set_error (error, WP_ERROR, WP_ERROR_STUCK,
               "%s: with policy %s%s the run stops at cycle %s, before its end: %s",
               idg_kernel_get_file (simulation->kernel), wp_policy_get_name (simulation->policy),
               ideals->str, time, who);
}

/* A policy from outside did what it may not. */
static void
set_fault (const WpSimulation *simulation, GError **error)
{
  WpOverflow overflow = wp_device_get_overflow (simulation->device);
  gint64 per_cycle = simulation->resolved->machine.ticks_per_cycle;
  g_autofree gchar *what = wp_fault_describe (&overflow.fault, per_cycle);
  gchar time[WP_TIME_CHARS];

  wp_tick_format (overflow.fault.time, per_cycle, time);
  g_set_error (error, WP_ERROR, WP_ERROR_STUCK,
               "%s: policy %s on scheduler %u of SM %u %s at cycle %s",
               idg_kernel_get_file (simulation->kernel), wp_policy_get_name (simulation->policy),
               overflow.fault.scheduler, overflow.sm, what, time);
}

static void
set_overflow (const WpSimulation *simulation, GError **error)
{
  WpOverflow overflow = wp_device_get_overflow (simulation->device);
  const IdgKernel *kernel = simulation->kernel;
  const WpMachine *machine = &simulation->resolved->machine;
  const gchar *file = idg_kernel_get_file (kernel);
  g_autofree gchar *where = NULL;

  if (overflow.instr != G_MAXUINT32)
    where = g_strdup_printf ("%s:%d: op \"%s\": ", file, machine->instrs[overflow.instr].line,
                             machine->names[machine->instrs[overflow.instr].cost->name]);
  else
    where = g_strdup_printf ("%s: ", file);
  g_set_error (error, WP_ERROR, WP_ERROR_OVERFLOW,
               "%s%s in block %" G_GUINT64_FORMAT
               " would come at 2^62 ticks or later (a cycle has %" G_GINT64_FORMAT
               "): the run is too long to be exact",
               where, overflow.what, overflow.block, machine->ticks_per_cycle);
}

gboolean
wp_simulation_check (const WpSimulation *simulation, WpRunStatus status, GError **error)
{
  if (status == WP_RUN_OVERFLOW
      && wp_device_get_overflow (simulation->device).fault.kind != WP_POLICY_FAULT_NONE)
    set_fault (simulation, error);
  else if (status == WP_RUN_OVERFLOW)
    set_overflow (simulation, error);
  else if (status == WP_RUN_STUCK)
    set_stuck (simulation, error);
  else
    return TRUE;
  return FALSE;
}

const WpResult *
wp_simulation_get_result (const WpSimulation *simulation)
{
  const WpResult *result = wp_device_get_result (simulation->device);
  const gchar *broken = wp_result_check (result);

  if (broken != NULL)
    g_error ("%s; this is an error in warpipe", broken);
  return result;
}
