/* SPDX-License-Identifier: MIT */
/* What cannot be right about a run, or is not known of it: each a warning with a name, which
 * reports for people and for scripts carry, and which --strict makes an error. The names are part
 * of the formats (FORMATS.md, "Report"). */
#pragma once

#include "run/base/note.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;   /* "stores-queued"; owned, as is: */
  gchar *text;         /* a sentence or two, without a line's end */
  gboolean no_verdict; /* the figures are wrong or unknown: nothing is to be concluded from them */
} WpWarning;

/* An empty list of WpWarning, which it owns. Free with g_ptr_array_unref(). */
GPtrArray *wp_warnings_new (void);

/* Appends a warning. NAME is copied. */
void wp_warnings_add (GPtrArray *warnings, const gchar *name, gboolean no_verdict,
                      const gchar *format, ...) G_GNUC_PRINTF (4, 5);

/* Lets the warnings called NAME stand in no verdict's way, and puts MORE behind their texts. */
void wp_warnings_let_pass (GPtrArray *warnings, const gchar *name, const gchar *more);

/* Removes the warnings called NAME, of what does not matter after all. */
void wp_warnings_remove (GPtrArray *warnings, const gchar *name);

/* The first of WARNINGS that is called NAME; or NULL. */
const WpWarning *wp_warnings_get (const GPtrArray *warnings, const gchar *name);

/* The names of WARNINGS, each once, as "a, b and c" or joined by SEPARATOR where that is not NULL;
 * with BLOCKING only of those that stand in the way of a verdict. NULL where there is none. Free
 * with g_free(). */
gchar *wp_warnings_join (const GPtrArray *warnings, gboolean blocking, const gchar *separator);

/* Whether one of WARNINGS stands in the way of a verdict. */
gboolean wp_warnings_are_in_the_way (const GPtrArray *warnings);

/* What stands in the place of a verdict: "No verdict: ...", or NULL where nothing is in its way.
 * Free with g_free(). */
gchar *wp_warnings_get_no_verdict (const GPtrArray *warnings);

/* Makes errors of WARNINGS, as --strict asks: TRUE where there are none. Else SAY (may be NULL)
 * hears all but the last, and ERROR (WP_ERROR_VALUE) is the last. */
gboolean wp_warnings_refuse (const GPtrArray *warnings, WpNoteFunc say, gpointer data,
                             GError **error);

G_END_DECLS
