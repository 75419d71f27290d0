/* SPDX-License-Identifier: MIT */
/** @file
 * Warp scheduling policies of one's own, as shared libraries: `--policy ./mine.so`.
 *
 * A policy is a variable named #wp_policy_plugin in a shared library that includes this header and
 * is linked with nothing:
 *
 * @code
 * #include <warpipe/policy.h>
 *
 * static uint32_t
 * choose (void *self, const WpPolicyView *view, int64_t *until)
 * {
 *   (void)self, (void)until;
 *   return view->youngest;
 * }
 *
 * WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin
 *     = { WP_POLICY_HEAD, .text = "the youngest warp", .choose = choose, .pure = true };
 * @endcode
 *
 *     cc -shared -fPIC -O2 $(pkg-config --cflags warpipe) mine.c -o mine.so
 *
 * doc/policies.md teaches it. What holds of all of it:
 *
 * - Each scheduler of each simulated SM has an object of its own, made by create(), which sees the
 *   warps of that scheduler and no others. Calls for one object never overlap, and come in the
 *   order of simulated time. SMs may run on several threads: what objects share (variables of the
 *   file) must be constant or locked, and results are only the same each time where it is constant.
 * - A *warp* is named by its place among the scheduler's warp slots, from 0 to `n_slots` - 1. A
 *   warp keeps its place for as long as it is resident; then another warp gets it.
 * - Times are ticks, whole numbers, `ticks_per_cycle` to a clock cycle; no time is ever rounded.
 *   They are below #WP_POLICY_FOREVER.
 * - The engine owns the view and all that it points to; they hold during the call.
 * - The header is plain C99 and C++. Within a version, members are only added at the end of
 *   structures, whose `size` says which there are.
 */
#ifndef WP_POLICY_H
#define WP_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of what this header says. A policy of another version is refused when it is
 * loaded. */
#define WP_POLICY_VERSION 1

#define WP_POLICY_NOBODY UINT32_MAX /**< no warp */
#define WP_POLICY_FOREVER INT64_MAX /**< later than any time */
#define WP_POLICY_NONE UINT32_MAX   /**< no pipeline, no instruction */

/** Words that WpPolicyPlugin::digest may write at most. */
#define WP_POLICY_DIGEST_WORDS 64

/** Why a warp issues nothing. */
typedef enum
{
  WP_POLICY_WAIT_NONE,       /**< it can issue, or could if its scheduler's turn had come */
  WP_POLICY_WAIT_DEPENDENCY, /**< its next instruction needs the result of an earlier one */
  WP_POLICY_WAIT_ILP,        /**< its last instruction was too short a time ago */
  WP_POLICY_WAIT_BARRIER,    /**< it has come to a barrier where others are missing */
  WP_POLICY_WAIT_PIPELINE,   /**< the pipeline of its next instruction accepts none yet; nothing is
                                  told of when that begins and ends */
  WP_POLICY_WAIT_END,        /**< it has issued all, and waits for the last results */
} WpPolicyWait;

/** What is known of a warp; see WpPolicyView::look. */
typedef struct
{
  uint64_t age;   /**< how many warps the SM launched before it: the older, the less */
  uint64_t block; /**< its block's number in the grid */
  uint32_t warp;  /**< its number in the block */
  uint32_t slot;  /**< its warp slot on the SM */
  int64_t start;  /**< when it launched */
  int64_t since;  /**< when it issued last; its start, if it has not */
  int64_t ready; /**< when dependences, ILP latency and barriers let it issue, or #WP_POLICY_FOREVER
                        where that is not known yet, or all is issued */
  uint64_t issued;    /**< dynamic instructions that it has issued, barriers included */
  uint64_t total;     /**< those of its program */
  uint32_t program;   /**< which program of the kernel it runs, from 0 */
  uint32_t pc;        /**< its next instruction as written: its place in the program, from 0; or
                         #WP_POLICY_NONE: all is issued */
  int32_t line;       /**< of that in the kernel's file; 0: not known */
  const char *op;     /**< of that, as the kernel writes it; NULL: a barrier, or none */
  uint32_t pipeline;  /**< of that, from 0; #WP_POLICY_NONE: a barrier, or none */
  WpPolicyWait wait;  /**< why it does not issue now */
  uint32_t waits_for; /**< of a dependence, the pipeline that the result comes from */
} WpPolicyWarp;

