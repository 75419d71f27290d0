/* SPDX-License-Identifier: MIT */
/* The machine: a kernel on a GPU, resolved to flat arrays of ticks. This is all that the engine
 * sees.
 *
 * wp-resolve.h makes one from the files' data; anybody may fill one by hand (another simulator, a
 * web page) and check it with wp_machine_check(). Nothing in it changes during a run, so that runs
 * may share it. Plain C11.
 *
 * Times are ticks, below or at WP_TICK_LIMIT (which any run that adds it to a time refuses). An
 * empty array may be NULL, but for code[].
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wp-macros.h"
#include "sim/base/wp-time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WP_NO_PIPELINE UINT32_MAX /* the "pipeline" of a barrier */
#define WP_NO_VALUE UINT32_MAX    /* nothing depends on this instruction */
#define WP_NO_SPREAD UINT32_MAX
#define WP_NO_QUEUE_LIMIT UINT32_MAX
#define WP_NO_INFLIGHT_LIMIT 0
#define WP_MAX_DEPTH 64 /* repeats inside one another */

typedef enum
{
  WP_CODE_INSTRUCTION, /* run instrs[arg] */
  WP_CODE_REPEAT,      /* open a repeat of `count` >= 1 iterations; arg: index of its WP_CODE_END */
  WP_CODE_END,         /* close it or go round; arg: index of its WP_CODE_REPEAT */
} WpCodeKind;

typedef struct
{
  WpCodeKind kind;
  uint32_t arg;
  uint32_t count;
} WpCode;

/* A further pipeline that an instruction passes once it has started in its own (MODEL.md, section
 * 12). */
typedef struct
{
  uint32_t pipeline;
  WpTick issue;      /* how long it keeps that from letting the next one begin */
  WpTick issue_last; /* the same in the last group of SMs that share it, where that is smaller */
  uint32_t transactions; /* visits to its channels; contended memory only */
} WpPass;

/* What instructions that are the same op in the same context have in common: a machine has few of
 * these, however many instructions. */
typedef struct
{
  uint32_t pipeline; /* or WP_NO_PIPELINE: a barrier; a posted one is an arrive */
  uint32_t barrier;  /* of a barrier, an arrive: 0, the one without a name, or 1 + its place in
                        barriers[] */
  WpTick issue;      /* lambda: how long it keeps the pipeline from starting the next */
  WpTick issue_last; /* as of a pass */
  WpTick completion; /* Lambda: from start (or served) to completion, for its warp's end and
                        unlisted consumers */
  WpTick stall;      /* the warp issues nothing so long after it issues: whole cycles */
  WpTick in_flight;  /* how long after it is served it counts for its pipeline's `inflight`: Lambda,
                        of a posted one too */
  uint64_t flops, bytes;         /* per warp instruction, reports only */
  uint32_t slots;                /* issue slots it fills, >= 1 */
  uint32_t transactions;         /* visits to channels; contended memory only */
  uint32_t spread;               /* in spreads[], or WP_NO_SPREAD */
  uint32_t first_pass, n_passes; /* its path, in passes[] */
  uint32_t name;                 /* in names[]: the op as the kernel writes it */
  uint32_t mix;       /* 0; or it is one of so many in a row that stand for one instruction as
                         written, each in a context of a mix: see wp_instr_is_mixed() */
  uint32_t mix_place; /* which of them: 0, the one that the code runs */
  uint32_t mix_upto;  /* the weights up to its own, that included: they rise */
  bool posted;        /* complete when it issues: also an arrive */
  bool late;          /* an arrive: the warp comes when what it depends on is complete, and does not
                         wait for that */
  bool write;         /* other than reads, for the turnaround of pipelines */
} WpCost;

/* An instruction as written. */
typedef struct
{
  const WpCost *cost; /* that others may have, too */
  uint32_t value;     /* where a warp keeps when this last completed (index below n_values), or
                         WP_NO_VALUE; another instruction may write there when nobody will read
                         that any more */
  uint32_t n_kept;    /* how many of the last completions it keeps, from `value` on, the most recent
                         one first: the largest distance of a dependence; 0: as 1 */
  uint32_t first_dep, n_deps; /* in deps[] */
  WpTick reach; /* the largest of issue, completion and the latencies of all dependences on it */
  int32_t line; /* of the kernel's file, 0 if unknown */
} WpInstr;

