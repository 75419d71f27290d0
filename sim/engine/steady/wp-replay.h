/* SPDX-License-Identifier: MIT */
/* The events of a period, for observers to get again for each period that is skipped. Private;
 * plain C11.
 *
 * A replay is an observer itself, behind the others. It has room for so many events only: a period
 * with more of them is not skipped.
 */
#pragma once

#include "sim/engine/steady/wp-snapshot.h"

#define WP_REPLAY_EVENTS (UINT32_C (1) << 16)

typedef struct WpReplay WpReplay;

/* A replay of what one at least of OBSERVERS listens to; NULL when memory is out. It borrows both.
 */
WpReplay *wp_replay_new (const WpMachine *machine, const WpObserver *const *observers, size_t n);
void wp_replay_free (WpReplay *replay);

/* What records for it. */
const WpObserver *wp_replay_get_observer (const WpReplay *replay);

/* Begins anew. */
void wp_replay_clear (WpReplay *replay);

/* The events since then, or UINT32_MAX: they were too many. */
uint32_t wp_replay_get_length (const WpReplay *replay);

/* The replay holds the period that WALK has subtracted (wp-snapshot.h), with its steps, and nothing
 * more: notes what changes from one period to the next. */
void wp_replay_settle (WpReplay *replay, const WpDevice *device, const WpWalk *walk);

/* Calls the observers with what happens in the I-th period after the one that is kept. */
void wp_replay_play (const WpReplay *replay, uint64_t i);
