/* SPDX-License-Identifier: MIT */
/* Rows of a sweep as messages between ranks. All machines have the same order of bytes, as Open MPI
 * wants it. */
#pragma once

#include "run/sweep/sweep-ranks.h"
#include "run/sweep/sweep-threads.h"

G_BEGIN_DECLS

/* Adds JOB, of a row that was found, to BYTES. */
void wp_sweep_message_add (GByteArray *bytes, const WpSweepJob *job);

/* Takes the row at *AT, which it moves on, out of BYTES, or NULL: there are no more. Free with
 * wp_sweep_job_free(). */
WpSweepJob *wp_sweep_message_take (const GByteArray *bytes, gsize *at);

G_END_DECLS
