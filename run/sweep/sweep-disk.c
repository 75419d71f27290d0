/* SPDX-License-Identifier: MIT */
/* Whether someone else has written to a file shows in its size and its time of change. As the time
 * also changes where nothing else does (touch), all of it is then read and compared, by a sum.
 */
#include "run/sweep/sweep-disk.h"

#include "idg/kernel/idg-problem.h"
#include "sim/gpu/wp-gpu.h" /* WP_ERROR */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_SAVED 1000
#define PART 65536 /* bytes read at once */

struct WpSweepDisk
{
  gchar *name; /* as the user gave it */
  gint fd;
  goffset size; /* of what we have read or written */
  guint64 sum;  /* of that: FNV-1a */
  struct timespec changed;
  GString *unwritten;
};

#define NO_SUM G_GUINT64_CONSTANT (0xcbf29ce484222325)

static guint64
sum_up (guint64 sum, const gchar *bytes, gsize n)
{
  for (gsize i = 0; i < n; i++)
    sum = (sum ^ (guchar)bytes[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return sum;
}

static gboolean
fail (const WpSweepDisk *disk, GError **error)
{
  gint number = errno;

  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), "cannot write %s: %s",
               disk->name, idg_problem_describe (number));
  return FALSE;
}

/* ---- Opening ---- */

static WpSweepDisk *
new_disk (const gchar *name)
{
  WpSweepDisk *disk = g_new0 (WpSweepDisk, 1);

  disk->name = g_strdup (name);
  disk->fd = -1;
  disk->sum = NO_SUM;
  disk->unwritten = g_string_new (NULL);
  return disk;
}

/* Without waiting for whom a FIFO is for. */
static gint
open_name (const gchar *name, gint flags)
{
  return open (name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags, 0666);
}

WpSweepDisk *
wp_sweep_disk_open (const gchar *name, const gchar *use, GError **error)
{
  g_autoptr (WpSweepDisk) disk = new_disk (name);
  struct stat status;

  disk->fd = open_name (name, 0);
  if (disk->fd < 0 || fstat (disk->fd, &status) != 0)
    {
      fail (disk, error);
      return NULL;
    }
  if (S_ISREG (status.st_mode))
    return g_steal_pointer (&disk);
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s: %s, which this is not", name, use);
  return NULL;
}

WpSweepDisk *
wp_sweep_disk_make (const gchar *name, GError **error)
{
  g_autoptr (WpSweepDisk) disk = NULL;

  for (guint i = 1; i <= MAX_SAVED; i++)
    {
      g_autofree gchar *number = i > 1 ? g_strdup_printf ("%u", i) : g_strdup ("");
      g_autofree gchar *saved = g_strconcat (name, ".saved", number, NULL);

      g_clear_pointer (&disk, wp_sweep_disk_free);
      disk = new_disk (saved);
      disk->fd = open_name (saved, O_EXCL);
      if (disk->fd >= 0 || errno != EEXIST)
        break;
    }
  if (disk->fd >= 0)
    return g_steal_pointer (&disk);
  fail (disk, error);
  return NULL;
}

const gchar *
wp_sweep_disk_get_name (const WpSweepDisk *disk)
{
  return disk->name;
}

static gboolean
has_its_name (const WpSweepDisk *disk)
{
  struct stat own, named;

  return fstat (disk->fd, &own) == 0 && stat (disk->name, &named) == 0 && own.st_dev == named.st_dev
         && own.st_ino == named.st_ino;
}

/* Between opening it and locking it, who had locked it may have removed it. */
gboolean
wp_sweep_disk_lock (WpSweepDisk *disk, GError **error)
{
  if ((flock (disk->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) || !has_its_name (disk))
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s: another warpipe is writing this file",
                   disk->name);
      return FALSE;
    }
  return TRUE;
}

FILE *
wp_sweep_disk_read (const WpSweepDisk *disk, GError **error)
{
  gint fd = fcntl (disk->fd, F_DUPFD_CLOEXEC, 0);
  FILE *stream = fd >= 0 && lseek (fd, 0, SEEK_SET) == 0 ? fdopen (fd, "r") : NULL;

  if (stream == NULL)
    fail (disk, error);
  if (stream == NULL && fd >= 0)
    close (fd);
  return stream;
}

/* ---- Whether it is the same ---- */

/* Follows a write. A file system's clock may stand still for some milliseconds, in which someone
 * else writes, too: the file gets a time that it would not get by that. */
static void
remember_time (WpSweepDisk *disk)
{
  struct timespec times[2] = { { 0, UTIME_OMIT }, { 0, 0 } }, *now = &times[1];
  struct stat status;

  clock_gettime (CLOCK_REALTIME, now);
  disk->changed = (struct timespec){ 0, 0 }; /* its bytes are compared */
  if (fstat (disk->fd, &status) != 0 || status.st_mtim.tv_sec > now->tv_sec
      || (status.st_mtim.tv_sec == now->tv_sec && status.st_mtim.tv_nsec > now->tv_nsec))
    return;
  futimens (disk->fd, times); /* who is not the owner may not */
  if (fstat (disk->fd, &status) == 0)
    disk->changed = status.st_mtim;
}

