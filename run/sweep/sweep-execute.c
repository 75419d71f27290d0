/* SPDX-License-Identifier: MIT */
/* Executions come one after the other, as each has all cores to itself. */
#include "run/sweep/sweep-execute.h"

#include "run/base/load.h"

#include <string.h>

#define MAX_EXECUTIONS 4096

static void
free_error (gpointer data)
{
  if (data != NULL)
    g_error_free (data);
}

gboolean
wp_sweep_is_of_launch (const GError *error)
{
  return g_error_matches (error, WP_ERROR, WP_ERROR_FIT)
         || g_error_matches (error, WP_ERROR, WP_ERROR_LIMIT)
         || g_error_matches (error, IDG_ERROR, IDG_ERROR_FIT);
}

/* Appends what comes of combination SETTINGS on GPU number GPU. */
static gboolean
execute_one (const WpSweep *sweep, WpSweepKernel *of, const WpImportOptions *import,
             const WpRunOptions *launch, guint gpu, guint64 settings, GError **error)
{
  g_auto (GStrv) list = wp_sweep_list_settings (sweep, settings);
  WpImportOptions for_gpu = *import;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (GError) problem = NULL;

  for_gpu.gpu = g_ptr_array_index (sweep->gpus, gpu);
  kernel = wp_load_kernel (of->path, list, &for_gpu, launch, &problem);
  if (kernel == NULL && !wp_sweep_is_of_launch (problem))
    {
      g_autofree gchar *label = g_strjoinv (" ", list);

      g_propagate_prefixed_error (error, g_steal_pointer (&problem),
                                  "%s%s%s: ", sweep->gpu_names[gpu], *label != '\0' ? " " : "",
                                  label);
      return FALSE;
    }
  g_ptr_array_add (of->executed, kernel != NULL ? idg_kernel_to_xml (kernel, NULL) : NULL);
  g_ptr_array_add (of->refusals, g_steal_pointer (&problem));
  return TRUE;
}

/* Whether SETTINGS is what the text of KERNEL was executed for. */
static gboolean
is_own (const WpSweep *sweep, const WpSweepKernel *kernel, guint64 settings)
{
  g_auto (GStrv) list = wp_sweep_list_settings (sweep, settings);

  for (guint i = 0; list[i] != NULL; i++)
    if (!g_strv_contains ((const gchar *const *)kernel->first, list[i]))
      return FALSE;
  return TRUE;
}

/* Executes KERNEL, one of SWEEP's. */
static gboolean
execute_all (const WpSweep *sweep, WpSweepKernel *kernel, const WpImportOptions *import,
             const WpRunOptions *launch, GError **error)
{
  guint64 n_settings = wp_sweep_count_settings (sweep);

  if (n_settings * sweep->gpus->len > MAX_EXECUTIONS)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                   "%s: it is executed for each GPU and each combination of its parameters, and "
                   "the lists make more than %d; expected shorter lists",
                   kernel->path, MAX_EXECUTIONS);
      return FALSE;
    }
  kernel->executed = g_ptr_array_new_with_free_func (g_free);
  kernel->refusals = g_ptr_array_new_with_free_func (free_error);
  for (guint gpu = 0; gpu < sweep->gpus->len; gpu++)
    for (guint64 settings = 0; settings < n_settings; settings++)
      if (gpu == 0 && is_own (sweep, kernel, settings))
        {
          g_ptr_array_add (kernel->executed, g_strdup (kernel->text));
          g_ptr_array_add (kernel->refusals, NULL);
        }
      else if (!execute_one (sweep, kernel, import, launch, gpu, settings, error))
        return FALSE;
  return TRUE;
}

gboolean
wp_sweep_execute (WpSweep *sweep, const WpImportOptions *import, const WpRunOptions *launch,
                  GError **error)
{
  for (guint i = 0; i < sweep->kernels->len; i++)
    {
      WpSweepKernel *kernel = g_ptr_array_index (sweep->kernels, i);

      if (kernel->is_executed && !execute_all (sweep, kernel, import, launch, error))
        return FALSE;
    }
  return TRUE;
}

const gchar *
wp_sweep_get_executed (const WpSweep *sweep, const WpSweepPoint *point, const GError **refusal)
{
  const WpSweepKernel *kernel = wp_sweep_get_kernel (sweep, point);
  guint i = (guint)(point->values[WP_AXIS_GPU] * wp_sweep_count_settings (sweep) + point->settings);

  *refusal = g_ptr_array_index (kernel->refusals, i);
  return g_ptr_array_index (kernel->executed, i);
}

IdgKernel *
wp_sweep_parse_kernel (const WpSweep *sweep, const WpSweepKernel *kernel, guint gpu)
{
  guint n = kernel->executed != NULL ? (guint)wp_sweep_count_settings (sweep) : 1;

  for (guint i = 0; i < n; i++)
    {
      const gchar *text = kernel->executed != NULL
                              ? g_ptr_array_index (kernel->executed, gpu * n + i)
                              : kernel->text;

      if (text != NULL)
        return idg_kernel_parse (text, strlen (text), kernel->path, NULL, NULL);
    }
  return NULL;
}
