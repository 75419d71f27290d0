/* SPDX-License-Identifier: MIT */
/* The file of a sweep's table: rows come in any order and are written in theirs.
 *
 * A file that can be resumed holds rows 1 .. n of the table, and perhaps a torn one. FILE.ahead
 * beside it holds rows that wait because an earlier one has not been found. Both are written to the
 * disk whenever the caller calls wp_sweep_file_sync().
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rows that may wait for an earlier one. */
#define WP_SWEEP_WINDOW 4096

typedef struct WpSweepFile WpSweepFile;

/* The table. All is borrowed. */
typedef struct
{
  const gchar *header, *digest; /* see sweep.h */
  guint64 n_rows;
  /* NULL, or called with the line of each row as it takes its place, in order; also for the rows
   * that a file to be resumed has already. */
  void (*watch) (gpointer data, guint64 row, const gchar *line);
  gpointer data;
  /* NULL, or called before that with the same lines; returns what to write in place of the line,
   * freed with g_free(); NULL: the line itself. */
  gchar *(*complete) (gpointer data, guint64 row, const gchar *line);
  gpointer complete_data;
} WpSweepTable;

/* A table in OUTPUT ("-": standard output), which is written whole or not at all. NULL with ERROR.
 */
WpSweepFile *wp_sweep_file_new (const gchar *output, const WpSweepTable *table, GError **error);

/* Resumes the file RESUME, or begins it where there is none. NULL with ERROR, also where the file
 * is not of TABLE, or another process writes it. */
WpSweepFile *wp_sweep_file_resume (const gchar *resume, const WpSweepTable *table, GError **error);

/* The first row, counted from 0, that has not taken its place. */
guint64 wp_sweep_file_get_next (const WpSweepFile *file);

/* How many rows there are, waiting ones included. */
guint64 wp_sweep_file_count (const WpSweepFile *file);

/* Whether ROW, which is below next + WP_SWEEP_WINDOW, is there. */
gboolean wp_sweep_file_has (const WpSweepFile *file, guint64 row);

/* Takes TEXT over, the line of ROW, which was not there and is below next + WP_SWEEP_WINDOW. False
 * with ERROR. */
gboolean wp_sweep_file_put (WpSweepFile *file, guint64 row, gchar *text, GError **error);

/* Makes safe what was put: flushes standard output, or writes a file that can be resumed to the
 * disk. False with ERROR. */
gboolean wp_sweep_file_sync (WpSweepFile *file, GError **error);

/* Ends the table, which has all its rows. False with ERROR. */
gboolean wp_sweep_file_finish (WpSweepFile *file, GError **error);

/* Closes the file. One that was not finished and cannot be resumed is removed. */
void wp_sweep_file_free (WpSweepFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepFile, wp_sweep_file_free)

G_END_DECLS
