/* SPDX-License-Identifier: MIT */
/* The files that warpipe run writes beside its report: tables, pictures, the page, the machine.
 * Observers record the run; the files are made whole after it. */
#pragma once

#include "cli/page/page.h"
#include "cli/run/run-options.h"
#include "run/simulate/driver.h"

G_BEGIN_DECLS

typedef struct
{
  guint n; /* tables, pictures and traces */
  WpOutput *outputs[WP_RUN_N_OUTPUTS];
  WpTrace *traces[WP_RUN_N_OUTPUTS];
  WpOutput *machine, *html; /* or NULL */
  WpPageRun *page;
  guint n_observers;
  gboolean is_watched; /* the caller has an observer that wants all of the run */
  const WpObserver *observers[WP_RUN_N_OUTPUTS + 1]; /* of all of them, for the simulation, behind
                                                      * the caller's */
} WpRunOutputs;

/* Opens all that RUN asks for into OUTPUTS, which are zeros; SIMULATION, which has not begun, must
 * outlive them. FALSE with ERROR. */
gboolean wp_run_outputs_open (WpRunOutputs *outputs, const WpRunRequest *run,
                              const WpSimulation *simulation, GError **error);

/* What a run's driver must know of OUTPUTS, which are borrowed. */
WpWatch wp_run_outputs_get_watch (WpRunOutputs *outputs);

/* Makes all files but the page whole, unless DRIVE is interrupted meanwhile. FALSE with ERROR. */
gboolean wp_run_outputs_finish (WpRunOutputs *outputs, const WpSimulation *simulation,
                                WpDrive *drive, GError **error);

/* Likewise the page, which shows REPORT. */
gboolean wp_run_outputs_finish_page (WpRunOutputs *outputs, const WpReport *report, WpDrive *drive,
                                     GError **error);

/* Frees all; what was not finished leaves no file behind. */
void wp_run_outputs_clear (WpRunOutputs *outputs);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpRunOutputs, wp_run_outputs_clear)

G_END_DECLS
