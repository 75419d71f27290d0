/* SPDX-License-Identifier: MIT */
/* The device: simulated SMs and the dispatcher that hands blocks to them. Plain C11.
 *
 *   WpDevice *device = wp_device_new (&machine, wp_policy_find ("rr"), NULL, 0, &problem);
 *   while (wp_device_run (device, 1 << 20) == WP_RUN_MORE)
 *     ;   // a good place to show progress, or to stop
 *   const WpResult *result = wp_device_get_result (device);
 *
 * All memory is taken by wp_device_new() and wp_device_set_skip(), in proportion to what is
 * resident at a time, not to the grid; a run allocates nothing, reads nothing and writes nothing,
 * and has no global state.
 */
#pragma once

#include "sim/engine/policy/wp-policy.h"
#include "sim/machine/wp-machine.h"
#include "sim/machine/wp-observer.h"
#include "sim/machine/wp-result.h"
#include "sim/machine/wp-stuck.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WpDevice WpDevice;

typedef enum
{
  WP_RUN_DONE,     /* every block has ended */
  WP_RUN_MORE,     /* the budget is used up; call again */
  WP_RUN_STUCK,    /* nothing will ever happen again, and some warps have not terminated (MODEL.md,
                      section 14): see wp_device_get_stuck() */
  WP_RUN_OVERFLOW, /* a time would reach WP_TICK_LIMIT: see wp_device_get_overflow() */
} WpRunStatus;

/* A device at time 0. MACHINE, POLICY and OBSERVERS (N of them, called in that order) are borrowed
 * and must outlive it. NULL with PROBLEM set (static) where the machine is not sound, the policy
 * does not go with it, or memory is out. */
WP_API WpDevice *wp_device_new (const WpMachine *machine, const WpPolicy *policy,
                                const WpObserver *const *observers, size_t n_observers,
                                const char **problem);

/* What PROBLEM points to where wp_device_new_within() refuses. */
#define WP_DEVICE_TOO_LARGE "it would take more memory than it may"

/* The same with SKIP as wp_device_set_skip() has it; and NULL, before most of its memory is taken,
 * where that would be more than MOST bytes. NEEDED gets how many it is: as much as SMs and the
 * search for steady states take, as malloc() counts it; 0 where it did not come to that. */
WP_API WpDevice *wp_device_new_within (const WpMachine *machine, const WpPolicy *policy,
                                       const WpObserver *const *observers, size_t n_observers,
                                       bool skip, uint64_t most, uint64_t *needed,
                                       const char **problem);
WP_API void wp_device_free (WpDevice *device);

/* Whether what recurs is simulated once (the default): a state that comes again and again, SMs that
 * do the same at the same times. The totals, and what observers see, are the same either way.
 * O(SMs) if it changes. Only before the first wp_device_run(). False when memory is out: the device
 * can then only be freed. */
WP_API bool wp_device_set_skip (WpDevice *device, bool skip);

/* A warp that a scheduler could have issued from. */
typedef struct
{
  uint32_t slot;
  uint64_t block;
  uint32_t warp;  /* of the block */
  uint64_t age;   /* launch sequence number on this SM */
  uint32_t instr; /* in the machine's instrs[]; UINT32_MAX in dataflow order, but for the warp that
                     issues */
} WpCandidate;

/* The warps among which the policy chose for EVENT, that of the event included, in slot order: the
 * first ROOM of them into CANDIDATES. Those that can issue (MODEL.md, section 5); with two-level
 * scheduling the active ones of them. Only within DEVICE's call of an observer's `issue` with
 * EVENT. Returns how many there are; 0 where that is not known any more: of an event that follows
 * another, and of one that is replayed. O(warps of a scheduler). */
WP_API uint32_t wp_device_get_candidates (const WpDevice *device, const WpIssueEvent *event,
                                          WpCandidate *candidates, uint32_t room);

/* Observers are not called from now on, as they have seen enough: what comes may be skipped
 * without telling it. Not within a callback. */
WP_API void wp_device_stop_observing (WpDevice *device);

/* Goes on until about BUDGET further issues, terminations and launches have happened, or the end.
 */
WP_API WpRunStatus wp_device_run (WpDevice *device, uint64_t budget);

