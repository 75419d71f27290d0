/* SPDX-License-Identifier: MIT */
/* Runs another program to draw: it reads text and writes a picture. */
#pragma once

#include "plots/wp-plot.h"

G_BEGIN_DECLS

#define WP_CHILD_ERROR (wp_child_error_quark ())
GQuark wp_child_error_quark (void);

typedef enum
{
  WP_CHILD_ERROR_MISSING, /* the program is not installed */
  WP_CHILD_ERROR_FAILED,  /* the program failed */
  WP_CHILD_ERROR_FILE     /* its input could not be written, or its output could not be read */
} WpChildError;

/* Called now and then while the program runs. If it returns anything but 0, the program is killed.
 */
typedef gint (*WpChildStop) (gpointer data);

/* Runs ARGV (NULL-terminated; ARGV[0] is looked up in PATH), which reads INPUT and writes a picture
 * of FORMAT, and returns the whole picture. The environment variable HIDDEN (or NULL) is not passed
 * on. If STOP (or NULL) returns a nonzero value, the program and all its children are killed,
 * *STOPPED is set to that value, and NULL is returned without ERROR. Signals that the caller blocks
 * are not blocked in the program. Returns NULL with ERROR on failure. Free with g_string_free(). */
GString *wp_child_draw (const gchar *const *argv, const gchar *hidden, const gchar *input,
                        const WpPlotFormat *format, WpChildStop stop, gpointer data, gint *stopped,
                        GError **error);

G_END_DECLS
