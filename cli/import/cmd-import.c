/* SPDX-License-Identifier: MIT */
/* warpipe import: writes a kernel.xml from the output of other tools. */
#include "cli/commands.h"
#include "cli/common/cli-files.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-signals.h"
#include "cli/report/report-warnings.h"
#include "run/base/execute.h"
#include "run/base/output.h"

typedef struct
{
  gchar *output, *gpu_name;
  GStrv settings;
  WpGpu *gpu;
  WpImportOptions import;
  WpLaunchOptions launch;
  GStrv files;
  WpRunOptions options;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->output);
  g_free (asked->gpu_name);
  g_strfreev (asked->settings);
  g_clear_pointer (&asked->gpu, wp_gpu_free);
  wp_import_options_clear (&asked->import);
  wp_launch_options_clear (&asked->launch);
  g_strfreev (asked->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
parse (Asked *asked, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_options_add_letter (table, "output", 'o', &asked->output,
                         "Write to FILE; - (when left out) is standard output", "FILE");
  wp_options_add (table, "gpu", &asked->gpu_name,
                  "Of a file that is executed: for the machine code and the caches of this GPU",
                  "GPU");
  wp_cli_add_kernel_options (table, &asked->settings, &asked->import);
  wp_cli_add_launch_options (table, &asked->launch);
  wp_options_add_flag (
      table, "strict", &asked->import.strict,
      "Refuse instructions that are not known, in place of guessing what they do, and "
      "what cannot be modelled");

  return wp_cli_parse (&wp_command_import, table, argv, &asked->files, status);
}

static gboolean
check (Asked *asked)
{
  guint n = g_strv_length (asked->files);
  const WpInputs inputs = { asked->files, asked->gpu_name, &asked->import };

  asked->options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  if (n == 1 && (asked->output == NULL || *asked->output != '\0'))
    return wp_cli_check_apart (&wp_command_import, &inputs, "--output", asked->output)
           && wp_cli_check_dumps (&wp_command_import, &inputs, &asked->output, 1)
           && wp_cli_parse_launch (&wp_command_import, &asked->launch, &asked->options);
  if (n != 1)
    wp_cli_usage (&wp_command_import, "expected one FILE to import, got %u", n);
  else
    wp_cli_usage (&wp_command_import, "--output: expected a file, or - for standard output");
  return FALSE;
}

static gboolean
write_kernel (const IdgKernel *kernel, const gchar *path, GError **error)
{
  gsize length;
  g_autofree gchar *text = idg_kernel_to_xml (kernel, &length);
  g_autoptr (WpOutput) output = wp_output_open (path != NULL ? path : "-", error);

  return output != NULL && wp_output_write (output, text, length, error)
         && wp_output_finish (output, error);
}

static IdgKernel *
load (Asked *asked, GError **error)
{
  const gchar *path = asked->files[0];

  if (asked->gpu_name != NULL)
    {
      asked->gpu = wp_cli_load_gpu (asked->gpu_name, error);
      if (asked->gpu == NULL)
        return NULL;
      asked->import.gpu = asked->gpu;
    }
  if (asked->settings != NULL || wp_execute_is_for (path, &asked->import))
    return wp_cli_load_kernel (path, asked->settings, &asked->import, &asked->options, error);
  return wp_cli_import (path, &asked->import, &asked->options, error);
}

/* Says what KERNEL carries that makes its times a bound, or wrong, or refuses it. */
static gboolean
check_warnings (const IdgKernel *kernel, gboolean strict, GError **error)
{
  g_autoptr (GPtrArray) warnings = wp_warnings_new ();

  for (guint i = 0; i < kernel->warnings->len; i++)
    {
      const IdgWarning *warning = g_ptr_array_index (kernel->warnings, i);

      wp_warnings_add (warnings, warning->name, TRUE, "%s", warning->text);
    }
  if (!strict)
    wp_complain_of_warnings (warnings);
  return wp_cli_check_warnings (warnings, strict, error);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Asked) asked = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  WpSignals signals;
  WpExit status;
  gboolean done;

  (void)max_issues;
  if (!parse (&asked, argv, &status))
    return status;
  if (!check (&asked))
    return WP_EXIT_USAGE;
  kernel = load (&asked, &error);
  if (kernel == NULL || !check_warnings (kernel, asked.import.strict, &error))
    return wp_cli_fail (error);
  wp_signals_hold (&signals);
  done = write_kernel (kernel, asked.output, &error);
  return wp_signals_release (&signals, done, 0, error);
}

const WpCommand wp_command_import = {
  .name = "import",
  .arguments = "FILE -o KERNEL.xml",
  .summary = "Make a kernel from CUDA, PTX, a SASS listing or a trace",
  .details
  = "FILE is PTX (nvcc -ptx), a SASS listing (cuobjdump -sass, nvdisasm, or instructions alone),\n"
    "or a trace of Accel-Sim (kernelslist.g or kernel-N.traceg, plain, .gz or .xz). Other\n"
    "commands take such files, too. What a listing does not say is assumed, and said on standard\n"
    "error: loops whose bounds are no constants run once, branches are not taken. CUDA source and\n"
    "machine code are executed, and need no such hints: --gpu GPU --launch 'k<<<64, 256>>>(A, n)'.",
  .run = run_command,
};
