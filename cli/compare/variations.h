/* SPDX-License-Identifier: MIT */
/* Options that list values, and the runs that they make: the product of all lists, the last of them
 * going round first.
 */
#pragma once

#include "cli/common/cli.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* An option that lists values, at least one. */
typedef struct
{
  gchar *name;       /* "threads"; of --set the parameter's */
  gboolean is_word;  /* values stand for themselves: "gto"; else "threads=64" */
  gboolean is_set;   /* of --set */
  GPtrArray *values; /* of gchar, as they are written, all different */
} WpVariation;

void wp_variation_free (WpVariation *variation);

/* Words of VALUE with commas between them, not checked further. NULL: all has been said. */
WpVariation *wp_variation_new_words (const WpCommand *command, const gchar *option,
                                     const gchar *value);

/* Whole numbers of MIN .. MAX: see cli-ranges.h; at most MOST of them. OPTION is "set NAME" for a
 * parameter. NULL: all has been said. */
WpVariation *wp_variation_new_numbers (const WpCommand *command, const gchar *option,
                                       const gchar *value, guint64 min, guint64 max, guint most);

/* The runs that VARIATIONS (of WpVariation) make, MOST at most: G_MAXUINT if more. */
guint wp_variations_count (const GPtrArray *variations, guint most);

/* Which value variation I has in run RUN. */
const gchar *wp_variations_get (const GPtrArray *variations, guint run, guint i);

/* What run RUN is called beside the others: values of what varies, "gtx980 alpha=2 gto", but for
 * the option EXCEPT (or NULL). Free with g_free(). */
gchar *wp_variations_get_label (const GPtrArray *variations, guint run, const gchar *except);

G_END_DECLS
