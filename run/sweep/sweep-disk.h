/* SPDX-License-Identifier: MIT */
/* A file that grows at its end for hours, while someone else may remove it or save another in its
 * place: nothing is written before a look whether it is still the same. */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef enum
{
  WP_SWEEP_DISK_SAME,
  WP_SWEEP_DISK_GONE,    /* nothing has its name any more, or another file; all of it can be read */
  WP_SWEEP_DISK_CHANGED, /* someone else has written to it */
} WpSweepDiskState;

typedef struct WpSweepDisk WpSweepDisk;

/* Opens the regular file NAME, or makes it. NULL with ERROR; where it is none, in words that end
 * in USE, what it is opened for. */
WpSweepDisk *wp_sweep_disk_open (const gchar *name, const gchar *use, GError **error);

/* Makes a file that was not there: NAME.saved, or if there is one NAME.saved2, ... */
WpSweepDisk *wp_sweep_disk_make (const gchar *name, GError **error);

const gchar *wp_sweep_disk_get_name (const WpSweepDisk *disk);

/* Keeps other processes from locking it; false with ERROR: another one has. */
gboolean wp_sweep_disk_lock (WpSweepDisk *disk, GError **error);

/* A stream that reads it from its beginning, to close by the caller. NULL with ERROR. */
FILE *wp_sweep_disk_read (const WpSweepDisk *disk, GError **error);

/* Takes the N BYTES after those that were taken before for a part of it that stays. */
void wp_sweep_disk_keep (WpSweepDisk *disk, const gchar *bytes, gsize n);

/* Cuts it off after what was kept. False with ERROR. */
gboolean wp_sweep_disk_cut (WpSweepDisk *disk, GError **error);

/* Empties it. False with ERROR. */
gboolean wp_sweep_disk_empty (WpSweepDisk *disk, GError **error);

/* Adds TEXT, which wp_sweep_disk_write() or _sync() writes. */
void wp_sweep_disk_add (WpSweepDisk *disk, const gchar *text);

/* How many bytes were added and not written. */
gsize wp_sweep_disk_get_unwritten (const WpSweepDisk *disk);

/* The text that was added and not written; it is none of the file's then. Free with g_free(). */
gchar *wp_sweep_disk_take_unwritten (WpSweepDisk *disk);

WpSweepDiskState wp_sweep_disk_look (WpSweepDisk *disk);

/* Writes what was added. The file must be the same. False with ERROR. */
gboolean wp_sweep_disk_write (WpSweepDisk *disk, GError **error);

/* The same, to the disk. */
gboolean wp_sweep_disk_sync (WpSweepDisk *disk, GError **error);

/* Adds the whole of FROM to DISK, and writes it. False with ERROR. */
gboolean wp_sweep_disk_copy (WpSweepDisk *disk, const WpSweepDisk *from, GError **error);

/* How many bytes it has, written or not. */
goffset wp_sweep_disk_get_size (const WpSweepDisk *disk);

/* Removes it, if it still has its name. */
void wp_sweep_disk_remove (const WpSweepDisk *disk);

/* The same, if it is empty. */
void wp_sweep_disk_remove_empty (const WpSweepDisk *disk);

/* Closes it; what was not written is lost. */
void wp_sweep_disk_free (WpSweepDisk *disk);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSweepDisk, wp_sweep_disk_free)

G_END_DECLS
