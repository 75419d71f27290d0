/* SPDX-License-Identifier: MIT */
/* Launches whose programs are the same share one text. Where lists are long, their ends are tried
 * first: most programs do not depend on the launch. */
#include "run/sweep/sweep-imports.h"

#include "run/base/load.h"

#include <string.h>

#define MAX_TRIED 64 /* launches to import without a look at the ends of the lists */
#define MAX_IMPORTS 4096

/* The value at place I of RANGES (NULL: the launch's own) into NUMBER and SIZES. */
static void
take_place (const GArray *ranges, guint64 i, gint64 *number, guint64 *sizes)
{
  if (ranges == NULL)
    return;
  *number = (gint64)wp_ranges_get (ranges, i);
  memcpy (sizes, wp_ranges_find (ranges, i)->sizes, 3 * sizeof *sizes);
}

/* The kernel.xml of the import for the launch at THREADS and BLOCKS of the axes. Its own launch is
 * that of the kernel OF, which the options of a row replace, but for what its loops and
 * branches were decided by. NULL with ERROR. */
static gchar *
import_one (const WpSweep *sweep, const WpSweepKernel *of, const WpImportOptions *import,
            const WpRunOptions *launch, guint64 threads, guint64 blocks, GError **error)
{
  WpImportOptions silent = *import;
  WpRunOptions own = *launch;
  g_autoptr (IdgKernel) kernel = NULL;

  silent.note = NULL;
  take_place (sweep->axes[WP_AXIS_THREADS], threads, &own.threads, own.block_dim);
  take_place (sweep->axes[WP_AXIS_BLOCKS], blocks, &own.blocks, own.grid_dim);
  kernel = wp_load_import (of->path, &silent, &own, error);
  if (kernel == NULL)
    return NULL;
  own.threads = kernel->fixed_threads ? kernel->launch.threads : of->kernel->launch.threads;
  own.blocks = kernel->fixed_blocks ? kernel->launch.blocks : of->kernel->launch.blocks;
  kernel->launch = of->kernel->launch;
  kernel->launch.threads = own.threads;
  kernel->launch.blocks = own.blocks;
  return idg_kernel_to_xml (kernel, NULL);
}

/* Whether the programs at all ends of the axes are KERNEL's own. */
static gboolean
are_ends_alike (const WpSweep *sweep, const WpSweepKernel *kernel, const WpImportOptions *import,
                const WpRunOptions *launch, guint64 n_threads, guint64 n_blocks, gboolean *alike,
                GError **error)
{
  *alike = TRUE;
  for (guint corner = 0; corner < 4; corner++)
    {
      g_autofree gchar *text
          = import_one (sweep, kernel, import, launch, (corner & 1) != 0 ? n_threads - 1 : 0,
                        (corner & 2) != 0 ? n_blocks - 1 : 0, error);

      if (text == NULL)
        return FALSE;
      *alike &= strcmp (text, kernel->text) == 0;
    }
  return TRUE;
}

static gboolean
import_all (const WpSweep *sweep, WpSweepKernel *kernel, const WpImportOptions *import,
            const WpRunOptions *launch, guint64 n_threads, guint64 n_blocks, GError **error)
{
  kernel->texts = g_ptr_array_new_with_free_func (g_free);
  for (guint64 i = 0; i < n_threads; i++)
    for (guint64 k = 0; k < n_blocks; k++)
      {
        gchar *text = import_one (sweep, kernel, import, launch, i, k, error);

        if (text == NULL)
          return FALSE;
        if (strcmp (text, kernel->text) == 0)
          g_clear_pointer (&text, g_free);
        g_ptr_array_add (kernel->texts, text);
      }
  return TRUE;
}

/* Imports KERNEL, one of SWEEP's. */
static gboolean
import_kernel (const WpSweep *sweep, WpSweepKernel *kernel, const WpImportOptions *import,
               const WpRunOptions *launch, GError **error)
{
  const gchar *format = idg_import_recognize (kernel->path);
  guint64 n_threads = wp_sweep_count (sweep->axes[WP_AXIS_THREADS]);
  guint64 n_blocks = wp_sweep_count (sweep->axes[WP_AXIS_BLOCKS]);
  gboolean many = n_threads > MAX_TRIED || n_blocks > MAX_TRIED || n_threads * n_blocks > MAX_TRIED;
  gboolean alike = FALSE;

  if (kernel->is_executed || format == NULL || strcmp (format, "trace") == 0
      || (n_threads == 1 && n_blocks == 1))
    return TRUE;
  if (many && !are_ends_alike (sweep, kernel, import, launch, n_threads, n_blocks, &alike, error))
    return FALSE;
  if (alike)
    return TRUE;
  if (n_threads <= MAX_IMPORTS && n_blocks <= MAX_IMPORTS && n_threads * n_blocks <= MAX_IMPORTS)
    return import_all (sweep, kernel, import, launch, n_threads, n_blocks, error);
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
               "%s: its loops depend on the launch, and the lists make more than %d launches; "
               "expected shorter lists of threads and blocks",
               kernel->path, MAX_IMPORTS);
  return FALSE;
}

gboolean
wp_sweep_import_launches (WpSweep *sweep, const WpImportOptions *import, const WpRunOptions *launch,
                          GError **error)
{
  for (guint i = 0; i < sweep->kernels->len; i++)
    if (!import_kernel (sweep, g_ptr_array_index (sweep->kernels, i), import, launch, error))
      return FALSE;
  return TRUE;
}

const gchar *
wp_sweep_get_text (const WpSweep *sweep, const WpSweepPoint *point)
{
  const WpSweepKernel *kernel = wp_sweep_get_kernel (sweep, point);
  guint64 place = point->places[WP_AXIS_THREADS] * wp_sweep_count (sweep->axes[WP_AXIS_BLOCKS])
                  + point->places[WP_AXIS_BLOCKS];
  const gchar *text
      = kernel->texts != NULL ? g_ptr_array_index (kernel->texts, (guint)place) : kernel->text;

  return text != NULL ? text : kernel->text;
}
