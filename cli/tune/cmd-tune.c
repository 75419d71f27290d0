/* SPDX-License-Identifier: MIT */
/* warpipe tune: launches with all combinations of some parameters' values, ranked by predicted
 * time. */
#include "cli/commands.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-ranges.h"
#include "cli/common/cli-signals.h"
#include "cli/report/report-warnings.h"
#include "cli/tune/report-tune.h"
#include "run/base/ranges.h"

#include <string.h>

#define MOST_VALUES 1000 /* of a parameter */
#define TOP 20           /* launches shown */

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *sms, *memory, *cores, *top_text, *format_name;
  gchar **gpu_sets, **settings;
  WpImportOptions import;
  GStrv files;
  WpRunOptions options;
  GPtrArray *variations; /* of WpVariation */
  gint64 max_cores, top;
  WpFormat format;
} Query;

static void
query_clear (Query *query)
{
  gchar *strings[] = { query->gpu,   query->sms,      query->memory,
                       query->cores, query->top_text, query->format_name };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  g_strfreev (query->gpu_sets);
  g_strfreev (query->settings);
  wp_import_options_clear (&query->import);
  g_strfreev (query->files);
  g_clear_pointer (&query->variations, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

static gboolean
parse (Query *query, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_cli_add_gpu_option (table, &query->gpu, &query->gpu_sets);
  wp_options_add_list (table, "set", &query->settings,
                       "Give a parameter several values; each combination is a launch",
                       "NAME=LIST");
  wp_cli_add_import_options (table, &query->import);
  wp_options_add (table, "sms", &query->sms, WP_CLI_SMS_HELP, "1|all|N");
  wp_options_add (table, "memory", &query->memory,
                  "Ideal or contended memory; as the kernel's file says when left out",
                  "ideal|contended");
  wp_options_add (table, "cores", &query->cores,
                  "Processor cores to use at most; all when left out", "N");
  wp_options_add (table, "top", &query->top_text,
                  "Launches to show, 0: all; 20 when left out; CSV and JSON have all", "N");
  wp_options_add (table, "format", &query->format_name,
                  "Report as text (when left out), CSV or JSON", "text|csv|json");
  return wp_cli_parse (&wp_command_tune, table, argv, &query->files, status);
}

/* ---- Lists ---- */

static gboolean
is_set (const Query *query, const gchar *name)
{
  for (guint i = 0; i < query->variations->len; i++)
    if (strcmp (((const WpVariation *)g_ptr_array_index (query->variations, i))->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* NAME of "NAME=LIST", or NULL: an error has been printed. */
static gchar *
take_name (const Query *query, const gchar *setting)
{
  const gchar *equals = strchr (setting, '=');
  g_autofree gchar *name = NULL;

  if (equals == NULL || equals == setting)
    {
      wp_cli_usage (&wp_command_tune,
                    "--set \"%s\": expected NAME=LIST, whole numbers of at least 0", setting);
      return NULL;
    }
  name = g_strndup (setting, (gsize)(equals - setting));
  if (!is_set (query, name))
    return g_steal_pointer (&name);
  wp_cli_usage (&wp_command_tune, "--set gives \"%s\" twice", name);
  return NULL;
}

static gboolean
take_setting (Query *query, const gchar *setting)
{
  g_autofree gchar *name = take_name (query, setting);
  g_autofree gchar *option = g_strconcat ("set ", name, NULL);
  g_autoptr (GArray) ranges = NULL;
  guint64 twice;

  if (name == NULL)
    return FALSE;
  ranges = wp_cli_parse_ranges (&wp_command_tune, option, strchr (setting, '=') + 1, 0, G_MAXINT64);
  if (ranges == NULL)
    return FALSE;
  if (wp_ranges_count (ranges) > MOST_VALUES)
    {
      wp_cli_usage (&wp_command_tune, "--set \"%s\": more than %d values", setting, MOST_VALUES);
      return FALSE;
    }
  g_ptr_array_add (query->variations, wp_variation_new (WP_VARIATION_PARAMETER, name));
  if (wp_variation_add_ranges (g_ptr_array_index (query->variations, query->variations->len - 1),
                               ranges, &twice))
    return TRUE;
  wp_cli_usage (&wp_command_tune, "--%s gives \"%" G_GUINT64_FORMAT "\" twice", option, twice);
  return FALSE;
}

static gboolean
take_settings (Query *query)
{
  guint n;

  query->variations = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_variation_free);
  for (guint i = 0; query->settings != NULL && query->settings[i] != NULL; i++)
    if (!take_setting (query, query->settings[i]))
      return FALSE;
  n = wp_variations_count (query->variations, WP_TUNE_MAX_RUNS);
  if (n == 1)
    wp_cli_usage (&wp_command_tune,
                  "nothing varies; give a parameter several values, as in --set block=64,128,256");
  if (n == G_MAXUINT)
    wp_cli_usage (&wp_command_tune, "the lists make more than %d launches", WP_TUNE_MAX_RUNS);
  return n > 1 && n != G_MAXUINT;
}

static gboolean
check (Query *query)
{
  WpRunOptions *options = &query->options;

  *options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  options->sms = 1;
  options->sms_said = query->sms != NULL;
  query->top = TOP;
  return wp_cli_check_kernel_and_gpu (&wp_command_tune, query->files, &query->gpu, query->gpu_sets,
                                      FALSE)
         && wp_cli_check_no_dump (&wp_command_tune, &query->import)
         && wp_cli_parse_sms (&wp_command_tune, query->sms, &options->sms)
         && wp_cli_parse_memory (&wp_command_tune, query->memory, &options->memory)
         && wp_cli_parse_cores (&wp_command_tune, query->cores, &query->max_cores)
         && wp_cli_parse_count (&wp_command_tune, "top", query->top_text, 0, WP_TUNE_MAX_RUNS,
                                &query->top)
         && wp_cli_parse_format (&wp_command_tune, query->format_name, &query->format)
         && take_settings (query);
}

/* ---- The command ---- */

static void
print (const Query *query, const WpTune *tune, const WpTuning *tuning)
{
  if (query->format == WP_FORMAT_CSV)
    wp_tuning_print_csv (tuning, tune);
  else if (query->format == WP_FORMAT_JSON)
    wp_tuning_print_json (tuning, tune);
  else
    wp_tuning_print_text (tuning, tune, (guint)query->top);
}

static gboolean
tune (Query *query, WpBatch *batch, GError **error)
{
  g_autoptr (WpGpu) gpu = wp_cli_load_gpu (query->gpu, error);
  g_autoptr (GError) problem = NULL;
  g_autoptr (WpTuning) tuning = NULL;
  WpImportOptions import;
  WpProgress progress;
  WpTune what;

  if (gpu == NULL)
    return FALSE;
  query->import.gpu = gpu;
  query->import.threads = (guint)query->max_cores;
  import = wp_import_options_make_loud (&query->import, &progress);
  what = (WpTune){ .kernel = query->files[0],
                   .import = &import,
                   .variations = query->variations,
                   .gpu = gpu,
                   .options = query->options };
  tuning = wp_tune (&what, batch, &problem);
  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  if (tuning == NULL)
    return batch->interrupted != 0;
  print (query, &what, tuning);
  return TRUE;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Query) query = { .gpu = NULL };
  g_autoptr (GError) error = NULL;
  WpSignals signals;
  WpBatch batch = { .max_issues = max_issues, .progress = &signals.progress };
  WpExit status;
  gboolean done;

  wp_import_options_remember (&query.import);
  if (!parse (&query, argv, &status))
    return status;
  if (!check (&query))
    return WP_EXIT_USAGE;
  batch.max_cores = (guint)query.max_cores;
  batch.policy = wp_policy_find ("rr");
  wp_signals_hold (&signals);
  done = tune (&query, &batch, &error);
  return wp_signals_release (&signals, done, batch.interrupted, error);
}

const WpCommand wp_command_tune = {
  .name = "tune",
  .arguments = "KERNEL --gpu GPU --set NAME=LIST",
  .summary = "Rank launches by predicted time",
  .details
  = "Simulates the kernel with each combination of the parameters' values and ranks them. What\n"
    "differs by less than predictions are off by is marked as a tie. For a program in CUDA:\n"
    "warpipe tune k.cu --gpu a100-80 --launch 'axpy<<<(n+$b-1)/$b, $b>>>(n, 2.0f, x, y)'\n"
    "  --set b=64,128,256,512",
  .run = run_command,
};
