/* SPDX-License-Identifier: MIT */
/* What all columns of a comparison have in common, in words. */
#pragma once

#include "run/compare/compare.h"

G_BEGIN_DECLS

/* Whether NAME, "gpu", is one of the names of what varies. */
gboolean wp_comparison_varies (const WpComparison *comparison, const gchar *name);

/* "vector-add on gtx980 (GeForce GTX 980), policy rr, ...". RUN is the first. Free with
 * g_free(). */
gchar *wp_comparison_get_title (const WpComparison *comparison, const WpCompareRun *run);

/* "1024 blocks of 256 threads, 16 registers a thread". Free with g_free(). */
gchar *wp_comparison_get_launch (const WpComparison *comparison);

/* The lines above the tables of a comparison that was made of runs, of which RUN is the first.
 * NULL-terminated; free with g_strfreev(). */
GStrv wp_comparison_get_heading (const WpComparison *comparison, const WpCompareRun *run);

G_END_DECLS
