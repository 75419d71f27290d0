/* SPDX-License-Identifier: MIT */
#include "exec/fold/wp-fold.h"

#include "exec/fold/wp-fold-arrives.h"
#include "exec/fold/wp-fold-blocks.h"
#include "exec/fold/wp-fold-code.h"
#include "exec/fold/wp-fold-counters.h"
#include "exec/fold/wp-fold-groups.h"
#include "exec/fold/wp-fold-lines.h"
#include "exec/fold/wp-fold-shorten.h"
#include "idg/kernel/idg-text.h"

#include <string.h>

#define MAX_NAME 250 /* bytes */
/* A title with more characters, as of a launch with a large structure, loses some in the middle. */
#define MAX_TITLE 600
#define TITLE_END 100
/* More steps of one warp are not looked at: 512 MB. */
#define MAX_STEPS (1u << 26)
/* A program with more nodes is made of some of its warp's rounds, of half as many instructions. */
#define MAX_PROGRAM (1u << 15)
/* Where the programs of a kernel have more nodes together, programs get shorter, down to this... */
#define MAX_KERNEL (1u << 19)
#define LEAST_PROGRAM (1u << 11)
/* ...and then fewer. */

typedef struct
{
  const WpFoldInput *input;
  WpFoldCode code;
  WpFoldGroups groups;
  IdgFoldWarps *warps;
  GArray *steps;      /* of IdgFoldStep */
  guint32 *known;     /* classes of the code for the warps at hand: by index and whether it is
                       * executed, + 1; 0: not found yet */
  guint32 *programs;  /* of the groups, of each for N_PLACES */
  guint n_places;     /* 1, or the warps of a block where programs depend on the place */
  guint place;        /* for which a program is made */
  gboolean has_place; /* it depends on it */
  guint max_program;
  gdouble kept;      /* instructions of all warps, as their programs have them */
  guint n_shortened; /* programs */
  guint64 too_much;  /* bytes of code that do not fit the instruction cache; 0: they do */
} Fold;

/* Returns the class of the code for instruction INDEX of warps with COUNTS. */
static guint32
find_class (Fold *fold, const WpCounts *counts, guint32 index, gboolean executed)
{
  guint32 *known = &fold->known[2 * (gsize)index + (executed ? 1 : 0)];

  if (*known == 0)
    {
      g_autofree gchar *context = counts && executed ? wp_counts_get_context (counts, index) : NULL;

      *known = wp_fold_code_find (&fold->code, index, context, executed) + 1;
    }
  return *known - 1;
}

/* Adds what INDEX of a trail, no instruction, stands for in the lanes of MASK. */
static void
add_meetings (Fold *fold, guint32 index, guint32 mask)
{
  guint32 *known = &fold->known[2 * (gsize)index], n;

  fold->has_place = fold->input->meets_by_warp;
  if (known[0] == 0)
    {
      known[0] = wp_fold_code_find_meetings (&fold->code, index, fold->place, &n) + 1;
      known[1] = n;
    }
  for (guint32 k = 0; k < known[1]; k++)
    {
      const IdgFoldStep step = { known[0] - 1 + k, mask };

      g_array_append_val (fold->steps, step);
    }
}

static guint
count_indices (const WpFoldInput *input)
{
  return MAX (input->n_indices, input->n_instrs);
}

/* Makes the steps of warps of CLASS. */
static void
make_steps (Fold *fold, const WpTrailClass *class, const WpCounts *counts)
{
  WpTrailReader reader;
  guint32 index, mask;

  memset (fold->known, 0, 2 * (gsize)count_indices (fold->input) * sizeof *fold->known);
  g_array_set_size (fold->steps, 0);
  wp_trail_reader_init (&reader, class->store, class->unit);
  while (fold->steps->len < MAX_STEPS && wp_trail_reader_next (&reader, &index, &mask))
    {
      IdgFoldStep step = { 0, mask };

      if (index < fold->input->n_instrs)
        {
          step.class = find_class (fold, counts, index, mask != 0);
          g_array_append_val (fold->steps, step);
        }
      else if (fold->input->find_meeting)
        add_meetings (fold, index, mask);
    }
  wp_trail_reader_clear (&reader);
}