/* A dependence: the consumer may issue `latency` after the last instance of the producer, or an
 * earlier one, started (was served). */
typedef struct
{
  uint32_t producer; /* in instrs[]; no barrier */
  uint32_t value;    /* the producer's value, + how many instances are more recent */
  uint32_t pipeline; /* the last that the producer passes */
  WpTick latency;    /* Lambda of the producer for this consumer; 0 of a posted one */
} WpDep;

typedef struct
{
  uint32_t first_code, n_code;    /* in code[]; `arg` of repeats is relative to first_code */
  uint32_t first_instr, n_instrs; /* in instrs[] */
  uint32_t n_values;
  uint32_t depth;     /* repeats inside one another, at most 64 */
  uint64_t n_dynamic; /* instructions of one warp, barriers included */
} WpProgram;

typedef struct
{
  const char *name;
  uint32_t queue;     /* accepted instructions that may wait to start; WP_NO_QUEUE_LIMIT */
  bool per_scheduler; /* an instance for each scheduler, or one for the SM */
  bool memory;        /* kind: two-level scheduling sets warps aside that wait for one */
  bool pairing_never; /* never twice in one dual issue */
  uint32_t channels;  /* 0 where memory is ideal */
  WpTick channel_issue;
  uint32_t inflight; /* most that it has accepted and that are not complete; or
                        WP_NO_INFLIGHT_LIMIT */
  WpTick turnaround; /* from a read to a write, or back */
  uint32_t shared;   /* SMs that have one instance together; 0: as 1 */
  WpTick channel_issue_last, turnaround_last; /* as of a pass */
} WpPipelineDesc;

/* A distribution of extra latency: at[i] in units of 2^-32 (at[0] = 0, the last 2^32), add[i] in
 * ticks. */
typedef struct
{
  uint32_t n;
  const uint64_t *at;
  const WpTick *add;
} WpSpread;

/* A barrier with a name (MODEL.md, section 14). */
typedef struct
{
  const char *name;
  uint32_t warps; /* comings that release it; 0: those of all warps, each once */
} WpBarrierDesc;

/* Which program a warp of a block runs: row `rows[i]` holds for blocks from first_block[i] on. */
typedef struct
{
  uint32_t first_warp;
  uint32_t program;
} WpSegment;

typedef struct
{
  uint32_t first_segment, n_segments; /* in segments[], ascending, the first at warp 0 */
} WpRow;

typedef struct
{
  uint64_t first_block;
  uint32_t row;
} WpBlockRange;

typedef struct
{
  int64_t ticks_per_cycle;
  /* The GPU. */
  uint32_t n_sms;        /* of the whole GPU */
  uint32_t n_schedulers; /* of an SM */
  WpTick interval, ilp_latency, launch_latency, barrier_latency;
  uint32_t issue_limit;
  uint32_t dual_issue; /* 1 in dataflow order */
  uint32_t n_pipelines;
  const WpPipelineDesc *pipelines;
  /* The kernel. */
  uint32_t n_programs, n_instrs, n_deps, n_code, n_spreads, n_names, n_passes;
  const WpProgram *programs;
  const WpInstr *instrs;
  const WpDep *deps;
  const WpCode *code;
  const WpSpread *spreads;
  const WpPass *passes;
  const char *const *names;
  uint32_t n_barriers; /* those with names: at most 64 */
  const WpBarrierDesc *barriers;
  uint32_t n_block_ranges, n_rows, n_segments;
  const WpBlockRange *block_ranges; /* ascending, the first at block 0 */
  const WpRow *rows;
  const WpSegment *segments;
  /* The launch. */
  uint64_t n_blocks; /* to run, on all simulated SMs together */
  uint32_t warps_per_block;
  uint32_t resident_blocks; /* that fit on one SM at a time, >= 1 */
  uint32_t simulated_sms;   /* 1 .. n_sms */
  /* The run. */
  bool dataflow;       /* Lemeire's instruction states; else program order */
  bool contended;      /* MODEL.md, section 11 */
  uint64_t seed;       /* of the random numbers: of contended memory, and of mixes */
  uint32_t active_set; /* two-level scheduling: active warps of a scheduler, >= 1 */
  /* NULL; or [n_instrs], each below WP_N_KINDS, which mean what the caller likes: then a run adds
   * up what warps waited for at each instruction, dependences by the kind of the producer
   * (wp-result.h). */
  const uint8_t *kinds;
  /* Where there are kinds: NULL; or [n_instrs], each below `n_waited`: the row in which what warps
   * waited for at an instruction is added up, which it may share with others. */
  const uint32_t *waited;
  uint32_t n_waited;
} WpMachine;

