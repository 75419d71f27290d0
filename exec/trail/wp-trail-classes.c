/* SPDX-License-Identifier: MIT */
/* Classes by keys. A key of level L + 1 is made from what decides the key of level L, so that
 * classes only ever join when the level rises; and what is kept of a class (its sums, and the
 * members with the smallest hashes, of which one is chosen in the end) is the same whichever warp
 * came first. */
#include "exec/trail/wp-trail-classes.h"
#include "exec/trail/wp-trail-private.h"

#include <string.h>

/* Of which the one that is nearest to the mean stands for the class. */
#define MEMBERS 4
/* Sequences whose class is remembered once they are not their own class. */
#define MAX_SEEN (1u << 16)

/* How finely numbers are told apart at a level: parts of an octave, if positive; else octaves. */
#define EXACTLY 64
#define WHETHER (-64) /* 0 or not */
#define NOT_AT_ALL (-128)

static const struct
{
  gint each, total; /* executions of each instruction, instructions in all */
} levels[] = {
  { 0, 0 }, /* equal sequences */
  { EXACTLY, EXACTLY },
  { 8, 8 },
  { 4, 8 },
  { 2, 8 },
  { 1, 8 },
  { -2, 8 },
  { -4, 8 },
  { WHETHER, 8 },
  { NOT_AT_ALL, 8 },
  { NOT_AT_ALL, 4 },
  { NOT_AT_ALL, 2 },
  { NOT_AT_ALL, 1 },
  { NOT_AT_ALL, NOT_AT_ALL },
};

typedef struct
{
  WpTrailHash hash;
  guint32 unit; /* in the classes' store */
  guint64 instructions;
} Member;

/* A class while warps are added. */
typedef struct
{
  WpTrailHash key;
  guint32 into; /* the number that it has joined, or itself */
  guint n_members;
  Member members[MEMBERS]; /* ascending by hash */
  guint64 n_warps, total;
} Number;

struct WpTrailClasses
{
  GMutex lock;
  guint32 n_instructions;
  guint max, level, n_alive;
  WpTrailStore *store; /* of the members */
  GArray *numbers;     /* of Number */
  GHashTable *keys;    /* from keys, as strings of bytes, to numbers + 1 */
  GHashTable *seen;    /* from hashes of sequences to numbers + 1, above level 0 */
  guint64 *counts; /* scratch memory: executions of each instruction, by some lane and by none */
  WpTrailRows rows;
  GArray *classes; /* of WpTrailClass, when finished */
  guint32 *map;    /* from numbers to classes, when finished */
};

static guint
hash_hash (gconstpointer key)
{
  return (guint)((const WpTrailHash *)key)->b;
}

static gboolean
equal_hashes (gconstpointer x, gconstpointer y)
{
  return wp_trail_hash_equal (x, y);
}

WpTrailClasses *
wp_trail_classes_new (guint32 n_instructions, guint32 warps_per_block, guint max)
{
  WpTrailClasses *classes = g_new0 (WpTrailClasses, 1);

  g_mutex_init (&classes->lock);
  classes->n_instructions = n_instructions;
  classes->max = max;
  classes->store = wp_trail_store_new ();
  classes->numbers = g_array_new (FALSE, FALSE, sizeof (Number));
  classes->keys = g_hash_table_new_full (hash_hash, equal_hashes, g_free, NULL);
  classes->seen = g_hash_table_new_full (hash_hash, equal_hashes, g_free, NULL);
  classes->counts = g_new (guint64, 2 * ((gsize)n_instructions + 1));
  wp_trail_rows_init (&classes->rows, warps_per_block);
  return classes;
}

void
wp_trail_classes_free (WpTrailClasses *classes)
{
  if (!classes)
    return;
  g_mutex_clear (&classes->lock);
  wp_trail_store_free (classes->store);
  g_array_unref (classes->numbers);
  g_hash_table_unref (classes->keys);
  g_hash_table_unref (classes->seen);
  g_free (classes->counts);
  wp_trail_rows_clear (&classes->rows);
  g_clear_pointer (&classes->classes, g_array_unref);
  g_free (classes->map);
  g_free (classes);
}

