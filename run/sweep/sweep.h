/* SPDX-License-Identifier: MIT */
/* Makes a sweep, from names of files and lists of values. */
#pragma once

#include "run/sweep/sweep-points.h"

G_BEGIN_DECLS

/* A sweep of KERNELS on GPUS (names, NULL-terminated), whose files are read now. The caller then
 * sets the other axes, of which WP_AXIS_POLICY must have a policy, and calls wp_sweep_finish().
 * LAUNCH is for an import; SETTINGS (of WpSweepSetting) are the values of the parameters, for what
 * is executed: with their first combination, or the first one that can be launched. Free with
 * wp_sweep_free(). NULL with ERROR. */
WpSweep *wp_sweep_new (gchar *const *kernels, const WpImportOptions *import,
                       const WpRunOptions *launch, gchar *const *gpus, const GArray *settings,
                       GError **error);

/* Gives the kernels' parameter NAME the values RANGES (taken over). False with ERROR if one of them
 * has none of that name. */
gboolean wp_sweep_set (WpSweep *sweep, const gchar *name, GArray *ranges, GError **error);

/* Counts the rows and makes the digest. False: there are more than WP_SWEEP_MAX_ROWS. */
gboolean wp_sweep_finish (WpSweep *sweep);

G_END_DECLS
