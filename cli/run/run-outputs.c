/* SPDX-License-Identifier: MIT */
/* Each table, picture or trace is a recorder of its own over an open file. The machine and the page
 * are none: the one is known before the run, the other also shows what is known after it. */
#include "cli/run/run-outputs.h"

#include "cli/common/cli-text.h"
#include "cli/run/machine-json.h"

#include <unistd.h>

static const WpTraceKind *const trace_kinds[WP_RUN_N_OUTPUTS]
    = { [WP_RUN_LIFETIMES] = &wp_trace_lifetimes, [WP_RUN_OCCUPANCY] = &wp_trace_occupancy,
        [WP_RUN_ISSUES] = &wp_trace_issues,       [WP_RUN_CHROME] = &wp_trace_chrome,
        [WP_RUN_KONATA] = &wp_trace_konata,       [WP_RUN_PICTURE] = &wp_trace_picture,
        [WP_RUN_TIMELINE] = &wp_trace_timeline };

void
wp_run_outputs_clear (WpRunOutputs *outputs)
{
  for (guint i = 0; i < outputs->n; i++)
    {
      wp_trace_free (outputs->traces[i]);
      wp_output_free (outputs->outputs[i]);
    }
  wp_page_run_free (outputs->page);
  wp_output_free (outputs->machine);
  wp_output_free (outputs->html);
}

/* ---- Before the run ---- */

static WpTraceOptions
get_trace_options (const WpRunRequest *run, const WpSimulation *simulation)
{
  gint64 cycle = simulation->resolved->machine.ticks_per_cycle;
  WpTextStyle style = wp_text_style_get_own ();
  gboolean plain = isatty (STDOUT_FILENO) && !g_get_charset (NULL);

  return (WpTraceOptions){
    .window = { wp_trace_find_tick (run->window_from, cycle),
                run->to != NULL ? wp_trace_find_tick (run->window_to, cycle) : WP_TRACE_TO_END,
                run->window_sm },
    .kernel = simulation->kernel->name,
    .gpu = simulation->gpu->name,
    .policy = wp_policy_get_name (simulation->policy),
    .clock_mhz = simulation->gpu->clock_mhz,
    .arrows = run->arrows,
    .real_time = run->trace_clock != NULL && g_str_equal (run->trace_clock, "ns"),
    .style = { wp_text_get_width (), !run->ascii && !plain, style.colour },
    .format = run->format_of_picture,
  };
}

/* Checks that the picture has room for what OPTIONS show. Where it has none for all SMs, and none
 * was chosen, it shows the first, and standard error says so. FALSE with ERROR. */
