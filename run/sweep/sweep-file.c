/* SPDX-License-Identifier: MIT */
/* Each row begins with its number and ends with a sum of its cells, its sweep's digest and a line's
 * end. So a row that was torn when the power failed differs from a whole one, and a file that was
 * sorted or edited, or belongs to another sweep, is recognised. The file grows at its end only:
 * whenever a crash comes, all before the torn row is good.
 *
 * Whoever removes the file while it grows, or writes to it, is told so by the next sync, and the
 * rows that were found are put where they are safe.
 */
#include "run/sweep/sweep-file.h"

#include "idg/kernel/idg-problem.h"
#include "run/base/output.h"
#include "run/sweep/sweep-disk.h"
#include "run/sweep/sweep-line.h"
#include "sim/gpu/wp-gpu.h" /* WP_ERROR */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_UNWRITTEN (64 << 10) /* bytes of rows that wait for the next sync */

struct WpSweepFile
{
  const WpSweepTable *table;
  WpOutput *output;      /* or NULL: it can be resumed */
  WpSweepDisk *disk;     /* where it can be resumed */
  gboolean is_changed;   /* someone else has written to `disk`, to which nothing more is added */
  gchar *ahead_name;     /* where it can be resumed, as `ahead` */
  WpSweepDisk *ahead;    /* or NULL: nothing has had to wait */
  guint64 next;          /* rows before it are in the table */
  gchar **waiting;       /* [WP_SWEEP_WINDOW], row r at r % WP_SWEEP_WINDOW; NULL: not there */
  gboolean *is_in_ahead; /* likewise: those that `ahead` holds */
  guint64 n_waiting, n_in_ahead;
};

/* ---- Errors ---- */

/* Where the reader of standard output has gone, callers print no error. */
static gboolean
fail_to_write (const WpSweepFile *file, GError **error)
{
  gint number = errno;
  gboolean is_standard = file->output->stream == stdout;

  if (is_standard && number == EPIPE)
    g_set_error_literal (error, WP_OUTPUT_ERROR, WP_OUTPUT_ERROR_CLOSED, "nobody reads the rows");
  else
    g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), "cannot write %s: %s",
                 is_standard ? "standard output" : file->output->name,
                 idg_problem_describe (number));
  return FALSE;
}

#define CHANGED                                                                                    \
  "this row has been changed since it was written: its cells and their sum, in column check, "     \
  "differ; write it as it was, or cut the file off before it"

static gboolean
refuse (const WpSweepDisk *disk, guint64 line, const gchar *why, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s:%" G_GUINT64_FORMAT ": %s",
               wp_sweep_disk_get_name (disk), line, why);
  return FALSE;
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

/* No row is in the other file any more. */
static void
forget_ahead (WpSweepFile *file)
{
  g_clear_pointer (&file->ahead, wp_sweep_disk_free);
  memset (file->is_in_ahead, 0, WP_SWEEP_WINDOW * sizeof *file->is_in_ahead);
  file->n_in_ahead = 0;
}

#define NOT_OURS                                                                                   \
  "%s: rows of this sweep that wait for earlier ones go there, but it holds something else; "      \
  "remove it"

/* Makes the other file, which is not there. */
static gboolean
make_ahead (WpSweepFile *file, GError **error)
{
  struct stat status;

  if (stat (file->ahead_name, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE, NOT_OURS, file->ahead_name);
      return FALSE;
    }
  file->ahead = wp_sweep_disk_open (
      file->ahead_name, "rows that wait for earlier ones go into a regular file", error);
  if (file->ahead == NULL || !wp_sweep_disk_cut (file->ahead, error))
    return FALSE;
  wp_output_sync_folder (file->ahead_name);
  return TRUE;
}

/* Looks after the other file, which may have been removed. */
static gboolean
check_ahead (WpSweepFile *file, GError **error)
{
  WpSweepDiskState state
      = file->ahead != NULL ? wp_sweep_disk_look (file->ahead) : WP_SWEEP_DISK_GONE;

  if (state == WP_SWEEP_DISK_CHANGED)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "%s: someone else has written to this file, where rows wait; remove it",
                   file->ahead_name);
      return FALSE;
    }
  if (state == WP_SWEEP_DISK_GONE)
    forget_ahead (file);
  return TRUE;
}

/* Appends the rows that wait and are in no file yet to the other file, which is emptied when no row
 * in it waits. */
