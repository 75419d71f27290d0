/* SPDX-License-Identifier: MIT */
/* The device: simulated SMs and the dispatcher that hands blocks to them. Plain C11.
 *
 *   WpDevice *device = wp_device_new (&machine, wp_policy_find ("rr"), NULL, 0, &problem);
 *   while (wp_device_run (device, 1 << 20) == WP_RUN_MORE)
 *     ;   // a good place to show progress, or to stop
 *   const WpResult *result = wp_device_get_result (device);
 *
 * All memory is taken by wp_device_new(), in proportion to what is resident at a time, not to the grid; a run
 * allocates nothing, reads nothing and writes nothing, and has no global state.
 */
#pragma once

#include "sim/wp-machine.h"
#include "sim/wp-observer.h"
#include "sim/wp-policy.h"
#include "sim/wp-result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WpDevice WpDevice;

typedef enum
{
  WP_RUN_DONE,     /* every block has ended */
  WP_RUN_MORE,     /* the budget is used up; call again */
  WP_RUN_OVERFLOW, /* a time would reach WP_TICK_LIMIT: see wp_device_get_overflow() */
} WpRunStatus;

/* A device at time 0. MACHINE, POLICY and OBSERVERS (N of them, told in that order) are borrowed and must outlive it.
 * NULL with PROBLEM set (static) where the machine is not sound, the policy does not go with it, or memory is out. */
WP_API WpDevice *wp_device_new (const WpMachine *machine, const WpPolicy *policy,
                                const WpObserver *const *observers, size_t n_observers,
                                const char **problem);
WP_API void wp_device_free (WpDevice *device);

/* Goes on until about BUDGET further issues, terminations and launches have happened, or the end. */
WP_API WpRunStatus wp_device_run (WpDevice *device, uint64_t budget);

/* Whether steady states are skipped: as soon as the state of all SMs recurs, time moves on by whole periods at once, and
 * observers are told what they would have been told. Nothing but wp_device_get_skipped() and how long it takes depends on
 * it. True at first; may be set before the first wp_device_run() only, and not back to true. */
WP_API void wp_device_set_skip (WpDevice *device, bool skip);

/* Ticks skipped so far. */
WP_API WpTick wp_device_get_skipped (const WpDevice *device);

/* The totals so far: borrowed, brought up to date by each call. */
WP_API const WpResult *wp_device_get_result (WpDevice *device);

/* After WP_RUN_OVERFLOW: which time it was, e.g. "a completion", and in which block; static and borrowed. */
typedef struct
{
  const char *what; /* "a completion", "a release", "a launch", ... */
  uint32_t sm;
  uint64_t block;
  uint32_t instr; /* in instrs[], or UINT32_MAX where none is to blame */
} WpOverflow;
WP_API WpOverflow wp_device_get_overflow (const WpDevice *device);

/* Blocks that have been handed out so far, and the time that the run has reached. */
WP_API uint64_t wp_device_get_blocks_started (const WpDevice *device);
WP_API WpTick wp_device_get_time (const WpDevice *device);

#ifdef __cplusplus
}
#endif
