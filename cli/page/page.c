/* SPDX-License-Identifier: MIT */
/* The simulation may be freed before the page is written. So each page resolves its run once more,
 * and keeps the report as JSON. */
#include "config.h"

#include "cli/page/page.h"

#include "cli/common/cli.h"
#include "cli/page/page-sources.h"
#include "models/wp-model.h"
#include "run/simulate/find-bounds.h"
#include "run/simulate/verdict.h"

#include <math.h>
#include <stdlib.h>

#define MAX_POINTS 64 /* of a model's curve */

struct WpPageRun
{
  gchar *label;
  const IdgKernel *kernel; /* borrowed, as is: */
  const WpGpu *gpu;
  gboolean no_limits;
  WpResolved *resolved;
  WpHtmlRecorder *recorder;
  WpBounds *bounds;
  gchar *no_bounds; /* why there are none, though there is a run (MODEL.md, section 14); or NULL */
  WpTick elapsed, drained;
  gboolean stores_queued;
  WpVerdict *verdict;
  gchar *report;  /* JSON */
  gchar *sources; /* or NULL */
  gchar *facts;
};

WpPageRun *
wp_page_run_new (const gchar *label, const IdgKernel *kernel, const WpGpu *gpu,
                 const WpRunOptions *options, const WpTraceWindow *window, guint n_runs,
                 GError **error)
{
  WpResolved *resolved = wp_resolve (kernel, gpu, options, error);
  WpPageRun *run;

  if (resolved == NULL)
    return NULL;
  run = g_new0 (WpPageRun, 1);
  run->label = g_strdup (label);
  run->kernel = kernel;
  run->gpu = gpu;
  run->no_limits = options->no_limits;
  run->resolved = resolved;
  run->recorder = wp_html_recorder_new (&resolved->machine, window, n_runs);
  return run;
}

void
wp_page_run_free (WpPageRun *run)
{
  if (run == NULL)
    return;
  g_free (run->label);
  wp_verdict_free (run->verdict);
  g_free (run->report);
  g_free (run->sources);
  g_free (run->facts);
  wp_html_recorder_free (run->recorder);
  wp_bounds_free (run->bounds);
  g_free (run->no_bounds);
  wp_resolved_free (run->resolved);
  g_free (run);
}

const WpObserver *
wp_page_run_get_observer (const WpPageRun *run)
{
  return wp_html_recorder_get_observer (run->recorder);
}

gboolean
wp_page_run_is_over (const WpPageRun *run)
{
  return wp_html_recorder_is_over (run->recorder);
}

/* A string that is written through a FILE. Not open_memstream(): where that has no memory, what is
 * written is lost, and neither fclose() nor ferror() says so. */
typedef struct
{
  GString *text;
  FILE *out;
} Text;

static ssize_t
append (void *text, const char *bytes, size_t n)
{
  g_string_append_len (text, bytes, (gssize)n);
  return (ssize_t)n;
}

static void
open_text (Text *text)
{
  text->text = g_string_new (NULL);
  text->out = fopencookie (text->text, "w", (cookie_io_functions_t){ .write = append });
  if (text->out == NULL)
    g_error ("out of memory");
}

/* Returns what was written; free with g_free(). */
static gchar *
close_text (Text *text)
{
  if (ferror (text->out) || fclose (text->out) != 0)
    g_error ("out of memory");
  return g_string_free (text->text, FALSE);
}

void
wp_page_run_take_report (WpPageRun *run, const WpReport *report)
{
  Text text;

  open_text (&text);
  wp_report_write_json (report, text.out);
  run->report = close_text (&text);
  if (report->by_line != NULL)
    {
      open_text (&text);
      wp_page_write_sources (&(WpJson){ .out = text.out, .first = TRUE }, report->kernel,
                             report->by_line);
      run->sources = close_text (&text);
    }
  run->elapsed = report->result->elapsed;
  run->drained = report->result->drained;
  run->stores_queued = report->stores_queued;
  run->verdict = wp_report_get_verdict (report);
}

/* ---- Models ---- */