#define WP_N_KINDS 5

/* Most pipelines of a GPU: 63, so that they and barriers fit in a word. */
#define WP_MAX_PIPELINES 63
/* Most pipelines in a path: 16; and visits to the channels of one of them, 2^16. */
#define WP_MAX_PASSES 16
#define WP_MAX_PASS_VISITS (UINT32_C (1) << 16)
/* Most that a pipeline with `inflight` keeps track of: 65536. */
#define WP_MAX_INFLIGHT 65536
/* Most barriers with names: 256. */
#define WP_MAX_BARRIERS 256
/* Most completions of an instruction that a warp keeps: 64. */
#define WP_MAX_KEPT 64
/* Most instructions that go out in one issue: 64. */
#define WP_MAX_GROUP 64
/* Most warps that may be resident at a time, on all simulated SMs together: 2^22. */
#define WP_MAX_RESIDENT_WARPS (UINT32_C (1) << 22)
/* Most dynamic instructions of a program in dataflow order: 2^20; and dependences between them:
 * 2^26. */
#define WP_MAX_DATAFLOW (UINT64_C (1) << 20)
#define WP_MAX_DATAFLOW_DEPS (UINT64_C (1) << 26)
/* Most dynamic instructions that all resident warps together may keep in dataflow order: 2^28. */
#define WP_MAX_DATAFLOW_RESIDENT (UINT64_C (1) << 28)

/* Instructions of a run, on all simulated SMs together: fewer than 2^63. */
#define WP_MAX_INSTRUCTIONS 9.2e18

/* An instruction whose context is a mix (MODEL.md, section 13) is several in a row, alike but for
 * what a context says. The code runs the first of them; each time that it issues, one of them is
 * drawn. Those that complete alike, for all consumers, share their values; `value` of the others is
 * the next free one: those of a mix lie in a row, in the order in which they first occur. What
 * depends on a mix has in deps[] one dependence in a row for each of these sets of values, on the
 * first instruction that has it: all but the set of the instance in question hold nothing. */

/* Whether an instruction as written is INSTR and others. */
static inline bool
wp_instr_is_mixed (const WpInstr *instr)
{
  return instr->cost->mix > 1;
}

/* How many in a row are one as written, from INSTR, the first of these, on. */
static inline uint32_t
wp_instr_count_contexts (const WpInstr *instr)
{
  return instr->cost->mix > 1 ? instr->cost->mix : 1;
}

/* The first of those that are one as written with INSTR, of any array. */
static inline const WpInstr *
wp_instr_get_first (const WpInstr *instr)
{
  return instr - instr->cost->mix_place;
}

/* The share of the instances of its mix that are INSTR. */
static inline double
wp_instr_get_share (const WpInstr *instr)
{
  const WpInstr *last = wp_instr_get_first (instr) + instr->cost->mix - 1;
  uint32_t before = instr->cost->mix_place > 0 ? instr[-1].cost->mix_upto : 0;

  return (double)(instr->cost->mix_upto - before) / (double)last->cost->mix_upto;
}

/* Whether INSTR is a barrier, at which its warp waits. */
static inline bool
wp_instr_is_barrier (const WpInstr *instr)
{
  return instr->cost->pipeline == WP_NO_PIPELINE && !instr->cost->posted;
}

/* Whether INSTR comes to a barrier without waiting there. */
static inline bool
wp_instr_is_arrive (const WpInstr *instr)
{
  return instr->cost->pipeline == WP_NO_PIPELINE && instr->cost->posted;
}

/* Whether INSTR comes to a barrier that a number of comings releases: who meets whom there depends
 * on times. */
static inline bool
wp_instr_meets_by_number (const WpMachine *machine, const WpInstr *instr)
{
  return instr->cost->pipeline == WP_NO_PIPELINE && instr->cost->barrier > 0
         && machine->barriers[instr->cost->barrier - 1].warps > 0;
}

/* How many SMs share an instance of PIPELINE where all are simulated. */
static inline uint32_t
wp_pipeline_get_shared (const WpPipelineDesc *pipeline)
{
  return pipeline->shared > 1 ? pipeline->shared : 1;
}

