/* SPDX-License-Identifier: MIT */
/* The report of a run, as text and as JSON. */
#pragma once

#include "cli/common/cli-launch.h"
#include "run/simulate/report.h"

G_BEGIN_DECLS

/* What limits the run, and why, in a sentence or two. Free with g_free(). */
gchar *wp_report_get_verdict (const WpReport *report);

/* Prints it on standard output, with colours and block characters where that is a terminal that has
 * them. */
void wp_report_print_text (const WpReport *report);
void wp_report_write_json (const WpReport *report, FILE *out);

G_END_DECLS
