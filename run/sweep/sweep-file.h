/* SPDX-License-Identifier: MIT */
/* Where the rows of a sweep go: they come in any order and leave in theirs.
 *
 * A file that can be resumed holds rows 1 .. n of the table, and perhaps a torn one; beside it, in
 * FILE.ahead, stand rows that were found before an earlier one, as they wait. Both are synced to
 * the disk as often as the caller says.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rows that may wait for an earlier one. */
#define WP_SWEEP_WINDOW 4096

typedef struct WpSweepFile WpSweepFile;

/* What the file is of. All are borrowed. */
typedef struct
{
  const gchar *header, *digest; /* see sweep.h */
  guint64 n_rows;
  /* NULL, or is shown the line of each row as it takes its place, in order; those that a file to be
   * resumed has already, too. */
  void (*watch) (gpointer data, guint64 row, const gchar *line);
  gpointer data;
  /* NULL, or is shown the same lines before, and says what to write in place of one that is put,
   * free with g_free(); NULL: the line itself. */
  gchar *(*complete) (gpointer data, guint64 row, const gchar *line);
  gpointer complete_data;
} WpSweepTable;

/* Rows to OUTPUT ("-": standard output): a file is there whole or not at all. NULL with ERROR. */
WpSweepFile *wp_sweep_file_new (const gchar *output, const WpSweepTable *table, GError **error);

/* Goes on with RESUME, or begins it where there is none. Refuses what is not of TABLE, and a file
 * that somebody else is writing. NULL with ERROR. */
WpSweepFile *wp_sweep_file_resume (const gchar *resume, const WpSweepTable *table, GError **error);

/* The first row, counted from 0, that is not in its place yet. */
guint64 wp_sweep_file_get_next (const WpSweepFile *file);

/* How many there are, waiting ones included. */
guint64 wp_sweep_file_count (const WpSweepFile *file);

/* Whether ROW, which is below next + WP_SWEEP_WINDOW, is there. */
gboolean wp_sweep_file_has (const WpSweepFile *file, guint64 row);

/* Takes TEXT over, the line of ROW, which was not there and is below next + WP_SWEEP_WINDOW. False
 * with ERROR. */
gboolean wp_sweep_file_put (WpSweepFile *file, guint64 row, gchar *text, GError **error);

/* What was put is safe: on standard output, flushed; in a file that can be resumed, on the disk.
 * False with ERROR. */
gboolean wp_sweep_file_sync (WpSweepFile *file, GError **error);

/* All rows are there: the table is whole. False with ERROR. */
gboolean wp_sweep_file_finish (WpSweepFile *file, GError **error);

/* Closes the file. What was not finished is gone, but for standard output and for what can be
 * resumed. */
void wp_sweep_file_free (WpSweepFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepFile, wp_sweep_file_free)

G_END_DECLS
