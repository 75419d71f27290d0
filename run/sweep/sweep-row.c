/* SPDX-License-Identifier: MIT */
/* Columns are those of the JSON report, under its keys and with the same digits, but for what
 * concerns not the run but how it was simulated (skipped, cores) and what is the same in each row
 * (complete).
 */
#include "run/sweep/sweep-row.h"

#include "run/base/csv.h"
#include "run/simulate/report.h"
#include "run/simulate/warnings.h"
#include "run/sweep/sweep-endings.h"
#include "run/sweep/sweep-line.h"
#include "run/sweep/sweep-spread.h"

#include <string.h>

/* ---- Cells ---- */

static void
add_separator (GString *line)
{
  if (line->len > 0)
    g_string_append_c (line, ',');
}

static void
add_string (GString *line, const gchar *value)
{
  add_separator (line);
  wp_csv_append_text (line, value);
}

static void
add_joined (GString *line, const gchar *first, const gchar *second, const gchar *third)
{
  g_autofree gchar *name = g_strjoin (NULL, first, second, third != NULL ? "_" : NULL, third, NULL);

  add_string (line, name);
}

static void
add_unsigned (GString *line, guint64 value)
{
  add_separator (line);
  g_string_append_printf (line, "%" G_GUINT64_FORMAT, value);
}

static void
add_ratio (GString *line, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  add_separator (line);
  g_string_append (line, g_ascii_formatd (text, sizeof text, "%.12g", value));
}

static void
add_ticks (GString *line, const WpResolved *resolved, WpSum ticks)
{
  gchar text[WP_TIME_CHARS];

  add_separator (line);
  g_string_append (line, wp_sum_format (ticks, resolved->machine.ticks_per_cycle, text));
}

static void
add_empty (GString *line, guint n)
{
  while (n-- > 0)
    g_string_append_c (line, ',');
}

/* ---- The first line ---- */

static const gchar *const launch_names[]
    = { "launch_threads", "launch_registers", "launch_shared_memory", "launch_blocks" };
static const gchar *const run_names[]
    = { "sms", "occupancy", "policy", "active_set", "order", "memory", "seed", "error" };
static const gchar *const metric_names[] = { "ticks_per_cycle",
                                             "cycles",
                                             "time_us",
                                             "blocks",
                                             "warps",
                                             "instructions",
                                             "ipc",
                                             "resident_blocks",
                                             "resident_warps",
                                             "limiters",
                                             "mean_occupancy",
                                             "mean_warp_latency",
                                             "warp_throughput",
                                             "scheduler_utilization" };
static const gchar *const pipeline_names[]
    = { "instructions", "utilization", "ipc", "gflops", "gbytes_per_s", "dependency" };

/* What was added to the format since then. */
static const gchar *const end_names[] = { "cycles_drained", "time_drained_us", "warnings" };

static void
add_names (GString *line, const gchar *const *names, gsize n)
{
  for (gsize i = 0; i < n; i++)
    add_string (line, names[i]);
}

gchar *
wp_sweep_get_header (const WpSweep *sweep)
{
  GString *line = g_string_new ("row,kernel,gpu");

  for (guint i = 0; i < sweep->gpu_sets->sets->len; i++)
    add_joined (line, "gpu_set_", wp_sweep_gpu_sets_get (sweep->gpu_sets, i)->path, NULL);
  for (guint i = 0; i < sweep->parameters->len; i++)
    add_joined (line, "set_", g_ptr_array_index (sweep->parameters, i), NULL);
  add_names (line, launch_names, G_N_ELEMENTS (launch_names));
  add_names (line, run_names, G_N_ELEMENTS (run_names));
  add_names (line, metric_names, G_N_ELEMENTS (metric_names));
  for (guint i = 0; i < WP_N_STALLS; i++)
    add_joined (line, "stalls_", wp_report_get_stall_name (i), NULL);
  for (guint i = 0; i < sweep->pipelines->len; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (pipeline_names); k++)
      add_joined (line, "pipelines_", g_ptr_array_index (sweep->pipelines, i), pipeline_names[k]);
  add_names (line, end_names, G_N_ELEMENTS (end_names));
  if (sweep->normalize)
    add_string (line, WP_SWEEP_SPEED_UP);
  wp_sweep_spread_append_names (sweep, line);
  g_string_append (line, WP_SWEEP_LINE_END);
  return g_string_free (line, FALSE);
}

/* ---- A row: what was asked for ---- */

/* What the GPU's own description says is empty. */
static void
add_gpu_sets (GString *line, const WpSweep *sweep, const WpSweepPoint *point)
{
  for (guint i = 0; i < sweep->gpu_sets->sets->len; i++)
    {
      const gchar *value
          = wp_sweep_gpu_sets_get_value (sweep->gpu_sets, (guint)point->values[WP_AXIS_GPU], i);

      add_string (line, value != NULL ? value : "");
    }
}

