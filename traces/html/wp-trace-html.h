/* SPDX-License-Identifier: MIT */
/* The recorder for the HTML page, which shows one run, or several on one time axis, in any browser
 * and without a network (doc/traces.md).
 *
 * Each run has a recorder. It keeps, in bounded memory, what the page draws of one SM: its
 * instructions and the lives of its warps, up to a limit, and how many are resident and in flight
 * over the whole run. The rest of the page (the report, the bounds, the models, the kernel's graph)
 * comes from the command as JSON. */
#pragma once

#include <stdio.h>

#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

/* The most that all runs of a page keep together: a browser still draws that smoothly, and it makes
 * some ten megabytes. */
#define WP_HTML_ISSUES 200000
#define WP_HTML_WARPS 50000

typedef struct WpHtmlRecorder WpHtmlRecorder;

/* Makes a recorder for a run of MACHINE (borrowed), one of N_RUNS on the page. It records the SM of
 * WINDOW, or SM 0 if WINDOW has all SMs. */
WpHtmlRecorder *wp_html_recorder_new (const WpMachine *machine, const WpTraceWindow *window,
                                      guint n_runs);
void wp_html_recorder_free (WpHtmlRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpHtmlRecorder, wp_html_recorder_free)

/* Returns the observer to attach to the run; RECORDER owns it. */
const WpObserver *wp_html_recorder_get_observer (const WpHtmlRecorder *recorder);

/* Tells whether nothing more will be drawn: the window is over, and all blocks that were launched
 * in it have ended. */
gboolean wp_html_recorder_is_over (const WpHtmlRecorder *recorder);

/* Writes the record of a run that took ELAPSED to OUT, as JSON. */
void wp_html_recorder_write (WpHtmlRecorder *recorder, WpTick elapsed, FILE *out);

G_END_DECLS
