/* SPDX-License-Identifier: MIT */
/* What of its time a unit has no room for more; apart from report.c, which asks warnings-run.c,
 * which asks this. */
#include "run/simulate/report.h"

/* Use and turning of pipeline INDEX, not cut off at 1. */
static gdouble
get_taken (const WpReport *report, guint32 index)
{
  const WpReportPipeline *pipeline = &report->pipelines[index];

  return (pipeline->utilization + pipeline->turning)
         * (wp_report_is_even (report, index) ? 1 : report->fullest);
}

gboolean
wp_report_is_even (const WpReport *report, guint32 index)
{
  return report->fullest <= 1
         || (index < report->resolved->machine.n_pipelines && report->pipelines[index].shared > 1);
}

gdouble
wp_report_get_taken (const WpReport *report, guint32 index)
{
  return MIN (get_taken (report, index), 1);
}

gdouble
wp_report_get_issue (const WpReport *report)
{
  return MIN (report->scheduler_utilization * report->fullest, 1);
}

guint32
wp_report_find_busiest (const WpReport *report)
{
  guint32 best = 0;

  for (guint32 i = 1; i < report->resolved->machine.n_pipelines; i++)
    if (get_taken (report, i) > get_taken (report, best))
      best = i;
  return best;
}
