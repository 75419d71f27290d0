/* SPDX-License-Identifier: MIT */
/* A kernel is parsed again, from memory, for each combination of its parameters. Rows that share a
 * combination come one after another, so that a worker keeps the last kernel.
 */
#include "run/sweep/sweep-worker.h"

#include "run/simulate/report.h"
#include "run/simulate/warnings.h"
#include "run/sweep/sweep-execute.h"
#include "run/sweep/sweep-imports.h"
#include "run/sweep/sweep-row.h"

#include <string.h>

WpSweepWorker *
wp_sweep_worker_new (const WpSweep *sweep, guint at_once)
{
  WpSweepWorker *worker = g_new0 (WpSweepWorker, 1);

  worker->sweep = sweep;
  worker->at_once = at_once;
  return worker;
}

static void
forget (WpSweepWorker *worker)
{
  g_clear_pointer (&worker->kernel, idg_kernel_free);
  g_clear_error (&worker->refusal);
}

void
wp_sweep_worker_free (WpSweepWorker *worker)
{
  forget (worker);
  g_free (worker);
}

/* The kernel of POINT, or NULL: with the reason in worker->refusal. */
static const IdgKernel *
get_kernel (WpSweepWorker *worker, const WpSweepPoint *point)
{
  const WpSweep *sweep = worker->sweep;
  const WpSweepKernel *kernel = wp_sweep_get_kernel (sweep, point);
  const GError *refusal = NULL;
  const gchar *text = kernel->executed != NULL ? wp_sweep_get_executed (sweep, point, &refusal)
                                               : wp_sweep_get_text (sweep, point);
  g_auto (GStrv) list = NULL;

  if (worker->is_ready && worker->settings == point->settings && worker->text == text)
    return worker->kernel;
  forget (worker);
  worker->is_ready = FALSE;
  if (refusal != NULL)
    {
      worker->refusal = g_error_copy (refusal);
      return NULL;
    }
  if (!kernel->is_executed) /* else they are in the text */
    list = wp_sweep_list_settings (sweep, point->settings);
  /* Messages are part of the table, which has nothing of where files happen to lie. */
  worker->kernel = idg_kernel_parse (text, text == kernel->text ? kernel->length : strlen (text),
                                     kernel->name, (const gchar *const *)list, &worker->refusal);
  worker->settings = point->settings;
  worker->text = text;
  worker->is_ready = TRUE;
  return worker->kernel;
}

/* Whether ERROR depends on the computer: another one might find the row. */
static gboolean
is_of_machine (const GError *error)
{
  return g_error_matches (error, WP_ERROR, WP_ERROR_MEMORY)
         || g_error_matches (error, IDG_ERROR, IDG_ERROR_MEMORY);
}

/* Puts the reason WHY into ROW, unless it ends the whole sweep. */
static gboolean
refuse (const WpSweepWorker *worker, const WpSweepPoint *point, const GError *why, WpSweepRow *row,
        GError **error)
{
  if (is_of_machine (why))
    {
      g_propagate_error (error, g_error_copy (why));
      return FALSE;
    }
  row->text = wp_sweep_print_row (worker->sweep, point, worker->kernel, NULL, NULL, why);
  row->refused = TRUE;
  return TRUE;
}

/* Whether the run, which has ended, has no warnings. */
static gboolean
check_warnings (const WpSimulation *simulation, GError **error)
{
  g_autoptr (WpReport) report
      = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved,
                       wp_simulation_get_result (simulation));

  return wp_warnings_refuse (report->warnings, NULL, NULL, error);
}

gboolean
wp_sweep_find_row (WpSweepWorker *worker, WpSweepRow *row, WpGoOn go_on, gpointer data,
                   GError **error)
{
  const WpSweep *sweep = worker->sweep;
  WpSweepPoint point;
  WpRunOptions options;
  const IdgKernel *kernel;
  g_autoptr (WpSimulation) simulation = NULL;
  g_autoptr (GError) why = NULL;
  gboolean done;

  row->text = NULL;
  row->refused = FALSE;
  wp_sweep_get_point (sweep, row->index, &point);
  wp_sweep_get_options (sweep, &point, &options);
  kernel = get_kernel (worker, &point);
  if (kernel == NULL)
    return refuse (worker, &point, worker->refusal, row, error);
  simulation = wp_simulation_new (
      kernel, g_ptr_array_index (sweep->gpus, point.values[WP_AXIS_GPU]),
      g_ptr_array_index (sweep->policies, point.values[WP_AXIS_POLICY]), &options, &why);
  if (simulation != NULL)
    simulation->at_once = worker->at_once;
  if (simulation == NULL || !wp_simulation_start (simulation, NULL, 0, TRUE, &why)
      || !wp_simulation_drive (simulation, go_on, data, &done, &why))
    return refuse (worker, &point, why, row, error);
  if (done && sweep->strict && !check_warnings (simulation, &why))
    return refuse (worker, &point, why, row, error);
  if (done)
    row->text = wp_sweep_print_row (sweep, &point, kernel, simulation->resolved,
                                    wp_simulation_get_result (simulation), NULL);
  return TRUE;
}
