/* SPDX-License-Identifier: MIT */
/* What must be done once for a process, before wp_cli_main(). */
#include "cli/commands.h"
#include "cli/common/cli-memory.h"
#include "run/base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* A standard stream that is closed would give its number to the next file that is opened, and what
 * is meant for the stream would go there. /dev/null takes its place, read-only: writing to it
 * fails, as it should. */
static void
fill_standard_streams (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) == -1 && errno == EBADF && open ("/dev/null", O_RDONLY) != fd)
      _exit (WP_EXIT_MACHINE);
}

/* A file that becomes larger than it may is an error of writing, too. Who ignores the signal leaves
 * it to the programs that are started, who handles it does not. */
static void
go_on (int number)
{
  (void)number;
}

static void
set_signals (void)
{
  struct sigaction action = { .sa_handler = go_on, .sa_flags = SA_RESTART };

  sigemptyset (&action.sa_mask);
  sigaction (SIGXFSZ, &action, NULL);
  /* A reader that goes away is an error of writing, so that unfinished files are removed. */
  signal (SIGPIPE, SIG_IGN);
}

/* GLib, and we where nothing else is possible, end a program by G_LOG_LEVEL_ERROR: because there is
 * no memory or no thread. That is an error of the machine, and nothing is left to be freed: what
 * was to be written has no name yet. Whatever else it is, is an error in warpipe, which aborts. */
static GLogWriterOutput
take_message (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  const gchar *message = "";
  const gchar *limit = wp_cli_get_memory_limit_note ();
  struct iovec parts[4]
      = { { (void *)"warpipe: ", 9 }, { NULL, 0 }, { NULL, 0 }, { (void *)"\n", 1 } };

  for (gsize i = 0; i < n; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      message = fields[i].value;
  if ((level & G_LOG_LEVEL_ERROR) == 0
      || !(strstr (message, "allocat") || strstr (message, "memory") || strstr (message, "thread")))
    return g_log_writer_default (level, fields, n, data);
  parts[1] = (struct iovec){ (void *)message, strlen (message) };
  if (strstr (message, "thread") == NULL)
    parts[2] = (struct iovec){ (void *)limit, strlen (limit) };
  if (writev (STDERR_FILENO, parts, G_N_ELEMENTS (parts)) < 0)
    _exit (WP_EXIT_MACHINE); /* nobody can be told */
  _exit (WP_EXIT_MACHINE);
}

int
main (int argc, char **argv)
{
  fill_standard_streams ();
  /* Only to know whether the terminal takes UTF-8: numbers are written the same everywhere. */
  setlocale (LC_CTYPE, "");
  set_signals ();
  wp_stream_take_standard ();
  g_log_set_writer_func (take_message, NULL, NULL);
  return wp_cli_main (argc, argv, 0);
}
