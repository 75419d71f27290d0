/* SPDX-License-Identifier: MIT */
/* A table with open addressing: a warp has some ten different keys. */
#include "exec/memory/wp-counts.h"

#include <stdlib.h>
#include <string.h>

#include "exec/memory/wp-fill.h" /* wp_mix() */

typedef struct
{
  guint64 key; /* 0: free */
  guint64 count, sectors;
} Entry;

struct WpCounts
{
  Entry *entries;
  guint n, size; /* SIZE is a power of two */
};

/* A key: index << 40, partial sectors << 32, flags << 26, level that it waits for << 24, wavefronts
 * << 16, A << 8, B. */
#define KEY_USED (G_GUINT64_CONSTANT (1) << 31)
#define WAITS_SHIFT 24

static guint64
make_key (const WpAccess *access, guint a, guint b)
{
  return (guint64)access->index << 40 | (guint64)access->partial << 32 | KEY_USED
         | (guint64)access->space << 28 | (guint64)(access->is_write != 0) << 27
         | (guint64)(access->is_atomic != 0) << 26 | (guint64)access->wavefronts << 16 | a << 8 | b;
}

static guint32
get_index (const Entry *entry)
{
  return (guint32)(entry->key >> 40);
}

static WpSpace
get_space (const Entry *entry)
{
  return (WpSpace)(entry->key >> 28 & 7);
}

WpCounts *
wp_counts_new (void)
{
  WpCounts *counts = g_new0 (WpCounts, 1);

  counts->size = 16;
  counts->entries = g_new0 (Entry, counts->size);
  return counts;
}

void
wp_counts_free (WpCounts *counts)
{
  if (counts == NULL)
    return;
  g_free (counts->entries);
  g_free (counts);
}

void
wp_counts_reset (WpCounts *counts)
{
  memset (counts->entries, 0, counts->size * sizeof (Entry));
  counts->n = 0;
}

/* The entry of KEY, or the free one where it belongs. */
static inline Entry *
find_entry (const WpCounts *counts, guint64 key)
{
  guint at = (guint)(wp_mix (key) & (counts->size - 1));

  while (counts->entries[at].key != 0 && counts->entries[at].key != key)
    at = (at + 1) & (counts->size - 1);
  return &counts->entries[at];
}

static void
grow (WpCounts *counts)
{
  const guint old_size = counts->size;
  g_autofree Entry *old = counts->entries;

  counts->size *= 2;
  counts->entries = g_new0 (Entry, counts->size);
  for (guint i = 0; i < old_size; i++)
    if (old[i].key != 0)
      *find_entry (counts, old[i].key) = old[i];
}

static inline void
add_entry (WpCounts *counts, guint64 key, guint64 count, guint64 sectors)
{
  Entry *entry = find_entry (counts, key);

  if (entry->key == 0)
    {
      if (2 * ++counts->n > counts->size)
        {
          grow (counts);
          entry = find_entry (counts, key);
        }
      entry->key = key;
    }
  entry->count += count;
  entry->sectors += sectors;
}

void
wp_counts_add_times (WpCounts *counts, const WpAccess *access, guint sectors, guint a, guint b,
                     guint level, guint64 times)
{
  add_entry (counts, make_key (access, a, b) | (guint64)level << WAITS_SHIFT, times,
             times * sectors);
}

void
wp_counts_merge (WpCounts *counts, const WpCounts *other)
{
  for (guint i = 0; i < other->size; i++)
    if (other->entries[i].key != 0)
      add_entry (counts, other->entries[i].key, other->entries[i].count, other->entries[i].sectors);
}

/* X times TIMES / OF. What is multiplied is less than OF, so that there is no overflow. */
static guint64
scale (guint64 x, guint64 times, guint64 of)
{
  return x / of * times + (x % of * times + of / 2) / of;
}

