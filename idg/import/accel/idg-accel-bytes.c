/* SPDX-License-Identifier: MIT */
#include "idg/import/accel/idg-accel-bytes.h"

#include "idg/import/accel/idg-accel-unpack.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PIECE (64u << 10)

struct IdgAccelBytes
{
  int fd;
  const gchar *data; /* what is left of it, if there is no file */
  gsize length;
  guchar piece[PIECE]; /* read and not yet returned or unpacked: [first, end) */
  gsize first, end;
  gboolean is_last; /* nothing comes after the piece */
  gdouble count;
  const IdgUnpacker *unpacker; /* NULL: the text is not compressed */
  gpointer unpacking;
  gboolean has_ended;
  const gchar *problem; /* static */
};

IdgAccelBytes *
idg_accel_bytes_new (void)
{
  return g_new0 (IdgAccelBytes, 1);
}

/* Reads at most ROOM bytes into TO. Returns how many, or -1. */
static gssize
read_some (IdgAccelBytes *bytes, guchar *to, gsize room)
{
  gssize n;

  if (bytes->fd < 0)
    {
      n = (gssize)MIN (room, bytes->length);
      if (n > 0)
        memcpy (to, bytes->data, (gsize)n);
      bytes->data += n;
      bytes->length -= (gsize)n;
      return n;
    }
  do
    n = read (bytes->fd, to, room);
  while (n < 0 && errno == EINTR);
  return n;
}

/* Adds to the piece until it has AT_LEAST bytes, or the file has ended. */
static gboolean
fill (IdgAccelBytes *bytes, gsize at_least)
{
  memmove (bytes->piece, bytes->piece + bytes->first, bytes->end - bytes->first);
  bytes->end -= bytes->first;
  bytes->first = 0;
  while (bytes->end < at_least && !bytes->is_last)
    {
      gssize n = read_some (bytes, bytes->piece + bytes->end, PIECE - bytes->end);

      if (n < 0)
        {
          bytes->problem = g_strerror (errno);
          return FALSE;
        }
      bytes->is_last = n == 0;
      bytes->end += (gsize)n;
      bytes->count += (gdouble)n;
    }
  return TRUE;
}

static const IdgUnpacker *
recognize (const IdgAccelBytes *bytes)
{
  static const guchar gzip[] = { 0x1f, 0x8b }, xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };

  if (bytes->end >= sizeof gzip && memcmp (bytes->piece, gzip, sizeof gzip) == 0)
    return &idg_accel_gzip;
  if (bytes->end >= sizeof xz && memcmp (bytes->piece, xz, sizeof xz) == 0)
    return &idg_accel_xz;
  return NULL;
}

gboolean
idg_accel_bytes_open (IdgAccelBytes *bytes, int fd, const gchar *data, gsize length)
{
  bytes->fd = fd;
  bytes->data = data;
  bytes->length = length;
  if (!fill (bytes, 6))
    return FALSE;
  bytes->unpacker = recognize (bytes);
  if (bytes->unpacker == NULL)
    return TRUE;
  bytes->unpacking = bytes->unpacker->start (&bytes->problem);
  return bytes->unpacking != NULL;
}

static gssize
read_plain (IdgAccelBytes *bytes, gchar *to, gsize room)
{
  gsize n;

  if (bytes->first == bytes->end && !fill (bytes, 1))
    return -1;
  n = MIN (room, bytes->end - bytes->first);
  memcpy (to, bytes->piece + bytes->first, n);
  bytes->first += n;
  return (gssize)n;
}

/* Unpacks once, as much as there is room for. Returns how many bytes that are, or -1. */
static gssize
unpack (IdgAccelBytes *bytes, gchar *to, gsize room)
{
  IdgUnpackPiece piece = { bytes->piece + bytes->first, bytes->end - bytes->first, bytes->is_last,
                           (guchar *)to, room };
  IdgUnpackState state = bytes->unpacker->unpack (bytes->unpacking, &piece, &bytes->problem);
  gboolean moved = piece.from != bytes->piece + bytes->first || piece.room < room;

  bytes->first = bytes->end - piece.n_from;
  bytes->has_ended = state == IDG_UNPACK_ENDED;
  if (state == IDG_UNPACK_GOES_ON && !moved && bytes->is_last)
    {
      bytes->problem = "it is cut off: its compressed data do not end";
      return -1;
    }
  return state == IDG_UNPACK_FAILED ? -1 : (gssize)(room - piece.room);
}

gssize
idg_accel_bytes_read (IdgAccelBytes *bytes, gchar *to, gsize room)
{
  gssize n = 0;

  if (bytes->unpacker == NULL)
    return read_plain (bytes, to, room);
  while (n == 0 && room > 0 && !bytes->has_ended)
    {
      if (bytes->first == bytes->end && !fill (bytes, 1))
        return -1;
      n = unpack (bytes, to, room);
    }
  return n;
}

gchar *
idg_accel_bytes_get_problem (const IdgAccelBytes *bytes, IdgError *code)
{
  gboolean is_memory = strcmp (bytes->problem, IDG_UNPACK_NO_MEMORY) == 0;

  *code = is_memory ? IDG_ERROR_MEMORY : IDG_ERROR_READ;
  if (is_memory)
    return g_strdup (bytes->problem);
  return g_strdup_printf ("%s; traces are text, plain or compressed by gzip or xz", bytes->problem);
}

gdouble
idg_accel_bytes_count (const IdgAccelBytes *bytes)
{
  return bytes->count;
}

void
idg_accel_bytes_free (IdgAccelBytes *bytes)
{
  if (bytes->unpacking != NULL)
    bytes->unpacker->stop (bytes->unpacking);
  g_free (bytes);
}
