/* SPDX-License-Identifier: MIT */
/* The sum of squares is kept about the mean so far (Welford 1962): values that are alike have no
 * spread, to the last digit, and large ones lose none of it.
 */
#include "run/base/sample.h"

#include "cli/common/commands.h"

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

void
wp_json_spread (WpJson *json, const gchar *name, const WpSample *sample)
{
  wp_json_begin (json, name, '{');
  wp_json_ratio (json, "sd", wp_sample_get_deviation (sample));
  wp_json_ratio (json, "min", sample->n > 0 ? sample->least : NAN);
  wp_json_ratio (json, "max", sample->n > 0 ? sample->most : NAN);
  wp_json_end (json, '}');
}

void
wp_cli_warn_alike (guint64 n)
{
  wp_cli_complain ("warning: ideal memory draws nothing: the runs of all %" G_GUINT64_FORMAT
                   " seeds are alike",
                   n);
}