static void
add_times (WpCounts *counts, const Entry *entry, guint64 times, guint64 of)
{
  guint64 count = scale (entry->count, times, of);

  if (count > 0)
    add_entry (counts, entry->key, count, scale (entry->sectors, times, of));
}

void
wp_counts_merge_times (WpCounts *counts, const WpCounts *other, guint64 times, guint64 of)
{
  for (guint i = 0; i < other->size; i++)
    if (other->entries[i].key != 0)
      add_times (counts, &other->entries[i], times, of);
}

void
wp_counts_merge_index (WpCounts *counts, const WpCounts *other, guint32 index, guint64 times,
                       guint64 of)
{
  for (guint i = 0; i < other->size; i++)
    if (other->entries[i].key != 0 && get_index (&other->entries[i]) == index)
      add_times (counts, &other->entries[i], times, of);
}

/* An entry that has become 0 keeps its place: those behind it are found past it. */
void
wp_counts_take_away (WpCounts *counts, const WpCounts *other)
{
  for (guint i = 0; i < other->size; i++)
    {
      Entry *entry = other->entries[i].key != 0 ? find_entry (counts, other->entries[i].key) : NULL;

      if (entry == NULL || entry->key == 0)
        continue;
      entry->count -= other->entries[i].count;
      entry->sectors -= other->entries[i].sectors;
    }
}

static gint
compare_indices (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;

  return (left > right) - (left < right);
}

GArray *
wp_counts_get_indices (const WpCounts *counts)
{
  GArray *indices = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n = 0;

  for (guint i = 0; i < counts->size; i++)
    if (counts->entries[i].key != 0)
      {
        guint32 index = get_index (&counts->entries[i]);

        g_array_append_val (indices, index);
      }
  g_array_sort (indices, compare_indices);
  for (guint i = 0; i < indices->len; i++)
    if (i == 0 || g_array_index (indices, guint32, i) != g_array_index (indices, guint32, n - 1))
      g_array_index (indices, guint32, n++) = g_array_index (indices, guint32, i);
  g_array_set_size (indices, n);
  return indices;
}

gboolean
wp_counts_get_totals (const WpCounts *counts, guint32 index, WpTotals *totals)
{
  memset (totals, 0, sizeof *totals);
  for (guint i = 0; i < counts->size; i++)
    {
      const Entry *entry = &counts->entries[i];

      if (entry->key == 0 || get_index (entry) != index)
        continue;
      totals->space = get_space (entry);
      totals->is_write |= entry->key >> 27 & 1;
      totals->is_atomic |= entry->key >> 26 & 1;
      totals->accesses += entry->count;
      totals->wavefronts += entry->count * (entry->key >> 16 & 0xff);
      totals->sectors += entry->sectors;
      totals->l1_sectors += entry->count * (entry->key >> 8 & 0xff);
      totals->l2_sectors += entry->count * (entry->key & 0xff);
    }
  return totals->accesses > 0;
}

/* ---- Mixes ---- */

/* The most frequent first, then by their numbers. */
static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;

  if (left->count != right->count)
    return left->count < right->count ? 1 : -1;
  return (left->key > right->key) - (left->key < right->key);
}

/* What a context says of KEY: what it waits for, in shared memory or not, W, A with what partial
 * sectors add, B. */
#define CONTEXT_SHARED (1u << 24)
#define CONTEXT_WAITS_SHIFT 25

static guint64
get_context_key (const Entry *entry)
{
  guint a = (guint)(entry->key >> 8 & 0xff) + (guint)(entry->key >> 32 & 0xff);

  return (entry->key >> WAITS_SHIFT & 3) << CONTEXT_WAITS_SHIFT
         | (get_space (entry) == WP_SPACE_SHARED ? CONTEXT_SHARED : 0) | (entry->key & 0xff0000)
         | (a & 0xff) << 8 | (entry->key & 0xff);
}

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;

  return (left->key > right->key) - (left->key < right->key);
}

