/* SPDX-License-Identifier: MIT */
/* What bounds a kernel, for people and for scripts. */
#pragma once

#include "run/simulate/bounds-report.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Prints REPORT on standard output. */
void wp_bounds_report_print_text (const WpBoundsReport *report);

/* Writes REPORT to OUT as one object. */
void wp_bounds_report_write_json (const WpBoundsReport *report, FILE *out);

G_END_DECLS
