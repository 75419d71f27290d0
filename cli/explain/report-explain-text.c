/* SPDX-License-Identifier: MIT */
/* Counterfactuals for people: what to fix first, in a sentence or two; the table behind that; then
 * what each of the others would do, and what hides behind the first. */
#include "cli/common/cli-launch.h"
#include "cli/common/cli-text.h"
#include "cli/explain/report-explain.h"
#include "cli/report/report-warnings.h"
#include "run/advice.h"
#include "run/simulate/greedy.h"

#include <math.h>
#include <stdio.h>

#define LABEL 38
#define BAR_WIDTH 24
#define SPREAD_BAR_WIDTH 12 /* beside the spread of several seeds */

/* Pairs that are shown, and that are described in words. */
#define PAIR_ROWS 10
#define PAIR_SENTENCES 3

/* ---- Words ---- */

static const gchar *
get_title (WpIdealKind kind)
{
  return wp_ideal_get (kind)->title;
}

static const gchar *
get_thing (WpIdealKind kind)
{
  return wp_ideal_get (kind)->thing;
}

/* TEXT with its first letter, an ASCII one, in upper case. Free with g_free(). */
static gchar *
capitalise (const gchar *text)
{
  return g_strdup_printf ("%c%s", g_ascii_toupper (*text), text + 1);
}

/* What limits a run; WOULD: in the conditional, "pipeline memory would be in use 99% of the time".
 */
static gchar *
describe_binding (const WpExplanation *explanation, const WpBinding *binding, gboolean would)
{
  const gchar *spend = would ? "warps would spend" : "warps spend";
  gdouble percent = 100 * binding->share;
  const gchar *where = binding->is_uneven ? " on the SMs with the most blocks" : "";
  const gchar *pipeline = NULL;

  if (binding->kind == WP_BINDING_PIPELINE || binding->kind == WP_BINDING_RESULTS)
    pipeline = explanation->resolved->machine.pipelines[binding->pipeline].name;
  switch (binding->kind)
    {
    case WP_BINDING_PIPELINE:
      return g_strdup_printf ("pipeline %s %s in use %.0f%% of the time%s", pipeline,
                              would ? "would be" : "is", percent, where);
    case WP_BINDING_SCHEDULERS:
      return g_strdup_printf ("the schedulers' issue slots %s taken %.0f%% of the time%s",
                              would ? "would be" : "are", percent, where);
    case WP_BINDING_EMPTY:
      return g_strdup_printf ("the places for warps %s empty %.0f%% of the time",
                              would ? "would be" : "are", percent);
    case WP_BINDING_RESULTS:
      return g_strdup_printf ("%s %.0f%% of their lives waiting for results of %s", spend, percent,
                              pipeline);
    case WP_BINDING_BARRIER:
      return g_strdup_printf ("%s %.0f%% of their lives waiting at barriers", spend, percent);
    case WP_BINDING_ILP:
      return g_strdup_printf ("%s %.0f%% of their lives between issues of their own (ILP latency)",
                              spend, percent);
    case WP_BINDING_TURNS:
      return g_strdup_printf (
          "%s %.0f%% of their lives waiting in turn for units that are not busy all the time",
          spend, percent);
    case WP_BINDING_DRAIN:
      return g_strdup_printf ("%s %.0f%% of their lives waiting for their last results", spend,
                              percent);
    default:
      return g_strdup (would ? "it would take no time" : "it takes no time");
    }
}

/* Per cent of a gain, to a tenth; never "-0.0". */
static gdouble
get_percent (gdouble gain)
{
  gdouble percent = 100 * gain;

  return fabs (percent) < 0.05 ? 0 : percent;
}

/* "12.3% less time (1.14 times as fast)". Free with g_free(). */
static gchar *
describe_gain (const WpCase *one)
{
  gdouble percent = get_percent (one->gain);

  if (!isfinite (one->speedup))
    return g_strdup ("no time at all");
  if (percent < 0)
    return g_strdup_printf ("%.1f%% more time", -percent);
  return g_strdup_printf ("%.1f%% less time (%.2f times as fast)", percent, one->speedup);
}

/* "a, b and c"; free with g_free(). */
static gchar *
join (const GPtrArray *names)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0               ? ""
                            : i + 1 < names->len ? ", "
                                                 : " and ",
                            (const gchar *)g_ptr_array_index (names, i));
  return g_string_free (text, FALSE);
}

/* ---- The verdict ---- */

