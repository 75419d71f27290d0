/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-stretch.h"
#include "exec/machine/wp-reach.h"

#include <string.h>

#define LEAST 3 /* accesses: fewer are as quick one by one */
#define MOST 64
#define MOST_STRETCHES 64 /* of a kernel: each warp keeps what they came to */
#define MAX_PLACES 4
#define MOST_KEPT 4

/* The accesses of a stretch, and the registers that their addresses are in: a row, and a uniform
 * one. */
struct WpStretch
{
  guint n, n_places;
  const WpStep *steps[MOST];
  WpStepRun alone[MOST]; /* each of them */
  struct
  {
    guint16 row, uniform;
  } places[MAX_PLACES];
};

/* Of an address: the row of its register, by its shape and one of its words; and the uniform one.
 */
typedef struct
{
  WpShape shape;
  guint32 word, uniform;
} Place;

/* What a stretch came to once. */
typedef struct
{
  guint32 mask;  /* of lanes */
  guint32 times; /* that it came to that again, and the log does not have */
  Place places[MAX_PLACES];
  guint16 wavefronts[];
} Kept;

/* What a warp knows of a stretch: of the last ones that differ. Code that is unrolled for buffers
 * that take turns has a stretch for each; code that is not comes to each buffer in turn. */
typedef struct
{
  guint n, next, last; /* of `kept`: how many, which is made anew next, which was found last */
  Kept *kept[MOST_KEPT];
} Known;

/* ---- While a warp executes ---- */

static gboolean
is_store (const WpStep *step)
{
  return step->instr->op == WP_SASS_STS || step->instr->op == WP_SASS_STSM;
}

static void
flush (WpWarp *warp, const WpStretch *stretch, Kept *kept)
{
  for (guint k = 0; kept->times > 0 && k < stretch->n; k++)
    wp_access_log_add_shared (&warp->log, stretch->steps[k]->index, is_store (stretch->steps[k]),
                              FALSE, kept->wavefronts[k], kept->times);
  kept->times = 0;
}

/* Sets PLACES to what the registers of STRETCH are now. FALSE: not all are known. */
static gboolean
read_places (WpWarp *warp, const WpStretch *stretch, guint32 mask, Place *places)
{
  const guint lane = (guint)__builtin_ctz (mask);
  guint32 unknown = 0;

  for (guint k = 0; k < stretch->n_places; k++)
    {
      const guint row = stretch->places[k].row, number = stretch->places[k].uniform;

      places[k].shape = wp_row_shape (warp, row, mask);
      places[k].word = warp->r[row][lane];
      places[k].uniform = warp->ur[number];
      unknown |= (warp->r_unknown[row] & mask) | warp->ur_unknown[number]
                 | (places[k].shape == WP_SHAPE_NONE);
    }
  return unknown == 0;
}

static inline gboolean
is_kept (const Kept *kept, const WpStretch *stretch, guint32 mask, const Place *places)
{
  guint32 differ = kept->mask ^ mask;

  for (guint k = 0; k < stretch->n_places; k++)
    differ |= (kept->places[k].shape ^ places[k].shape) | (kept->places[k].word ^ places[k].word)
              | (kept->places[k].uniform ^ places[k].uniform);
  return differ == 0;
}

static Kept *
find_kept (Known *known, const WpStretch *stretch, guint32 mask, const Place *places)
{
  if (G_LIKELY (known->n > 0 && is_kept (known->kept[known->last], stretch, mask, places)))
    return known->kept[known->last];
  for (guint k = 0; k < known->n; k++)
    if (is_kept (known->kept[k], stretch, mask, places))
      {
        known->last = k;
        return known->kept[k];
      }
  return NULL;
}

/* Returns what is to be kept of STRETCH, in a new place or in that of the oldest. */
static Kept *
make_kept (WpWarp *warp, Known *known, const WpStretch *stretch)
{
  Kept **kept = &known->kept[known->next];

  known->last = known->next;
  known->next = (known->next + 1) % MOST_KEPT;
  known->n = MAX (known->n, known->last + 1);
  if (*kept == NULL)
    *kept = g_malloc0 (sizeof **kept + stretch->n * sizeof (*kept)->wavefronts[0]);
  flush (warp, stretch, *kept);
  (*kept)->mask = 0;
  return *kept;
}

