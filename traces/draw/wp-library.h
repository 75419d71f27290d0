/* SPDX-License-Identifier: MIT */
/* A library of others that few commands need, and that brings dozens more: it is loaded when it is
 * needed, as linking it would take each start of the program some milliseconds. Private.
 *
 *   static gpointer symbols[N];
 *   #define cairo_paint WP_LIBRARY_CALL (symbols[3], cairo_paint)
 *
 * A build for a system where that is not known to work (configure says so) links libraries as
 * usual. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* SYMBOL as the function that the library's header declares as NAME. */
#define WP_LIBRARY_CALL(symbol, name) (__extension__(__typeof__ (&name)) (symbol))

/* Loads FILE, the library's name for the dynamic linker, and sets SYMBOLS to its functions NAMES,
 * [N]; nothing where they are set. It stays. False with ERROR (G_FILE_ERROR, as the machine lacks
 * it), which names FILE. */
gboolean wp_library_load (const gchar *file, const gchar *const *names, gpointer *symbols, gsize n,
                          GError **error);

G_END_DECLS
