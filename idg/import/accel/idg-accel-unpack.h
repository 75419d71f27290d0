/* SPDX-License-Identifier: MIT */
/* Private: decompression of a stream, piece by piece. idg-accel-unpack-zlib.c has gzip,
 * idg-accel-unpack-lzma.c xz; a build without liblzma has idg-accel-unpack-plain.c, whose xz is
 * always refused. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is left of the input and of the room for the output; each call moves both on. */
typedef struct
{
  const guchar *from;
  gsize n_from;
  gboolean is_last; /* no input comes after FROM */
  guchar *to;
  gsize room;
} IdgUnpackPiece;

typedef enum
{
  IDG_UNPACK_GOES_ON,
  IDG_UNPACK_ENDED, /* all has been unpacked, and its checksums are right */
  IDG_UNPACK_FAILED,
} IdgUnpackState;

/* The problem that is none of the file's. */
#define IDG_UNPACK_NO_MEMORY "out of memory"

/* PROBLEM says why, as text after "cannot be read: ", where something fails; it is static. */
typedef struct
{
  gpointer (*start) (const gchar **problem); /* NULL on an error */
  IdgUnpackState (*unpack) (gpointer self, IdgUnpackPiece *piece, const gchar **problem);
  void (*stop) (gpointer self);
} IdgUnpacker;

extern const IdgUnpacker idg_accel_gzip, idg_accel_xz;

G_END_DECLS
