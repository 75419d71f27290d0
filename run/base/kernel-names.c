/* SPDX-License-Identifier: MIT */
/* A folder stands for its files as they are when the command begins, sorted, so that the order in
 * which a file system lists them decides nothing. */
#include "run/base/kernel-names.h"

#include "run/base/data.h"

#include <string.h>

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *)a, *(gchar *const *)b);
}

/* Names of the files in FOLDER, sorted; NULL with ERROR. Free with g_ptr_array_unref(). */
static GPtrArray *
list_files (const gchar *folder, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &problem);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  const gchar *name;

  if (dir == NULL)
    {
      g_set_error_literal (error, WP_ERROR, WP_ERROR_READ, problem->message);
      return NULL;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree gchar *path = g_build_filename (folder, name, NULL);

      if (*name != '.' && !g_file_test (path, G_FILE_TEST_IS_DIR))
        g_ptr_array_add (files, g_strdup (name));
    }
  g_ptr_array_sort (files, compare_names);
  return g_steal_pointer (&files);
}

GStrv
wp_data_list_suite (void)
{
  g_auto (GStrv) folders = wp_data_get_folders (WP_DATA_KERNELS);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GPtrArray) files = NULL;

  for (guint i = 0; folders[i] != NULL && files == NULL; i++)
    {
      g_autofree gchar *folder = g_build_filename (folders[i], WP_DATA_SUITE, NULL);

      files = list_files (folder, NULL);
    }
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const gchar *file = g_ptr_array_index (files, i);

      if (g_str_has_suffix (file, ".xml"))
        {
          g_autofree gchar *name = g_strdup_printf (WP_DATA_SUITE "/%.*s",
                                                    (int)(strlen (file) - strlen (".xml")), file);

          g_strv_builder_add (names, name);
        }
    }
  return g_strv_builder_end (names);
}

/* Adds the files in FOLDER to NAMES. */
static gboolean
add_folder (GStrvBuilder *names, const gchar *folder, GError **error)
{
  g_autoptr (GPtrArray) files = list_files (folder, error);

  if (files == NULL)
    return FALSE;
  if (files->len == 0)
    g_set_error (error, WP_ERROR, WP_ERROR_READ,
                 "%s: there are no files in this folder; expected kernels", folder);
  for (guint i = 0; i < files->len; i++)
    {
      g_autofree gchar *path = g_build_filename (folder, g_ptr_array_index (files, i), NULL);

      g_strv_builder_add (names, path);
    }
  return files->len > 0;
}

static gboolean
add_suite (GStrvBuilder *names, GError **error)
{
  g_auto (GStrv) suite = wp_data_list_suite ();

  if (suite[0] == NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_READ,
                 "the shipped kernels of \"" WP_DATA_SUITE "\" are not found");
  g_strv_builder_addv (names, (const gchar **)suite);
  return suite[0] != NULL;
}

static gboolean
check_once (const GStrv names, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; names[i] != NULL; i++)
    if (!g_hash_table_add (seen, names[i]))
      {
        g_set_error (error, WP_ERROR, WP_ERROR_OPTION, "kernel \"%s\" is given twice", names[i]);
        return FALSE;
      }
  return TRUE;
}

GStrv
wp_data_expand_kernels (gchar *const *names, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) expanded = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    {
      gboolean done = TRUE;

      if (g_file_test (names[i], G_FILE_TEST_IS_DIR))
        done = add_folder (builder, names[i], error);
      else if (strcmp (names[i], WP_DATA_SUITE) == 0 && !g_file_test (names[i], G_FILE_TEST_EXISTS))
        done = add_suite (builder, error);
      else
        g_strv_builder_add (builder, names[i]);
      if (!done)
        return NULL;
    }
  expanded = g_strv_builder_end (builder);
  return check_once (expanded, error) ? g_steal_pointer (&expanded) : NULL;
}
