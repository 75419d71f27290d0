/* SPDX-License-Identifier: MIT */
/* A kernel, and the assignment of its programs to warps. The latter uses no table of warps, because
 * a launch may have 2^53 blocks. Instead, the blocks are cut where some program's range begins or
 * ends, and so are the warps of a block; within a piece nothing changes. The cells of that grid are
 * few, whatever the launch. The pieces of blocks are visited in order, and a sorted list of the
 * places where programs begin and end keeps the set of active programs up to date. A piece that
 * assigns its warps like an earlier one shares that one's row. */
#include "idg/kernel/idg-kernel.h"

#include "idg/kernel/idg-text.h"

#include "idg/kernel/idg-mix.h"

#include <string.h>

#define MAX_CELLS (1u << 22) /* pieces of blocks x pieces of warps */
#define NO_PROGRAM G_MAXUINT32

GQuark
idg_error_quark (void)
{
  return g_quark_from_static_string ("idg-error-quark");
}

static void
free_program (gpointer data)
{
  IdgKernelProgram *program = data;

  g_free (program->name);
  g_clear_pointer (&program->warps, g_array_unref);
  g_clear_pointer (&program->blocks, g_array_unref);
  idg_program_free (program->program);
  g_free (program);
}

static void
free_parameter (gpointer data)
{
  IdgParameter *parameter = data;

  g_free (parameter->name);
  g_free (parameter->value);
  g_free (parameter->text);
  g_free (parameter);
}

static void
free_warning (gpointer data)
{
  IdgWarning *warning = data;

  g_free (warning->name);
  g_free (warning->text);
  g_free (warning);
}

IdgKernel *
idg_kernel_new (const gchar *name)
{
  IdgKernel *kernel = g_new0 (IdgKernel, 1);

  kernel->name = g_strdup (name);
  kernel->launch.blocks = 1;
  kernel->launch.threads = 32;
  kernel->warnings = g_ptr_array_new_with_free_func (free_warning);
  kernel->parameters = g_ptr_array_new_with_free_func (free_parameter);
  kernel->programs = g_ptr_array_new_with_free_func (free_program);
  kernel->notes = g_ptr_array_new_with_free_func (g_free);
  return kernel;
}

void
idg_kernel_free (IdgKernel *kernel)
{
  if (!kernel)
    return;
  g_free (kernel->name);
  g_free (kernel->title);
  g_free (kernel->file);
  g_ptr_array_unref (kernel->warnings);
  g_ptr_array_unref (kernel->parameters);
  g_ptr_array_unref (kernel->programs);
  g_ptr_array_unref (kernel->notes);
  g_clear_pointer (&kernel->accesses, g_array_unref);
  g_free (kernel->counters);
  if (kernel->execute)
    {
      g_free (kernel->execute->file);
      g_free (kernel->execute->launch);
      g_free (kernel->execute->data);
      g_free (kernel->execute->nvcc);
      g_free (kernel->execute);
    }
  g_free (kernel);
}

gboolean
idg_kernel_has_mixes (const IdgKernel *kernel)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      const IdgProgram *program
          = ((IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program;

      for (guint i = 0; i < program->n_nodes; i++)
        if (idg_mix_is_one (program->nodes[i].context))
          return TRUE;
    }
  return FALSE;
}

const gchar *
idg_kernel_get_file (const IdgKernel *kernel)
{
  return kernel->file != NULL ? kernel->file : kernel->name;
}

void
idg_kernel_add_program (IdgKernel *kernel, IdgProgram *program, const gchar *name, GArray *warps,
                        GArray *blocks, gint line)
{
  IdgKernelProgram *entry;

  g_return_if_fail (kernel != NULL && program != NULL);
  entry = g_new0 (IdgKernelProgram, 1);
  entry->name = g_strdup (name);
  entry->warps = warps;
  entry->blocks = blocks;
  entry->program = program;
  entry->line = line;
  g_ptr_array_add (kernel->programs, entry);
}

