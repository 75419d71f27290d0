/* SPDX-License-Identifier: MIT */
/* Counts resident warps over all SMs. */
#include "traces/table/wp-curve.h"

#include "traces/table/wp-thinned.h"

struct WpCurve
{
  WpObserver observer;
  guint warps_per_block;
  guint64 warps;
  WpThinned *thinned;
};

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpCurve *curve = data;

  curve->warps += curve->warps_per_block;
  wp_thinned_set (curve->thinned, event->time, curve->warps);
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpCurve *curve = data;

  curve->warps--;
  wp_thinned_set (curve->thinned, event->end, curve->warps);
}

/* As many warps come as go. */
static void
on_repeat (void *data, const WpRepeat *repeat)
{
  WpCurve *curve = data;
  guint64 times = wp_repeat_get_times (repeat);

  for (guint64 i = 1; i <= times; i++)
    {
      WpThinnedMark mark = wp_thinned_mark (curve->thinned);

      wp_repeat_unfold (repeat, i, 1, &curve->observer);
      i += wp_thinned_repeat (curve->thinned, &mark, wp_repeat_get_period (repeat), times - i);
    }
}

WpCurve *
wp_curve_new (guint warps_per_block)
{
  WpCurve *curve = g_new0 (WpCurve, 1);

  curve->observer = (WpObserver){ .data = curve,
                                  .block_launch = on_block_launch,
                                  .warp_end = on_warp_end,
                                  .repeat = on_repeat,
                                  .lives_only = true };
  curve->warps_per_block = warps_per_block;
  curve->thinned = wp_thinned_new (WP_CURVE_MAX_CHANGES, WP_CURVE_STRETCHES);
  return curve;
}

void
wp_curve_free (WpCurve *curve)
{
  if (curve == NULL)
    return;
  wp_thinned_free (curve->thinned);
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

GArray *
wp_curve_get_points (WpCurve *curve, WpTick end, gdouble *stretch)
{
  const WpThinned *thinned = curve->thinned;
  GArray *points = g_array_new (FALSE, FALSE, sizeof (WpCurvePoint));

  wp_thinned_finish (curve->thinned, end);
  *stretch = thinned->points == NULL ? (gdouble)thinned->width : 0;
  for (guint i = 0; thinned->points != NULL && i < thinned->points->len; i++)
    {
      const WpThinnedPoint *point = &g_array_index (thinned->points, WpThinnedPoint, i);

      if (point->time < end)
        add_point (points, point->time, (gdouble)point->value);
    }
  for (guint i = 0; thinned->points == NULL && i < thinned->n_bins; i++)
    {
      WpTick from = i * thinned->width;

      add_point (points, from,
                 wp_sum_to_double (thinned->bins[i].sum)
                     / (gdouble)(MIN (end, from + thinned->width) - from));
    }
  add_point (points, end, (gdouble)curve->warps);
  return points;
}
