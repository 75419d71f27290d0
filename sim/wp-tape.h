/* SPDX-License-Identifier: MIT */
/* What observers were told in a period, to be told again for each period that is skipped. Private; plain C11.
 *
 * A tape is an observer itself, behind the others. It has room for so many events only: a period with more of them is
 * not skipped.
 */
#pragma once

#include "sim/wp-image.h"

#define WP_TAPE_EVENTS (UINT32_C (1) << 16)

typedef struct WpTape WpTape;

/* A tape of what one at least of OBSERVERS listens to; NULL when memory is out. It borrows both. */
WpTape *wp_tape_new (const WpMachine *machine, const WpObserver *const *observers, size_t n);
void wp_tape_free (WpTape *tape);

/* What records for it. */
const WpObserver *wp_tape_get_observer (const WpTape *tape);

/* Begins anew. */
void wp_tape_clear (WpTape *tape);

/* The events since then, or UINT32_MAX: they were too many. */
uint32_t wp_tape_get_length (const WpTape *tape);

/* The tape holds the period that WALK has subtracted (wp-image.h), with its steps, and nothing more: notes what changes
 * from one period to the next. */
void wp_tape_settle (WpTape *tape, const struct WpDevice *device, const WpWalk *walk);

/* Tells the observers what happens in the I-th period after the one on the tape. */
void wp_tape_play (const WpTape *tape, uint64_t i);
