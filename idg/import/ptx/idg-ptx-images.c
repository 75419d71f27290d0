/* SPDX-License-Identifier: MIT */
/* What `cuobjdump -ptx` prints: a header for each image of a program, "Fatbin ptx code:" or "Fatbin
 * elf code:" with lines below that say for which GPU it is, and the PTX of the former. A program
 * has an image for each file that it was linked of and for each GPU that it was compiled for, so
 * that a kernel may be in several. */
#include "idg/import/ptx/idg-ptx.h"

#include <string.h>

#define HEADER "Fatbin "

typedef struct
{
  const gchar *begin, *end;
  gint line;
} Image;

typedef struct
{
  IdgPtxModule *module;
  IdgPtxFunction *function;
} Entry;

/* ---- Text ---- */

static const gchar *
find_next_line (const gchar *at, const gchar *end)
{
  const gchar *newline = memchr (at, '\n', (gsize)(end - at));

  return newline ? newline + 1 : end;
}

static gboolean
begins_with (const gchar *at, const gchar *end, const gchar *word)
{
  gsize length = strlen (word);

  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return (gsize)(end - at) >= length && memcmp (at, word, length) == 0;
}

gboolean
idg_ptx_images_recognize (const gchar *data, gsize length)
{
  const gchar *end = data + length;
  gboolean is_dump = FALSE;

  for (const gchar *at = data; at < end; at = find_next_line (at, end))
    if (begins_with (at, end, HEADER))
      is_dump = TRUE;
    else if (begins_with (at, end, "code for sm_"))
      return FALSE; /* a listing of machine code, with headers of its own */
    else if (begins_with (at, end, ".version"))
      return is_dump;
  return FALSE;
}

/* The images in LENGTH bytes of DATA: all of it where it has no headers. */
static GArray *
split (const gchar *data, gsize length)
{
  GArray *images = g_array_new (FALSE, FALSE, sizeof (Image));
  const gchar *end = data + length;
  gboolean is_dump = idg_ptx_images_recognize (data, length);
  Image image = { is_dump ? NULL : data, end, 1 };
  gint line = 1;

  for (const gchar *at = data; is_dump && at < end; at = find_next_line (at, end), line++)
    if (begins_with (at, end, HEADER) && image.begin)
      {
        image.end = at;
        g_array_append_val (images, image);
        image = (Image){ NULL, end, 1 };
      }
    else if (!image.begin && begins_with (at, end, ".version"))
      image = (Image){ at, end, line };
  if (image.begin)
    g_array_append_val (images, image);
  return images;
}

/* Fails where there are headers of images and no PTX. */
static gboolean
check_some (const gchar *data, gsize length, const gchar *file, GError **error)
{
  const gchar *end = data + length;
  gint line = 1;

  if (idg_ptx_images_recognize (data, length))
    return TRUE;
  for (const gchar *at = data; at < end; at = find_next_line (at, end), line++)
    if (begins_with (at, end, ".version"))
      return TRUE;
    else if (begins_with (at, end, HEADER))
      return idg_import_fail (file, line, IDG_ERROR_VALUE, error,
                              "images of a program without PTX; expected what `cuobjdump -ptx` "
                              "prints of one that has some, or the program itself and --launch, "
                              "to execute its machine code");
  return TRUE;
}

/* ---- Modules and entries ---- */

/* Returns how well PTX for ARCHITECTURE suits the GPU that is named: a driver compiles the newest
 * that is not newer than the GPU. TARGET is 0 where none is named: the newest counts. */
static gint
rank (guint architecture, guint target)
{
  gint value = (gint)MIN (architecture, 9999);

  return target == 0 || architecture <= target ? 10000 + value : -value;
}

/* Adds the kernels of MODULE to ENTRIES; of those with one name the best stays. PLACES: name ->
 * index in ENTRIES + 1. SEVERAL receives the names that occur more than once. */
static void
add_entries (IdgPtxModule *module, GArray *entries, GHashTable *places, GHashTable *several)
{
  guint target = module->import->target;

  for (guint i = 0; i < module->functions->len; i++)
    {
      Entry entry = { module, g_ptr_array_index (module->functions, i) };
      guint place;
      Entry *old;

      if (!entry.function->is_entry || !entry.function->has_body)
        continue;
      place = GPOINTER_TO_UINT (g_hash_table_lookup (places, entry.function->name));
      if (place == 0)
        {
          g_array_append_val (entries, entry);
          g_hash_table_insert (places, (gpointer)entry.function->name,
                               GUINT_TO_POINTER (entries->len));
          continue;
        }
      old = &g_array_index (entries, Entry, place - 1);
      g_hash_table_add (several, (gpointer)old->function->name);
      if (rank (module->target, target) > rank (old->module->target, target))
        old->module = module, old->function = entry.function;
    }
}

static IdgPtxFunction *
choose (const GArray *entries, GHashTable *several, const gchar *file, IdgImport *import,
        IdgPtxModule **module, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const Entry *entry;
  gint chosen;

  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (names, (gpointer)g_array_index (entries, Entry, i).function->name);
  if (entries->len == 0)
    {
      idg_import_fail (file, 0, IDG_ERROR_VALUE, error, "no kernel; an .entry with a body is one");
      return NULL;
    }
  chosen = idg_import_choose_entry (import, file, (const gchar *const *)names->pdata, names->len,
                                    error);
  if (chosen < 0)
    return NULL;
  entry = &g_array_index (entries, Entry, chosen);
  if (g_hash_table_contains (several, entry->function->name))
    idg_import_note (import, file, entry->function->line,
                     "the file has PTX of %s for several GPUs; used is that for sm_%u%s",
                     entry->function->name, entry->module->target,
                     import->target > 0 ? "" : ", the newest, as --gpu names none");
  *module = entry->module;
  return entry->function;
}

GPtrArray *
idg_ptx_images_load (const gchar *data, gsize length, const gchar *file, IdgImport *import,
                     IdgPtxModule **module, IdgPtxFunction **entry, GError **error)
{
  g_autoptr (GPtrArray) modules
      = g_ptr_array_new_with_free_func ((GDestroyNotify)idg_ptx_module_free);
  g_autoptr (GArray) images = check_some (data, length, file, error) ? split (data, length) : NULL;
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) several = g_hash_table_new (g_str_hash, g_str_equal);

  if (!images)
    return NULL;
  for (guint i = 0; i < images->len; i++)
    {
      const Image *image = &g_array_index (images, Image, i);
      IdgPtxModule *next = idg_ptx_module_new (image->begin, (gsize)(image->end - image->begin),
                                               image->line, file, import, error);

      if (!next)
        return NULL;
      g_ptr_array_add (modules, next);
      add_entries (next, entries, places, several);
    }
  *entry = choose (entries, several, file, import, module, error);
  return *entry ? g_steal_pointer (&modules) : NULL;
}
