/* SPDX-License-Identifier: MIT */
/* A run by source line, for people and for scripts. */
#pragma once

#include "cli/common/cli-json.h"
#include "cli/common/cli-text.h"
#include "run/simulate/report.h"

G_BEGIN_DECLS

/* Prints the lines of REPORT that take most, if it has lines. */
void wp_print_by_line (const WpReport *report, const WpTextStyle *style);

/* Writes "counters", if the kernel of REPORT was executed. */
void wp_json_counters (WpJson *json, const WpReport *report);

/* Writes "by_line", if REPORT has lines. */
void wp_json_by_line (WpJson *json, const WpReport *report);

G_END_DECLS
