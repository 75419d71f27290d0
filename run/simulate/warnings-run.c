/* SPDX-License-Identifier: MIT */
/* What a run came to and cannot be right. A check appends at most one warning of its name. */
#include "run/simulate/report.h"
#include "run/simulate/warnings-find.h"

/* ---- Times ---- */

#define MUCH_QUEUED 0.01 /* of the time until the last warp ends */

/* The pipeline whose queue is the longest is not known: the time is that of all. */
static void
check_queues (const WpReport *report, GPtrArray *warnings)
{
  gdouble more = report->cycles_drained - report->cycles;

  if (!report->stores_queued || more <= MUCH_QUEUED * report->cycles)
    return;
  wp_warnings_add (warnings, "stores-queued", FALSE,
                   "when the last warp ends, at %.9g cycles, stores are queued for %.6g cycles "
                   "more; rates are those until they are done",
                   report->cycles, more);
}

/* ---- All ---- */

typedef void (*Check) (const WpReport *report, GPtrArray *warnings);

static const Check checks[] = { check_queues };

void
wp_warnings_find_in_run (GPtrArray *warnings, const WpReport *report)
{
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](report, warnings);
}
