/* SPDX-License-Identifier: MIT */
/* Files are read once, before anything runs: a sweep may take hours, and its table must not change
 * halfway because somebody edits a file.
 */
#include "run/sweep/sweep.h"

#include "run/base/execute.h"
#include "run/sweep/sweep-digest.h"
#include "run/sweep/sweep-execute.h"

#include <string.h>

#define MAX_FIRST 4096 /* combinations that are tried until one can be launched */

/* Whether the kernel at PATH may be executed, which takes values of all parameters. */
static gboolean
wants_settings (const gchar *path, const WpImportOptions *import)
{
  g_autofree gchar *text = NULL;

  if (wp_execute_is_for (path, import))
    return TRUE;
  return idg_import_recognize (path) == NULL && g_file_get_contents (path, &text, NULL, NULL)
         && strstr (text, "<execute") != NULL;
}

/* Values of the parameters: of all combinations number PLACE, "NAME=VALUE"; NULL: there are not so
 * many. */
static GStrv
list_values (const GArray *settings, guint64 place)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (guint i = 0; i < settings->len; i++)
    {
      const WpSweepSetting *setting = &g_array_index (settings, WpSweepSetting, i);
      guint64 n = wp_ranges_count (setting->values);
      g_autofree gchar *text = g_strdup_printf ("%s=%" G_GUINT64_FORMAT, setting->name,
                                                wp_ranges_get (setting->values, place % n));

      g_strv_builder_add (list, text);
      place /= n;
    }
  return place == 0 ? g_strv_builder_end (list) : NULL;
}

/* The kernel with the first values of its parameters. Where what is executed cannot be launched
 * with these, it is the first combination that can be; the error is that of the first of all. */
static IdgKernel *
load_first (WpSweep *sweep, const WpImportOptions *import, const WpRunOptions *launch,
            const GArray *settings, GError **error)
{
  gboolean wants = wants_settings (sweep->path, import);
  g_autoptr (GError) first = NULL;

  for (guint64 place = 0; place < MAX_FIRST; place++)
    {
      g_auto (GStrv) values = list_values (settings, place);
      g_autoptr (GError) problem = NULL;
      IdgKernel *kernel = NULL;

      if (values == NULL)
        break;
      kernel = wp_load_kernel (sweep->path, wants ? values : NULL, import, launch, &problem);
      if (kernel != NULL)
        sweep->first = g_steal_pointer (&values);
      if (kernel != NULL)
        return kernel;
      if (!wants || !wp_sweep_is_of_launch (problem))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return NULL;
        }
      if (first == NULL)
        first = g_steal_pointer (&problem);
    }
  g_propagate_error (error, g_steal_pointer (&first));
  return NULL;
}

/* Reads the kernel, and its text once more, as it is parsed for each combination of its parameters;
 * hence no pipe. An imported kernel is kept as the kernel.xml that it becomes. */
static gboolean
load_kernel (WpSweep *sweep, const WpImportOptions *import, const WpRunOptions *launch,
             const GArray *settings, GError **error)
{
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (GError) problem = NULL;

  sweep->path = wp_data_find (WP_DATA_KERNELS, sweep->kernel_name, error);
  if (sweep->path == NULL)
    return FALSE;
  if (g_file_test (sweep->path, G_FILE_TEST_EXISTS)
      && !g_file_test (sweep->path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, WP_ERROR, WP_ERROR_READ,
                   "%s: a sweep reads its kernel from a regular file, which this is not",
                   sweep->path);
      return FALSE;
    }
  /* It has the error messages for a file that cannot be read, or is too large. */
  kernel = load_first (sweep, import, launch, settings, error);
  if (kernel == NULL)
    return FALSE;
  sweep->is_executed = kernel->executed;
  if (kernel->executed || idg_import_recognize (sweep->path) != NULL)
    sweep->text = idg_kernel_to_xml (kernel, &sweep->length);
  else if (!g_file_get_contents (sweep->path, &sweep->text, &sweep->length, &problem))
    {
      const gboolean no_memory = g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOMEM);

      g_set_error_literal (error, WP_ERROR, no_memory ? WP_ERROR_MEMORY : WP_ERROR_READ,
                           problem->message);
      return FALSE;
    }
  sweep->kernel = idg_kernel_parse (sweep->text, sweep->length, sweep->path, NULL, error);
  if (sweep->kernel != NULL && sweep->is_executed)
    {
      GPtrArray *none = sweep->kernel->parameters; /* their values are in the text */

      sweep->kernel->parameters = kernel->parameters;
      kernel->parameters = none;
    }
  return sweep->kernel != NULL;
}

