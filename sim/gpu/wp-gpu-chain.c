/* SPDX-License-Identifier: MIT */
/* Loads the files of a GPU: a description, the one that it inherits from (`like`), and so on. They
 * are kept as read, so that errors can refer to the file and line of an element. */
#include <stdlib.h>
#include <string.h>

#include "idg/kernel/idg-suggest.h"
#include "sim/gpu/wp-gpu-xml.h"

static void
free_doc (gpointer doc)
{
  idg_xml_free (doc);
}

void
wp_gpu_chain_init (WpGpuChain *chain, const gchar *const *search)
{
  chain->search = search;
  chain->docs = g_ptr_array_new_with_free_func (free_doc);
  chain->paths = g_ptr_array_new_with_free_func (g_free);
  chain->folder = NULL;
}

void
wp_gpu_chain_clear (WpGpuChain *chain)
{
  g_ptr_array_unref (chain->docs);
  g_ptr_array_unref (chain->paths);
  g_free (chain->folder);
}

/* Returns PATH with all links resolved, to recognize a file. */
static gchar *
get_canonical (const gchar *path)
{
  gchar *resolved = realpath (path, NULL);
  gchar *copy = g_strdup (resolved ? resolved : path);

  free (resolved); /* from malloc(), not from GLib */
  return copy;
}

/* Returns the directories to search: the file's own, then those of SEARCH. The strings are
 * borrowed. */
static GPtrArray *
list_folders (const WpGpuChain *chain)
{
  GPtrArray *folders = g_ptr_array_new ();

  if (chain->folder)
    g_ptr_array_add (folders, chain->folder);
  for (const gchar *const *folder = chain->search; folder && *folder; folder++)
    g_ptr_array_add (folders, (gpointer)*folder);
  return folders;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

static void
add_descriptions (GPtrArray *names, const gchar *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *file;

  while (dir && (file = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (file, ".xml") && g_utf8_validate (file, -1, NULL))
      g_ptr_array_add (names, g_strndup (file, strlen (file) - strlen (".xml")));
}

/* Returns the names of the descriptions in FOLDERS that are most similar to NAME. They are sorted
 * first, because a directory has no order. */
static gchar *
get_nearest_descriptions (const GPtrArray *folders, const gchar *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < folders->len; i++)
    add_descriptions (names, g_ptr_array_index (folders, i));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 1; i < names->len;)
    if (strcmp (g_ptr_array_index (names, i - 1), g_ptr_array_index (names, i)) == 0)
      g_ptr_array_remove_index (names, i);
    else
      i++;
  return idg_suggest_nearest (name, (const gchar *const *)names->pdata, names->len);
}

static gboolean
fail_not_found (const IdgXmlNode *root, const GPtrArray *folders, const gchar *name, GError **error)
{
  g_autofree gchar *nearest = get_nearest_descriptions (folders, name);
  g_autofree gchar *quoted = idg_xml_quote (name);
  g_autoptr (GString) where = g_string_new (NULL);

  for (guint i = 0; i < folders->len; i++)
    g_string_append_printf (where, "%s%s", i ? ", " : "",
                            (const gchar *)g_ptr_array_index (folders, i));
  return idg_xml_fail (root, IDG_XML_VALUE, error,
                       "like %s names no description: no %s.xml in %s; nearest: %s", quoted, name,
                       where->len ? where->str : "any folder, as none is searched",
                       *nearest ? nearest : "none");
}

/* Returns the path of the description NAME that ROOT inherits from, or NULL with ERROR if it is not
 * found. */
static gchar *
find_description (const WpGpuChain *chain, const IdgXmlNode *root, const gchar *name,
                  GError **error)
{
  g_autoptr (GPtrArray) folders = list_folders (chain);
  g_autofree gchar *file = g_strconcat (name, ".xml", NULL);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree gchar *path = g_build_filename (g_ptr_array_index (folders, i), file, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  fail_not_found (root, folders, name, error);
  return NULL;
}

/* Fails if PATH is in the chain already. The message shows the cycle. */
static gboolean
check_cycle (const WpGpuChain *chain, const IdgXmlNode *root, const gchar *path, GError **error)
{
  g_autofree gchar *canonical = get_canonical (path);
  g_autoptr (GString) way = g_string_new (NULL);

  for (guint i = 0; i < chain->paths->len; i++)
    {
      const gchar *passed = g_ptr_array_index (chain->paths, i);

      if (way->len || strcmp (passed, canonical) == 0)
        g_string_append_printf (way, "%s -> ",
                                idg_xml_get_file (g_ptr_array_index (chain->docs, i)));
    }
  if (way->len)
    return idg_xml_fail (root, IDG_XML_VALUE, error,
                         "like forms a cycle: %s%s; a description cannot start from itself",
                         way->str, path);
  if (chain->docs->len == WP_MAX_LIKE)
    return idg_xml_fail (root, IDG_XML_VALUE, error,
                         "more than %d descriptions start from one another", WP_MAX_LIKE);
  return TRUE;
}

/* Adds DOC, which comes from PATH (NULL: from memory), to the chain, and takes ownership of it. */
static const IdgXmlNode *
add_doc (WpGpuChain *chain, IdgXmlDoc *doc, const gchar *path)
{
  g_ptr_array_add (chain->docs, doc);
  g_ptr_array_add (chain->paths, path ? get_canonical (path) : g_strdup (""));
  g_free (chain->folder);
  chain->folder = path ? g_path_get_dirname (path) : NULL;
  return idg_xml_get_root (doc);
}

gboolean
wp_gpu_chain_load (WpGpuChain *chain, IdgXmlDoc *doc, const gchar *path, GError **error)
{
  const IdgXmlNode *root = add_doc (chain, doc, path);
  const gchar *like;

  if (!wp_gpu_check_shape (doc, error))
    return FALSE;
  while ((like = idg_xml_get (root, "like")) != NULL)
    {
      g_autofree gchar *next = find_description (chain, root, like, error);

      if (!next || !check_cycle (chain, root, next, error))
        return FALSE;
      doc = idg_xml_load (next, WP_ERROR, error);
      if (!doc)
        return FALSE;
      root = add_doc (chain, doc, next);
      if (!wp_gpu_check_shape (doc, error))
        return FALSE;
    }
  return TRUE;
}
