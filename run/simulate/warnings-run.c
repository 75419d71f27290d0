/* SPDX-License-Identifier: MIT */
/* What a run came to and cannot be right. A check appends at most one warning of its name. */
#include "run/simulate/report.h"
#include "run/simulate/warnings-find.h"

/* ---- All ---- */

void
wp_warnings_find_in_run (GPtrArray *warnings, const WpReport *report)
{
  (void)warnings;
  (void)report;
}
