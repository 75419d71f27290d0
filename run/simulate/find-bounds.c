/* SPDX-License-Identifier: MIT */
#include "run/simulate/find-bounds.h"

#include "sim/gpu/wp-gpu.h" /* WP_ERROR */

static void
show_progress (WpProgress *progress, const WpBounds *bounds, guint64 done)
{
  g_autofree gchar *rate = NULL;

  if (!wp_progress_is_due (progress))
    return;
  rate = g_strdup_printf ("%.1f million instructions a second",
                          (gdouble)done / wp_progress_get_elapsed (progress) / 1e6);
  wp_progress_show (progress, wp_bounds_get_progress (bounds), rate);
}

static gint
find_interrupt (const WpSignals *signals, guint64 max_steps, guint64 done)
{
  gint number = wp_signals_take (signals);

  return number == 0 && max_steps > 0 && done >= max_steps ? SIGINT : number;
}

/* Until BOUNDS are found or a signal comes. One that comes when they are is left to who goes on
 * with them. */
static WpBoundsStatus
walk (WpBounds *bounds, const WpSignals *signals, guint64 max_steps, gint *interrupted)
{
  g_auto (WpProgress) progress = { 0 };
  WpBoundsStatus status;
  guint64 done = 0;

  wp_progress_init (&progress);
  do
    {
      gdouble before = wp_progress_get_elapsed (&progress);

      status = wp_bounds_run (bounds, progress.slice);
      done += progress.slice;
      wp_progress_adapt (&progress, wp_progress_get_elapsed (&progress) - before);
      if (status == WP_BOUNDS_MORE)
        *interrupted = find_interrupt (signals, max_steps, done);
      show_progress (&progress, bounds, done);
    }
  while (status == WP_BOUNDS_MORE && *interrupted == 0);
  return status;
}

static void
set_error (WpBoundsStatus status, const IdgKernel *kernel, const WpMachine *machine, GError **error)
{
  if (status == WP_BOUNDS_NO_MEMORY)
    g_set_error (error, WP_ERROR, WP_ERROR_MEMORY, "out of memory");
  else if (status == WP_BOUNDS_OVERFLOW)
    g_set_error (
        error, WP_ERROR, WP_ERROR_LIMIT,
        "%s: a warp's latency or its use of a unit would come to 2^62 ticks or more (a cycle "
        "has %" G_GINT64_FORMAT "): the kernel is too long for exact bounds",
        idg_kernel_get_file (kernel), machine->ticks_per_cycle);
}

WpBounds *
wp_find_bounds (const IdgKernel *kernel, const WpMachine *machine, const WpSignals *signals,
                guint64 max_steps, gint *interrupted, GError **error)
{
  WpBounds *bounds = wp_bounds_new (machine);
  WpBoundsStatus status = WP_BOUNDS_NO_MEMORY;

  *interrupted = 0;
  if (bounds != NULL)
    status = walk (bounds, signals, max_steps, interrupted);
  if (status == WP_BOUNDS_DONE)
    return bounds;
  set_error (status, kernel, machine, error);
  wp_bounds_free (bounds);
  return NULL;
}
