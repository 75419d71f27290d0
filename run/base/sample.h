/* SPDX-License-Identifier: MIT */
/* One metric of several runs that differ by their seed alone: its mean and its spread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint n;
  gdouble mean, least, most; /* of the values; where N is 0, of no meaning */
  gdouble squares;           /* sum of (value - mean)^2 */
} WpSample;

/* Adds VALUE, unless it is NAN; SAMPLE begins as zeros. */
void wp_sample_add (WpSample *sample, gdouble value);

/* The standard deviation, sqrt (sum of (value - mean)^2 / (n - 1)); NAN of fewer than two values.
 */
gdouble wp_sample_get_deviation (const WpSample *sample);

G_END_DECLS
