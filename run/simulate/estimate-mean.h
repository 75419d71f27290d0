/* SPDX-License-Identifier: MIT */
/* The mean of a series whose values depend on one another, and how well it is known: the beginning
 * is cut off, and the rest divided into batches, whose means are nearly independent where batches
 * are long enough. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gboolean known;      /* else why not: the rest is undefined */
  guint n;             /* values */
  guint warm_up;       /* of them, cut off at the beginning */
  guint batches, size; /* at the end; what is left over is part of `mean` only */
  gdouble mean;
  gdouble deviation; /* of the batches' means from one another, for what they still share */
  gdouble t;         /* of Student's distribution for so many batches, for 99% */
  gdouble farthest;  /* that one value is from the mean, after the warm-up */
  gdouble drift;     /* how far the means of the two halves after it are apart */
} WpEstimateMean;

/* VALUES [N] in order. Not known: too few, a series that has not settled in its first half, or
 * batches that depend on one another all the same. O(n). */
void wp_estimate_mean (const gdouble *values, guint n, WpEstimateMean *mean);

/* What the sum of TIMES further values may be off from TIMES x mean: half of the 99% interval, as
 * both the mean and what it is compared with vary, and as much again as the mean has drifted. */
gdouble wp_estimate_mean_get_half (const WpEstimateMean *mean, gdouble times);

G_END_DECLS
