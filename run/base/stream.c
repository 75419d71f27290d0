/* SPDX-License-Identifier: MIT */
/* A write() that waits for a reader cannot be ended while signals are held back, and a stream's
 * flags belong to all processes that share it, so that it cannot be made not to wait. So a poll()
 * comes before each write, of no more bytes than what a pipe that is ready takes at once.
 */
#include "config.h"

#include "run/base/stream.h"

#include "idg/kernel/idg-signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK 20       /* milliseconds between two looks for signals */
#define PATIENCE 1000 /* milliseconds for a slow reader, when a signal has been taken already */

typedef struct
{
  gint fd;
  gboolean owns, has_ended;
} Stream;

/* Waits until something can be written; false with errno. */
static gboolean
wait_for_reader (Stream *stream)
{
  struct pollfd ready = { .fd = stream->fd, .events = POLLOUT };

  for (gint waited = 0; !stream->has_ended; waited += LOOK)
    {
      gint n = poll (&ready, 1, LOOK);

      if (n > 0)
        return TRUE;
      if (n < 0 && errno != EINTR)
        return FALSE;
      stream->has_ended
          = idg_signals_get_waiting () != 0 || (idg_signals_is_taken () && waited >= PATIENCE);
    }
  errno = EINTR;
  return FALSE;
}

static ssize_t
stream_write (void *data, const char *bytes, size_t n)
{
  Stream *stream = data;
  gsize at = 0;

  while (at < n && wait_for_reader (stream))
    {
      gssize written = write (stream->fd, bytes + at, MIN (n - at, PIPE_BUF));

      if (written > 0)
        at += (gsize)written;
      else if (written == 0 || (errno != EINTR && errno != EAGAIN))
        break;
    }
  return (ssize_t)(at == n ? n : 0);
}

static int
stream_close (void *data)
{
  Stream *stream = data;
  int result = stream->owns ? close (stream->fd) : 0;

  g_free (stream);
  return result;
}

FILE *
wp_stream_new (gint fd, gboolean owns)
{
  Stream *stream = g_new (Stream, 1);
  FILE *file;

  *stream = (Stream){ .fd = fd, .owns = owns };
  file = fopencookie (stream, "w",
                      (cookie_io_functions_t){ .write = stream_write, .close = stream_close });
  if (file == NULL)
    g_free (stream);
  else if (isatty (fd))
    setvbuf (file, NULL, _IOLBF, 0);
  return file;
}

FILE *
wp_stream_open (const gchar *path)
{
  gint fd = open (path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_TRUNC);
  struct stat status;
  FILE *file;
  gint reason;

  while (fd < 0 && errno == ENXIO && stat (path, &status) == 0 && S_ISFIFO (status.st_mode))
    {
      if (idg_signals_get_waiting () != 0)
        {
          errno = EINTR;
          return NULL;
        }
      poll (NULL, 0, LOOK);
      fd = open (path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_TRUNC);
    }
  if (fd < 0)
    return NULL;
  file = wp_stream_new (fd, TRUE);
  reason = errno;
  if (file == NULL)
    close (fd);
  errno = reason;
  return file;
}

void
wp_stream_take_standard (void)
{
  struct stat status;
  FILE *file = NULL;

  if (fstat (STDOUT_FILENO, &status) == 0 && !S_ISREG (status.st_mode)
      && (fcntl (STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY)
    file = wp_stream_new (STDOUT_FILENO, FALSE);
  if (file != NULL)
    stdout = file;
}