static gboolean
load_gpus (WpSweep *sweep, gchar *const *names, const WpImportOptions *import, GError **error)
{

  sweep->gpu_names = g_strdupv ((gchar **)names);
  for (guint i = 0; names[i] != NULL; i++)
    {
      WpGpu *gpu = wp_data_load_gpu (names[i], import->note, import->note_data, error);

      if (gpu == NULL)
        return FALSE;
      g_ptr_array_add (sweep->gpus, gpu);
      g_free (sweep->gpu_names[i]);
      sweep->gpu_names[i] = wp_data_call_gpu (names[i], gpu);
      for (guint k = 0; k < gpu->pipelines->len; k++)
        {
          gchar *name = ((WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, k))->name;

          if (!g_ptr_array_find_with_equal_func (sweep->pipelines, name, g_str_equal, NULL))
            g_ptr_array_add (sweep->pipelines, name);
        }
    }
  sweep->axes[WP_AXIS_GPU] = wp_ranges_new ();
  wp_ranges_append (sweep->axes[WP_AXIS_GPU], (WpRange){ .last = sweep->gpus->len - 1, .step = 1 });
  return TRUE;
}

WpSweep *
wp_sweep_new (const gchar *kernel, const WpImportOptions *import, const WpRunOptions *launch,
              gchar *const *gpus, const GArray *settings, GError **error)
{
  g_autoptr (WpSweep) sweep = g_new0 (WpSweep, 1);
  WpImportOptions for_gpu = *import;

  sweep->kernel_name = g_strdup (kernel);
  sweep->gpus = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_gpu_free);
  sweep->policies = g_ptr_array_new ();
  sweep->pipelines = g_ptr_array_new ();
  if (!load_gpus (sweep, gpus, import, error))
    return NULL;
  for_gpu.gpu = g_ptr_array_index (sweep->gpus, 0);
  if (!load_kernel (sweep, &for_gpu, launch, settings, error))
    return NULL;
  sweep->settings = g_new0 (GArray *, sweep->kernel->parameters->len + 1);
  return g_steal_pointer (&sweep);
}

gboolean
wp_sweep_set (WpSweep *sweep, const gchar *name, GArray *ranges, GError **error)
{
  g_autofree gchar *setting = NULL;
  const gchar *settings[] = { NULL, NULL };
  IdgKernel *kernel;

  for (guint i = 0; i < sweep->kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (sweep->kernel->parameters, i);

      if (strcmp (parameter->name, name) != 0)
        continue;
      g_clear_pointer (&sweep->settings[i], g_array_unref);
      sweep->settings[i] = ranges;
      return TRUE;
    }
  /* The reader has the error message. */
  setting
      = g_strdup_printf ("%s=%" G_GUINT64_FORMAT, name, g_array_index (ranges, WpRange, 0).first);
  settings[0] = setting;
  kernel = idg_kernel_parse (sweep->text, sweep->length, sweep->path, settings, error);
  g_assert (kernel == NULL);
  g_array_unref (ranges);
  return FALSE;
}

/* N x MORE, or more rows than any sweep has. */
static guint64
multiply (guint64 n, guint64 more)
{
  return n > WP_SWEEP_MAX_ROWS || more > WP_SWEEP_MAX_ROWS ? G_MAXUINT64 : n * more;
}

gboolean
wp_sweep_finish (WpSweep *sweep)
{
  sweep->n_rows = 1;
  for (guint i = 0; i < sweep->kernel->parameters->len; i++)
    sweep->n_rows = multiply (sweep->n_rows, wp_sweep_count (sweep->settings[i]));
  for (guint i = 0; i < WP_N_AXES; i++)
    sweep->n_rows = multiply (sweep->n_rows, wp_sweep_count (sweep->axes[i]));
  if (sweep->n_rows > WP_SWEEP_MAX_ROWS)
    return FALSE;
  sweep->digest = wp_sweep_make_digest (sweep);
  return TRUE;
}
