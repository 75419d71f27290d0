/* SPDX-License-Identifier: MIT */
/* warpipe compare: the same run under several policies, or on several GPUs, or otherwise varied, side by side. */
#include "cli/batch.h"
#include "cli/cli-import.h"
#include "cli/cli-ops.h"
#include "cli/cli-plot.h"
#include "cli/cli-sample.h"
#include "cli/cli-text.h"
#include "cli/page.h"
#include "cli/plot-compare.h"
#include "cli/variations.h"

#include <string.h>

#define MAX_RUNS 24    /* that somebody may want to see side by side */
#define MAX_SEEDS 1000 /* of each */

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *sms, *occupancy, *format_name, *html;
  WpLaunchOptions launch;
  WpMachineOptions machine;
  gchar **settings;
  WpImportOptions import;
  GStrv files;
  GPtrArray *variations; /* of WpVariation */
  guint n_seeds;         /* several: what is compared are their means */
  gint64 n_sms;          /* to simulate; 0: all */
  gboolean strict;
  WpFormat format;
  WpPlotOptions plot;
  WpComparePlotKind kind;
} Compare;

static void
compare_clear (Compare *compare)
{
  gchar *strings[]
      = { compare->gpu, compare->sms, compare->occupancy, compare->format_name, compare->html };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  wp_launch_options_clear (&compare->launch);
  wp_machine_options_clear (&compare->machine);
  wp_plot_options_clear (&compare->plot);
  g_strfreev (compare->settings);
  wp_import_options_clear (&compare->import);
  g_strfreev (compare->files);
  g_clear_pointer (&compare->variations, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Compare, compare_clear)

static gboolean
parse (Compare *compare, gchar **argv, WpExit *status)
{
  WpLaunchOptions *launch = &compare->launch;
  WpMachineOptions *machine = &compare->machine;
  const GOptionEntry entries[] = {
    { "gpu", 0, 0, G_OPTION_ARG_FILENAME, &compare->gpu,
      "GPU descriptions: files, or names of shipped ones", "GPU,..." },
    { "policy", 0, 0, G_OPTION_ARG_FILENAME, &machine->policy_name,
      "Warp scheduling policies (warpipe list policies); rr when left out", "POLICY,..." },
    { "set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &compare->settings,
      "Give a kernel's parameter other values", "NAME=LIST" },
    WP_IMPORT_ENTRIES (&compare->import),
    { "blocks", 0, 0, G_OPTION_ARG_FILENAME, &launch->blocks,
      "Blocks to launch, in place of the kernel's", "LIST" },
    { "threads", 0, 0, G_OPTION_ARG_FILENAME, &launch->threads, "Threads per block", "LIST" },
    { "registers", 0, 0, G_OPTION_ARG_FILENAME, &launch->registers, "Registers per thread",
      "LIST" },
    { "shared-memory", 0, 0, G_OPTION_ARG_FILENAME, &launch->shared_memory,
      "Bytes of shared memory per block", "LIST" },
    { "occupancy", 0, 0, G_OPTION_ARG_FILENAME, &compare->occupancy,
      "Let no more warps be resident on an SM", "LIST" },
    { "active-set", 0, 0, G_OPTION_ARG_FILENAME, &machine->active_set,
      "Active warps of a scheduler, two-level only; 8 when left out", "LIST" },
    { "order", 0, 0, G_OPTION_ARG_FILENAME, &machine->order, "Orders in which a warp issues",
      "program,dataflow" },
    { "memory", 0, 0, G_OPTION_ARG_FILENAME, &machine->memory,
      "Ideal or contended memory; ideal when left out", "ideal,contended" },
    { "seed", 0, 0, G_OPTION_ARG_FILENAME, &machine->seed,
      "Seeds of contended memory's draws; 1 when left out", "LIST" },
    { "sms", 0, 0, G_OPTION_ARG_FILENAME, &compare->sms, "SMs to simulate; 1 when left out",
      "1|all|N" },
    { "no-limits", 0, 0, G_OPTION_ARG_NONE, &machine->no_limits,
      "Let none of the GPU's limits per SM bind", NULL },
    WP_STRICT_ENTRY (&compare->strict),
    { "cores", 0, 0, G_OPTION_ARG_FILENAME, &machine->cores,
      "Processor cores to use at most; all when left out", "N" },
    { "format", 0, 0, G_OPTION_ARG_FILENAME, &compare->format_name,
      "Report as text (when left out), CSV or JSON", "text|csv|json" },
    WP_PLOT_ENTRIES (&compare->plot, WP_COMPARE_PLOT_KINDS),
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &compare->html,
      "Write a page that shows the runs, for a browser", "FILE" },
    G_OPTION_ENTRY_NULL,
  };

  return wp_cli_parse (&wp_command_compare, entries, argv, &compare->files, status);
}

