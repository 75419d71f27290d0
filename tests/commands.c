/* SPDX-License-Identifier: MIT */
/* Runs commands one after another, in this process: under sanitizers, and where instructions are
 * counted (bench/measure.py, growth.sh), it is the beginning of a process that takes long.
 *
 * usage: commands OUT ERR
 *
 * A command on standard input is the number of its words and a new line, and then each word, its
 * end a NUL. What it prints goes to the end of OUT and ERR; standard output has its exit status in
 * a line of its own. What is not freed is found at the end, of all of them. */
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"

static void
send_to (const gchar *path, gint fd)
{
  gint file = open (path, O_WRONLY | O_CREAT | O_APPEND, 0666);

  if (file < 0 || dup2 (file, fd) != fd)
    g_error ("%s cannot be written", path);
  close (file);
}

/* The words after "warpipe"; NULL at the end of the input. */
static GPtrArray *
read_command (FILE *in)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (free);
  guint n;

  if (fscanf (in, "%u", &n) != 1 || fgetc (in) != '\n')
    return NULL;
  g_ptr_array_add (words, g_strdup ("warpipe"));
  for (guint i = 0; i < n; i++)
    {
      gchar *word = NULL;
      size_t size = 0;

      if (getdelim (&word, &size, '\0', in) < 1)
        g_error ("a word is missing");
      g_ptr_array_add (words, word);
    }
  g_ptr_array_add (words, NULL);
  return g_steal_pointer (&words);
}

int
main (int argc, char **argv)
{
  FILE *in = fdopen (dup (STDIN_FILENO), "r"), *answers = fdopen (dup (STDOUT_FILENO), "w");
  GPtrArray *words;

  if (argc != 3 || in == NULL || answers == NULL || freopen ("/dev/null", "r", stdin) == NULL)
    return 99;
  while ((words = read_command (in)) != NULL)
    {
      gint status;

      send_to (argv[1], STDOUT_FILENO);
      send_to (argv[2], STDERR_FILENO);
      status = wp_cli_main ((gint)words->len - 1, (gchar **)words->pdata, 0);
      fflush (stderr);
      clearerr (stdout);
      g_ptr_array_unref (words);
      fprintf (answers, "%d\n", status);
      fflush (answers);
    }
  fclose (in);
  fclose (answers);
  return 0;
}
