/* SPDX-License-Identifier: MIT */
/* Idealisations: what if one thing about a kernel on a GPU were ideal? Each is a row of the table
 * in wp-idealise.c. They change only the machine's data, so that an idealised run is a run like any
 * other; WpRunOptions.ideals asks wp_resolve() for them. They can be combined freely. Plain C11.
 *
 * wp_resolve() itself handles those that change how the files are read (contexts, hits, barriers,
 * occupancy). */
#pragma once

#include "sim/machine/wp-machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum
{
  WP_IDEAL_MEMORY_LATENCY,     /* what passes a pipeline of kind memory: completion 0, for all
                                  consumers */
  WP_IDEAL_MEMORY_BANDWIDTH,   /* pipelines of kind memory: issue 0, channel-issue and turnaround
                                  0, any number in flight */
  WP_IDEAL_COMPUTE_LATENCY,    /* all other pipelines: completion 0, for all consumers */
  WP_IDEAL_COMPUTE_THROUGHPUT, /* all other pipelines: the same */
  WP_IDEAL_SCHEDULERS,         /* interval 0, slots 1: any number of issues at a time */
  WP_IDEAL_CONTEXTS,           /* each instruction without its context */
  WP_IDEAL_BARRIERS,           /* the kernel without its barriers */
  WP_IDEAL_REPLACEMENT,        /* launch latency 0 */
  WP_IDEAL_OCCUPANCY,   /* whole blocks up to the GPU's limits of warps and threads; no other limit
                       * and no cap */
  WP_IDEAL_ILP_LATENCY, /* ilp-latency 0 */
  /* What follows is of GPUs that describe the way to memory (Volta and later), by the names of
   * their pipelines. Of all others it changes nothing. */
  WP_IDEAL_LSU,     /* the pipeline "lsu": issue 0, any number in flight */
  WP_IDEAL_L2,      /* the pipeline "l2": the same */
  WP_IDEAL_MEMORY,  /* the pipeline "memory": the same, and channel-issue and turnaround 0 */
  WP_IDEAL_L1_HITS, /* each load that may pass "memory" as if it hit in L1 */
  WP_IDEAL_L2_HITS, /* each access that may, as if it hit in L2 */
  WP_N_IDEALS
} WpIdealKind;

/* A set of idealisations is the sum of their bits. */
#define WP_IDEAL_BIT(kind) (UINT32_C (1) << (kind))

/* The parts of a machine that an idealisation may change: the machine's own arrays, writable. */
typedef struct
{
  WpMachine *machine;
  WpInstr *instrs;      /* [machine->n_instrs] */
  WpCost *const *costs; /* [n_costs]: those that instructions have, each once */
  uint32_t n_costs;
  WpDep *deps;               /* [machine->n_deps] */
  WpPass *passes;            /* [machine->n_passes] */
  WpPipelineDesc *pipelines; /* [machine->n_pipelines] */
} WpIdealParts;

typedef struct
{
  const char *name;   /* "memory-latency" */
  const char *thing;  /* "memory latency" */
  const char *title;  /* what it makes ideal: "memory latency 0" */
  const char *advice; /* what to do if it helps, a sentence or two */
  const char *absent; /* why there may be nothing to change: "the kernel has no barriers" */
  bool quiet; /* where there is nothing to change, nothing is said: the GPU has no such thing */
  const char
      *slower; /* how it may make a kernel slower, apart from scheduling anomalies; or NULL */
  /* Applies it and returns whether that changed anything. NULL: wp_resolve() does it. */
  bool (*apply) (const WpIdealParts *parts);
} WpIdeal;

WP_API const WpIdeal *wp_ideal_get (WpIdealKind kind);

/* Applies those of IDEALS that have an apply(), and returns the set of those that changed anything.
 * O(size of the machine). */
WP_API uint32_t wp_idealise (const WpIdealParts *parts, uint32_t ideals);

#ifdef __cplusplus
}
#endif