/* ---- Lists ---- */

static gboolean
take (Compare *compare, WpVariation *variation)
{
  if (variation != NULL)
    g_ptr_array_add (compare->variations, variation);
  return variation != NULL;
}

static gboolean
take_words (Compare *compare, const gchar *option, const gchar *value)
{
  return value == NULL
         || take (compare, wp_variation_new_words (&wp_command_compare, option, value));
}

static gboolean
take_numbers (Compare *compare, const gchar *option, const gchar *value, guint64 min, guint64 max)
{
  return value == NULL
         || take (compare, wp_variation_new_numbers (&wp_command_compare, option, value, min, max,
                                                     MAX_RUNS));
}

static gboolean
take_seeds (Compare *compare, const gchar *value)
{
  WpVariation *variation;

  compare->n_seeds = 1;
  if (value == NULL)
    return TRUE;
  variation
      = wp_variation_new_numbers (&wp_command_compare, "seed", value, 0, G_MAXUINT64, MAX_SEEDS);
  if (variation != NULL)
    compare->n_seeds = variation->values->len;
  return take (compare, variation);
}

static gboolean
take_setting (Compare *compare, const gchar *setting)
{
  const gchar *equals = strchr (setting, '=');
  g_autofree gchar *option = NULL;

  if (equals == NULL || equals == setting)
    {
      wp_cli_usage (&wp_command_compare,
                    "--set \"%s\": expected NAME=LIST, whole numbers of at least 0", setting);
      return FALSE;
    }
  option = g_strdup_printf ("set %.*s", (int)(equals - setting), setting);
  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *other = g_ptr_array_index (compare->variations, i);

      if (other->is_set && strcmp (other->name, option + strlen ("set ")) == 0)
        {
          wp_cli_usage (&wp_command_compare, "--set gives \"%s\" twice", other->name);
          return FALSE;
        }
    }
  return take_numbers (compare, option, equals + 1, 0, G_MAXINT64);
}

/* What stands in a word list, each item checked as the option of run is. */
static gboolean
check_words (const Compare *compare)
{
  gboolean dataflow = FALSE, is_second;
  const WpPolicy *alone = NULL;

  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);

      for (guint k = 0; variation->is_word && k < variation->values->len; k++)
        {
          const gchar *value = g_ptr_array_index (variation->values, k);
          const WpPolicy *policy = NULL;

          if (strcmp (variation->name, "policy") == 0
              && (policy = wp_cli_find_policy (&wp_command_compare, value)) == NULL)
            return FALSE;
          if (policy != NULL && !wp_policy_takes_dataflow (policy))
            alone = policy;
          if (strcmp (variation->name, "order") == 0)
            {
              if (!wp_cli_parse_choice (&wp_command_compare, "order", value, "program", "dataflow",
                                        &is_second))
                return FALSE;
              dataflow |= is_second;
            }
          if (strcmp (variation->name, "memory") == 0
              && !wp_cli_parse_choice (&wp_command_compare, "memory", value, "ideal", "contended",
                                       &is_second))
            return FALSE;
        }
    }
  if (dataflow && alone != NULL)
    wp_cli_usage (&wp_command_compare, "--policy %s does not go with --order dataflow",
                  wp_policy_get_name (alone));
  return !dataflow || alone == NULL;
}

static gboolean
is_seed (const WpVariation *variation)
{
  return !variation->is_set && strcmp (variation->name, "seed") == 0;
}

/* How many runs, or means of all seeds, stand beside one another; G_MAXUINT: more than may. */
static guint
count_columns (const Compare *compare)
{
  guint n = wp_variations_count (compare->variations, MAX_RUNS * compare->n_seeds);

  return n == G_MAXUINT ? n : n / compare->n_seeds;
}

static gboolean
check_number_of_runs (const Compare *compare)
{
  guint n = count_columns (compare);

  if (n == 1 && compare->n_seeds == 1)
    wp_cli_usage (&wp_command_compare,
                  "nothing varies; list several values of an option, as in --policy rr,gto");
  if (n == G_MAXUINT)
    wp_cli_usage (&wp_command_compare,
                  "the lists make more than %d runs, too many to see side by side; "
                  "warpipe sweep makes a row of each",
                  MAX_RUNS);
  return n * compare->n_seeds > 1 && n <= MAX_RUNS;
}