/* The totals so far: borrowed, brought up to date by each call. In a window that is open some SMs
 * are ahead. */
WP_API const WpResult *wp_device_get_result (WpDevice *device);

/* After WP_RUN_OVERFLOW: which time it was. */
WP_API WpOverflow wp_device_get_overflow (const WpDevice *device);

/* After WP_RUN_STUCK. O(warp slots). */
WP_API void wp_device_get_stuck (const WpDevice *device, WpStuck *stuck);

/* Of that time, ticks that were not simulated, as they would have repeated what came before. */
WP_API WpTick wp_device_get_skipped (const WpDevice *device);

/* Blocks that have been handed out so far, and the time that the run has reached. */
WP_API uint64_t wp_device_get_blocks_started (const WpDevice *device);
WP_API WpTick wp_device_get_time (const WpDevice *device);

/* ---- Estimates ----
 *
 * A run in which no state recurs can be cut short: from when blocks were handed out it follows how
 * long one takes in the mean, and blocks in the middle of the grid can be left out. Its totals are
 * then those of a run without them; what they would have added is for the caller to say. */

/* Keeps when blocks are handed out, up to N (even) of them: of more, every second one, every fourth
 * and so on. Only before the first wp_device_run(). False when memory is out. */
WP_API bool wp_device_keep_starts (WpDevice *device, uint32_t n);

/* Borrowed until the next wp_device_run(): the i-th of *N is when block i x *EVERY was handed out.
 * Only while wp_device_has_skipped_blocks() is false: whether a period of blocks came again, so
 * that times are not known one by one, and the run is soon at its end. */
WP_API const WpTick *wp_device_get_starts (const WpDevice *device, uint64_t *every, uint32_t *n);
WP_API bool wp_device_has_skipped_blocks (const WpDevice *device);

/* Once block FROM is next, N blocks are left out: all of them are in the grid, and run what the
 * ones before and after them do. Where SMs in one state are simulated once that may be up to
 * resident blocks x SMs later. Not done where blocks are skipped as recurring before. False: FROM
 * has been handed out already, or that was so. At most once in a run. */
WP_API bool wp_device_leave_out (WpDevice *device, uint64_t from, uint64_t n);

/* How many blocks have been left out; 0 until then. */
WP_API uint64_t wp_device_get_left_out (const WpDevice *device);

/* ---- Several cores ----
 *
 * The engine has no threads; it offers stretches of time in which each group of SMs may be run by
 * another one:
 *
 *   while (wp_device_open_window (device, length))
 *     {
 *       for (i = 0; i < wp_device_get_n_groups (device); i++) // in any order, at the same time
 *         wp_device_run_in_window (device, i, &budget);       // until it returns true
 *       wp_device_close_window (device);
 *     }
 *   // and wp_device_run() for the rest
 *
 * A group is the SMs that share pipelines (MODEL.md, section 12), mostly one. Groups meet only
 * where blocks are handed out. Where a block takes L > 0 to launch, who gets which need not be
 * known for the next L ticks, and when none is left, never again. The run is the same as by
 * wp_device_run(), and the two may alternate. */

/* Whether there are windows at all: several groups are simulated each for itself, and nobody
 * observes. */
WP_API bool wp_device_has_windows (const WpDevice *device);
WP_API uint32_t wp_device_get_n_groups (const WpDevice *device);

/* Opens a window of at most LENGTH ticks. False: there is none now (launches take no time, and
 * blocks are left), or nothing is left to do: wp_device_run() tells. One that wp_device_run() has
 * opened itself, for groups, and not come to the end of is taken over. O(SMs). */
WP_API bool wp_device_open_window (WpDevice *device, WpTick length);

/* Runs group I to the end of the window that is open, while *BUDGET lasts: true when it has come
 * there. Calls for different groups may overlap; nothing else may but reading the machine. */
WP_API bool wp_device_run_in_window (WpDevice *device, uint32_t i, uint64_t *budget);

/* Closes the window; all SMs must have come to its end. O(SMs + blocks handed out x log SMs). */
WP_API void wp_device_close_window (WpDevice *device);

#ifdef __cplusplus
}
#endif
