/* SPDX-License-Identifier: MIT */
/* Private: names for "did you mean", by edit distance. A name may lose some of its last dotted
 * parts, as it does where an op is looked up. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns those of NAMES (NULL-terminated) that NAME may be a misspelling of, best first, at most
 * three: "a, b". Where none is near (more than a third of its letters differ), those of which NAME
 * is the beginning; NULL if there is none of these. Case counts little. Free with g_free(), as all
 * below. O(names x length of the names squared). */
gchar *idg_suggest (const gchar *name, const gchar *const *names);

/* The same as the end of a sentence: "; did you mean a, b?", or "". */
gchar *idg_suggest_end (const gchar *name, const gchar *const *names);
/* The same of the names in KNOWN, which have ", " between them. */
gchar *idg_suggest_end_of (const gchar *name, const gchar *known);

/* Returns the three of the N NAMES that are nearest to NAME, however far they are, best first: "a,
 * b, c"; "" where N is 0. */
gchar *idg_suggest_nearest (const gchar *name, const gchar *const *names, gsize n);

G_END_DECLS
