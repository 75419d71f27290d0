/* SPDX-License-Identifier: MIT */
/* Throughput by occupancy for people: a row for each number of warps, with a bar. */
#include "cli/report/report-bounds-private.h"

#include <math.h>

#define CURVE_ROWS 16
#define BAR_WIDTH 30

/* The unit of measure for what the tightest unit does. */
typedef struct
{
  const gchar *name;
  gdouble amount; /* of a warp; 0: instructions a cycle and SM */
} Unit;

static Unit
choose_unit (const WpBoundsReport *report)
{
  if (report->tightest->bytes > 0)
    return (Unit){ "GB/s", report->tightest->bytes };
  if (report->tightest->flops > 0)
    return (Unit){ "Gflop/s", report->tightest->flops };
  return (Unit){ "IPC", 0 };
}

static gdouble
get_rate (const WpBoundsReport *report, gdouble throughput)
{
  Unit unit = choose_unit (report);

  return unit.amount > 0 ? wp_bounds_report_get_rate (report, unit.amount, throughput)
                         : report->tightest->instructions * throughput;
}

/* Prints VALUE with as many decimal places as give MOST, the largest in the column, four digits. */
static void
print_fixed (gint width, gdouble value, gdouble most)
{
  gint places = 0;

  for (gdouble next = most; next > 0 && next < 1000 && places < 10; next *= 10)
    places++;
  if (places > 9 || most >= 1e9)
    printf ("%*.4g", width, value);
  else
    printf ("%*.*f", width, places, value);
}

static void
print_point (const WpBoundsReport *report, const WpTextStyle *style, guint32 n, gdouble most,
             gdouble peak)
{
  gdouble throughput = wp_bounds_predict (report->bounds, n);
  gboolean here = n == report->warps, knee = n == report->whole_needed;
  gint cells = (gint)(throughput / peak * BAR_WIDTH + 0.5);

  printf ("  %s%5u  ", here ? style->bold : "", n);
  print_fixed (14, throughput, most);
  fputs ("  ", stdout);
  print_fixed (9, get_rate (report, throughput), get_rate (report, most));
  printf ("  %s", wp_bounds_report_is_enough (report, n) ? "throughput" : "latency");
  if (cells > 0 || here || knee)
    printf ("%*s", wp_bounds_report_is_enough (report, n) ? 2 : 5, "");
  for (gint i = 0; i < cells; i++)
    fputs (style->full, stdout);
  if (here || knee)
    printf ("%*s  %s", BAR_WIDTH - cells, "",
            knee && here ? "knee, this launch"
            : knee       ? "the knee"
                         : "this launch");
  puts (here ? style->plain : "");
}

/* How many warps are shown; nothing changes beyond the knee. */
static guint32
find_last (const WpBoundsReport *report)
{
  guint32 last = report->max_warps;

  if (report->whole_needed < last / 2)
    last = MAX (2 * (guint32)report->whole_needed, CURVE_ROWS);
  return MIN (last, report->max_warps);
}

/* Rows are this many warps apart, so that there are not too many of them up to LAST. */
static guint32
find_step (guint32 last)
{
  static const guint32 steps[] = { 1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256, 512 };
  guint32 step = 1;

  for (guint i = 0; i < G_N_ELEMENTS (steps) && last / step > CURVE_ROWS; i++)
    step = steps[i];
  return step;
}

static void
print_heading (const WpBoundsReport *report, const WpTextStyle *style)
{
  printf ("\n%sThroughput by occupancy%s\n", style->bold, style->plain);
  printf ("%s  warps  warps/cycle/SM  %9s  bound%s%s\n", style->dim, choose_unit (report).name,
          isfinite (report->needed) ? "       of the peak" : "", style->plain);
}

void
wp_bounds_report_print_curve (const WpBoundsReport *report, const WpTextStyle *style)
{
  const guint32 last = find_last (report), step = find_step (last);
  gdouble most = wp_bounds_predict (report->bounds, MAX (report->max_warps, report->warps));
  gdouble peak = wp_bounds_predict (report->bounds, G_MAXDOUBLE);

  if (!isfinite (most) || most <= 0)
    return;
  if (!isfinite (report->needed))
    peak = most;
  print_heading (report, style);
  for (guint32 n = 1; n <= last; n++)
    if (n % step == 0 || n == 1 || n == report->whole_needed || n == report->warps)
      print_point (report, style, n, most, peak);
  if (report->warps > last)
    print_point (report, style, (guint32)report->warps, most, peak);
  if (report->whole_needed > report->max_warps && report->whole_needed != G_MAXUINT64)
    printf ("  %" G_GUINT64_FORMAT " warps would hide all latency.\n", report->whole_needed);
}