/* The contexts of instruction INDEX with their counts, sorted, each once. */
static GArray *
collect (const WpCounts *counts, guint32 index)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint n = 0;

  for (guint i = 0; i < counts->size; i++)
    if (counts->entries[i].key != 0 && get_index (&counts->entries[i]) == index)
      {
        Entry entry = { get_context_key (&counts->entries[i]), counts->entries[i].count, 0 };

        g_array_append_val (found, entry);
      }
  g_array_sort (found, compare_keys);
  for (guint i = 0; i < found->len; i++)
    {
      const Entry entry = g_array_index (found, Entry, i);

      if (n > 0 && g_array_index (found, Entry, n - 1).key == entry.key)
        g_array_index (found, Entry, n - 1).count += entry.count;
      else
        g_array_index (found, Entry, n++) = entry;
    }
  g_array_set_size (found, n);
  g_array_sort (found, compare_entries);
  return found;
}

static guint
get_distance (guint64 a, guint64 b)
{
  guint sum = 0;

  for (guint shift = 0; shift <= 24; shift += 8)
    sum += (guint)abs ((gint)(a >> shift & 0xff) - (gint)(b >> shift & 0xff));
  return sum;
}

/* Has all entries beyond the first WP_MAX_TRIPLES join the nearest of these, the more frequent of
 * two that are as near. */
static void
join_rare (GArray *found)
{
  Entry *entries = (Entry *)(gpointer)found->data;

  for (guint i = WP_MAX_TRIPLES; i < found->len; i++)
    {
      guint nearest = 0;

      for (guint k = 1; k < WP_MAX_TRIPLES; k++)
        if (get_distance (entries[k].key, entries[i].key)
            < get_distance (entries[nearest].key, entries[i].key))
          nearest = k;
      entries[nearest].count += entries[i].count;
    }
  if (found->len > WP_MAX_TRIPLES)
    g_array_set_size (found, WP_MAX_TRIPLES);
  g_array_sort (found, compare_entries);
}

static guint64
get_common (guint64 a, guint64 b)
{
  while (b != 0)
    {
      guint64 rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

/* Makes weights of counts: without a common factor, and 2^31 - 1 in all at most. */
static void
make_weights (GArray *found)
{
  Entry *entries = (Entry *)(gpointer)found->data;
  guint64 common = 0, sum = 0, most = G_MAXINT32 - WP_MAX_TRIPLES;

  for (guint i = 0; i < found->len; i++)
    common = get_common (common, entries[i].count);
  for (guint i = 0; i < found->len; i++)
    sum += entries[i].count /= common;
  for (guint i = 0; i < found->len && sum > most; i++)
    entries[i].count = MAX (1, (guint64)((gdouble)entries[i].count * (gdouble)most / (gdouble)sum));
}

gchar *
wp_counts_get_context (const WpCounts *counts, guint32 index)
{
  g_autoptr (GArray) found = collect (counts, index);
  GString *text;

  if (found->len == 0)
    return NULL;
  join_rare (found);
  make_weights (found);
  text = g_string_new (NULL);
  for (guint i = 0; i < found->len; i++)
    {
      const Entry *entry = &g_array_index (found, Entry, i);
      guint w = (guint)(entry->key >> 16 & 0xff), a = (guint)(entry->key >> 8 & 0xff);
      guint waits = (guint)(entry->key >> CONTEXT_WAITS_SHIFT & 3);

      if (i > 0)
        g_string_append_c (text, ' ');
      if ((entry->key & CONTEXT_SHARED) != 0)
        g_string_append_printf (text, "conflict-%u", w);
      else
        g_string_append_printf (text, "access-%u-%u-%u", w, a, (guint)(entry->key & 0xff));
      if (waits > 0)
        g_string_append_printf (text, "-%u", waits);
      if (found->len > 1)
        g_string_append_printf (text, "*%" G_GUINT64_FORMAT, entry->count);
    }
  return g_string_free (text, FALSE);
}
