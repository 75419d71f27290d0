/* SPDX-License-Identifier: MIT */
/* Signals are held back while the run goes on and asked for between slices: no handler, no global state, and nothing
 * is interrupted in the middle.
 */
#include "cli/driver.h"

#include "cli/team.h"

#include <stdio.h>
#include <unistd.h>

/* Things that happen between two looks: as many as take some milliseconds, found by trying, for what one of them takes
 * depends on the machine (a million resident warps, 65536 transactions for each access). */
#define FIRST_SLICE (1 << 8)
#define LAST_SLICE (1 << 20)
#define LOOK 0.02 /* seconds between two looks, about */

/* Things that may happen before a steady state comes: a second, about. After that other cores are the better choice. */
#define SEARCH (1 << 24)

#define QUIET 1.0   /* seconds before progress is shown */
#define REFRESH 0.2 /* seconds between two lines of progress */

typedef struct
{
  gboolean shown;
  gboolean terminal;
  GTimer *timer;
  gdouble last;  /* when the line was last written */
  gdouble total; /* instructions of the whole run */
} Progress;

static void
show_progress (Progress *progress, WpDevice *device)
{
  gdouble elapsed = g_timer_elapsed (progress->timer, NULL);
  gdouble share;
  guint64 issued;

  if (!progress->terminal || elapsed < QUIET || elapsed - progress->last < REFRESH)
    return;
  issued = wp_device_get_result (device)->issued; /* looks at all there is: only when it is shown */
  share = progress->total > 0 ? (gdouble)issued / progress->total : 0;
  fprintf (stderr, "\r\033[K%5.1f%%  %.1f million instructions a second", 100 * share,
           (gdouble)issued / elapsed / 1e6);
  if (share > 0)
    fprintf (stderr, ", %.0f s left", elapsed / share - elapsed);
  fflush (stderr);
  progress->last = elapsed;
  progress->shown = TRUE;
}

void
wp_signals_hold (WpSignals *signals)
{
  const gint numbers[] = { SIGINT, SIGTERM, SIGHUP };

  sigemptyset (&signals->held);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction action;

      if (sigaction (numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset (&signals->held, numbers[i]);
    }
  sigprocmask (SIG_BLOCK, &signals->held, &signals->before);
}

gint
wp_signals_take (const WpSignals *signals)
{
  const struct timespec at_once = { 0, 0 };
  gint number = sigtimedwait (&signals->held, NULL, &at_once);

  return number > 0 ? number : 0;
}

void
wp_signals_release (const WpSignals *signals)
{
  while (wp_signals_take (signals) != 0)
    ;
  sigprocmask (SIG_SETMASK, &signals->before, NULL);
}

static gboolean
has_failed (const WpDrive *drive)
{
  for (guint i = 0; i < drive->n_traces; i++)
    if (drive->traces[i]->error_number != 0)
      return TRUE;
  return FALSE;
}

static void
set_overflow (const WpDevice *device, const WpDrive *drive, GError **error)
{
  WpOverflow overflow = wp_device_get_overflow (device);
  const IdgKernel *kernel = drive->kernel;
  const WpMachine *machine = &drive->resolved->machine;
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

/* The next slice, after one that took SECONDS. */
static guint64
adapt_slice (guint64 slice, gdouble seconds)
{
  if (seconds < LOOK / 2)
    return MIN (2 * slice, LAST_SLICE);
  return seconds > 2 * LOOK ? MAX (slice / 2, 1) : slice;
}

/* ---- Driving ---- */

typedef struct
{
  WpDevice *device;
  WpDrive *drive;
  WpTeam *team;
  gboolean patient; /* a steady state may come, which is worth more than other cores */
  guint64 slice, done;
  Progress progress;
} Driver;

/* Why others cannot help, or not all the time, or NULL. */
static const gchar *
find_alone (const Driver *driver)
{
  const WpMachine *machine = &driver->drive->resolved->machine;
  guint64 room = (guint64)machine->resident_blocks * machine->simulated_sms;

  if (machine->simulated_sms == 1 || driver->drive->max_cores == 1)
    return NULL;
  if (driver->drive->n_traces > 0)
    return "tables are written in the order in which things happen";
  if (wp_device_has_windows (driver->device) && machine->launch_latency == 0
      && machine->n_blocks > room)
    return "launches take no time, so that SMs need one another until no block is left";
  return NULL;
}

/* Whether windows are to be tried. Steady states are found by wp_device_run() only, so it goes first where one may come. */
static gboolean
is_for_team (Driver *driver)
{
  if (!wp_device_has_windows (driver->device))
    return FALSE;
  if (driver->patient && driver->drive->max_cores == 1)
    return FALSE;
  if (driver->patient && driver->done >= SEARCH)
    driver->patient = wp_device_get_skipped (driver->device) > 0;
  return !driver->patient;
}

/* Goes on until it is time to look up. */
static WpRunStatus
go_on (Driver *driver)
{
  gdouble before = g_timer_elapsed (driver->progress.timer, NULL);
  WpRunStatus status = WP_RUN_MORE;

  if (is_for_team (driver))
    driver->done += wp_team_run (driver->team, LOOK);
  if (wp_team_is_busy (driver->team)
      || g_timer_elapsed (driver->progress.timer, NULL) - before >= LOOK)
    return WP_RUN_MORE;
  before = g_timer_elapsed (driver->progress.timer, NULL);
  status = wp_device_run (driver->device, driver->slice);
  driver->done += driver->slice;
  driver->slice
      = adapt_slice (driver->slice, g_timer_elapsed (driver->progress.timer, NULL) - before);
  return status;
}

/* A signal that has come, or the end of patience; 0: neither. */
static gint
find_interrupt (const Driver *driver)
{
  gint number = wp_signals_take (driver->drive->signals);

  if (number == 0 && driver->drive->max_issues > 0 && driver->done >= driver->drive->max_issues)
    return SIGINT;
  return number;
}

gboolean
wp_drive (WpDevice *device, WpDrive *drive, GError **error)
{
  const WpMachine *machine = &drive->resolved->machine;
  g_autoptr (GTimer) timer = g_timer_new ();
  g_autoptr (WpTeam) team = wp_team_new (device, machine, drive->max_cores);
  Driver driver = { .device = device,
                    .drive = drive,
                    .team = team,
                    .patient = drive->skips && !wp_machine_draws (machine),
                    .slice = FIRST_SLICE,
                    .progress = { .terminal = isatty (STDERR_FILENO),
                                  .timer = timer,
                                  .total = wp_machine_count_instructions (machine) } };
  WpRunStatus status;

  drive->alone = find_alone (&driver);
  drive->cores = drive->alone == NULL && wp_device_has_windows (device)
                     ? MIN (drive->max_cores, machine->simulated_sms)
                     : 1;
  do
    {
      status = go_on (&driver);
      drive->interrupted = find_interrupt (&driver);
      show_progress (&driver.progress, device);
    }
  while (status == WP_RUN_MORE && drive->interrupted == 0 && !has_failed (drive));
  if (driver.progress.shown)
    fputs ("\r\033[K", stderr);
  if (status == WP_RUN_DONE)
    drive->interrupted = 0;
  if (status != WP_RUN_OVERFLOW)
    return TRUE;
  set_overflow (device, drive, error);
  return FALSE;
}
