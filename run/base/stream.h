/* SPDX-License-Identifier: MIT */
/* Streams to readers that may stop reading: a signal that is held back ends the wait for them. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* A stream that writes to the pipe, FIFO or device FD, which it closes if OWNS. Writing fails with
 * EINTR when a signal has come that ends the program, and the reader takes nothing. NULL with
 * errno. */
FILE *wp_stream_new (gint fd, gboolean owns);

/* Opens PATH, no regular file, for writing; waits for the reader of a FIFO. NULL with errno, EINTR
 * where a signal has come meanwhile. */
FILE *wp_stream_open (const gchar *path);

/* Makes standard output such a stream, if it is no regular file. */
void wp_stream_take_standard (void);

G_END_DECLS
