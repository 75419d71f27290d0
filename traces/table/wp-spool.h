/* SPDX-License-Identifier: MIT */
/* A first-in first-out queue of records of one size. When it grows long, its middle goes to a
 * temporary file. Records can be changed while they are in the queue. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpSpool WpSpool;

WpSpool *wp_spool_new (gsize size);
void wp_spool_free (WpSpool *spool);

/* Appends a copy of RECORD and returns its number: 0 for the first ever, then 1, and so on. If the
 * file fails, sets *FAILED, and errno. Amortized O(1). */
guint64 wp_spool_append (WpSpool *spool, gconstpointer record, gboolean *failed);

/* Overwrites LENGTH bytes, from OFFSET on, of the record NUMBER, which must still be in the queue.
 * Returns false with errno set if the file fails. */
gboolean wp_spool_patch (WpSpool *spool, guint64 number, gsize offset, gconstpointer bytes,
                         gsize length);

/* Returns the first record, borrowed until the next call, or NULL if the queue is empty. If the
 * file fails, returns NULL and sets *FAILED, and errno. */
gconstpointer wp_spool_peek (WpSpool *spool, gboolean *failed);

/* Removes the record that wp_spool_peek() returned. */
void wp_spool_drop (WpSpool *spool);

G_END_DECLS
