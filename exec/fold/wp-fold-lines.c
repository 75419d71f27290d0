/* SPDX-License-Identifier: MIT */
/* What was counted of the instructions, added up by source line. */
#include "exec/fold/wp-fold-lines.h"

#include <string.h>

static void
clear_line (gpointer data)
{
  g_free (((IdgLineAccesses *)data)->file);
}

static gint
compare_lines (gconstpointer a, gconstpointer b)
{
  const IdgLineAccesses *x = a, *y = b;
  gint order = strcmp (x->file, y->file);

  return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* How often INSTR passes the banks of shared memory without conflicts, if all lanes execute it: for
 * each 128 bytes. A matrix of 8 rows is so many. */
static guint
count_passes (const WpSassInstr *instr)
{
  gboolean is_matrix = instr->op == WP_SASS_LDSM;

  if (wp_sass_has (instr, WP_WORD_128) || (is_matrix && wp_sass_has (instr, WP_WORD_4)))
    return 4;
  return wp_sass_has (instr, WP_WORD_64) || (is_matrix && wp_sass_has (instr, WP_WORD_2)) ? 2 : 1;
}

/* A copy in bulk within shared memory goes through it in a row, however long it is. */
static gboolean
has_conflicts (const WpSassInstr *instr)
{
  return instr->op != WP_SASS_UBLKCP && instr->op != WP_SASS_UBLKRED;
}

/* Adds TOTALS to the line of instruction INDEX, which may be the one found last. */
static void
add_totals (const WpFoldInput *input, guint32 index, const WpTotals *totals, GArray *lines)
{
  const gboolean is_shared = totals->space == WP_SPACE_SHARED;
  const guint64 shared = is_shared ? totals->accesses : totals->copies;
  const guint64 wavefronts = is_shared ? totals->wavefronts : totals->copy_wavefronts;
  const guint64 least = shared * count_passes (&input->instrs[index]);
  IdgLineAccesses line = { .line = 0 };
  const gchar *file = NULL;

  input->find_line (input->line_data, index, &file, &line.line);
  if (!file || line.line == 0)
    return;
  line.shared = shared;
  if (has_conflicts (&input->instrs[index]))
    line.conflicts = wavefronts - MIN (least, wavefronts);
  if (!is_shared)
    {
      line.accesses = totals->accesses;
      line.sectors = totals->sectors;
      line.l1_sectors = totals->l1_sectors;
      line.l2_sectors = totals->l2_sectors;
    }
  line.file = g_strdup (file);
  g_array_append_val (lines, line);
}

/* Makes one of equal lines that are next to each other. */
static GArray *
join (GArray *lines)
{
  GArray *joined = g_array_new (FALSE, FALSE, sizeof (IdgLineAccesses));

  g_array_set_clear_func (joined, clear_line);
  for (guint i = 0; i < lines->len; i++)
    {
      IdgLineAccesses *line = &g_array_index (lines, IdgLineAccesses, i);
      IdgLineAccesses *last
          = joined->len > 0 ? &g_array_index (joined, IdgLineAccesses, joined->len - 1) : NULL;

      if (!last || compare_lines (last, line) != 0)
        {
          g_array_append_vals (joined, line, 1);
          continue;
        }
      last->accesses += line->accesses;
      last->sectors += line->sectors;
      last->l1_sectors += line->l1_sectors;
      last->l2_sectors += line->l2_sectors;
      last->shared += line->shared;
      last->conflicts += line->conflicts;
      g_free (line->file);
    }
  return joined;
}

GArray *
wp_fold_add_up_lines (const WpFoldInput *input)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (IdgLineAccesses));
  g_autoptr (WpCounts) counts = wp_counts_new ();
  g_autoptr (GArray) indices = NULL;

  for (guint i = 0; input->counts && i < wp_trail_classes_get_n (input->classes); i++)
    if (input->counts[i])
      wp_counts_merge (counts, input->counts[i]);
  indices = wp_counts_get_indices (counts);
  for (guint i = 0; input->find_line && i < indices->len; i++)
    {
      guint32 index = g_array_index (indices, guint32, i);
      WpTotals totals;

      if (wp_counts_get_totals (counts, index, &totals))
        add_totals (input, index, &totals, lines);
    }
  g_array_sort (lines, compare_lines);
  return join (lines);
}
