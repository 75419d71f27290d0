/* SPDX-License-Identifier: MIT */
/* Runs a program that draws. It reads from one unnamed temporary file, and writes the picture and
 * its error messages to two others: no file name has to be quoted in its input, no file is left
 * behind whatever happens, and no pipe can fill up. The end of the picture shows whether it is
 * complete, because not every program notices that a disk is full. */
#include "plots/wp-child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define LOOK 4000     /* microseconds between two checks whether it has ended */
#define MAX_SAID 400  /* how much of its error messages to quote, in bytes */
#define MAX_TAIL 1024 /* how close to its end a picture's tail must be, in bytes */

G_DEFINE_QUARK (wp - child - error - quark, wp_child_error)

typedef struct
{
  FILE *input, *output, *said;
} Files;

static void
files_clear (Files *files)
{
  FILE *all[] = { files->input, files->output, files->said };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i] != NULL)
      fclose (all[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Files, files_clear)

static gboolean
fail (GError **error, const gchar *what, const gchar *name)
{
  g_set_error (error, WP_CHILD_ERROR, WP_CHILD_ERROR_FILE, "cannot %s a temporary file for %s: %s",
               what, name, g_strerror (errno));
  return FALSE;
}

static gboolean
open_files (Files *files, const gchar *input, const gchar *name, GError **error)
{
  const gsize length = strlen (input);

  files->input = tmpfile ();
  files->output = tmpfile ();
  files->said = tmpfile ();
  if (files->input == NULL || files->output == NULL || files->said == NULL
      || fwrite (input, 1, length, files->input) != length || fflush (files->input) != 0)
    return fail (error, "write", name);
  rewind (files->input);
  return TRUE;
}

/* ---- The program ---- */

/* Runs in the child before the program begins: unblocks signals, makes it end with its parent, and
 * puts it into its own process group, so that it can be killed with all its children. */
static void
set_up_child (gpointer data)
{
  sigset_t none;

  (void)data;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  setpgid (0, 0);
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static gboolean
start (const Files *files, const gchar *const *argv, const gchar *hidden, GPid *child,
       GError **error)
{
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) problem = NULL;

  if (hidden != NULL)
    environment = g_environ_unsetenv (environment, hidden);
  if (g_spawn_async_with_fds (NULL, (gchar **)argv, environment,
                              G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, set_up_child, NULL,
                              child, fileno (files->input), fileno (files->output),
                              fileno (files->said), &problem))
    return TRUE;
  g_set_error (error, WP_CHILD_ERROR,
               g_error_matches (problem, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT)
                   ? WP_CHILD_ERROR_MISSING
                   : WP_CHILD_ERROR_FAILED,
               "cannot start %s: %s", argv[0], problem->message);
  return FALSE;
}

/* Waits until CHILD has ended, by itself or because STOP asked for it. STOP is called once more at
 * the end, because a signal to this program may have ended the child, too. */
static gint
wait_for (GPid child, WpChildStop stop, gpointer data, gint *stopped)
{
  gint status = 0;
  pid_t got;

  do
    {
      got = waitpid (child, &status, WNOHANG);
      *stopped = stop != NULL ? stop (data) : 0;
      if (got == 0 && *stopped == 0)
        g_usleep (LOOK);
    }
  while (got == 0 && *stopped == 0);
  if (got == 0)
    {
      kill (-child, SIGKILL);
      while (waitpid (child, &status, 0) < 0 && errno == EINTR)
        ;
    }
  g_spawn_close_pid (child);
  return status;
}

/* ---- What it wrote ---- */

/* Returns the program's error messages on one line. Free with g_free(). */
static gchar *
get_said (const Files *files)
{
  gchar text[MAX_SAID + 1];
  gsize n;

  rewind (files->said);
  n = fread (text, 1, MAX_SAID, files->said);
  text[n] = '\0';
  for (gchar *at = text; *at != '\0'; at++)
    if (g_ascii_isspace (*at))
      *at = ' ';
  return g_strdup (g_strstrip (text));
}

static gboolean
is_whole (const GString *picture, const WpPlotFormat *format)
{
  gsize from = picture->len > MAX_TAIL ? picture->len - MAX_TAIL : 0;

  for (gsize i = from; i + format->n_tail <= picture->len; i++)
    if (memcmp (picture->str + i, format->tail, format->n_tail) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
check (const Files *files, const gchar *name, const GString *picture, const WpPlotFormat *format,
       gint status, GError **error)
{
  g_autofree gchar *said = get_said (files);

  if (WIFEXITED (status) && WEXITSTATUS (status) == 0 && is_whole (picture, format))
    return TRUE;
  if (WIFSIGNALED (status))
    g_set_error (error, WP_CHILD_ERROR, WP_CHILD_ERROR_FAILED, "%s was ended by signal %d (%s)",
                 name, WTERMSIG (status), g_strsignal (WTERMSIG (status)));
  else
    g_set_error (error, WP_CHILD_ERROR, WP_CHILD_ERROR_FAILED, "%s could not draw the picture%s%s",
                 name, *said != '\0' ? ": " : "; what it wrote is not whole", said);
  return FALSE;
}

static GString *
read_picture (const Files *files, const gchar *name, GError **error)
{
  GString *picture = g_string_new (NULL);
  gchar bytes[16384];
  gsize n;

  rewind (files->output);
  while ((n = fread (bytes, 1, sizeof bytes, files->output)) > 0)
    g_string_append_len (picture, bytes, (gssize)n);
  if (!ferror (files->output))
    return picture;
  fail (error, "read", name);
  g_string_free (picture, TRUE);
  return NULL;
}

GString *
wp_child_draw (const gchar *const *argv, const gchar *hidden, const gchar *input,
               const WpPlotFormat *format, WpChildStop stop, gpointer data, gint *stopped,
               GError **error)
{
  g_auto (Files) files = { NULL, NULL, NULL };
  g_autoptr (GString) picture = NULL;
  GPid child;
  gint status;

  *stopped = 0;
  if (!open_files (&files, input, argv[0], error) || !start (&files, argv, hidden, &child, error))
    return NULL;
  status = wait_for (child, stop, data, stopped);
  if (*stopped != 0)
    return NULL;
  picture = read_picture (&files, argv[0], error);
  if (picture == NULL || !check (&files, argv[0], picture, format, status, error))
    return NULL;
  return g_steal_pointer (&picture);
}
