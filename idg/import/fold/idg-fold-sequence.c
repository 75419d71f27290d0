/* SPDX-License-Identifier: MIT */
/* Folds a sequence into repeats, from left to right. `slots` holds what is folded so far:
 *
 *     ... x  (a b)^7  a b | a ...          the PC goes back to a: does "a b" precede it?
 *
 * If the PC goes back to that of an earlier slot, the slots from there on are one iteration of a
 * loop. If the same slots precede them, both become one slot: a body that is repeated twice. If the
 * slots after such a repeat equal its body, they are dropped and its count grows. So inner loops
 * are folded before an iteration of the outer one is complete, and iterations are compared slot by
 * slot, where a repeat is compared by its number and count.
 *
 * Prefixes of the slots are hashed, so that different iterations are told apart without comparing
 * their slots; if hashes agree, the slots are compared. */
#include "idg/import/fold/idg-fold.h"

#include <string.h>

/* How many earlier slots with the same PC are tried: a loop's head may also be the head of an inner
 * one, or be called from several places. */
#define MAX_TRIES 8

/* Of nested repeats; less than IDG_MAX_DEPTH. */
#define MAX_DEPTH 32

#define NO_SLOT G_MAXUINT32
#define HASH_FACTOR G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)

typedef struct
{
  IdgFoldItem item;
  guint32 pc;     /* the number of the PC that it begins with */
  guint32 same;   /* the previous slot that begins with that PC, or NO_SLOT */
  guint32 repeat; /* the last slot up to this one that is a repeat, or NO_SLOT */
  guint64 hash;   /* of all slots up to this one */
} Slot;

struct IdgFolder
{
  const IdgFoldClasses *classes;
  IdgFolded *fold;
  GArray *last;   /* of guint32: the last slot by number of the PC */
  GArray *slots;  /* of Slot */
  GArray *powers; /* of guint64: powers of HASH_FACTOR */
  GHashTable
      *known; /* of bodies: from the hash to number + 1. A second body with the same hash is not
               * shared */
  guint64 previous; /* the PC before */
};

static inline Slot *
get_slot (const IdgFolder *folder, guint32 i)
{
  return &g_array_index (folder->slots, Slot, i);
}

/* The last step of splitmix64. */
static guint64
mix (guint64 x)
{
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return x ^ (x >> 31);
}

static guint64
hash_item (const IdgFoldItem *item)
{
  return mix (((guint64)item->count << 32 | item->number) + HASH_FACTOR);
}

static guint64
get_power (IdgFolder *folder, guint32 n)
{
  while (folder->powers->len <= n)
    {
      guint64 power
          = folder->powers->len == 0
                ? 1
                : g_array_index (folder->powers, guint64, folder->powers->len - 1) * HASH_FACTOR;

      g_array_append_val (folder->powers, power);
    }
  return g_array_index (folder->powers, guint64, n);
}

static guint64
get_prefix (const IdgFolder *folder, guint32 end)
{
  return end ? get_slot (folder, end - 1)->hash : 0;
}

/* Returns the hash of the N slots from FIRST on. */
static guint64
hash_slots (IdgFolder *folder, guint32 first, guint32 n)
{
  return get_prefix (folder, first + n) - get_prefix (folder, first) * get_power (folder, n);
}

static void
push (IdgFolder *folder, IdgFoldItem item, guint32 pc)
{
  guint32 place = folder->slots->len;
  Slot slot = { .item = item, .pc = pc };

  slot.same = g_array_index (folder->last, guint32, pc);
  if (item.count)
    slot.repeat = place;
  else
    slot.repeat = place ? get_slot (folder, place - 1)->repeat : NO_SLOT;
  slot.hash = get_prefix (folder, place) * HASH_FACTOR + hash_item (&item);
  g_array_index (folder->last, guint32, pc) = place;
  g_array_append_val (folder->slots, slot);
}

static void
cut (IdgFolder *folder, guint32 length)
{
  while (folder->slots->len > length)
    {
      const Slot *slot = get_slot (folder, folder->slots->len - 1);

      g_array_index (folder->last, guint32, slot->pc) = slot->same;
      g_array_set_size (folder->slots, folder->slots->len - 1);
    }
}

static gboolean
equal_items (const IdgFoldItem *a, const IdgFoldItem *b)
{
  return a->number == b->number && a->count == b->count;
}

static gboolean
equal_slots (IdgFolder *folder, guint32 a, guint32 b, guint32 n)
{
  if (hash_slots (folder, a, n) != hash_slots (folder, b, n))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    if (!equal_items (&get_slot (folder, a + i)->item, &get_slot (folder, b + i)->item))
      return FALSE;
  return TRUE;
}

/* Tells whether the slots from FIRST on equal BODY. */
static gboolean
equal_body (IdgFolder *folder, const IdgFoldBody *body, guint32 first)
{
  if (hash_slots (folder, first, body->n) != body->hash)
    return FALSE;
  for (guint32 i = 0; i < body->n; i++)
    if (!equal_items (&get_slot (folder, first + i)->item,
                      &g_array_index (folder->fold->pool, IdgFoldItem, body->first + i)))
      return FALSE;
  return TRUE;
}

static guint32
get_depth (IdgFolder *folder, guint32 first, guint32 n)
{
  guint32 depth = 0;

  for (guint32 i = first; i < first + n; i++)
    {
      const IdgFoldItem *item = &get_slot (folder, i)->item;

      if (item->count)
        depth = MAX (depth, g_array_index (folder->fold->bodies, IdgFoldBody, item->number).depth);
    }
  return depth + 1;
}