/** What a policy sees of its scheduler. */
typedef struct WpPolicyView WpPolicyView;
struct WpPolicyView
{
  size_t size;             /**< of this structure, as the engine has it */
  int64_t now;             /**< ticks; 0 of a pure policy */
  int64_t ticks_per_cycle; /**< ticks */
  uint32_t sm;             /**< the SM's number; 0 of a pure policy */
  uint32_t scheduler;      /**< the scheduler's number on it */
  uint32_t n_schedulers;   /**< of an SM */
  uint32_t n_slots;        /**< warp slots of this scheduler */
  uint32_t last; /**< the warp that it issued from last, or #WP_POLICY_NOBODY: none yet, or it has
                                ended; in choose() and in what is told */

  /* In choose() only: */
  bool last_ready;   /**< `last` can issue now */
  uint32_t oldest;   /**< the oldest warp that can issue now: there is one */
  uint32_t youngest; /**< the youngest */

  uint32_t n_pipelines; /**< of the GPU */

  /** In choose() only, else NULL: the warps that can issue now, from the oldest to the youngest,
   * and in *N how many, one at least; until choose() returns. O(n). */
  const uint32_t *(*get_ready) (const WpPolicyView *view, uint32_t *n);

  /** The name of PIPELINE, as the GPU's file has it, and in *MEMORY, if that is not NULL, whether
   * it is of kind memory; NULL: there is none of that number. O(1). */
  const char *(*get_pipeline) (const WpPolicyView *view, uint32_t pipeline, bool *memory);

  /** Writes all resident warps that have not ended into WARPS, [n_slots], from the oldest to the
   * youngest, and returns how many. O(n_slots). 0 for a pure policy. */
  uint32_t (*list) (const WpPolicyView *view, uint32_t *warps);

  /** What is known of WARP into *INFO, of SIZE bytes: sizeof (WpPolicyWarp). False, and nothing is
   * written: there is no such warp now; or the policy is pure. O(1). */
  bool (*look) (const WpPolicyView *view, uint32_t warp, WpPolicyWarp *info, size_t size);

  /** Ends the run with TEXT as its error, of which 200 bytes are kept; what the policy returns then
   * does not matter. */
  void (*stop) (const WpPolicyView *view, const char *text);

  void *engine; /**< the engine's */

  /** The policy that is called: for functions that several policies share. */
  const struct WpPolicyPlugin *plugin;
};

/** An issue: one instruction, or several of a warp that go out together (dual issue). */
typedef struct
{
  uint32_t warp;
  uint32_t n;        /**< instructions, 1 at least; what follows is of the first */
  uint64_t index;    /**< its dynamic number in the warp, from 0 */
  uint32_t pc;       /**< as of a WpPolicyWarp */
  uint32_t pipeline; /**< #WP_POLICY_NONE: a barrier */
  const char *op;    /**< NULL: a barrier */
} WpPolicyIssue;

/** A setting of the policy: `--policy-set NAME=VALUE`. Whole numbers. */
typedef struct
{
  const char *name; /**< letters, digits, - and _; the first is a letter */
  const char *text; /**< what it does, in a line */
  int64_t value;    /**< where it is not set */
  int64_t min, max; /**< of what it may be set to */
} WpPolicyKnob;