static inline Number *
get_number (const WpTrailClasses *classes, guint32 i)
{
  return &g_array_index (classes->numbers, Number, i);
}

/* ---- Keys ---- */

/* Adds TIMES executions of UNIT to the counts, as differences between neighbours. */
static void
count_unit (WpTrailClasses *classes, const WpTrailStore *store, guint32 number, guint64 times)
{
  const WpTrailUnit *unit = wp_trail_store_get (store, number);

  for (guint32 i = 0; i < unit->n; i++)
    if (unit->depth > 0)
      {
        WpTrailItem item = wp_trail_store_get_items (store, number)[i];

        count_unit (classes, store, item.unit, times * item.count);
      }
    else
      {
        const WpTrailRun *run = &wp_trail_store_get_runs (store, number)[i];
        guint64 *counts = classes->counts + (run->mask ? 0 : classes->n_instructions + 1);

        counts[run->first] += times;
        counts[run->first + run->n] -= times;
      }
}

/* Returns a number that is equal for counts that are about equal. */
static guint64
round_count (guint64 count, gint fineness)
{
  guint octave = g_bit_storage (count);

  if (fineness == EXACTLY || count == 0)
    return fineness == NOT_AT_ALL ? 0 : count;
  if (fineness <= WHETHER)
    return fineness == WHETHER;
  if (fineness < 0)
    return 1 + (octave - 1) / (guint)-fineness;
  /* The three bits below the highest one. */
  return 1 + octave * 8 + ((count << (64 - octave)) >> 60 & 7) / (8 / (guint)fineness);
}

/* Makes the key of the N ITEMS of STORE, which are in all TOTAL instructions and have HASH. */
static void
make_key (WpTrailClasses *classes, const WpTrailStore *store, const WpTrailItem *items, guint n,
          guint64 total, const WpTrailHash *hash, WpTrailHash *key)
{
  gsize n_counts = 2 * ((gsize)classes->n_instructions + 1);
  guint64 count = 0;

  *key = *hash;
  if (classes->level == 0)
    return;
  memset (classes->counts, 0, n_counts * sizeof *classes->counts);
  for (guint i = 0; i < n; i++)
    count_unit (classes, store, items[i].unit, items[i].count);
  *key = (WpTrailHash)WP_TRAIL_BODY;
  wp_trail_hash_add (key, round_count (total, levels[classes->level].total), 0);
  for (gsize i = 0; i < n_counts; i++)
    {
      guint64 rounded;

      count += classes->counts[i];
      rounded = round_count (count, levels[classes->level].each);
      if (rounded > 0)
        wp_trail_hash_add (key, rounded, i);
    }
  wp_trail_hash_end (key);
}

/* ---- Joining ---- */

static gint
compare_hashes (const WpTrailHash *x, const WpTrailHash *y)
{
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  return x->b < y->b ? -1 : x->b > y->b;
}

/* Returns where HASH belongs among the members: MEMBERS if nowhere, or if it is there. */
static guint
find_place (const Number *number, const WpTrailHash *hash)
{
  guint place = 0;

  while (place < number->n_members && compare_hashes (&number->members[place].hash, hash) < 0)
    place++;
  return place < number->n_members && wp_trail_hash_equal (&number->members[place].hash, hash)
             ? MEMBERS
             : place;
}

static void
add_member (Number *number, guint place, const Member *member)
{
  guint n = MIN (number->n_members, MEMBERS - 1);

  if (place >= MEMBERS)
    return;
  memmove (number->members + place + 1, number->members + place, (n - place) * sizeof *member);
  number->members[place] = *member;
  number->n_members = n + 1;
}

static void
join (WpTrailClasses *classes, guint32 from, guint32 into)
{
  Number *x = get_number (classes, from), *y = get_number (classes, into);

  for (guint i = 0; i < x->n_members; i++)
    add_member (y, find_place (y, &x->members[i].hash), &x->members[i]);
  y->n_warps += x->n_warps;
  y->total += x->total;
  x->into = into;
  classes->n_alive--;
}