/* Puts blanks for what has no place in a text of one line. */
static gchar *
make_line (gchar *text)
{
  gchar *valid = g_utf8_make_valid (text, -1);

  for (gchar *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    if (idg_text_is_hidden (g_utf8_get_char (p)))
      memset (p, ' ', (gsize)(g_utf8_next_char (p) - p));
  g_free (text);
  return valid;
}

void
idg_kernel_add_warning (IdgKernel *kernel, const gchar *name, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  IdgWarning *warning;
  va_list args;

  g_return_if_fail (kernel != NULL && name != NULL && format != NULL);
  va_start (args, format);
  text = make_line (g_strdup_vprintf (format, args));
  va_end (args);
  for (guint i = 0; i < kernel->warnings->len; i++)
    {
      const IdgWarning *other = g_ptr_array_index (kernel->warnings, i);

      if (strcmp (other->name, name) == 0 && strcmp (other->text, text) == 0)
        return;
    }
  warning = g_new (IdgWarning, 1);
  warning->name = g_strdup (name);
  warning->text = g_steal_pointer (&text);
  g_ptr_array_add (kernel->warnings, warning);
}

void
idg_assignment_free (IdgAssignment *assignment)
{
  if (!assignment)
    return;
  g_array_unref (assignment->blocks);
  g_ptr_array_unref (assignment->rows);
  g_free (assignment);
}

/* From block FIRST on, PROGRAM runs (joins) or no longer runs (leaves). */
typedef struct
{
  guint64 first;
  guint32 program;
  gboolean joins;
} Event;

typedef struct
{
  const IdgKernel *kernel;
  guint64 n_blocks, n_warps;
  GPtrArray *warps;  /* for each program a GArray of IdgRange: disjoint, ascending, within the block
                      */
  GArray *cuts;      /* of guint64: first warps of the pieces, ascending from 0 */
  GArray *events;    /* sorted by block */
  GArray *active;    /* of guint32: programs that run in the current piece of blocks, ascending */
  guint32 *cells;    /* the program of each piece of warps */
  GHashTable *known; /* from the assignment of a row (GBytes) to its index */
  IdgAssignment *assignment;
} Assigner;

static gint
compare_ranges (gconstpointer a, gconstpointer b)
{
  const IdgRange *x = a, *y = b;

  return x->first < y->first ? -1 : x->first > y->first;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

  return x < y ? -1 : x > y;
}

/* Sorts by block. Programs that leave come before those that join, which keeps the active list
 * short. Joining in ascending and leaving in descending order makes programs come and go at the end
 * of that list. */
static gint
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *x = a, *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->joins != y->joins)
    return x->joins ? 1 : -1;
  if (!x->joins)
    return x->program > y->program ? -1 : x->program < y->program;
  return x->program < y->program ? -1 : x->program > y->program;
}

/* Returns RANGES (NULL: all) clipped to END, ascending, and merged so that no two touch. */
static GArray *
normalize_ranges (const GArray *ranges, guint64 end)
{
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (IdgRange));
  IdgRange all = { 0, end - 1 };
  guint n = 0;

  if (!ranges)
    return g_array_append_val (sorted, all);
  if (ranges->len)
    g_array_append_vals (sorted, ranges->data, ranges->len);
  g_array_sort (sorted, compare_ranges);
  for (guint i = 0; i < sorted->len; i++)
    {
      IdgRange range = g_array_index (sorted, IdgRange, i);
      IdgRange *last = n ? &g_array_index (sorted, IdgRange, n - 1) : NULL;

      if (range.first >= end)
        break;
      range.last = MIN (range.last, end - 1);
      if (last && range.first <= last->last + 1)
        last->last = MAX (last->last, range.last);
      else
        g_array_index (sorted, IdgRange, n++) = range;
    }
  return g_array_set_size (sorted, n);
}

static void
add_events (Assigner *assigner, guint32 program, const GArray *blocks)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      const IdgRange *range = &g_array_index (blocks, IdgRange, i);
      Event joins = { range->first, program, TRUE };
      Event leaves = { range->last + 1, program, FALSE };

      g_array_append_val (assigner->events, joins);
      if (leaves.first < assigner->n_blocks)
        g_array_append_val (assigner->events, leaves);
    }
}

static void
add_cuts (Assigner *assigner, const GArray *warps)
{
  for (guint i = 0; i < warps->len; i++)
    {
      const IdgRange *range = &g_array_index (warps, IdgRange, i);
      guint64 end = range->last + 1;

      g_array_append_val (assigner->cuts, range->first);
      if (end < assigner->n_warps)
        g_array_append_val (assigner->cuts, end);
    }
}

static void
sort_cuts (GArray *cuts)
{
  guint n = 0;

  g_array_sort (cuts, compare_numbers);
  for (guint i = 0; i < cuts->len; i++)
    {
      guint64 cut = g_array_index (cuts, guint64, i);

      if (n == 0 || g_array_index (cuts, guint64, n - 1) != cut)
        g_array_index (cuts, guint64, n++) = cut;
    }
  g_array_set_size (cuts, n);
}

/* Returns the index of the piece of warps that begins at CUT. */
static guint
find_cell (const GArray *cuts, guint64 cut)
{
  guint low = 0, high = cuts->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (cuts, guint64, middle) <= cut)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static void
