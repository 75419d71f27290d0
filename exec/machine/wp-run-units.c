/* SPDX-License-Identifier: MIT */
/* Which of the resident blocks have to be one thread's in a turn, a *unit*: all of them, where the
 * results of a kernel may depend on the order of its blocks; else those whose clusters have SMs in
 * common, as an SM is one thread's. Blocks alone need none of this: each SM is a unit. */
#include "exec/machine/wp-run-private.h"

gboolean
wp_run_has_units (const WpRun *run)
{
  return run->code->is_serial || run->grid->cluster_blocks > 1;
}

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const WpRunPlace *x = a, *y = b;

  if (x->unit != y->unit)
    return x->unit < y->unit ? -1 : 1;
  return x->slot->number < y->slot->number ? -1 : x->slot->number > y->slot->number;
}

static void
add_places (WpRun *run)
{
  g_array_set_size (run->places, 0);
  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->sms[k].n_slots; j++)
      {
        const WpRunPlace place = { .slot = &run->sms[k].slots[j], .sm = &run->sms[k] };

        if (place.slot->is_taken)
          g_array_append_val (run->places, place);
      }
  g_array_sort (run->places, compare_places);
}

/* The first SM of the unit that SM is in, where FIRSTS leads to it. */
static guint
find_first (guint *firsts, guint sm)
{
  while (firsts[sm] != sm)
    sm = firsts[sm] = firsts[firsts[sm]];
  return sm;
}

/* Places of one cluster follow one another: their SMs are of one unit. */
static void
join_clusters (WpRun *run)
{
  g_autofree guint *firsts = g_new (guint, run->n_sms);

  for (guint k = 0; k < run->n_sms; k++)
    firsts[k] = k;
  for (guint k = 1; k < run->places->len; k++)
    {
      const WpRunPlace *place = &g_array_index (run->places, WpRunPlace, k);
      const guint a = find_first (firsts, (guint)(place[-1].sm - run->sms));
      const guint b = find_first (firsts, (guint)(place[0].sm - run->sms));

      if (k % run->grid->cluster_blocks != 0)
        firsts[MAX (a, b)] = MIN (a, b);
    }
  for (guint k = 0; k < run->places->len; k++)
    {
      WpRunPlace *place = &g_array_index (run->places, WpRunPlace, k);

      place->unit = find_first (firsts, (guint)(place->sm - run->sms));
    }
  g_array_sort (run->places, compare_places);
}

void
wp_run_units_find (WpRun *run)
{
  add_places (run);
  if (!run->code->is_serial)
    join_clusters (run);
  g_array_set_size (run->units, 0);
  for (guint k = 0; k <= run->places->len; k++)
    {
      const WpRunPlace *place = &g_array_index (run->places, WpRunPlace, k);

      if (k == 0 || k == run->places->len || place[0].unit != place[-1].unit)
        g_array_append_val (run->units, k);
    }
}
