/* SPDX-License-Identifier: MIT */
/* An option means the same, and refuses the same, wherever it is taken. */
#include "cli/common/cli-options.h"

#include "idg/kernel/idg-suggest.h"
#include "run/base/data.h"
#include "run/base/kernel-names.h"
#include "run/base/policy-file.h"

#include <string.h>

void
wp_launch_options_clear (WpLaunchOptions *launch)
{
  g_free (launch->blocks);
  g_free (launch->grid);
  g_free (launch->threads);
  g_free (launch->registers);
  g_free (launch->shared_memory);
}

void
wp_cli_add_launch_options (WpOptionTable *table, WpLaunchOptions *launch)
{
  wp_options_add (table, "blocks", &launch->blocks, "Blocks to launch, in place of the kernel's",
                  "N");
  wp_options_add (table, "grid", &launch->grid, "The same by the grid's sizes: 64x64", "N[xN[xN]]");
  wp_cli_add_block_options (table, launch);
}

void
wp_cli_add_block_options (WpOptionTable *table, WpLaunchOptions *launch)
{
  wp_options_add (table, "threads", &launch->threads, "Threads per block: 256, or 16x16",
                  "N[xN[xN]]");
  wp_options_add (table, "registers", &launch->registers, "Registers per thread", "N");
  wp_options_add (table, "shared-memory", &launch->shared_memory,
                  "Bytes of shared memory per block", "N");
}

void
wp_cli_add_gpu_option (WpOptionTable *table, gchar **gpu, gchar ***gpu_sets)
{
  wp_options_add (table, "gpu", gpu, "GPU description: a file, or the name of a shipped one",
                  "GPU");
  wp_cli_add_gpu_set_option (table, gpu_sets);
}

void
wp_cli_add_occupancy_option (WpOptionTable *table, gchar **occupancy)
{
  wp_options_add (table, "occupancy", occupancy, "Let no more than N warps be resident on an SM",
                  "N");
}

void
wp_cli_add_order_option (WpOptionTable *table, gchar **order)
{
  wp_options_add (table, "order", order,
                  "Issue in program or dataflow order; the GPU's when left out",
                  "program|dataflow");
}

void
wp_cli_add_no_limits_option (WpOptionTable *table, gboolean *no_limits)
{
  wp_options_add_flag (table, "no-limits", no_limits, "Let none of the GPU's limits per SM bind");
}

gboolean
wp_cli_parse_count (const WpCommand *command, const gchar *option, const gchar *value, guint64 min,
                    guint64 max, gint64 *number)
{
  guint64 parsed;

  if (value == NULL)
    return TRUE;
  if (!wp_cli_parse_number (command, option, value, min, max, &parsed))
    return FALSE;
  *number = (gint64)parsed;
  return TRUE;
}

gboolean
wp_cli_parse_dims (const WpCommand *command, const gchar *option, const gchar *value,
                   WpDimsKind kind, gint64 *number, guint64 *sizes)
{
  g_autoptr (GError) error = NULL;
  WpDims dims;

  if (value == NULL)
    return TRUE;
  if (!wp_dims_parse (value, kind, &dims, &error))
    {
      wp_cli_usage (command, "--%s %s", option, error->message);
      return FALSE;
    }
  *number = (gint64)dims.product;
  memcpy (sizes, dims.sizes, sizeof dims.sizes);
  return TRUE;
}

/* --blocks is a count, --grid has sizes; both say how many blocks there are. */
static gboolean
parse_blocks (const WpCommand *command, const WpLaunchOptions *launch, WpRunOptions *options)
{
  gint64 blocks = options->blocks;
  WpDims dims;

  if (launch->blocks != NULL && strchr (launch->blocks, 'x') != NULL
      && wp_dims_parse (launch->blocks, WP_DIMS_GRID, &dims, NULL))
    {
      wp_cli_usage (command, "--blocks \"%s\": expected a count; write --grid %s", launch->blocks,
                    launch->blocks);
      return FALSE;
    }
  if (!wp_cli_parse_count (command, "blocks", launch->blocks, 1, IDG_MAX_BLOCKS, &blocks))
    return FALSE;
  options->blocks = blocks;
  if (!wp_cli_parse_dims (command, "grid", launch->grid, WP_DIMS_GRID, &options->blocks,
                          options->grid_dim))
    return FALSE;
  if (launch->blocks == NULL || launch->grid == NULL || blocks == options->blocks)
    return TRUE;
  wp_cli_usage (command,
                "--blocks %s and --grid %s: a grid of %s has %" G_GINT64_FORMAT
                " blocks; expected one of the two options",
                launch->blocks, launch->grid, launch->grid, options->blocks);
  return FALSE;
}

