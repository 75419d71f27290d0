/* SPDX-License-Identifier: MIT */
/* A first-in first-out queue of records of one size whose middle, when it grows long, lies in a
 * temporary file, and whose records can be changed while they wait. Private.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpSpool WpSpool;

WpSpool *wp_spool_new (gsize size);
void wp_spool_free (WpSpool *spool);

/* Appends a copy of RECORD and returns its number: 0 for the first ever, then 1, and so on.
 * Amortized O(1). On a failure of the file, *FAILED is set, with errno. */
guint64 wp_spool_append (WpSpool *spool, gconstpointer record, gboolean *failed);

/* Replaces the LENGTH bytes from OFFSET on of the waiting record NUMBER. False with errno set if
 * the file failed. */
gboolean wp_spool_patch (WpSpool *spool, guint64 number, gsize offset, gconstpointer bytes,
                         gsize length);

/* The first record, or NULL when none waits (or, with *FAILED and errno set, if the file failed).
 * Borrowed until the next call. */
gconstpointer wp_spool_peek (WpSpool *spool, gboolean *failed);

/* Drops the record that wp_spool_peek() showed. */
void wp_spool_drop (WpSpool *spool);

G_END_DECLS
