/* SPDX-License-Identifier: MIT */
/* Threads that run the SMs of a device side by side, window by window (sim/engine/wp-device.h). The
 * result is the same for any number of them.
 */
#pragma once

#include "sim/engine/wp-device.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpWorkerPool WpWorkerPool;

/* A pool of N threads (at least 1; the caller's is one of them) for DEVICE, which simulates
 * MACHINE. Both are borrowed. Threads start when they are first needed. */
WpWorkerPool *wp_worker_pool_new (WpDevice *device, const WpMachine *machine, guint n);

/* Ends the threads. */
void wp_worker_pool_free (WpWorkerPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpWorkerPool, wp_worker_pool_free)

/* Runs the device for about SECONDS; returns the number of events. Stops early where there is no
 * window, or none that is worth opening: then it is wp_device_run()'s turn. */
guint64 wp_worker_pool_run (WpWorkerPool *pool, gdouble seconds);

/* From now on a call ends at the first window after which BLOCK blocks have been handed out. */
void wp_worker_pool_set_until (WpWorkerPool *pool, guint64 block);

/* Whether a window has been left open, as it takes long: then wp_device_run() may not be called. */
gboolean wp_worker_pool_is_busy (const WpWorkerPool *pool);

G_END_DECLS
