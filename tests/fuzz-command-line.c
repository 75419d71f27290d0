/* SPDX-License-Identifier: MIT */
/* Any bytes as a command line, an argument a line: options, loading, resolving, and the first
 * issues of a run.
 *
 * A fuzzer that may name output files must not get at anybody's: the process lives in an empty
 * folder of its own, emptied after every input, and a line with a '/' (or "..") ends the input
 * unused. GPUs and kernels are the shipped ones, found through WARPIPE_DATA_DIR; no program is, so
 * that nothing is plotted. A run stops after MAX_ISSUES, as if it had been interrupted.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "tests/fuzz.h"

enum
{
  MAX_ISSUES = 20000,
  MAX_ARGUMENTS = 64,
  MAX_BYTES = 4096
};

static void
empty_folder (const gchar *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree gchar *file = g_build_filename (path, name, NULL);
      g_unlink (file);
    }
}

static void remove_folder (void);

static const gchar *
own_folder (void)
{
  static gchar folder[] = "/tmp/warpipe-fuzz-XXXXXX";
  static gsize made;

  if (g_once_init_enter (&made))
    {
      if (g_mkdtemp (folder) == NULL || g_chdir (folder) != 0)
        g_error ("cannot make %s", folder);
      g_setenv ("PATH", "/dev/null", TRUE);
      atexit (remove_folder);
      g_once_init_leave (&made, 1);
    }
  return folder;
}

static void
remove_folder (void)
{
  empty_folder (own_folder ());
  g_rmdir (own_folder ());
}

static gboolean
is_confined (gchar **arguments)
{
  if (g_strv_length (arguments) > MAX_ARGUMENTS)
    return FALSE;
  for (guint i = 0; arguments[i] != NULL; i++)
    if (strchr (arguments[i], '/') != NULL || strstr (arguments[i], "..") != NULL)
      return FALSE;
  return TRUE;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  if (size > MAX_BYTES)
    return 0;
  text = g_strndup ((const gchar *)data, size); /* up to the first NUL: no argument holds one */
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  if (!is_confined (lines))
    return 0;

  g_ptr_array_add (argv, (gpointer) "warpipe");
  for (guint i = 0; lines[i] != NULL; i++)
    g_ptr_array_add (argv, lines[i]);
  g_ptr_array_add (argv, NULL);
  own_folder ();
  wp_cli_main ((int)argv->len - 1, (char **)argv->pdata, MAX_ISSUES);
  empty_folder (own_folder ());
  return 0;
}
