/* SPDX-License-Identifier: MIT */
/* The program of an import may depend on the launch: a loop that steps by %ntid.x runs as often as
 * the block is small. So a sweep over launches imports its listing for each of them. */
#pragma once

#include "run/sweep/sweep-points.h"

G_BEGIN_DECLS

/* Imports the kernels of SWEEP, whose axes are all set, for each of its numbers of threads and
 * blocks, LAUNCH being the rest of the launch. Does nothing for a kernel.xml or a trace. False with
 * ERROR: one of the imports fails, or they are too many. */
gboolean wp_sweep_import_launches (WpSweep *sweep, const WpImportOptions *import,
                                   const WpRunOptions *launch, GError **error);

/* The text of the kernel of POINT, a kernel.xml; borrowed. */
const gchar *wp_sweep_get_text (const WpSweep *sweep, const WpSweepPoint *point);

G_END_DECLS
