/* SPDX-License-Identifier: MIT */
/* Warps are counted over all SMs. A change counts when time moves on: what comes and goes at one time was never there.
 *
 * When there are too many changes they are added up into stretches; when time runs past the last of these, neighbours are
 * joined, so that half of them are free again. All sums are exact.
 */
#include "traces/wp-curve.h"

typedef struct
{
  WpTick time;
  guint64 warps;
} Change;

struct WpCurve
{
  WpObserver observer;
  guint warps_per_block;
  WpTick time;      /* of the last event */
  guint64 warps;    /* since then */
  GArray *changes;  /* of Change; NULL: there were too many */
  WpTick stretch;   /* ticks of each of */
  WpSum *stretches; /* [WP_CURVE_STRETCHES]: warps x ticks; or NULL */
};

/* Joins stretches until TIME is in one. */
static void
join (WpCurve *curve, WpTick time)
{
  while (time / curve->stretch >= WP_CURVE_STRETCHES)
    {
      for (guint i = 0; i < WP_CURVE_STRETCHES / 2; i++)
        {
          curve->stretches[i] = curve->stretches[2 * i];
          wp_sum_add_sum (&curve->stretches[i], curve->stretches[2 * i + 1]);
        }
      for (guint i = WP_CURVE_STRETCHES / 2; i < WP_CURVE_STRETCHES; i++)
        curve->stretches[i] = (WpSum){ 0, 0 };
      curve->stretch *= 2;
    }
}

/* WARPS were there from FROM to TO. */
static void
add_up (WpCurve *curve, WpTick from, WpTick to, guint64 warps)
{
  join (curve, to);
  while (from < to)
    {
      WpTick i = from / curve->stretch;
      WpTick end = MIN (to, (i + 1) * curve->stretch);

      wp_sum_add_product (&curve->stretches[i], warps, (guint64)(end - from));
      from = end;
    }
}

/* From single changes to stretches, of which the first half is enough for now. */
static void
begin_stretches (WpCurve *curve)
{
  g_autoptr (GArray) changes = g_steal_pointer (&curve->changes);
  WpTick last = g_array_index (changes, Change, changes->len - 1).time;

  curve->stretch = last / (WP_CURVE_STRETCHES / 2) + 1;
  curve->stretches = g_new0 (WpSum, WP_CURVE_STRETCHES);
  for (guint i = 0; i + 1 < changes->len; i++)
    {
      const Change *change = &g_array_index (changes, Change, i);

      add_up (curve, change[0].time, change[1].time, change[0].warps);
    }
}

/* Time moves on to TIME. */
static void
settle (WpCurve *curve, WpTick time)
{
  const Change now = { curve->time, curve->warps };

  if (time == curve->time)
    return;
  curve->time = time;
  if (curve->changes == NULL)
    {
      add_up (curve, now.time, time, now.warps);
      return;
    }
  if (curve->changes->len > 0
      && g_array_index (curve->changes, Change, curve->changes->len - 1).warps == now.warps)
    return;
  g_array_append_val (curve->changes, now);
  if (curve->changes->len <= WP_CURVE_MAX_CHANGES)
    return;
  begin_stretches (curve);
  add_up (curve, now.time, time, now.warps);
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpCurve *curve = data;

  settle (curve, event->time);
  curve->warps += curve->warps_per_block;
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpCurve *curve = data;

  settle (curve, event->end);
  curve->warps--;
}

WpCurve *
wp_curve_new (guint warps_per_block)
{
  WpCurve *curve = g_new0 (WpCurve, 1);

  curve->observer
      = (WpObserver){ .data = curve, .block_launch = on_block_launch, .warp_end = on_warp_end };
  curve->warps_per_block = warps_per_block;
  curve->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  return curve;
}

void
wp_curve_free (WpCurve *curve)
{
  if (curve == NULL)
    return;
  g_clear_pointer (&curve->changes, g_array_unref);
  g_free (curve->stretches);
  g_free (curve);
}

const WpObserver *
wp_curve_get_observer (const WpCurve *curve)
{
  return &curve->observer;
}

static void
add_point (GArray *points, WpTick time, gdouble warps)
{
  const WpCurvePoint point = { (gdouble)time, warps };

  g_array_append_val (points, point);
}

/* The mean over each stretch up to END. */
static void
add_means (const WpCurve *curve, WpTick end, GArray *points)
{
  for (WpTick from = 0; from < end; from += curve->stretch)
    add_point (points, from,
               wp_sum_to_double (curve->stretches[from / curve->stretch])
                   / (gdouble)(MIN (end, from + curve->stretch) - from));
}

GArray *
wp_curve_get_points (WpCurve *curve, WpTick end, gdouble *stretch)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (WpCurvePoint));

  settle (curve, end);
  *stretch = 0;
  if (curve->changes == NULL)
    {
      join (curve, end);
      *stretch = (gdouble)curve->stretch;
      add_means (curve, end, points);
    }
  for (guint i = 0; curve->changes != NULL && i < curve->changes->len; i++)
    {
      const Change *change = &g_array_index (curve->changes, Change, i);

      add_point (points, change->time, (gdouble)change->warps);
    }
  add_point (points, end, (gdouble)curve->warps);
  return points;
}