gboolean
wp_cli_parse_launch (const WpCommand *command, const WpLaunchOptions *launch, WpRunOptions *options)
{
  return parse_blocks (command, launch, options)
         && wp_cli_parse_dims (command, "threads", launch->threads, WP_DIMS_BLOCK,
                               &options->threads, options->block_dim)
         && wp_cli_parse_count (command, "registers", launch->registers, 0, IDG_MAX_REGISTERS,
                                &options->registers)
         && wp_cli_parse_count (command, "shared-memory", launch->shared_memory, 0,
                                IDG_MAX_SHARED_MEMORY, &options->shared_memory);
}

gboolean
wp_cli_parse_sms (const WpCommand *command, const gchar *value, gint64 *sms)
{
  if (value == NULL)
    return TRUE;
  if (strcmp (value, "all") == 0)
    *sms = 0;
  else if (!g_ascii_isdigit (*value))
    {
      wp_cli_usage (command, "--sms \"%s\": expected a whole number from 1 to %d, or all", value,
                    WP_MAX_SMS);
      return FALSE;
    }
  else
    return wp_cli_parse_count (command, "sms", value, 1, WP_MAX_SMS, sms);
  return TRUE;
}

gboolean
wp_cli_parse_choice (const WpCommand *command, const gchar *option, const gchar *value,
                     const gchar *first, const gchar *second, gboolean *is_second)
{
  const gchar *const choices[] = { first, second, NULL };
  g_autofree gchar *meant = NULL;

  *is_second = value != NULL && strcmp (value, second) == 0;
  if (value == NULL || *is_second || strcmp (value, first) == 0)
    return TRUE;
  meant = idg_suggest_end (value, choices);
  wp_cli_usage (command, "--%s \"%s\": expected %s or %s%s", option, value, first, second, meant);
  return FALSE;
}

gboolean
wp_cli_parse_memory (const WpCommand *command, const gchar *value, WpMemoryMode *memory)
{
  gboolean contended;

  if (!wp_cli_parse_choice (command, "memory", value, "ideal", "contended", &contended))
    return FALSE;
  *memory = value == NULL ? WP_MEMORY_OF_KERNEL : contended ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  return TRUE;
}

gboolean
wp_cli_parse_format (const WpCommand *command, const gchar *value, WpFormat *format)
{
  static const gchar *const names[] = { "text", "csv", "json", NULL };
  g_autofree gchar *meant = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    if (value == NULL || strcmp (value, names[i]) == 0)
      {
        *format = (WpFormat)i;
        return TRUE;
      }
  meant = idg_suggest_end (value, names);
  wp_cli_usage (command, "--format \"%s\": expected text, csv or json%s", value, meant);
  return FALSE;
}

void
wp_cli_add_policy_set_option (WpOptionTable *table, gchar ***settings, gboolean several)
{
  wp_options_add_list (table, "policy-set", settings,
                       several ? "Give a knob of a policy from a file other values: 1,2,8-48"
                               : "Give a knob of a policy from a file another value",
                       several ? "NAME=LIST" : "NAME=VALUE");
}

GPtrArray *
wp_cli_read_policies (const WpCommand *command, gchar *const *names, gchar *const *settings,
                      gboolean several)
{
  static const gchar *const left_out[] = { "rr", NULL };
  g_autoptr (GPtrArray) policies = wp_policies_new ();
  g_autoptr (GError) error = NULL;

  if (wp_policies_read (policies, names != NULL ? (const gchar *const *)names : left_out,
                        (const gchar *const *)settings, NULL, several, &error))
    return g_steal_pointer (&policies);
  wp_cli_usage (command, "%s", error->message);
  return NULL;
}

