/* SPDX-License-Identifier: MIT */
/* A machine in which each mix is one instruction with the means of its contexts (MODEL.md, section
 * 13), for the bounds. Private; plain C11. */
#pragma once

#include "sim/machine/wp-machine.h"

/* The instructions have the places that they have in the machine that it was made of; the first of
 * each mix has the means, and those behind it, to which no code leads, are as they were. */
typedef struct
{
  WpMachine machine; /* of finer ticks; not one that wp_machine_check() would accept */
  WpInstr *instrs;
  WpCost *costs; /* [n_instrs]: each has its own */
  WpDep *deps;
  WpPass *passes;
  WpPipelineDesc *pipelines;
  WpTick *slots; /* [n_instrs]: how long the slot of each lasts, beyond the interval; of a mean */
  bool overflow; /* a time does not fit into these ticks */
} WpBoundsMeans;

/* False when memory is out; wp_bounds_means_clear() it all the same. O(MACHINE x contexts). */
bool wp_bounds_means_init (WpBoundsMeans *means, const WpMachine *machine);
void wp_bounds_means_clear (WpBoundsMeans *means);
