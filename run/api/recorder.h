/* SPDX-License-Identifier: MIT */
/* Private to run/api/: a recorder (warpipe.h) as the simulation sees it that it records. */
#pragma once

#include "run/api/options.h"
#include "run/simulate/driver.h"

G_BEGIN_DECLS

#define WP_N_RECORDS 3 /* tables that there are */

/* Empties RECORDER and makes it ready for SIMULATION, which has not been started; both are borrowed
 * until wp_recorder_end(). */
void wp_recorder_begin (WpRecorder *recorder, const WpSimulation *simulation,
                        const WpRequest *request);

/* What to start the simulation with, up to WP_N_RECORDS: returns how many there are. */
guint wp_recorder_get_observers (const WpRecorder *recorder, const WpObserver **observers);

/* What its driver is to know of them. */
WpWatch wp_recorder_get_watch (WpRecorder *recorder);

/* Takes the rows that are left, once SIMULATION has ended; now and then asks the callbacks of
 * OPTIONS whether to go on. False with ERROR, also where a callback asked to stop before. */
gboolean wp_recorder_finish (WpRecorder *recorder, const WpOptions *options, GError **error);

/* Forgets the simulation; rows that were kept stay. */
void wp_recorder_end (WpRecorder *recorder);

G_END_DECLS
