/* SPDX-License-Identifier: MIT */
/* What is on its way to a cache. An access to a sector that another has asked for a moment ago
 * finds it in the cache's tags, but has to wait until it comes: it takes as long as a miss, and
 * asks the next level for nothing.
 *
 * The replay of caches has turns (wp-caches.h) and no time, so that a moment is so many turns. Of
 * lines whose hashes are alike the last one is remembered. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 line;
  guint64 until;  /* the turn from which its sectors are there */
  guint32 who;    /* asked for them, as its caller counts, from 1 on; 0: the place is free */
  guint8 sectors; /* a bit for each */
} WpComingLine;

typedef struct
{
  WpComingLine *places;
  guint64 mask;
} WpComing;

/* Makes COMING remember 2^BITS lines at most, none yet. */
void wp_coming_init (WpComing *coming, guint bits);
void wp_coming_clear (WpComing *coming);

/* LINE will be added or looked for soon. */
void wp_coming_expect (const WpComing *coming, guint64 line);

/* WHO (not 0) asked for SECTORS of LINE in turn NOW; they are there from turn UNTIL on. O(1). */
void wp_coming_add (WpComing *coming, guint64 line, guint sectors, guint64 now, guint64 until,
                    guint32 who);
/* Returns who asked for any of SECTORS of LINE that is not there in turn NOW; 0: none. O(1). */
guint32 wp_coming_find (const WpComing *coming, guint64 line, guint sectors, guint64 now);

G_END_DECLS