/* The ideals that gain as much as the first, to within a percentage point. */
static void
append_as_good (const WpExplanation *explanation, GString *text)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree gchar *joined = NULL;

  for (guint i = 1; i < explanation->n_ranked; i++)
    if (explanation->ranked[i]->gain > explanation->ranked[0]->gain - WP_EXPLAIN_MATTERS)
      g_ptr_array_add (names, (gpointer)get_title (explanation->ranked[i]->kinds[0]));
  if (names->len == 0)
    return;
  joined = join (names);
  g_string_append_printf (text, " As much, within a point, would be gained with %s%s.",
                          names->len > 1 ? "any of " : "", joined);
}

/* "Compute throughput, that of pipeline shared": compute is all that is not memory. Free with
 * g_free(). */
static gchar *
name_thing (const WpExplanation *explanation, WpIdealKind kind)
{
  g_autofree gchar *thing = capitalise (get_thing (kind));
  const gchar *pipeline = wp_advice_get_pipeline (explanation, kind);
  gboolean says_it = pipeline == NULL || g_str_has_prefix (get_thing (kind), pipeline);

  return g_strdup_printf ("%s%s%s", thing, says_it ? "" : ", that of pipeline ",
                          says_it ? "" : pipeline);
}

static gchar *
get_first_verdict (const WpExplanation *explanation, const WpCase *first)
{
  g_autofree gchar *thing = name_thing (explanation, first->kinds[0]);
  g_autofree gchar *gain = describe_gain (first);
  g_autofree gchar *now = describe_binding (explanation, &explanation->as_it_is.binding, FALSE);
  g_autofree gchar *then = describe_binding (explanation, &first->binding, TRUE);
  g_autofree gchar *advice = wp_advice_get (explanation, first->kinds[0]);
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s. With %s the kernel would take %s. As it is, %s; then, %s.", thing,
                   get_title (first->kinds[0]), gain, now, then);
  append_as_good (explanation, text);
  g_string_append_printf (text, " %s", advice);
  return g_string_free (text, FALSE);
}

static gchar *
get_together_verdict (const WpExplanation *explanation, const WpCase *pair)
{
  const WpCase *best = explanation->ranked[0];
  g_autofree gchar *gain = describe_gain (pair);
  g_autofree gchar *then = describe_binding (explanation, &pair->binding, TRUE);
  g_autofree gchar *advice = wp_advice_get (explanation, pair->kinds[0]);
  g_autofree gchar *other_advice = wp_advice_get (explanation, pair->kinds[1]);
  GString *text = g_string_new ("No one thing alone: ");

  if (best->gain < WP_EXPLAIN_MATTERS)
    g_string_append (text, "nothing gains 1%");
  else
    g_string_append_printf (text, "%s, the best, gains %.1f%%", get_title (best->kinds[0]),
                            get_percent (best->gain));
  g_string_append_printf (text,
                          ". But %s and %s limit the kernel alike, and each hides the other: with "
                          "%s and %s it would take %s; then, %s. %s %s",
                          get_thing (pair->kinds[0]), get_thing (pair->kinds[1]),
                          get_title (pair->kinds[0]), get_title (pair->kinds[1]), gain, then,
                          advice, other_advice);
  return g_string_free (text, FALSE);
}

static gchar *
get_verdict (const WpExplanation *explanation)
{
  const WpCase *first = wp_explanation_get_first (explanation);
  const WpCase *together = wp_explanation_get_together (explanation);
  gchar *none = wp_warnings_get_no_verdict (explanation->warnings);

  if (none != NULL)
    return none;
  if (explanation->as_it_is.cycles <= 0)
    return g_strdup ("Nothing: the kernel takes no time.");
  if (together != NULL)
    return get_together_verdict (explanation, together);
  if (first != NULL)
    return get_first_verdict (explanation, first);
  return g_strdup (
      "No one thing, and no two: nothing gains 1% alone, and nothing 10% with another. "
      "More than two things limit the kernel alike.");
}

/* ---- Tables ---- */

static void
print_row (const WpCase *one, const gchar *label, const WpTextStyle *style)
{
  gboolean several = one->gains.n > 1;

  printf ("  %-*s%13.1f%10.1f%%", LABEL, label, one->cycles, get_percent (one->gain));
  if (several)
    printf ("%7.1f", get_percent (wp_sample_get_deviation (&one->gains)));
  if (isfinite (one->speedup))
    printf ("%10.2f", one->speedup);
  else
    printf ("%10s", "any");
  wp_text_print_bar (style, "", CLAMP (one->gain, 0, 1), several ? SPREAD_BAR_WIDTH : BAR_WIDTH);
}

static void
print_heading (const WpExplanation *explanation, const gchar *title, const WpTextStyle *style)
{
  printf ("\n%s%s%s%*s%13s%11s%s%10s\n", style->bold, title, style->plain,
          MAX (LABEL + 2 - (gint)g_utf8_strlen (title, -1), 0), "", "cycles", "less time",
          explanation->n_seeds > 1 ? "     sd" : "", "speed-up");
}

