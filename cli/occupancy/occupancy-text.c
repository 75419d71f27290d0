/* SPDX-License-Identifier: MIT */
/* The calculator's report for people: what fits, what a block takes, what would be better, and the
 * three tables. */
#include "cli/common/cli-text.h"
#include "cli/occupancy/occupancy-print.h"

#include <stdio.h>

#define BAR_WIDTH 32

/* N; "-" where it does not bind. Free with g_free(). */
static gchar *
format_count (gint64 n, gint64 does_not_bind)
{
  return n == does_not_bind ? g_strdup ("-") : g_strdup_printf ("%" G_GINT64_FORMAT, n);
}

static void
print_header (const WpOccupancyReport *report, const WpTextStyle *style)
{
  const IdgKernel *kernel = report->kernel;
  const IdgLaunch *launch = &report->launch;
  gint64 warps = report->occupancy.warps_per_block;

  wp_text_print_heading (style, kernel != NULL ? kernel->name : "A launch", report->gpu->name,
                         report->gpu->title, NULL);
  if (kernel != NULL && kernel->title != NULL)
    printf ("%s%s%s\n", style->dim, kernel->title, style->plain);
  printf ("\n  a block      %" G_GINT64_FORMAT " thread%s (%" G_GINT64_FORMAT " warp%s)",
          launch->threads, wp_text_plural (launch->threads), warps, wp_text_plural (warps));
  if (launch->registers > 0)
    printf (", %" G_GINT64_FORMAT " register%s a thread", launch->registers,
            wp_text_plural (launch->registers));
  printf (", %" G_GINT64_FORMAT " byte%s of shared memory\n", launch->shared_memory,
          wp_text_plural (launch->shared_memory));
}

/* Names of the limiters, "warps, threads". Free with g_free(). */
static gchar *
join_limiters (const WpOccupancy *occupancy)
{
  GString *names = g_string_new (NULL);

  for (guint limit = 0; limit < WP_N_LIMITS; limit++)
    if (occupancy->by[limit] == occupancy->blocks)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", wp_limit_get_name (limit));
  return g_string_free (names, FALSE);
}

static void
print_summary (const WpOccupancyReport *report, const WpTextStyle *style)
{
  const WpOccupancy *occupancy = &report->occupancy;
  g_autofree gchar *limiters = join_limiters (occupancy);

  if (occupancy->blocks == WP_DOES_NOT_BIND)
    {
      printf ("  on an SM     %sall blocks%s; nothing limits them\n", style->bold, style->plain);
      return;
    }
  printf ("  on an SM     %s%" G_GINT64_FORMAT " block%s%s; limited by %s\n", style->bold,
          occupancy->blocks, wp_text_plural (occupancy->blocks), style->plain, limiters);
  printf ("  occupancy    %s%" G_GINT64_FORMAT " warp%s%s", style->bold, report->warps,
          wp_text_plural (report->warps), style->plain);
  if (report->max_warps > 0)
    printf (" of %" G_GINT64_FORMAT ", %.1f%%", report->max_warps,
            100 * wp_occupancy_report_get_ratio (report, report->warps));
  putchar ('\n');
}

static void
print_limit (const WpOccupancyReport *report, const WpTextStyle *style, WpLimit limit)
{
  const WpOccupancy *occupancy = &report->occupancy;
  gint64 supply = wp_occupancy_get_supply (report->gpu, report->cap, limit);
  gint64 need = wp_occupancy_get_need (report->gpu, &report->launch, limit);
  gboolean bound = supply != 0 && occupancy->blocks != WP_DOES_NOT_BIND;
  gboolean limits = bound && occupancy->by[limit] == occupancy->blocks;
  g_autofree gchar *has = format_count (supply, 0);
  g_autofree gchar *taken = format_count (bound ? occupancy->blocks * need : -1, -1);
  g_autofree gchar *left = format_count (bound ? supply - occupancy->blocks * need : -1, -1);
  g_autofree gchar *blocks = format_count (occupancy->by[limit], WP_DOES_NOT_BIND);

  printf ("%s%s %-14s %11s %13" G_GINT64_FORMAT " %11s %11s %9s%s\n", limits ? style->bold : "",
          limits ? ">" : " ",
          limit == WP_LIMIT_OCCUPANCY ? "--occupancy" : wp_limit_get_name (limit), has, need, taken,
          left, blocks, limits ? style->plain : "");
}

