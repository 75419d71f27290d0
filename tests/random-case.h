/* SPDX-License-Identifier: MIT */
/* Random cases for the two engines: a GPU, a kernel, options and a policy from a seed.
 *
 * Small, and nasty where the model has corners: zero latencies, fractions, ties, queues, repeats
 * that run no time at all, warps with different numbers of barriers, times near the end of what
 * can be represented. The same seed gives the same case on every machine. Most cases run; a few
 * are refused, and a few overflow. */
#pragma once

#include "sim/gpu/wp-resolve.h"

typedef struct
{
  gchar *gpu;    /* XML */
  gchar *kernel; /* XML */
  WpRunOptions options;
  const gchar *policy;
} RandomCase;

RandomCase *random_case_new (guint64 seed);

/* A case that runs long enough to become periodic, and mostly does: many blocks of a short program
 * or long repeats, some ISSUES dynamic instructions at most. Of WHOLE_DEVICE all SMs run, 2 to 6
 * of them; else one, a few or all of up to 6. */
RandomCase *random_case_new_long (guint64 seed, gboolean whole_device, guint issues);
void random_case_free (RandomCase *c);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RandomCase, random_case_free)

/* The arguments after "warpipe run KERNEL --gpu GPU" that run the case. Free with g_free(). */
gchar *random_case_arguments (const RandomCase *c);