/* Returns the number of the body that equals the N slots from FIRST on. */
static guint32
find_body (IdgFolder *folder, guint32 first, guint32 n, guint32 depth)
{
  IdgFolded *fold = folder->fold;
  IdgFoldBody body = { fold->pool->len, n, depth, hash_slots (folder, first, n) };
  gpointer known = g_hash_table_lookup (folder->known, &body.hash);
  guint32 number = GPOINTER_TO_UINT (known);

  if (number)
    {
      const IdgFoldBody *other = &g_array_index (fold->bodies, IdgFoldBody, number - 1);

      if (other->n == n && equal_body (folder, other, first))
        return number - 1;
    }
  for (guint32 i = first; i < first + n; i++)
    g_array_append_val (fold->pool, get_slot (folder, i)->item);
  g_array_append_val (fold->bodies, body);
  if (!number)
    g_hash_table_insert (folder->known, g_memdup2 (&body.hash, sizeof body.hash),
                         GUINT_TO_POINTER (fold->bodies->len));
  return fold->bodies->len - 1;
}

/* If the last slots equal the repeat before them, adds them to its count. */
static void
absorb (IdgFolder *folder)
{
  guint32 end = folder->slots->len;
  guint32 repeat = get_slot (folder, end - 1)->repeat;
  IdgFoldItem item;
  const IdgFoldBody *body;
  guint32 pc;

  if (repeat == NO_SLOT || repeat == end - 1)
    return;
  item = get_slot (folder, repeat)->item;
  body = &g_array_index (folder->fold->bodies, IdgFoldBody, item.number);
  if (end - 1 - repeat != body->n || item.count == IDG_MAX_COUNT
      || !equal_body (folder, body, repeat + 1))
    return;
  pc = get_slot (folder, repeat)->pc;
  item.count++;
  cut (folder, repeat);
  push (folder, item, pc);
}

/* Folds the N slots from FIRST on, an iteration, if the same slots, or a repeat of them, precede
 * them. */
static gboolean
fold_round (IdgFolder *folder, guint32 first, guint32 n, guint32 pc)
{
  const Slot *before = get_slot (folder, first - 1);
  IdgFoldItem item = before->item;
  guint32 depth;

  if (item.count && item.count < IDG_MAX_COUNT)
    {
      const IdgFoldBody *body = &g_array_index (folder->fold->bodies, IdgFoldBody, item.number);

      if (body->n == n && equal_body (folder, body, first))
        {
          item.count++;
          cut (folder, first - 1);
          push (folder, item, pc);
          return TRUE;
        }
    }
  if (n > first || !equal_slots (folder, first - n, first, n)
      || (depth = get_depth (folder, first, n)) > MAX_DEPTH)
    return FALSE;
  item = (IdgFoldItem){ find_body (folder, first, n, depth), 2 };
  cut (folder, first - n);
  push (folder, item, pc);
  return TRUE;
}

static void
add_step (IdgFolder *folder, guint32 class)
{
  const IdgFoldClass *data = idg_fold_classes_get (folder->classes, class);
  guint32 first = g_array_index (folder->last, guint32, data->pc_number);

  for (guint tries = 0;
       data->pc <= folder->previous && first != NO_SLOT && first > 0 && tries < MAX_TRIES
       && !fold_round (folder, first, folder->slots->len - first, data->pc_number);
       tries++)
    first = get_slot (folder, first)->same;
  push (folder, (IdgFoldItem){ class, 0 }, data->pc_number);
  absorb (folder);
  folder->previous = data->pc;
}

/* Forgets the sequence, but keeps the memory. */
static void
reset (IdgFolder *folder)
{
  guint32 none = NO_SLOT;

  cut (folder, 0);
  while (folder->last->len < folder->classes->n_pcs)
    g_array_append_val (folder->last, none);
  g_hash_table_remove_all (folder->known);
  folder->previous = 0;
}

IdgFolder *
idg_folder_new (const IdgFoldClasses *classes)
{
  IdgFolder *folder = g_new0 (IdgFolder, 1);

  folder->classes = classes;
  folder->last = g_array_new (FALSE, FALSE, sizeof (guint32));
  folder->slots = g_array_new (FALSE, FALSE, sizeof (Slot));
  folder->powers = g_array_new (FALSE, FALSE, sizeof (guint64));
  folder->known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return folder;
}

void
idg_folder_free (IdgFolder *folder)
{
  if (!folder)
    return;
  g_array_unref (folder->last);
  g_array_unref (folder->slots);
  g_array_unref (folder->powers);
  g_hash_table_unref (folder->known);
  g_free (folder);
}

IdgFolded *
idg_folder_fold (IdgFolder *folder, const IdgFoldStep *steps, gsize n, guint max_items)
{
  g_autoptr (IdgFolded) fold = g_new0 (IdgFolded, 1);

  fold->items = g_array_new (FALSE, FALSE, sizeof (IdgFoldItem));
  fold->pool = g_array_new (FALSE, FALSE, sizeof (IdgFoldItem));
  fold->bodies = g_array_new (FALSE, FALSE, sizeof (IdgFoldBody));
  folder->fold = fold;
  reset (folder);
  for (gsize i = 0; i < n; i++)
    {
      add_step (folder, steps[i].class);
      if (folder->slots->len > max_items)
        return NULL;
    }
  for (guint i = 0; i < folder->slots->len; i++)
    g_array_append_val (fold->items, get_slot (folder, i)->item);
  return g_steal_pointer (&fold);
}

void
idg_folded_free (IdgFolded *fold)
{
  if (!fold)
    return;
  g_array_unref (fold->items);
  g_array_unref (fold->pool);
  g_array_unref (fold->bodies);
  g_free (fold);
}
