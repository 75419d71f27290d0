/* SPDX-License-Identifier: MIT */
/* There are two ways to be fast: to skip a steady state, which one thread finds, and to run SMs
 * side by side in windows. A run begins with the first, and takes to the second when no steady
 * state has come for a while.
 */
#include "run/simulate/driver.h"

#include "run/base/worker-pool.h"

/* Events within which a steady state should come: about a second. After that other cores are the
 * better choice. */
#define SEARCH (1 << 24)

typedef struct
{
  const WpSimulation *simulation;
  WpDevice *device; /* of `simulation` */
  WpDrive *drive;
  WpWorkerPool *pool;
  gboolean patient; /* a steady state may come, which is worth more than other cores */
  guint64 done;
  WpProgressMeter meter;
  gdouble total; /* instructions of the whole run */
} Driver;

static void
report_progress (Driver *driver)
{
  WpProgressReport report = { .work = WP_WORK_INSTRUCTIONS };

  if (!wp_progress_meter_is_due (&driver->meter))
    return;
  /* Adds up all SMs: only when somebody sees it. */
  report.done = wp_device_get_result (driver->device)->issued;
  report.share = driver->total > 0 ? (gdouble)report.done / driver->total : 0;
  wp_progress_meter_report (&driver->meter, &report);
}

/* Why other cores cannot help, or not all the time, or NULL. */
static const gchar *
find_alone (const Driver *driver)
{
  const WpMachine *machine = &driver->simulation->resolved->machine;
  guint64 room = (guint64)machine->resident_blocks * machine->simulated_sms;

  if (machine->simulated_sms == 1 || driver->drive->max_cores == 1)
    return NULL;
  if (driver->drive->watch.why_in_order != NULL)
    return driver->drive->watch.why_in_order;
  if (wp_device_has_windows (driver->device) && machine->launch_latency == 0
      && machine->n_blocks > room)
    return "launches take no time, so that SMs need one another until no block is left";
  return NULL;
}

/* Whether to try windows. Only wp_device_run() finds steady states, so it goes first where one may
 * come. */
static gboolean
is_for_pool (Driver *driver)
{
  if (!wp_device_has_windows (driver->device))
    return FALSE;
  if (driver->drive->estimate != NULL) /* how many cores there are makes no difference */
    return !driver->patient || driver->drive->estimate->goes_side_by_side;
  if (driver->patient && driver->drive->max_cores == 1)
    return FALSE;
  if (driver->patient && driver->done >= SEARCH)
    driver->patient = wp_device_get_skipped (driver->device) > 0;
  return !driver->patient;
}

/* Events of a slice. */
static guint64
find_slice (const Driver *driver)
{
  const WpEstimate *estimate = driver->drive->estimate;

  return estimate == NULL
             ? driver->meter.slice
             : MIN (driver->meter.slice, wp_estimate_get_slice (estimate, driver->simulation));
}

/* Runs a slice. */
static WpRunStatus
go_on (Driver *driver)
{
  gdouble before = wp_progress_meter_get_elapsed (&driver->meter);
  WpRunStatus status = WP_RUN_MORE;
  guint64 slice;

  wp_worker_pool_set_until (driver->pool,
                            driver->drive->estimate == NULL || driver->drive->estimate->over
                                ? G_MAXUINT64
                                : driver->drive->estimate->next);
  if (is_for_pool (driver))
    driver->done += wp_worker_pool_run (driver->pool, WP_PROGRESS_INTERVAL);
  if (wp_worker_pool_is_busy (driver->pool))
    return WP_RUN_MORE;
  if (driver->drive->estimate != NULL) /* before more is run, however long the last took */
    wp_estimate_look (driver->drive->estimate, driver->simulation);
  if (wp_progress_meter_get_elapsed (&driver->meter) - before >= WP_PROGRESS_INTERVAL)
    return WP_RUN_MORE;
  slice = find_slice (driver);
  before = wp_progress_meter_get_elapsed (&driver->meter);
  status = wp_device_run (driver->device, slice);
  driver->done += slice;
  wp_progress_meter_adapt (&driver->meter, wp_progress_meter_get_elapsed (&driver->meter) - before);
  return status;
}

/* Why to end the run early; 0: go on. */
static gint
find_interrupt (const Driver *driver)
{
  gint number = wp_progress_is_cancelled (driver->drive->progress);

  if (number == 0 && driver->drive->max_issues > 0 && driver->done >= driver->drive->max_issues)
    return WP_CANCELLED_LIMIT;
  return number;
}

/* Asks the observers whether they want more; if not, the rest of the run is not reported to them.
 */
static WpWatchState
ask_observers (const Driver *driver)
{
  const WpWatch *watch = &driver->drive->watch;
  WpWatchState state = watch->get_state != NULL ? watch->get_state (watch->data) : WP_WATCH_MORE;

  if (state == WP_WATCH_OVER)
    wp_device_stop_observing (driver->device);
  return state;
}

gboolean
wp_drive (const WpSimulation *simulation, WpDrive *drive, GError **error)
{
  const WpMachine *machine = &simulation->resolved->machine;
  WpDevice *device = simulation->device;
  g_autoptr (WpWorkerPool) pool = wp_worker_pool_new (device, machine, drive->max_cores);
  Driver driver = { .simulation = simulation,
                    .device = device,
                    .drive = drive,
                    .pool = pool,
                    .patient = simulation->skips && !wp_machine_is_random (machine),
                    .total = wp_machine_count_instructions (machine) };
  WpRunStatus status;
  WpWatchState state;

  if (drive->estimate != NULL && !wp_estimate_begin (drive->estimate, simulation, error))
    return FALSE;
  wp_progress_meter_init (&driver.meter, drive->progress);
  drive->alone = find_alone (&driver);
  drive->cores = drive->alone == NULL && wp_device_has_windows (device)
                     ? MIN (drive->max_cores, wp_device_get_n_groups (device))
                     : 1;
  do
    {
      status = go_on (&driver);
      if (drive->estimate != NULL)
        wp_estimate_look (drive->estimate, simulation);
      state = ask_observers (&driver);
      drive->interrupted = find_interrupt (&driver);
      report_progress (&driver);
    }
  while (status == WP_RUN_MORE && drive->interrupted == 0 && state != WP_WATCH_FAILED);
  wp_progress_meter_clear (&driver.meter);
  if (status == WP_RUN_DONE)
    drive->interrupted = 0;
  if (status == WP_RUN_DONE && drive->estimate != NULL)
    wp_estimate_end (drive->estimate, simulation);
  return wp_simulation_check (simulation, status, error);
}
