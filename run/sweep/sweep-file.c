/* SPDX-License-Identifier: MIT */
/* Each row begins with its number and ends with its sweep's digest and a line's end. So a row that
 * was torn when the power failed differs from a whole one, and a file that was sorted or belongs to
 * another sweep is recognised. The file grows at its end only: whenever a crash comes, all before
 * the torn row is good.
 */
#include "run/sweep/sweep-file.h"

#include "run/base/output.h"
#include "sim/gpu/wp-gpu.h" /* WP_ERROR */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct WpSweepFile
{
  const WpSweepTable *table;
  gchar *name;           /* as the user gave it */
  WpOutput *output;      /* or NULL: it can be resumed */
  FILE *stream;          /* of `output`, or the file itself */
  gchar *ahead_name;     /* where it can be resumed, as `ahead` */
  FILE *ahead;           /* or NULL: nothing has had to wait */
  guint64 next;          /* rows before it are in `stream` */
  gchar **waiting;       /* [WP_SWEEP_WINDOW], row r at r % WP_SWEEP_WINDOW; NULL: not there */
  gboolean *is_in_ahead; /* likewise: those that `ahead` holds */
  guint64 n_waiting, n_in_ahead;
};

/* ---- Errors ---- */

static gboolean
fail (const gchar *name, gint number, GError **error)
{
  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), "cannot write %s: %s",
               name, g_strerror (number));
  return FALSE;
}

/* Where the reader of standard output has gone, callers print no error. */
static gboolean
fail_to_write (const WpSweepFile *file, GError **error)
{
  gint number = errno;
  gboolean is_standard = file->output != NULL && file->stream == stdout;

  if (is_standard && number == EPIPE)
    {
      g_set_error_literal (error, WP_OUTPUT_ERROR, WP_OUTPUT_ERROR_CLOSED, "nobody reads the rows");
      return FALSE;
    }
  return fail (is_standard ? "standard output" : file->name, number, error);
}

/* ---- Reading what is there ---- */

/* Which row LINE is, or the number of rows: it is no row of this sweep. */
static guint64
find_row (const WpSweepTable *table, const gchar *line, gsize length)
{
  const gsize n = strlen (table->digest);
  gchar *end;
  guint64 row;

  if (length < n + 3 || line[length - 1] != '\n' || line[length - n - 2] != ','
      || memcmp (line + length - n - 1, table->digest, n) != 0
      || memchr (line, '\0', length) != NULL || !g_ascii_isdigit (*line))
    return table->n_rows;
  row = g_ascii_strtoull (line, &end, 10);
  return *end == ',' && row >= 1 && row <= table->n_rows ? row - 1 : table->n_rows;
}

static gboolean
refuse (const WpSweepFile *file, guint64 line, const gchar *why, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s:%" G_GUINT64_FORMAT ": %s", file->name, line,
               why);
  return FALSE;
}

#define OTHER                                                                                      \
  "this file was not made by this sweep (kernel, GPUs, lists and version must be the same); to "   \
  "begin anew, name a file that is not there"

/* Shows those who watch the table a row that has taken its place. Returns the line to write, free
 * with g_free(); NULL: LINE itself. */
static gchar *
show (const WpSweepFile *file, guint64 row, const gchar *line)
{
  const WpSweepTable *table = file->table;
  gchar *whole = table->complete != NULL ? table->complete (table->complete_data, row, line) : NULL;

  if (table->watch != NULL)
    table->watch (table->data, row, whole != NULL ? whole : line);
  return whole;
}

/* Reads rows 1, 2, ... up to one that a crash has torn, which begins at WHOLE. */
static gboolean
read_rows (WpSweepFile *file, FILE *in, goffset *whole, GError **error)
{
  g_autofree gchar *line = NULL; /* of getline(): malloc() is g_malloc()'s */
  size_t size = 0;
  ssize_t length;

  while ((length = getline (&line, &size, in)) > 0)
    {
      if (file->next == file->table->n_rows
          || find_row (file->table, line, (gsize)length) != file->next)
        break;
      *whole += length;
      g_free (show (file, file->next++, line));
    }
  if (length <= 0 || line[length - 1] != '\n' || memchr (line, '\0', (gsize)length) != NULL)
    return TRUE;
  if (find_row (file->table, line, (gsize)length) != file->table->n_rows)
    return refuse (file, file->next + 2, "a row that is out of order; rows cannot be moved", error);
  return refuse (file, file->next + 2, OTHER, error);
}

