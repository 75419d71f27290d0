/* SPDX-License-Identifier: MIT */
/* A file that a front end knows may be given wherever a kernel.xml may. Options that say how to
 * import one are an error beside a kernel.xml, and parameters beside a file that has none: neither
 * would do anything.
 */
#include "run/base/load.h"

#include "exec/wp-source.h"
#include "run/base/assumptions.h"
#include "run/base/execute.h"
#include "run/base/foreign.h"

static void
copy_list (GPtrArray *to, gchar *const *from)
{
  for (; from != NULL && *from != NULL; from++)
    g_ptr_array_add (to, g_strdup (*from));
}

static IdgImport *
make_import (const WpImportOptions *options, const WpRunOptions *launch)
{
  IdgImport *import = idg_import_new ();

  import->entry = g_strdup (options->kernel != NULL ? options->kernel : options->entry);
  import->ptxas_log = g_strdup (options->ptxas_log);
  import->banks = g_strdup (options->banks);
  import->strict_names = options->strict;
  import->target = wp_source_target (options->gpu);
  copy_list (import->trips, options->trips);
  copy_list (import->branches, options->branches);
  copy_list (import->contexts, options->contexts);
  if (launch != NULL)
    {
      import->blocks = launch->blocks;
      import->threads = launch->threads;
      import->registers = launch->registers;
      import->shared_memory = launch->shared_memory;
      for (guint i = 0; i < 3; i++)
        {
          import->block_dim[i] = (gint64)launch->block_dim[i];
          import->grid_dim[i] = (gint64)launch->grid_dim[i];
        }
    }
  return import;
}

/* The first option that concerns imports only; or NULL. */
static const gchar *
find_given (const WpImportOptions *import)
{
  const struct
  {
    const gchar *name;
    gboolean given;
  } options[] = {
    { "--entry", import->entry != NULL },      { "--kernel", import->kernel != NULL },
    { "--trip", import->trips != NULL },       { "--branch", import->branches != NULL },
    { "--context", import->contexts != NULL }, { "--ptxas-log", import->ptxas_log != NULL },
    { "--banks", import->banks != NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].given)
      return options[i].name;
  return NULL;
}

/* A kernel is chosen by its number, in traces, or by its name, anywhere; not by both. */
static gboolean
check_choice (const gchar *path, const WpImportOptions *options, GError **error)
{
  guint64 number;

  if (options->kernel == NULL)
    return TRUE;
  if (options->entry != NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s: --kernel and --entry; expected one of them",
                 path);
  else if (g_strcmp0 (idg_import_recognize (path), "trace") != 0)
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                 "%s: --kernel %s: only the kernels of a trace have numbers; expected --entry NAME",
                 path, options->kernel);
  else if (!g_ascii_string_to_unsigned (options->kernel, 10, 0, G_MAXINT64, &number, NULL))
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s: --kernel \"%s\": expected a whole number",
                 path, options->kernel);
  else
    return TRUE;
  return FALSE;
}

static void
show_progress (gpointer data, gdouble share, guint64 lines)
{
  WpProgressMeter *meter = data;
  WpProgressReport report = { .work = WP_WORK_LINES, .share = share, .done = lines };

  if (wp_progress_meter_is_due (meter))
    wp_progress_meter_report (meter, &report);
}

/* Notes something that KERNEL carries from then on, and that who asked for it hears once. */
static void
add_note (IdgKernel *kernel, const WpImportOptions *options, const gchar *note)
{
  if (options->note != NULL)
    options->note (options->note_data, note);
  g_ptr_array_add (kernel->notes, g_strdup (note));
}

/* Options of what is executed, beside what is not. */
static gboolean
check_launch (const gchar *path, const WpImportOptions *options, GError **error)
{
  const gchar *given = wp_execute_find_given (options);

  if (given == NULL || wp_execute_lacks_assembler (path, options))
    return TRUE;
  if (wp_foreign_is_pipe (path))
    {
      g_set_error (error, WP_ERROR, WP_ERROR_READ,
                   "%s: a pipe, which can be read only once; what %s is for is read several "
                   "times: save it in a file first",
                   path, given);
      return FALSE;
    }
  if (g_str_has_suffix (path, ".ptx"))
    {
      g_set_error (error, WP_ERROR, WP_ERROR_READ,
                   "%s: PTX by its name, but it does not begin with .version, as PTX does: it is "
                   "cut off, or something else",
                   path);
      return FALSE;
    }
  g_set_error (
      error, WP_ERROR, WP_ERROR_VALUE,
      "%s: %s is for what is executed: CUDA source, PTX (with ptxas on the PATH), a cubin, "
      "or a program with code for GPUs; expected one of them, or no %s",
      path, given, given);
  return FALSE;
}

