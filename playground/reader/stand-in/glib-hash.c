/* SPDX-License-Identifier: MIT */
/* Entries in the order of their insertion, and an index of them by open addressing. Nobody removes
 * single entries. */
#include <glib.h>

typedef struct
{
  gpointer key, value;
  guint hash;
} Entry;

struct GHashTable
{
  GHashFunc hash;
  GEqualFunc equal;
  GDestroyNotify destroy_key, destroy_value;
  Entry *entries;
  guint n, room;
  guint *index; /* [n_places]: an entry + 1; 0: none */
  guint n_places;
};

guint
g_direct_hash (gconstpointer pointer)
{
  return GPOINTER_TO_UINT (pointer);
}

gboolean
g_direct_equal (gconstpointer a, gconstpointer b)
{
  return a == b;
}

GHashTable *
g_hash_table_new_full (GHashFunc hash, GEqualFunc equal, GDestroyNotify destroy_key,
                       GDestroyNotify destroy_value)
{
  GHashTable *table = g_new0 (GHashTable, 1);

  table->hash = hash != NULL ? hash : g_direct_hash;
  table->equal = equal != NULL ? equal : g_direct_equal;
  table->destroy_key = destroy_key;
  table->destroy_value = destroy_value;
  return table;
}

GHashTable *
g_hash_table_new (GHashFunc hash, GEqualFunc equal)
{
  return g_hash_table_new_full (hash, equal, NULL, NULL);
}

void
g_hash_table_steal_all (GHashTable *table)
{
  table->n = 0;
  if (table->index != NULL)
    memset (table->index, 0, table->n_places * sizeof *table->index);
}

void
g_hash_table_remove_all (GHashTable *table)
{
  for (guint i = 0; i < table->n; i++)
    {
      if (table->destroy_key != NULL)
        table->destroy_key (table->entries[i].key);
      if (table->destroy_value != NULL)
        table->destroy_value (table->entries[i].value);
    }
  g_hash_table_steal_all (table);
}

void
g_hash_table_unref (GHashTable *table)
{
  g_hash_table_remove_all (table);
  g_free (table->entries);
  g_free (table->index);
  g_free (table);
}

/* Keys that are close to each other, as numbers and pointers are, are spread over the places. */
static guint
first_place (const GHashTable *table, guint hash)
{
  return (hash * 2654435769u) >> 7 & (table->n_places - 1);
}

/* The place of KEY, or the free one where it belongs. */
static guint *
find_place (const GHashTable *table, gconstpointer key, guint hash)
{
  for (guint i = first_place (table, hash);; i = (i + 1) & (table->n_places - 1))
    {
      guint at = table->index[i];

      if (at == 0
          || (table->entries[at - 1].hash == hash
              && table->equal (table->entries[at - 1].key, key)))
        return &table->index[i];
    }
}

static Entry *
find (const GHashTable *table, gconstpointer key)
{
  guint at = table->n > 0 ? *find_place (table, key, table->hash (key)) : 0;

  return at > 0 ? &table->entries[at - 1] : NULL;
}

/* At most half of the places are taken. */
static void
grow (GHashTable *table)
{
  if (table->n < table->room)
    return;
  table->room = table->room == 0 ? 8 : 2 * table->room;
  table->entries = g_renew (Entry, table->entries, table->room);
  g_free (table->index);
  table->n_places = 2 * table->room;
  table->index = g_new0 (guint, table->n_places);
  for (guint i = 0; i < table->n; i++)
    {
      guint at = first_place (table, table->entries[i].hash);

      while (table->index[at] != 0)
        at = (at + 1) & (table->n_places - 1);
      table->index[at] = i + 1;
    }
}

static void
append (GHashTable *table, gpointer key, gpointer value)
{
  guint hash = table->hash (key);

  grow (table);
  *find_place (table, key, hash) = table->n + 1;
  table->entries[table->n++] = (Entry){ key, value, hash };
}

/* Sets the value of KEY; which of two equal keys stays is REPLACES's to say. */
static gboolean
set (GHashTable *table, gpointer key, gpointer value, gboolean replaces)
{
  Entry *entry = find (table, key);
  gpointer dropped;

  if (entry == NULL)
    {
      append (table, key, value);
      return TRUE;
    }
  dropped = replaces ? entry->key : key;
  if (replaces)
    entry->key = key;
  if (table->destroy_key != NULL)
    table->destroy_key (dropped);
  dropped = entry->value;
  entry->value = value;
  if (table->destroy_value != NULL)
    table->destroy_value (dropped);
  return FALSE;
}

gboolean
g_hash_table_insert (GHashTable *table, gpointer key, gpointer value)
{
  return set (table, key, value, FALSE);
}

gboolean
g_hash_table_replace (GHashTable *table, gpointer key, gpointer value)
{
  return set (table, key, value, TRUE);
}

gboolean
g_hash_table_add (GHashTable *table, gpointer key)
{
  return set (table, key, key, TRUE);
}

gboolean
g_hash_table_lookup_extended (GHashTable *table, gconstpointer lookup, gpointer *key,
                              gpointer *value)
{
  const Entry *entry = find (table, lookup);

  if (entry != NULL && key != NULL)
    *key = entry->key;
  if (entry != NULL && value != NULL)
    *value = entry->value;
  return entry != NULL;
}

gboolean
g_hash_table_contains (GHashTable *table, gconstpointer key)
{
  return find (table, key) != NULL;
}

gpointer
g_hash_table_lookup (GHashTable *table, gconstpointer key)
{
  const Entry *entry = find (table, key);

  return entry != NULL ? entry->value : NULL;
}

guint
g_hash_table_size (GHashTable *table)
{
  return table->n;
}

void
g_hash_table_iter_init (GHashTableIter *iter, GHashTable *table)
{
  *iter = (GHashTableIter){ table, 0 };
}

gboolean
g_hash_table_iter_next (GHashTableIter *iter, gpointer *key, gpointer *value)
{
  const Entry *entry;

  if (iter->at == iter->table->n)
    return FALSE;
  entry = &iter->table->entries[iter->at];
  if (key != NULL)
    *key = entry->key;
  if (value != NULL)
    *value = entry->value;
  iter->at++;
  return TRUE;
}

/* ---- Keys ---- */

guint
g_str_hash (gconstpointer text)
{
  guint hash = 5381;

  for (const guchar *p = text; *p != '\0'; p++)
    hash = hash * 33 + *p;
  return hash;
}

gboolean
g_str_equal (gconstpointer a, gconstpointer b)
{
  return strcmp (a, b) == 0;
}

guint
g_int64_hash (gconstpointer number)
{
  guint64 bits = *(const guint64 *)number;

  return (guint)(bits ^ bits >> 32);
}

gboolean
g_int64_equal (gconstpointer a, gconstpointer b)
{
  return *(const gint64 *)a == *(const gint64 *)b;
}

const gchar *
g_intern_string (const gchar *text)
{
  static GHashTable *known;
  gchar *kept;

  if (text == NULL)
    return NULL;
  if (known == NULL)
    known = g_hash_table_new (g_str_hash, g_str_equal);
  kept = g_hash_table_lookup (known, text);
  if (kept == NULL)
    {
      kept = g_strdup (text);
      g_hash_table_add (known, kept);
    }
  return kept;
}

GQuark
g_quark_from_static_string (const gchar *text)
{
  return GPOINTER_TO_UINT (g_intern_string (text));
}