void
wp_machine_options_clear (WpMachineOptions *machine)
{
  g_free (machine->policy_name);
  g_free (machine->active_set);
  g_free (machine->order);
  g_free (machine->memory);
  g_free (machine->seed);
  g_free (machine->cores);
  g_strfreev (machine->policy_settings);
  g_clear_pointer (&machine->policies, g_ptr_array_unref);
}

void
wp_cli_add_machine_options (WpOptionTable *table, WpMachineOptions *machine, const gchar *seed_text,
                            const gchar *seed_argument)
{
  wp_options_add (table, "policy", &machine->policy_name,
                  "Warp scheduling policy (warpipe list policies), or a file with one: ./mine.so "
                  "or ./mine.py; "
                  "rr when left out",
                  "POLICY");
  wp_cli_add_policy_set_option (table, &machine->policy_settings, FALSE);
  wp_options_add (table, "active-set", &machine->active_set,
                  "Active warps of a scheduler, two-level only; 8 when left out", "A");
  wp_cli_add_order_option (table, &machine->order);
  wp_options_add (table, "memory", &machine->memory,
                  "Ideal or contended memory; as the kernel's file says when left out",
                  "ideal|contended");
  wp_options_add (table, "seed", &machine->seed, seed_text, seed_argument);
  wp_cli_add_no_limits_option (table, &machine->no_limits);
  wp_options_add (table, "cores", &machine->cores,
                  "Processor cores to use at most; all when left out", "N");
}

gboolean
wp_cli_parse_percent (const WpCommand *command, const gchar *option, const gchar *value,
                      gdouble *share)
{
  gsize n = value != NULL ? strspn (value, "0123456789.") : 0;
  gchar *end;
  gdouble percent;

  if (value == NULL)
    return TRUE;
  percent = g_ascii_strtod (value, &end);
  if (n > 0 && end == value + n && strcmp (end, "%") == 0 && percent > 0 && percent < 100)
    {
      *share = percent / 100;
      return TRUE;
    }
  wp_cli_usage (command, "--%s %s: expected per cent, above 0 and below 100, as 1%% or 0.5%%",
                option, value);
  return FALSE;
}

gboolean
wp_cli_parse_cores (const WpCommand *command, const gchar *value, gint64 *cores)
{
  *cores = MIN (g_get_num_processors (), WP_MAX_CORES);
  return wp_cli_parse_count (command, "cores", value, 1, WP_MAX_CORES, cores);
}

static gboolean
parse_machine_numbers (const WpCommand *command, WpMachineOptions *machine, WpRunOptions *options)
{
  gint64 active_set = 8;
  gint64 cores;

  if (!wp_cli_parse_count (command, "active-set", machine->active_set, 1, WP_MAX_RESIDENT_WARPS,
                           &active_set)
      || !wp_cli_parse_cores (command, machine->cores, &cores))
    return FALSE;
  options->active_set = (guint32)active_set;
  machine->max_cores = (guint)cores;
  return machine->seed == NULL
         || wp_cli_parse_number (command, "seed", machine->seed, 0, G_MAXUINT64, &options->seed);
}

static gboolean
read_policy (const WpCommand *command, WpMachineOptions *machine)
{
  gchar *names[] = { machine->policy_name, NULL };

  machine->policies = wp_cli_read_policies (command, machine->policy_name != NULL ? names : NULL,
                                            machine->policy_settings, FALSE);
  if (machine->policies == NULL)
    return FALSE;
  machine->policy = g_ptr_array_index (machine->policies, 0);
  return TRUE;
}

