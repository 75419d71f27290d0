/* SPDX-License-Identifier: MIT */
#include "cli/common/cli-launch.h"
#include "cli/common/cli-text.h"
#include "cli/headroom/report-headroom.h"
#include "cli/report/report-warnings.h"

#include <math.h>
#include <stdio.h>

#define NAME 24

gdouble
wp_headroom_get_distance (WpTick time, WpTick other)
{
  if (time == other)
    return 0;
  return other > 0 ? 100 * ((gdouble)time - (gdouble)other) / (gdouble)other : (gdouble)INFINITY;
}

/* "3.1%": never less than it is, so that "at most" holds. Free with g_free(). */
static gchar *
say_distance (WpTick time, WpTick other)
{
  gdouble percent = wp_headroom_get_distance (time, other);
  gdouble step = percent < 1 ? 0.01 : 0.1;

  if (percent == 0)
    return g_strdup ("0%");
  if (!isfinite (percent))
    return g_strdup ("-");
  return g_strdup_printf ("%.*f%%", percent < 1 ? 2 : 1, ceil (percent / step - 1e-9) * step);
}

static const WpHeadroomRun *
get_run (const WpHeadroom *headroom, guint i)
{
  return &g_array_index (headroom->runs, WpHeadroomRun, i);
}

static void
print_head (const WpHeadroom *headroom, const WpTextStyle *style)
{
  const WpMachine *machine = &headroom->resolved->machine;
  g_autofree gchar *how
      = g_strdup_printf ("program order, %s memory", machine->contended ? "contended" : "ideal");

  wp_text_print_heading (style, headroom->kernel->name, headroom->gpu->name, headroom->gpu->title,
                         how);
  if (headroom->kernel->title != NULL)
    printf ("%s%s%s\n", style->dim, headroom->kernel->title, style->plain);
  wp_print_simulated (headroom->resolved, &headroom->resident);
}

static void
print_floor (const WpHeadroom *headroom)
{
  const WpMachine *machine = &headroom->resolved->machine;
  const WpFloor *floor = &headroom->floor;
  gchar text[WP_TIME_CHARS];

  if (headroom->no_floor != NULL)
    {
      printf ("  floor        none is known: %s\n", headroom->no_floor);
      return;
    }
  printf ("  floor        %s cycles, by ",
          wp_tick_format (floor->time, machine->ticks_per_cycle, text));
  if (floor->work > floor->blocks)
    printf ("the work of %s\n", wp_floor_get_name (machine, floor));
  else
    fputs ("blocks that take turns\n", stdout);
}

static void
print_best (const WpHeadroom *headroom)
{
  const WpMachine *machine = &headroom->resolved->machine;
  gchar text[WP_TIME_CHARS];

  printf ("  best found   %s cycles, by ",
          wp_tick_format (wp_headroom_get_best (headroom), machine->ticks_per_cycle, text));
  if (wp_headroom_is_better (headroom))
    printf ("an order of the %u that were tried\n", headroom->tries);
  else if (headroom->tries > 0)
    printf ("%s; none of %u other orders is faster\n", get_run (headroom, headroom->best_run)->name,
            headroom->tries);
  else
    printf ("%s; nothing else was tried\n", get_run (headroom, headroom->best_run)->name);
}

static void
print_row (const WpHeadroom *headroom, const gchar *name, WpTick elapsed)
{
  g_autofree gchar *above_floor
      = headroom->no_floor == NULL ? say_distance (elapsed, headroom->floor.time) : g_strdup ("-");
  g_autofree gchar *above_best = say_distance (elapsed, wp_headroom_get_best (headroom));
  gchar text[WP_TIME_CHARS];

  printf ("  %-*s%18s%14s%19s\n", NAME, name,
          wp_tick_format (elapsed, headroom->resolved->machine.ticks_per_cycle, text), above_floor,
          above_best);
}

/* What follows of the fastest of the policies. */
static void
print_verdict (const WpHeadroom *headroom)
{
  const WpHeadroomRun *best = get_run (headroom, headroom->best_run);
  g_autofree gchar *text = NULL, *from_best = NULL, *from_floor = NULL;

  from_best = say_distance (best->elapsed, wp_headroom_get_best (headroom));
  if (headroom->no_floor == NULL)
    from_floor = say_distance (best->elapsed, headroom->floor.time);
  if (headroom->no_floor == NULL && best->elapsed == headroom->floor.time)
    text = g_strdup_printf ("%s takes as long as any issue order must: no policy can be faster.",
                            best->name);
  else if (from_floor != NULL)
    text = g_strdup_printf ("%s takes at most %s longer than any issue order must, and %s longer "
                            "than the best that was found.",
                            best->name, from_floor, from_best);
  else
    text = g_strdup_printf ("%s takes %s longer than the best that was found; how far that is from "
                            "the best there is, is not known.",
                            best->name, from_best);
  wp_text_print_wrapped (text);
}

void
wp_headroom_print_text (const WpHeadroom *headroom, const GPtrArray *warnings)
{
  WpTextStyle style = wp_text_style_get_own ();

  print_head (headroom, &style);
  print_floor (headroom);
  print_best (headroom);
  wp_print_warnings (warnings, &style);
  printf ("\n%sHow far from the best%s%*s%18s%14s%19s\n", style.bold, style.plain,
          NAME + 2 - (gint)strlen ("How far from the best"), "", "cycles", "above floor",
          "above best found");
  for (guint i = 0; i < headroom->runs->len; i++)
    print_row (headroom, get_run (headroom, i)->name, get_run (headroom, i)->elapsed);
  if (wp_headroom_is_better (headroom))
    print_row (headroom, "the order found", headroom->best_elapsed);
  putchar ('\n');
  print_verdict (headroom);
}