/* The same, from the first line on. A header alone may be torn, too. */
static gboolean
read_file (WpSweepFile *file, FILE *in, goffset *whole, GError **error)
{
  const gchar *header = file->table->header;
  const gsize length = strlen (header);
  g_autofree gchar *start = g_malloc (length);
  gsize n = fread (start, 1, length, in);

  *whole = 0;
  if (memcmp (start, header, n) != 0)
    return refuse (file, 1, OTHER, error);
  if (n < length)
    return TRUE;
  *whole = (goffset)length;
  return read_rows (file, in, whole, error);
}

/* Makes sure that the folder of NAME knows the file after a crash. */
static void
sync_folder (const gchar *name)
{
  g_autofree gchar *folder = g_path_get_dirname (name);
  gint fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

/* ---- Rows that wait ---- */

static void
keep (WpSweepFile *file, guint64 row, gchar *text, gboolean is_in_ahead)
{
  guint64 i = row % WP_SWEEP_WINDOW;

  file->waiting[i] = text;
  file->is_in_ahead[i] = is_in_ahead;
  file->n_waiting++;
  file->n_in_ahead += is_in_ahead;
}

/* Writes the rows whose turn it is. */
static gboolean
write_next (WpSweepFile *file, GError **error)
{
  for (guint64 i = file->next % WP_SWEEP_WINDOW; file->waiting[i] != NULL;
       i = ++file->next % WP_SWEEP_WINDOW)
    {
      g_autofree gchar *text = g_steal_pointer (&file->waiting[i]);
      g_autofree gchar *whole = show (file, file->next, text);

      file->n_waiting--;
      file->n_in_ahead -= file->is_in_ahead[i];
      if (fputs (whole != NULL ? whole : text, file->stream) == EOF)
        return fail_to_write (file, error);
    }
  return TRUE;
}

/* Reads the rows that waited when the file was written last and are still missing. A torn row
 * begins at WHOLE. False: the file holds something else. */
static gboolean
read_waiting (WpSweepFile *file, FILE *in, goffset *whole)
{
  g_autofree gchar *line = NULL;
  size_t size = 0;
  ssize_t length;

  for (*whole = 0; (length = getline (&line, &size, in)) > 0; *whole += length)
    {
      guint64 row = find_row (file->table, line, (gsize)length);

      if (row == file->table->n_rows)
        return line[length - 1] != '\n' || memchr (line, '\0', (gsize)length) != NULL;
      if (row < file->next + WP_SWEEP_WINDOW && !wp_sweep_file_has (file, row))
        keep (file, row, g_strndup (line, (gsize)length), TRUE);
    }
  return TRUE;
}

static gboolean
read_ahead (WpSweepFile *file, GError **error)
{
  FILE *in = fopen (file->ahead_name, "re");
  goffset whole;
  gboolean is_ours;

  if (in == NULL && errno == ENOENT)
    return TRUE;
  if (in == NULL)
    return fail (file->ahead_name, errno, error);
  is_ours = read_waiting (file, in, &whole);
  fclose (in);
  if (!is_ours)
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                 "%s: rows of this sweep that wait for earlier ones go there, but it holds "
                 "something else; remove it",
                 file->ahead_name);
  else if (truncate (file->ahead_name, whole) != 0)
    return fail (file->ahead_name, errno, error);
  return is_ours;
}

/* Appends the rows that wait and are in no file yet to the other file, which is emptied when no row
 * in it waits. */
static gboolean
write_ahead (WpSweepFile *file, GError **error)
{
  gboolean failed = FALSE;

  if (file->ahead != NULL && file->n_in_ahead == 0)
    failed = ftruncate (fileno (file->ahead), 0) != 0;
  if (!failed && file->n_in_ahead == file->n_waiting)
    return TRUE;
  if (file->ahead == NULL)
    {
      file->ahead = fopen (file->ahead_name, "ae");
      if (file->ahead != NULL)
        sync_folder (file->ahead_name);
    }
  failed |= file->ahead == NULL;
  for (guint64 row = file->next; !failed && row < file->next + WP_SWEEP_WINDOW; row++)
    {
      guint64 i = row % WP_SWEEP_WINDOW;

      if (file->waiting[i] == NULL || file->is_in_ahead[i])
        continue;
      failed = fputs (file->waiting[i], file->ahead) == EOF;
      file->is_in_ahead[i] = TRUE;
      file->n_in_ahead++;
    }
  if (failed || fflush (file->ahead) != 0 || fdatasync (fileno (file->ahead)) != 0)
    return fail (file->ahead_name, errno, error);
  return TRUE;
}

/* ---- Opening ---- */

static WpSweepFile *
new_file (const gchar *name, const WpSweepTable *table)
{
  WpSweepFile *file = g_new0 (WpSweepFile, 1);

  file->table = table;
  file->name = g_strdup (name);
  file->waiting = g_new0 (gchar *, WP_SWEEP_WINDOW);
  file->is_in_ahead = g_new0 (gboolean, WP_SWEEP_WINDOW);
  return file;
}

