/* SPDX-License-Identifier: MIT */
/* The launches of a file, one after the other. */
#include "exec/wp-execute.h"

#include "exec/wp-execute-launch.h"
#include "exec/wp-module.h"
#include "exec/wp-source.h"
#include "idg/kernel/idg-kernel.h"

#include <string.h>

void
wp_execution_free (WpExecution *execution)
{
  if (execution == NULL)
    return;
  g_clear_pointer (&execution->memory, wp_memory_free);
  g_ptr_array_unref (execution->kernels);
  g_free (execution);
}

static void
say_all (const WpExecuteOptions *options, const GPtrArray *notes)
{
  for (guint k = 0; options->note && k < notes->len; k++)
    options->note (g_ptr_array_index (notes, k), options->data_of_functions);
}

static gboolean
run_launches (const WpExecuteOptions *options, const WpModule *module, WpExecution *execution,
              GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WpCaches) caches
      = wp_caches_new (options->gpu, options->sms ? options->sms : (guint)options->gpu->sms, notes);

  say_all (options, notes);
  for (guint k = 0; k < module->launches->len; k++)
    {
      IdgKernel *kernel;

      if (k > 0)
        wp_memory_begin_launch (module->memory);
      kernel = wp_execute_launch (options, module, k, caches, error);
      if (kernel == NULL)
        return FALSE;
      g_ptr_array_add (execution->kernels, kernel);
    }
  return TRUE;
}

/* ---- Variables that nobody sets ---- */

/* Whose notes are kept until it is known whether all is executed once more. */
typedef struct
{
  const WpExecuteOptions *options;
  GPtrArray *notes;
} Holder;

static void
hold_note (const gchar *note, gpointer data)
{
  g_ptr_array_add (((Holder *)data)->notes, g_strdup (note));
}

static void
pass_progress (gdouble share, guint64 instructions, gpointer data)
{
  const WpExecuteOptions *options = ((Holder *)data)->options;

  if (options->progress)
    options->progress (share, instructions, options->data_of_functions);
}

static void
pass_module (const struct WpModule *module, gboolean is_done, gpointer data)
{
  const WpExecuteOptions *options = ((Holder *)data)->options;

  if (options->see)
    options->see (module, is_done, options->data_of_functions);
}

static void
hold (WpExecuteOptions *options, Holder *holder)
{
  options->note = hold_note;
  options->progress = pass_progress;
  options->see = pass_module;
  options->data_of_functions = holder;
}

/* Adds "NAME=unknown" for those of MEMORY to UNSET. Those that share a name cannot be told apart.
 */
static void
list_unset (const WpMemory *memory, GPtrArray *unset)
{
  g_autoptr (GPtrArray) names = wp_memory_list_unset (memory);

  for (guint k = 0; k < names->len; k++)
    {
      const gchar *name = g_ptr_array_index (names, k);

      if (strpbrk (name, "#=") == NULL)
        g_ptr_array_add (unset, g_strconcat (name, "=unknown", NULL));
    }
}

static void
note_unset (const WpExecuteOptions *options, const GPtrArray *unset)
{
  for (guint k = 0; k < unset->len; k++)
    {
      const gchar *text = g_ptr_array_index (unset, k);
      const int n = (int)strcspn (text, "=");
      g_autofree gchar *note = g_strdup_printf (
          "%s: %.*s has no initializer, and no kernel stores to it: what host code sets it to is "
          "unknown; --data %.*s=HOW says else",
          options->path, n, text, n, text);

      if (options->note)
        options->note (note, options->data_of_functions);
    }
}

/* Both, NULL-terminated; the texts are theirs. */
static GPtrArray *
join_data (const gchar *const *data, const GPtrArray *unset)
{
  GPtrArray *all = g_ptr_array_new ();

  for (; data && *data; data++)
    g_ptr_array_add (all, (gpointer)*data);
  for (guint k = 0; k < unset->len; k++)
    g_ptr_array_add (all, g_ptr_array_index (unset, k));
  g_ptr_array_add (all, NULL);
  return all;
}

/* Executes all launches of CUBIN, which is the caller's again then, with DATA. UNSET receives the
 * --data of variables that are zeros as nobody sets them, where something depends on them. */
static WpExecution *
run_module (const WpExecuteOptions *options, WpCubin **cubin, const gchar *const *data,
            GPtrArray *unset, GError **error)
{
  g_autoptr (WpExecution) execution = g_new0 (WpExecution, 1);
  g_autoptr (WpModule) module
      = wp_module_new (g_steal_pointer (cubin), options->launches, options->lookup,
                       options->lookup_data, data, options->dumps, error);
  gboolean is_done;

  execution->kernels = g_ptr_array_new_with_free_func ((GDestroyNotify)idg_kernel_free);
  if (module == NULL)
    g_prefix_error (error, "%s: ", options->path);
  if (module == NULL)
    return NULL;
  if (options->see)
    options->see (module, FALSE, options->data_of_functions);
  is_done = run_launches (options, module, execution, error);
  list_unset (module->memory, unset);
  if (is_done && options->see)
    options->see (module, TRUE, options->data_of_functions);
  *cubin = g_steal_pointer (&module->cubin);
  execution->memory = g_steal_pointer (&module->memory);
  return is_done ? g_steal_pointer (&execution) : NULL;
}

/* A variable that no initializer and no kernel sets is set by host code, or nobody would ask for
 * it: where something depends on one, all is executed once more as if nobody knew what it holds,
 * as it is with __constant__ ones from the start. */
WpExecution *
wp_execute (const WpExecuteOptions *options, GError **error)
{
  g_autoptr (WpCubin) cubin = wp_execute_load (options, error);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) unset = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WpExecution) execution = NULL;
  g_autoptr (GError) problem = NULL;
  WpExecuteOptions held = *options;
  Holder holder = { options, notes };

  if (cubin == NULL)
    return NULL;
  hold (&held, &holder);
  execution = run_module (&held, &cubin, options->data, unset, &problem);
  if (unset->len > 0 && cubin != NULL
      && !(options->cancel && __atomic_load_n (options->cancel, __ATOMIC_RELAXED) != 0))
    {
      g_autoptr (GPtrArray) data = join_data (options->data, unset);

      note_unset (options, unset);
      g_clear_pointer (&execution, wp_execution_free);
      return run_module (options, &cubin, (const gchar *const *)data->pdata, unset, error);
    }
  say_all (options, notes);
  if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  return g_steal_pointer (&execution);
}
