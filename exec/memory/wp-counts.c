/* SPDX-License-Identifier: MIT */
/* A table with open addressing: a warp has some ten different keys. */
#include "exec/memory/wp-counts.h"

#include <stdlib.h>
#include <string.h>

#include "exec/memory/wp-fill.h" /* wp_mix() */

/* What is counted together: which instruction and how it accesses, and what that came to. */
typedef struct
{
  guint64 how;  /* index << 32, flags << 26, level that it waits for << 24; 0: a free place */
  guint64 cost; /* wavefronts << 48, A << 32, B << 16, partial sectors */
} Key;

typedef struct
{
  Key key;
  guint64 count, sectors;
} Entry;

struct WpCounts
{
  Entry *entries;
  guint n, size; /* SIZE is a power of two */
};

#define KEY_USED (G_GUINT64_CONSTANT (1) << 31)
#define WAITS_SHIFT 24
#define WAVEFRONTS_SHIFT 48
#define A_SHIFT 32
#define B_SHIFT 16
#define HASH G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)
#define COST_BITS 0xffffu /* of each part: a copy in bulk moves 2^15 sectors at most */

static Key
make_key (const WpAccess *access, guint a, guint b, guint level)
{
  return (Key){ .how = (guint64)access->index << 32 | KEY_USED | (guint64)access->space << 28
                       | (guint64)(access->is_write != 0) << 27
                       | (guint64)(access->is_atomic != 0) << 26 | (guint64)level << WAITS_SHIFT,
                .cost = (guint64)access->wavefronts << WAVEFRONTS_SHIFT | (guint64)a << A_SHIFT
                        | (guint64)b << B_SHIFT | access->partial };
}

static inline gboolean
is_same (Key x, Key y)
{
  return x.how == y.how && x.cost == y.cost;
}

static inline guint
get_part (Key key, guint shift)
{
  return (guint)(key.cost >> shift) & COST_BITS;
}

static guint32
get_index (const Entry *entry)
{
  return (guint32)(entry->key.how >> 32);
}

static WpSpace
get_space (const Entry *entry)
{
  return (WpSpace)(entry->key.how >> 28 & 7);
}

