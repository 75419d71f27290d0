/* SPDX-License-Identifier: MIT */
/* The occupancy calculator's report, for people and for scripts. */
#pragma once

#include "run/occupancy.h"

G_BEGIN_DECLS

/* What would let more blocks in, or leave as many in, in sentences. Free with g_free(). */
gchar *wp_occupancy_report_get_advice (const WpOccupancyReport *report);

/* Print REPORT on standard output. */
void wp_occupancy_report_print_text (const WpOccupancyReport *report);
void wp_occupancy_report_print_json (const WpOccupancyReport *report);

G_END_DECLS