static void
print_limits (const WpOccupancyReport *report, const WpTextStyle *style)
{
  printf ("\n%sLimits%s            an SM has  a block takes   all take    are left    blocks\n",
          style->bold, style->plain);
  for (guint limit = 0; limit < WP_N_LIMITS; limit++)
    if (limit != WP_LIMIT_OCCUPANCY || report->cap > 0)
      print_limit (report, style, limit);
}

/* Bars are of the GPU's maximum, or of the table's where it has none. */
static gint64
get_full_bar (const WpOccupancyReport *report, const WpOccupancyTable *table)
{
  gint64 most = report->max_warps;

  for (guint i = 0; report->max_warps == 0 && i < table->steps->len; i++)
    {
      gint64 warps = g_array_index (table->steps, WpOccupancyStep, i).warps;

      most = warps == WP_DOES_NOT_BIND ? most : MAX (most, warps);
    }
  return MAX (most, 1);
}

/* "33-64", "7". Free with g_free(). */
static gchar *
format_range (const WpOccupancyStep *step)
{
  return step->from == step->to
             ? format_count (step->from, -1)
             : g_strdup_printf ("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, step->from, step->to);
}

static void
print_step (const WpOccupancyReport *report, const WpTextStyle *style,
            const WpOccupancyTable *table, const WpOccupancyStep *step)
{
  gboolean current = step->from <= table->value && table->value <= step->to;
  gboolean bound = step->blocks != WP_DOES_NOT_BIND;
  g_autofree gchar *range = format_range (step);
  g_autofree gchar *blocks = format_count (step->blocks, WP_DOES_NOT_BIND);
  g_autofree gchar *warps = format_count (step->warps, WP_DOES_NOT_BIND);
  g_autofree gchar *percent
      = bound && report->max_warps > 0
            ? g_strdup_printf ("%.1f%%", 100 * wp_occupancy_report_get_ratio (report, step->warps))
            : g_strdup ("-");

  printf ("%s%s %-21s %6s %6s %7s%s", current ? style->bold : "", current ? ">" : " ", range,
          blocks, warps, percent, current ? style->plain : "");
  wp_text_print_bar (style, "",
                     bound ? (gdouble)step->warps / (gdouble)get_full_bar (report, table) : 0,
                     BAR_WIDTH);
}

static void
print_table (const WpOccupancyReport *report, const WpTextStyle *style, WpVaried varied)
{
  static const gchar *const titles[WP_N_VARIED]
      = { "Threads per block", "Registers per thread", "Bytes of shared memory" };
  const WpOccupancyTable *table = &report->tables[varied];

  printf ("\n%s%-24s%sblocks  warps\n", style->bold, titles[varied], style->plain);
  for (guint i = 0; i < table->steps->len; i++)
    print_step (report, style, table, &g_array_index (table->steps, WpOccupancyStep, i));
  if (table->cut)
    printf ("  (cut at %d rows)\n", WP_MAX_STEPS);
}

void
wp_occupancy_report_print_text (const WpOccupancyReport *report)
{
  WpTextStyle style = wp_text_style_get_own ();
  g_autofree gchar *advice = wp_occupancy_report_get_advice (report);

  print_header (report, &style);
  print_summary (report, &style);
  print_limits (report, &style);
  printf ("\n%sWhat would change it%s\n", style.bold, style.plain);
  wp_text_print_wrapped (advice);
  if (report->notes->len > 0)
    printf ("\n%sNotes%s\n", style.bold, style.plain);
  for (guint i = 0; i < report->notes->len; i++)
    wp_text_print_wrapped (g_ptr_array_index (report->notes, i));
  for (guint i = 0; i < WP_N_VARIED; i++)
    print_table (report, &style, i);
}
