/* SPDX-License-Identifier: MIT */
/* Drives a run to its end: shows progress, ends at Ctrl-C, stops when a recorder can no longer write. */
#pragma once

#include "sim/wp-device.h"
#include "sim/wp-resolve.h"
#include "traces/wp-trace.h"

#include <signal.h>

G_BEGIN_DECLS

/* Signals that end a run cleanly: held back from before its files are made until they are whole or gone, and asked for
 * at times that suit. */
typedef struct
{
  sigset_t held, before;
} WpSignals;

/* Holds SIGINT, SIGTERM and SIGHUP, but for those that are ignored (nohup, a shell's background). */
void wp_signals_hold (WpSignals *signals);

/* One that has come since, taken off the list, or 0. */
gint wp_signals_take (const WpSignals *signals);

/* Lets signals through again; those that came too late to matter are dropped. */
void wp_signals_release (const WpSignals *signals);

/* Runs DEVICE to its end. TRACES (N of them) are looked at between slices: the first that has failed ends the run.
 * MAX_ISSUES: see wp_cli_main(). SIGNALS are held by the caller. *INTERRUPTED: ended by SIGINT, SIGTERM or SIGHUP (their number; SIGINT for
 * MAX_ISSUES), else 0. False with ERROR: a time overflowed. */
gboolean wp_drive (WpDevice *device, const IdgKernel *kernel, const WpResolved *resolved,
                   WpTrace *const *traces, guint n_traces, guint64 max_issues,
                   const WpSignals *signals, gint *interrupted, GError **error);

G_END_DECLS
