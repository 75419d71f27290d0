/* SPDX-License-Identifier: MIT */
/* Kernels are loaded one after the other, as an executed one has all cores to itself, and simulated
 * a few at a time, so that not all of them are in memory. */
#include "run/tune/tune.h"

#include "run/simulate/verdict.h"
#include "run/simulate/warnings.h"

#include <math.h>
#include <string.h>

static void
row_free (gpointer data)
{
  WpTuneRow *row = data;
  gchar *strings[]
      = { row->label, row->limiters, row->kind, row->resource, row->verdict, row->warnings };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  g_clear_error (&row->error);
  g_free (row);
}

void
wp_tuning_free (WpTuning *tuning)
{
  if (tuning == NULL)
    return;
  g_ptr_array_unref (tuning->rows);
  g_ptr_array_unref (tuning->notes);
  g_free (tuning);
}

/* ---- One run ---- */

/* Bytes that stores write, of the whole launch; NAN where no pipeline says bytes. */
static gdouble
count_written (const WpReport *report)
{
  const WpMachine *m = &report->resolved->machine;
  gdouble bytes = 0;
  gboolean known = FALSE;

  for (guint32 i = 0; i < m->n_instrs; i++)
    if (m->instrs[i].cost->write && m->instrs[i].cost->bytes > 0)
      {
        bytes += (gdouble)m->instrs[i].cost->bytes * (gdouble)report->result->counts[i];
        known = TRUE;
      }
  return known ? bytes * (gdouble)m->n_sms / m->simulated_sms : NAN;
}

static void
look (const WpSimulation *simulation, gpointer data)
{
  WpTuneRow *row = data;
  const WpResult *result = wp_simulation_get_result (simulation);
  g_autoptr (WpReport) report
      = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved, result);
  g_autoptr (WpVerdict) verdict = wp_report_get_verdict (report);
  const WpMachine *m = &simulation->resolved->machine;

  row->executed = simulation->kernel->executed;
  row->contended = m->contended;
  row->blocks = simulation->resolved->launch.blocks;
  row->threads = simulation->resolved->launch.threads;
  row->registers = simulation->resolved->launch.registers;
  row->shared_memory = simulation->resolved->launch.shared_memory;
  row->resident_warps = report->resident.warps;
  row->most_warps = (gint64)m->resident_blocks * m->warps_per_block;
  row->limiters = wp_resident_join_limiters (&report->resident);
  row->cycles = MAX (report->cycles, report->cycles_drained);
  row->time_us = MAX (report->time_us, report->time_drained_us);
  row->instructions = result->issued * m->n_sms / m->simulated_sms;
  row->bytes_written = count_written (report);
  row->kind = g_strdup (verdict->kind);
  row->resource = g_strdup (verdict->resource);
  row->verdict = g_strdup (verdict->text);
  row->warnings = wp_warnings_join (report->warnings, FALSE, NULL);
  row->no_verdict = wp_warnings_are_in_the_way (report->warnings);
}

/* The parameters of combination INDEX. Free with g_strfreev(). */
static GStrv
list_settings (const WpTune *tune, guint index)
{
  g_autoptr (GStrvBuilder) settings = g_strv_builder_new ();

  for (guint i = 0; i < tune->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (tune->variations, i);
      g_autofree gchar *setting = g_strdup_printf (
          "%s=%s", variation->name, wp_variations_get (tune->variations, index, i)->name);

      g_strv_builder_add (settings, setting);
    }
  return g_strv_builder_end (settings);
}

/* ---- A few at a time ---- */

/* Whether an error says that this launch does not fit on this GPU, or cannot be made with these
 * values, and not that something else is wrong. */
static gboolean
is_of_launch (const GError *error)
{
  return g_error_matches (error, WP_ERROR, WP_ERROR_FIT)
         || g_error_matches (error, WP_ERROR, WP_ERROR_LIMIT)
         || g_error_matches (error, IDG_ERROR, IDG_ERROR_FIT);
}

/* Joins KERNEL with the GPU, to see whether that fits. */
static gboolean
fits (const WpTune *tune, const IdgKernel *kernel, GError **error)
{
  g_autoptr (WpSimulation) simulation
      = wp_simulation_new (kernel, tune->gpu, wp_policy_find ("rr"), &tune->options, error);

  return simulation != NULL;
}

/* Loads the kernel of ROW. NULL with ERROR, or with the row's own. */
static IdgKernel *
load (const WpTune *tune, WpTuneRow *row, GError **error)
{
  g_auto (GStrv) settings = list_settings (tune, row->index);
  g_autoptr (GError) problem = NULL;
  IdgKernel *kernel
      = wp_load_kernel (tune->kernel, settings, tune->import, &tune->options, &problem);

  if (kernel != NULL && fits (tune, kernel, &problem))
    return kernel;
  g_clear_pointer (&kernel, idg_kernel_free);
  if (is_of_launch (problem))
    row->error = g_steal_pointer (&problem);
  else
    g_propagate_prefixed_error (error, g_steal_pointer (&problem), "%s: ", row->label);
  return NULL;
}

/* Simulates ROWS from FIRST on, as many as there are cores for. Returns how many were taken; 0 with
 * ERROR, or where BATCH was interrupted. */