static gboolean
write_ahead (WpSweepFile *file, GError **error)
{
  if (!check_ahead (file, error))
    return FALSE;
  if (file->ahead != NULL && file->n_in_ahead == 0 && wp_sweep_disk_get_size (file->ahead) > 0
      && !wp_sweep_disk_empty (file->ahead, error))
    return FALSE;
  if (file->n_in_ahead == file->n_waiting)
    return TRUE;
  if (file->ahead == NULL && !make_ahead (file, error))
    return FALSE;
  for (guint64 row = file->next; row < file->next + WP_SWEEP_WINDOW; row++)
    {
      guint64 i = row % WP_SWEEP_WINDOW;

      if (file->waiting[i] == NULL || file->is_in_ahead[i])
        continue;
      wp_sweep_disk_add (file->ahead, file->waiting[i]);
      file->is_in_ahead[i] = TRUE;
      file->n_in_ahead++;
    }
  return wp_sweep_disk_sync (file->ahead, error);
}

/* ---- Writing ---- */

/* The file has lost its name: all goes into a new one. */
static gboolean
save (WpSweepFile *file, GError **error)
{
  const gchar *name = wp_sweep_disk_get_name (file->disk);
  g_autofree gchar *lost = wp_sweep_disk_take_unwritten (file->disk);
  g_autoptr (WpSweepDisk) saved = wp_sweep_disk_make (name, error);
  const gchar *now;

  if (saved == NULL || !wp_sweep_disk_copy (saved, file->disk, error))
    {
      g_prefix_error (error, "%s: someone has removed or replaced this file meanwhile, and ", name);
      return FALSE;
    }
  now = wp_sweep_disk_get_name (saved);
  wp_sweep_disk_add (saved, lost);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
               "%s: someone has removed or replaced this file meanwhile; its rows are in %s, with "
               "which --resume goes on",
               name, now);
  forget_ahead (file);
  g_free (file->ahead_name);
  file->ahead_name = g_strconcat (now, ".ahead", NULL);
  wp_sweep_disk_free (file->disk);
  file->disk = g_steal_pointer (&saved);
  return wp_sweep_disk_sync (file->disk, NULL) && write_ahead (file, NULL) && FALSE;
}

/* Someone else has written to the file: it stays as it is, and what is new waits in the other. */
static gboolean
hold_back (WpSweepFile *file, GError **error)
{
  g_autofree gchar *lost = wp_sweep_disk_take_unwritten (file->disk);

  file->is_changed = TRUE;
  if (!check_ahead (file, error) || (file->ahead == NULL && !make_ahead (file, error)))
    return FALSE;
  wp_sweep_disk_add (file->ahead, lost);
  if (!wp_sweep_disk_sync (file->ahead, error))
    return FALSE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               "%s: someone else has written to this file meanwhile; it is left as it is, and "
               "later rows are in %s: once it is as it was, --resume goes on with both",
               wp_sweep_disk_get_name (file->disk), file->ahead_name);
  return FALSE;
}

/* Writes what was added to the file, if it is still the same. */
static gboolean
write_disk (WpSweepFile *file, GError **error)
{
  switch (wp_sweep_disk_look (file->disk))
    {
    case WP_SWEEP_DISK_GONE:
      return save (file, error);
    case WP_SWEEP_DISK_CHANGED:
      return hold_back (file, error);
    case WP_SWEEP_DISK_SAME:
    default:
      return wp_sweep_disk_write (file->disk, error);
    }
}

static gboolean
add_line (WpSweepFile *file, const gchar *line, GError **error)
{
  if (file->output != NULL)
    return fputs (line, file->output->stream) != EOF || fail_to_write (file, error);
  wp_sweep_disk_add (file->disk, line);
  return wp_sweep_disk_get_unwritten (file->disk) < MAX_UNWRITTEN || write_disk (file, error);
}

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

