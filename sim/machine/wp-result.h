/* SPDX-License-Identifier: MIT */
/* What a run adds up to (MODEL.md, section 9). Plain C11.
 *
 * All sums are exact. Ratios are for the reader; nothing is decided by them.
 */
#pragma once

#include "sim/machine/wp-machine.h"
#include "sim/machine/wp-observer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where an instruction's waits are in its row of WpResult.waited: dependences by the producer's
 * kind, and then */
enum
{
  WP_WAITED_BARRIER = WP_N_KINDS,
  WP_WAITED_ILP,
  WP_WAITED_PIPELINE,
  WP_WAITED_NOT_SELECTED,
  WP_WAITED_DRAIN, /* of a warp's last instruction */
  WP_N_WAITED
};

typedef struct
{
  bool complete;  /* every block has run to its end */
  WpTick elapsed; /* the last termination; of a run that was stopped, how far it got */
  WpTick drained; /* not before `elapsed`: from then on all pipelines, and their channels, are free,
                     of the posted instructions that no warp waits for, too */
  uint64_t blocks, warps;    /* terminated */
  uint64_t most_blocks;      /* that an SM has been given; 0: not known, as some were left out */
  uint64_t issued;           /* dynamic instructions, barriers included */
  uint64_t issues;           /* issues of the schedulers: a dual-issued group counts once */
  WpSum lifetimes;           /* of the terminated warps */
  WpSum occupied;            /* occupancy summed over time and SMs */
  WpSum stalls[WP_N_STALLS]; /* of all warps, up to the last issue of those that have not terminated
                              */
  WpSum slot_time;  /* issue slots' time that issues took: interval / issue limit each, or slots x
                       interval;  in units of ticks / issue limit */
  uint64_t *counts; /* [n_instrs]: how often each instruction as written was issued */
  WpSum *
      waits; /* [n_pipelines]: of stalls[WP_STALL_DEPENDENCY], by the last pipeline of the producer;
                             of all warps, terminated or not */
  WpSum *busy; /* [n_pipelines]: of those that SMs share, the sum of issue latencies; else 0 */
  WpSum
      *turned; /* [n_pipelines]: for how long instructions waited, or would have been served, while
                    it turned between reads and writes (MODEL.md, section 12); no part of `busy` */
  /* What warps waited for at the instruction that they then issued: [n_instrs, or the machine's
   * n_waited][WP_N_WAITED]; NULL where the machine has no kinds. */
  WpSum *waited;
} WpResult;

/* What a policy from outside (include/warpipe/policy.h) did that it may not. */
typedef enum
{
  WP_POLICY_FAULT_NONE,
  WP_POLICY_FAULT_CHOICE,  /* chose a warp that cannot issue, or that is not the scheduler's */
  WP_POLICY_FAULT_UNTIL,   /* said nobody until a time that is not later */
  WP_POLICY_FAULT_NOBODY,  /* said nobody, and had promised never to */
  WP_POLICY_FAULT_STARVES, /* said nobody so often that nothing else is to be expected */
  WP_POLICY_FAULT_OWN,     /* said that something is wrong, by `text` */
} WpPolicyFaultKind;

#define WP_MAX_REFUSALS 1000000 /* in a row, with nothing issued in between */
#define WP_FAULT_CHARS 200

typedef struct
{
  WpPolicyFaultKind kind;
  uint32_t scheduler;
  uint32_t n_slots; /* warp slots of it */
  uint32_t chosen;  /* CHOICE: as the policy calls it; STARVES: the oldest that could issue */
  bool resident;    /* of the two: there is such a warp: warp `warp` of block `block` */
  uint32_t warp;
  uint64_t block;
  WpTick time, until; /* when; UNTIL: until when */
  char text[WP_FAULT_CHARS];
} WpPolicyFault;

/* Why a run was ended: a policy's fault; or which time would have reached WP_TICK_LIMIT, e.g. "a
 * completion", and in which block; static. */
typedef struct
{
  const char *what; /* "a completion", "a release", "a launch", ... */
  uint32_t sm;
  uint64_t block;
  uint32_t instr;      /* in instrs[], or UINT32_MAX where none is to blame */
  WpPolicyFault fault; /* if its kind is not NONE, that is why */
} WpOverflow;

/* An empty result for MACHINE, or NULL when memory is out. */
WP_API WpResult *wp_result_new (const WpMachine *machine);

/* The same of a part of a run; COUNTED: with counts[], which else is NULL. */
WpResult *wp_result_new_partial (const WpMachine *machine, bool counted);

/* How many sums `waited` has: 0 where MACHINE has no kinds. */
static inline size_t
wp_result_count_waited (const WpMachine *machine)
{
  const uint32_t n = machine->waited != NULL ? machine->n_waited : machine->n_instrs;

  return machine->kinds == NULL ? 0 : (size_t)n * WP_N_WAITED;
}

/* The bytes that it takes. */
uint64_t wp_result_measure (const WpMachine *machine, bool counted);

WP_API void wp_result_free (WpResult *result);

/* All zero. */
WP_API void wp_result_reset (WpResult *result, const WpMachine *machine);

/* RESULT += OTHER x TIMES, all but `complete` and `most_blocks`, which only a whole
 * device has; `elapsed` and `drained` become the later of both.
 * Both are of MACHINE; OTHER may have no counts[]. */
WP_API void wp_result_add (WpResult *result, const WpResult *other, uint64_t times,
                           const WpMachine *machine);

/* Whether the laws hold: lifetimes = sum of stalls, and (of a complete run) Little's law, occupancy
 * summed over time = sum of lifetimes. Returns NULL or the law that is broken: then the engine is
 * wrong, not the input. */
WP_API const char *wp_result_check (const WpResult *result);

/* Instructions that PIPELINE took, and the sum of their issue latencies; each counts once for each
 * time that it passes (MODEL.md, section 12). FLOPS and BYTES of those that it was the last one of.
 * O(instrs and passes). */
typedef struct
{
  uint64_t instructions;
  WpSum busy; /* ticks */
  double flops, bytes;
} WpPipelineUse;
WP_API WpPipelineUse wp_result_pipeline_use (const WpResult *result, const WpMachine *machine,
                                             uint32_t pipeline);

/* Whether posted instructions are queued when the last warp ends: more is left until `drained` than
 * the longest time for which one instruction keeps a pipeline or a channel, or a pipeline is busy
 * for longer than `elapsed`. Rates then go by `drained`. False where the run is not complete.
 * O(instrs x pipelines). */
WP_API bool wp_result_has_queue (const WpResult *result, const WpMachine *machine);

#ifdef __cplusplus
}
#endif
