/* SPDX-License-Identifier: MIT */
/* A file is written without a name (O_TMPFILE), so that nothing is left behind even where the
 * program is killed, and gets its name when it is whole. Only a file that is replaced needs one
 * more name between, since linkat() replaces nothing: for the time of two system calls. Where a
 * file system has no nameless files, it has that name from the start.
 *
 * A symbolic link is followed first, so that what it points to is replaced and not the link. What
 * is no regular file (a device, a pipe) is written to as it is. */
#include "config.h"

#include "run/base/output.h"

#include "idg/kernel/idg-problem.h"
#include "run/base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_QUARK (wp - output - error - quark, wp_output_error)

static void
set_error (GError **error, const gchar *name, gint number)
{
  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), "cannot write %s: %s",
               name, idg_problem_describe (number));
}

#define MAX_LINKS 40 /* as in Linux */

gboolean
wp_output_is_standard (const gchar *path)
{
  struct stat file, standard;

  return strcmp (path, "-") == 0
         || (stat (path, &file) == 0 && fstat (STDOUT_FILENO, &standard) == 0
             && file.st_dev == standard.st_dev && file.st_ino == standard.st_ino
             && !S_ISCHR (file.st_mode));
}

/* ---- Places ---- */

/* Moves PLACE to PATH, which is relative to its folder. */
static gboolean
move_to (WpOutputPlace *place, const gchar *path)
{
  const gchar *slash = strrchr (path, '/');
  const gchar *name = slash != NULL ? slash + 1 : path;
  g_autofree gchar *folder = slash == NULL   ? g_strdup (".")
                             : slash == path ? g_strdup ("/")
                                             : g_strndup (path, (gsize)(slash - path));
  gint fd;

  if (*name == '\0' || strcmp (name, ".") == 0 || strcmp (name, "..") == 0)
    {
      errno = *path == '\0' ? ENOENT : EISDIR;
      return FALSE;
    }
  fd = openat (place->folder, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return FALSE;
  if (place->folder >= 0)
    close (place->folder);
  place->folder = fd;
  g_free (place->name);
  place->name = g_strdup (name);
  return TRUE;
}

static void
leave (WpOutputPlace *place)
{
  if (place->folder >= 0)
    close (place->folder);
  place->folder = AT_FDCWD;
  g_clear_pointer (&place->name, g_free);
}

/* Sets PLACE to where PATH leads, links followed as the kernel follows them, whether there is a
 * file or not. PLACE must be left afterwards, also where this fails, with errno. */
static gboolean
locate (WpOutputPlace *place, const gchar *path)
{
  gchar target[PATH_MAX + 1];

  *place = (WpOutputPlace){ AT_FDCWD, NULL };
  for (gint i = 0; i <= MAX_LINKS; i++)
    {
      gssize n;

      if (!move_to (place, path))
        return FALSE;
      n = readlinkat (place->folder, place->name, target, PATH_MAX);
      if (n < 0)
        return errno == EINVAL || errno == ENOENT; /* no link, or nothing */
      target[n] = '\0';
      path = target;
    }
  errno = ELOOP;
  return FALSE;
}

static gboolean
is_same_place (const gchar *one, const gchar *other)
{
  WpOutputPlace first, second;
  struct stat a, b;
  gboolean is_same = FALSE;
  gboolean found = locate (&first, one); /* both are set, whatever is found */

  found = locate (&second, other) && found;
  if (found && fstat (first.folder, &a) == 0 && fstat (second.folder, &b) == 0)
    is_same = a.st_dev == b.st_dev && a.st_ino == b.st_ino && strcmp (first.name, second.name) == 0;
  leave (&first);
  leave (&second);
  return is_same;
}

gboolean
wp_output_is_same (const gchar *one, const gchar *other)
{
  struct stat a, b;

  if (wp_output_is_standard (one) || wp_output_is_standard (other))
    return wp_output_is_standard (one) && wp_output_is_standard (other);
  if (stat (one, &a) == 0 && stat (other, &b) == 0)
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && !S_ISCHR (a.st_mode);
  return is_same_place (one, other);
}

/* ---- Opening ---- */

/* A name that nothing in the folder is likely to have. Free with g_free(). */
static gchar *
make_name (void)
{
  return g_strdup_printf (".warpipe-%08x%08x", g_random_int (), g_random_int ());
}

/* A new file in the folder of output->place, without a name where that is possible, with those
 * rights of MODE that the process and the folder give to new files. */
static gint
open_nameless (WpOutput *output, mode_t mode)
{
  gint fd = -1;

  if (access ("/proc/self/fd", X_OK) == 0) /* which give_name() needs */
    fd = openat (output->place.folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (fd >= 0)
    return fd;
  output->temporary = make_name ();
  fd = openat (output->place.folder, output->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC,
               mode);
  if (fd < 0)
    g_clear_pointer (&output->temporary, g_free);
  return fd;
}

/* REPLACED: the file whose rights it takes over; NULL: none. */
static gboolean
open_temporary (WpOutput *output, const struct stat *replaced)
{
  gint fd = open_nameless (output, replaced != NULL ? 0600 : 0666);

  if (fd < 0)
    return FALSE;
  if (replaced == NULL || fchmod (fd, replaced->st_mode & 0777) == 0)
    output->stream = fdopen (fd, "w");
  if (output->stream == NULL)
    {
      gint reason = errno;

      close (fd);
      errno = reason;
    }
  return output->stream != NULL;
}

static gboolean
open_output (WpOutput *output, const gchar *path)
{
  struct stat status;
  gboolean exists = stat (path, &status) == 0;

  if (wp_output_is_standard (path))
    {
      output->stream = stdout;
      return TRUE;
    }
  if (exists && !S_ISREG (status.st_mode))
    {
      output->stream = wp_stream_open (path); /* a directory fails here as it should */
      return output->stream != NULL;
    }
  if ((exists && access (path, W_OK) != 0) || !locate (&output->place, path))
    return FALSE;
  return open_temporary (output, exists ? &status : NULL);
}

WpOutput *
wp_output_open (const gchar *path, GError **error)
{
  g_autoptr (WpOutput) output = g_new0 (WpOutput, 1);

  output->name = g_strdup (path);
  output->place.folder = AT_FDCWD;
  if (open_output (output, path))
    return g_steal_pointer (&output);
  set_error (error, path, errno);
  return NULL;
}

gboolean
wp_output_write (WpOutput *output, const gchar *bytes, gsize n, GError **error)
{
  gboolean standard = output->stream == stdout;

  errno = EIO; /* if only the stream's error flag shows a failure */
  if (fwrite (bytes, 1, n, output->stream) == n && (!standard || fflush (stdout) == 0))
    return TRUE;
  if (!standard)
    set_error (error, output->name, errno);
  else if (errno == EPIPE)
    g_set_error_literal (error, WP_OUTPUT_ERROR, WP_OUTPUT_ERROR_CLOSED, "nobody reads the output");
  else
    set_error (error, "to standard output", errno);
  return FALSE;
}

/* ---- Finishing ---- */

/* Gives the file of FD, which has no name, that of the place if nothing has it, or else one beside
 * it. */
static gboolean
give_name (WpOutput *output, gint fd)
{
  g_autofree gchar *from = g_strdup_printf ("/proc/self/fd/%d", fd);
  gint folder = output->place.folder;

  if (linkat (AT_FDCWD, from, folder, output->place.name, AT_SYMLINK_FOLLOW) == 0)
    return TRUE;
  if (errno != EEXIST)
    return FALSE;
  output->temporary = make_name ();
  if (linkat (AT_FDCWD, from, folder, output->temporary, AT_SYMLINK_FOLLOW) == 0)
    return TRUE;
  g_clear_pointer (&output->temporary, g_free);
  return FALSE;
}

/* So that the name, too, outlasts a power failure. A folder that may not be read cannot be
 * synced, nor can those of some file systems. */
static gboolean
sync_folder (gint folder)
{
  gint fd = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean done = fd < 0 ? errno == EACCES : fsync (fd) == 0 || errno == EINVAL;

  if (fd >= 0)
    close (fd);
  return done;
}

void
wp_output_sync_folder (const gchar *path)
{
  WpOutputPlace place;

  if (locate (&place, path))
    sync_folder (place.folder);
  leave (&place);
}

/* Puts the file, which is written, in its place. */
static gboolean
put_in_place (WpOutput *output)
{
  gint folder = output->place.folder;
  gint fd = fileno (output->stream);

  if (fsync (fd) != 0 || (output->temporary == NULL && !give_name (output, fd)))
    return FALSE;
  if (output->temporary != NULL
      && renameat (folder, output->temporary, folder, output->place.name) != 0)
    return FALSE;
  g_clear_pointer (&output->temporary, g_free);
  return sync_folder (folder);
}

gboolean
wp_output_finish (WpOutput *output, GError **error)
{
  gboolean done;

  errno = EIO; /* if only the stream's error flag shows a failure */
  done = fflush (output->stream) == 0 && !ferror (output->stream);
  if (output->stream != stdout)
    {
      done = done && (output->place.name == NULL || put_in_place (output));
      if (done)
        done = fclose (g_steal_pointer (&output->stream)) == 0;
    }
  if (!done)
    set_error (error, output->name, errno);
  return done;
}

void
wp_output_free (WpOutput *output)
{
  if (output == NULL)
    return;
  if (output->stream != NULL && output->stream != stdout)
    fclose (output->stream);
  if (output->temporary != NULL)
    unlinkat (output->place.folder, output->temporary, 0);
  leave (&output->place);
  g_free (output->temporary);
  g_free (output->name);
  g_free (output);
}
