/* SPDX-License-Identifier: MIT */
/* A symbolic link is followed first, so that what it points to is replaced and not the link. */
#include "cli/cli-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
set_error (GError **error, const gchar *name, gint number)
{
  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), "cannot write %s: %s",
               name, g_strerror (number));
}

/* A new file beside output->target, with the rights that the user's mask leaves. */
static gboolean
open_temporary (WpOutput *output)
{
  gint fd;
  mode_t mask;

  output->temporary = g_strconcat (output->target, ".XXXXXX", NULL);
  fd = g_mkstemp_full (output->temporary, O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      g_clear_pointer (&output->temporary, g_free);
      return FALSE;
    }
  mask = umask (0);
  umask (mask);
  fchmod (fd, 0666 & ~mask);
  output->stream = fdopen (fd, "w");
  return output->stream != NULL;
}

WpOutput *
wp_output_open (const gchar *path, GError **error)
{
  g_autoptr (WpOutput) output = g_new0 (WpOutput, 1);
  struct stat status;
  gchar *resolved;

  output->name = g_strdup (path);
  if (strcmp (path, "-") == 0)
    {
      output->stream = stdout;
      return g_steal_pointer (&output);
    }
  if (stat (path, &status) == 0 && !S_ISREG (status.st_mode))
    {
      /* A directory fails here as it should. */
      output->stream = fopen (path, "we");
      if (output->stream == NULL)
        {
          set_error (error, path, errno);
          return NULL;
        }
      return g_steal_pointer (&output);
    }
  resolved = realpath (path, NULL);
  output->target = g_strdup (resolved != NULL ? resolved : path);
  free (resolved);
  if (!open_temporary (output))
    {
      set_error (error, path, errno);
      return NULL;
    }
  return g_steal_pointer (&output);
}

gboolean
wp_output_finish (WpOutput *output, GError **error)
{
  gint failed;

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
