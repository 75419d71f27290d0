/* SPDX-License-Identifier: MIT */
/* Private: the bytes of a trace, decompressed if they begin as gzip or xz does. */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

typedef struct IdgAccelBytes IdgAccelBytes;

IdgAccelBytes *idg_accel_bytes_new (void);

/* Begins to read the file FD or, if that is -1, LENGTH bytes of DATA. Both are borrowed. Returns
 * FALSE if they cannot be read. */
gboolean idg_accel_bytes_open (IdgAccelBytes *bytes, int fd, const gchar *data, gsize length);

/* Reads at most ROOM bytes into TO. Returns how many: 0 at the end, less than 0 on an error. */
gssize idg_accel_bytes_read (IdgAccelBytes *bytes, gchar *to, gsize room);

/* Returns why they cannot be read, as text after "cannot be read: ", and in CODE whether that is
 * the file's fault. Free with g_free(). */
gchar *idg_accel_bytes_get_problem (const IdgAccelBytes *bytes, IdgError *code);

/* Returns how many bytes of the (compressed) file have been read. */
gdouble idg_accel_bytes_count (const IdgAccelBytes *bytes);

void idg_accel_bytes_free (IdgAccelBytes *bytes);

G_END_DECLS
