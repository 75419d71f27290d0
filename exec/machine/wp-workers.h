/* SPDX-License-Identifier: MIT */
/* Threads that share out the elements of a loop among them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpWorkers WpWorkers;

typedef void (*WpWorkersDo) (guint element, gpointer data);

/* N threads, the caller's included; 0: one for each processor. */
WpWorkers *wp_workers_new (guint n);
void wp_workers_free (WpWorkers *workers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpWorkers, wp_workers_free)

/* Calls DO for elements 0 to N - 1, in any order, and returns when all have returned. */
void wp_workers_run (WpWorkers *workers, guint n, WpWorkersDo what, gpointer data);

G_END_DECLS
