/* SPDX-License-Identifier: MIT */
/* The page of run --html and compare --html: what a recorder has kept of each run
 * (traces/html/wp-trace-html.h), with the report, the bounds, the models and the kernel's graph as
 * JSON (doc/traces.md). */
#pragma once

#include "cli/common/cli-json.h"
#include "cli/report/report-bounds.h"
#include "cli/report/report-run.h"
#include "run/base/output.h"
#include "run/base/progress.h"
#include "run/simulate/simulation.h"
#include "traces/html/wp-html-page.h"

G_BEGIN_DECLS

typedef struct WpPageRun WpPageRun;

/* One run of a page of N_RUNS, called LABEL (NULL: it is the only one), of which WINDOW is shown.
 * KERNEL and GPU are borrowed. NULL with ERROR, as for wp_resolve(). */
WpPageRun *wp_page_run_new (const gchar *label, const IdgKernel *kernel, const WpGpu *gpu,
                            const WpRunOptions *options, const WpTraceWindow *window, guint n_runs,
                            GError **error);
void wp_page_run_free (WpPageRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPageRun, wp_page_run_free)

/* The observer to attach to the simulation; it belongs to RUN. */
const WpObserver *wp_page_run_get_observer (const WpPageRun *run);

/* Whether the page will show nothing of what comes later. */
gboolean wp_page_run_is_over (const WpPageRun *run);

/* Takes the REPORT of the run, which has ended. May be called from any thread. */
void wp_page_run_take_report (WpPageRun *run, const WpReport *report);

/* Finds the bounds of RUN and the models' estimates; the other arguments are as for
 * wp_find_bounds(). FALSE with ERROR. */
gboolean wp_page_run_find_bounds (WpPageRun *run, const WpProgress *progress, guint64 max_steps,
                                  gint *interrupted, GError **error);

/* Writes the page of RUNS (of WpPageRun), called TITLE, to OUT, and finishes OUT. SENTENCES (NULL:
 * none) are about all runs. FALSE with ERROR. */
gboolean wp_page_write (const GPtrArray *runs, const gchar *title, const GPtrArray *sentences,
                        WpOutput *out, GError **error);

/* Private to cli/page: writes the member "graph", the kernel's graph on the GPU of REPORT
 * (page-graph.c). */
void wp_page_write_graph (WpJson *json, const WpBoundsReport *report);

G_END_DECLS
