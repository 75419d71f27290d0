/* SPDX-License-Identifier: MIT */
/* warpipe compare: the same run under several policies, or on several GPUs, or otherwise varied,
 * side by side. */
#include "cli/commands.h"
#include "run/compare/compare.h"

#include "cli/common/cli-ops.h"
#include "cli/common/cli-signals.h"

#include <string.h>

static void
compare_clear (WpCompare *compare)
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

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCompare, compare_clear)

static gboolean
parse (WpCompare *compare, gchar **argv, WpExit *status)
{
  WpLaunchOptions *launch = &compare->launch;
  WpMachineOptions *machine = &compare->machine;
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_options_add (table, "gpu", &compare->gpu, "GPU descriptions: files, or names of shipped ones",
                  "GPU,...");
  wp_options_add (table, "policy", &machine->policy_name,
                  "Warp scheduling policies (warpipe list policies); rr when left out",
                  "POLICY,...");
  wp_options_add_list (table, "set", &compare->settings, "Give a kernel's parameter other values",
                       "NAME=LIST");
  wp_cli_add_import_options (table, &compare->import);
  wp_options_add (table, "blocks", &launch->blocks, "Blocks to launch, in place of the kernel's",
                  "LIST");
  wp_options_add (table, "threads", &launch->threads, "Threads per block", "LIST");
  wp_options_add (table, "registers", &launch->registers, "Registers per thread", "LIST");
  wp_options_add (table, "shared-memory", &launch->shared_memory,
                  "Bytes of shared memory per block", "LIST");
  wp_options_add (table, "occupancy", &compare->occupancy, "Let no more warps be resident on an SM",
                  "LIST");
  wp_options_add (table, "active-set", &machine->active_set,
                  "Active warps of a scheduler, two-level only; 8 when left out", "LIST");
  wp_options_add (table, "order", &machine->order, "Orders in which a warp issues",
                  "program,dataflow");
  wp_options_add (table, "memory", &machine->memory,
                  "Ideal or contended memory; ideal when left out", "ideal,contended");
  wp_options_add (table, "seed", &machine->seed,
                  "Seeds of contended memory's draws; 1 when left out", "LIST");
  wp_options_add (table, "sms", &compare->sms, "SMs to simulate; 1 when left out", "1|all|N");
  wp_options_add_flag (table, "no-limits", &machine->no_limits,
                       "Let none of the GPU's limits per SM bind");
  wp_cli_add_strict_option (table, &compare->strict);
  wp_options_add (table, "cores", &machine->cores,
                  "Processor cores to use at most; all when left out", "N");
  wp_options_add (table, "format", &compare->format_name,
                  "Report as text (when left out), CSV or JSON", "text|csv|json");
  wp_cli_add_plot_options (table, &compare->plot, WP_COMPARE_PLOT_KINDS);
  wp_options_add (table, "html", &compare->html, "Write a page that shows the runs, for a browser",
                  "FILE");

  return wp_cli_parse (&wp_command_compare, table, argv, &compare->files, status);
}

/* ---- Lists ---- */

static gboolean
take (WpCompare *compare, WpVariation *variation)
{
  if (variation != NULL)
    g_ptr_array_add (compare->variations, variation);
  return variation != NULL;
}

static gboolean
take_words (WpCompare *compare, const gchar *option, const gchar *value)
{
  return value == NULL
         || take (compare, wp_variation_new_words (&wp_command_compare, option, value));
}

static gboolean
take_numbers (WpCompare *compare, const gchar *option, const gchar *value, guint64 min, guint64 max)
{
  return value == NULL
         || take (compare, wp_variation_new_numbers (&wp_command_compare, option, value, min, max,
                                                     WP_COMPARE_MAX_RUNS));
}

static gboolean
take_seeds (WpCompare *compare, const gchar *value)
{
  WpVariation *variation;

  compare->n_seeds = 1;
  if (value == NULL)
    return TRUE;
  variation = wp_variation_new_numbers (&wp_command_compare, "seed", value, 0, G_MAXUINT64,
                                        WP_COMPARE_MAX_SEEDS);
  if (variation != NULL)
    compare->n_seeds = variation->values->len;
  return take (compare, variation);
}

static gboolean
take_setting (WpCompare *compare, const gchar *setting)
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
check_words (const WpCompare *compare)
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
check_number_of_runs (const WpCompare *compare)
{
  guint n = wp_compare_count_columns (compare);

  if (n == 1 && compare->n_seeds == 1)
    wp_cli_usage (&wp_command_compare,
                  "nothing varies; list several values of an option, as in --policy rr,gto");
  if (n == G_MAXUINT)
    wp_cli_usage (&wp_command_compare,
                  "the lists make more than %d runs, too many to see side by side; "
                  "warpipe sweep makes a row of each",
                  WP_COMPARE_MAX_RUNS);
  return n * compare->n_seeds > 1 && n <= WP_COMPARE_MAX_RUNS;
}

/* A mean has no course of its own. */
static gboolean
check_seeds (const WpCompare *compare)
{
  if (compare->n_seeds == 1 || (compare->html == NULL && compare->kind == WP_COMPARE_PLOT_BARS))
    return TRUE;
  wp_cli_usage (&wp_command_compare,
                "%s shows single runs, which several seeds do not make; give one --seed",
                compare->html != NULL ? "--html" : "such a plot");
  return FALSE;
}

static gboolean
take_lists (WpCompare *compare)
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
check_plot (WpCompare *compare)
{
  const gchar *const page = compare->html;
  guint n = wp_compare_count_columns (compare);

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
check (WpCompare *compare)
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

/* ---- The command ---- */

static gboolean
compare_runs (WpCompare *compare, WpBatch *batch, GError **error)
{
  g_autoptr (GHashTable) gpus
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)wp_gpu_free);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (wp_compare_run_free);
  g_autoptr (WpComparison) comparison = wp_comparison_new ();
  g_autoptr (WpOutput) html = NULL;

  if (compare->html != NULL)
    {
      html = wp_output_open (compare->html, error);
      if (html == NULL)
        return FALSE;
    }
  if (!wp_compare_make_runs (compare, gpus, runs, error))
    return FALSE;
  wp_compare_warn_of_ideal (compare, runs);
  if (!wp_compare_simulate (runs, batch, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  if (!wp_compare_find_divergences (compare, runs, batch, comparison, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  wp_compare_fill (compare, runs, comparison);
  if (html != NULL && !wp_compare_write_page (comparison, runs, batch, html, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  if (compare->format == WP_FORMAT_CSV)
    wp_comparison_print_csv (comparison);
  else if (compare->format == WP_FORMAT_JSON)
    wp_comparison_print_json (comparison);
  else
    wp_compare_print_text (comparison, g_ptr_array_index (runs, 0));
  return wp_compare_draw (compare, comparison, runs, batch, error);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (WpCompare) compare = { 0 };
  g_autoptr (GError) error = NULL;
  WpSignals signals;
  WpBatch batch = { .max_issues = max_issues, .progress = &signals.progress };
  WpExit status;
  gboolean done;

  wp_import_options_remember (&compare.import);
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
