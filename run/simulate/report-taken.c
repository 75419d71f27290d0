/* SPDX-License-Identifier: MIT */
/* What of its time a pipeline has no room for more; apart from report.c, which asks warnings-run.c,
 * which asks this. */
#include "run/simulate/report.h"

gdouble
wp_report_get_taken (const WpReport *report, guint32 index)
{
  const WpReportPipeline *pipeline = &report->pipelines[index];

  return MIN (pipeline->utilization + pipeline->turning, 1);
}

guint32
wp_report_find_busiest (const WpReport *report)
{
  guint32 best = 0;

  for (guint32 i = 1; i < report->resolved->machine.n_pipelines; i++)
    if (report->pipelines[i].utilization + report->pipelines[i].turning
        > report->pipelines[best].utilization + report->pipelines[best].turning)
      best = i;
  return best;
}
