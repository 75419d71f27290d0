/* SPDX-License-Identifier: MIT */
/* run/base/load.h does the work; what is added here is a voice. */
#include "cli/common/cli-import.h"

#include "cli/common/cli-progress.h"

void
wp_cli_add_import_options (WpOptionTable *table, WpImportOptions *import)
{
  wp_options_add (table, "entry", &import->entry,
                  "Of a file to import with several kernels: this one", "NAME");
  wp_options_add (table, "kernel", &import->kernel,
                  "Of a trace with several kernels: the one with this number", "ID");
  wp_options_add_list (
      table, "trip", &import->trips,
      "The loop at LABEL, or on FILE:LINE of the source, runs N times (all=N: all others)",
      "LABEL=N");
  wp_options_add_list (
      table, "branch", &import->branches,
      "The branch to LABEL, or on FILE:LINE, is taken, not, or both (:0-3: by these warps)",
      "LABEL=HOW");
  wp_options_add_list (
      table, "context", &import->contexts,
      "The instruction on LINE, or accesses on FILE:LINE of the source, run in this context",
      "LINE=NAME");
  wp_options_add_list (table, "launch", &import->launches,
                       "Execute a kernel of CUDA source or machine code, as host code launches it",
                       "K<<<GRID,BLOCK>>>(...)");
  wp_options_add_list (table, "data", &import->data,
                       "What a buffer holds: zeros, iota, random[:SEED[:LOW:HIGH]], file:PATH",
                       "NAME=[TYPE:]HOW[@COUNT]");
  wp_options_add_list (table, "dump", &import->dumps, "Write a buffer after the last launch",
                       "NAME=FILE");
  wp_options_add (table, "nvcc", &import->nvcc, "More options for the compiler of CUDA source",
                  "OPTIONS");
  wp_options_add (table, "execute-limit", &import->execute_limit,
                  "Execute at most about N warp instructions, then sample blocks (10^9)", "N");
  wp_options_add_flag (table, "compiler-waits", &import->compiler_waits,
                       "Issue as the compiler asked, by stall counts and barriers");
  wp_options_add (table, "ptxas-log", &import->ptxas_log,
                  "Registers and shared memory from what ptxas -v printed", "FILE");
  wp_options_add (table, "banks", &import->banks,
                  "Shared memory of a trace: banks and bytes of each; 32x4 when left out",
                  "32x4|16x4|32x8");
}

gboolean
wp_cli_check_no_dump (const WpCommand *command, const WpImportOptions *import)
{
  if (import->dumps == NULL)
    return TRUE;
  wp_cli_usage (command,
                "--dump %s: %s may execute the kernel more than once, each time with a buffer of "
                "its own; warpipe run writes one",
                import->dumps[0], command->name);
  return FALSE;
}

void
wp_cli_add_kernel_options (WpOptionTable *table, gchar ***settings, WpImportOptions *import)
{
  wp_options_add_list (table, "set", settings, "Give a kernel's parameter another value",
                       "NAME=VALUE");
  wp_cli_add_import_options (table, import);
}

static void
print_note (gpointer said, const gchar *note)
{
  if (said == NULL || g_hash_table_add (said, g_strdup (note)))
    wp_cli_complain ("%s", note);
}

void
wp_import_options_remember (WpImportOptions *import)
{
  import->note = print_note;
  import->note_data = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  import->free_note_data = (GDestroyNotify)g_hash_table_unref;
}

WpImportOptions
wp_import_options_make_loud (const WpImportOptions *import, WpProgress *progress)
{
  WpImportOptions loud = *import;

  *progress = wp_cli_progress_get ();
  loud.progress = progress;
  if (loud.note == NULL)
    loud.note = print_note;
  return loud;
}

WpGpu *
wp_cli_load_gpu (const gchar *name, GError **error)
{
  return wp_data_load_gpu (name, print_note, NULL, error);
}

IdgKernel *
wp_cli_import (const gchar *path, const WpImportOptions *import, const WpRunOptions *launch,
               GError **error)
{
  WpProgress progress;
  WpImportOptions loud = wp_import_options_make_loud (import, &progress);

  return wp_load_import (path, &loud, launch, error);
}

IdgKernel *
wp_cli_load_kernel (const gchar *name, gchar *const *settings, const WpImportOptions *import,
                    const WpRunOptions *launch, GError **error)
{
  WpProgress progress;
  WpImportOptions loud = wp_import_options_make_loud (import, &progress);

  return wp_load_kernel (name, settings, &loud, launch, error);
}

gboolean
wp_cli_load (const gchar *gpu_name, const gchar *kernel_name, gchar *const *settings,
             const WpImportOptions *import, const WpRunOptions *launch, WpGpu **gpu,
             IdgKernel **kernel, GError **error)
{
  WpProgress progress;
  WpImportOptions loud = wp_import_options_make_loud (import, &progress);

  return wp_load (gpu_name, kernel_name, settings, &loud, launch, gpu, kernel, error);
}
