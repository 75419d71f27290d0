/* SPDX-License-Identifier: MIT */
/* The page: one HTML file that shows one run, or several on one time axis, in any browser, without
 * a network (doc/traces.md).
 *
 * A recorder is attached to each run and keeps, in bounded memory, what the page draws of one SM:
 * its instructions and the lives of its warps while they are not too many, and what is resident and
 * in flight over the whole run. All else that a page says (the report, the bounds, the models, the
 * kernel's graph) comes from the command as JSON.
 */
#pragma once

#include <stdio.h>

#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

/* What all runs of a page keep together: what a browser draws smoothly, and some ten megabytes. */
#define WP_HTML_ISSUES 200000
#define WP_HTML_WARPS 50000

typedef struct WpHtmlRecorder WpHtmlRecorder;

/* A recorder of a run of MACHINE (borrowed), one of N_RUNS on the page. Where WINDOW has all SMs,
 * it is SM 0. */
WpHtmlRecorder *wp_html_recorder_new (const WpMachine *machine, const WpTraceWindow *window,
                                      guint n_runs);
void wp_html_recorder_free (WpHtmlRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpHtmlRecorder, wp_html_recorder_free)

/* What to attach to the run; belongs to RECORDER. */
const WpObserver *wp_html_recorder_get_observer (const WpHtmlRecorder *recorder);

/* Whether nothing that comes is drawn: the window is over, and so are all blocks that were launched
 * in it. */
gboolean wp_html_recorder_is_over (const WpHtmlRecorder *recorder);

/* Writes what RECORDER keeps of a run that took ELAPSED, as JSON. */
void wp_html_recorder_write (WpHtmlRecorder *recorder, WpTick elapsed, FILE *out);

G_END_DECLS
