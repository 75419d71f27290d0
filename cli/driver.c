/* SPDX-License-Identifier: MIT */
/* Signals are held back while the run goes on and asked for between slices: no handler, no global state, and nothing
 * is interrupted in the middle.
 */
#include "cli/driver.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define SLICE (1 << 17) /* things that happen between two looks: some milliseconds */
#define QUIET 1.0       /* seconds before progress is shown */
#define REFRESH 0.2     /* seconds between two lines of progress */

typedef struct
{
  gboolean shown;
  gboolean terminal;
  GTimer *timer;
  gdouble last;  /* when the line was last written */
  gdouble total; /* instructions of the whole run */
} Progress;

static void
show_progress (Progress *progress, guint64 issued)
{
  gdouble elapsed = g_timer_elapsed (progress->timer, NULL);
  gdouble share = progress->total > 0 ? (gdouble)issued / progress->total : 0;

  if (!progress->terminal || elapsed < QUIET || elapsed - progress->last < REFRESH)
    return;
  fprintf (stderr, "\r\033[K%5.1f%%  %.1f million instructions a second", 100 * share,
           (gdouble)issued / elapsed / 1e6);
  if (share > 0)
    fprintf (stderr, ", %.0f s left", elapsed / share - elapsed);
  fflush (stderr);
  progress->last = elapsed;
  progress->shown = TRUE;
}

static void
hold_signals (sigset_t *held, sigset_t *before)
{
  sigemptyset (held);
  sigaddset (held, SIGINT);
  sigaddset (held, SIGTERM);
  sigaddset (held, SIGHUP);
  sigprocmask (SIG_BLOCK, held, before);
}

/* The signal of HELD that has come, taken off the list, or 0. */
static gint
take_signal (const sigset_t *held)
{
  const struct timespec at_once = { 0, 0 };
  gint number = sigtimedwait (held, NULL, &at_once);

  return number > 0 ? number : 0;
}

static gboolean
has_failed (WpTrace *const *traces, guint n_traces)
{
  for (guint i = 0; i < n_traces; i++)
    if (traces[i]->error_number != 0)
      return TRUE;
  return FALSE;
}

static void
set_overflow (const WpDevice *device, const IdgKernel *kernel, const WpResolved *resolved,
              GError **error)
{
  WpOverflow overflow = wp_device_get_overflow (device);
  const WpMachine *machine = &resolved->machine;
  const gchar *file = kernel->file != NULL ? kernel->file : kernel->name;
  g_autofree gchar *where = NULL;

  if (overflow.instr != G_MAXUINT32)
    where = g_strdup_printf ("%s:%d: op \"%s\": ", file, machine->instrs[overflow.instr].line,
                             machine->names[machine->instrs[overflow.instr].name]);
  else
    where = g_strdup_printf ("%s: ", file);
  g_set_error (error, WP_ERROR, WP_ERROR_LIMIT,
               "%s%s in block %" G_GUINT64_FORMAT
               " would come at 2^62 ticks or later (a cycle has %" G_GINT64_FORMAT
               "): the run is too long to be exact",
               where, overflow.what, overflow.block, machine->ticks_per_cycle);
}

gboolean
wp_drive (WpDevice *device, const IdgKernel *kernel, const WpResolved *resolved,
          WpTrace *const *traces, guint n_traces, guint64 max_issues, gint *interrupted,
          GError **error)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  Progress progress = { .terminal = isatty (STDERR_FILENO),
                        .timer = timer,
                        .total = wp_machine_count_instructions (&resolved->machine) };
  guint64 slice = max_issues > 0 ? MIN (max_issues, SLICE) : SLICE;
  sigset_t held, before;
  WpRunStatus status;
  guint64 budget = 0;

  *interrupted = 0;
  hold_signals (&held, &before);
  do
    {
      status = wp_device_run (device, slice);
      budget += slice;
      *interrupted = take_signal (&held);
      if (*interrupted == 0 && status == WP_RUN_MORE && max_issues > 0 && budget >= max_issues)
        *interrupted = SIGINT;
      show_progress (&progress, wp_device_get_result (device)->issued);
    }
  while (status == WP_RUN_MORE && *interrupted == 0 && !has_failed (traces, n_traces));
  sigprocmask (SIG_SETMASK, &before, NULL);
  if (progress.shown)
    fputs ("\r\033[K", stderr);
  if (status == WP_RUN_DONE)
    *interrupted = 0;
  if (status != WP_RUN_OVERFLOW)
    return TRUE;
  set_overflow (device, kernel, resolved, error);
  return FALSE;
}
