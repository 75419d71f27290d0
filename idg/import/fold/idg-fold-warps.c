/* SPDX-License-Identifier: MIT */
/* Records which warp runs which program. Most warps of a trace execute what others have executed:
 * either with the same lanes, which is detected before a program is made of it, or with lanes that
 * make no difference, which is detected afterwards.
 *
 * Blocks whose warps run the same programs share a row, which is stored once. */
#include "idg/import/fold/idg-fold-warps.h"

#include <string.h>

/* What a warp executed, as read. */
typedef struct IdgFoldSequence
{
  guint32 *words; /* its steps, as alternating classes and masks */
  gsize n;        /* number of words */
  guint hash;
  guint32 program;
  struct IdgFoldSequence *next; /* of the same program, in warps->dropped */
} Sequence;

static guint
hash_words (const guint32 *words, gsize n)
{
  guint64 hash = n;

  for (gsize i = 0; i < n; i++)
    hash = (hash ^ words[i]) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) + (hash >> 29);
  return (guint)(hash >> 32) ^ (guint)hash;
}

static guint
hash_sequence (gconstpointer data)
{
  return ((const Sequence *)data)->hash;
}

static gboolean
equal_sequences (gconstpointer a, gconstpointer b)
{
  const Sequence *x = a, *y = b;

  return x->n == y->n && (x->n == 0 || memcmp (x->words, y->words, x->n * sizeof *x->words) == 0);
}

static void
free_sequence (gpointer data)
{
  Sequence *sequence = data;

  g_free (sequence->words);
  g_free (sequence);
}

static void
free_code (gpointer data)
{
  if (data)
    g_array_unref (data);
}

IdgFoldWarps *
idg_fold_warps_new (const IdgFoldClasses *classes, guint32 warps_per_block)
{
  IdgFoldWarps *warps = g_new0 (IdgFoldWarps, 1);

  warps->classes = classes;
  warps->warps_per_block = warps_per_block;
  warps->maker = idg_fold_maker_new (classes);
  warps->sequences = g_hash_table_new_full (hash_sequence, equal_sequences, free_sequence, NULL);
  warps->codes
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  warps->programs = g_ptr_array_new_with_free_func (free_code);
  warps->sizes = g_array_new (FALSE, FALSE, sizeof (guint));
  warps->rows = g_hash_table_new (g_bytes_hash, g_bytes_equal);
  warps->places = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  warps->numbers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  warps->blocks = g_array_new (FALSE, FALSE, sizeof (IdgFoldBlock));
  warps->row = g_array_new (FALSE, FALSE, sizeof (IdgFoldPlace));
  warps->present = g_malloc0 (warps_per_block / 8 + 1);
  return warps;
}

void
idg_fold_warps_free (IdgFoldWarps *warps)
{
  if (!warps)
    return;
  if (!warps->dropped)
    idg_fold_warps_drop_index (warps);
  for (guint32 i = 0; i < warps->programs->len; i++)
    idg_fold_warps_drop_code (warps, i);
  g_free (warps->dropped);
  idg_fold_maker_free (warps->maker);
  g_hash_table_unref (warps->sequences);
  g_hash_table_unref (warps->codes);
  g_ptr_array_unref (warps->programs);
  g_array_unref (warps->sizes);
  g_hash_table_unref (warps->rows);
  g_ptr_array_unref (warps->places);
  g_hash_table_unref (warps->numbers);
  g_array_unref (warps->blocks);
  g_array_unref (warps->row);
  g_free (warps->present);
  g_free (warps);
}

G_STATIC_ASSERT (IDG_FOLD_MAX_NODES == 2097152); /* a message has this number */

/* Programs. */

/* Returns the number of the program encoded in CODE, and takes ownership of CODE. */
static guint32
keep_code (IdgFoldWarps *warps, GArray *code, guint n_nodes)
{
  GBytes *key = g_bytes_new_static (code->data, code->len * sizeof (guint32));
  gpointer number = g_hash_table_lookup (warps->codes, key);

  if (number)
    {
      g_bytes_unref (key);
      g_array_unref (code);
      return GPOINTER_TO_UINT (number) - 1;
    }
  g_ptr_array_add (warps->programs, code);
  g_hash_table_insert (warps->codes, key, GUINT_TO_POINTER (warps->programs->len));
  g_array_append_val (warps->sizes, n_nodes);
  warps->n_nodes += n_nodes;
  return warps->programs->len - 1;
}

guint32
idg_fold_warps_find_program (IdgFoldWarps *warps, const IdgFoldStep *steps, gsize n,
                             guint max_nodes)
{
  Sequence key = { .words = (guint32 *)(void *)steps, .n = 2 * n };
  Sequence *sequence;
  GArray *code;
  guint n_nodes;

  G_STATIC_ASSERT (sizeof (IdgFoldStep) == 2 * sizeof (guint32));
  key.hash = hash_words (key.words, key.n);
  sequence = g_hash_table_lookup (warps->sequences, &key);
  if (sequence)
    return sequence->program;
  code = idg_fold_maker_make (warps->maker, steps, n, TRUE, max_nodes, &n_nodes);
  if (!code)
    return IDG_FOLD_NO_PROGRAM;
  sequence = g_memdup2 (&key, sizeof key);
  sequence->words = g_memdup2 (key.words, key.n * sizeof *key.words);
  sequence->program = keep_code (warps, code, n_nodes);
  g_hash_table_add (warps->sequences, sequence);
  return sequence->program;
}