/* A parameter that this kernel does not have is empty. */
static void
add_settings (GString *line, const WpSweep *sweep, const WpSweepPoint *point)
{
  const WpSweepKernel *kernel = wp_sweep_get_kernel (sweep, point);

  for (guint i = 0; i < sweep->parameters->len; i++)
    {
      const IdgParameter *parameter
          = wp_sweep_kernel_find (kernel, g_ptr_array_index (sweep->parameters, i));

      if (parameter == NULL)
        add_empty (line, 1);
      else if (sweep->settings[i] != NULL)
        add_unsigned (line, wp_sweep_get_setting (sweep, point->settings, i));
      else
        add_string (line, parameter->value);
    }
}

/* The launch in force; of a kernel that was refused, only what was asked for is known. */
static void
add_launch (GString *line, const WpSweep *sweep, const WpSweepPoint *point, const IdgKernel *kernel)
{
  const struct
  {
    WpAxis axis;
    gint64 own;
  } numbers[] = {
    { WP_AXIS_THREADS, kernel != NULL ? kernel->launch.threads : 0 },
    { WP_AXIS_REGISTERS, kernel != NULL ? kernel->launch.registers : 0 },
    { WP_AXIS_SHARED_MEMORY, kernel != NULL ? kernel->launch.shared_memory : 0 },
    { WP_AXIS_BLOCKS, kernel != NULL ? kernel->launch.blocks : 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sweep->axes[numbers[i].axis] != NULL)
      add_unsigned (line, point->values[numbers[i].axis]);
    else if (kernel != NULL)
      add_unsigned (line, (guint64)numbers[i].own);
    else
      add_empty (line, 1);
}

/* The value of AXIS, or OTHERWISE where the axis was not asked for. */
static guint64
get_asked (const WpSweep *sweep, const WpSweepPoint *point, WpAxis axis, guint64 otherwise)
{
  return sweep->axes[axis] != NULL ? point->values[axis] : otherwise;
}

/* The SMs that are simulated. Where the axis was not asked for and the combination is refused
 * (RESOLVED is NULL), it is not known of a GPU whose SMs share pipelines. */
static void
add_sms (GString *line, const WpSweep *sweep, const WpSweepPoint *point, const WpResolved *resolved)
{
  const WpRunOptions defaults = WP_RUN_OPTIONS_INIT;
  const WpGpu *gpu = g_ptr_array_index (sweep->gpus, point->values[WP_AXIS_GPU]);
  guint64 sms = get_asked (sweep, point, WP_AXIS_SMS, (guint64)defaults.sms);
  gboolean shares = FALSE;

  for (guint i = 0; i < gpu->pipelines->len; i++)
    shares |= ((WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, i))->shared > 1;
  if (resolved != NULL)
    sms = resolved->machine.simulated_sms;
  if (resolved == NULL && shares && sweep->axes[WP_AXIS_SMS] == NULL)
    add_empty (line, 1);
  else
    add_unsigned (line, sms != 0 ? sms : (guint64)gpu->sms);
}

/* Of a KERNEL that could not be made (NULL) nobody knows what its file would say. */
static gboolean
is_contended (const WpSweep *sweep, const WpSweepPoint *point, const IdgKernel *kernel)
{
  WpRunOptions options;

  wp_sweep_get_options (sweep, point, &options);
  return kernel != NULL ? wp_run_options_contend (&options, kernel)
                        : options.memory == WP_MEMORY_CONTENDED;
}

static void
add_asked (GString *line, const WpSweep *sweep, const WpSweepPoint *point, const IdgKernel *kernel,
           const WpResolved *resolved)
{
  const WpRunOptions defaults = WP_RUN_OPTIONS_INIT;
  const WpGpu *gpu = g_ptr_array_index (sweep->gpus, point->values[WP_AXIS_GPU]);
  const WpPolicy *policy = g_ptr_array_index (sweep->policies, point->values[WP_AXIS_POLICY]);

  add_unsigned (line, point->row + 1);
  add_string (line, wp_sweep_get_kernel (sweep, point)->name);
  add_string (line, sweep->gpu_names[point->values[WP_AXIS_GPU]]);
  add_gpu_sets (line, sweep, point);
  add_settings (line, sweep, point);
  add_launch (line, sweep, point, kernel);
  add_sms (line, sweep, point, resolved);
  if (sweep->axes[WP_AXIS_OCCUPANCY] != NULL)
    add_unsigned (line, point->values[WP_AXIS_OCCUPANCY]);
  else
    add_empty (line, 1);
  add_string (line, wp_policy_get_name (policy));
  add_unsigned (line, get_asked (sweep, point, WP_AXIS_ACTIVE_SET, defaults.active_set));
  add_string (line, get_asked (sweep, point, WP_AXIS_ORDER, gpu->order) == WP_ORDER_DATAFLOW
                        ? "dataflow"
                        : "program");
  add_string (line, is_contended (sweep, point, kernel) ? "contended" : "ideal");
  add_unsigned (line, get_asked (sweep, point, WP_AXIS_SEED, defaults.seed));
}

/* ---- A row: what came of it ---- */

static void
add_limiters (GString *line, const WpResident *resident)
{
  for (guint i = 0; i < resident->limiters->len; i++)
    g_string_append_printf (line, "%c%s", i == 0 ? ',' : ' ',
                            (const gchar *)g_ptr_array_index (resident->limiters, i));
}

static void
add_metrics (GString *line, const WpReport *report)
{
  const WpResult *result = report->result;

  add_unsigned (line, (guint64)report->resolved->machine.ticks_per_cycle);
  add_ticks (line, report->resolved, (WpSum){ 0, (guint64)result->elapsed });
  add_ratio (line, report->time_us);
  add_unsigned (line, result->blocks);
  add_unsigned (line, result->warps);
  add_unsigned (line, result->issued);
  add_ratio (line, report->ipc);
  add_unsigned (line, (guint64)report->resident.blocks);
  add_unsigned (line, (guint64)report->resident.warps);
  add_limiters (line, &report->resident);
  add_ratio (line, report->mean_occupancy);
  add_ratio (line, report->mean_warp_latency);
  add_ratio (line, report->warp_throughput);
  add_ratio (line, report->scheduler_utilization);
  for (guint i = 0; i < WP_N_STALLS; i++)
    add_ticks (line, report->resolved, result->stalls[i]);
}

/* The pipeline called NAME, or NULL: this GPU has none. */
static const WpReportPipeline *
find_pipeline (const WpReport *report, const gchar *name)
{
  for (guint i = 0; i < report->resolved->machine.n_pipelines; i++)
    if (strcmp (report->pipelines[i].name, name) == 0)
      return &report->pipelines[i];
  return NULL;
}

static void
add_pipeline (GString *line, const WpReport *report, const WpReportPipeline *pipeline)
{
  add_unsigned (line, pipeline->instructions);
  add_ratio (line, pipeline->utilization);
  add_ratio (line, pipeline->ipc);
  add_ratio (line, pipeline->gflops);
  add_ratio (line, pipeline->gbytes_per_s);
  add_ticks (line, report->resolved, pipeline->waited);
}

static void
add_pipelines (GString *line, const WpSweep *sweep, const WpReport *report)
{
  for (guint i = 0; i < sweep->pipelines->len; i++)
    {
      const WpReportPipeline *pipeline
          = find_pipeline (report, g_ptr_array_index (sweep->pipelines, i));

      if (pipeline != NULL)
        add_pipeline (line, report, pipeline);
      else
        add_empty (line, G_N_ELEMENTS (pipeline_names));
    }
}

static void
add_warnings (GString *line, const WpReport *report)
{
  g_autofree gchar *names = wp_warnings_join (report->warnings, FALSE, " ");

  g_string_append_c (line, ',');
  wp_csv_append_text (line, names != NULL ? names : "");
}

gchar *
wp_sweep_print_row (const WpSweep *sweep, const WpSweepPoint *point, const IdgKernel *kernel,
                    const WpResolved *resolved, const WpResult *result, const GError *refusal)
{
  GString *line = g_string_new (NULL);

  add_asked (line, sweep, point, kernel, resolved);
  if (result != NULL)
    {
      g_autoptr (WpReport) report = wp_report_new (
          kernel, g_ptr_array_index (sweep->gpus, point->values[WP_AXIS_GPU]), resolved, result);

      add_empty (line, 1);
      add_metrics (line, report);
      add_pipelines (line, sweep, report);
      add_ticks (line, resolved, (WpSum){ 0, (guint64)result->drained });
      add_ratio (line, report->time_drained_us);
      add_warnings (line, report);
    }
  else
    {
      add_string (line, refusal->message);
      add_empty (line, G_N_ELEMENTS (metric_names) + WP_N_STALLS
                           + sweep->pipelines->len * G_N_ELEMENTS (pipeline_names)
                           + G_N_ELEMENTS (end_names));
    }
  if (sweep->normalize)
    add_empty (line, 1);
  wp_sweep_spread_append_empty (sweep, line);
  wp_sweep_line_end (line, sweep->digest);
  return g_string_free (line, FALSE);
}