/* Whether its bytes are those that were read and written. */
static gboolean
has_its_bytes (const WpSweepDisk *disk)
{
  g_autofree gchar *bytes = g_malloc (PART);
  guint64 sum = NO_SUM;
  goffset at = 0;

  while (at < disk->size)
    {
      gssize n = pread (disk->fd, bytes, (gsize)MIN (PART, disk->size - at), at);

      if (n == 0 || (n < 0 && errno != EINTR))
        return FALSE;
      sum = sum_up (sum, bytes, (gsize)MAX (n, 0));
      at += MAX (n, 0);
    }
  return sum == disk->sum;
}

WpSweepDiskState
wp_sweep_disk_look (WpSweepDisk *disk)
{
  struct stat status;

  if (!has_its_name (disk))
    return WP_SWEEP_DISK_GONE;
  if (fstat (disk->fd, &status) != 0 || status.st_size != disk->size)
    return WP_SWEEP_DISK_CHANGED;
  if (status.st_mtim.tv_sec == disk->changed.tv_sec
      && status.st_mtim.tv_nsec == disk->changed.tv_nsec)
    return WP_SWEEP_DISK_SAME;
  disk->changed = status.st_mtim;
  return has_its_bytes (disk) ? WP_SWEEP_DISK_SAME : WP_SWEEP_DISK_CHANGED;
}

/* ---- Writing ---- */

void
wp_sweep_disk_keep (WpSweepDisk *disk, const gchar *bytes, gsize n)
{
  disk->size += (goffset)n;
  disk->sum = sum_up (disk->sum, bytes, n);
}

gboolean
wp_sweep_disk_cut (WpSweepDisk *disk, GError **error)
{
  struct stat status;

  if (fstat (disk->fd, &status) != 0
      || (status.st_size != disk->size && ftruncate (disk->fd, disk->size) != 0))
    return fail (disk, error);
  remember_time (disk);
  return TRUE;
}

gboolean
wp_sweep_disk_empty (WpSweepDisk *disk, GError **error)
{
  disk->size = 0;
  disk->sum = NO_SUM;
  return wp_sweep_disk_cut (disk, error);
}

void
wp_sweep_disk_add (WpSweepDisk *disk, const gchar *text)
{
  g_string_append (disk->unwritten, text);
}

gsize
wp_sweep_disk_get_unwritten (const WpSweepDisk *disk)
{
  return disk->unwritten->len;
}

gchar *
wp_sweep_disk_take_unwritten (WpSweepDisk *disk)
{
  gchar *text = g_strndup (disk->unwritten->str, disk->unwritten->len);

  g_string_truncate (disk->unwritten, 0);
  return text;
}

gboolean
wp_sweep_disk_write (WpSweepDisk *disk, GError **error)
{
  gssize n = 0;

  if (disk->unwritten->len == 0)
    return TRUE;
  for (gsize at = 0; at < disk->unwritten->len; at += (gsize)MAX (n, 0))
    {
      n = write (disk->fd, disk->unwritten->str + at, disk->unwritten->len - at);
      if (n > 0)
        wp_sweep_disk_keep (disk, disk->unwritten->str + at, (gsize)n);
      else if (n == 0 || errno != EINTR)
        {
          fail (disk, error);
          g_string_erase (disk->unwritten, 0, (gssize)at);
          return FALSE;
        }
    }
  g_string_truncate (disk->unwritten, 0);
  remember_time (disk);
  return TRUE;
}

gboolean
wp_sweep_disk_sync (WpSweepDisk *disk, GError **error)
{
  if (!wp_sweep_disk_write (disk, error))
    return FALSE;
  if (fdatasync (disk->fd) != 0)
    return fail (disk, error);
  return TRUE;
}

gboolean
wp_sweep_disk_copy (WpSweepDisk *disk, const WpSweepDisk *from, GError **error)
{
  g_autofree gchar *bytes = g_malloc (PART);
  goffset at = 0;
  gssize n;

  while ((n = pread (from->fd, bytes, PART, at)) > 0 || (n < 0 && errno == EINTR))
    {
      g_string_append_len (disk->unwritten, bytes, MAX (n, 0));
      at += MAX (n, 0);
      if (!wp_sweep_disk_write (disk, error))
        return FALSE;
    }
  return n == 0 || fail (disk, error);
}

goffset
wp_sweep_disk_get_size (const WpSweepDisk *disk)
{
  return disk->size + (goffset)disk->unwritten->len;
}

void
wp_sweep_disk_remove (const WpSweepDisk *disk)
{
  if (has_its_name (disk))
    unlink (disk->name);
}

void
wp_sweep_disk_remove_empty (const WpSweepDisk *disk)
{
  struct stat status;

  if (fstat (disk->fd, &status) == 0 && status.st_size == 0)
    wp_sweep_disk_remove (disk);
}

void
wp_sweep_disk_free (WpSweepDisk *disk)
{
  if (disk == NULL)
    return;
  if (disk->fd >= 0)
    close (disk->fd);
  g_string_free (disk->unwritten, TRUE);
  g_free (disk->name);
  g_free (disk);
}
