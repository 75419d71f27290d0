/* SPDX-License-Identifier: MIT */
/* What stands side by side in warpipe compare: single runs, or the means of all seeds; and which of
 * them differ by their policy alone. */
#include "run/compare/compare.h"

#include "cli/common/cli-seeds.h"
#include "run/base/sample.h"

#include <string.h>

gboolean
wp_compare_is_seed (const WpVariation *variation)
{
  return !variation->is_set && strcmp (variation->name, "seed") == 0;
}

/* How many runs, or means of all seeds, stand beside one another; G_MAXUINT: more than may. */
guint
wp_compare_count_columns (const WpCompare *compare)
{
  guint n = wp_variations_count (compare->variations, WP_COMPARE_MAX_RUNS * compare->n_seeds);

  return n == G_MAXUINT ? n : n / compare->n_seeds;
}

/* The number, of the variations' product, of the run of COLUMN with seed number SEED. */
guint
wp_compare_get_index (const WpCompare *compare, guint column, guint seed)
{
  guint index = 0, weight = 1;

  for (guint i = compare->variations->len; i-- > 0;)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);
      guint n = variation->values->len;

      index += weight * (wp_compare_is_seed (variation) ? seed : column % n);
      column /= wp_compare_is_seed (variation) ? 1 : n;
      weight *= n;
    }
  return index;
}

/* Whether RUN and OTHER differ by nothing but NAME, an option. */
static gboolean
differ_only_by (const WpCompare *compare, guint run, guint other, const gchar *name)
{
  for (guint i = 0; i < compare->variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (compare->variations, i);

      if ((variation->is_set || strcmp (variation->name, name) != 0)
          && strcmp (wp_variations_get (compare->variations, run, i),
                     wp_variations_get (compare->variations, other, i))
                 != 0)
        return FALSE;
    }
  return TRUE;
}

/* The run of COLUMN with the first seed. */
const WpCompareRun *
wp_compare_get_run (const WpCompare *compare, const GPtrArray *runs, guint column)
{
  return g_ptr_array_index (runs, column * compare->n_seeds);
}

/* The first column whose run that of COLUMN differs from by nothing but the policy, else, of
 * two-level, the active set; COLUMN: there is none. */
static guint
find_first (const WpCompare *compare, const GPtrArray *runs, guint column)
{
  const WpCompareRun *run = wp_compare_get_run (compare, runs, column);

  for (guint other = 0; other < column; other++)
    if (differ_only_by (compare, run->index, wp_compare_get_run (compare, runs, other)->index,
                        "policy"))
      return other;
  for (guint other = 0; run->policy == wp_policy_find ("two-level") && other < column; other++)
    if (differ_only_by (compare, run->index, wp_compare_get_run (compare, runs, other)->index,
                        "active-set"))
      return other;
  return column;
}

static WpDivergenceRun
get_divergence_run (const WpCompareRun *run)
{
  return (WpDivergenceRun){ run->kernel, run->gpu, run->policy, run->options };
}

/* Of several seeds, those of the first. */
gboolean
wp_compare_find_divergences (const WpCompare *compare, const GPtrArray *runs, WpBatch *batch,
                             WpComparison *comparison, GError **error)
{
  for (guint i = 0; i < runs->len / compare->n_seeds && batch->interrupted == 0; i++)
    {
      WpDivergenceOf of = { .first = find_first (compare, runs, i), .other = i };
      const WpDivergenceRun pair[2]
          = { get_divergence_run (wp_compare_get_run (compare, runs, of.first)),
              get_divergence_run (wp_compare_get_run (compare, runs, i)) };
      gboolean done;

      if (of.first == i)
        continue;
      done = wp_divergence_find (pair, batch->progress, &batch->max_issues, &batch->interrupted,
                                 &of.divergence, error);
      g_array_append_val (comparison->divergences, of);
      if (!done)
        return FALSE;
    }
  return TRUE;
}

/* Whether the values of VARIATION tell columns from one another. */
static gboolean
makes_columns (const WpCompare *compare, const WpVariation *variation)
{
  return variation->values->len > 1 && !(compare->n_seeds > 1 && wp_compare_is_seed (variation));
}

/* What those that tell COLUMN from the others are. Free with g_strfreev(). */
static GStrv
get_values (const WpCompare *compare, const WpCompareRun *run)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();

  for (guint k = 0; k < compare->variations->len; k++)
    if (makes_columns (compare, g_ptr_array_index (compare->variations, k)))
      {
        g_autofree gchar *valid
            = g_utf8_make_valid (wp_variations_get (compare->variations, run->index, k), -1);

        g_strv_builder_add (values, valid);
      }
  return g_strv_builder_end (values);
}

/* The figures of all seeds of COLUMN, borrowed. */
static GPtrArray *
list_metrics (const WpCompare *compare, const GPtrArray *runs, guint column)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < compare->n_seeds; i++)
    g_ptr_array_add (
        list,
        ((const WpCompareRun *)g_ptr_array_index (runs, column * compare->n_seeds + i))->metrics);
  return list;
}

void
wp_compare_fill (const WpCompare *compare, GPtrArray *runs, WpComparison *comparison)
{
  const GPtrArray *variations = compare->variations;
  g_autoptr (GPtrArray) first = list_metrics (compare, runs, 0);

  for (guint i = 0; i < runs->len; i += compare->n_seeds)
    {
      WpCompareRun *run = g_ptr_array_index (runs, i);
      g_autoptr (GPtrArray) list = list_metrics (compare, runs, i / compare->n_seeds);

      g_ptr_array_add (comparison->values, get_values (compare, run));
      g_ptr_array_add (comparison->runs, compare->n_seeds > 1 ? wp_metrics_new_mean (list, first)
                                                              : g_steal_pointer (&run->metrics));
      if (run->warning != NULL)
        wp_cli_complain ("warning: %s: %s", run->label, run->warning);
    }
  for (guint k = 0; k < variations->len; k++)
    {
      const WpVariation *variation = g_ptr_array_index (variations, k);

      if (makes_columns (compare, variation))
        g_ptr_array_add (comparison->names, g_utf8_make_valid (variation->name, -1));
    }
}

/* Of several seeds with ideal memory: all that varies is for nothing. */
void
wp_compare_warn_of_ideal (const WpCompare *compare, const GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    if (((const WpCompareRun *)g_ptr_array_index (runs, i))->options.contended)
      return;
  if (compare->n_seeds > 1)
    wp_cli_warn_alike (compare->n_seeds);
}
