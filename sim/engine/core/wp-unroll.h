/* SPDX-License-Identifier: MIT */
/* A program unrolled, for dataflow order: dynamic instructions with the dependences between them.
 * Private; plain C11.
 *
 * Barriers cut the program into stretches; what is behind a barrier may not issue before its
 * release.
 */
#pragma once

#include "sim/machine/wp-machine.h"

typedef struct
{
  uint32_t consumer; /* dynamic instruction */
  uint32_t dep;      /* in the machine's deps[]; on a mix the one on its first set */
  WpTick latency;
} WpSuccessor;

typedef struct
{
  uint32_t n;       /* dynamic instructions */
  uint32_t *instrs; /* [n]: as written, in the machine's instrs[] */
  uint32_t
      *n_waiting;  /* [n]: dependences (of a barrier: none; it waits for all that come before it) */
  uint32_t *first; /* [n + 1]: in successors[], of those that depend on it */
  WpSuccessor *successors;
  uint32_t *pipeline_first; /* [n_pipelines + 1]: how many instructions the pipelines before it
                               have, in all */
} WpUnrolled;

/* Unrolls programs[PROGRAM] of MACHINE. False when memory is out: wp_unrolled_clear() it all the
 * same. */
bool wp_unroll (const WpMachine *machine, uint32_t program, WpUnrolled *unrolled);
void wp_unrolled_clear (WpUnrolled *unrolled);
