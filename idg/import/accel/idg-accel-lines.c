/* SPDX-License-Identifier: MIT */
/* Lines of a file that may be compressed.
 *
 * A trace can be larger than memory. The buffer holds one piece as it comes out of the filter, and
 * the beginning of a line that goes on in the next. */
#include "idg/import/accel/idg-accel-bytes.h"
#include "idg/import/accel/idg-accel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE (64u << 10)
/* The longest line that a tracer writes lists the values of all registers of 32 lanes, which takes
 * some kilobytes. */
#define MAX_LINE (1u << 20)

struct IdgAccelLines
{
  gchar *file;
  IdgAccelBytes *bytes;
  int fd;
  gdouble length; /* of the file, bytes; 0: not known */
  gchar *data;    /* the bytes [first, end) are read and not yet returned; one more byte is
                   * allocated */
  gsize first, end, room;
  gsize searched; /* no line ends before this */
  gint number;
  gboolean ended;
};

static gboolean
fail_reading (const IdgAccelLines *lines, GError **error)
{
  IdgError code;
  g_autofree gchar *problem = idg_accel_bytes_get_problem (lines->bytes, &code);

  return idg_import_fail (lines->file, lines->number, code, error, "cannot be read: %s", problem);
}

/* Lines of the file FD, which they take over, or where that is -1 of DATA. */
static IdgAccelLines *
new_lines (const gchar *file, int fd, const gchar *data, gsize length, GError **error)
{
  g_autoptr (IdgAccelLines) lines = g_new0 (IdgAccelLines, 1);
  struct stat about;

  lines->file = g_strdup (file);
  lines->fd = fd;
  lines->room = 2 * PIECE;
  lines->data = g_malloc (lines->room + 1);
  lines->bytes = idg_accel_bytes_new ();
  if (fd >= 0 && fstat (fd, &about) == 0 && S_ISREG (about.st_mode))
    lines->length = (gdouble)about.st_size;
  if (!idg_accel_bytes_open (lines->bytes, fd, data, length))
    {
      fail_reading (lines, error);
      return NULL;
    }
  return g_steal_pointer (&lines);
}

IdgAccelLines *
idg_accel_lines_open (const gchar *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  int reason = fd < 0 ? errno : 0;
  struct stat about;

  if (fd >= 0 && fstat (fd, &about) == 0 && S_ISDIR (about.st_mode))
    {
      reason = EISDIR;
      close (fd);
    }
  if (reason)
    {
      idg_import_fail (path, 0, IDG_ERROR_READ, error, "cannot be read: %s", g_strerror (reason));
      return NULL;
    }
  return new_lines (path, fd, NULL, 0, error);
}

IdgAccelLines *
idg_accel_lines_open_memory (const gchar *data, gsize length, const gchar *name, GError **error)
{
  return new_lines (name, -1, data, length, error);
}

void
idg_accel_lines_free (IdgAccelLines *lines)
{
  if (!lines)
    return;
  idg_accel_bytes_free (lines->bytes);
  if (lines->fd >= 0)
    close (lines->fd);
  g_free (lines->data);
  g_free (lines->file);
  g_free (lines);
}

const gchar *
idg_accel_lines_get_file (const IdgAccelLines *lines)
{
  return lines->file;
}

gint
idg_accel_lines_get_number (const IdgAccelLines *lines)
{
  return lines->number;
}

gdouble
idg_accel_lines_get_share (const IdgAccelLines *lines)
{
  gdouble read = idg_accel_bytes_count (lines->bytes);

  return lines->length > 0 ? MIN (read / lines->length, 1) : 0;
}

/* Makes room for one more piece after the bytes that are kept. */
static gboolean
make_room (IdgAccelLines *lines, GError **error)
{
  gsize kept = lines->end - lines->first;

  if (kept > MAX_LINE)
    {
      lines->number++;
      return idg_accel_fail (lines, error, "the line has more than %u bytes; is this a trace?",
                             MAX_LINE);
    }
  memmove (lines->data, lines->data + lines->first, kept);
  lines->searched -= lines->first;
  lines->first = 0;
  lines->end = kept;
  if (lines->room - kept < PIECE)
    {
      lines->room *= 2;
      lines->data = g_realloc (lines->data, lines->room + 1);
    }
  return TRUE;
}

static gboolean
read_piece (IdgAccelLines *lines, GError **error)
{
  gssize n;

  if (!make_room (lines, error))
    return FALSE;
  n = idg_accel_bytes_read (lines->bytes, lines->data + lines->end, PIECE);
  if (n < 0)
    return fail_reading (lines, error);
  lines->ended = n == 0;
  lines->end += (gsize)n;
  return TRUE;
}

/* Returns where the line that begins at `first` ends; NULL on an error or if nothing is left. */
static gchar *
find_end (IdgAccelLines *lines, GError **error)
{
  while (TRUE)
    {
      gchar *end
          = memchr (lines->data + lines->searched, '\n', (gsize)(lines->end - lines->searched));

      if (end)
        return end;
      lines->searched = lines->end;
      if (lines->ended)
        return lines->first < lines->end ? lines->data + lines->end : NULL;
      if (!read_piece (lines, error))
        return NULL;
    }
}

gchar *
idg_accel_lines_next (IdgAccelLines *lines, GError **error)
{
  gchar *end = find_end (lines, error);
  gchar *line;

  if (!end)
    return NULL;
  line = lines->data + lines->first;
  lines->first = MIN ((gsize)(end - lines->data) + 1, lines->end);
  lines->searched = lines->first;
  if (lines->number < G_MAXINT)
    lines->number++;
  *end = '\0';
  if (lines->number == 1 && strncmp (line, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
    line += 3;
  if (strlen (line) < (gsize)(end - line))
    {
      idg_accel_fail (lines, error, "a byte 0; traces are text, plain or compressed by gzip or xz");
      return NULL;
    }
  return g_strstrip (line);
}
