/* SPDX-License-Identifier: MIT */
/* Another program that draws: it reads text and writes a picture. */
#pragma once

#include "plots/wp-plot.h"

G_BEGIN_DECLS

#define WP_CHILD_ERROR (wp_child_error_quark ())
GQuark wp_child_error_quark (void);

typedef enum
{
  WP_CHILD_ERROR_MISSING, /* there is no such program */
  WP_CHILD_ERROR_FAILED,  /* it failed */
  WP_CHILD_ERROR_FILE     /* what it reads or writes could not be written or read */
} WpChildError;

/* Asked now and then while the program runs: what is not 0 ends it. */
typedef gint (*WpChildStop) (gpointer data);

/* Runs ARGV (NULL-terminated, ARGV[0] sought on PATH), which reads INPUT and writes a picture of
 * FORMAT, without the variable HIDDEN of the environment (or NULL). Returns the picture, whole.
 * Where STOP (or NULL) has said anything but 0, the program is gone with all that it has started,
 * that is in *STOPPED, and NULL is returned without ERROR. Signals that the caller blocks are not
 * blocked in the program. NULL with ERROR. Free with g_string_free(). */
GString *wp_child_draw (const gchar *const *argv, const gchar *hidden, const gchar *input,
                        const WpPlotFormat *format, WpChildStop stop, gpointer data, gint *stopped,
                        GError **error);

G_END_DECLS
