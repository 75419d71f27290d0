/* SPDX-License-Identifier: MIT */
/* The sum of squares is kept about the mean so far (Welford 1962): values that are alike have no
 * spread, to the last digit, and large ones lose none of it.
 */
#include "run/base/sample.h"

#include <math.h>

void
wp_sample_add (WpSample *sample, gdouble value)
{
  gdouble off = value - sample->mean;

  if (isnan (value))
    return;
  sample->n++;
  sample->mean += off / sample->n;
  sample->squares += off * (value - sample->mean);
  sample->least = sample->n == 1 ? value : fmin (sample->least, value);
  sample->most = sample->n == 1 ? value : fmax (sample->most, value);
}

gdouble
wp_sample_get_deviation (const WpSample *sample)
{
  return sample->n < 2 ? NAN : sqrt (sample->squares / (sample->n - 1));
}
