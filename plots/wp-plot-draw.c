/* SPDX-License-Identifier: MIT */
/* gnuplot reads the script from a file without a name, and writes the picture, and what it complains of, to two others: no
 * name has to be written in the script, nothing is left behind whatever happens, and no pipe fills up. That the
 * picture is whole is seen from its end, as gnuplot does not always notice that a disk is full.
 */
#include "plots/wp-plot-draw.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define LOOK 5000     /* microseconds between two looks whether gnuplot is done */
#define MAX_SAID 400  /* bytes of what gnuplot complains of */
#define MAX_TAIL 1024 /* within so many bytes of its end a picture ends */

G_DEFINE_QUARK (wp - plot - error - quark, wp_plot_error)

/* The files of gnuplot. */
typedef struct
{
  FILE *script, *picture, *said;
} Files;

static void
files_clear (Files *files)
{
  FILE *all[] = { files->script, files->picture, files->said };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i] != NULL)
      fclose (all[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Files, files_clear)

static gboolean
fail (GError **error, const gchar *what)
{
  g_set_error (error, WP_PLOT_ERROR, WP_PLOT_ERROR_FILE, "%s: %s", what, g_strerror (errno));
  return FALSE;
}

static gboolean
open_files (Files *files, const gchar *script, GError **error)
{
  const gsize length = strlen (script);

  files->script = tmpfile ();
  files->picture = tmpfile ();
  files->said = tmpfile ();
  if (files->script == NULL || files->picture == NULL || files->said == NULL
      || fwrite (script, 1, length, files->script) != length || fflush (files->script) != 0)
    return fail (error, "cannot write a temporary file for gnuplot");
  rewind (files->script);
  return TRUE;
}

/* In the child, before gnuplot begins: it hears signals, does not outlive its parent, and leads a group of its own, so that
 * it can be ended with all that it has started. */
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
start (const Files *files, GPid *child, GError **error)
{
  /* Without anybody's own settings; a terminal of theirs that gnuplot does not have makes it give up. */
  const gchar *const argv[] = { "gnuplot", "--default-settings", "-", NULL };
  g_auto (GStrv) environment = g_environ_unsetenv (g_get_environ (), "GNUTERM");
  g_autoptr (GError) problem = NULL;

  if (g_spawn_async_with_fds (NULL, (gchar **)argv, environment,
                              G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, set_up_child, NULL,
                              child, fileno (files->script), fileno (files->picture),
                              fileno (files->said), &problem))
    return TRUE;
  if (g_error_matches (problem, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
    g_set_error (error, WP_PLOT_ERROR, WP_PLOT_ERROR_MISSING,
                 "a plot is drawn by gnuplot, which is not installed (on Debian: apt install "
                 "gnuplot-nox); with --gnuplot FILE the script is kept");
  else
    g_set_error (error, WP_PLOT_ERROR, WP_PLOT_ERROR_GNUPLOT, "cannot start gnuplot: %s",
                 problem->message);
  return FALSE;
}

/* Until CHILD has ended, by itself or as STOP wants it, who is asked last when it has: it may have been ended by what ends
 * this program, too. */
static gint
wait_for (GPid child, WpPlotStop stop, gpointer data, gint *stopped)
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

/* What gnuplot complained of, in a line. Free with g_free(). */
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
is_whole (FILE *picture, const WpPlotFormat *format)
{
  gchar tail[MAX_TAIL];
  gsize n;

  if (fseeko (picture, 0, SEEK_END) != 0 || ftello (picture) == 0)
    return FALSE;
  if (fseeko (picture, -MAX_TAIL, SEEK_END) != 0)
    rewind (picture);
  n = fread (tail, 1, MAX_TAIL, picture);
  for (gsize i = 0; i + format->n_tail <= n; i++)
    if (memcmp (tail + i, format->tail, format->n_tail) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
check (const Files *files, const WpPlotFormat *format, gint status, GError **error)
{
  g_autofree gchar *said = get_said (files);

  if (WIFEXITED (status) && WEXITSTATUS (status) == 0 && is_whole (files->picture, format))
    return TRUE;
  if (WIFSIGNALED (status))
    g_set_error (error, WP_PLOT_ERROR, WP_PLOT_ERROR_GNUPLOT, "gnuplot was ended by signal %d",
                 WTERMSIG (status));
  else
    g_set_error (error, WP_PLOT_ERROR, WP_PLOT_ERROR_GNUPLOT, "gnuplot could not draw the plot%s%s",
                 *said != '\0' ? ": " : "; its picture is not whole", said);
  return FALSE;
}

static gboolean
copy (FILE *from, FILE *to, GError **error)
{
  gchar bytes[16384];
  gsize n;

  rewind (from);
  while ((n = fread (bytes, 1, sizeof bytes, from)) > 0)
    if (fwrite (bytes, 1, n, to) != n)
      return fail (error, "cannot write the plot");
  return !ferror (from) || fail (error, "cannot read what gnuplot has drawn");
}

gboolean
wp_plot_draw (const WpPlot *plot, const WpPlotFormat *format, FILE *out, WpPlotStop stop,
              gpointer data, gint *stopped, GError **error)
{
  g_auto (Files) files = { NULL, NULL, NULL };
  g_autofree gchar *script = wp_plot_get_script (plot, format, NULL);
  GPid child;
  gint status;

  *stopped = 0;
  if (!open_files (&files, script, error) || !start (&files, &child, error))
    return FALSE;
  status = wait_for (child, stop, data, stopped);
  if (*stopped != 0)
    return TRUE;
  return check (&files, format, status, error) && copy (files.picture, out, error);
}