/* A mean has no course of its own. */
static gboolean
check_seeds (const Compare *compare)
{
  if (compare->n_seeds == 1 || (compare->html == NULL && compare->kind == WP_COMPARE_PLOT_BARS))
    return TRUE;
  wp_cli_usage (&wp_command_compare,
                "%s shows single runs, which several seeds do not make; give one --seed",
                compare->html != NULL ? "--html" : "such a plot");
  return FALSE;
}

static gboolean
take_lists (Compare *compare)
{
  const WpLaunchOptions *launch = &compare->launch;
  const WpMachineOptions *machine = &compare->machine;

  compare->variations = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_variation_free);
  if (!take_words (compare, "gpu", compare->gpu))
    return FALSE;
  for (guint i = 0; compare->settings != NULL && compare->settings[i] != NULL; i++)
    if (!take_setting (compare, compare->settings[i]))
      return FALSE;
  return take_numbers (compare, "blocks", launch->blocks, 1, IDG_MAX_BLOCKS)
         && take_numbers (compare, "threads", launch->threads, 1, IDG_MAX_THREADS)
         && take_numbers (compare, "registers", launch->registers, 0, IDG_MAX_REGISTERS)
         && take_numbers (compare, "shared-memory", launch->shared_memory, 0, IDG_MAX_SHARED_MEMORY)
         && take_numbers (compare, "occupancy", compare->occupancy, 1, WP_MAX_RESIDENT_WARPS)
         && take_numbers (compare, "active-set", machine->active_set, 1, WP_MAX_RESIDENT_WARPS)
         && take_words (compare, "order", machine->order)
         && take_words (compare, "memory", machine->memory) && take_seeds (compare, machine->seed)
         && take_words (compare, "policy", machine->policy_name);
}

/* Bars stand beside one another; curves cross. */
static gboolean
check_plot (Compare *compare)
{
  const gchar *const page = compare->html;
  guint n = count_columns (compare);

  if (!wp_cli_parse_plot (&wp_command_compare, &compare->plot, wp_compare_plot_kinds, &page, 1))
    return FALSE;
  compare->kind = (WpComparePlotKind)MAX (compare->plot.kind, 0);
  if (compare->kind == WP_COMPARE_PLOT_BARS || n <= WP_PLOT_MAX_SERIES)
    return TRUE;
  wp_cli_usage (&wp_command_compare,
                "a plot would have %u curves, too many to tell apart; at most %d", n,
                WP_PLOT_MAX_SERIES);
  return FALSE;
}

static gboolean
check (Compare *compare)
{
  gint64 cores;

  compare->n_sms = 1;
  if (!wp_cli_parse_sms (&wp_command_compare, compare->sms, &compare->n_sms)
      || !wp_cli_check_kernel_and_gpu (&wp_command_compare, compare->files, compare->gpu)
      || !wp_cli_parse_cores (&wp_command_compare, compare->machine.cores, &cores)
      || !wp_cli_parse_format (&wp_command_compare, compare->format_name, &compare->format))
    return FALSE;
  compare->machine.max_cores = (guint)cores;
  if (compare->html != NULL && *compare->html == '\0')
    {
      wp_cli_usage (&wp_command_compare, "--html: expected a file, or - for standard output");
      return FALSE;
    }
  return take_lists (compare) && check_words (compare) && check_number_of_runs (compare)
         && check_plot (compare) && check_seeds (compare);
}

/* ---- Runs ---- */

/* One of them, and what it runs. */
typedef struct
{
  guint index; /* of the variations' product */
  gchar *label, *warning;
  IdgKernel *kernel;
  const WpGpu *gpu; /* borrowed */
  const WpPolicy *policy;
  WpRunOptions options;
  WpLifetimes *lifetimes;
  WpCurve *warps;     /* of a plot of them, or NULL */
  WpRunCurve curve;   /* to plot */
  WpPageRun *page;    /* NULL: none is wanted */
  WpFigures *figures; /* NULL until it has ended */
} Run;

static void
run_free (gpointer data)
{
  Run *run = data;

  g_free (run->label);
  g_free (run->warning);
  wp_page_run_free (run->page);
  g_clear_pointer (&run->kernel, idg_kernel_free);
  wp_lifetimes_free (run->lifetimes);
  wp_curve_free (run->warps);
  wp_run_curve_clear (&run->curve);
  wp_figures_free (run->figures);
  g_free (run);
}

