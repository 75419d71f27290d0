/* SPDX-License-Identifier: MIT */
/* How much memory runs may take, which is asked before they take it: a machine that swaps is of no
 * use to anybody. The limit is one for the process, as its memory is. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads TEXT, bytes: "8G", "512M", "1.5T", "300000000"; K, M, G and T are powers of 1024, and B or
 * iB may follow them. From 1 MiB to 1 EiB. */
gboolean wp_memory_limit_parse (const gchar *text, guint64 *bytes);

/* Sets the limit in bytes; 0: three quarters of what there is. */
void wp_memory_limit_set (guint64 bytes);

/* The limit in bytes: what was set, or three quarters of what there was when it was first asked
 * for. What there is: the memory that can be had without swapping, as the system says it, or what
 * the process' control group may take, if that is less; without either, G_MAXUINT64. */
guint64 wp_memory_limit_get (void);

/* The bytes that each of AT_ONCE runs side by side may take; 0: those that one may take besides
 * what the process has taken already. */
guint64 wp_memory_limit_get_left (guint at_once);

/* "13.8 GiB"; free with g_free(). */
gchar *wp_memory_limit_format (guint64 bytes);

/* Says that each of AT_ONCE runs side by side would take NEEDED bytes, which are too many; WHAT is
 * what runs. */
void wp_memory_limit_refuse (const gchar *what, guint64 needed, guint at_once, GError **error);

G_END_DECLS