/* Executes STRETCH one by one. Returns whether all of it came to what KEPT has then. */
static gboolean
execute (WpWarp *warp, const WpStretch *stretch, guint32 mask, Kept *kept)
{
  const guint64 before = warp->n_executed;
  gboolean is_known = TRUE;

  for (guint k = 0; k < stretch->n && warp->state == WP_WARP_RUNS; k++)
    {
      const WpStep *step = stretch->steps[k];
      const guint wavefronts = step->pass (warp, step, mask);

      warp->n_executed = before + step->index - stretch->steps[0]->index;
      kept->wavefronts[k] = (guint16)wavefronts;
      is_known &= wavefronts != 0;
      if (wavefronts != 0)
        wp_warp_log_shared (warp, step, is_store (step), FALSE, wavefronts);
      else
        stretch->alone[k](warp, step, mask);
    }
  return is_known;
}

static void
free_known (gpointer data)
{
  Known *known = data;

  for (guint k = 0; known != NULL && k < known->n; k++)
    g_free (known->kept[k]);
  g_free (known);
}

static Known *
get_known (WpWarp *warp, guint number)
{
  const GPtrArray *stretches = warp->block->grid->code->stretches;

  if (G_UNLIKELY (warp->stretches == NULL))
    {
      warp->stretches = g_ptr_array_new_with_free_func (free_known);
      g_ptr_array_set_size (warp->stretches, (gint)stretches->len);
    }
  if (G_UNLIKELY (warp->stretches->pdata[number] == NULL))
    warp->stretches->pdata[number] = g_new0 (Known, 1);
  return warp->stretches->pdata[number];
}

static void
run_stretch (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpStretch *stretch = warp->block->grid->code->stretches->pdata[step->stretch];
  Known *known = get_known (warp, step->stretch);
  Place places[MAX_PLACES];
  const gboolean is_known = read_places (warp, stretch, mask, places);
  Kept *kept = is_known ? find_kept (known, stretch, mask, places) : NULL;

  if (G_LIKELY (kept != NULL))
    {
      kept->times++;
      warp->n_accesses += stretch->n;
      return;
    }
  kept = make_kept (warp, known, stretch);
  if (!execute (warp, stretch, mask, kept) || !is_known)
    return;
  kept->mask = mask;
  memcpy (kept->places, places, stretch->n_places * sizeof *places);
}

void
wp_stretches_flush (WpWarp *warp)
{
  const GPtrArray *stretches = warp->block->grid->code->stretches;

  for (guint k = 0; warp->stretches != NULL && k < stretches->len; k++)
    {
      const Known *known = warp->stretches->pdata[k];

      for (guint j = 0; known != NULL && j < known->n; j++)
        flush (warp, stretches->pdata[k], known->kept[j]);
    }
}

void
wp_stretches_restart (WpWarp *warp)
{
  for (guint k = 0; warp->stretches != NULL && k < warp->stretches->len; k++)
    {
      const Known *known = warp->stretches->pdata[k];

      for (guint j = 0; known != NULL && j < known->n; j++)
        known->kept[j]->times = 0;
    }
}

/* ---- In the code ---- */

/* FALSE: there would be too many. */
static gboolean
add_place (WpStretch *stretch, const WpStepReach *how)
{
  guint k = 0;

  while (k < stretch->n_places
         && (stretch->places[k].row != how->low || stretch->places[k].uniform != how->uniform))
    k++;
  if (k == MAX_PLACES)
    return FALSE;
  stretch->places[k].row = how->low;
  stretch->places[k].uniform = how->uniform;
  stretch->n_places = MAX (stretch->n_places, k + 1);
  return TRUE;
}

static gboolean
is_part (const WpStep *step)
{
  return step->pass != NULL && step->lean != NULL && step->lean != step->run;
}

/* Sets STRETCH to what begins with FIRST. Returns the number of the step that comes after it. */
static guint32
collect (WpStretch *stretch, const WpStep *first)
{
  const WpStep *const end = first + first->n_plain, *step = first;

  stretch->n = stretch->n_places = 0;
  while (step < end && is_part (step) && stretch->n < MOST && add_place (stretch, &step->reach))
    {
      stretch->steps[stretch->n] = step;
      stretch->alone[stretch->n++] = step->lean;
      step += step->skip;
    }
  return first->index + (guint32)(step - first);
}

void
wp_stretches_find (WpKernelCode *code)
{
  WpStretch stretch;

  for (guint32 k = 0, next; k < code->n_steps && code->stretches->len < MOST_STRETCHES; k = next)
    {
      WpStep *step = &code->steps[k];

      next = k + 1;
      if (step->n_plain == 0 || !is_part (step))
        continue;
      next = collect (&stretch, step);
      if (stretch.n < LEAST)
        continue;
      step->stretch = code->stretches->len;
      step->lean = run_stretch;
      step->skip = next - k;
      g_ptr_array_add (code->stretches, g_memdup2 (&stretch, sizeof stretch));
    }
}