/* Where number NAME of the launch goes. */
static gint64 *
find_number (WpRunOptions *options, const gchar *name)
{
  const struct
  {
    const gchar *name;
    gint64 *number;
  } numbers[] = { { "blocks", &options->blocks },
                  { "threads", &options->threads },
                  { "registers", &options->registers },
                  { "shared-memory", &options->shared_memory },
                  { "occupancy", &options->occupancy } };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strcmp (numbers[i].name, name) == 0)
      return numbers[i].number;
  return NULL;
}

/* Puts VALUE of option NAME into OPTIONS; it has been checked. */
static void
set_option (WpRunOptions *options, const gchar *name, const gchar *value)
{
  guint64 number = g_ascii_strtoull (value, NULL, 10);
  gint64 *place = find_number (options, name);

  if (place != NULL)
    *place = (gint64)number;
  else if (strcmp (name, "active-set") == 0)
    options->active_set = (guint32)number;
  else if (strcmp (name, "seed") == 0)
    options->seed = number;
  else if (strcmp (name, "memory") == 0)
    options->contended = strcmp (value, "contended") == 0;
  else if (strcmp (name, "order") == 0)
    {
      options->has_order = TRUE;
      options->order = strcmp (value, "dataflow") == 0 ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
    }
}

static guint
get_warps_per_block (const Run *run)
{
  IdgLaunch launch = run->kernel->launch;

  wp_run_options_override (&run->options, &launch);
  return (guint)((launch.threads + run->gpu->warp_size - 1) / run->gpu->warp_size);
}

/* GPUs by name, loaded once. */
static const WpGpu *
get_gpu (GHashTable *gpus, const gchar *name, GError **error)
{
  WpGpu *gpu = g_hash_table_lookup (gpus, name);

  if (gpu != NULL)
    return gpu;
  gpu = wp_data_load_gpu (name, error);
  if (gpu != NULL)
    g_hash_table_insert (gpus, g_strdup (name), gpu);
  return gpu;
}

/* The number, of the variations' product, of the run of COLUMN with seed number SEED. */
static guint
get_index (const Compare *compare, guint column, guint seed)
{
  guint index = 0, weight = 1;

  for (guint i = compare->variations->len; i-- > 0;)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);
      guint n = variation->values->len;

      index += weight * (is_seed (variation) ? seed : column % n);
      column /= is_seed (variation) ? 1 : n;
      weight *= n;
    }
  return index;
}

static gboolean
fill_run (const Compare *compare, GHashTable *gpus, Run *run, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) settings = NULL;

  run->label = wp_variations_get_label (compare->variations, run->index,
                                        compare->n_seeds > 1 ? "seed" : NULL);
  if (*run->label == '\0')
    {
      g_free (run->label);
      run->label = g_strdup ("all seeds");
    }
  run->policy = wp_policy_find ("rr");
  run->options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  run->options.no_limits = compare->machine.no_limits;
  run->options.sms = compare->n_sms;
  run->lifetimes = wp_lifetimes_new ();
  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);
      const gchar *value = wp_variations_get (compare->variations, run->index, i);
      g_autofree gchar *setting = g_strdup_printf ("%s=%s", variation->name, value);

      if (variation->is_set)
        g_strv_builder_add (builder, setting);
      else if (strcmp (variation->name, "policy") == 0)
        run->policy = wp_policy_find (value);
      else if (strcmp (variation->name, "gpu") == 0)
        run->gpu = get_gpu (gpus, value, error);
      else
        set_option (&run->options, variation->name, value);
    }
  settings = g_strv_builder_end (builder);
  if (run->gpu != NULL)
    run->kernel
        = wp_cli_load_kernel (compare->files[0], settings, &compare->import, &run->options, error);
  if (run->kernel != NULL && compare->kind == WP_COMPARE_PLOT_OCCUPANCY)
    run->warps = wp_curve_new (get_warps_per_block (run));
  return run->kernel != NULL;
}

/* Where a page is wanted: RUN is one of N on it. */
static gboolean
add_page (const Compare *compare, guint n, Run *run, GError **error)
{
  const WpTraceWindow window = { 0, WP_TRACE_TO_END, WP_TRACE_ALL_SMS };

  if (compare->html == NULL)
    return TRUE;
  run->page = wp_page_run_new (run->label, run->kernel, run->gpu, &run->options, &window, n, error);
  if (run->page == NULL && g_error_matches (*error, WP_ERROR, WP_ERROR_FIT))
    g_prefix_error (error, "%s: ", run->label);
  return run->page != NULL;
}

