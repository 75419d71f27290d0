/* SPDX-License-Identifier: MIT */
/* The program but for its main(): so that tests can call it. */
#pragma once

#include <glib.h>

/* Exit statuses (FORMATS.md). */
typedef enum
{
  WP_EXIT_DONE = 0,
  WP_EXIT_INPUT = 1,        /* the input is wrong */
  WP_EXIT_USAGE = 2,        /* the command line is wrong */
  WP_EXIT_MACHINE = 3,      /* the machine failed: disk full, no memory */
  WP_EXIT_INTERRUPTED = 130 /* ended by Ctrl-C */
} WpExit;

/* Runs the command that ARGV names (ARGV[0] is the program) and returns its exit status.
 * MAX_ISSUES: end a run as if interrupted after about so many instructions; 0: never (for tests
 * that must end). */
int wp_cli_main (int argc, char **argv, guint64 max_issues);