/* Writes the rows whose turn it is. */
static gboolean
write_next (WpSweepFile *file, GError **error)
{
  for (guint64 i = file->next % WP_SWEEP_WINDOW; !file->is_changed && file->waiting[i] != NULL;
       i = file->next % WP_SWEEP_WINDOW)
    {
      g_autofree gchar *text = g_steal_pointer (&file->waiting[i]);
      g_autofree gchar *whole = show (file, file->next++, text);

      file->n_waiting--;
      file->n_in_ahead -= file->is_in_ahead[i];
      file->is_in_ahead[i] = FALSE;
      if (!add_line (file, whole != NULL ? whole : text, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Reading what is there ---- */

/* Whether IN, of DISK, has ended. What cannot be read is no torn row: it must not be cut off. */
static gboolean
check_end (const WpSweepDisk *disk, FILE *in, GError **error)
{
  gint number = errno;

  if (feof (in))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), "cannot read %s: %s",
               wp_sweep_disk_get_name (disk), idg_problem_describe (number));
  return FALSE;
}

/* Whether LINE is the beginning of row NEXT, as a crash leaves it. */
static gboolean
is_torn (const WpSweepFile *file, const gchar *line, gsize length)
{
  g_autofree gchar *number = g_strdup_printf ("%" G_GUINT64_FORMAT ",", file->next + 1);

  return file->next < file->table->n_rows
         && strncmp (line, number, MIN (length, MIN (strlen (line), strlen (number)))) == 0;
}

/* Takes LINE, which has LENGTH bytes, if it is the next row. FALSE with no ERROR: it is torn. */
static gboolean
take_line (WpSweepFile *file, const gchar *line, gsize length, GError **error)
{
  const WpSweepTable *table = file->table;
  guint64 row = 0, number = file->next + 2;

  switch (wp_sweep_line_read (line, length, table->digest, table->n_rows, &row))
    {
    case WP_SWEEP_LINE_ROW:
      if (row != file->next)
        return refuse (file->disk, number, "a row that is out of order; rows cannot be moved",
                       error);
      wp_sweep_disk_keep (file->disk, line, length);
      g_free (show (file, file->next++, line));
      return TRUE;
    case WP_SWEEP_LINE_TORN:
      if (is_torn (file, line, length))
        return FALSE;
      return refuse (file->disk, number, "this is no row of this sweep; remove it", error);
    case WP_SWEEP_LINE_CHANGED:
      return refuse (file->disk, number, CHANGED, error);
    case WP_SWEEP_LINE_OTHER:
    default:
      return refuse (file->disk, number,
                     wp_sweep_line_explain (line, length, file->next > 0 ? CHANGED : NULL), error);
    }
}

/* Reads rows 1, 2, ... up to one that a crash has torn. */
static gboolean
read_rows (WpSweepFile *file, FILE *in, GError **error)
{
  g_autofree gchar *line = NULL; /* of getline(): malloc() is g_malloc()'s */
  g_autoptr (GError) problem = NULL;
  size_t size = 0;
  ssize_t length;

  do
    length = getline (&line, &size, in);
  while (length > 0 && take_line (file, line, (gsize)length, &problem));
  if (length <= 0)
    return check_end (file->disk, in, error);
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* The same, from the first line on. A header alone may be torn, too. */
static gboolean
read_table (WpSweepFile *file, FILE *in, GError **error)
{
  const gchar *header = file->table->header;
  const gsize length = strlen (header);
  g_autofree gchar *start = g_malloc (length + 1);
  gsize n = fread (start, 1, length, in);

  if (memcmp (start, header, n) != 0)
    return refuse (file->disk, 1, wp_sweep_line_explain_header (start, n, header), error);
  if (n < length)
    return check_end (file->disk, in, error);
  wp_sweep_disk_keep (file->disk, header, length);
  return read_rows (file, in, error);
}

/* Reads the rows that waited when the file was written last and are still missing, up to a torn
 * one. */
static gboolean
read_waiting (WpSweepFile *file, FILE *in, GError **error)
{
  g_autofree gchar *line = NULL;
  size_t size = 0;
  ssize_t length;

  for (guint64 number = 1; (length = getline (&line, &size, in)) > 0; number++)
    {
      guint64 row = 0;

      switch (
          wp_sweep_line_read (line, (gsize)length, file->table->digest, file->table->n_rows, &row))
        {
        case WP_SWEEP_LINE_TORN:
          return TRUE;
        case WP_SWEEP_LINE_CHANGED:
          return refuse (file->ahead, number, CHANGED, error);
        case WP_SWEEP_LINE_OTHER:
          g_set_error (error, WP_ERROR, WP_ERROR_VALUE, NOT_OURS, file->ahead_name);
          return FALSE;
        case WP_SWEEP_LINE_ROW:
        default:
          wp_sweep_disk_keep (file->ahead, line, (gsize)length);
          if (row < file->next + WP_SWEEP_WINDOW && !wp_sweep_file_has (file, row))
            keep (file, row, g_strndup (line, (gsize)length), TRUE);
        }
    }
  return check_end (file->ahead, in, error);
}

static gboolean
read_file (WpSweepFile *file, WpSweepDisk *disk,
           gboolean (*read) (WpSweepFile *file, FILE *in, GError **error), GError **error)
{
  FILE *in = wp_sweep_disk_read (disk, error);
  gboolean done = in != NULL && read (file, in, error);

  if (in != NULL)
    fclose (in);
  return done;
}

static gboolean
read_ahead (WpSweepFile *file, GError **error)
{
  struct stat status;

  if (stat (file->ahead_name, &status) != 0 && errno == ENOENT)
    return TRUE;
  file->ahead = wp_sweep_disk_open (
      file->ahead_name, "rows that wait for earlier ones go into a regular file", error);
  return file->ahead != NULL && read_file (file, file->ahead, read_waiting, error);
}

/* ---- Opening ---- */

static WpSweepFile *
new_file (const WpSweepTable *table)
{
  WpSweepFile *file = g_new0 (WpSweepFile, 1);

  file->table = table;
  file->waiting = g_new0 (gchar *, WP_SWEEP_WINDOW);
  file->is_in_ahead = g_new0 (gboolean, WP_SWEEP_WINDOW);
  return file;
}

WpSweepFile *
wp_sweep_file_new (const gchar *output, const WpSweepTable *table, GError **error)
{
  g_autoptr (WpSweepFile) file = new_file (table);

  file->output = wp_output_open (output, error);
  if (file->output == NULL)
    return NULL;
  if (!add_line (file, table->header, error))
    return NULL;
  return g_steal_pointer (&file);
}

/* Reads the file, and makes it ready for more rows. */
static gboolean
go_on_with (WpSweepFile *file, GError **error)
{
  if (!read_file (file, file->disk, read_table, error) || !read_ahead (file, error))
    return FALSE;
  /* What a crash has torn is cut off once nothing is refused. */
  if (!wp_sweep_disk_cut (file->disk, error)
      || (file->ahead != NULL && !wp_sweep_disk_cut (file->ahead, error)))
    return FALSE;
  if (wp_sweep_disk_get_size (file->disk) == 0)
    wp_sweep_disk_add (file->disk, file->table->header);
  wp_output_sync_folder (wp_sweep_disk_get_name (file->disk));
  return write_next (file, error) && wp_sweep_file_sync (file, error);
}

WpSweepFile *
wp_sweep_file_resume (const gchar *resume, const WpSweepTable *table, GError **error)
{
  g_autoptr (WpSweepFile) file = new_file (table);

  file->ahead_name = g_strconcat (resume, ".ahead", NULL);
  file->disk = wp_sweep_disk_open (resume, "only a regular file can be resumed", error);
  if (file->disk == NULL || !wp_sweep_disk_lock (file->disk, error))
    return NULL;
  if (go_on_with (file, error))
    return g_steal_pointer (&file);
  wp_sweep_disk_remove_empty (file->disk); /* it was not there, or might as well not have been */
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
  if (file->output != NULL)
    return fflush (file->output->stream) == 0 || fail_to_write (file, error);
  if (!file->is_changed && (!write_disk (file, error) || !wp_sweep_disk_sync (file->disk, error)))
    return FALSE;
  return write_ahead (file, error);
}

gboolean
wp_sweep_file_finish (WpSweepFile *file, GError **error)
{
  if (!wp_sweep_file_sync (file, error))
    return FALSE;
  if (file->output != NULL)
    return wp_output_finish (file->output, error);
  if (file->ahead != NULL)
    wp_sweep_disk_remove (file->ahead);
  return TRUE;
}

void
wp_sweep_file_free (WpSweepFile *file)
{
  if (file == NULL)
    return;
  for (guint i = 0; i < WP_SWEEP_WINDOW; i++)
    g_free (file->waiting[i]);
  wp_sweep_disk_free (file->disk);
  wp_sweep_disk_free (file->ahead);
  wp_output_free (file->output);
  g_free (file->waiting);
  g_free (file->is_in_ahead);
  g_free (file->ahead_name);
  g_free (file);
}