/* Once for each GPU, with the first run on it, which is the last of RUNS. */
static gboolean
check_ops (const Compare *compare, const GPtrArray *runs, GError **error)
{
  const Run *run = g_ptr_array_index (runs, runs->len - 1);

  for (guint i = 0; i + 1 < runs->len; i++)
    if (((const Run *)g_ptr_array_index (runs, i))->gpu == run->gpu)
      return TRUE;
  return wp_cli_check_ops (run->kernel, run->gpu, compare->strict, error);
}

/* Those of a column are beside one another, by seed. */
static gboolean
make_runs (const Compare *compare, GHashTable *gpus, GPtrArray *runs, GError **error)
{
  guint n = count_columns (compare);

  for (guint i = 0; i < n * compare->n_seeds; i++)
    {
      Run *run = g_new0 (Run, 1);

      g_ptr_array_add (runs, run);
      run->index = get_index (compare, i / compare->n_seeds, i % compare->n_seeds);
      if (!fill_run (compare, gpus, run, error) || !check_ops (compare, runs, error)
          || !add_page (compare, n, run, error))
        return FALSE;
    }
  return TRUE;
}

/* The values of all of the kernel's parameters, "alpha=1 rounds=2". */
static gchar *
join_parameters (const IdgKernel *kernel)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, i);

      g_string_append_printf (text, "%s%s=%s", i > 0 ? " " : "", parameter->name, parameter->value);
    }
  return g_string_free (text, FALSE);
}

/* What may be plotted of the run. */
static void
take_curve (Run *run, const WpSimulation *simulation)
{
  const WpMachine *machine = &simulation->resolved->machine;

  if (run->warps != NULL)
    wp_run_curve_take_occupancy (&run->curve, run->warps,
                                 wp_simulation_get_result (simulation)->elapsed,
                                 (gdouble)machine->ticks_per_cycle, machine->simulated_sms);
  else
    wp_run_curve_take_lifetimes (&run->curve, run->lifetimes, (gdouble)machine->ticks_per_cycle);
}

/* The run has ended. */
static void
look (const WpSimulation *simulation, gpointer data)
{
  Run *run = data;
  g_autoptr (WpReport) report
      = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved,
                       wp_simulation_get_result (simulation));

  report->policy = wp_policy_get_name (simulation->policy);
  if (run->page != NULL)
    wp_page_run_take_report (run->page, report);
  run->figures = wp_figures_new (report, run->lifetimes);
  run->figures->label = g_strdup (run->label);
  take_curve (run, simulation);
  run->figures->occupancy = run->options.occupancy > 0 ? run->options.occupancy : -1;
  g_free (run->figures->settings);
  run->figures->settings = join_parameters (run->kernel);
  run->warning = wp_resident_get_warning (&report->resident, &simulation->resolved->machine,
                                          run->options.occupancy);
}

static gboolean
simulate (GPtrArray *runs, WpBatch *batch, GError **error)
{
  g_autofree WpBatchRun *list = g_new0 (WpBatchRun, runs->len);

  for (guint i = 0; i < runs->len; i++)
    {
      Run *run = g_ptr_array_index (runs, i);
      guint n_observers = 1;

      list[i] = (WpBatchRun){ .kernel = run->kernel,
                              .gpu = run->gpu,
                              .policy = run->policy,
                              .observers = { wp_lifetimes_get_observer (run->lifetimes) },
                              .options = run->options,
                              .look = look,
                              .data = run };
      if (run->page != NULL)
        list[i].observers[n_observers++] = wp_page_run_get_observer (run->page);
      if (run->warps != NULL)
        list[i].observers[n_observers++] = wp_curve_get_observer (run->warps);
    }
  if (wp_batch_run (batch, list, runs->len, error))
    return TRUE;
  /* Which of them: other errors name a file. */
  if (batch->failed >= 0 && g_error_matches (*error, WP_ERROR, WP_ERROR_FIT))
    g_prefix_error (error, "%s: ", ((const Run *)g_ptr_array_index (runs, batch->failed))->label);
  return FALSE;
}

/* ---- Comparing ---- */

/* Whether RUN and OTHER differ by nothing but NAME, an option. */
static gboolean
differ_only_by (const Compare *compare, guint run, guint other, const gchar *name)
{
  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);

      if ((variation->is_set || strcmp (variation->name, name) != 0)
          && strcmp (wp_variations_get (compare->variations, run, i),
                     wp_variations_get (compare->variations, other, i))
                 != 0)
        return FALSE;
    }
  return TRUE;
}