/* PTX without an assembler: of the launch there is the number of blocks and threads. */
static gboolean
take_launch (const gchar *path, const WpImportOptions *options, IdgImport *import, GError **error)
{
  guint grid[3], block[3];

  if (!wp_execute_lacks_assembler (path, options))
    return TRUE;
  if (!wp_execute_read_sizes (path, options, grid, block, error))
    return FALSE;
  for (guint k = 0; k < 3; k++)
    {
      import->grid_dim[k] = grid[k];
      import->block_dim[k] = block[k];
    }
  import->blocks = import->grid_dim[0] * import->grid_dim[1] * import->grid_dim[2];
  import->threads = import->block_dim[0] * import->block_dim[1] * import->block_dim[2];
  if (options->note != NULL)
    {
      g_autofree gchar *note = g_strdup_printf (
          "%s: ptxas is not on the PATH, so that it is imported as a listing and not executed",
          path);

      options->note (options->note_data, note);
    }
  return TRUE;
}

IdgKernel *
wp_load_import (const gchar *path, const WpImportOptions *options, const WpRunOptions *launch,
                GError **error)
{
  g_autoptr (IdgImport) import = make_import (options, launch);
  g_auto (WpProgressMeter) meter = { 0 };
  IdgKernel *kernel;

  if (wp_execute_is_for (path, options))
    return wp_execute_kernel (path, NULL, options, launch, error);
  wp_progress_meter_init (&meter, options->progress);
  import->progress = show_progress;
  import->progress_data = &meter;
  kernel = check_launch (path, options, error) && wp_foreign_check (path, options->gpu, error)
                   && check_choice (path, options, error)
                   && take_launch (path, options, import, error)
               ? idg_import_load (path, import, error)
               : NULL;
  if (kernel == NULL && idg_import_recognize (path) == NULL)
    wp_foreign_explain_pipe (path, error);
  wp_progress_meter_clear (&meter);
  for (guint i = 0; kernel != NULL && i < import->notes->len; i++)
    add_note (kernel, options, g_ptr_array_index (import->notes, i));
  return kernel;
}

static IdgKernel *
load_xml (const gchar *path, gchar *const *settings, const WpImportOptions *import,
          const WpRunOptions *options, GError **error)
{
  g_autoptr (IdgKernel) kernel = idg_kernel_load (path, (const gchar *const *)settings, error);

  if (kernel == NULL)
    wp_foreign_explain_pipe (path, error);
  if (kernel == NULL)
    return NULL;
  if (kernel->execute != NULL)
    return wp_execute_file (kernel, import, options, error);
  return check_launch (path, import, error) ? g_steal_pointer (&kernel) : NULL;
}

static IdgKernel *
load_kernel (const gchar *path, const gchar *format, gchar *const *settings,
             const WpImportOptions *import, const WpRunOptions *options, GError **error)
{
  const gchar *given = find_given (import);

  if (format != NULL && !check_launch (path, import, error))
    return NULL;
  if (format == NULL && given != NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                 "%s: %s is for PTX, SASS listings and traces, which this is not; expected a file "
                 "to import, or no %s",
                 path, given, given);
  else if (format != NULL && settings != NULL && settings[0] != NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                 "%s: --set %s: what is imported has no parameters; expected --trip, --branch, or "
                 "a kernel.xml",
                 path, settings[0]);
  else if (format != NULL)
    return wp_load_import (path, import, options, error);
  else if (wp_foreign_check_xml (path, error))
    return load_xml (path, settings, import, options, error);
  return NULL;
}

IdgKernel *
wp_load_kernel (const gchar *name, gchar *const *settings, const WpImportOptions *import,
                const WpRunOptions *options, GError **error)
{
  gboolean is_executed = wp_execute_is_for (name, import);
  gboolean may_be_kernel = !is_executed && wp_foreign_check (name, import->gpu, error);
  g_autofree gchar *path = may_be_kernel ? wp_data_find (WP_DATA_KERNELS, name, error) : NULL;
  const gchar *format = path != NULL ? idg_import_recognize (path) : NULL;
  IdgKernel *kernel
      = path != NULL ? load_kernel (path, format, settings, import, options, error) : NULL;
  g_autofree gchar *assumed
      = kernel != NULL ? wp_assumptions_describe (kernel, format != NULL) : NULL;

  if (is_executed)
    return wp_execute_kernel (name, settings, import, options, error);
  if (assumed != NULL)
    add_note (kernel, import, assumed);
  return kernel;
}

gboolean
wp_load (const gchar *gpu_name, const gchar *kernel_name, gchar *const *settings,
         const WpImportOptions *import, const WpRunOptions *options, WpGpu **gpu,
         IdgKernel **kernel, GError **error)
{
  WpImportOptions for_gpu = *import;

  *gpu = wp_data_load_gpu (gpu_name, import->note, import->note_data, error);
  for_gpu.gpu = *gpu;
  if (*gpu != NULL)
    *kernel = wp_load_kernel (kernel_name, settings, &for_gpu, options, error);
  return *gpu != NULL && *kernel != NULL;
}
