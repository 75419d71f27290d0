/* SPDX-License-Identifier: MIT */
/* What a command is: what it is called, and what runs it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Exit statuses (FORMATS.md). */
typedef enum
{
  WP_EXIT_DONE = 0,
  WP_EXIT_INPUT = 1,        /* the input is wrong */
  WP_EXIT_USAGE = 2,        /* the command line is wrong */
  WP_EXIT_MACHINE = 3,      /* the machine failed: disk full, no memory */
  WP_EXIT_INTERRUPTED = 130 /* ended by Ctrl-C */
} WpExit;

/* A command. One is a file, cmd-NAME.c, and a line in cli/commands.c. */
typedef struct
{
  const gchar *name;
  const gchar *arguments; /* "KERNEL --gpu GPU" */
  const gchar *summary;   /* a line */
  const gchar *details;   /* more, for --help; or NULL */
  /* ARGV: the command's own, ARGV[0] its name. */
  WpExit (*run) (gchar **argv, guint64 max_issues);
} WpCommand;

G_END_DECLS