/* The run of COLUMN with the first seed. */
static const Run *
get_run (const Compare *compare, const GPtrArray *runs, guint column)
{
  return g_ptr_array_index (runs, column * compare->n_seeds);
}

/* The first column whose run that of COLUMN differs from by nothing but the policy, else, of two-level, the active set;
 * COLUMN: there is none. */
static guint
find_first (const Compare *compare, const GPtrArray *runs, guint column)
{
  const Run *run = get_run (compare, runs, column);

  for (guint other = 0; other < column; other++)
    if (differ_only_by (compare, run->index, get_run (compare, runs, other)->index, "policy"))
      return other;
  for (guint other = 0; run->policy == wp_policy_find ("two-level") && other < column; other++)
    if (differ_only_by (compare, run->index, get_run (compare, runs, other)->index, "active-set"))
      return other;
  return column;
}

static WpPartingRun
get_parting_run (const Run *run)
{
  return (WpPartingRun){ run->kernel, run->gpu, run->policy, run->options };
}

/* Of several seeds, those of the first. */
static gboolean
find_partings (const Compare *compare, const GPtrArray *runs, WpBatch *batch,
               WpComparison *comparison, GError **error)
{
  for (guint i = 0; i < runs->len / compare->n_seeds && batch->interrupted == 0; i++)
    {
      WpPartingOf of = { .first = find_first (compare, runs, i), .other = i };
      const WpPartingRun pair[2] = { get_parting_run (get_run (compare, runs, of.first)),
                                     get_parting_run (get_run (compare, runs, i)) };
      gboolean done;

      if (of.first == i)
        continue;
      done = wp_parting_find (pair, batch->signals, &batch->max_issues, &batch->interrupted,
                              &of.parting, error);
      g_array_append_val (comparison->partings, of);
      if (!done)
        return FALSE;
    }
  return TRUE;
}

/* Whether the values of VARIATION tell columns from one another. */
static gboolean
makes_columns (const Compare *compare, const WpVariation *variation)
{
  return variation->values->len > 1 && !(compare->n_seeds > 1 && is_seed (variation));
}

/* What those that tell COLUMN from the others are. Free with g_strfreev(). */
static GStrv
get_values (const Compare *compare, const Run *run)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();

  for (guint k = 0; k < compare->variations->len; k++)
    if (makes_columns (compare, g_ptr_array_index (compare->variations, k)))
      {
        g_autofree gchar *valid
            = g_utf8_make_valid (wp_variations_get (compare->variations, run->index, k), -1);

        g_strv_builder_add (values, valid);
      }
  return g_strv_builder_end (values);
}

/* The figures of all seeds of COLUMN, borrowed. */
static GPtrArray *
list_figures (const Compare *compare, const GPtrArray *runs, guint column)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < compare->n_seeds; i++)
    g_ptr_array_add (
        list, ((const Run *)g_ptr_array_index (runs, column * compare->n_seeds + i))->figures);
  return list;
}

static void
fill_comparison (const Compare *compare, GPtrArray *runs, WpComparison *comparison)
{
  const GPtrArray *variations = compare->variations;
  g_autoptr (GPtrArray) first = list_figures (compare, runs, 0);

  for (guint i = 0; i < runs->len; i += compare->n_seeds)
    {
      Run *run = g_ptr_array_index (runs, i);
      g_autoptr (GPtrArray) list = list_figures (compare, runs, i / compare->n_seeds);

      g_ptr_array_add (comparison->values, get_values (compare, run));
      g_ptr_array_add (comparison->runs, compare->n_seeds > 1 ? wp_figures_new_mean (list, first)
                                                              : g_steal_pointer (&run->figures));
      if (run->warning != NULL)
        wp_cli_complain ("warning: %s: %s", run->label, run->warning);
    }
  for (guint k = 0; k < variations->len; k++)
    {
      const WpVariation *variation = g_ptr_array_index (variations, k);

      if (makes_columns (compare, variation))
        g_ptr_array_add (comparison->names, g_utf8_make_valid (variation->name, -1));
    }
}

/* Of several seeds with ideal memory: all that varies is for nothing. */
static void
warn_of_ideal (const Compare *compare, const GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    if (((const Run *)g_ptr_array_index (runs, i))->options.contended)
      return;
  if (compare->n_seeds > 1)
    wp_cli_warn_alike (compare->n_seeds);
}

/* ---- The heading of the text ---- */