gboolean
wp_cli_parse_machine (const WpCommand *command, WpMachineOptions *machine, WpRunOptions *options)
{
  gboolean dataflow;

  if (!read_policy (command, machine) || !parse_machine_numbers (command, machine, options)
      || !wp_cli_parse_choice (command, "order", machine->order, "program", "dataflow", &dataflow)
      || !wp_cli_parse_memory (command, machine->memory, &options->memory))
    return FALSE;
  if (dataflow && !wp_policy_takes_dataflow (machine->policy))
    {
      wp_cli_usage (command, "--policy %s does not go with --order dataflow",
                    wp_policy_get_name (machine->policy));
      return FALSE;
    }
  options->no_limits = machine->no_limits;
  options->has_order = machine->order != NULL;
  options->order = dataflow ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  return TRUE;
}

gboolean
wp_cli_check_settings (const WpCommand *command, gchar *const *settings)
{
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
    {
      const gchar *equals = strchr (settings[i], '=');
      gsize length = equals != NULL ? (gsize)(equals - settings[i]) + 1 : 0;

      if (length < 2 || equals[1] == '\0'
          || strspn (equals + 1, "0123456789") != strlen (equals + 1))
        {
          wp_cli_usage (
              command,
              "--set \"%s\": expected NAME=VALUE, the value a whole number of at least 0%s",
              settings[i],
              length >= 2 && strchr (equals, ',') != NULL ? "; lists are for sweep and compare"
                                                          : "");
          return FALSE;
        }
      for (guint k = 0; k < i; k++)
        if (strncmp (settings[i], settings[k], length) == 0)
          {
            wp_cli_usage (command, "--set gives \"%.*s\" twice", (int)length - 1, settings[i]);
            return FALSE;
          }
    }
  return TRUE;
}

static void
complain_of_gpu (const WpCommand *command)
{
  wp_cli_usage (command, "--gpu is missing; warpipe list gpus shows what is shipped");
}

/* The first of FILES that is the name of a shipped GPU, or NULL. */
static const gchar *
find_gpu (gchar **files)
{
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autofree gchar *path = wp_data_find (WP_DATA_GPUS, files[i], NULL);

      if (path != NULL && strcmp (path, files[i]) != 0)
        return files[i];
    }
  return NULL;
}

/* Says that FILES are not what is EXPECTED; where one of them is a GPU, how that is given. */
static void
complain_of_files (const WpCommand *command, gchar **files, const gchar *gpu, const gchar *expected)
{
  guint n = g_strv_length (files);
  g_autofree gchar *all = g_strjoinv ("\", \"", files);
  const gchar *meant = gpu == NULL ? find_gpu (files) : NULL;

  if (n == 0)
    wp_cli_usage (command, "expected %s, got 0: a file, or one of warpipe list kernels", expected);
  else
    wp_cli_usage (command, "expected %s, got %u: \"%s\"%s%s", expected, n, all,
                  meant != NULL ? "; write --gpu " : "", meant != NULL ? meant : "");
}

gboolean
wp_cli_check_kernel_and_gpu (const WpCommand *command, gchar **files, gchar **gpu,
                             gchar *const *gpu_sets, gboolean several)
{
  if (g_strv_length (files) != 1)
    {
      complain_of_files (command, files, *gpu, "one KERNEL");
      return FALSE;
    }
  if (*gpu == NULL)
    {
      complain_of_gpu (command);
      return FALSE;
    }
  return wp_cli_set_gpus (command, gpu, gpu_sets, several);
}

gboolean
wp_cli_check_kernels_and_gpu (const WpCommand *command, gchar **files, gchar ***kernels,
                              gchar **gpu, gchar *const *gpu_sets, WpExit *status)
{
  g_autoptr (GError) error = NULL;

  *status = WP_EXIT_USAGE;
  if (files[0] == NULL || (*gpu == NULL && files[1] != NULL && find_gpu (files) != NULL))
    {
      complain_of_files (command, files, *gpu, "KERNEL..., and GPUs by --gpu");
      return FALSE;
    }
  if (*gpu == NULL)
    {
      complain_of_gpu (command);
      return FALSE;
    }
  *kernels = wp_data_expand_kernels (files, &error);
  if (*kernels == NULL)
    {
      *status = wp_cli_fail (error);
      return FALSE;
    }
  return wp_cli_set_gpus (command, gpu, gpu_sets, TRUE);
}