/* Returns the program of the steps, or IDG_FOLD_NO_PROGRAM. */
static guint32
find_program (Fold *fold)
{
  const IdgFoldStep *steps = (const IdgFoldStep *)(void *)fold->steps->data;
  guint32 program
      = idg_fold_warps_find_program (fold->warps, steps, fold->steps->len, fold->max_program);

  if (program != IDG_FOLD_NO_PROGRAM)
    return program;
  if (wp_fold_shorten (fold->steps, &fold->code.classes, fold->max_program / 2))
    fold->n_shortened++;
  steps = (const IdgFoldStep *)(void *)fold->steps->data;
  return idg_fold_warps_find_program (fold->warps, steps, fold->steps->len, MAX_KERNEL);
}

/* The place in fold->programs of a warp of CLASS that is number WARP of its block. */
static gsize
get_place (const Fold *fold, guint32 class, guint warp)
{
  return (gsize)fold->groups.of[class] * fold->n_places + warp % fold->n_places;
}

/* A bit for each place that a warp of each group has in a block. Free with g_free(). */
static guint64 *
find_places (const Fold *fold)
{
  const WpTrailClasses *classes = fold->input->classes;
  const guint warps = (fold->input->threads + IDG_LANES - 1) / IDG_LANES;
  guint64 *places = g_new0 (guint64, fold->groups.n + 1);

  for (guint row = 0; row < wp_trail_classes_get_n_rows (classes); row++)
    {
      const guint32 *numbers = wp_trail_classes_get_row (classes, row);

      for (guint warp = 0; warp < warps; warp++)
        places[fold->groups.of[numbers[warp]]] |= (guint64)1 << warp % fold->n_places;
    }
  return places;
}

/* Makes the programs of group I at PLACES: one, if they do not depend on it. */
static gboolean
make_programs_of (Fold *fold, guint i, guint64 places)
{
  const WpFoldGroup *group = &fold->groups.groups[i];
  const WpTrailClass *class = wp_trail_classes_get (fold->input->classes, group->class);
  guint32 *programs = &fold->programs[(gsize)i * fold->n_places];

  for (guint k = 0; k < fold->n_places; k++)
    programs[k] = IDG_FOLD_NO_PROGRAM;
  if (class->instructions == 0)
    return TRUE;
  fold->has_place = FALSE;
  for (guint64 left = places; left != 0; left &= left - 1)
    {
      const gboolean is_first = left == places;

      fold->place = (guint)__builtin_ctzll (left);
      if (is_first || fold->has_place)
        {
          make_steps (fold, class, group->counts);
          programs[fold->place] = find_program (fold);
        }
      else
        programs[fold->place] = programs[__builtin_ctzll (places)];
      if (is_first)
        fold->kept += (gdouble)fold->steps->len * (gdouble)group->n_warps;
      if (programs[fold->place] == IDG_FOLD_NO_PROGRAM)
        return FALSE;
    }
  return TRUE;
}

static gboolean
make_programs (Fold *fold)
{
  g_autofree guint64 *places = find_places (fold);

  fold->kept = 0;
  fold->n_shortened = 0;
  for (guint i = 0; i < fold->groups.n; i++)
    if (!make_programs_of (fold, i, places[i]))
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
        programs[warp] = fold->programs[get_place (fold, numbers[warp], warp)];
      rows[row] = idg_fold_warps_find_row (fold->warps, programs);
    }
  return rows;
}

/* Says how well the programs stand for their warps. */
static void
note_programs (Fold *fold)
{
  g_autofree gchar *which = NULL, *more = NULL;
  gdouble total = 0, percent;

  for (guint i = 0; i < fold->groups.n; i++)
    total += (gdouble)fold->groups.groups[i].total;
  percent = 100 * ABS (fold->kept - total) / MAX (total, 1);
  if (!fold->code.notes
      || (wp_trail_classes_get_level (fold->input->classes) <= 1 && fold->n_shortened == 0
          && fold->groups.n == wp_trail_classes_get_n (fold->input->classes)))
    return;
  which = fold->groups.n == 1
              ? g_strdup ("all share one program")
              : g_strdup_printf ("those that did about the same share one of %u programs",
                                 fold->groups.n);
  more = percent < 0.005
             ? g_strdup ("as many")
             : g_strdup_printf ("%.2f%% %s", percent, fold->kept < total ? "fewer" : "more");
  g_ptr_array_add (
      fold->code.notes,
      g_strdup_printf ("%s: its warps executed more, or longer, different sequences "
                       "of instructions than a kernel has room for; %s%s, in which "
                       "they execute %s instructions in all",
                       fold->input->file, which,
                       fold->n_shortened > 0 ? ", made of some of a warp's rounds" : "", more));
}