/* How many of the simulated SMs share that of SM (MODEL.md, section 12). */
static inline uint32_t
wp_machine_count_sharers (const WpMachine *machine, uint32_t pipeline, uint32_t sm)
{
  uint32_t k = wp_pipeline_get_shared (&machine->pipelines[pipeline]);
  uint32_t left = machine->simulated_sms - sm / k * k;

  return left < k ? left : k;
}

/* Whether that is the last group, of fewer SMs than the others. */
static inline bool
wp_machine_is_last_group (const WpMachine *machine, uint32_t pipeline, uint32_t sm)
{
  return wp_machine_count_sharers (machine, pipeline, sm)
         < wp_machine_count_sharers (machine, pipeline, 0);
}

/* How many instances of PIPELINE the simulated SMs have. */
static inline uint64_t
wp_machine_count_instances (const WpMachine *machine, uint32_t pipeline)
{
  const WpPipelineDesc *desc = &machine->pipelines[pipeline];
  uint32_t k = wp_pipeline_get_shared (desc);

  return desc->per_scheduler ? (uint64_t)machine->simulated_sms * machine->n_schedulers
                             : ((uint64_t)machine->simulated_sms + k - 1) / k;
}

/* Which set of values of its mix INSTR has. */
static inline uint32_t
wp_instr_get_set (const WpInstr *instr)
{
  const WpInstr *first = wp_instr_get_first (instr);

  return (instr->value - first->value) / (instr->n_kept > 1 ? instr->n_kept : 1);
}

/* The last pipeline that INSTR, no barrier, passes. */
static inline uint32_t
wp_instr_get_last_pipeline (const WpMachine *machine, const WpInstr *instr)
{
  return instr->cost->n_passes > 0
             ? machine->passes[instr->cost->first_pass + instr->cost->n_passes - 1].pipeline
             : instr->cost->pipeline;
}

/* Whether INSTR is on memory: its own pipeline, or one of its path (MODEL.md, sections 8 and 12). A
 * barrier is not. */
static inline bool
wp_instr_is_on_memory (const WpMachine *machine, const WpInstr *instr)
{
  bool memory
      = instr->cost->pipeline != WP_NO_PIPELINE && machine->pipelines[instr->cost->pipeline].memory;

  for (uint32_t i = 0; i < instr->cost->n_passes; i++)
    memory |= machine->pipelines[machine->passes[instr->cost->first_pass + i].pipeline].memory;
  return memory;
}

/* How many of its last completions a warp keeps. */
static inline uint32_t
wp_instr_get_kept (const WpInstr *instr)
{
  return instr->n_kept > 1 ? instr->n_kept : 1;
}

/* NULL if MACHINE keeps every promise made above that the engine relies on, else what is wrong
 * (static). Linear in its size. */
WP_API const char *wp_machine_check (const WpMachine *machine);

/* The dependences between the dynamic instructions of PROGRAM, those on instances that are not
 * there yet included; UINT64_MAX if they are more than that. O(code and dependences). */
WP_API uint64_t wp_machine_count_dependences (const WpMachine *machine, const WpProgram *program);

/* The row of programs that BLOCK's warps run. O(log block ranges). */
WP_API const WpRow *wp_machine_get_row (const WpMachine *machine, uint64_t block);

/* How many SMs, from a multiple of that on, have pipelines together that instructions pass: a
 * group, which meets others only where blocks are handed out. 1: none share any; the last group may
 * be smaller. At most simulated_sms. O(instructions and their paths + pipelines). */
WP_API uint32_t wp_machine_get_group (const WpMachine *machine);

/* How many pipelines the longest path of an instruction has. O(instrs). */
WP_API uint32_t wp_machine_find_longest_path (const WpMachine *machine);

/* The pipelines that some instruction passes, a bit for each. O(instructions and their paths). */
WP_API uint64_t wp_machine_find_passed (const WpMachine *machine);

/* Whether the context of an instruction is a mix (MODEL.md, section 13), of one context or of
 * several. O(instrs). */
WP_API bool wp_machine_has_mixes (const WpMachine *machine);

/* Whether instructions take random numbers, so that blocks of one program differ (MODEL.md,
 * sections 11 and 13). O(instrs). */
WP_API bool wp_machine_is_random (const WpMachine *machine);

/* The number of dynamic instructions of the whole run, for progress: a double, as it may exceed 64
 * bits. */
WP_API double wp_machine_count_instructions (const WpMachine *machine);

#ifdef __cplusplus
}
#endif
