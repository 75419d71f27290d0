/* SPDX-License-Identifier: MIT */
/* A curve over time, thinned when it gets long. Bins begin as wide as the first changes require;
 * when time passes the last bin, pairs of bins are merged. */
#include "traces/table/wp-thinned.h"

WpThinned *
wp_thinned_new (guint max_changes, guint max_bins)
{
  WpThinned *curve = g_new0 (WpThinned, 1);

  curve->max_changes = max_changes;
  curve->max_bins = max_bins;
  curve->points = g_array_new (FALSE, FALSE, sizeof (WpThinnedPoint));
  return curve;
}

void
wp_thinned_free (WpThinned *curve)
{
  if (curve == NULL)
    return;
  g_clear_pointer (&curve->points, g_array_unref);
  g_free (curve->bins);
  g_free (curve);
}

/* Doubles the width: merges each pair of bins. */
static void
widen (WpThinned *curve)
{
  guint n = curve->n_bins / 2;

  for (guint i = 0; i < curve->n_bins; i += 2)
    {
      WpThinnedBin bin = curve->bins[i];

      if (i + 1 < curve->n_bins)
        {
          const WpThinnedBin *next = &curve->bins[i + 1];

          bin.min = MIN (bin.min, next->min);
          bin.max = MAX (bin.max, next->max);
          wp_sum_add_sum (&bin.sum, next->sum);
        }
      curve->bins[i / 2] = bin;
    }
  curve->n_bins = n + curve->n_bins % 2;
  curve->width *= 2;
}

/* Adds the time FROM to TO, at which the curve was VALUE, to bin INDEX. */
static void
add_to_bin (WpThinned *curve, guint index, guint64 value, WpTick from, WpTick to)
{
  WpThinnedBin *bin = &curve->bins[index];

  if (index == curve->n_bins)
    {
      *bin = (WpThinnedBin){ value, value, { 0, 0 } };
      curve->n_bins++;
    }
  bin->min = MIN (bin->min, value);
  bin->max = MAX (bin->max, value);
  wp_sum_add_product (&bin->sum, value, (guint64)(to - from));
}

/* Makes room up to TO. */
static void
reach (WpThinned *curve, WpTick to)
{
  while (curve->width <= (to - 1) / curve->max_bins)
    widen (curve);
}

static void
add_to_bins (WpThinned *curve, guint64 value, WpTick from, WpTick to)
{
  reach (curve, to);
  while (from < to)
    {
      WpTick index = from / curve->width;
      WpTick until = MIN (to, (index + 1) * curve->width);

      add_to_bin (curve, (guint)index, value, from, until);
      from = until;
    }
}

/* Switches from single changes to bins. */
static void
thin (WpThinned *curve)
{
  g_autoptr (GArray) points = g_steal_pointer (&curve->points);
  WpTick end = g_array_index (points, WpThinnedPoint, points->len - 1).time;
  guint64 value = 0;
  WpTick since = 0;

  curve->bins = g_new0 (WpThinnedBin, curve->max_bins);
  curve->width = end / curve->max_bins + 1;
  for (guint i = 0; i < points->len; i++)
    {
      const WpThinnedPoint *point = &g_array_index (points, WpThinnedPoint, i);

      if (point->time > since)
        add_to_bins (curve, value, since, point->time);
      value = point->value;
      since = point->time;
    }
}

/* Records the value since `since`, if that is a change. */
static void
note (WpThinned *curve)
{
  WpThinnedPoint point = { curve->since, curve->value };
  guint n = curve->points->len;

  if (n == 0 || point.value != g_array_index (curve->points, WpThinnedPoint, n - 1).value)
    g_array_append_val (curve->points, point);
}

void
wp_thinned_set (WpThinned *curve, WpTick time, guint64 value)
{
  if (time > curve->since)
    {
      if (curve->points != NULL)
        note (curve);
      if (curve->points != NULL && curve->points->len > curve->max_changes)
        thin (curve);
      if (curve->points == NULL)
        add_to_bins (curve, curve->value, curve->since, time);
    }
  curve->since = time;
  curve->value = value;
}

WpThinnedMark
wp_thinned_mark (const WpThinned *curve)
{
  WpThinnedMark mark = { .value = curve->value, .since = curve->since, .width = curve->width };

  if (curve->points != NULL)
    mark.n_points = curve->points->len;
  else if (curve->since / curve->width < curve->n_bins)
    mark.sum = curve->bins[curve->since / curve->width].sum;
  return mark;
}

/* Those that end in the stretch in which the last one lies, if all of it lies there. */
static guint64
repeat_in_bin (WpThinned *curve, const WpThinnedMark *mark, WpTick period, guint64 most)
{
  WpTick index = mark->since / curve->width;
  WpSum sum = wp_sum_subtract (curve->bins[index].sum, mark->sum);
  guint64 n;

  if (curve->since > (index + 1) * curve->width)
    return 0;
  n = (guint64)(((index + 1) * curve->width - curve->since) / period);
  n = MIN (n, most);
  wp_sum_add_times (&curve->bins[index].sum, sum, n);
  return n;
}

guint64
wp_thinned_repeat (WpThinned *curve, const WpThinnedMark *mark, WpTick period, guint64 most)
{
  WpTick width = curve->width;
  guint64 n = 0;

  if (curve->since == mark->since) /* nothing was set */
    return most;
  if (curve->value != mark->value || curve->since != mark->since + period)
    return 0;
  if (curve->points != NULL) /* where nothing changed, nothing will */
    n = curve->points->len == mark->n_points ? most : 0;
  else if (mark->width == width)
    {
      reach (curve, curve->since + (WpTick)most * period);
      n = curve->width == width ? repeat_in_bin (curve, mark, period, most) : 0;
    }
  curve->since += (WpTick)n * period;
  return n;
}

void
wp_thinned_finish (WpThinned *curve, WpTick end)
{
  wp_thinned_set (curve, MAX (end, curve->since), curve->value);
  if (curve->points != NULL)
    note (curve);
}
