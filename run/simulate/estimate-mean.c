/* SPDX-License-Identifier: MIT */
/* Batch means (Law, Simulation Modeling and Analysis, chapter 9). The warm-up is what makes the
 * rest's mean the surest: White's rule, MSER (1997), within the first half. */
#include "run/simulate/estimate-mean.h"

#include <math.h>

#define LEAST 24     /* values, after the warm-up */
#define LEAST_SIZE 2 /* values of a batch */
#define RELATED 0.3  /* correlation of batches next to one another that is too much */

static const struct
{
  guint batches;
  gdouble t; /* Student's for 99%, both sides, with a degree of freedom less */
} choices[] = { { 32, 2.744 }, { 16, 2.947 }, { 8, 3.499 } };

/* The warm-up after which the standard error of the rest, as if it were independent, is least; N
 * where that is not in the first half. */
static guint
find_warm_up (const gdouble *values, guint n)
{
  gdouble sum = 0, squares = 0, origin = values[n - 1], least = INFINITY;
  guint best = n;

  for (guint i = n; i-- > 1;) /* the first is always cut off */
    {
      guint rest = n - i;
      gdouble x = values[i] - origin, error;

      sum += x;
      squares += x * x;
      error = fmax (squares - sum * sum / rest, 0) / ((gdouble)rest * rest);
      if (rest >= n / 4 && error <= least)
        {
          least = error;
          best = i;
        }
    }
  return best > n / 2 ? n : best;
}

/* The means of BATCHES of SIZE values at the end of VALUES [N]. */
static void
fill_batches (const gdouble *values, guint n, guint batches, guint size, gdouble *means)
{
  values += n - batches * size;
  for (guint b = 0; b < batches; b++)
    {
      means[b] = 0;
      for (guint i = 0; i < size; i++)
        means[b] += values[b * size + i] / size;
    }
}

/* Sets *DEVIATION to that of MEANS [N]; returns the correlation of neighbours. */
static gdouble
measure (const gdouble *means, guint n, gdouble *deviation)
{
  gdouble mean = 0, squares = 0, products = 0;

  for (guint i = 0; i < n; i++)
    mean += means[i] / n;
  for (guint i = 0; i < n; i++)
    {
      squares += (means[i] - mean) * (means[i] - mean);
      if (i > 0)
        products += (means[i] - mean) * (means[i - 1] - mean);
    }
  *deviation = sqrt (squares / (n - 1));
  return squares > 0 ? products / squares : 0;
}

/* The most batches that do not depend on one another. */
static void
choose_batches (const gdouble *values, WpEstimateMean *mean)
{
  gdouble means[32];

  for (guint i = 0; i < G_N_ELEMENTS (choices) && !mean->known; i++)
    {
      guint size = (mean->n - mean->warm_up) / choices[i].batches;
      gdouble related;

      if (size < LEAST_SIZE)
        continue;
      fill_batches (values, mean->n, choices[i].batches, size, means);
      related = measure (means, choices[i].batches, &mean->deviation);
      if (related > RELATED)
        continue;
      if (related > 0)
        mean->deviation *= sqrt ((1 + related) / (1 - related));
      mean->batches = choices[i].batches;
      mean->size = size;
      mean->t = choices[i].t;
      mean->known = TRUE;
    }
}

static gdouble
find_mean (const gdouble *values, guint n)
{
  gdouble sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];
  return sum / n;
}

void
wp_estimate_mean (const gdouble *values, guint n, WpEstimateMean *mean)
{
  guint half;

  *mean = (WpEstimateMean){ .n = n };
  if (n < LEAST)
    return;
  mean->warm_up = find_warm_up (values, n);
  if (n - mean->warm_up < LEAST)
    return;
  half = (n - mean->warm_up) / 2;
  mean->mean = find_mean (values + mean->warm_up, n - mean->warm_up);
  mean->drift
      = fabs (find_mean (values + n - half, half) - find_mean (values + mean->warm_up, half));
  for (guint i = mean->warm_up; i < n; i++)
    mean->farthest = fmax (mean->farthest, fabs (values[i] - mean->mean));
  choose_batches (values, mean);
}

gdouble
wp_estimate_mean_get_half (const WpEstimateMean *mean, gdouble times)
{
  gdouble batches = times / mean->size; /* that are not seen */

  return mean->t * mean->deviation * times * sqrt (1. / mean->batches + 1 / batches)
         + mean->drift * times;
}
