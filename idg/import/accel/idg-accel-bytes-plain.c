/* SPDX-License-Identifier: MIT */
/* Reads plain traces in a build without libarchive. Compressed files are recognized by their first
 * bytes and rejected. */
#include "idg/import/accel/idg-accel-bytes.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct IdgAccelBytes
{
  int fd;
  const gchar *data; /* what is left of it, if there is no file */
  gsize length;
  gchar head[6]; /* the first bytes of the file, read to recognize compression and not returned yet
                  */
  gsize n_head;
  gdouble count;
  gint reason; /* errno; 0 if the file is compressed */
};

IdgAccelBytes *
idg_accel_bytes_new (void)
{
  return g_new0 (IdgAccelBytes, 1);
}

/* As idg_accel_bytes_read(), but without the first bytes. */
static gssize
read_more (IdgAccelBytes *bytes, gchar *to, gsize room)
{
  gssize n;

  if (bytes->fd < 0)
    {
      n = (gssize)MIN (room, bytes->length);
      memcpy (to, bytes->data, (gsize)n);
      bytes->data += n;
      bytes->length -= (gsize)n;
    }
  else
    while ((n = read (bytes->fd, to, room)) < 0 && errno == EINTR)
      ;
  if (n < 0)
    bytes->reason = errno;
  else
    bytes->count += (gdouble)n;
  return n;
}

static gboolean
is_compressed (const IdgAccelBytes *bytes)
{
  return (bytes->n_head >= 2 && memcmp (bytes->head, "\x1f\x8b", 2) == 0)
         || (bytes->n_head >= 6
             && memcmp (bytes->head,
                        "\xfd"
                        "7zXZ",
                        6)
                    == 0);
}

gboolean
idg_accel_bytes_open (IdgAccelBytes *bytes, int fd, const gchar *data, gsize length)
{
  gssize n = 1;

  bytes->fd = fd;
  bytes->data = data;
  bytes->length = length;
  while (n > 0 && bytes->n_head < sizeof bytes->head)
    {
      n = read_more (bytes, bytes->head + bytes->n_head, sizeof bytes->head - bytes->n_head);
      if (n > 0)
        bytes->n_head += (gsize)n;
    }
  return n >= 0 && !is_compressed (bytes);
}

gssize
idg_accel_bytes_read (IdgAccelBytes *bytes, gchar *to, gsize room)
{
  gsize n = MIN (room, bytes->n_head);

  if (n == 0)
    return read_more (bytes, to, room);
  memcpy (to, bytes->head, n);
  bytes->n_head -= n;
  memmove (bytes->head, bytes->head + n, bytes->n_head);
  return (gssize)n;
}

gchar *
idg_accel_bytes_get_problem (const IdgAccelBytes *bytes)
{
  return g_strdup (bytes->reason != 0
                       ? g_strerror (bytes->reason)
                       : "it is compressed, and this warpipe was built without libarchive; unpack "
                         "it, or configure warpipe --with-archive (Debian's libarchive-dev)");
}

gdouble
idg_accel_bytes_count (const IdgAccelBytes *bytes)
{
  return bytes->count;
}

void
idg_accel_bytes_free (IdgAccelBytes *bytes)
{
  g_free (bytes);
}
