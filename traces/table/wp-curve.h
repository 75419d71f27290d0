/* SPDX-License-Identifier: MIT */
/* How many warps are resident over time, in bounded memory: each change while there are few; of
 * many, the exact mean over each of a number of equal stretches of time.
 */
#pragma once

#include <glib.h>

#include "sim/machine/wp-observer.h"

G_BEGIN_DECLS

#define WP_CURVE_MAX_CHANGES 400
#define WP_CURVE_STRETCHES 256 /* at most; of many changes at least half as many */

typedef struct WpCurve WpCurve;

/* Of a run with so many warps in a block. */
WpCurve *wp_curve_new (guint warps_per_block);
void wp_curve_free (WpCurve *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCurve, wp_curve_free)

/* What to attach to the run; belongs to CURVE. */
const WpObserver *wp_curve_get_observer (const WpCurve *curve);

/* What holds from TIME on. */
typedef struct
{
  gdouble time; /* ticks */
  gdouble warps;
} WpCurvePoint;

/* The curve of the run, which has ended at END: the last point is there. Sets *STRETCH to how many
 * ticks each mean is of, 0 where all changes are there. Of WpCurvePoint; free with g_array_unref().
 */
GArray *wp_curve_get_points (WpCurve *curve, WpTick end, gdouble *stretch);

G_END_DECLS
