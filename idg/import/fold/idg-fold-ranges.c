/* SPDX-License-Identifier: MIT */
/* Turns the assignment of warps to programs into programs of a kernel. Such a program has a set of
 * warps and a set of blocks, and all pairs of them run it. Blocks whose warps run the same programs
 * form a row already. The pairs of a program are covered by rectangles in one of two ways,
 * whichever needs fewer: for each set of warps that run it in some row, the blocks of those rows;
 * or for each set of rows in which a warp runs it, those warps. */
#include "idg/import/fold/idg-fold-warps.h"

#include <string.h>

/* Rectangles. */

/* PROGRAM runs at the pair of A and B: a row and a warp, or a warp and a row. */
typedef struct
{
  guint32 program, a, b;
} Meeting;

typedef struct
{
  guint32 program;
  GArray *as, *bs; /* of guint32, ascending */
} Rectangle;

static gint
compare_meetings (gconstpointer first, gconstpointer second)
{
  const Meeting *x = first, *y = second;

  if (x->program != y->program)
    return x->program < y->program ? -1 : 1;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  return x->b < y->b ? -1 : x->b > y->b;
}

static void
clear_rectangle (gpointer data)
{
  Rectangle *rectangle = data;

  g_array_unref (rectangle->as);
  g_array_unref (rectangle->bs);
}

/* Returns a word with the program, followed by all that A meets in it, from meeting FIRST on. */
static GArray *
list_meetings (const GArray *meetings, guint first)
{
  const Meeting *begin = &g_array_index (meetings, Meeting, first);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (list, begin->program);
  for (guint i = first; i < meetings->len; i++)
    {
      const Meeting *meeting = &g_array_index (meetings, Meeting, i);

      if (meeting->program != begin->program || meeting->a != begin->a)
        break;
      g_array_append_val (list, meeting->b);
    }
  return list;
}

/* Covers meetings with one rectangle for each set of Bs that some As have in common, by program. */
static GArray *
cover (GArray *meetings)
{
  GArray *rectangles = g_array_new (FALSE, FALSE, sizeof (Rectangle));
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);

  g_array_set_clear_func (rectangles, clear_rectangle);
  g_array_sort (meetings, compare_meetings);
  for (guint i = 0; i < meetings->len;)
    {
      const Meeting *meeting = &g_array_index (meetings, Meeting, i);
      g_autoptr (GArray) list = list_meetings (meetings, i);
      GBytes *key = g_bytes_new (list->data, list->len * sizeof (guint32));
      gpointer number = g_hash_table_lookup (known, key);

      i += list->len - 1;
      if (!number)
        {
          Rectangle rectangle = { .program = meeting->program };

          rectangle.as = g_array_new (FALSE, FALSE, sizeof (guint32));
          rectangle.bs = g_array_ref (g_array_remove_index (list, 0));
          g_array_append_val (rectangles, rectangle);
          number = GUINT_TO_POINTER (rectangles->len);
          g_hash_table_insert (known, g_bytes_ref (key), number);
        }
      g_bytes_unref (key);
      g_array_append_val (g_array_index (rectangles, Rectangle, GPOINTER_TO_UINT (number) - 1).as,
                          meeting->a);
    }
  return rectangles;
}

/* Rows and programs are numbered in the order of the file. Renumbers them in the order of blocks
 * and warps, so that the kernel does not depend on the file's order. */
static void
sort_rows (IdgFoldWarps *warps)
{
  GPtrArray *places = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  guint32 *numbers = g_new0 (guint32, warps->places->len + 1); /* + 1; 0: not seen yet */

  for (guint i = 0; i < warps->blocks->len; i++)
    {
      guint32 *row = &g_array_index (warps->blocks, IdgFoldBlock, i).row;

      if (numbers[*row] == 0)
        {
          g_ptr_array_add (places, g_bytes_ref (g_ptr_array_index (warps->places, *row)));
          numbers[*row] = places->len;
        }
      *row = numbers[*row] - 1;
    }
  g_free (numbers);
  g_hash_table_remove_all (warps->rows);
  g_ptr_array_unref (warps->places);
  warps->places = places;
}

static guint32 *
sort_programs (const IdgFoldWarps *warps)
{
  guint32 *order = g_new (guint32, warps->programs->len + 1);
  guint32 n = 0;

  memset (order, 0xff, (warps->programs->len + 1) * sizeof *order);
  for (guint row = 0; row < warps->places->len; row++)
    {
      gsize size;
      const IdgFoldPlace *places = g_bytes_get_data (g_ptr_array_index (warps->places, row), &size);

      for (gsize i = 0; i < size / sizeof *places; i++)
        if (order[places[i].program] == IDG_FOLD_NO_PROGRAM)
          order[places[i].program] = n++;
    }
  return order;
}

