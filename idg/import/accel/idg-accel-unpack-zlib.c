/* SPDX-License-Identifier: MIT */
/* gzip, with zlib, which compares the CRC and the length at the end of each member. */
#include "idg/import/accel/idg-accel-unpack.h"

#include <string.h>
#include <zlib.h>

#define GZIP_ONLY (16 + MAX_WBITS)

typedef struct
{
  z_stream stream;
  gboolean between; /* a member has ended: another one, zeros or nothing may follow */
} Gzip;

static gpointer
start_gzip (const gchar **problem)
{
  Gzip *gzip = g_new0 (Gzip, 1);

  if (inflateInit2 (&gzip->stream, GZIP_ONLY) == Z_OK)
    return gzip;
  *problem = IDG_UNPACK_NO_MEMORY;
  g_free (gzip);
  return NULL;
}

static void
stop_gzip (gpointer self)
{
  Gzip *gzip = self;

  inflateEnd (&gzip->stream);
  g_free (gzip);
}

/* After a member: zeros are what fills up a tape. */
static IdgUnpackState
begin_member (Gzip *gzip, IdgUnpackPiece *piece, const gchar **problem)
{
  while (piece->n_from > 0 && *piece->from == 0)
    {
      piece->from++;
      piece->n_from--;
    }
  if (piece->n_from == 0)
    return piece->is_last ? IDG_UNPACK_ENDED : IDG_UNPACK_GOES_ON;
  if (*piece->from != 0x1f)
    {
      *problem = "something that is not gzip follows the end of its gzip data";
      return IDG_UNPACK_FAILED;
    }
  gzip->between = FALSE;
  inflateReset (&gzip->stream);
  return IDG_UNPACK_GOES_ON;
}

static const gchar *
explain (const Gzip *gzip, int status)
{
  const gchar *what = gzip->stream.msg ? gzip->stream.msg : "";

  if (status == Z_MEM_ERROR)
    return IDG_UNPACK_NO_MEMORY;
  if (strstr (what, "data check"))
    return "it is damaged: its contents do not have its CRC";
  if (strstr (what, "length check"))
    return "it is damaged: its contents do not have its length";
  return "it is damaged: this is not what gzip writes";
}

static IdgUnpackState
unpack_gzip (gpointer self, IdgUnpackPiece *piece, const gchar **problem)
{
  Gzip *gzip = self;
  z_stream *stream = &gzip->stream;
  int status;

  if (gzip->between)
    return begin_member (gzip, piece, problem);
  stream->next_in = (z_const Bytef *)piece->from;
  stream->avail_in = (uInt)MIN (piece->n_from, G_MAXUINT);
  stream->next_out = piece->to;
  stream->avail_out = (uInt)MIN (piece->room, G_MAXUINT);
  status = inflate (stream, Z_NO_FLUSH);
  piece->n_from -= (gsize)(stream->next_in - piece->from);
  piece->from = stream->next_in;
  piece->room -= (gsize)(stream->next_out - piece->to);
  piece->to = stream->next_out;
  gzip->between = status == Z_STREAM_END;
  if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
    return IDG_UNPACK_GOES_ON;
  *problem = explain (gzip, status);
  return IDG_UNPACK_FAILED;
}

const IdgUnpacker idg_accel_gzip = { start_gzip, unpack_gzip, stop_gzip };
