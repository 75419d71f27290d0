/* SPDX-License-Identifier: MIT */
/* The table of a sweep: its first line and its rows, as text. */
#pragma once

#include "run/sweep/sweep-points.h"
#include "sim/engine/wp-device.h"

G_BEGIN_DECLS

/* The table's first line, with its end. Free with g_free(). */
gchar *wp_sweep_get_header (const WpSweep *sweep);

/* The line of POINT, with its end: of a run that has ended with RESULT, or of one that was refused
 * with REFUSAL (then RESULT is NULL, and KERNEL and RESOLVED may be). Free with g_free(). */
gchar *wp_sweep_print_row (const WpSweep *sweep, const WpSweepPoint *point, const IdgKernel *kernel,
                           const WpResolved *resolved, const WpResult *result,
                           const GError *refusal);

G_END_DECLS
