/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <locale.h>
#include <signal.h>

int
main (int argc, char **argv)
{
  /* Only to know whether the terminal takes UTF-8: numbers are written the same everywhere. */
  setlocale (LC_CTYPE, "");
  /* A reader that goes away is an error of writing, so that unfinished files are removed. */
  signal (SIGPIPE, SIG_IGN);
  return wp_cli_main (argc, argv, 0);
}
