/* SPDX-License-Identifier: MIT */
#include "exec/fold/wp-fold-groups.h"

#include <stdlib.h>

void
wp_fold_groups_init (WpFoldGroups *groups, const WpFoldInput *input)
{
  groups->n = wp_trail_classes_get_n (input->classes);
  groups->groups = g_new0 (WpFoldGroup, groups->n + 1);
  groups->of = g_new (guint32, groups->n + 1);
  for (guint i = 0; i < groups->n; i++)
    {
      const WpTrailClass *class = wp_trail_classes_get (input->classes, i);

      groups->of[i] = i;
      groups->groups[i] = (WpFoldGroup){ i, wp_counts_new (), class->n_warps, class->total };
      if (input->counts && input->counts[i])
        wp_counts_merge (groups->groups[i].counts, input->counts[i]);
    }
}

void
wp_fold_groups_clear (WpFoldGroups *groups)
{
  for (guint i = 0; i < groups->n; i++)
    wp_counts_free (groups->groups[i].counts);
  g_free (groups->groups);
  g_free (groups->of);
}

typedef struct
{
  guint64 mean;
  guint group;
} Work;

static gint
compare_work (gconstpointer a, gconstpointer b)
{
  const Work *x = a, *y = b;

  if (x->mean != y->mean)
    return x->mean < y->mean ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

/* Adds FROM to INTO, whose program is that of the one with more warps. */
static void
join (WpFoldGroup *into, WpFoldGroup *from)
{
  if (from->n_warps > into->n_warps)
    into->class = from->class;
  into->n_warps += from->n_warps;
  into->total += from->total;
  wp_counts_merge (into->counts, from->counts);
  g_clear_pointer (&from->counts, wp_counts_free);
}

void
wp_fold_groups_halve (WpFoldGroups *groups, const WpFoldInput *input)
{
  g_autofree Work *works = g_new (Work, groups->n + 1);
  g_autofree guint32 *numbers = g_new (guint32, groups->n + 1); /* of the joined, by the old */
  WpFoldGroup *joined = g_new0 (WpFoldGroup, groups->n / 2 + 2);
  guint n = 0;

  for (guint i = 0; i < groups->n; i++)
    works[i] = (Work){ groups->groups[i].total / MAX (groups->groups[i].n_warps, 1), i };
  qsort (works, groups->n, sizeof *works, compare_work);
  for (guint i = 0; i < groups->n; i++)
    {
      WpFoldGroup *group = &groups->groups[works[i].group];

      if (i % 2 == 0)
        joined[n++] = *group;
      else
        join (&joined[n - 1], group);
      numbers[works[i].group] = n - 1;
    }
  for (guint i = 0; i < wp_trail_classes_get_n (input->classes); i++)
    groups->of[i] = numbers[groups->of[i]];
  g_free (groups->groups);
  groups->groups = joined;
  groups->n = n;
}
