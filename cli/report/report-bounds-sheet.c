/* SPDX-License-Identifier: MIT */
/* The throughput bound for people: for each unit what a warp uses of it, row by row (Volkov
 * 2016, table 3.4). */
#include "cli/report/decimals.h"
#include "cli/report/report-bounds-private.h"

#include <math.h>

static gdouble
to_cycles (const WpBoundsReport *report, WpMean mean)
{
  return wp_mean_to_double (mean) / (gdouble)report->bounds->machine->ticks_per_cycle;
}

typedef struct
{
  WpDecimals counts, each, uses;
  gint names;
} Columns;

/* The columns before they are printed. Those of numbers are at least as wide as their headings. */
static Columns
measure_worksheet (const WpBoundsReport *report)
{
  gint64 ticks_per_cycle = report->bounds->machine->ticks_per_cycle;
  Columns columns = { .names = 20 };
  gchar text[WP_TIME_CHARS];

  for (guint i = 0; i < report->n_units; i++)
    {
      const WpBoundsUnit *unit = &report->units[i];

      for (guint r = 0; r < unit->rows->len; r++)
        {
          const WpBoundsRow *row = &g_array_index (unit->rows, WpBoundsRow, r);
          g_autofree gchar *name = wp_bounds_join_op (row->name, row->context);

          columns.names = MAX (columns.names, (gint)g_utf8_strlen (name, -1));
          wp_decimals_add (&columns.counts, wp_mean_format (row->count, 1, text));
          wp_decimals_add (&columns.each, wp_mean_format (row->each, ticks_per_cycle, text));
          wp_decimals_add (&columns.uses, wp_mean_format (row->use, ticks_per_cycle, text));
        }
      wp_decimals_add (&columns.uses, wp_mean_format (unit->use, ticks_per_cycle, text));
    }
  return columns;
}

static void
print_row (const WpBoundsRow *row, const Columns *columns, gint64 ticks_per_cycle)
{
  g_autofree gchar *name = wp_bounds_join_op (row->name, row->context);
  gchar text[WP_TIME_CHARS];
  gint blanks;

  printf ("    %s%*s  ", name, columns->names - (gint)g_utf8_strlen (name, -1), "");
  blanks = wp_decimals_print (&columns->counts, 10, wp_mean_format (row->count, 1, text));
  printf ("%*s", 2 + blanks, "");
  blanks
      = wp_decimals_print (&columns->each, 10, wp_mean_format (row->each, ticks_per_cycle, text));
  printf ("%*s", 2 + blanks, "");
  wp_decimals_print (&columns->uses, 10, wp_mean_format (row->use, ticks_per_cycle, text));
  putchar ('\n');
}

static void
print_unit_name (const WpBoundsReport *report, const WpBoundsUnit *unit, const WpTextStyle *style)
{
  if (unit == &report->units[report->n_units - 1])
    printf ("  %sissue slots%s%s of %u scheduler%s%s\n", style->bold, style->plain, style->dim,
            unit->instances, wp_text_plural (unit->instances), style->plain);
  else if (unit->per_scheduler && unit->instances > 1)
    printf ("  %s%s%s%s, one for each of %u schedulers%s\n", style->bold, unit->name, style->plain,
            style->dim, unit->instances, style->plain);
  else if (unit->shared > 1)
    printf ("  %s%s%s%s, shared by %u SMs: as many warps use it at a time%s\n", style->bold,
            unit->name, style->plain, style->dim, unit->shared, style->plain);
  else
    printf ("  %s%s%s\n", style->bold, unit->name, style->plain);
}

static void
print_total (const WpBoundsReport *report, const WpBoundsUnit *unit, const Columns *columns,
             const WpTextStyle *style)
{
  gint64 ticks_per_cycle = report->bounds->machine->ticks_per_cycle;
  gboolean tightest = unit == report->tightest && !wp_bounds_is_zero (unit->use);
  gdouble share = to_cycles (report, unit->use) / to_cycles (report, report->bounds->throughput);
  gchar text[WP_TIME_CHARS];
  gint blanks;

  printf ("    %s%-*s  %*s  %*s  ", tightest ? style->bold : "", columns->names, "total",
          wp_decimals_get_width (&columns->counts, 10), "",
          wp_decimals_get_width (&columns->each, 10), "");
  blanks
      = 2
        + wp_decimals_print (&columns->uses, 10, wp_mean_format (unit->use, ticks_per_cycle, text));
  if (tightest)
    printf ("%*sthe tightest%s\n", blanks, "", style->plain);
  else if (isfinite (share))
    printf ("%s%*s%.3g%% of it%s\n", style->dim, blanks, "", 100 * share, style->plain);
  else
    putchar ('\n');
}

static void
print_units (const WpBoundsReport *report, const Columns *columns, const WpTextStyle *style)
{
  gint64 ticks_per_cycle = report->bounds->machine->ticks_per_cycle;

  for (guint i = 0; i < report->n_units; i++)
    {
      const WpBoundsUnit *unit = &report->units[i];

      if (unit->rows->len == 0)
        continue;
      print_unit_name (report, unit, style);
      for (guint r = 0; r < unit->rows->len; r++)
        print_row (&g_array_index (unit->rows, WpBoundsRow, r), columns, ticks_per_cycle);
      print_total (report, unit, columns, style);
    }
}

static void
print_unused (const WpBoundsReport *report)
{
  guint n = 0;

  for (guint i = 0; i < report->n_units; i++)
    if (report->units[i].rows->len == 0)
      printf ("%s%s", n++ > 0 ? ", " : "  not used: ", report->units[i].name);
  if (n > 0)
    putchar ('\n');
}

void
wp_bounds_report_print_worksheet (const WpBoundsReport *report, const WpTextStyle *style)
{
  Columns columns = measure_worksheet (report);
  gint64 ticks_per_cycle = report->bounds->machine->ticks_per_cycle;
  gchar text[WP_TIME_CHARS];

  wp_mean_format (report->bounds->throughput, ticks_per_cycle, text);
  printf ("\n%sThroughput bound%s: %s %s a warp\n", style->bold, style->plain, text,
          wp_bounds_name_cycles (text));
  if (!wp_bounds_is_zero (report->bounds->throughput))
    printf ("%s    %-*s  %*s  %*s  %*s%s\n", style->dim, columns.names, "",
            wp_decimals_get_width (&columns.counts, 10), "a warp",
            wp_decimals_get_width (&columns.each, 10), "cycles each",
            wp_decimals_get_width (&columns.uses, 10), "cycles", style->plain);
  print_units (report, &columns, style);
  print_unused (report);
}
