/* SPDX-License-Identifier: MIT */
/* What bounds a kernel, found without simulating its launch (MODEL.md, section 10; Volkov 2016,
 * sections 3.5 to 3.8).
 *
 * The latency bound is the time that a warp takes with all to itself: its longest path through the
 * dependence graph. It is what the engine makes of a block alone on an idealised machine, on which
 * all λ are 0 and schedulers issue whatever is ready; as there it skips rounds that recur, so that
 * the cost does not grow with the length of repeats. The throughput bounds are sums over the
 * instructions as written.
 *
 * All figures are exact. With dual issue or in dataflow order a warp may be faster in company than
 * alone, where a number of warps releases a barrier it may meet others, and a mix counts with its
 * means: there the bounds are estimates (wp_bounds_are_estimates()). Contended memory is left out
 * but for posted instructions. Plain C11.
 */
#pragma once

#include "sim/bounds/wp-bounds-data.h"
#include "sim/machine/wp-stuck.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds of MACHINE, which must have passed wp_machine_check() and outlives them; NULL when memory
 * is out. O(code x depth of repeats). */
WP_API WpBounds *wp_bounds_new (const WpMachine *machine);
WP_API void wp_bounds_free (WpBounds *bounds);

/* Continues for about MAX_STEPS instructions. Once it has returned anything but WP_BOUNDS_MORE, it
 * does nothing and returns the same. */
WP_API WpBoundsStatus wp_bounds_run (WpBounds *bounds, uint64_t max_steps);

/* After WP_BOUNDS_STUCK: who waits where; the block is the first of the run that is of that kind,
 * and warps of a program count as one unless barriers with a number of warps tell them apart. */
WP_API void wp_bounds_get_stuck (const WpBounds *bounds, WpStuck *stuck);

/* The share of all instructions that has been simulated or skipped, 0 .. 1, for progress. */
WP_API double wp_bounds_get_progress (const WpBounds *bounds);

/* Whether a warp may be faster in company than alone, or meet other warps there. */
WP_API bool wp_bounds_are_estimates (const WpMachine *machine);

/* Warps an SM needs: latency bound / throughput bound; infinite where nothing limits throughput, 0
 * where both are 0. */
WP_API double wp_bounds_get_needed (const WpBounds *bounds);

/* Predicted warp throughput, warps a cycle and SM, at WARPS resident ones: min (WARPS / latency
 * bound, 1 / throughput bound); infinite where both are 0. */
WP_API double wp_bounds_predict (const WpBounds *bounds, double warps);

#ifdef __cplusplus
}
#endif
