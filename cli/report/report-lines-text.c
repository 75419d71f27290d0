/* SPDX-License-Identifier: MIT */
/* The lines that matter, in the order of the source: those at which warps wait for most of their
 * time, or that have most of the issue slots or of the memory's traffic. */
#include "cli/report/report-lines.h"

#include "run/base/printable.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST 16            /* lines that are printed */
#define MIN_SHARE 0.01     /* of something, or it is not worth a line */
#define LEAST_SHOWN 0.0005 /* of the waits: below it is 0.0% */
#define MIN_WIDTH 18       /* of the column of places */

static gdouble
divide (gdouble part, gdouble all)
{
  return all > 0 ? part / all : 0;
}

static gdouble
get_waits (const WpByLine *all, const WpLine *line)
{
  return divide (wp_sum_to_double (line->stalled), wp_sum_to_double (all->stalled));
}

static gdouble
get_slots (const WpByLine *all, const WpLine *line)
{
  return divide ((gdouble)line->slots, (gdouble)all->slots);
}

static gdouble
get_weight (const WpByLine *all, const WpLine *line)
{
  gdouble waits = get_waits (all, line), slots = get_slots (all, line);

  return MAX (waits, slots);
}

static gint
compare_weights (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *)a, y = *(const gdouble *)b;

  return x < y ? 1 : x > y ? -1 : 0;
}

/* The weight that a line must have to be among the MOST. */
static gdouble
find_least (const WpByLine *all)
{
  g_autofree gdouble *weights = g_new0 (gdouble, all->n + MOST);

  for (guint i = 0; i < all->n; i++)
    weights[i] = get_weight (all, &all->lines[i]);
  qsort (weights, all->n, sizeof *weights, compare_weights);
  return MAX (weights[MOST - 1], MIN_SHARE);
}

/* "12.3k": NUMBER in four characters or so. */
static void
add_short (GString *row, gdouble number)
{
  static const gchar units[] = { ' ', 'k', 'M', 'G', 'T' };
  guint unit = 0;

  while (number >= 9999.5 && unit + 1 < G_N_ELEMENTS (units))
    {
      number /= 1000;
      unit++;
    }
  g_string_append_printf (row, unit > 0 && number < 100 ? "%8.1f%c" : "%8.0f%c", number,
                          units[unit]);
}

/* Per cent of REQUESTED that were not LACKED; blanks where nothing was requested. */
static void
add_hits (GString *row, guint64 requested, guint64 lacked)
{
  if (requested == 0)
    g_string_append_printf (row, "%6s", "");
  else
    g_string_append_printf (
        row, "%6.1f", 100 * (1 - divide ((gdouble)MIN (lacked, requested), (gdouble)requested)));
}

static void
add_accesses (GString *row, const IdgLineAccesses *accesses)
{
  if (accesses->accesses > 0)
    g_string_append_printf (row, "%7.1f", (gdouble)accesses->sectors / (gdouble)accesses->accesses);
  else
    g_string_append_printf (row, "%7s", "");
  add_hits (row, accesses->sectors, accesses->l1_sectors);
  add_hits (row, accesses->l1_sectors, accesses->l2_sectors);
  if (accesses->accesses > 0)
    add_short (row, (gdouble)accesses->l2_sectors * 32);
  else
    g_string_append_printf (row, "%9s", "");
  if (accesses->shared > 0)
    add_short (row, (gdouble)accesses->conflicts);
  else
    g_string_append_printf (row, "%9s", "");
}

/* "saxpy.cu:4". g_free() it. */
static gchar *
get_place (const WpLine *line)
{
  g_autofree gchar *file = wp_make_printable (line->file);

  return g_strdup_printf ("%s:%u", file, line->line);
}

/* The lines that are printed, of which SHOWN receives as many as are returned. */
static guint
choose_lines (const WpByLine *all, const WpLine *shown[MOST])
{
  const gdouble least = find_least (all);
  guint n = 0;

  for (guint i = 0; i < all->n && n < MOST; i++)
    if (get_weight (all, &all->lines[i]) >= least)
      shown[n++] = &all->lines[i];
  return n;
}

/* How wide the column of places is, of N lines. */
static gint
find_width (const WpLine *const *lines, guint n)
{
  glong width = MIN_WIDTH;

  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *place = get_place (lines[i]);

      width = MAX (width, g_utf8_strlen (place, -1));
    }
  return (gint)width;
}

static void
print_line (const WpByLine *all, const WpLine *line, gint width, gboolean counted,
            const WpTextStyle *style)
{
  g_autofree gchar *place = get_place (line);
  g_autofree gchar *whole = line->source ? wp_make_printable (line->source) : NULL;
  g_autofree gchar *source = whole ? wp_text_cut (whole, counted ? 96 : 70) : NULL;
  WpCause cause = wp_line_find_cause (line);
  gboolean waits = get_waits (all, line) >= LEAST_SHOWN;
  g_autoptr (GString) row = g_string_new (NULL);

  g_string_append_printf (row, "  %s%*s", place, width - (gint)g_utf8_strlen (place, -1), "");
  add_short (row, (gdouble)line->instructions);
  g_string_append_printf (row, "%6.1f%%%6.1f%%  %-18s", 100 * get_slots (all, line),
                          100 * get_waits (all, line), waits ? wp_cause_get_name (cause) : "");
  if (waits)
    g_string_append_printf (
        row, "%4.0f%%",
        100 * divide (wp_sum_to_double (line->stalls[cause]), wp_sum_to_double (line->stalled)));
  else
    g_string_append_printf (row, "%5s", "");
  if (counted)
    add_accesses (row, &line->accesses);
  puts (g_strchomp (row->str));
  if (source)
    printf ("    %s%s%s\n", style->dim, source, style->plain);
}

#define MUCH 0.01 /* of all issue slots */

/* What has no line: of an executed kernel functions of the toolkit, as divisions are. */
static void
print_rest (const WpByLine *all, const WpTextStyle *style)
{
  guint64 slots = 0;

  for (guint i = 0; i < all->n; i++)
    slots += all->lines[i].slots;
  if (slots < all->slots && (gdouble)(all->slots - slots) >= MUCH * (gdouble)all->slots)
    printf ("  %sand code that has no line: %.1f%% of the slots%s\n", style->dim,
            100 * (gdouble)(all->slots - slots) / (gdouble)all->slots, style->plain);
}

void
wp_print_by_line (const WpReport *report, const WpTextStyle *style)
{
  const WpByLine *all = report->by_line;
  gboolean counted = report->kernel->accesses != NULL && report->kernel->accesses->len > 0;
  const WpLine *shown[MOST];
  guint n;
  gint width;

  if (!all || all->n == 0)
    return;
  n = choose_lines (all, shown);
  width = find_width (shown, n);
  printf ("\n%sBy source line%s %s%*s     instr.  slots  waits  mostly for%s\n", style->bold,
          style->plain, wp_report_is_estimated (report) ? "~" : " ", width - MIN_WIDTH, "",
          counted ? "             sect./  L1 %  L2 %  bytes of    bank" : "");
  if (counted)
    printf ("%*s%s\n", 66 - MIN_WIDTH + width, "", "access                 memory conflicts");
  for (guint i = 0; i < n; i++)
    print_line (all, shown[i], width, counted, style);
  if (n < all->n)
    printf ("  %sand %u more line%s%s\n", style->dim, all->n - n,
            wp_text_plural ((gint64)(all->n - n)), style->plain);
  print_rest (all, style);
}