static inline gboolean
is_free (const Entry *entry)
{
  return entry->key.how == 0;
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
find_entry (const WpCounts *counts, Key key)
{
  guint at = (guint)(wp_mix (key.how ^ key.cost * HASH) & (counts->size - 1));

  while (!is_free (&counts->entries[at]) && !is_same (counts->entries[at].key, key))
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
    if (!is_free (&old[i]))
      *find_entry (counts, old[i].key) = old[i];
}

static inline void
add_entry (WpCounts *counts, Key key, guint64 count, guint64 sectors)
{
  Entry *entry = find_entry (counts, key);

  if (is_free (entry))
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
  add_entry (counts, make_key (access, a, b, level), times, times * sectors);
}

void
wp_counts_merge (WpCounts *counts, const WpCounts *other)
{
  for (guint i = 0; i < other->size; i++)
    if (!is_free (&other->entries[i]))
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
    if (!is_free (&other->entries[i]))
      add_times (counts, &other->entries[i], times, of);
}

void
wp_counts_merge_index (WpCounts *counts, const WpCounts *other, guint32 index, guint64 times,
                       guint64 of)
{
  for (guint i = 0; i < other->size; i++)
    if (!is_free (&other->entries[i]) && get_index (&other->entries[i]) == index)
      add_times (counts, &other->entries[i], times, of);
}

/* An entry that has become 0 keeps its place: those behind it are found past it. */
void
wp_counts_take_away (WpCounts *counts, const WpCounts *other)
{
  for (guint i = 0; i < other->size; i++)
    {
      Entry *entry
          = !is_free (&other->entries[i]) ? find_entry (counts, other->entries[i].key) : NULL;

      if (entry == NULL || is_free (entry))
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
    if (!is_free (&counts->entries[i]))
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

static void
add_to_totals (WpTotals *totals, const Entry *entry)
{
  totals->space = get_space (entry);
  totals->is_write |= entry->key.how >> 27 & 1;
  totals->is_atomic |= entry->key.how >> 26 & 1;
  totals->accesses += entry->count;
  totals->wavefronts += entry->count * get_part (entry->key, WAVEFRONTS_SHIFT);
  totals->sectors += entry->sectors;
  totals->l1_sectors += entry->count * get_part (entry->key, A_SHIFT);
  totals->l2_sectors += entry->count * get_part (entry->key, B_SHIFT);
}

gboolean
wp_counts_get_totals (const WpCounts *counts, guint32 index, WpTotals *totals)
{
  WpTotals shared = { .space = WP_SPACE_SHARED };

  memset (totals, 0, sizeof *totals);
  for (guint i = 0; i < counts->size; i++)
    {
      const Entry *entry = &counts->entries[i];

      if (!is_free (entry) && get_index (entry) == index)
        add_to_totals (get_space (entry) == WP_SPACE_SHARED ? &shared : totals, entry);
    }
  if (totals->accesses == 0)
    *totals = shared;
  else
    {
      totals->copies = shared.accesses;
      totals->copy_wavefronts = shared.wavefronts;
    }
  return totals->accesses > 0;
}

/* ---- Mixes ---- */

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;

  if (left->key.how != right->key.how)
    return left->key.how < right->key.how ? -1 : 1;
  return (left->key.cost > right->key.cost) - (left->key.cost < right->key.cost);
}

/* The most frequent first, then by their numbers. */
static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;

  if (left->count != right->count)
    return left->count < right->count ? 1 : -1;
  return compare_keys (a, b);
}

/* What a context says of KEY: what it waits for, in shared memory or not; W, A with what partial
 * sectors add, B. */
#define CONTEXT_SHARED 1u
#define CONTEXT_WAITS_SHIFT 1

static Key
get_context_key (const Entry *entry)
{
  const guint level = (guint)(entry->key.how >> WAITS_SHIFT & 3);
  const gboolean is_sent = level != WP_COUNTS_TO_L2;
  const guint a = is_sent ? get_part (entry->key, A_SHIFT) + get_part (entry->key, 0) : 0;

  return (Key){ .how = (guint64)(is_sent ? level : 0) << CONTEXT_WAITS_SHIFT
                       | (get_space (entry) == WP_SPACE_SHARED ? CONTEXT_SHARED : 0),
                .cost = (guint64)get_part (entry->key, WAVEFRONTS_SHIFT) << WAVEFRONTS_SHIFT
                        | (guint64)(a & COST_BITS) << A_SHIFT
                        | (guint64)get_part (entry->key, B_SHIFT) << B_SHIFT };
}

/* The contexts of instruction INDEX with their counts, sorted, each once. */
static GArray *
collect (const WpCounts *counts, guint32 index)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint n = 0;

  for (guint i = 0; i < counts->size; i++)
    if (!is_free (&counts->entries[i]) && get_index (&counts->entries[i]) == index)
      {
        Entry entry = { get_context_key (&counts->entries[i]), counts->entries[i].count, 0 };

        g_array_append_val (found, entry);
      }
  g_array_sort (found, compare_keys);
  for (guint i = 0; i < found->len; i++)
    {
      const Entry entry = g_array_index (found, Entry, i);

      if (n > 0 && is_same (g_array_index (found, Entry, n - 1).key, entry.key))
        g_array_index (found, Entry, n - 1).count += entry.count;
      else
        g_array_index (found, Entry, n++) = entry;
    }
  g_array_set_size (found, n);
  g_array_sort (found, compare_entries);
  return found;
}

static guint
get_distance (Key a, Key b)
{
  guint sum = (guint)abs ((gint)a.how - (gint)b.how);

  for (guint shift = 0; shift < 64; shift += 16)
    sum += (guint)abs ((gint)get_part (a, shift) - (gint)get_part (b, shift));
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
      const guint w = get_part (entry->key, WAVEFRONTS_SHIFT);
      const guint waits = (guint)(entry->key.how >> CONTEXT_WAITS_SHIFT);

      if (i > 0)
        g_string_append_c (text, ' ');
      if ((entry->key.how & CONTEXT_SHARED) != 0)
        g_string_append_printf (text, "conflict-%u", w);
      else
        g_string_append_printf (text, "access-%u-%u-%u", w, get_part (entry->key, A_SHIFT),
                                get_part (entry->key, B_SHIFT));
      if (waits > 0)
        g_string_append_printf (text, "-%u", waits);
      if (found->len > 1)
        g_string_append_printf (text, "*%" G_GUINT64_FORMAT, entry->count);
    }
  return g_string_free (text, FALSE);
}
