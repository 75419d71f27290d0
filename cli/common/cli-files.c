/* SPDX-License-Identifier: MIT */
#include "cli/common/cli-files.h"

#include "cli/common/cli.h"
#include "exec/memory/wp-fill.h"
#include "run/base/output.h"

#include <glib/gstdio.h>
#include <string.h>

/* What is shipped is read by its name, which need be no file. */
static gboolean
is_read (const gchar *input, const gchar *output)
{
  return g_file_test (input, G_FILE_TEST_IS_REGULAR) && wp_output_is_same (input, output);
}

/* The file of the --data OPTION, or NULL. Free with g_free(). What is wrong is said where it is
 * used. */
static gchar *
get_data_file (const gchar *option)
{
  g_autofree gchar *name = NULL;
  g_autoptr (WpFill) fill = wp_fill_parse (option, &name, NULL);

  return fill != NULL ? g_steal_pointer (&fill->path) : NULL;
}

/* The one of INPUTS that OUTPUT is, or NULL. Free with g_free(). */
static gchar *
find_same (const WpInputs *inputs, const gchar *output)
{
  g_auto (GStrv) gpus = g_strsplit (inputs->gpus != NULL ? inputs->gpus : "", ",", -1);
  const WpImportOptions *import = inputs->import;

  for (guint i = 0; inputs->files != NULL && inputs->files[i] != NULL; i++)
    if (is_read (inputs->files[i], output))
      return g_strdup (inputs->files[i]);
  for (guint i = 0; gpus[i] != NULL; i++)
    if (is_read (gpus[i], output))
      return g_strdup (gpus[i]);
  if (import != NULL && import->ptxas_log != NULL && is_read (import->ptxas_log, output))
    return g_strdup (import->ptxas_log);
  for (guint i = 0; import != NULL && import->data != NULL && import->data[i] != NULL; i++)
    {
      g_autofree gchar *file = get_data_file (import->data[i]);

      if (file != NULL && is_read (file, output))
        return g_steal_pointer (&file);
    }
  return NULL;
}

gboolean
wp_cli_check_apart (const WpCommand *command, const WpInputs *inputs, const gchar *option,
                    const gchar *output)
{
  g_autofree gchar *same
      = output != NULL && !wp_output_is_standard (output) ? find_same (inputs, output) : NULL;

  if (same == NULL)
    return TRUE;
  if (strcmp (same, output) == 0)
    wp_cli_usage (command, "%s %s: that file is read; give another name", option, output);
  else
    wp_cli_usage (command, "%s %s: that is %s, which is read; give another name", option, output,
                  same);
  return FALSE;
}

/* Whether PATH, that of dump I, is none of the outputs before it. */
static gboolean
check_dump (const WpCommand *command, GPtrArray *outputs, const gchar *path)
{
  for (guint i = 0; i < outputs->len; i++)
    if (wp_output_is_same (path, g_ptr_array_index (outputs, i)))
      {
        wp_cli_usage (command, "--dump: %s is written twice; give each output a file of its own",
                      path);
        return FALSE;
      }
  return TRUE;
}

gboolean
wp_cli_check_dumps (const WpCommand *command, const WpInputs *inputs, gchar *const *others, guint n)
{
  gchar *const *dumps = inputs->import->dumps;
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    if (others[i] != NULL)
      g_ptr_array_add (outputs, g_strdup (others[i]));
  for (guint i = 0; dumps != NULL && dumps[i] != NULL; i++)
    {
      g_autofree gchar *name = NULL, *path = NULL;

      if (!wp_dump_parse (dumps[i], &name, &path, NULL))
        continue; /* said where it is used */
      if (!wp_cli_check_apart (command, inputs, "--dump", path)
          || !check_dump (command, outputs, path))
        return FALSE;
      g_ptr_array_add (outputs, g_steal_pointer (&path));
    }
  return TRUE;
}
