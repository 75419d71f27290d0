/* SPDX-License-Identifier: MIT */
/* Private: JSON inside a page. "<", and the two line ends that only some languages know, are escaped,
 * so that nothing in the data can end the script element around it. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Writes JSON, a whole value, on OUT. */
void wp_html_write_json (const gchar *json, FILE *out);

/* Writes TEXT as a JSON string. */
void wp_html_write_string (const gchar *text, FILE *out);

G_END_DECLS
