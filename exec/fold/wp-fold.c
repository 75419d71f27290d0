/* SPDX-License-Identifier: MIT */
#include "exec/fold/wp-fold.h"

#include "exec/fold/wp-fold-blocks.h"
#include "exec/fold/wp-fold-code.h"
#include "exec/fold/wp-fold-lines.h"

#include <string.h>

/* More steps of one warp are not made into a program: 2 GB. */
#define MAX_STEPS (G_GUINT64_CONSTANT (1) << 28)

typedef struct
{
  const WpFoldInput *input;
  WpFoldCode code;
  IdgFoldWarps *warps;
  GArray *steps;     /* of IdgFoldStep */
  guint32 *known;    /* classes of the code for the warps at hand: by index and whether it is
                       * executed, + 1; 0: not found yet */
  guint32 *programs; /* of the classes of warps */
  const gchar *why;  /* it cannot be folded */
} Fold;

/* Returns the class of the code for instruction INDEX of warps with COUNTS. */
static guint32
find_class (Fold *fold, const WpCounts *counts, guint32 index, gboolean executed)
{
  guint32 *known = &fold->known[2 * index + (executed ? 1 : 0)];

  if (*known == 0)
    {
      g_autofree gchar *context = counts && executed ? wp_counts_get_context (counts, index) : NULL;

      *known = wp_fold_code_find (&fold->code, index, context, executed) + 1;
    }
  return *known - 1;
}

/* Makes the steps of warps of CLASS. */
static void
make_steps (Fold *fold, const WpTrailClass *class, const WpCounts *counts)
{
  WpTrailReader reader;
  guint32 index, mask;

  memset (fold->known, 0, 2 * (gsize)fold->input->n_instrs * sizeof *fold->known);
  g_array_set_size (fold->steps, 0);
  wp_trail_reader_init (&reader, class->store, class->unit);
  while (wp_trail_reader_next (&reader, &index, &mask))
    {
      IdgFoldStep step = { find_class (fold, counts, index, mask != 0), mask };

      g_array_append_val (fold->steps, step);
    }
  wp_trail_reader_clear (&reader);
}

static gboolean
make_program (Fold *fold, guint i)
{
  const WpTrailClass *class = wp_trail_classes_get (fold->input->classes, i);
  const WpCounts *counts = fold->input->counts ? fold->input->counts[i] : NULL;

  fold->programs[i] = IDG_FOLD_NO_PROGRAM;
  if (class->instructions == 0)
    return TRUE;
  if (class->instructions > MAX_STEPS)
    {
      fold->why = "a warp of it executes more than 2^28 instructions";
      return FALSE;
    }
  make_steps (fold, class, counts);
  fold->programs[i] = idg_fold_warps_find_program (
      fold->warps, (const IdgFoldStep *)(void *)fold->steps->data, fold->steps->len);
  fold->why = "its warps execute so many different sequences of instructions that their programs "
              "have more than 2097152 instructions in all";
  return fold->programs[i] != IDG_FOLD_NO_PROGRAM;
}

