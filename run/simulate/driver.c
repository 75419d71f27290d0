/* SPDX-License-Identifier: MIT */
#include "run/simulate/driver.h"

#include "run/base/worker-pool.h"

/* Things that may happen before a steady state comes: a second, about. After that other cores are
 * the better choice. */
#define SEARCH (1 << 24)

static gboolean
has_failed (const WpDrive *drive)
{
  for (guint i = 0; i < drive->n_traces; i++)
    if (drive->traces[i]->error_number != 0)
      return TRUE;
  return FALSE;
}

/* Whether there are tables or a page, and none of them says anything of what comes. */
static gboolean
are_over (const WpDrive *drive)
{
  if (drive->page != NULL && !wp_page_run_is_over (drive->page))
    return FALSE;
  for (guint i = 0; i < drive->n_traces; i++)
    if (!drive->traces[i]->over)
      return FALSE;
  return drive->n_traces > 0 || drive->page != NULL;
}

/* ---- Driving ---- */

typedef struct
{
  const WpSimulation *simulation;
  WpDevice *device; /* its */
  WpDrive *drive;
  WpWorkerPool *pool;
  gboolean patient; /* a steady state may come, which is worth more than other cores */
  guint64 done;
  WpProgress progress;
  gdouble total; /* instructions of the whole run */
} Driver;

static void
show_progress (Driver *driver)
{
  g_autofree gchar *rate = NULL;
  gdouble issued;

  if (!wp_progress_is_due (&driver->progress))
    return;
  /* Looks at all there is: only when it is shown. */
  issued = (gdouble)wp_device_get_result (driver->device)->issued;
  rate = g_strdup_printf ("%.1f million instructions a second",
                          issued / wp_progress_get_elapsed (&driver->progress) / 1e6);
  wp_progress_show (&driver->progress, driver->total > 0 ? issued / driver->total : 0, rate);
}

/* Why others cannot help, or not all the time, or NULL. */
static const gchar *
find_alone (const Driver *driver)
{
  const WpMachine *machine = &driver->simulation->resolved->machine;
  guint64 room = (guint64)machine->resident_blocks * machine->simulated_sms;

  if (machine->simulated_sms == 1 || driver->drive->max_cores == 1)
    return NULL;
  if (driver->drive->page != NULL)
    return "the page is recorded in the order in which things happen";
  if (driver->drive->n_traces > 0)
    return "tables are written in the order in which things happen";
  if (wp_device_has_windows (driver->device) && machine->launch_latency == 0
      && machine->n_blocks > room)
    return "launches take no time, so that SMs need one another until no block is left";
  return NULL;
}

/* Whether windows are to be tried. Steady states are found by wp_device_run() only, so it goes
 * first where one may come. */
static gboolean
is_for_pool (Driver *driver)
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
  gdouble before = wp_progress_get_elapsed (&driver->progress);
  WpRunStatus status = WP_RUN_MORE;

  if (is_for_pool (driver))
    driver->done += wp_worker_pool_run (driver->pool, WP_PROGRESS_LOOK);
  if (wp_worker_pool_is_busy (driver->pool)
      || wp_progress_get_elapsed (&driver->progress) - before >= WP_PROGRESS_LOOK)
    return WP_RUN_MORE;
  before = wp_progress_get_elapsed (&driver->progress);
  status = wp_device_run (driver->device, driver->progress.slice);
  driver->done += driver->progress.slice;
  wp_progress_adapt (&driver->progress, wp_progress_get_elapsed (&driver->progress) - before);
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

  wp_progress_init (&driver.progress);
  drive->alone = find_alone (&driver);
  drive->cores = drive->alone == NULL && wp_device_has_windows (device)
                     ? MIN (drive->max_cores, machine->simulated_sms)
                     : 1;
  do
    {
      status = go_on (&driver);
      if (are_over (drive))
        wp_device_stop_observing (device);
      drive->interrupted = find_interrupt (&driver);
      show_progress (&driver);
    }
  while (status == WP_RUN_MORE && drive->interrupted == 0 && !has_failed (drive));
  wp_progress_clear (&driver.progress);
  if (status == WP_RUN_DONE)
    drive->interrupted = 0;
  if (status != WP_RUN_OVERFLOW)
    return TRUE;
  wp_simulation_set_overflow (simulation, error);
  return FALSE;
}