static void
write_points (WpJson *json, const WpModel *model, const WpModelInput *input, guint32 step,
              guint32 most)
{
  WpModelResult result;

  wp_json_begin (json, "points", '[');
  for (guint32 n = step; n <= most; n += step)
    {
      if (wp_model_estimate (model, input, n, &result) != NULL || !isfinite (result.throughput)
          || result.throughput < 0)
        continue;
      wp_json_begin (json, NULL, '{');
      wp_json_unsigned (json, "warps", n);
      wp_json_ratio (json, "warp_throughput", result.throughput);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

/* The models that apply and need no measurements. */
static void
write_models (WpJson *json, const WpPageRun *run, const WpBoundsReport *report)
{
  guint32 block = run->resolved->machine.warps_per_block;
  guint32 most = MAX (report->max_warps / block, 1) * block;
  guint32 step = ((most / block - 1) / MAX_POINTS + 1) * block;
  WpModelInput input;
  WpModelResult result;

  wp_model_input_init (&input, run->resolved, run->gpu, run->bounds);
  wp_json_ratio (json, "instructions", input.instructions);
  wp_json_begin (json, "models", '[');
  for (gsize i = 0; wp_model_get (i) != NULL; i++)
    {
      const WpModel *model = wp_model_get (i);

      if (model->wants_measured || wp_model_estimate (model, &input, most, &result) != NULL)
        continue;
      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "name", model->name);
      wp_json_string (json, "authors", model->authors);
      wp_json_unsigned (json, "year", model->year);
      wp_json_string (json, "title", model->title);
      write_points (json, model, &input, step, most);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
  wp_model_input_clear (&input);
}

/* ---- All that a page has of a run ---- */

static void
write_text (WpJson *json, const gchar *name, const gchar *text)
{
  if (text != NULL)
    wp_json_string (json, name, text);
}

static void
write_bounds (WpJson *json, const WpPageRun *run)
{
  g_autoptr (WpBoundsReport) report
      = wp_bounds_report_new (run->kernel, run->gpu, run->resolved, run->bounds, run->no_limits);
  g_autofree gchar *bounds = NULL;
  Text text;

  open_text (&text);
  wp_bounds_report_write_json (report, text.out);
  bounds = close_text (&text);
  wp_json_literal (json, "bounds", bounds);
  write_models (json, run, report);
  wp_page_write_graph (json, report);
}

/* What the page's scripts want all the same. */
static void
write_no_bounds (WpJson *json, const WpPageRun *run)
{
  const WpMachine *machine = &run->resolved->machine;

  wp_json_begin (json, "bounds", '{');
  wp_json_string (json, "none", run->no_bounds);
  wp_json_unsigned (json, "occupancy",
                    (guint64)machine->resident_blocks * machine->warps_per_block);
  wp_json_end (json, '}');
  wp_json_begin (json, "models", '[');
  wp_json_end (json, ']');
  wp_json_begin (json, "graph", '[');
  wp_json_end (json, ']');
}

static void
write_parameters (WpJson *json, const IdgKernel *kernel)
{
  wp_json_begin (json, "parameters", '[');
  for (guint i = 0; i < kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, i);

      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "name", parameter->name);
      wp_json_string (json, "value", parameter->value);
      write_text (json, "text", parameter->text);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_facts (WpPageRun *run)
{
  gchar clock[WP_TIME_CHARS], drained[24];
  Text text;
  WpJson json = { .out = NULL };

  open_text (&text);
  json.out = text.out;
  wp_json_begin (&json, NULL, '{');
  write_text (&json, "label", run->label);
  write_text (&json, "kernel_title", run->kernel->title);
  write_text (&json, "gpu_title", run->gpu->title);
  wp_json_unsigned (&json, "gpu_sms", (guint64)run->gpu->sms);
  wp_json_string (&json, "clock_mhz", wp_cycles_format (run->gpu->clock_mhz, clock));
  write_parameters (&json, run->kernel);
  wp_json_string (&json, "verdict", run->verdict->text);
  wp_json_boolean (&json, "stores_queued", run->stores_queued);
  if (run->stores_queued)
    {
      /* A text, as it may be more than 2^53. */
      g_snprintf (drained, sizeof drained, "%" G_GINT64_FORMAT, run->drained);
      wp_json_string (&json, "drained", drained);
    }
  wp_json_literal (&json, "report", run->report);
  if (run->sources != NULL)
    wp_json_literal (&json, "sources", run->sources);
  if (run->bounds != NULL)
    write_bounds (&json, run);
  else
    write_no_bounds (&json, run);
  wp_json_end (&json, '}');
  run->facts = close_text (&text);
}

gboolean
wp_page_run_find_bounds (WpPageRun *run, const WpProgress *progress, guint64 max_steps,
                         gint *interrupted, GError **error)
{
  g_autoptr (GError) problem = NULL;

  run->bounds = wp_find_bounds (run->kernel, &run->resolved->machine, progress, max_steps,
                                interrupted, &problem);
  if (g_error_matches (problem, WP_ERROR, WP_ERROR_STUCK))
    {
      wp_cli_complain ("warning: %s", problem->message);
      run->no_bounds = g_strdup (problem->message);
    }
  else if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (*interrupted != 0)
    return TRUE;
  write_facts (run);
  return TRUE;
}

/* ---- The page ---- */

static gchar *
make_page_facts (const gchar *title, const GPtrArray *sentences)
{
  Text text;
  WpJson json = { .out = NULL };

  open_text (&text);
  json.out = text.out;
  wp_json_begin (&json, NULL, '{');
  wp_json_string (&json, "title", title);
  wp_json_begin (&json, "sentences", '[');
  for (guint i = 0; sentences != NULL && i < sentences->len; i++)
    wp_json_string (&json, NULL, g_ptr_array_index (sentences, i));
  wp_json_end (&json, ']');
  wp_json_end (&json, '}');
  return close_text (&text);
}

gboolean
wp_page_write (const GPtrArray *runs, const gchar *title, const GPtrArray *sentences, WpOutput *out,
               GError **error)
{
  g_autofree WpHtmlRun *list = g_new0 (WpHtmlRun, runs->len);
  g_autofree gchar *facts = make_page_facts (title, sentences);
  const WpHtmlPage page = { title, facts, runs->len, list };
  gboolean done;

  for (guint i = 0; i < runs->len; i++)
    {
      const WpPageRun *run = g_ptr_array_index (runs, i);

      list[i] = (WpHtmlRun){ run->facts, run->recorder, run->elapsed };
    }
  done = wp_html_page_write (&page, out->stream, error);
  if (done)
    return wp_output_finish (out, error);
  g_prefix_error (error, "%s: ", wp_output_is_standard (out->name) ? "standard output" : out->name);
  return FALSE;
}
