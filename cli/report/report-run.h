/* SPDX-License-Identifier: MIT */
/* The report of a run, for people and for scripts. */
#pragma once

#include "run/simulate/report.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Prints REPORT on standard output, with colours and block characters where that is a terminal that
 * has them. */
void wp_report_print_text (const WpReport *report);

/* Writes REPORT to OUT as one object. */
void wp_report_write_json (const WpReport *report, FILE *out);

G_END_DECLS
