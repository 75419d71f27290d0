/* SPDX-License-Identifier: MIT */
/* A comparison for people: a column for each run, as many as fit beside one another; the others in
 * further tables below. */
#include "cli/common/cli-text.h"
#include "cli/compare/comparison-print.h"
#include "cli/compare/comparison-rows.h"
#include "cli/report/report-warnings.h"

#include <stdio.h>

#define LABEL WP_COMPARISON_LABEL
#define WIDTH 100 /* of all */
#define LEAST 11  /* of a cell, two of distance and one for a mark included */
#define MOST 24   /* of a cell, the same: longer names are cut */

static const WpMetrics *
get_run (const WpComparison *comparison, guint i)
{
  return g_ptr_array_index (comparison->runs, i);
}

/* The width of each column, the same for all. */
static guint
find_width (const GPtrArray *rows, guint n)
{
  guint width = LEAST;

  for (guint r = 0; r < rows->len; r++)
    {
      const WpComparisonRow *row = g_ptr_array_index (rows, r);

      for (guint i = 0; row->cells != NULL && i < n; i++)
        width = MAX (width, (guint)g_utf8_strlen (row->cells[i], -1) + 3);
    }
  return MIN (width, MOST);
}

/* TEXT at the right of WIDTH columns, cut to fit. */
static void
print_cell (const gchar *text, guint width, gboolean is_best, gboolean is_last,
            const WpTextStyle *style)
{
  glong length = g_utf8_strlen (text, -1);
  glong room = (glong)width - 3;
  const gchar *from = length > room ? g_utf8_offset_to_pointer (text, length - room + 2) : text;

  printf ("%*s", (int)MAX (room - length, 0) + 2, "");
  if (is_best)
    fputs (style->bold, stdout);
  printf ("%s%s%s", length > room ? ".." : "", from, is_best ? "*" : is_last ? "" : " ");
  if (is_best)
    fputs (style->plain, stdout);
}

/* Columns FIRST .. LAST - 1 of ROWS, of which N_NAMES are of what varies. */
static void
print_columns (const GPtrArray *rows, guint n_names, guint first, guint last, guint width,
               const WpTextStyle *style)
{
  for (guint r = 0; r < rows->len; r++)
    {
      const WpComparisonRow *row = g_ptr_array_index (rows, r);
      g_autofree gchar *label = NULL;

      if (row->heading != NULL)
        {
          printf ("\n%s%s%s\n", style->bold, row->heading, style->plain);
          continue;
        }
      label = g_utf8_substring (row->label, 0, MIN (g_utf8_strlen (row->label, -1), LABEL - 2));
      printf ("%s  %s%*s", r < n_names ? style->bold : "", label,
              LABEL - 2 - (gint)g_utf8_strlen (label, -1), "");
      for (guint i = first; i < last; i++)
        print_cell (row->cells[i], width, row->is_best[i], i + 1 == last, style);
      printf ("%s\n", r < n_names ? style->plain : "");
    }
}

/* All columns, in as many tables as they need. */
static void
print_tables (const WpComparison *comparison, const WpTextStyle *style)
{
  g_autoptr (GPtrArray) rows = wp_comparison_make_rows (comparison);
  const guint n = comparison->runs->len, n_names = comparison->names->len;
  const guint width = find_width (rows, n), columns = (WIDTH - LABEL) / width;

  for (guint first = 0; first < n; first += columns)
    {
      if (n_names > 0)
        putchar ('\n');
      print_columns (rows, n_names, first, MIN (first + columns, n), width, style);
    }
}

static void
print_divergences (const WpComparison *comparison, const WpTextStyle *style)
{
  if (comparison->divergences->len == 0)
    return;
  printf ("\n%sWhere schedules diverge%s%s\n", style->bold,
          get_run (comparison, 0)->spreads[0].n > 0 ? " (first seed)" : "", style->plain);
  for (guint i = 0; i < comparison->divergences->len; i++)
    {
      g_autofree gchar *text = wp_comparison_describe_divergence (
          comparison, &g_array_index (comparison->divergences, WpDivergenceOf, i));

      wp_text_print_wrapped (text);
    }
}

static void
note_lifetimes (const WpComparison *comparison)
{
  for (guint i = 0; i < comparison->runs->len; i++)
    if (get_run (comparison, i)->too_many_lifetimes)
      {
        printf ("\n  No percentiles where more than %d different lifetimes came up.\n",
                WP_MAX_LIFETIMES);
        return;
      }
}

void
wp_comparison_print_text (const WpComparison *comparison, const gchar *const *heading)
{
  WpTextStyle style = wp_text_style_get_own ();
  g_autofree gchar *verdict = wp_comparison_get_verdict (comparison);
  g_autoptr (GPtrArray) warnings = wp_comparison_list_warnings (comparison);

  for (guint i = 0; heading[i] != NULL; i++)
    printf ("%s%s%s\n", i == 0 ? style.bold : "", heading[i], i == 0 ? style.plain : "");
  print_tables (comparison, &style);
  note_lifetimes (comparison);
  print_divergences (comparison, &style);
  wp_print_warnings (warnings, &style);
  if (comparison->runs->len > 1)
    {
      printf ("\n%sWhich is better (*: the best of a row)%s\n", style.bold, style.plain);
      wp_text_print_wrapped (verdict);
    }
}