/* Says that code is fetched. */
static void
note_fetches (Fold *fold)
{
  if (!fold->code.notes || fold->too_much == 0)
    return;
  g_ptr_array_add (fold->code.notes,
                   g_strdup_printf ("%s: %.4g KiB of code, in pieces of %u bytes of which some is "
                                    "executed, do not fit the %.4g KiB of the instruction cache; "
                                    "warps fetch what does not stay",
                                    fold->input->file, (gdouble)fold->too_much / 1024,
                                    fold->input->code_piece,
                                    (gdouble)fold->input->code_cache / 1024));
}

static gchar *
shorten_title (const gchar *valid)
{
  const glong n = g_utf8_strlen (valid, -1);
  g_autofree gchar *first = NULL, *last = NULL;

  if (n <= MAX_TITLE)
    return g_strdup (valid);
  first = g_utf8_substring (valid, 0, MAX_TITLE - TITLE_END);
  last = g_utf8_substring (valid, n - TITLE_END, n);
  return g_strdup_printf ("%s ... %s", first, last);
}

/* TITLE, a launch as it was written, or NULL, on one line. */
static gchar *
make_title (const gchar *title)
{
  g_autofree gchar *all = title != NULL ? g_utf8_make_valid (title, -1) : NULL;
  g_autofree gchar *valid = all != NULL ? shorten_title (all) : NULL;
  GString *made;

  if (valid == NULL)
    return NULL;
  made = g_string_new (NULL);
  for (const gchar *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    g_string_append_unichar (
        made, idg_text_is_hidden (g_utf8_get_char (at)) ? ' ' : g_utf8_get_char (at));
  return g_string_free (made, FALSE);
}

/* The name of a template's instance has commas, which stay in the title. */
static IdgKernel *
new_kernel (const WpFoldInput *input)
{
  g_autofree gchar *name = idg_text_make_name (input->name, "", MAX_NAME);
  IdgKernel *kernel = idg_kernel_new (name);

  kernel->title = make_title (input->title);
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

/* Whether some programs of KERNEL are for some blocks. */
static gboolean
have_blocks (const IdgKernel *kernel)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    if (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->blocks != NULL)
      return TRUE;
  return FALSE;
}

/* Whether warps of KERNEL meet. They wait for the slowest of many accesses there, which is slower
 * than all would be if they took equally long. */
static gboolean
has_barriers (const IdgKernel *kernel)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      const IdgProgram *program
          = ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program;

      for (guint32 i = 0; i < program->n_nodes; i++)
        if (program->nodes[i].kind == IDG_BARRIER)
          return TRUE;
    }
  return FALSE;
}

typedef struct
{
  IdgFoldWarps *warps;
  const guint32 *rows; /* in WARPS, of the rows of the classes */
} Placing;

static void
add_blocks (gpointer data, guint64 first, guint64 n, guint32 row, gboolean is_executed)
{
  const Placing *placing = data;

  (void)is_executed;
  idg_fold_warps_add_blocks (placing->warps, first, n, placing->rows[row]);
}

static guint32
find_fetch (gpointer data, guint32 piece, guint32 n_warps)
{
  return wp_fold_code_find_fetch (data, piece, n_warps);
}

/* Has the warps fetch the code that does not stay on an SM. */
static void
add_fetches (Fold *fold)
{
  IdgFoldFetch fetch = { .bytes = fold->input->code_cache,
                         .piece = fold->input->code_piece,
                         .find_class = find_fetch,
                         .data = &fold->code };

  g_hash_table_remove_all (fold->code.fetches); /* of groups that had no room */
  fold->too_much = fetch.bytes > 0 ? idg_fold_warps_add_fetches (fold->warps, &fetch) : 0;
}