cut_launch (Assigner *assigner)
{
  guint64 zero = 0;

  g_array_append_val (assigner->cuts, zero);
  for (guint i = 0; i < assigner->kernel->programs->len; i++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (assigner->kernel->programs, i);
      GArray *warps = normalize_ranges (program->warps, assigner->n_warps);

      g_ptr_array_add (assigner->warps, warps);
      add_cuts (assigner, warps);
      if (warps->len)
        {
          g_autoptr (GArray) blocks = normalize_ranges (program->blocks, assigner->n_blocks);

          add_events (assigner, i, blocks);
        }
    }
  sort_cuts (assigner->cuts);
  g_array_sort (assigner->events, compare_events);
}

static gboolean G_GNUC_PRINTF (4, 5)
    fail (const IdgKernel *kernel, gint line, GError **error, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  g_autofree gchar *place = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (kernel->file && line > 0)
    place = g_strdup_printf ("%s:%d: ", kernel->file, line);
  else if (kernel->file)
    place = g_strdup_printf ("%s: ", kernel->file);
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s%s", place ? place : "", message);
  return FALSE;
}

static gchar *
describe_program (const IdgKernel *kernel, guint32 index)
{
  const IdgKernelProgram *program = g_ptr_array_index (kernel->programs, index);
  GString *text = g_string_new (NULL);

  if (program->name)
    g_string_append_printf (text, "\"%s\"", program->name);
  else
    g_string_append_printf (text, "%u", index + 1);
  if (program->line > 0)
    g_string_append_printf (text, " (line %d)", program->line);
  return g_string_free (text, FALSE);
}

static gboolean
fail_none (const Assigner *assigner, guint64 block, guint64 warp, GError **error)
{
  return fail (assigner->kernel, 0, error,
               "warp %" G_GUINT64_FORMAT " of block %" G_GUINT64_FORMAT " is in no <program>; "
               "each warp of the launch (%" G_GUINT64_FORMAT " of each of %" G_GUINT64_FORMAT
               " blocks) must be in exactly one",
               warp, block, assigner->n_warps, assigner->n_blocks);
}

static gboolean
fail_both (const Assigner *assigner, guint64 block, guint64 warp, guint32 one, guint32 other,
           GError **error)
{
  const IdgKernelProgram *program = g_ptr_array_index (assigner->kernel->programs, other);
  g_autofree gchar *first = describe_program (assigner->kernel, one);
  g_autofree gchar *second = describe_program (assigner->kernel, other);

  return fail (assigner->kernel, program->line, error,
               "warp %" G_GUINT64_FORMAT " of block %" G_GUINT64_FORMAT
               " is in programs %s and %s; it must be in exactly one",
               warp, block, first, second);
}

/* Fills the cells for the blocks from BLOCK on. An error is reported for the first warp that has
 * one. Cost: the number of cells and of active programs, since no cell is filled twice, except in
 * the case of an error. */
static gboolean
fill_cells (Assigner *assigner, guint64 block, GError **error)
{
  guint n = assigner->cuts->len, wrong = n;
  guint32 one = NO_PROGRAM, other = NO_PROGRAM;

  memset (assigner->cells, 0xff, n * sizeof *assigner->cells);
  for (guint i = 0; i < assigner->active->len; i++)
    {
      guint32 program = g_array_index (assigner->active, guint32, i);
      const GArray *warps = g_ptr_array_index (assigner->warps, program);

      for (guint j = 0; j < warps->len; j++)
        {
          const IdgRange *range = &g_array_index (warps, IdgRange, j);
          guint cell = find_cell (assigner->cuts, range->first);

          for (; cell < wrong && g_array_index (assigner->cuts, guint64, cell) <= range->last;
               cell++)
            {
              if (assigner->cells[cell] != NO_PROGRAM)
                {
                  wrong = cell;
                  one = assigner->cells[cell];
                  other = program;
                }
              assigner->cells[cell] = program;
            }
        }
    }
  for (guint cell = 0; cell < wrong; cell++)
    if (assigner->cells[cell] == NO_PROGRAM)
      return fail_none (assigner, block, g_array_index (assigner->cuts, guint64, cell), error);
  if (wrong < n)
    return fail_both (assigner, block, g_array_index (assigner->cuts, guint64, wrong), one, other,
                      error);
  return TRUE;
}

