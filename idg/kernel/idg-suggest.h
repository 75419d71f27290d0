/* SPDX-License-Identifier: MIT */
/* Private: names for "did you mean", by edit distance. A name may lose some of its last dotted
 * parts, as it does where an op is looked up. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns those of NAMES (NULL-terminated) that NAME may be a misspelling of, best first, at most
 * three: "a, b". NULL if none is near: more than a third of its letters differ. Case counts little.
 * Free with g_free(). O(names x length of the names squared). */
gchar *idg_suggest (const gchar *name, const gchar *const *names);

/* The same as the end of a sentence: "; did you mean a, b?", or "". */
gchar *idg_suggest_end (const gchar *name, const gchar *const *names);

/* Returns the three of the N NAMES that are nearest to NAME, however far they are, best first: "a,
 * b, c"; "" where N is 0. Free with g_free(). */
gchar *idg_suggest_nearest (const gchar *name, const gchar *const *names, gsize n);

G_END_DECLS
