/* SPDX-License-Identifier: MIT */
/* Private: JSON inside of a page. It escapes "<" and the line separators U+2028 and U+2029, so that
 * nothing in the data can end the script element around it. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Writes JSON, a complete value, to OUT. */
void wp_html_write_json (const gchar *json, FILE *out);

/* Writes TEXT as a JSON string to OUT. */
void wp_html_write_string (const gchar *text, FILE *out);

G_END_DECLS
