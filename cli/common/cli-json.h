/* SPDX-License-Identifier: MIT */
/* Writes JSON, two blanks an indent. Our own, because the format's contract fixes how numbers look:
 * exact decimals of at most six digits for times, which json-glib's doubles would not keep.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef struct
{
  FILE *out;
  guint depth;
  gboolean first; /* nothing has been written at this depth yet */
  guint line;     /* what is deeper than this is on one line; 0: nothing is */
} WpJson;

/* NAME is NULL in arrays and at the top. Strings are escaped; they must be UTF-8, or are made so.
 */
void wp_json_begin (WpJson *json, const gchar *name, gchar bracket); /* '{' or '[' */
void wp_json_end (WpJson *json, gchar bracket);                      /* '}' or ']' */
/* The same, but with all that is in it on one line: for the rows of long tables. */
void wp_json_begin_line (WpJson *json, const gchar *name, gchar bracket);
void wp_json_string (WpJson *json, const gchar *name, const gchar *value);
void wp_json_unsigned (WpJson *json, const gchar *name, guint64 value);
void wp_json_boolean (WpJson *json, const gchar *name, gboolean value);

/* A ratio, with twelve significant digits; null where it is not finite. */
void wp_json_ratio (WpJson *json, const gchar *name, gdouble value);

/* A number as it is written. */
void wp_json_literal (WpJson *json, const gchar *name, const gchar *value);

G_END_DECLS