/* Raises the level by one. */
static void
coarsen (WpTrailClasses *classes)
{
  classes->level++;
  g_hash_table_remove_all (classes->keys);
  g_hash_table_remove_all (classes->seen);
  for (guint32 i = 0; i < classes->numbers->len; i++)
    {
      Number *number = get_number (classes, i);
      const Member *member = &number->members[0];
      gpointer known;

      if (number->into != i)
        continue;
      make_key (classes, classes->store, wp_trail_store_get_items (classes->store, member->unit),
                wp_trail_store_get (classes->store, member->unit)->n, member->instructions,
                &member->hash, &number->key);
      known = g_hash_table_lookup (classes->keys, &number->key);
      if (known)
        join (classes, i, GPOINTER_TO_UINT (known) - 1);
      else
        g_hash_table_insert (classes->keys, g_memdup2 (&number->key, sizeof number->key),
                             GUINT_TO_POINTER (i + 1));
    }
}

static guint32
find_root (const WpTrailClasses *classes, guint32 i)
{
  while (get_number (classes, i)->into != i)
    i = get_number (classes, i)->into;
  return i;
}

/* ---- Warps ---- */

/* Returns the number of the class with KEY, a new one if there is none. */
static guint32
find_number (WpTrailClasses *classes, const WpTrailHash *key)
{
  gpointer known = g_hash_table_lookup (classes->keys, key);
  Number number = { .key = *key, .into = classes->numbers->len };

  if (known)
    return GPOINTER_TO_UINT (known) - 1;
  g_array_append_val (classes->numbers, number);
  classes->n_alive++;
  g_hash_table_insert (classes->keys, g_memdup2 (key, sizeof *key),
                       GUINT_TO_POINTER (classes->numbers->len));
  return classes->numbers->len - 1;
}

/* Finds the class of a sequence that was not seen before, or not lately. */
static guint32
find_class (WpTrailClasses *classes, WpTrail *trail, const WpTrailHash *hash, guint64 total)
{
  WpTrailHash key;
  Member member = { .hash = *hash, .instructions = total };
  guint32 i;
  guint place;

  make_key (classes, trail->store, (const WpTrailItem *)(gpointer)trail->items->data,
            trail->items->len, total, hash, &key);
  i = find_number (classes, &key);
  place = find_place (get_number (classes, i), hash);
  if (place < MEMBERS)
    {
      member.unit = wp_trail_store_copy (classes->store, trail->store, wp_trail_keep (trail));
      add_member (get_number (classes, i), place, &member);
    }
  while (classes->n_alive > classes->max && classes->level + 1 < G_N_ELEMENTS (levels))
    coarsen (classes);
  i = find_root (classes, i);
  if (g_hash_table_size (classes->seen) >= MAX_SEEN)
    g_hash_table_remove_all (classes->seen);
  if (classes->level > 0)
    g_hash_table_insert (classes->seen, g_memdup2 (hash, sizeof *hash), GUINT_TO_POINTER (i + 1));
  return i;
}

/* Returns the number of the class of TRAIL, which has ended with HASH and TOTAL instructions. */
static guint32
add_trail (WpTrailClasses *classes, WpTrail *trail, const WpTrailHash *hash, guint64 total)
{
  gpointer known = g_hash_table_lookup (classes->level == 0 ? classes->keys : classes->seen, hash);
  guint32 i = known ? GPOINTER_TO_UINT (known) - 1 : find_class (classes, trail, hash, total);

  get_number (classes, i)->n_warps++;
  get_number (classes, i)->total += total;
  return i;
}

void
wp_trail_classes_add_block (WpTrailClasses *classes, guint64 block, WpTrail *const *trails,
                            guint32 *numbers)
{
  const guint32 n = classes->rows.warps;
  g_autofree Member *ended = g_new (Member, n);

  for (guint32 warp = 0; warp < n; warp++)
    wp_trail_finish (trails[warp], &ended[warp].hash, &ended[warp].instructions);
  g_mutex_lock (&classes->lock);
  for (guint32 warp = 0; warp < n; warp++)
    if (warp > 0 && wp_trail_hash_equal (&ended[warp].hash, &ended[warp - 1].hash))
      {
        numbers[warp] = find_root (classes, numbers[warp - 1]);
        get_number (classes, numbers[warp])->n_warps++;
        get_number (classes, numbers[warp])->total += ended[warp].instructions;
      }
    else
      numbers[warp]
          = add_trail (classes, trails[warp], &ended[warp].hash, ended[warp].instructions);
  wp_trail_rows_add_block (&classes->rows, block, numbers);
  g_mutex_unlock (&classes->lock);
}