static guint
run_some (const WpTune *tune, WpBatch *batch, GPtrArray *rows, guint first, GError **error)
{
  g_autoptr (GPtrArray) kernels = g_ptr_array_new_with_free_func ((GDestroyNotify)idg_kernel_free);
  g_autofree WpBatchRun *runs = g_new0 (WpBatchRun, 2 * (gsize)batch->max_cores);
  guint i = first;

  for (; i < rows->len && kernels->len < 2 * batch->max_cores; i++)
    {
      WpTuneRow *row = g_ptr_array_index (rows, i);
      IdgKernel *kernel;

      batch->interrupted = wp_progress_is_cancelled (batch->progress);
      if (batch->interrupted != 0)
        return 0;
      kernel = load (tune, row, error);
      if (kernel == NULL && row->error == NULL)
        return 0;
      if (kernel == NULL)
        continue;
      runs[kernels->len] = (WpBatchRun){
        .kernel = kernel, .gpu = tune->gpu, .options = tune->options, .look = look, .data = row
      };
      g_ptr_array_add (kernels, kernel);
    }
  if (!wp_batch_run (batch, runs, kernels->len, error) || batch->interrupted != 0)
    return 0;
  return i - first;
}

/* ---- What comes of it ---- */

static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  const WpTuneRow *left = *(WpTuneRow *const *)a, *right = *(WpTuneRow *const *)b;

  if ((left->error != NULL) != (right->error != NULL))
    return left->error != NULL ? 1 : -1;
  if (left->error == NULL && left->time_us != right->time_us)
    return left->time_us < right->time_us ? -1 : 1;
  return left->index < right->index ? -1 : 1;
}

static void
mark_ties (WpTuning *tuning)
{
  const WpTuneRow *best = g_ptr_array_index (tuning->rows, 0);

  for (guint i = 0; i < tuning->rows->len; i++)
    {
      WpTuneRow *row = g_ptr_array_index (tuning->rows, i);

      row->is_tie = row->error == NULL && row->time_us <= best->time_us * (1 + WP_TUNE_TIE);
      tuning->n_ties += row->is_tie;
    }
}

/* What is known of launches like the first one. */
static void
find_known (WpTuning *tuning, const WpTune *tune)
{
  const WpTuneRow *best = g_ptr_array_index (tuning->rows, 0);

  for (guint i = 0; i < tuning->rows->len; i++)
    {
      const WpTuneRow *row = g_ptr_array_index (tuning->rows, i);

      tuning->executed |= row->executed;
      tuning->contended |= row->contended;
    }
  if (tuning->executed && !best->no_verdict)
    tuning->known = wp_known_errors_find (best->kind, best->resource, tune->gpu->generation);
}

/* Launches that write different amounts may not do the same work, or leave some of it in L2. */
static void
note_work (WpTuning *tuning)
{
  gdouble least = INFINITY, most = 0;

  for (guint i = 0; i < tuning->rows->len; i++)
    {
      const WpTuneRow *row = g_ptr_array_index (tuning->rows, i);

      if (row->error != NULL || isnan (row->bytes_written))
        continue;
      least = MIN (least, row->bytes_written);
      most = MAX (most, row->bytes_written);
    }
  if (most > least * 1.05)
    g_ptr_array_add (tuning->notes,
                     g_strdup_printf ("while they run the launches write from %.4g to %.4g MB to "
                                      "memory; unless the rest stays in L2 they do not do the same "
                                      "work, and their times do not compare (does the grid follow "
                                      "from the parameters?)",
                                      least / 1e6, most / 1e6));
}

static void
note_warnings (WpTuning *tuning)
{
  guint n = 0;

  for (guint i = 0; i < tuning->rows->len; i++)
    n += ((WpTuneRow *)g_ptr_array_index (tuning->rows, i))->no_verdict;
  if (n > 0)
    g_ptr_array_add (tuning->notes,
                     g_strdup_printf ("of %u of %u launches nothing is to be concluded, for the "
                                      "warnings that they have",
                                      n, tuning->rows->len));
}

static WpTuning *
new_tuning (const WpTune *tune)
{
  WpTuning *tuning = g_new0 (WpTuning, 1);
  guint n = wp_variations_count (tune->variations, WP_TUNE_MAX_RUNS);

  tuning->rows = g_ptr_array_new_with_free_func (row_free);
  tuning->notes = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < n; i++)
    {
      WpTuneRow *row = g_new0 (WpTuneRow, 1);

      row->index = i;
      row->label = wp_variations_get_label (tune->variations, i);
      g_ptr_array_add (tuning->rows, row);
    }
  return tuning;
}

WpTuning *
wp_tune (const WpTune *tune, WpBatch *batch, GError **error)
{
  g_autoptr (WpTuning) tuning = new_tuning (tune);
  const WpTuneRow *best;
  guint n;

  for (guint i = 0; i < tuning->rows->len; i += n)
    {
      n = run_some (tune, batch, tuning->rows, i, error);
      if (n == 0)
        return NULL;
    }
  g_ptr_array_sort (tuning->rows, compare_rows);
  best = g_ptr_array_index (tuning->rows, 0);
  if (best->error != NULL)
    {
      g_propagate_prefixed_error (error, g_error_copy (best->error),
                                  "none of the launches can run; %s: ", best->label);
      return NULL;
    }
  mark_ties (tuning);
  find_known (tuning, tune);
  note_work (tuning);
  note_warnings (tuning);
  return g_steal_pointer (&tuning);
}
