/* SPDX-License-Identifier: MIT */
/* A hash table with open addressing, at most half full. The place of the last lifetime is
 * remembered, because warps of a block often end one after another with equal lifetimes. */
#include "traces/table/wp-lifetimes.h"

#include <stdlib.h>

typedef struct
{
  WpTick value;
  guint64 count; /* 0: the place is free */
} Place;

struct WpLifetimes
{
  WpObserver observer;
  Place *places; /* [size] */
  guint size;    /* a power of two */
  guint n;       /* places in use; WP_MAX_LIFETIMES + 1: too many, and `places` is NULL */
  guint last;
  guint64 total; /* of all counts */
  guint64 times; /* how often what is seen happens: 1, but for rounds that recur */
};

#define FIRST_SIZE 256

/* Returns the place of VALUE, or the free place where it belongs. */
static guint
find (const WpLifetimes *lifetimes, WpTick value)
{
  guint mask = lifetimes->size - 1;
  /* Knuth's multiplicative hashing: 2^64 divided by the golden ratio. */
  guint at = (guint)((guint64)value * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 40) & mask;

  while (lifetimes->places[at].count > 0 && lifetimes->places[at].value != value)
    at = (at + 1) & mask;
  return at;
}

static void
grow (WpLifetimes *lifetimes)
{
  g_autofree Place *old = lifetimes->places;
  guint n = lifetimes->size;

  lifetimes->size *= 2;
  lifetimes->places = g_new0 (Place, lifetimes->size);
  for (guint i = 0; i < n; i++)
    if (old[i].count > 0)
      lifetimes->places[find (lifetimes, old[i].value)] = old[i];
}

/* Adds a lifetime that is not in the table. */
static void
add (WpLifetimes *lifetimes, guint at, WpTick value)
{
  lifetimes->n++;
  if (lifetimes->n > WP_MAX_LIFETIMES)
    {
      g_clear_pointer (&lifetimes->places, g_free);
      return;
    }
  lifetimes->places[at] = (Place){ value, lifetimes->times };
  lifetimes->last = at;
  if (lifetimes->n < lifetimes->size / 2)
    return;
  grow (lifetimes);
  lifetimes->last = find (lifetimes, value);
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpLifetimes *lifetimes = data;
  WpTick value = event->end - event->start;
  guint at = lifetimes->last;

  if (lifetimes->places == NULL)
    return;
  lifetimes->total += lifetimes->times;
  if (lifetimes->places[at].count == 0 || lifetimes->places[at].value != value)
    at = find (lifetimes, value);
  if (lifetimes->places[at].count == 0)
    {
      add (lifetimes, at, value);
      return;
    }
  lifetimes->places[at].count += lifetimes->times;
  lifetimes->last = at;
}

/* In all rounds warps live equally long. */
static void
on_repeat (void *data, const WpRepeat *repeat)
{
  WpLifetimes *lifetimes = data;
  guint64 times = lifetimes->times;

  lifetimes->times *= wp_repeat_get_times (repeat);
  wp_repeat_unfold (repeat, 1, 1, &lifetimes->observer);
  lifetimes->times = times;
}

WpLifetimes *
wp_lifetimes_new (void)
{
  WpLifetimes *lifetimes = g_new0 (WpLifetimes, 1);

  lifetimes->observer = (WpObserver){
    .data = lifetimes, .warp_end = on_warp_end, .repeat = on_repeat, .lives_only = true
  };
  lifetimes->times = 1;
  lifetimes->size = FIRST_SIZE;
  lifetimes->places = g_new0 (Place, lifetimes->size);
  return lifetimes;
}

void
wp_lifetimes_free (WpLifetimes *lifetimes)
{
  if (lifetimes == NULL)
    return;
  g_free (lifetimes->places);
  g_free (lifetimes);
}

const WpObserver *
wp_lifetimes_get_observer (const WpLifetimes *lifetimes)
{
  return &lifetimes->observer;
}

guint
wp_lifetimes_get_n_values (const WpLifetimes *lifetimes)
{
  return lifetimes->n;
}

static int
compare (const void *left, const void *right)
{
  const Place *a = left, *b = right;

  return a->value < b->value ? -1 : a->value > b->value;
}

/* Returns ceil (PERCENT x N / 100) without overflow. */
static guint64
get_rank (guint64 n, guint percent)
{
  return n / 100 * percent + (n % 100 * percent + 99) / 100;
}

/* Returns all lifetimes, sorted, [lifetimes->n]; NULL if there are none, or too many. Free with
 * g_free(). */
static Place *
sort (const WpLifetimes *lifetimes)
{
  Place *sorted;
  guint k = 0;

  if (lifetimes->places == NULL || lifetimes->total == 0)
    return NULL;
  sorted = g_new (Place, lifetimes->n);
  for (guint i = 0; i < lifetimes->size; i++)
    if (lifetimes->places[i].count > 0)
      sorted[k++] = lifetimes->places[i];
  qsort (sorted, k, sizeof *sorted, compare);
  return sorted;
}

gboolean
wp_lifetimes_get_percentiles (const WpLifetimes *lifetimes, const guint *percents, guint n,
                              WpTick *values)
{
  g_autofree Place *sorted = sort (lifetimes);

  for (guint i = 0; sorted != NULL && i < n; i++)
    {
      guint64 rank = get_rank (lifetimes->total, percents[i]);
      guint64 below = 0;
      guint at = 0;

      while (below + sorted[at].count < rank)
        below += sorted[at++].count;
      values[i] = sorted[at].value;
    }
  return sorted != NULL;
}

GArray *
wp_lifetimes_get_distribution (const WpLifetimes *lifetimes, guint most)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (WpLifetimePoint));
  g_autofree Place *sorted = sort (lifetimes);
  guint64 part = lifetimes->n > most ? lifetimes->total / most : 0, next = 0;
  WpLifetimePoint point = { 0, 0 };

  for (guint i = 0; sorted != NULL && i < lifetimes->n; i++)
    {
      point.value = sorted[i].value;
      point.warps += sorted[i].count;
      if (point.warps < next && i + 1 < lifetimes->n)
        continue;
      g_array_append_val (points, point);
      next = point.warps + part;
    }
  return points;
}