/* ---- The end ---- */

static guint64
get_distance (const Number *number, const Member *member)
{
  guint64 mean = number->total / MAX (number->n_warps, 1);

  return member->instructions > mean ? member->instructions - mean : mean - member->instructions;
}

static void
add_class (WpTrailClasses *classes, const Number *number)
{
  const Member *best = &number->members[0];
  WpTrailClass class = { .store = classes->store,
                         .n_warps = number->n_warps,
                         .total = number->total };

  for (guint i = 1; i < number->n_members; i++)
    if (get_distance (number, &number->members[i]) < get_distance (number, best))
      best = &number->members[i];
  class.unit = best->unit;
  class.instructions = best->instructions;
  g_array_append_val (classes->classes, class);
}

/* Numbers the classes in the order in which the rows have them. */
static void
number_classes (WpTrailClasses *classes)
{
  for (guint row = 0; row < classes->rows.rows->len; row++)
    {
      const guint32 *numbers = g_ptr_array_index (classes->rows.rows, row);

      for (guint32 warp = 1; warp <= classes->rows.warps; warp++)
        {
          guint32 root = find_root (classes, numbers[warp]);

          if (classes->map[root] != WP_TRAIL_NOWHERE)
            continue;
          classes->map[root] = classes->classes->len;
          add_class (classes, get_number (classes, root));
        }
    }
  for (guint32 i = 0; i < classes->numbers->len; i++)
    classes->map[i] = classes->map[find_root (classes, i)];
}

void
wp_trail_classes_finish (WpTrailClasses *classes)
{
  g_return_if_fail (!classes->classes);
  wp_trail_rows_finish (&classes->rows);
  classes->classes = g_array_new (FALSE, FALSE, sizeof (WpTrailClass));
  classes->map = g_new (guint32, classes->numbers->len + 1);
  memset (classes->map, 0xff, (classes->numbers->len + 1) * sizeof *classes->map);
  number_classes (classes);
  wp_trail_rows_renumber (&classes->rows, classes->map);
}

guint
wp_trail_classes_get_n (const WpTrailClasses *classes)
{
  return classes->classes->len;
}

guint
wp_trail_classes_get_level (const WpTrailClasses *classes)
{
  return classes->level;
}

const WpTrailClass *
wp_trail_classes_get (const WpTrailClasses *classes, guint class)
{
  return &g_array_index (classes->classes, WpTrailClass, class);
}

guint
wp_trail_classes_find (const WpTrailClasses *classes, guint32 number)
{
  return classes->map[number];
}

const GArray *
wp_trail_classes_get_blocks (const WpTrailClasses *classes)
{
  return classes->rows.blocks;
}

guint
wp_trail_classes_get_n_rows (const WpTrailClasses *classes)
{
  return classes->rows.rows->len;
}

const guint32 *
wp_trail_classes_get_row (const WpTrailClasses *classes, guint32 row)
{
  return (const guint32 *)g_ptr_array_index (classes->rows.rows, row) + 1;
}

gdouble *
wp_trail_classes_count (WpTrailClasses *classes)
{
  const gsize n = (gsize)classes->n_instructions + 1;
  gdouble *all = g_new0 (gdouble, n);

  memset (classes->counts, 0, 2 * n * sizeof *classes->counts);
  for (guint i = 0; i < wp_trail_classes_get_n (classes); i++)
    {
      const WpTrailClass *class = wp_trail_classes_get (classes, i);

      count_unit (classes, class->store, class->unit, class->n_warps);
    }
  for (gsize half = 0; half < 2; half++)
    {
      guint64 count = 0;

      for (gsize i = 0; i < n; i++)
        all[i] += (gdouble)(count += classes->counts[half * n + i]);
    }
  return all;
}
