/* SPDX-License-Identifier: MIT */
/* warpipe headroom: how far scheduling policies are from the best issue order there can be. */
#include "cli/commands.h"
#include "cli/common/cli-files.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-ops.h"
#include "cli/common/cli-signals.h"
#include "cli/headroom/report-headroom.h"
#include "cli/report/report-warnings.h"
#include "run/base/output.h"
#include "run/simulate/warnings-find.h"

#define MAX_TRIES 1000000

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *sms, *occupancy, *format, *policy_names, *memory, *seed, *cores;
  gchar *tries_text, *search_seed, *schedule;
  WpLaunchOptions launch;
  gchar **gpu_sets, **settings, **policy_settings;
  WpImportOptions import;
  GStrv files;
  WpRunOptions options;
  GPtrArray *policies; /* of const WpPolicy */
  gboolean strict, json, no_limits;
  gint64 tries; /* -1: as many as take some seconds */
  guint64 draw;
} Query;

static void
query_clear (Query *query)
{
  gchar *strings[] = { query->gpu,      query->sms,        query->occupancy,  query->format,
                       query->cores,    query->memory,     query->seed,       query->policy_names,
                       query->schedule, query->tries_text, query->search_seed };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  wp_launch_options_clear (&query->launch);
  g_strfreev (query->gpu_sets);
  g_strfreev (query->settings);
  g_strfreev (query->policy_settings);
  wp_import_options_clear (&query->import);
  g_strfreev (query->files);
  g_clear_pointer (&query->policies, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

static gboolean
parse (Query *query, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_cli_add_gpu_option (table, &query->gpu, &query->gpu_sets);
  wp_cli_add_kernel_options (table, &query->settings, &query->import);
  wp_options_add (table, "policy", &query->policy_names,
                  "Policies to hold against the best; all that are built in when left out",
                  "POLICY,...");
  wp_cli_add_policy_set_option (table, &query->policy_settings, TRUE);
  wp_options_add (table, "tries", &query->tries_text,
                  "Issue orders to try; as many as take some seconds when left out", "N");
  wp_options_add (table, "search-seed", &query->search_seed,
                  "Seed of the orders that are tried; 1 when left out", "N");
  wp_options_add (table, "schedule", &query->schedule,
                  "Write the best order found, for --policy FILE.order of other commands",
                  "FILE.order");
  wp_options_add (table, "memory", &query->memory,
                  "Ideal or contended memory; as the kernel's file says when left out",
                  "ideal|contended");
  wp_options_add (table, "seed", &query->seed, "Seed of contended memory's random numbers", "N");
  wp_options_add (table, "sms", &query->sms, WP_CLI_SMS_HELP, "1|all|N");
  wp_cli_add_occupancy_option (table, &query->occupancy);
  wp_cli_add_no_limits_option (table, &query->no_limits);
  wp_cli_add_launch_options (table, &query->launch);
  wp_cli_add_strict_option (table, &query->strict);
  wp_options_add (table, "cores", &query->cores,
                  "Processor cores to use at most; all when left out", "N");
  wp_options_add (table, "format", &query->format, "Report as text (when left out) or JSON",
                  "text|json");
  return wp_cli_parse (&wp_command_headroom, table, argv, &query->files, status);
}

/* ---- Checks ---- */

static gboolean
check_policies (Query *query)
{
  g_auto (GStrv) names = NULL;
  g_autoptr (GPtrArray) built_in = g_ptr_array_new ();

  if (query->policy_names != NULL)
    names = g_strsplit (query->policy_names, ",", -1);
  else
    {
      for (gsize i = 0; wp_policy_get (i) != NULL; i++)
        g_ptr_array_add (built_in, g_strdup (wp_policy_get_name (wp_policy_get (i))));
      g_ptr_array_add (built_in, NULL);
      names = g_memdup2 (built_in->pdata, built_in->len * sizeof (gpointer));
    }
  query->policies
      = wp_cli_read_policies (&wp_command_headroom, names, query->policy_settings, TRUE);
  return query->policies != NULL;
}

static gboolean
check_schedule (const Query *query)
{
  const WpInputs inputs = { query->files, query->gpu, &query->import };

  if (query->schedule == NULL)
    return TRUE;
  if (!wp_issue_order_is_file (query->schedule))
    {
      wp_cli_usage (&wp_command_headroom,
                    "--schedule \"%s\": expected a file whose name ends in .order, by which "
                    "--policy knows it",
                    query->schedule);
      return FALSE;
    }
  return wp_cli_check_apart (&wp_command_headroom, &inputs, "--schedule", query->schedule);
}

static gboolean
check_search (Query *query)
{
  gint64 draw = 1, seed = 1;

  query->tries = -1;
  if (!wp_cli_parse_count (&wp_command_headroom, "tries", query->tries_text, 0, MAX_TRIES,
                           &query->tries)
      || !wp_cli_parse_count (&wp_command_headroom, "search-seed", query->search_seed, 0,
                              G_MAXINT64, &draw)
      || !wp_cli_parse_count (&wp_command_headroom, "seed", query->seed, 0, G_MAXINT64, &seed))
    return FALSE;
  query->draw = (guint64)draw;
  query->options.seed = (guint64)seed;
  return check_schedule (query);
}

static gboolean
check (Query *query)
{
  const WpCommand *command = &wp_command_headroom;
  WpRunOptions *options = &query->options;

  *options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  options->sms_said = query->sms != NULL;
  options->has_order = TRUE; /* the floor holds in program order */
  options->no_limits = query->no_limits;
  return wp_cli_check_kernel_and_gpu (command, query->files, &query->gpu, query->gpu_sets, FALSE)
         && check_policies (query) && check_search (query)
         && wp_cli_parse_memory (command, query->memory, &options->memory)
         && wp_cli_parse_sms (command, query->sms, &options->sms)
         && wp_cli_parse_count (command, "occupancy", query->occupancy, 1, WP_MAX_RESIDENT_WARPS,
                                &options->occupancy)
         && wp_cli_parse_launch (command, &query->launch, options)
         && wp_cli_check_settings (command, query->settings)
         && wp_cli_parse_choice (command, "format", query->format, "text", "json", &query->json);
}

/* ---- Output ---- */

/* Writes the order that was found, if it is faster than the policies; else says why not. */
static gboolean
write_schedule (const Query *query, const WpHeadroom *headroom, GError **error)
{
  g_autoptr (WpOutput) output = NULL;
  g_autofree gchar *text = NULL;

  if (query->schedule == NULL)
    return TRUE;
  if (!wp_headroom_is_better (headroom))
    {
      wp_cli_complain (
          "%s is not written: no order that was tried is faster than %s, which --policy "
          "takes as it is",
          query->schedule, g_array_index (headroom->runs, WpHeadroomRun, headroom->best_run).name);
      return TRUE;
    }
  text = wp_issue_order_to_text (headroom->best);
  output = wp_output_open (query->schedule, error);
  return output != NULL && wp_output_write (output, text, strlen (text), error)
         && wp_output_finish (output, error);
}

static gboolean
print (const Query *query, const WpHeadroom *headroom, GError **error)
{
  g_autoptr (GPtrArray) warnings = wp_warnings_new ();
  g_autoptr (GPtrArray) notes = wp_notes_find (headroom->kernel, headroom->gpu);

  wp_warnings_find_in_setting (warnings, headroom->kernel, headroom->gpu, headroom->resolved);
  if (!wp_cli_check_warnings (warnings, query->strict, error)
      || !write_schedule (query, headroom, error))
    return FALSE;
  if (query->json)
    {
      wp_complain_of_warnings (warnings);
      wp_headroom_print_json (headroom, warnings, notes);
    }
  else
    wp_headroom_print_text (headroom, warnings);
  return TRUE;
}

static gboolean
find (const Query *query, const IdgKernel *kernel, const WpGpu *gpu, WpBatch *batch, GError **error)
{
  g_autoptr (WpHeadroom) headroom
      = wp_headroom_new (kernel, gpu, &query->options, batch->progress, &batch->interrupted, error);

  if (headroom == NULL)
    return batch->interrupted != 0;
  if (!wp_headroom_run_policies (headroom, query->policies, batch, error))
    return FALSE;
  if (batch->interrupted == 0
      && !wp_headroom_search (
          headroom, query->tries >= 0 ? (guint)query->tries : wp_headroom_get_tries (headroom),
          query->draw, batch, error))
    return FALSE;
  return batch->interrupted != 0 || print (query, headroom, error);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Query) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  WpSignals signals;
  WpBatch batch = { .max_issues = max_issues, .progress = &signals.progress };
  gint64 cores = 0;
  WpExit status;
  gboolean done;

  if (!parse (&query, argv, &status))
    return status;
  if (!check (&query) || !wp_cli_parse_cores (&wp_command_headroom, query.cores, &cores))
    return WP_EXIT_USAGE;
  query.import.threads = (guint)cores;
  if (!wp_cli_load (query.gpu, query.files[0], query.settings, &query.import, &query.options, &gpu,
                    &kernel, &error)
      || !wp_cli_check_ops (kernel, gpu, query.strict, &error))
    return wp_cli_fail (error);
  batch.max_cores = (guint)cores;
  wp_signals_hold (&signals);
  done = find (&query, kernel, gpu, &batch, &error);
  return wp_signals_release (&signals, done, batch.interrupted, error);
}

const WpCommand wp_command_headroom = {
  .name = "headroom",
  .arguments = "KERNEL --gpu GPU",
  .summary = "Find how far scheduling policies are from the best issue order",
  .details
  = "Prints a time below which no issue order can be (as far as one is known), what each policy\n"
    "takes, and the best order that a search finds, which --schedule writes and --policy plays "
    "again.",
  .run = run_command,
};