static void
print_singles (const WpExplanation *explanation, const WpTextStyle *style)
{
  print_heading (explanation, "What each would gain", style);
  printf ("  %-*s%13.1f\n", LABEL, "as it is", explanation->as_it_is.cycles);
  for (guint i = 0; i < explanation->n_ranked; i++)
    print_row (explanation->ranked[i], get_title (explanation->ranked[i]->kinds[0]), style);
  for (guint i = 0; i < explanation->n_hits; i++)
    print_row (explanation->hits[i], get_title (explanation->hits[i]->kinds[0]), style);
  if (explanation->has_greedy)
    print_row (&explanation->greedy, "schedulers greedy (--policy " WP_GREEDY_POLICY ")", style);
  for (guint kind = 0; kind < WP_N_IDEALS; kind++)
    if (explanation->singles[kind].why != NULL && !explanation->singles[kind].quiet)
      printf ("%s  %-*s  %s%s\n", style->dim, LABEL, get_title ((WpIdealKind)kind),
              explanation->singles[kind].why, style->plain);
}

static void
print_pairs (const WpExplanation *explanation, const WpTextStyle *style)
{
  gboolean clear = wp_explanation_is_clear (explanation);
  g_autofree gchar *title
      = clear ? g_strdup_printf ("With %s, and", get_title (explanation->ranked[0]->kinds[0]))
              : g_strdup ("What two would gain");

  print_heading (explanation, title, style);
  for (guint i = 0; i < MIN (explanation->n_pairs, PAIR_ROWS); i++)
    {
      const WpCase *pair = &explanation->pairs[i];
      g_autofree gchar *both = g_strdup_printf ("%s + %s", wp_ideal_get (pair->kinds[0])->name,
                                                wp_ideal_get (pair->kinds[1])->name);

      print_row (pair, clear ? get_title (pair->kinds[1]) : both, style);
    }
  if (explanation->n_pairs > PAIR_ROWS)
    printf ("%s  ... %u more; all of them with --format json%s\n", style->dim,
            explanation->n_pairs - PAIR_ROWS, style->plain);
}

/* ---- Sentences ---- */

static void
print_sentence (const WpExplanation *explanation, const WpCase *one)
{
  g_autofree gchar *gain = describe_gain (one);
  g_autofree gchar *then = describe_binding (explanation, &one->binding, TRUE);
  const gchar *slower = wp_ideal_get (one->kinds[0])->slower;
  g_autofree gchar *advice = wp_advice_get (explanation, one->kinds[0]);
  g_autofree gchar *text = NULL;

  if (one->gain < 0)
    text
        = g_strdup_printf ("With %s the kernel would take %s: %s.", get_title (one->kinds[0]), gain,
                           slower != NULL ? slower
                                          : "what is faster comes at other times, and the order "
                                            "that follows happens to be worse (a scheduling "
                                            "anomaly)");
  else
    text = g_strdup_printf ("With %s the kernel would take %s; then, %s. %s",
                            get_title (one->kinds[0]), gain, then, advice);
  wp_text_print_wrapped (text);
}

/* How much more two gain together than the better one alone. */
static void
print_pair_sentence (const WpExplanation *explanation, const WpCase *pair)
{
  const WpCase *one = &explanation->singles[pair->kinds[0]];
  const WpCase *other = &explanation->singles[pair->kinds[1]];
  gdouble sum = one->gain + other->gain;
  g_autofree gchar *thing = capitalise (get_thing (pair->kinds[1]));
  g_autofree gchar *gain = describe_gain (pair);
  g_autofree gchar *then = describe_binding (explanation, &pair->binding, TRUE);
  g_autoptr (GString) text = g_string_new (NULL);

  if (other->gain < WP_EXPLAIN_MATTERS)
    g_string_printf (text, "%s: with %s alone %s is gained; with both the kernel would take %s",
                     thing, get_title (pair->kinds[1]),
                     get_percent (other->gain) <= 0 ? "nothing" : "next to nothing", gain);
  else
    g_string_printf (
        text, "%s: with %s and %s the kernel would take %s, %s the sum of what each gains alone",
        thing, get_title (pair->kinds[0]), get_title (pair->kinds[1]), gain,
        pair->gain > sum + WP_EXPLAIN_MATTERS   ? "more than"
        : pair->gain < sum - WP_EXPLAIN_MATTERS ? "less than"
                                                : "which is");
  g_string_append_printf (text, "; then, %s.", then);
  wp_text_print_wrapped (text->str);
}

