/* SPDX-License-Identifier: MIT */
/* Records how many warps are resident over time, in bounded memory. A short run keeps each change;
 * a long one keeps the exact mean over each of a number of equal stretches of time. */
#pragma once

#include <glib.h>

#include "sim/machine/wp-observer.h"

G_BEGIN_DECLS

#define WP_CURVE_MAX_CHANGES 400
#define WP_CURVE_STRETCHES 256 /* the maximum; if means are kept, at least half as many */

typedef struct WpCurve WpCurve;

/* Makes a curve for a run whose blocks have WARPS_PER_BLOCK warps. Free with wp_curve_free(). */
WpCurve *wp_curve_new (guint warps_per_block);
void wp_curve_free (WpCurve *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCurve, wp_curve_free)

/* Returns the observer to attach to the run; CURVE owns it. */
const WpObserver *wp_curve_get_observer (const WpCurve *curve);

/* The number of warps from TIME on. */
typedef struct
{
  gdouble time; /* ticks */
  gdouble warps;
} WpCurvePoint;

/* Returns the curve (of WpCurvePoint) of a run that has ended at END; its last point is at END.
 * Sets *STRETCH to the length of the stretches in ticks, or to 0 if every change was kept. Free
 * with g_array_unref(). */
GArray *wp_curve_get_points (WpCurve *curve, WpTick end, gdouble *stretch);

G_END_DECLS
