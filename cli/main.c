/* SPDX-License-Identifier: MIT */
/* What must be done once for a process, before wp_cli_main(). */
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
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

int
main (int argc, char **argv)
{
  fill_standard_streams ();
  /* Only to know whether the terminal takes UTF-8: numbers are written the same everywhere. */
  setlocale (LC_CTYPE, "");
  /* A reader that goes away is an error of writing, so that unfinished files are removed. */
  signal (SIGPIPE, SIG_IGN);
  return wp_cli_main (argc, argv, 0);
}
