/* SPDX-License-Identifier: MIT */
/* Private: the bytes of a trace, unpacked where it is compressed. idg-accel-bytes-archive.c reads
 * gzip and xz by libarchive; a build without it has idg-accel-bytes-plain.c, which refuses what is
 * compressed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct IdgAccelBytes IdgAccelBytes;

IdgAccelBytes *idg_accel_bytes_new (void);

/* Begins to read the file FD or, where that is -1, LENGTH bytes of DATA. Both are borrowed. False
 * where they cannot be read. */
gboolean idg_accel_bytes_open (IdgAccelBytes *bytes, int fd, const gchar *data, gsize length);

/* The next bytes, at most ROOM, into TO. Returns how many: 0 at the end, less than 0 where they
 * cannot be read. */
gssize idg_accel_bytes_read (IdgAccelBytes *bytes, gchar *to, gsize room);

/* Why they cannot be read, to follow "cannot be read: ". Free with g_free(). */
gchar *idg_accel_bytes_get_problem (const IdgAccelBytes *bytes);

/* How many bytes of the file, as it is, have been used. */
gdouble idg_accel_bytes_count (const IdgAccelBytes *bytes);

void idg_accel_bytes_free (IdgAccelBytes *bytes);

G_END_DECLS