/** A policy. Members that are left out are NULL, false or 0; choose() must be there. */
typedef struct WpPolicyPlugin
{
  uint32_t version; /**< #WP_POLICY_VERSION */
  uint32_t size;    /**< sizeof (WpPolicyPlugin) */
  const char *text; /**< what it does, in a line */

  const WpPolicyKnob *knobs; /**< [n_knobs] */
  uint32_t n_knobs;

  /** A promise, for speed: which warp choose() returns follows from who is ready, `last` and the
   * knobs alone, whenever and however often it is asked, and it is never nobody. Then the run costs
   * little more than with a built-in policy, recurring periods are skipped, and dataflow order is
   * possible, too; `view->look` and `view->list` say nothing. A pure policy is told nothing:
   * the functions below choose() must be left out. */
  bool pure;

  /** An object for the scheduler of VIEW, before anything is launched. KNOBS, [n_knobs], has what
   * was set; it holds as long as the object. NULL: it refuses, and *PROBLEM may say why (static).
   * Left out: self is KNOBS. */
  void *(*create) (const WpPolicyView *view, const int64_t *knobs, const char **problem);

  /** The run is over, whether it has come to its end or not. */
  void (*destroy) (void *self);

  /** The warp to issue from now: one of those that can. It is asked when the scheduler can issue
   * and at least one warp can; it issues at once.
   *
   * #WP_POLICY_NOBODY: none of them now. It is asked again once any of its warps is told of below
   * (whether the policy listens or not), or the pipeline of a warp that cannot issue now accepts
   * again, or it is time *UNTIL: #WP_POLICY_FOREVER when it is called, a time later than `now` if
   * it is set. A choice of any other warp is an error that ends the run. So is a run in which
   * nothing is left to happen although a warp could issue, and a policy that says nobody
   * 1,000,000 times in a row with nothing issued in between. */
  uint32_t (*choose) (void *self, const WpPolicyView *view, int64_t *until);

  /** WARP launches, is ready unless a wait is told next, and can be looked at. */
  void (*launched) (void *self, const WpPolicyView *view, uint32_t warp);

  /** What was chosen has issued; the warp is looked at as it is after that. */
  void (*issued) (void *self, const WpPolicyView *view, const WpPolicyIssue *issue);

  /** WARP has terminated: `look` knows it no more, and its place may be another's soon. */
  void (*ended) (void *self, const WpPolicyView *view, uint32_t warp);

  /** WARP waits from now on, for WHY; of a dependence, for PIPELINE; until UNTIL, or
   * #WP_POLICY_FOREVER: not known yet. Told behind issued() or launched(), or when a wait of
   * another kind ends. A wait that takes no time is not told. */
  void (*wait_begins) (void *self, const WpPolicyView *view, uint32_t warp, WpPolicyWait why,
                       uint32_t pipeline, int64_t until);

  /** That is over. The end of a warp ends #WP_POLICY_WAIT_END without a call of its own. */
  void (*wait_ends) (void *self, const WpPolicyView *view, uint32_t warp, WpPolicyWait why);

  /** All that the object remembers, as numbers: writes them into WORDS, [ROOM], and returns how
   * many; more than ROOM: it does not fit now. No hash: two objects that write the same numbers
   * must go on alike. They must hold no time, age, block, and no number that grows with them but
   * differences; so must what the policy makes of a WpPolicyWarp, of whose times and ages only
   * differences may count. With it, recurring periods of a run are skipped; left out, all of it is
   * simulated. */
  size_t (*digest) (const void *self, uint64_t *words, size_t room);
} WpPolicyPlugin;

/** What each WpPolicyPlugin begins with. */
#define WP_POLICY_HEAD .version = WP_POLICY_VERSION, .size = (uint32_t)sizeof (WpPolicyPlugin)

#if defined(__GNUC__)
#define WP_POLICY_EXPORT __attribute__ ((visibility ("default")))
#else
#define WP_POLICY_EXPORT
#endif

/** What a library with a policy has. */
extern WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin;

#ifdef __cplusplus
}
#endif
#endif
