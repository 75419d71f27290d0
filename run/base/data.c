/* SPDX-License-Identifier: MIT */
/* Shipped descriptions are found in $WARPIPE_DATA_DIR, and nowhere else, if that is set; else
 * beside the program, if it is in a build tree; else where they were installed. In a source tree
 * the folders have other names than where they are installed: both are tried.
 */
#include "run/base/data.h"

#include <errno.h>
#include <string.h>

static const gchar *const folder_names[][3] = {
  [WP_DATA_GPUS] = { "gpus", "configs", NULL },
  [WP_DATA_KERNELS] = { "kernels", "idg/kernels", NULL },
};
static const gchar *const kind_names[] = { "GPU", "kernel" };
static const gchar *const list_names[] = { "gpus", "kernels" };

/* The source tree that the program was built in, in place; or NULL. */
static gchar *
find_build_tree (void)
{
  g_autofree gchar *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree gchar *folder = program != NULL ? g_path_get_dirname (program) : NULL;

  /* libtool keeps the real program in .libs. */
  for (guint i = 0; folder != NULL && i < 2; i++)
    {
      g_autofree gchar *schema = g_build_filename (folder, "configs", "gpu.rng", NULL);
      gchar *parent;

      if (g_file_test (schema, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&folder);
      parent = g_path_get_dirname (folder);
      g_free (folder);
      folder = parent;
    }
  return NULL;
}

gchar **
wp_data_get_folders (WpDataKind kind)
{
  const gchar *set = g_getenv ("WARPIPE_DATA_DIR");
  g_autofree gchar *tree = set == NULL ? find_build_tree () : NULL;
  const gchar *roots[] = { set != NULL ? set : tree, WARPIPE_PKGDATADIR };
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (roots); i++)
    for (const gchar *const *name = folder_names[kind]; roots[i] != NULL && *name != NULL; name++)
      if (i == 0 || set == NULL)
        g_ptr_array_add (folders, g_build_filename (roots[i], *name, NULL));
  g_ptr_array_add (folders, NULL);
  return (gchar **)g_ptr_array_free (g_steal_pointer (&folders), FALSE);
}

static gchar *
get_name (const gchar *path)
{
  g_autofree gchar *file = g_path_get_basename (path);

  return g_strndup (file, strlen (file) - strlen (".xml"));
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  g_autofree gchar *left = get_name (*(gchar *const *)a);
  g_autofree gchar *right = get_name (*(gchar *const *)b);

  return strcmp (left, right);
}

gchar **
wp_data_list (WpDataKind kind)
{
  g_auto (GStrv) folders = wp_data_get_folders (kind);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autoptr (GDir) dir = g_dir_open (folders[i], 0, NULL);
      const gchar *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_suffix (name, ".xml") && g_hash_table_add (seen, g_strdup (name)))
          g_ptr_array_add (paths, g_build_filename (folders[i], name, NULL));
    }
  g_ptr_array_sort (paths, compare_names);
  g_ptr_array_add (paths, NULL);
  return (gchar **)g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

/* Sets ERROR: no shipped description is called NAME, and these are there. */
static void
set_unknown (WpDataKind kind, const gchar *name, GError **error)
{
  g_auto (GStrv) paths = wp_data_list (kind);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree gchar *known = get_name (paths[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", known);
    }
  if (names->len == 0)
    {
      g_autofree gchar *folders = NULL;
      g_auto (GStrv) searched = wp_data_get_folders (kind);

      folders = g_strjoinv (", ", searched);
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "no file and no shipped %s is called \"%s\"; none is found in %s",
                   kind_names[kind], name, folders);
      return;
    }
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "no file and no shipped %s is called \"%s\"; shipped (warpipe list %s) are %s",
               kind_names[kind], name, list_names[kind], names->str);
}

gchar *
wp_data_find (WpDataKind kind, const gchar *name, GError **error)
{
  g_auto (GStrv) folders = NULL;
  g_autofree gchar *file = NULL;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ".xml")
      || g_file_test (name, G_FILE_TEST_IS_REGULAR))
    return g_strdup (name);
  folders = wp_data_get_folders (kind);
  file = g_strconcat (name, ".xml", NULL);
  for (guint i = 0; *name != '\0' && folders[i] != NULL; i++)
    {
      g_autofree gchar *path = g_build_filename (folders[i], file, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  set_unknown (kind, name, error);
  return NULL;
}

GPtrArray *
wp_data_load_capabilities (GError **error)
{
  g_auto (GStrv) folders = wp_data_get_folders (WP_DATA_GPUS);
  g_autofree gchar *searched = g_strjoinv (", ", folders);

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree gchar *path = g_build_filename (folders[i], "occupancy-limits.csv", NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return wp_capabilities_load (path, error);
    }
  g_set_error (error, WP_ERROR, WP_ERROR_READ,
               "no table of limits by compute capability, occupancy-limits.csv, is found in %s",
               searched);
  return NULL;
}

WpGpu *
wp_data_load_gpu (const gchar *name, GError **error)
{
  g_auto (GStrv) folders = wp_data_get_folders (WP_DATA_GPUS);
  g_autofree gchar *path = wp_data_find (WP_DATA_GPUS, name, error);

  return path != NULL ? wp_gpu_load (path, (const gchar *const *)folders, error) : NULL;
}

IdgKernel *
wp_data_load_kernel (const gchar *name, const gchar *const *settings, GError **error)
{
  g_autofree gchar *path = wp_data_find (WP_DATA_KERNELS, name, error);

  return path != NULL ? idg_kernel_load (path, settings, error) : NULL;
}