static GArray *
list_rows (const IdgFoldWarps *warps, const guint32 *order, gboolean by_warp)
{
  GArray *meetings = g_array_new (FALSE, FALSE, sizeof (Meeting));

  for (guint row = 0; row < warps->places->len; row++)
    {
      gsize size;
      const IdgFoldPlace *places = g_bytes_get_data (g_ptr_array_index (warps->places, row), &size);

      for (gsize i = 0; i < size / sizeof *places; i++)
        {
          Meeting meeting = { order[places[i].program], by_warp ? places[i].warp : row,
                              by_warp ? row : places[i].warp };

          g_array_append_val (meetings, meeting);
        }
    }
  return meetings;
}

/* Ranges of blocks and warps. */

/* Adds RANGE, which must not begin before the last one, to RANGES. */
static void
add_to_ranges (GArray *ranges, IdgRange range)
{
  IdgRange *last = ranges->len ? &g_array_index (ranges, IdgRange, ranges->len - 1) : NULL;

  if (last && range.first <= last->last + 1)
    last->last = MAX (last->last, range.last);
  else
    g_array_append_val (ranges, range);
}

static gint
compare_ranges (gconstpointer a, gconstpointer b)
{
  const IdgRange *x = a, *y = b;

  return x->first < y->first ? -1 : x->first > y->first;
}

/* Returns PARTS (of IdgRange) as ranges, or NULL for all numbers below N. */
static GArray *
make_ranges (GArray *parts, guint64 n)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (IdgRange));
  const IdgRange *first;

  g_array_sort (parts, compare_ranges);
  for (guint i = 0; i < parts->len; i++)
    add_to_ranges (ranges, g_array_index (parts, IdgRange, i));
  first = ranges->len ? &g_array_index (ranges, IdgRange, 0) : NULL;
  if (first && first->first == 0 && first->last == n - 1)
    return NULL;
  return g_steal_pointer (&ranges);
}

/* The state of adding programs to a kernel. */
typedef struct
{
  IdgFoldWarps *warps;
  IdgKernel *kernel;
  IdgProgram *last;  /* of those added, or NULL */
  GPtrArray *blocks; /* of GArray of IdgRange: the blocks of each row, with their new numbers */
  guint32 *programs; /* from new numbers of programs to old ones */
  guint64 n_nodes, max_nodes;
} Filler;

static GArray *
get_block_ranges (const Filler *filler, const GArray *rows)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (IdgRange));

  for (guint i = 0; i < rows->len; i++)
    {
      const GArray *blocks = g_ptr_array_index (filler->blocks, g_array_index (rows, guint32, i));

      g_array_append_vals (parts, blocks->data, blocks->len);
    }
  return make_ranges (parts, filler->warps->n_blocks);
}

static GArray *
get_warp_ranges (const Filler *filler, const GArray *warps)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (IdgRange));

  for (guint i = 0; i < warps->len; i++)
    {
      guint64 number = g_array_index (warps, guint32, i);
      IdgRange range = { number, number };

      g_array_append_val (parts, range);
    }
  return make_ranges (parts, filler->warps->warps_per_block);
}

/* Returns FALSE if the program is too large, or memory is exhausted. */
static gboolean
add_rectangle (Filler *filler, const Rectangle *rectangle, gboolean by_warp)
{
  const IdgFoldWarps *warps = filler->warps;
  guint32 number = filler->programs[rectangle->program];
  guint n_nodes = g_array_index (warps->sizes, guint, number);
  IdgProgram *program;

  filler->n_nodes += n_nodes;
  if (filler->n_nodes > filler->max_nodes)
    return FALSE;
  program = idg_fold_program_build (warps->classes, g_ptr_array_index (warps->programs, number),
                                    n_nodes, filler->last);
  if (!program)
    return FALSE;
  filler->last = program;
  idg_kernel_add_program (filler->kernel, program, NULL,
                          get_warp_ranges (filler, by_warp ? rectangle->as : rectangle->bs),
                          get_block_ranges (filler, by_warp ? rectangle->bs : rectangle->as), 0);
  return TRUE;
}

/* Returns how many of RECTANGLES, from FIRST on, are PROGRAM's. */
static guint
count_rectangles (const GArray *rectangles, guint first, guint32 program)
{
  guint n = 0;

  while (first + n < rectangles->len
         && g_array_index (rectangles, Rectangle, first + n).program == program)
    n++;
  return n;
}

/* Adds the rectangles of PROGRAM, from ROW and COLUMN on. */
static gboolean
add_rectangles (Filler *filler, const GArray *by_row, guint row, guint n_rows,
                const GArray *by_warp, guint column, guint n_columns)
{
  gboolean use_columns = n_columns < n_rows;

  for (guint i = 0; i < MIN (n_rows, n_columns); i++)
    if (!add_rectangle (filler,
                        use_columns ? &g_array_index (by_warp, Rectangle, column + i)
                                    : &g_array_index (by_row, Rectangle, row + i),
                        use_columns))
      return FALSE;
  return TRUE;
}

