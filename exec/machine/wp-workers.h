/* SPDX-License-Identifier: MIT */
/* Threads that share out the elements of a loop among them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpWorkers WpWorkers;

/* WORKER is the number of the thread, below wp_workers_get_n(): what is kept by it needs no
 * lock. */
typedef void (*WpWorkersDo) (guint element, guint worker, gpointer data);

/* N threads, the caller's included; 0: one for each processor. */
WpWorkers *wp_workers_new (guint n);
void wp_workers_free (WpWorkers *workers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpWorkers, wp_workers_free)

/* How many threads there are at most. */
guint wp_workers_get_n (const WpWorkers *workers);

/* Calls DO for elements 0 to N - 1, in any order, and returns when all have returned. */
void wp_workers_run (WpWorkers *workers, guint n, WpWorkersDo what, gpointer data);

G_END_DECLS
