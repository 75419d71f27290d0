/* SPDX-License-Identifier: MIT */
/* warpipe run: one kernel on one GPU. */
#include "cli/commands.h"
#include "cli/common/cli-launch.h"
#include "cli/common/cli-ops.h"
#include "cli/common/cli-signals.h"
#include "cli/report/report-run.h"
#include "cli/report/report-warnings.h"
#include "cli/run/run-outputs.h"

static void
print_report (const WpRunRequest *run, const WpReport *report)
{
  if (run->json)
    {
      wp_complain_of_warnings (report->warnings);
      wp_report_write_json (report, stdout);
    }
  else
    wp_report_print_text (report);
}

/* The totals of the whole grid, where blocks were left out: free with wp_result_free(); else
 * NULL. */
static WpResult *
extrapolate (const WpSimulation *simulation, const WpDrive *drive)
{
  if (drive->estimate == NULL || drive->estimate->left_out == 0)
    return NULL;
  return wp_estimate_extrapolate (drive->estimate, &simulation->resolved->machine,
                                  wp_simulation_get_result (simulation));
}

static WpReport *
make_report (const WpSimulation *simulation, const WpDrive *drive, WpLineStalls *stalls,
             const WpResult *result)
{
  WpReport *report
      = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved, result);

  wp_report_find_notes (report);
  report->policy = wp_policy_get_name (simulation->policy);
  report->chooser = simulation->policy;
  report->skips = simulation->skips;
  report->skipped = wp_device_get_skipped (simulation->device);
  report->cores = drive->cores;
  report->alone = drive->alone;
  if (drive->estimate != NULL && drive->estimate->kind != WP_ESTIMATE_NONE)
    report->estimate = drive->estimate;
  if (stalls != NULL && result->waited != NULL)
    wp_line_stalls_take (stalls, result);
  if (stalls != NULL)
    report->by_line
        = wp_by_line_new (simulation->kernel, simulation->resolved, report->result, stalls);
  return report;
}

/* What is to add up where SIMULATION's warps wait, by the engine or as one of OUTPUTS' observers,
 * or NULL: nobody asked, or the engine cannot, and who observes has nothing estimated. */
static WpLineStalls *
watch_lines (const WpRunRequest *run, const WpSimulation *simulation, WpRunOutputs *outputs)
{
  g_autoptr (WpLineStalls) stalls = NULL;

  if (run->no_lines || !wp_source_lines_are_known (simulation->kernel))
    return NULL;
  stalls = wp_line_stalls_new (simulation->resolved);
  if (!wp_line_stalls_leave (stalls, simulation->resolved))
    {
      if (run->error > 0)
        return NULL;
      outputs->observers[outputs->n_observers++] = wp_line_stalls_get_observer (stalls);
    }
  outputs->is_watched = TRUE;
  return g_steal_pointer (&stalls);
}

/* Makes the run that RUN asks for. */
static gboolean
simulate (const WpRunRequest *run, const IdgKernel *kernel, const WpGpu *gpu, WpDrive *drive,
          GError **error)
{
  g_autoptr (WpLineStalls) stalls = NULL; /* freed last: the machine refers to it */
  /* Freed after the outputs, which refer to its machine. */
  g_autoptr (WpSimulation) simulation
      = wp_simulation_new (kernel, gpu, run->machine.policy, &run->options, error);
  g_auto (WpRunOutputs) outputs = { 0 };
  g_autoptr (WpResult) estimated = NULL;
  g_autoptr (WpReport) report = NULL;

  if (simulation != NULL)
    stalls = watch_lines (run, simulation, &outputs);
  if (simulation == NULL || !wp_run_outputs_open (&outputs, run, simulation, error)
      || !wp_simulation_start (simulation, outputs.observers, outputs.n_observers, !run->no_skip,
                               error))
    return FALSE;
  drive->watch = wp_run_outputs_get_watch (&outputs);
  if (!wp_drive (simulation, drive, error))
    return FALSE;
  estimated = extrapolate (simulation, drive);
  report = make_report (simulation, drive, stalls,
                        estimated != NULL ? estimated : wp_simulation_get_result (simulation));
  if (drive->interrupted == 0
      && (!wp_cli_check_warnings (report->warnings, run->strict, error)
          || !wp_run_outputs_finish (&outputs, simulation, drive, error)))
    return FALSE;
  if (!wp_run_outputs_finish_page (&outputs, report, drive, error))
    return FALSE;
  print_report (run, report);
  return TRUE;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (WpRunRequest) run = { .command = &wp_command_run };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  WpEstimate estimate = { 0 };
  WpSignals signals;
  WpDrive drive = { .max_issues = max_issues, .progress = &signals.progress };
  WpExit status;
  gboolean done;

  if (!wp_run_request_parse (&run, argv, &status))
    return status;
  if (!wp_run_request_check (&run))
    return WP_EXIT_USAGE;
  run.import.threads = run.machine.max_cores;
  if (!wp_cli_load (run.gpu, run.files[0], run.settings, &run.import, &run.options, &gpu, &kernel,
                    &error)
      || !wp_cli_check_ops (kernel, gpu, run.strict, &error))
    return wp_cli_fail (error);
  if (!wp_run_request_check_sm (&run, kernel, gpu))
    return WP_EXIT_USAGE;
  drive.max_cores = run.machine.max_cores;
  estimate.bound = run.error;
  drive.estimate = run.error > 0 ? &estimate : NULL;
  wp_signals_hold (&signals);
  done = simulate (&run, kernel, gpu, &drive, &error);
  return wp_signals_release (&signals, done, drive.interrupted, error);
}

const WpCommand wp_command_run = {
  .name = "run",
  .arguments = "KERNEL --gpu GPU",
  .summary = "Simulate a kernel on a GPU and report what limits it",
  .details
  = "KERNEL and GPU are files, or names of shipped descriptions (warpipe list kernels, list gpus).",
  .run = run_command,
};
