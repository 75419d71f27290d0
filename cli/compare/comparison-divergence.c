/* SPDX-License-Identifier: MIT */
/* Where two schedules diverge, in sentences. */
#include "cli/compare/comparison-print.h"

static const WpMetrics *
get_run (const WpComparison *comparison, guint i)
{
  return g_ptr_array_index (comparison->runs, i);
}

#define MAX_SHOWN 12 /* warps of a list for people */

/* "0.1 0.2 3.1 and 4 more": block and warp. */
static void
append_candidates (GString *text, const WpPick *pick)
{
  for (guint i = 0; i < pick->n_candidates && i < MAX_SHOWN; i++)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT ".%u", pick->candidates[i].block,
                            pick->candidates[i].warp);
  if (pick->n_candidates > MAX_SHOWN)
    g_string_append_printf (text, " and %u more", pick->n_candidates - MAX_SHOWN);
}

static gboolean
have_same_candidates (const WpPick *a, const WpPick *b)
{
  gboolean same = a->n_candidates == b->n_candidates;

  for (guint i = 0; same && i < a->n_candidates; i++)
    same = a->candidates[i].slot == b->candidates[i].slot;
  return same;
}

static void
append_pick (GString *text, const gchar *label, const WpPick *pick)
{
  const WpCandidate *warp = pick->issues ? &pick->candidates[pick->pick] : NULL;

  if (warp == NULL)
    g_string_append_printf (text, "%s issues nothing", label);
  else
    g_string_append_printf (text, "%s picks warp %" G_GUINT64_FORMAT ".%u (%s)", label, warp->block,
                            warp->warp, pick->op);
}

/* Which warps each of the two could have picked. */
static void
append_choices (GString *text, const gchar *const labels[2], const WpPick picks[2])
{
  if (have_same_candidates (&picks[0], &picks[1]))
    {
      g_string_append (text, " Could issue, as block.warp:");
      append_candidates (text, &picks[0]);
      g_string_append_c (text, '.');
      return;
    }
  for (guint i = 0; i < 2; i++)
    if (picks[i].issues)
      {
        g_string_append_printf (text, " %s could pick, as block.warp:", labels[i]);
        append_candidates (text, &picks[i]);
        g_string_append_c (text, '.');
      }
}

static void
append_difference (GString *text, const gchar *const labels[2], const WpDivergence *divergence)
{
  g_string_append_printf (text,
                          "diverge at cycle %s on SM %u, scheduler %u, after %" G_GUINT64_FORMAT
                          " instruction%s: ",
                          divergence->time, divergence->sm, divergence->scheduler,
                          divergence->issues, divergence->issues == 1 ? "" : "s");
  append_pick (text, labels[0], &divergence->picks[0]);
  g_string_append (text, ", ");
  append_pick (text, labels[1], &divergence->picks[1]);
  g_string_append_c (text, '.');
  append_choices (text, labels, divergence->picks);
}

gchar *
wp_comparison_describe_divergence (const WpComparison *comparison, const WpDivergenceOf *of)
{
  const gchar *const labels[2]
      = { get_run (comparison, of->first)->label, get_run (comparison, of->other)->label };
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s and %s ", labels[0], labels[1]);
  switch (of->divergence.kind)
    {
    case WP_DIVERGENCE_FOUND:
      append_difference (text, labels, &of->divergence);
      break;
    case WP_DIVERGENCE_NONE:
      g_string_append (text, "issue the same instructions at the same times, from the first to "
                             "the last.");
      break;
    case WP_DIVERGENCE_TOO_LATE:
      g_string_append_printf (text,
                              "issue the same %" G_GUINT64_FORMAT
                              " instructions first; no difference was looked for after these.",
                              of->divergence.issues);
      break;
    default:
      g_assert_not_reached ();
    }
  return g_string_free (text, FALSE);
}
