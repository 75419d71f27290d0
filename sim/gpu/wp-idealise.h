/* SPDX-License-Identifier: MIT */
/* What a kernel on a GPU would be if one thing about it were ideal: each idealisation is a line of
 * the table in wp-idealise.c. They change the machine only, never how it runs, so that an idealised
 * run is a run like any other; WpRunOptions.ideals asks wp_resolve() for them. Several go together
 * in any way. Plain C11.
 *
 * What needs the files to be read another way (contexts, barriers, occupancy) is done by
 * wp_resolve() itself.
 */
#pragma once

#include "sim/machine/wp-machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum
{
  WP_IDEAL_MEMORY_LATENCY,     /* pipelines of kind memory: completion 0, for all consumers */
  WP_IDEAL_MEMORY_BANDWIDTH,   /* theirs: issue 0, and channel-issue 0 */
  WP_IDEAL_COMPUTE_LATENCY,    /* the same of the other pipelines */
  WP_IDEAL_COMPUTE_THROUGHPUT, /* likewise */
  WP_IDEAL_SCHEDULERS,         /* interval 0, slots 1: any number of issues at a time */
  WP_IDEAL_CONTEXTS,           /* each instruction without its context */
  WP_IDEAL_BARRIERS,           /* the kernel without its barriers */
  WP_IDEAL_REPLACEMENT,        /* launch latency 0 */
  WP_IDEAL_OCCUPANCY, /* whole blocks up to the GPU's limits of warps and threads, no other limit or
                         cap */
  WP_IDEAL_ILP_LATENCY, /* ilp-latency 0 */
  WP_N_IDEALS
} WpIdealKind;

/* A set of them is the sum of these. */
#define WP_IDEAL_BIT(kind) (UINT32_C (1) << (kind))

/* The parts of a machine that may be changed: its own arrays. */
typedef struct
{
  WpMachine *machine;
  WpInstr *instrs;           /* [machine->n_instrs] */
  WpDep *deps;               /* [machine->n_deps] */
  WpPipelineDesc *pipelines; /* [machine->n_pipelines] */
} WpIdealParts;

typedef struct
{
  const char *name;   /* "memory-latency" */
  const char *thing;  /* "memory latency" */
  const char *title;  /* it, ideal: "memory latency 0" */
  const char *advice; /* what to do about it, a sentence or two */
  const char *absent; /* why there was nothing to change: "the kernel has no barriers" */
  const char
      *slower; /* how it may make a kernel slower, other than by a scheduling anomaly; or NULL */
  /* Makes it so; whether that changed anything. NULL: wp_resolve() does it. */
  bool (*apply) (const WpIdealParts *parts);
} WpIdeal;

WP_API const WpIdeal *wp_ideal_get (WpIdealKind kind);

/* Applies those of IDEALS that have an apply(), and returns which of these changed anything. O(size
 * of the machine). */
WP_API uint32_t wp_idealise (const WpIdealParts *parts, uint32_t ideals);

#ifdef __cplusplus
}
#endif
