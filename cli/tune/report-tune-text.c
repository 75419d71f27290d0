/* SPDX-License-Identifier: MIT */
/* The ranking for people: a line for each launch, the quickest first, and what bounds it. */
#include "cli/common/cli-text.h"
#include "cli/tune/report-tune.h"

#include <stdio.h>

#define MOST_LABEL 40 /* columns of a launch's name */
#define OFF " predictions of such kernels are off by (doc/fidelity.md)"

static const WpTuneRow *
get_row (const WpTuning *tuning, guint i)
{
  return g_ptr_array_index (tuning->rows, i);
}

/* "memory 93%" would need the report; the verdict's kind and resource say what it is. */
static void
print_bound (const WpTuneRow *row)
{
  if (row->no_verdict)
    printf ("no verdict (%s)", row->warnings);
  else if (*row->resource != '\0')
    printf ("%s: %s", row->kind, row->resource);
  else
    fputs (row->kind, stdout);
}

/* Columns of the texts of all rows. */
typedef struct
{
  gint label, limiters;
} Widths;

static const gchar *
get_limiters (const WpTuneRow *row)
{
  return row->limiters != NULL ? row->limiters : "";
}

static void
print_row (const WpTuneRow *row, guint place, const Widths *widths, gdouble best, gboolean ties)
{
  g_autofree gchar *label = wp_text_cut (row->label, widths->label);
  gint pad = widths->label - (gint)g_utf8_strlen (label, -1);

  printf ("  %4u%s %s%*s", place, ties && row->is_tie ? "=" : " ", label, pad, "");
  if (row->error != NULL)
    {
      printf ("  cannot run: %s\n", row->error->message);
      return;
    }
  printf ("  %12.6g us  %6.3f  %5" G_GINT64_FORMAT "  %-*s  ", row->time_us,
          best > 0 ? row->time_us / best : 1, row->most_warps, widths->limiters,
          get_limiters (row));
  print_bound (row);
  putchar ('\n');
}

static Widths
find_widths (const WpTuning *tuning)
{
  glong label = 6, limiters = 16;

  for (guint i = 0; i < tuning->rows->len; i++)
    {
      const WpTuneRow *row = get_row (tuning, i);

      label = MAX (label, g_utf8_strlen (row->label, -1));
      limiters = MAX (limiters, g_utf8_strlen (get_limiters (row), -1));
    }
  return (Widths){ .label = (gint)MIN (label, MOST_LABEL), .limiters = (gint)limiters };
}

/* What those that were measured say of a kernel that was executed. */
static void
print_known (const WpTuning *tuning)
{
  const WpKnownErrors *known = tuning->known;
  g_autofree gchar *text = NULL;

  if (!tuning->executed)
    return;
  text = known != NULL
             ? g_strdup_printf ("Of %u measured launches like the first one, executed on a GPU of "
                                "its generation (%s) and bound as it is, half were predicted "
                                "within %u%% (doc/fidelity-kernels.md).",
                                known->n, known->generation, known->within)
             : g_strdup ("No measured launches are like the first one, on a GPU of its generation "
                         "and bound as it is: how far off it is, nobody knows "
                         "(doc/fidelity-kernels.md).");
  wp_text_print_wrapped (text);
}

static void
print_conclusion (const WpTuning *tuning)
{
  const WpTuneRow *best = get_row (tuning, 0);
  /* Of kernels that were executed print_known() says what predictions are off by. */
  const gchar *off = tuning->executed ? "" : OFF;
  g_autofree gchar *text
      = tuning->n_ties > 1
            ? g_strdup_printf ("The first %u are a tie (=): their predicted times differ by no "
                               "more than %g%%%s%s. Measure these.",
                               tuning->n_ties, WP_TUNE_TIE * 100, *off ? ", which is what" : "",
                               off)
            : g_strdup_printf ("%s is predicted to be the quickest by more than %s%g%%%s%s.",
                               best->label, *off ? "the " : "", WP_TUNE_TIE * 100,
                               *off ? " that" : "", off);
  g_autofree gchar *bound = g_strdup_printf ("%s: %s", best->label, best->verdict);

  putchar ('\n');
  wp_text_print_wrapped (text);
  wp_text_print_wrapped (bound);
  print_known (tuning);
  for (guint i = 0; i < tuning->notes->len; i++)
    {
      g_autofree gchar *note
          = g_strdup_printf ("Note: %s.", (const gchar *)g_ptr_array_index (tuning->notes, i));

      wp_text_print_wrapped (note);
    }
}

void
wp_tuning_print_text (const WpTuning *tuning, const WpTune *tune, guint top)
{
  const WpTextStyle style = wp_text_style_get_own ();
  g_autofree gchar *how = g_strdup_printf ("%u launches, %s memory", tuning->rows->len,
                                           tuning->contended ? "contended" : "ideal");
  guint n = top == 0 ? tuning->rows->len : MIN (top, tuning->rows->len);
  const Widths widths = find_widths (tuning);

  wp_text_print_heading (&style, tune->kernel, tune->gpu->name, tune->gpu->title, how);
  printf ("\n%s  rank  %-*s  %15s  %6s  %5s  %-*s  %s%s\n", style.bold, widths.label, "launch",
          "predicted", "factor", "warps", widths.limiters, "limited by", "bound", style.plain);
  for (guint i = 0; i < n; i++)
    print_row (get_row (tuning, i), i + 1, &widths, get_row (tuning, 0)->time_us,
               tuning->n_ties > 1);
  if (n < tuning->rows->len)
    printf ("  ... and %u more (--top 0 shows all)\n", tuning->rows->len - n);
  print_conclusion (tuning);
}
