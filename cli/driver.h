/* SPDX-License-Identifier: MIT */
/* Drives a run to its end: shows progress, ends at Ctrl-C, stops when a recorder can no longer write. */
#pragma once

#include "sim/wp-device.h"
#include "sim/wp-resolve.h"
#include "traces/wp-trace.h"

G_BEGIN_DECLS

/* Runs DEVICE to its end. TRACES (N of them) are looked at between slices: the first that has failed ends the run.
 * MAX_ISSUES: see wp_cli_main(). *INTERRUPTED: ended by SIGINT, SIGTERM or SIGHUP (their number; SIGINT for
 * MAX_ISSUES), else 0. False with ERROR: a time overflowed. */
gboolean wp_drive (WpDevice *device, const IdgKernel *kernel, const WpResolved *resolved,
                   WpTrace *const *traces, guint n_traces, guint64 max_issues, gint *interrupted,
                   GError **error);

G_END_DECLS