static gboolean
add_programs (Filler *filler, const guint32 *order)
{
  g_autoptr (GArray) rows = list_rows (filler->warps, order, FALSE);
  g_autoptr (GArray) columns = list_rows (filler->warps, order, TRUE);
  g_autoptr (GArray) by_row = cover (rows);
  g_autoptr (GArray) by_warp = cover (columns);
  guint row = 0, column = 0;

  for (guint32 program = 0; program < filler->warps->programs->len; program++)
    {
      guint n_rows = count_rectangles (by_row, row, program);
      guint n_columns = count_rectangles (by_warp, column, program);

      if (!add_rectangles (filler, by_row, row, n_rows, by_warp, column, n_columns))
        return FALSE;
      idg_fold_warps_drop_code (filler->warps, filler->programs[program]);
      row += n_rows;
      column += n_columns;
    }
  return TRUE;
}

/* Returns the warps of ROW that execute nothing, as ranges. */
static GArray *
find_gaps (const IdgFoldWarps *warps, guint row)
{
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (IdgRange));
  gsize size;
  const IdgFoldPlace *places = g_bytes_get_data (g_ptr_array_index (warps->places, row), &size);
  guint64 next = 0;

  for (gsize i = 0; i <= size / sizeof *places; i++)
    {
      guint64 end = i < size / sizeof *places ? places[i].warp : warps->warps_per_block;
      IdgRange gap = { next, end - 1 };

      if (end > next)
        g_array_append_val (gaps, gap);
      next = end + 1;
    }
  return gaps;
}

/* Adds an empty program for each set of warps that execute nothing. */
static gboolean
add_gaps (Filler *filler)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (
      g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, (GDestroyNotify)g_array_unref);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint32 row = 0; row < filler->warps->places->len; row++)
    {
      g_autoptr (GArray) gaps = find_gaps (filler->warps, row);
      GBytes *key = g_bytes_new (gaps->data, gaps->len * sizeof (IdgRange));
      GArray *rows = g_hash_table_lookup (known, key);

      if (gaps->len > 0 && !rows)
        {
          rows = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (known, g_bytes_ref (key), rows);
          g_ptr_array_add (order, key);
        }
      if (gaps->len > 0)
        g_array_append_val (rows, row);
      g_bytes_unref (key);
    }
  for (guint i = 0; i < order->len; i++)
    {
      GBytes *key = g_ptr_array_index (order, i);
      gsize size;
      const IdgRange *ranges = g_bytes_get_data (key, &size);
      GArray *gaps = g_array_new (FALSE, FALSE, sizeof (IdgRange));
      IdgProgram *program = idg_program_new_beside (filler->last);

      g_array_append_vals (gaps, ranges, (guint)(size / sizeof *ranges));
      if (!program)
        {
          g_array_unref (gaps);
          return FALSE;
        }
      idg_kernel_add_program (filler->kernel, program, NULL, gaps,
                              get_block_ranges (filler, g_hash_table_lookup (known, key)), 0);
    }
  return TRUE;
}

static gint
compare_blocks (gconstpointer a, gconstpointer b)
{
  const IdgFoldBlock *x = a, *y = b;

  return x->number < y->number ? -1 : x->number > y->number;
}

/* Adds each block to those of its row, with its new number. */
static void
add_blocks (const IdgFoldWarps *warps, GPtrArray *rows)
{
  guint64 number = 0;

  for (guint i = 0; i < warps->blocks->len; i++)
    {
      const IdgFoldBlock *block = &g_array_index (warps->blocks, IdgFoldBlock, i);
      IdgRange range = { number, number + block->n - 1 };

      add_to_ranges (g_ptr_array_index (rows, block->row), range);
      number += block->n;
    }
}

gboolean
idg_fold_warps_finish (IdgFoldWarps *warps, IdgKernel *kernel, guint64 max_nodes, guint64 *missing)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *programs = g_new0 (guint32, warps->programs->len + 1);
  Filler filler = {
    .warps = warps, .kernel = kernel, .blocks = blocks, .programs = programs, .max_nodes = max_nodes
  };

  idg_fold_warps_end_block (warps);
  g_array_sort (warps->blocks, compare_blocks);
  sort_rows (warps);
  idg_fold_warps_drop_index (warps);
  order = sort_programs (warps);
  for (guint32 i = 0; i < warps->programs->len; i++)
    programs[order[i]] = i;
  for (guint i = 0; i < warps->places->len; i++)
    g_ptr_array_add (blocks, g_array_new (FALSE, FALSE, sizeof (IdgRange)));
  add_blocks (warps, blocks);
  *missing = warps->n_blocks * (guint64)warps->warps_per_block - warps->n_present;
  return add_programs (&filler, order) && add_gaps (&filler);
}
