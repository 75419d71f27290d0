/* SPDX-License-Identifier: MIT */
/* What the page of run --html and compare --html (traces/html/wp-trace-html.h) says of its runs:
 * the report, the bounds, the models and the kernel's graph, as JSON (doc/traces.md), beside what a
 * recorder has kept of each.
 */
#pragma once

#include "cli/common/cli-json.h"
#include "cli/common/cli-output.h"
#include "cli/report/report-bounds.h"
#include "cli/report/report.h"
#include "run/base/progress.h"
#include "run/simulate/simulation.h"
#include "traces/html/wp-html-page.h"

G_BEGIN_DECLS

typedef struct WpPageRun WpPageRun;

/* A run of a page of N_RUNS, called LABEL (NULL: it is the only one). KERNEL and GPU are borrowed.
 * NULL with ERROR, as for wp_resolve(). */
WpPageRun *wp_page_run_new (const gchar *label, const IdgKernel *kernel, const WpGpu *gpu,
                            const WpRunOptions *options, const WpTraceWindow *window, guint n_runs,
                            GError **error);
void wp_page_run_free (WpPageRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPageRun, wp_page_run_free)

/* What to attach to the run; belongs to RUN. */
const WpObserver *wp_page_run_get_observer (const WpPageRun *run);

/* Whether what comes is not on the page. */
gboolean wp_page_run_is_over (const WpPageRun *run);

/* The run has ended: this is its REPORT. From any thread. */
void wp_page_run_take_report (WpPageRun *run, const WpReport *report);

/* Finds the bounds of RUN and what the models say; the rest is as for wp_find_bounds(). False with
 * ERROR. */
gboolean wp_page_run_find_bounds (WpPageRun *run, const WpSignals *signals, guint64 max_steps,
                                  gint *interrupted, GError **error);

/* Writes the page of RUNS (of WpPageRun), called TITLE, on OUT, and finishes that. SENTENCES (NULL:
 * none) are about all of them. */
gboolean wp_page_write (const GPtrArray *runs, const gchar *title, const GPtrArray *sentences,
                        WpOutput *out, GError **error);

/* For page.c: the kernel's graph as member "graph", with what the GPU of REPORT makes of it;
 * page-graph.c. */
void wp_page_write_graph (WpJson *json, const WpBoundsReport *report);

G_END_DECLS
