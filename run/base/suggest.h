/* SPDX-License-Identifier: MIT */
/* The end of a message about a name that is not known. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Those of NAMES (NULL-terminated) that WANTED may be a slip for, or the beginning of: "a, b"; NULL
 * where none is. Free with g_free(), as the next two. */
gchar *wp_find_near (const gchar *wanted, const gchar *const *names);

/* "; did you mean NAME?" with those of NAMES (NULL-terminated) that are near to WANTED; "" where
 * none is. */
gchar *wp_did_you_mean (const gchar *wanted, const gchar *const *names);

/* The same; KNOWN are the names with ", " between them. */
gchar *wp_did_you_mean_of (const gchar *wanted, const gchar *known);

G_END_DECLS
