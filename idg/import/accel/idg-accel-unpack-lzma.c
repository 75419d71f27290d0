/* SPDX-License-Identifier: MIT */
/* xz, with liblzma, which compares the checksums of blocks and of the index. */
#include "idg/import/accel/idg-accel-unpack.h"

#include <lzma.h>

/* xz -9 needs 65 MiB to be read again; a file may ask for 4 GiB. */
#define MAX_MEMORY (256u << 20)

static gpointer
start_xz (const gchar **problem)
{
  lzma_stream *stream = g_new (lzma_stream, 1);

  *stream = (lzma_stream)LZMA_STREAM_INIT;
  if (lzma_stream_decoder (stream, MAX_MEMORY, LZMA_CONCATENATED) == LZMA_OK)
    return stream;
  *problem = IDG_UNPACK_NO_MEMORY;
  g_free (stream);
  return NULL;
}

static void
stop_xz (gpointer self)
{
  lzma_end (self);
  g_free (self);
}

static const gchar *
explain (lzma_ret status)
{
  switch (status)
    {
    case LZMA_MEM_ERROR:
      return IDG_UNPACK_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR:
      return "it was compressed so that reading it takes more than 256 MiB; xz -9 takes 65";
    case LZMA_OPTIONS_ERROR:
      return "it uses a filter of xz that liblzma does not know";
    default:
      return "it is damaged: this is not what xz writes";
    }
}

static IdgUnpackState
unpack_xz (gpointer self, IdgUnpackPiece *piece, const gchar **problem)
{
  lzma_stream *stream = self;
  lzma_ret status;

  stream->next_in = piece->from;
  stream->avail_in = piece->n_from;
  stream->next_out = piece->to;
  stream->avail_out = piece->room;
  status = lzma_code (stream, piece->is_last ? LZMA_FINISH : LZMA_RUN);
  piece->from = stream->next_in;
  piece->n_from = stream->avail_in;
  piece->to = stream->next_out;
  piece->room = stream->avail_out;
  if (status == LZMA_STREAM_END)
    return IDG_UNPACK_ENDED;
  if (status == LZMA_OK || status == LZMA_BUF_ERROR)
    return IDG_UNPACK_GOES_ON;
  *problem = explain (status);
  return IDG_UNPACK_FAILED;
}

const IdgUnpacker idg_accel_xz = { start_xz, unpack_xz, stop_xz };