/* Of what nobody can change, and nobody has published: whether it decides much. */
static void
print_greedy_sentence (const WpExplanation *explanation, const WpTextStyle *style)
{
  const WpCase *greedy = &explanation->greedy;
  g_autofree gchar *gain = describe_gain (greedy);
  g_autofree gchar *then = describe_binding (explanation, &greedy->binding, TRUE);
  g_autofree gchar *text = g_strdup_printf (
      "How they pick warps decides much of the time, and a GPU's are not fair: with "
      "--policy " WP_GREEDY_POLICY ", greedy then oldest, the kernel would take %s; then, %s.",
      gain, then);

  printf ("\n%sWhat schedulers decide%s\n", style->bold, style->plain);
  wp_text_print_wrapped (text);
}

static void
print_sentences (const WpExplanation *explanation, const WpTextStyle *style)
{
  const WpCase *first = wp_explanation_is_clear (explanation) ? explanation->ranked[0] : NULL;
  gboolean described = wp_explanation_get_together (explanation) == NULL; /* the first one */
  guint n = 0;

  for (guint i = described ? 1 : 0; i < explanation->n_ranked; i++)
    if (fabs (explanation->ranked[i]->gain) >= WP_EXPLAIN_MATTERS)
      {
        if (n++ == 0)
          printf ("\n%sWhat the others would do%s\n", style->bold, style->plain);
        print_sentence (explanation, explanation->ranked[i]);
      }
  for (guint i = 0; i < explanation->n_hits; i++)
    if (fabs (explanation->hits[i]->gain) >= WP_EXPLAIN_MATTERS)
      {
        if (n++ == 0)
          printf ("\n%sWhat the others would do%s\n", style->bold, style->plain);
        print_sentence (explanation, explanation->hits[i]);
      }
  if (explanation->has_greedy && fabs (explanation->greedy.gain) >= WP_EXPLAIN_MUCH)
    print_greedy_sentence (explanation, style);
  n = 0;
  for (guint i = 0; first != NULL && i < explanation->n_pairs && n < PAIR_SENTENCES; i++)
    if (explanation->pairs[i].gain >= first->gain + WP_EXPLAIN_MATTERS)
      {
        if (n++ == 0)
          printf ("\n%sWhat hides behind %s%s\n", style->bold, get_thing (first->kinds[0]),
                  style->plain);
        print_pair_sentence (explanation, &explanation->pairs[i]);
      }
}

/* ---- All of it ---- */

/* Where there are several seeds: how the run as it is varies with them. */
static void
print_seeds (const WpExplanation *explanation)
{
  const WpSample *times = &explanation->as_it_is.times;

  if (explanation->n_seeds == 1)
    return;
  printf ("  seeds        %u, of which all figures are means; time %.8g to %.8g cycles, standard\n"
          "               deviation %.4g; sd: that of the time saved, in points\n",
          explanation->n_seeds, times->least, times->most, wp_sample_get_deviation (times));
}

static void
print_header (const WpExplanation *explanation, const WpTextStyle *style)
{
  const WpMachine *machine = &explanation->resolved->machine;
  const WpGpu *gpu = explanation->gpu;
  const WpCase *one = &explanation->as_it_is;
  g_autofree gchar *how = wp_describe_setting (machine, wp_policy_get_name (explanation->policy),
                                               explanation->n_seeds);

  wp_text_print_heading (style, explanation->kernel->name, gpu->name, gpu->title, how);
  if (explanation->kernel->title != NULL)
    printf ("%s%s%s\n", style->dim, explanation->kernel->title, style->plain);
  wp_print_simulated (explanation->resolved, &explanation->resident);
  if (one->cycles == one->ended)
    printf ("  time         %s%s cycles%s, %.6g us\n", style->bold, one->ended_text, style->plain,
            explanation->time_us);
  else
    printf ("  time         %s%s cycles%s, %.6g us, until the last store is done; the last warp "
            "ends at %s\n",
            style->bold, one->drained_text, style->plain,
            one->cycles / wp_cycles_to_double (explanation->gpu->clock_mhz), one->ended_text);
  print_seeds (explanation);
}

void
wp_explanation_print_text (const WpExplanation *explanation)
{
  WpTextStyle style = wp_text_style_get_own ();
  g_autofree gchar *verdict = get_verdict (explanation);

  print_header (explanation, &style);
  wp_print_warnings (explanation->warnings, &style);
  printf ("\n%sWhat to fix first%s\n", style.bold, style.plain);
  wp_text_print_wrapped (verdict);
  if (explanation->as_it_is.cycles <= 0)
    return;
  print_singles (explanation, &style);
  if (explanation->n_pairs > 0)
    print_pairs (explanation, &style);
  if (!wp_warnings_are_in_the_way (explanation->warnings))
    print_sentences (explanation, &style);
}