/* Makes the kernel, with a program for each group. NULL: there is no room for them. */
static IdgKernel *
try_groups (Fold *fold)
{
  g_autoptr (IdgKernel) kernel = new_kernel (fold->input);
  g_autofree guint32 *rows = NULL;
  guint64 empty;

  idg_fold_warps_free (fold->warps);
  fold->warps = idg_fold_warps_new (&fold->code.classes,
                                    (fold->input->threads + IDG_LANES - 1) / IDG_LANES);
  if (!make_programs (fold))
    return NULL;
  rows = make_rows (fold);
  wp_fold_place_blocks (fold->input, add_blocks, &(Placing){ fold->warps, rows });
  add_fetches (fold);
  if (!idg_fold_warps_finish (fold->warps, kernel, MAX_KERNEL, &empty))
    return NULL;
  return g_steal_pointer (&kernel);
}

static IdgKernel *
fold_groups (Fold *fold)
{
  IdgKernel *kernel;

  fold->max_program = MAX_PROGRAM;
  while (!(kernel = try_groups (fold)) && (fold->max_program > LEAST_PROGRAM || fold->groups.n > 1))
    if (fold->max_program > LEAST_PROGRAM)
      fold->max_program /= 2;
    else
      wp_fold_groups_halve (&fold->groups, fold->input);
  if (!kernel)
    return NULL;
  wp_fold_drop_arrives (kernel);
  kernel->contended = has_barriers (kernel);
  kernel->spread_blocks = have_blocks (kernel);
  note_programs (fold);
  note_fetches (fold);
  kernel->accesses = wp_fold_add_up_lines (fold->input);
  kernel->counters = wp_fold_count (fold->input);
  return kernel;
}

/* Whether the programs are what each warp executed. */
static gboolean
is_exact (const Fold *fold)
{
  return wp_trail_classes_get_level (fold->input->classes) == 0 && fold->n_shortened == 0
         && fold->groups.n == wp_trail_classes_get_n (fold->input->classes);
}

/* EXACT receives whether the programs are. */
static IdgKernel *
make_kernel (const WpFoldInput *input, gboolean *exact, GPtrArray *notes, GError **error)
{
  Fold fold = { .input = input };
  IdgKernel *kernel;

  wp_fold_code_init (&fold.code, input, notes);
  wp_fold_groups_init (&fold.groups, input);
  fold.steps = g_array_new (FALSE, FALSE, sizeof (IdgFoldStep));
  fold.known = g_new (guint32, 2 * ((gsize)count_indices (input) + 1));
  fold.n_places = input->find_meeting && input->meets_by_warp
                      ? (input->threads + IDG_LANES - 1) / IDG_LANES
                      : 1;
  fold.programs = g_new (guint32, (gsize)fold.groups.n * fold.n_places + 1);
  kernel = fold_groups (&fold);
  if (!kernel)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s: %s: a warp executes so many instructions without a round that recurs that "
                 "they are no program; a program has at most %u",
                 input->file, input->name, MAX_KERNEL);
  *exact = is_exact (&fold);
  g_array_unref (fold.steps);
  g_free (fold.known);
  g_free (fold.programs);
  idg_fold_warps_free (fold.warps);
  wp_fold_groups_clear (&fold.groups);
  wp_fold_code_clear (&fold.code);
  return kernel;
}

IdgKernel *
wp_fold_make_kernel (const WpFoldInput *input, GPtrArray *notes, GError **error)
{
  WpFoldInput weighed = *input;
  g_autoptr (GPtrArray) counts = wp_fold_weigh_counts (input);
  const guint n_notes = notes ? notes->len : 0;
  IdgKernel *kernel;
  gboolean exact;

  if (counts)
    weighed.counts = (WpCounts *const *)counts->pdata;
  if (wp_trail_classes_get_level (input->classes) > 0)
    weighed.find_meeting = NULL;
  kernel = make_kernel (&weighed, &exact, notes, error);
  if (kernel && weighed.find_meeting && !exact)
    {
      g_clear_pointer (&kernel, idg_kernel_free);
      weighed.find_meeting = NULL;
      if (notes)
        g_ptr_array_set_size (notes, (gint)n_notes);
      kernel = make_kernel (&weighed, &exact, notes, error);
    }
  if (input->has_meetings)
    *input->has_meetings = weighed.find_meeting != NULL;
  return kernel;
}