void
idg_fold_warps_drop_index (IdgFoldWarps *warps)
{
  GHashTableIter iter;
  gpointer data;

  g_clear_pointer (&warps->maker, idg_fold_maker_free);
  g_hash_table_remove_all (warps->codes); /* its keys are in the programs' code */
  warps->dropped = g_new0 (Sequence *, warps->programs->len + 1);
  g_hash_table_iter_init (&iter, warps->sequences);
  while (g_hash_table_iter_next (&iter, &data, NULL))
    {
      Sequence *sequence = data;

      sequence->next = warps->dropped[sequence->program];
      warps->dropped[sequence->program] = sequence;
    }
  g_hash_table_steal_all (warps->sequences);
}

void
idg_fold_warps_drop_code (IdgFoldWarps *warps, guint32 number)
{
  while (warps->dropped[number])
    {
      Sequence *sequence = warps->dropped[number];

      warps->dropped[number] = sequence->next;
      free_sequence (sequence);
    }
  g_clear_pointer (&g_ptr_array_index (warps->programs, number), free_code);
}

/* Blocks. */

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const IdgFoldPlace *x = a, *y = b;

  return x->warp < y->warp ? -1 : x->warp > y->warp;
}

/* Returns the number of the row with PLACES (of IdgFoldPlace, by warp). */
static guint32
find_row (IdgFoldWarps *warps, const GArray *places)
{
  GBytes *key = g_bytes_new (places->data, places->len * sizeof (IdgFoldPlace));
  gpointer number = g_hash_table_lookup (warps->rows, key);

  if (number)
    g_bytes_unref (key);
  else
    {
      g_ptr_array_add (warps->places, key);
      number = GUINT_TO_POINTER (warps->places->len);
      g_hash_table_insert (warps->rows, key, number);
    }
  return GPOINTER_TO_UINT (number) - 1;
}

/* Ends the current block, and finds or adds its row. */
void
idg_fold_warps_end_block (IdgFoldWarps *warps)
{
  if (!warps->in_block)
    return;
  warps->in_block = FALSE;
  g_array_sort (warps->row, compare_places);
  g_array_index (warps->blocks, IdgFoldBlock, warps->blocks->len - 1).row
      = find_row (warps, warps->row);
}

guint32
idg_fold_warps_find_row (IdgFoldWarps *warps, const guint32 *programs)
{
  g_array_set_size (warps->row, 0);
  for (guint32 warp = 0; warp < warps->warps_per_block; warp++)
    {
      IdgFoldPlace place = { warp, programs[warp] };

      if (programs[warp] != IDG_FOLD_NO_PROGRAM)
        g_array_append_val (warps->row, place);
    }
  return find_row (warps, warps->row);
}

void
idg_fold_warps_add_blocks (IdgFoldWarps *warps, guint64 first, guint64 n, guint32 row)
{
  IdgFoldBlock block = { first, n, row };
  IdgFoldBlock *last = warps->blocks->len > 0
                           ? &g_array_index (warps->blocks, IdgFoldBlock, warps->blocks->len - 1)
                           : NULL;

  warps->n_blocks += n;
  warps->n_present
      += n * (g_bytes_get_size (g_ptr_array_index (warps->places, row)) / sizeof (IdgFoldPlace));
  if (last && last->row == row && last->number + last->n == first)
    last->n += n;
  else
    g_array_append_val (warps->blocks, block);
}

gboolean
idg_fold_warps_begin_block (IdgFoldWarps *warps, guint64 number)
{
  IdgFoldBlock block = { .number = number, .n = 1 };

  idg_fold_warps_end_block (warps);
  if (!g_hash_table_add (warps->numbers, g_memdup2 (&number, sizeof number)))
    return FALSE;
  g_array_append_val (warps->blocks, block);
  warps->n_blocks++;
  warps->in_block = TRUE;
  memset (warps->present, 0, warps->warps_per_block / 8 + 1);
  g_array_set_size (warps->row, 0);
  return TRUE;
}

gboolean
idg_fold_warps_add (IdgFoldWarps *warps, guint32 number, const IdgFoldStep *steps, gsize n,
                    const gchar **problem)
{
  IdgFoldPlace place = { .warp = number };

  g_return_val_if_fail (number < warps->warps_per_block && warps->blocks->len > 0, FALSE);
  if (warps->present[number / 8] >> (number % 8) & 1)
    {
      *problem = "a warp occurs twice in its block; expected one part with all that it executed";
      return FALSE;
    }
  warps->present[number / 8] |= (guint8)(1 << (number % 8));
  warps->n_present++;
  if (n == 0)
    return TRUE;
  place.program
      = idg_fold_warps_find_program (warps, steps, n, IDG_FOLD_MAX_NODES - warps->n_nodes);
  if (place.program == IDG_FOLD_NO_PROGRAM)
    {
      *problem = "the warps execute so many different sequences of instructions that their "
                 "programs have "
                 "more than 2097152 instructions in all; read fewer blocks (--blocks)";
      return FALSE;
    }
  g_array_append_val (warps->row, place);
  return TRUE;
}

guint64
idg_fold_warps_count_blocks (const IdgFoldWarps *warps)
{
  return warps->n_blocks;
}