/* Returns the cells as segments, with neighbours of one program merged. */
static GArray *
make_row (const Assigner *assigner)
{
  GArray *row = g_array_new (FALSE, FALSE, sizeof (IdgSegment));

  for (guint cell = 0; cell < assigner->cuts->len; cell++)
    if (cell == 0 || assigner->cells[cell] != assigner->cells[cell - 1])
      {
        IdgSegment segment
            = { (guint32)g_array_index (assigner->cuts, guint64, cell), assigner->cells[cell] };

        g_array_append_val (row, segment);
      }
  return row;
}

static void
add_row (Assigner *assigner, guint64 block)
{
  gsize size = assigner->cuts->len * sizeof *assigner->cells;
  GBytes *key = g_bytes_new (assigner->cells, size);
  IdgAssignment *assignment = assigner->assignment;
  IdgAssignedBlocks blocks = { block, assignment->rows->len };
  gpointer row;

  if (g_hash_table_lookup_extended (assigner->known, key, NULL, &row))
    {
      blocks.row = GPOINTER_TO_UINT (row);
      g_bytes_unref (key);
    }
  else
    {
      g_hash_table_insert (assigner->known, key, GUINT_TO_POINTER (blocks.row));
      g_ptr_array_add (assignment->rows, make_row (assigner));
    }
  if (assignment->blocks->len == 0
      || g_array_index (assignment->blocks, IdgAssignedBlocks, assignment->blocks->len - 1).row
             != blocks.row)
    g_array_append_val (assignment->blocks, blocks);
}

static void
apply_event (GArray *active, const Event *event)
{
  guint i = active->len;

  while (i > 0 && g_array_index (active, guint32, i - 1) > event->program)
    i--;
  if (event->joins)
    g_array_insert_val (active, i, event->program);
  else
    g_array_remove_index (active, i - 1);
}

static gboolean
check_cells (const Assigner *assigner, GError **error)
{
  guint64 n = 0;

  for (guint i = 0; i < assigner->events->len; i++)
    n += i == 0
         || g_array_index (assigner->events, Event, i).first
                != g_array_index (assigner->events, Event, i - 1).first;
  if (n * assigner->cuts->len <= MAX_CELLS)
    return TRUE;
  return fail (assigner->kernel, 0, error,
               "the ranges of the programs cut the launch into %" G_GUINT64_FORMAT " x %u pieces "
               "of blocks and warps; at most %u are possible",
               n, assigner->cuts->len, MAX_CELLS);
}

static gboolean
assign_blocks (Assigner *assigner, GError **error)
{
  const GArray *events = assigner->events;
  guint i = 0;

  if (!check_cells (assigner, error))
    return FALSE;
  if (events->len == 0 || g_array_index (events, Event, 0).first > 0)
    return fail_none (assigner, 0, 0, error);
  while (i < events->len)
    {
      guint64 block = g_array_index (events, Event, i).first;

      for (; i < events->len && g_array_index (events, Event, i).first == block; i++)
        apply_event (assigner->active, &g_array_index (events, Event, i));
      if (!fill_cells (assigner, block, error))
        return FALSE;
      add_row (assigner, block);
    }
  return TRUE;
}

static void
unref_array (gpointer data)
{
  g_array_unref (data);
}

static void
clear_assigner (Assigner *assigner)
{
  g_ptr_array_unref (assigner->warps);
  g_array_unref (assigner->cuts);
  g_array_unref (assigner->events);
  g_array_unref (assigner->active);
  g_free (assigner->cells);
  g_hash_table_unref (assigner->known);
  idg_assignment_free (assigner->assignment);
}

IdgAssignment *
idg_kernel_assign (const IdgKernel *kernel, guint64 blocks, guint32 warps_per_block, GError **error)
{
  Assigner assigner = { .kernel = kernel, .n_blocks = blocks, .n_warps = warps_per_block };
  IdgAssignment *assignment = NULL;

  g_return_val_if_fail (kernel != NULL && blocks > 0 && warps_per_block > 0, NULL);
  assigner.warps = g_ptr_array_new_with_free_func (unref_array);
  assigner.cuts = g_array_new (FALSE, FALSE, sizeof (guint64));
  assigner.events = g_array_new (FALSE, FALSE, sizeof (Event));
  assigner.active = g_array_new (FALSE, FALSE, sizeof (guint32));
  assigner.known
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  assigner.assignment = g_new0 (IdgAssignment, 1);
  assigner.assignment->blocks = g_array_new (FALSE, FALSE, sizeof (IdgAssignedBlocks));
  assigner.assignment->rows = g_ptr_array_new_with_free_func (unref_array);

  cut_launch (&assigner);
  assigner.cells = g_new (guint32, assigner.cuts->len);
  if (assign_blocks (&assigner, error))
    assignment = g_steal_pointer (&assigner.assignment);
  clear_assigner (&assigner);
  return assignment;
}
