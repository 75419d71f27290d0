/* SPDX-License-Identifier: MIT */
/* The one rule for text: what a name may have in it, and what a terminal never gets. Readers refuse
 * what breaks the rule, importers clean it, and messages escape it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Within [^...] of a pattern in a schema: what is hidden and XML itself does not refuse. */
#define IDG_TEXT_HIDDEN "&#x7F;-&#x9F;&#x34F;&#x115F;&#x1160;&#x3164;&#xFFA0;\\p{Cf}\\p{Zl}\\p{Zp}"

/* Whether C is a control character, or one that is not seen but changes what is: it reorders the
 * text around it (U+202E and the like), ends a line, or has no width. */
gboolean idg_text_is_hidden (gunichar c);

/* Whether C is of ASCII and not hidden, which mostly ends the question. */
static inline gboolean
idg_text_is_plain (gchar c)
{
  return c >= 0x20 && c < 0x7f;
}

/* Whether a name may have C in it. Blanks and braces are left to the caller: some names may. */
gboolean idg_text_is_in_names (gunichar c);

/* Appends C as an escape: \n, \x1b, \u202e. */
void idg_text_append_escape (GString *string, gunichar c);

/* Whether spreadsheets take CELL for a formula, in quotes or not: one of a file from elsewhere may
 * open addresses and start programs. A number is none, nor are dashes alone. */
gboolean idg_text_is_formula (const gchar *cell);

/* NAME, which may be any bytes, in valid UTF-8, with '_' in place of what no name has in it, and of
 * characters of EXCEPT; at most LIMIT bytes. "" stays "". Free with g_free(). */
gchar *idg_text_make_name (const gchar *name, const gchar *except, gsize limit);

G_END_DECLS
