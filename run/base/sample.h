/* SPDX-License-Identifier: MIT */
/* One figure of several runs that differ by their seed alone: its mean and its spread. */
#pragma once

#include "cli/common/cli-json.h"

G_BEGIN_DECLS

typedef struct
{
  guint n;
  gdouble mean, least, most;
  gdouble squares; /* sum of (value - mean)^2 */
} WpSample;

/* Takes another value; SAMPLE begins as zeros. One that is not a number is left out. */
void wp_sample_add (WpSample *sample, gdouble value);

/* The standard deviation, sqrt (sum of (value - mean)^2 / (n - 1)); NAN of fewer than two values.
 */
gdouble wp_sample_get_deviation (const WpSample *sample);

/* Writes its spread, as an object: sd, min, max. */
void wp_json_spread (WpJson *json, const gchar *name, const WpSample *sample);

/* Says that the runs of N seeds are alike, as they are where memory is ideal. */
void wp_cli_warn_alike (guint64 n);

G_END_DECLS