static gboolean
varies (const WpComparison *comparison, const gchar *name)
{
  return g_ptr_array_find_with_equal_func (comparison->names, name, g_str_equal, NULL);
}

static gchar *
get_title (const WpComparison *comparison, const Run *run)
{
  const WpFigures *figures = g_ptr_array_index (comparison->runs, 0);
  GString *text = g_string_new (figures->kernel);

  if (!varies (comparison, "gpu"))
    g_string_append_printf (text, " on %s", figures->gpu);
  if (!varies (comparison, "gpu") && run->gpu->title != NULL)
    g_string_append_printf (text, " (%s)", run->gpu->title);
  if (!varies (comparison, "policy"))
    g_string_append_printf (text, ", policy %s", figures->policy);
  if (!varies (comparison, "order"))
    g_string_append_printf (text, ", %s order", figures->order);
  if (!varies (comparison, "memory"))
    g_string_append_printf (text, ", %s memory", figures->memory);
  return g_string_free (text, FALSE);
}

/* What of the launch all runs have. */
static gchar *
get_launch (const WpComparison *comparison)
{
  const WpFigures *figures = g_ptr_array_index (comparison->runs, 0);
  GString *text = g_string_new ("  launch       ");

  if (varies (comparison, "blocks"))
    g_string_append (text, "blocks");
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT " block%s", figures->blocks,
                            wp_text_plural (figures->blocks));
  if (!varies (comparison, "threads"))
    g_string_append_printf (text, " of %" G_GINT64_FORMAT " thread%s", figures->threads,
                            wp_text_plural (figures->threads));
  if (!varies (comparison, "registers") && figures->registers > 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " register%s a thread", figures->registers,
                            wp_text_plural (figures->registers));
  if (!varies (comparison, "shared-memory") && figures->shared_memory > 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " byte%s of shared memory",
                            figures->shared_memory, wp_text_plural (figures->shared_memory));
  return g_string_free (text, FALSE);
}

/* The parameters that all runs have, or NULL: there is none. */
static gchar *
get_parameters (const WpComparison *comparison, const IdgKernel *kernel)
{
  g_autoptr (GString) text = g_string_new ("  parameters  ");
  gsize empty = text->len;

  for (guint i = 0; i < kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, i);

      if (!varies (comparison, parameter->name))
        g_string_append_printf (text, " %s=%s", parameter->name, parameter->value);
    }
  return text->len > empty ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
print_text (const WpComparison *comparison, const Run *run)
{
  const WpFigures *figures = g_ptr_array_index (comparison->runs, 0);
  g_autofree gchar *title = get_title (comparison, run), *launch = get_launch (comparison);
  g_autofree gchar *parameters = get_parameters (comparison, run->kernel);
  g_autofree gchar *sms
      = varies (comparison, "gpu")
            ? NULL
            : g_strdup_printf ("  simulated    %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " SM%s",
                               figures->sms, (gint64)run->gpu->sms, wp_text_plural (run->gpu->sms));
  const guint n_seeds = figures->spreads[WP_SPREAD_CYCLES].n;
  g_autofree gchar *seeds
      = n_seeds > 0 ? g_strdup_printf ("  seeds        %u, of which all figures are means", n_seeds)
                    : NULL;
  g_autoptr (GPtrArray) heading = g_ptr_array_new ();

  g_ptr_array_add (heading, title);
  if (run->kernel->title != NULL)
    g_ptr_array_add (heading, run->kernel->title);
  g_ptr_array_add (heading, (gpointer) "");
  g_ptr_array_add (heading, launch);
  if (parameters != NULL)
    g_ptr_array_add (heading, parameters);
  if (sms != NULL)
    g_ptr_array_add (heading, sms);
  if (seeds != NULL)
    g_ptr_array_add (heading, seeds);
  g_ptr_array_add (heading, NULL);
  wp_comparison_print_text (comparison, (const gchar *const *)heading->pdata);
}

/* ---- The page ---- */

/* What to make of all runs, and where two schedules part. */
static GPtrArray *
get_sentences (const WpComparison *comparison)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (sentences, wp_comparison_get_verdict (comparison));
  for (guint i = 0; i < comparison->partings->len; i++)
    g_ptr_array_add (sentences,
                     wp_comparison_describe_parting (
                         comparison, &g_array_index (comparison->partings, WpPartingOf, i)));
  return sentences;
}

