/* SPDX-License-Identifier: MIT */
/* The child reads from a file without a name and writes to two others: no pipe fills up, nothing is left behind whatever
 * happens, and nothing reaches the output unless all of it does.
 */
#include "cli/cli-child.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define LOOK 4000    /* microseconds between two looks whether it is done */
#define MAX_SAID 400 /* bytes of what it complains of */

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
fail (GError **error, const gchar *what)
{
  g_set_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (errno), "%s: %s", what,
               g_strerror (errno));
  return FALSE;
}

static gboolean
open_files (Files *files, const GString *input, GError **error)
{
  files->input = tmpfile ();
  files->output = tmpfile ();
  files->said = tmpfile ();
  if (files->input == NULL || files->output == NULL || files->said == NULL
      || fwrite (input->str, 1, input->len, files->input) != input->len
      || fflush (files->input) != 0)
    return fail (error, "cannot write a temporary file");
  rewind (files->input);
  return TRUE;
}

/* In the child: it hears signals, does not outlive its parent, and leads a group of its own, so that it can be ended with all
 * that it has started. */
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

/* Until CHILD has ended, by itself or by a signal that came here, which is asked for last when it has: it may have been ended
 * by what ends this program, too. Returns its status. */
static gint
wait_for (GPid child, const WpSignals *signals, gint *interrupted)
{
  gint status = 0;
  pid_t got;

  do
    {
      got = waitpid (child, &status, WNOHANG);
      *interrupted = wp_signals_take (signals);
      if (got == 0 && *interrupted == 0)
        g_usleep (LOOK);
    }
  while (got == 0 && *interrupted == 0);
  if (got == 0)
    {
      kill (-child, SIGKILL);
      while (waitpid (child, &status, 0) < 0 && errno == EINTR)
        ;
    }
  g_spawn_close_pid (child);
  return status;
}

/* What it complained of, in a line. Free with g_free(). */
static gchar *
get_said (FILE *said)
{
  gchar text[MAX_SAID + 1];
  gsize n;

  rewind (said);
  n = fread (text, 1, MAX_SAID, said);
  text[n] = '\0';
  return g_strdup (g_strstrip (text));
}

static gboolean
check (const gchar *name, gint status, FILE *said, GError **error)
{
  g_autofree gchar *text = get_said (said);

  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  if (WIFSIGNALED (status))
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s was ended by signal %d", name,
                 WTERMSIG (status));
  else
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s failed%s%s", name,
                 *text != '\0' ? ": " : "", text);
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
      return fail (error, "cannot write the output");
  return !ferror (from) || fail (error, "cannot read a temporary file");
}

gboolean
wp_child_run (const gchar *const *argv, const GString *input, FILE *out, const WpSignals *signals,
              gint *interrupted, GError **error)
{
  g_auto (Files) files = { NULL, NULL, NULL };
  GPid child;
  gint status;

  *interrupted = 0;
  if (!open_files (&files, input, error)
      || !g_spawn_async_with_fds (
          NULL, (gchar **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, set_up_child,
          NULL, &child, fileno (files.input), fileno (files.output), fileno (files.said), error))
    return FALSE;
  status = wait_for (child, signals, interrupted);
  if (*interrupted != 0)
    return TRUE;
  return check (argv[0], status, files.said, error) && copy (files.output, out, error);
}
