/* SPDX-License-Identifier: MIT */
/* A symbolic link is followed first, so that what it points to is replaced and not the link. What
 * is no regular file (a device, a pipe) is written to as it is. */
#include "run/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_QUARK (wp - output - error - quark, wp_output_error)

static void
set_error (GError **error, const gchar *name, gint number)
{
  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), "cannot write %s: %s",
               name, g_strerror (number));
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

/* Where PATH leads, links followed, whether there is a file or not. */
static gchar *
follow_links (const gchar *path)
{
  gchar *at = g_canonicalize_filename (path, NULL);

  for (gint i = 0; i < MAX_LINKS; i++)
    {
      g_autofree gchar *target = g_file_read_link (at, NULL);
      g_autofree gchar *folder = g_path_get_dirname (at);

      if (target == NULL)
        break;
      g_free (at);
      at = g_canonicalize_filename (target, folder);
    }
  return at;
}

gboolean
wp_output_is_same (const gchar *one, const gchar *other)
{
  g_autofree gchar *first = follow_links (one);
  g_autofree gchar *second = follow_links (other);
  struct stat a, b;

  if (wp_output_is_standard (one) || wp_output_is_standard (other))
    return wp_output_is_standard (one) && wp_output_is_standard (other);
  if (stat (one, &a) == 0 && stat (other, &b) == 0)
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && !S_ISCHR (a.st_mode);
  return strcmp (first, second) == 0;
}

/* A new file in the folder of output->target, with MODE. */
static gboolean
open_temporary (WpOutput *output, mode_t mode)
{
  g_autofree gchar *folder = g_path_get_dirname (output->target);
  gint fd;

  output->temporary = g_build_filename (folder, ".warpipe-XXXXXX", NULL);
  fd = g_mkstemp_full (output->temporary, O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      g_clear_pointer (&output->temporary, g_free);
      return FALSE;
    }
  if (fchmod (fd, mode) != 0)
    return FALSE;
  output->stream = fdopen (fd, "w");
  return output->stream != NULL;
}

/* The rights of a new file. */
static mode_t
get_new_mode (void)
{
  mode_t mask = umask (0);

  umask (mask);
  return 0666 & ~mask;
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
      output->stream = fopen (path, "we"); /* a directory fails here as it should */
      return output->stream != NULL;
    }
  if (exists && access (path, W_OK) != 0)
    return FALSE;
  output->target = follow_links (path);
  return open_temporary (output, exists ? status.st_mode & 0777 : get_new_mode ());
}

WpOutput *
wp_output_open (const gchar *path, GError **error)
{
  g_autoptr (WpOutput) output = g_new0 (WpOutput, 1);

  output->name = g_strdup (path);
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

gboolean
wp_output_finish (WpOutput *output, GError **error)
{
  gint failed;

  errno = EIO; /* if only the stream's error flag shows a failure */
  if (output->stream == stdout)
    failed = fflush (stdout);
  else
    {
      failed = fflush (output->stream) | ferror (output->stream);
      failed |= fclose (g_steal_pointer (&output->stream));
    }
  if (failed == 0 && output->temporary != NULL)
    failed = g_rename (output->temporary, output->target);
  if (failed != 0)
    {
      set_error (error, output->name, errno);
      return FALSE;
    }
  g_clear_pointer (&output->temporary, g_free);
  return TRUE;
}

void
wp_output_free (WpOutput *output)
{
  if (output == NULL)
    return;
  if (output->stream != NULL && output->stream != stdout)
    fclose (output->stream);
  if (output->temporary != NULL)
    g_unlink (output->temporary);
  g_free (output->temporary);
  g_free (output->target);
  g_free (output->name);
  g_free (output);
}