static gboolean
fit_picture (const WpRunRequest *run, const WpMachine *machine, WpTraceOptions *options,
             GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (wp_trace_check_picture (machine, options, &problem))
    return TRUE;
  if (options->window.sm == WP_TRACE_ALL_SMS && machine->simulated_sms > 1
      && g_error_matches (problem, WP_ERROR, WP_ERROR_LIMIT))
    {
      options->window.sm = 0;
      if (wp_trace_check_picture (machine, options, NULL))
        {
          const gchar *name = run->outputs[WP_RUN_PICTURE];

          wp_cli_complain ("%s: a picture has no room for all %u SMs, and shows SM 0; --sm N shows "
                           "another",
                           wp_output_is_standard (name) ? "standard output" : name,
                           machine->simulated_sms);
          return TRUE;
        }
    }
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static gboolean
open_traces (WpRunOutputs *outputs, const WpRunRequest *run, const WpSimulation *simulation,
             GError **error)
{
  WpTraceOptions options = get_trace_options (run, simulation), of_picture = options;
  const WpMachine *machine = &simulation->resolved->machine;

  if (run->outputs[WP_RUN_PICTURE] != NULL && !fit_picture (run, machine, &of_picture, error))
    return FALSE;
  for (guint i = 0; i < WP_RUN_N_OUTPUTS; i++)
    {
      WpOutput *output;

      if (run->outputs[i] == NULL || trace_kinds[i] == NULL)
        continue;
      output = wp_output_open (run->outputs[i], error);
      if (output == NULL)
        return FALSE;
      outputs->outputs[outputs->n] = output;
      outputs->traces[outputs->n] = wp_trace_new (
          trace_kinds[i], machine, i == WP_RUN_PICTURE ? &of_picture : &options, output->stream);
      outputs->observers[outputs->n_observers++] = &outputs->traces[outputs->n]->observer;
      outputs->n++;
    }
  return TRUE;
}

/* The machine is written before the run, and its file made whole after one that has succeeded. */
static gboolean
open_machine (WpRunOutputs *outputs, const WpRunRequest *run, const WpSimulation *simulation,
              GError **error)
{
  if (run->outputs[WP_RUN_MACHINE] == NULL)
    return TRUE;
  outputs->machine = wp_output_open (run->outputs[WP_RUN_MACHINE], error);
  if (outputs->machine == NULL
      || wp_machine_write_json (simulation, outputs->machine->stream, error))
    return outputs->machine != NULL;
  g_prefix_error (error, "%s: ",
                  outputs->machine->stream == stdout ? "standard output" : outputs->machine->name);
  return FALSE;
}

static gboolean
open_page (WpRunOutputs *outputs, const WpRunRequest *run, const WpSimulation *simulation,
           GError **error)
{
  WpTraceWindow window = get_trace_options (run, simulation).window;

  if (run->outputs[WP_RUN_PAGE] == NULL)
    return TRUE;
  outputs->html = wp_output_open (run->outputs[WP_RUN_PAGE], error);
  if (outputs->html != NULL)
    outputs->page = wp_page_run_new (NULL, simulation->kernel, simulation->gpu, &run->options,
                                     &window, 1, error);
  if (outputs->page == NULL)
    return FALSE;
  outputs->observers[outputs->n_observers++] = wp_page_run_get_observer (outputs->page);
  return TRUE;
}

gboolean
wp_run_outputs_open (WpRunOutputs *outputs, const WpRunRequest *run, const WpSimulation *simulation,
                     GError **error)
{
  return open_traces (outputs, run, simulation, error)
         && open_machine (outputs, run, simulation, error)
         && open_page (outputs, run, simulation, error);
}

/* ---- During the run ---- */

static gboolean
has_failed (const WpRunOutputs *outputs)
{
  for (guint i = 0; i < outputs->n; i++)
    if (outputs->traces[i]->error_number != 0)
      return TRUE;
  return FALSE;
}

/* Whether something is recorded, and nothing of what comes will be. */
static gboolean
are_over (const WpRunOutputs *outputs)
{
  if (outputs->is_watched || (outputs->page != NULL && !wp_page_run_is_over (outputs->page)))
    return FALSE;
  for (guint i = 0; i < outputs->n; i++)
    if (!outputs->traces[i]->over)
      return FALSE;
  return outputs->n > 0 || outputs->page != NULL;
}

static WpWatchState
get_state (gpointer data)
{
  const WpRunOutputs *outputs = data;

  if (has_failed (outputs))
    return WP_WATCH_FAILED;
  return are_over (outputs) ? WP_WATCH_OVER : WP_WATCH_MORE;
}

static const gchar *
get_why_in_order (const WpRunOutputs *outputs)
{
  if (outputs->page != NULL)
    return "the page is recorded in the order in which things happen";
  return outputs->n > 0 ? "tables are written in the order in which things happen" : NULL;
}

WpWatch
wp_run_outputs_get_watch (WpRunOutputs *outputs)
{
  return (WpWatch){ get_state, outputs, get_why_in_order (outputs) };
}

/* ---- After the run ---- */

static gboolean
goes_on (gpointer data)
{
  WpDrive *drive = data;

  drive->interrupted = wp_progress_is_cancelled (drive->progress);
  return drive->interrupted == 0;
}

/* The traces write what they have kept. */
static gboolean
finish_traces (WpRunOutputs *outputs, WpDrive *drive, GError **error)
{
  for (guint i = 0; i < outputs->n && drive->interrupted == 0; i++)
    if (!wp_trace_finish (outputs->traces[i], error))
      {
        const gchar *name = outputs->outputs[i]->name;

        g_prefix_error (error, "%s: ", wp_output_is_standard (name) ? "standard output" : name);
        return FALSE;
      }
  return TRUE;
}

gboolean
wp_run_outputs_finish (WpRunOutputs *outputs, const WpSimulation *simulation, WpDrive *drive,
                       GError **error)
{
  for (guint i = 0; i < outputs->n; i++)
    {
      outputs->traces[i]->elapsed = wp_simulation_get_result (simulation)->elapsed;
      outputs->traces[i]->go_on = goes_on;
      outputs->traces[i]->go_on_data = drive;
    }
  if (!finish_traces (outputs, drive, error))
    return FALSE;
  for (guint i = 0; i < outputs->n && drive->interrupted == 0; i++)
    if (!wp_output_finish (outputs->outputs[i], error))
      return FALSE;
  return outputs->machine == NULL || drive->interrupted != 0
         || wp_output_finish (outputs->machine, error);
}

gboolean
wp_run_outputs_finish_page (WpRunOutputs *outputs, const WpReport *report, WpDrive *drive,
                            GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autofree gchar *title = NULL;

  if (outputs->page == NULL || drive->interrupted != 0)
    return TRUE;
  wp_page_run_take_report (outputs->page, report);
  if (!wp_page_run_find_bounds (outputs->page, drive->progress, drive->max_issues,
                                &drive->interrupted, error))
    return FALSE;
  if (drive->interrupted != 0)
    return TRUE;
  g_ptr_array_add (runs, outputs->page);
  title = g_strdup_printf ("%s on %s", report->kernel->name, report->gpu->name);
  return wp_page_write (runs, title, NULL, outputs->html, error);
}