static gboolean
write_page (const WpComparison *comparison, const GPtrArray *runs, WpBatch *batch, WpOutput *html,
            GError **error)
{
  const WpFigures *figures = g_ptr_array_index (comparison->runs, 0);
  g_autoptr (GPtrArray) pages = g_ptr_array_new (), sentences = get_sentences (comparison);
  g_autoptr (GString) title = g_string_new (figures->kernel);

  for (guint i = 0; i < runs->len; i++)
    {
      WpPageRun *page = ((const Run *)g_ptr_array_index (runs, i))->page;

      if (!wp_page_run_find_bounds (page, batch->signals, batch->max_issues, &batch->interrupted,
                                    error))
        return FALSE;
      if (batch->interrupted != 0)
        return TRUE;
      g_ptr_array_add (pages, page);
    }
  if (!varies (comparison, "gpu"))
    g_string_append_printf (title, " on %s", figures->gpu);
  for (guint i = 0; i < comparison->names->len; i++)
    g_string_append_printf (title, "%s %s", i == 0 ? ": by" : ",",
                            (const gchar *)g_ptr_array_index (comparison->names, i));
  return wp_page_write (pages, title->str, sentences, html, error);
}

/* ---- The plot ---- */

/* A blank at either end of TEXT, which is taken over, and several between words, are for columns only. */
static gchar *
squeeze (gchar *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ", -1);
  GString *line = g_string_new (NULL);

  g_free (text);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", words[i]);
  return g_string_free (line, FALSE);
}

static gboolean
draw (Compare *compare, const WpComparison *comparison, const GPtrArray *runs, WpBatch *batch,
      GError **error)
{
  const Run *first = g_ptr_array_index (runs, 0);
  g_autofree gchar *title = squeeze (get_title (comparison, first));
  g_autofree gchar *launch = squeeze (get_launch (comparison));
  g_autofree gchar *heading = g_strconcat (title, "\n", launch + strlen ("launch "), NULL);
  g_autofree const WpRunCurve **curves = g_new (const WpRunCurve *, runs->len);
  g_autoptr (WpPlot) plot = NULL;

  if (!wp_plot_is_wanted (&compare->plot))
    return TRUE;
  for (guint i = 0; i < comparison->runs->len; i++)
    curves[i] = &get_run (compare, runs, i)->curve;
  plot = wp_comparison_get_plot (comparison, compare->kind, curves, heading);
  return wp_plot_write (&compare->plot, plot, batch->signals, &batch->interrupted, error);
}

/* ---- The command ---- */

static gboolean
compare_runs (Compare *compare, WpBatch *batch, GError **error)
{
  g_autoptr (GHashTable) gpus
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)wp_gpu_free);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (run_free);
  g_autoptr (WpComparison) comparison = wp_comparison_new ();
  g_autoptr (WpOutput) html = NULL;

  if (compare->html != NULL)
    {
      html = wp_output_open (compare->html, error);
      if (html == NULL)
        return FALSE;
    }
  if (!make_runs (compare, gpus, runs, error))
    return FALSE;
  warn_of_ideal (compare, runs);
  if (!simulate (runs, batch, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  if (!find_partings (compare, runs, batch, comparison, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  fill_comparison (compare, runs, comparison);
  if (html != NULL && !write_page (comparison, runs, batch, html, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  if (compare->format == WP_FORMAT_CSV)
    wp_comparison_print_csv (comparison);
  else if (compare->format == WP_FORMAT_JSON)
    wp_comparison_print_json (comparison);
  else
    print_text (comparison, g_ptr_array_index (runs, 0));
  return draw (compare, comparison, runs, batch, error);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Compare) compare = { 0 };
  g_autoptr (GError) error = NULL;
  WpSignals signals;
  WpBatch batch = { .max_issues = max_issues, .signals = &signals };
  WpExit status;
  gboolean done;

  compare.import.said = g_ptr_array_new_with_free_func (g_free);
  if (!parse (&compare, argv, &status))
    return status;
  if (!check (&compare))
    return WP_EXIT_USAGE;
  batch.max_cores = compare.machine.max_cores;
  wp_signals_hold (&signals);
  done = wp_plot_open (&compare.plot, &error) && compare_runs (&compare, &batch, &error);
  return wp_signals_release (&signals, done, batch.interrupted, error);
}

const WpCommand wp_command_compare = {
  .name = "compare",
  .arguments = "KERNEL --gpu GPU,...",
  .summary = "Compare policies, GPUs or launches, side by side",
  .details
  = "Every option that takes a LIST, or names with commas, may give several values; the runs are\n"
    "all their combinations, at most 24; several seeds are taken together, as their mean. Where\n"
    "only the policy differs it is also said where two schedules part.",
  .run = run_command,
};
