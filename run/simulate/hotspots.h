/* SPDX-License-Identifier: MIT */
/* Which instructions of a kernel take most of something: of a pipeline's time, of the waits for its
 * results, of the issue slots. Counted from the program, not from a run. */
#pragma once

#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

typedef enum
{
  WP_HOT_USE,     /* time that they keep their pipeline from starting others */
  WP_HOT_LATENCY, /* time until their results are there, of those with results */
  WP_HOT_SLOTS    /* issue slots, of all pipelines */
} WpHotMeasure;

/* Instructions of one op in one context; all mixes of contexts count as one. */
typedef struct
{
  const IdgNode *node; /* the one with most, borrowed from the kernel */
  gdouble amount;      /* all of them together, ticks or slots */
  gdouble share;       /* of what all instructions have, 0 .. 1 */
  gdouble of_node;     /* what NODE has of AMOUNT */
  gdouble costly;      /* of AMOUNT, 0 .. 1: of accesses that cost more than they need (costly.h) */
  guint n;             /* how many of them are written in the kernel */
} WpHotspot;

/* Those of PIPELINE (WP_NO_PIPELINE: of all of them), the most first; of WpHotspot, without those
 * that have nothing. Free with g_array_unref(). O(size of the kernel), times its different ops. */
GArray *wp_hotspots_find (const WpResolved *resolved, guint32 pipeline, WpHotMeasure measure);

/* The first few of HOTSPOTS in words: "ld.shared.f32 (84%; k.ptx:90 and 31 more), st.shared (16%;
 * k.ptx:80)", FILE being the kernel's; NULL where there is none. A place is a line of the source
 * where one is known. Free with g_free(). */
gchar *wp_hotspots_describe (const GArray *hotspots, const gchar *file);

G_END_DECLS
