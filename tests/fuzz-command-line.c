/* SPDX-License-Identifier: MIT */
/* Any bytes as a command line, an argument a line: options, loading, resolving, and the first
 * issues of a run.
 *
 * A fuzzer that may name output files must not get at anybody's: the process lives in an empty
 * folder of its own, emptied after every input, and a line with a '/' (or "..") ends the input
 * unused. GPUs and kernels are the shipped ones, found through WARPIPE_DATA_DIR; no program is, so
 * that nothing is plotted. A run stops after MAX_ISSUES, as if it had been interrupted.
 */
#include <string.h>

#include "cli/commands.h"
#include "tests/fuzz-folder.h"
#include "tests/fuzz.h"

enum
{
  MAX_ISSUES = 20000,
  MAX_ARGUMENTS = 64,
  MAX_BYTES = 4096
};

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
  fuzz_enter_folder ();
  wp_cli_main ((int)argv->len - 1, (char **)argv->pdata, MAX_ISSUES);
  fuzz_empty_folder ();
  return 0;
}