WpSweepFile *
wp_sweep_file_new (const gchar *output, const WpSweepTable *table, GError **error)
{
  g_autoptr (WpSweepFile) file = new_file (output, table);

  file->output = wp_output_open (output, error);
  if (file->output == NULL)
    return NULL;
  file->stream = file->output->stream;
  if (fputs (table->header, file->stream) == EOF)
    {
      fail_to_write (file, error);
      return NULL;
    }
  return g_steal_pointer (&file);
}

/* Opens the file, and locks it against other processes. */
static gboolean
open_alone (WpSweepFile *file, GError **error)
{
  gint fd = open (file->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  struct stat status;

  if (fd < 0)
    return fail (file->name, errno, error);
  file->stream = fdopen (fd, "r+e");
  if (file->stream == NULL)
    {
      gint number = errno;

      close (fd);
      return fail (file->name, number, error);
    }
  if (fstat (fd, &status) != 0)
    return fail (file->name, errno, error);
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "%s: only a regular file can be resumed, which this is not", file->name);
      return FALSE;
    }
  if (flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s: another warpipe is writing this file",
                   file->name);
      return FALSE;
    }
  return TRUE;
}

/* Cuts the file off at WHOLE, and writes the header if it is missing. */
static gboolean
begin_at (WpSweepFile *file, goffset whole, GError **error)
{
  if (fseeko (file->stream, 0, SEEK_END) != 0 || ftruncate (fileno (file->stream), whole) != 0)
    return fail_to_write (file, error);
  if (whole == 0 && fputs (file->table->header, file->stream) == EOF)
    return fail_to_write (file, error);
  sync_folder (file->name);
  return TRUE;
}

/* Reads the file, and makes it ready for more rows. */
static gboolean
go_on_with (WpSweepFile *file, GError **error)
{
  goffset whole;

  return read_file (file, file->stream, &whole, error) && read_ahead (file, error)
         && begin_at (file, whole, error) && write_next (file, error)
         && wp_sweep_file_sync (file, error);
}

WpSweepFile *
wp_sweep_file_resume (const gchar *resume, const WpSweepTable *table, GError **error)
{
  g_autoptr (WpSweepFile) file = new_file (resume, table);
  struct stat status;

  file->ahead_name = g_strconcat (resume, ".ahead", NULL);
  if (!open_alone (file, error))
    return NULL;
  if (go_on_with (file, error))
    return g_steal_pointer (&file);
  if (file->stream != NULL && fstat (fileno (file->stream), &status) == 0 && status.st_size == 0)
    g_unlink (resume); /* it was not there before, or might as well not have been */
  return NULL;
}

/* ---- Using ---- */

guint64
wp_sweep_file_get_next (const WpSweepFile *file)
{
  return file->next;
}

guint64
wp_sweep_file_count (const WpSweepFile *file)
{
  return file->next + file->n_waiting;
}

gboolean
wp_sweep_file_has (const WpSweepFile *file, guint64 row)
{
  return row < file->next || file->waiting[row % WP_SWEEP_WINDOW] != NULL;
}

gboolean
wp_sweep_file_put (WpSweepFile *file, guint64 row, gchar *text, GError **error)
{
  keep (file, row, text, FALSE);
  return write_next (file, error);
}

gboolean
wp_sweep_file_sync (WpSweepFile *file, GError **error)
{
  if (fflush (file->stream) != 0)
    return fail_to_write (file, error);
  if (file->output != NULL)
    return TRUE;
  if (fdatasync (fileno (file->stream)) != 0)
    return fail_to_write (file, error);
  return write_ahead (file, error);
}

gboolean
wp_sweep_file_finish (WpSweepFile *file, GError **error)
{
  if (!wp_sweep_file_sync (file, error))
    return FALSE;
  if (file->output != NULL)
    return wp_output_finish (file->output, error);
  g_unlink (file->ahead_name);
  return TRUE;
}

void
wp_sweep_file_free (WpSweepFile *file)
{
  if (file == NULL)
    return;
  for (guint i = 0; i < WP_SWEEP_WINDOW; i++)
    g_free (file->waiting[i]);
  if (file->output == NULL && file->stream != NULL)
    fclose (file->stream);
  if (file->ahead != NULL)
    fclose (file->ahead);
  wp_output_free (file->output);
  g_free (file->waiting);
  g_free (file->is_in_ahead);
  g_free (file->ahead_name);
  g_free (file->name);
  g_free (file);
}
