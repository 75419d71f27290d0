/* SPDX-License-Identifier: MIT */
/* warpipe occupancy: the occupancy calculator. */
#include "cli/commands.h"
#include "cli/common/cli-import.h"
#include "cli/occupancy/occupancy-print.h"
#include "run/base/data.h"

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *cc, *occupancy, *format;
  WpLaunchOptions launch;
  gchar **gpu_sets, **settings;
  WpImportOptions import;
  GStrv files;
  WpRunOptions options;
  gboolean json;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->gpu);
  g_free (asked->cc);
  g_free (asked->occupancy);
  g_free (asked->format);
  wp_launch_options_clear (&asked->launch);
  g_strfreev (asked->gpu_sets);
  g_strfreev (asked->settings);
  wp_import_options_clear (&asked->import);
  g_strfreev (asked->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
parse (Asked *asked, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_cli_add_gpu_option (table, &asked->gpu, &asked->gpu_sets);
  wp_options_add (table, "cc", &asked->cc, "Compute capability, in place of a GPU: 8.6", "X.Y");
  wp_cli_add_kernel_options (table, &asked->settings, &asked->import);
  wp_cli_add_block_options (table, &asked->launch);
  wp_cli_add_occupancy_option (table, &asked->occupancy);
  wp_options_add (table, "format", &asked->format, "Report as text (when left out) or JSON",
                  "text|json");

  return wp_cli_parse (&wp_command_occupancy, table, argv, &asked->files, status);
}

/* Checks which arguments are given, before their values. */
static gboolean
check_arguments (const Asked *asked)
{
  guint n = g_strv_length (asked->files);

  if (n > 1)
    wp_cli_usage (&wp_command_occupancy, "expected one KERNEL at most, got %u", n);
  else if (asked->gpu == NULL && asked->cc == NULL)
    wp_cli_usage (&wp_command_occupancy,
                  "--gpu or --cc is missing; warpipe list gpus shows what is shipped");
  else if (asked->gpu != NULL && asked->cc != NULL)
    wp_cli_usage (&wp_command_occupancy, "--gpu and --cc: expected one of the two");
  else if (n == 0 && asked->settings != NULL)
    wp_cli_usage (&wp_command_occupancy, "--set \"%s\": there is no KERNEL to have parameters",
                  asked->settings[0]);
  else if (n == 0 && asked->launch.threads == NULL)
    wp_cli_usage (&wp_command_occupancy,
                  "--threads is missing, and there is no KERNEL to have a launch");
  else
    return TRUE;
  return FALSE;
}

static gboolean
check (Asked *asked)
{
  WpRunOptions *options = &asked->options;

  *options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  return check_arguments (asked)
         && wp_cli_set_gpus (&wp_command_occupancy, &asked->gpu, asked->gpu_sets, FALSE)
         && wp_cli_parse_choice (&wp_command_occupancy, "format", asked->format, "text", "json",
                                 &asked->json)
         && wp_cli_parse_count (&wp_command_occupancy, "occupancy", asked->occupancy, 1,
                                WP_MAX_RESIDENT_WARPS, &options->occupancy)
         && wp_cli_parse_launch (&wp_command_occupancy, &asked->launch, options)
         && wp_cli_check_settings (&wp_command_occupancy, asked->settings);
}

/* The launch of KERNEL (NULL: an empty one), with the options that replace parts of it. */
static IdgLaunch
get_launch (const IdgKernel *kernel, const WpRunOptions *options)
{
  IdgLaunch launch = { 0 };

  if (kernel != NULL)
    launch = kernel->launch;
  wp_run_options_override (options, &launch);
  return launch;
}

/* The GPU to use, and the row of TABLE that it comes from, if any. NULL with ERROR. */
static WpGpu *
load_gpu (const Asked *asked, GPtrArray **table, const WpCapability **capability, GError **error)
{
  if (asked->gpu != NULL)
    return wp_cli_load_gpu (asked->gpu, error);
  *table = wp_data_load_capabilities (error);
  if (*table != NULL)
    *capability = wp_capabilities_find (*table, asked->cc, error);
  return *capability != NULL ? wp_capability_make_gpu (*capability) : NULL;
}

static gboolean
print_report (const Asked *asked, GError **error)
{
  const WpCapability *capability = NULL;
  g_autoptr (GPtrArray) table = NULL;
  g_autoptr (WpGpu) gpu = load_gpu (asked, &table, &capability, error);
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpOccupancyReport) report = NULL;
  WpImportOptions import = asked->import;
  IdgLaunch launch;

  import.gpu = gpu;
  if (gpu == NULL)
    return FALSE;
  if (asked->files[0] != NULL)
    {
      kernel
          = wp_cli_load_kernel (asked->files[0], asked->settings, &import, &asked->options, error);
      if (kernel == NULL)
        return FALSE;
    }
  launch = get_launch (kernel, &asked->options);
  report
      = wp_occupancy_report_new (kernel, gpu, capability, &launch, asked->options.occupancy, error);
  if (report == NULL)
    {
      if (kernel != NULL)
        g_prefix_error (error, "%s: ", idg_kernel_get_file (kernel));
      return FALSE;
    }
  if (asked->json)
    wp_occupancy_report_print_json (report);
  else
    wp_occupancy_report_print_text (report);
  return TRUE;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Asked) asked = { 0 };
  g_autoptr (GError) error = NULL;
  WpExit status;

  (void)max_issues;
  if (!parse (&asked, argv, &status))
    return status;
  if (!check (&asked))
    return WP_EXIT_USAGE;
  return print_report (&asked, &error) ? WP_EXIT_DONE : wp_cli_fail (error);
}

const WpCommand wp_command_occupancy = {
  .name = "occupancy",
  .arguments = "[KERNEL] --gpu GPU",
  .summary = "Show how many blocks fit on an SM, and what limits them",
  .details
  = "KERNEL and GPU are files, or names of shipped descriptions (warpipe list kernels, "
    "list gpus).\n"
    "Without KERNEL the launch is what the options say, and --threads is needed. In place of GPU,\n"
    "--cc=X.Y takes the limits of a compute capability.",
  .run = run_command,
};