static gboolean
make_programs (Fold *fold)
{
  guint n = wp_trail_classes_get_n (fold->input->classes);

  fold->programs = g_new (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    if (!make_program (fold, i))
      return FALSE;
  return TRUE;
}

/* Returns the numbers of the classes' rows in the fold. */
static guint32 *
make_rows (Fold *fold)
{
  const WpTrailClasses *classes = fold->input->classes;
  guint warps = (fold->input->threads + IDG_LANES - 1) / IDG_LANES;
  guint n = wp_trail_classes_get_n_rows (classes);
  guint32 *rows = g_new (guint32, n + 1);
  g_autofree guint32 *programs = g_new (guint32, warps + 1);

  for (guint row = 0; row < n; row++)
    {
      const guint32 *numbers = wp_trail_classes_get_row (classes, row);

      for (guint warp = 0; warp < warps; warp++)
        programs[warp] = fold->programs[numbers[warp]];
      rows[row] = idg_fold_warps_find_row (fold->warps, programs);
    }
  return rows;
}

/* Says how well the classes stand for their warps. */
static void
note_classes (Fold *fold)
{
  const WpTrailClasses *classes = fold->input->classes;
  guint64 total = 0;
  gdouble kept = 0;
  guint n = wp_trail_classes_get_n (classes);

  for (guint i = 0; i < n; i++)
    {
      const WpTrailClass *class = wp_trail_classes_get (classes, i);

      total += class->total;
      kept += (gdouble) class->n_warps * (gdouble) class->instructions;
    }
  if (fold->code.notes && wp_trail_classes_get_level (classes) > 1)
    g_ptr_array_add (
        fold->code.notes,
        g_strdup_printf ("%s: its warps executed more different sequences of instructions than a "
                         "kernel has programs for; those that did about the same share one of %u "
                         "programs, which execute %.2f%% %s instructions in all",
                         fold->input->file, n,
                         100 * ABS (kept - (gdouble)total) / (gdouble)MAX (total, 1),
                         kept < (gdouble)total ? "fewer" : "more"));
}

static void
note_missing (Fold *fold, guint64 missing)
{
  if (fold->code.notes && missing > 0)
    g_ptr_array_add (fold->code.notes,
                     g_strdup_printf ("%s: %" G_GUINT64_FORMAT
                                      " blocks of the grid were not executed; they are taken to "
                                      "do what those before them did",
                                      fold->input->file, missing));
}

static IdgKernel *
new_kernel (const WpFoldInput *input)
{
  IdgKernel *kernel = idg_kernel_new (input->name);

  kernel->title = g_strdup (input->title);
  kernel->file = g_strdup (input->file);
  kernel->nearest_ops = TRUE;
  kernel->fixed_threads = kernel->fixed_blocks = TRUE;
  kernel->launch = (IdgLaunch){
    .blocks = (gint64)input->grid[0] * input->grid[1] * input->grid[2],
    .threads = input->threads,
    .registers = input->registers,
    .shared_memory = input->shared_memory,
  };
  return kernel;
}

/* Makes the kernel from what is known of all blocks. */
static IdgKernel *
finish (Fold *fold)
{
  g_autoptr (IdgKernel) kernel = new_kernel (fold->input);
  g_autofree guint32 *rows = make_rows (fold);
  guint64 empty;

  note_classes (fold);
  note_missing (fold, wp_fold_add_blocks (fold->input, fold->warps, rows));
  if (!idg_fold_warps_finish (fold->warps, kernel, &empty))
    {
      fold->why = "the warps of its blocks run so many different programs that there is no room "
                  "for them";
      return NULL;
    }
  kernel->accesses = wp_fold_add_up_lines (fold->input);
  return g_steal_pointer (&kernel);
}

IdgKernel *
wp_fold_make_kernel (const WpFoldInput *input, GPtrArray *notes, GError **error)
{
  Fold fold = { .input = input };
  IdgKernel *kernel = NULL;

  wp_fold_code_init (&fold.code, input, notes);
  fold.warps
      = idg_fold_warps_new (&fold.code.classes, (input->threads + IDG_LANES - 1) / IDG_LANES);
  fold.steps = g_array_new (FALSE, FALSE, sizeof (IdgFoldStep));
  fold.known = g_new (guint32, 2 * ((gsize)input->n_instrs + 1));
  if (make_programs (&fold))
    kernel = finish (&fold);
  if (!kernel)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s: %s: %s; execute less (--execute-limit), or a smaller launch", input->file,
                 input->name, fold.why);
  g_array_unref (fold.steps);
  g_free (fold.known);
  g_free (fold.programs);
  idg_fold_warps_free (fold.warps);
  wp_fold_code_clear (&fold.code);
  return kernel;
}
