/* SPDX-License-Identifier: MIT */
/* How often each instruction has been issued (MODEL.md, section 9). No issue is counted: a warp
 * executes all of its program, as often as the repeats around say, so that it follows from how many
 * warps have terminated and from where the others are. That takes a number for each program and
 * SM, instead of one for each instruction and SM.
 *
 * What a warp waits for after a chained instruction (wp-plan.h) follows from that, too, where the
 * fast loop runs: `chain`, each time.
 *
 * Mixes, of which random numbers choose one, and dataflow order, in which a warp is at no one place
 * of its program, are counted as they issue, in the results of the SMs. Private; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

typedef struct
{
  uint64_t *n_started; /* [n_programs]: warps, terminated or not */
  /* [n_code], of the warps that have not terminated: how many are at an instruction, or in a
   * repeat, at its beginning; at its end, how many more iterations these will begin. */
  uint64_t *here;
  uint32_t *around; /* [n_code]: the innermost repeat around, of its program, or WP_NO_ROUND; NULL:
                       there are no repeats */
  bool used;        /* not all of it is 0: what nobody has written takes no memory */
} WpTally;

/* False when memory is out: wp_tally_clear() it all the same. */
bool wp_tally_init (WpTally *tally, const WpMachine *machine);
void wp_tally_clear (WpTally *tally);

void wp_tally_reset (WpTally *tally, const WpMachine *machine);

/* Adds SM and its replicas. O(programs + warps x depth). */
void wp_tally_add_sm (WpTally *tally, const WpSm *sm);

/* Adds to RESULT what follows of all SMs that were added, which are of SM's device. O(code). */
void wp_tally_add_to_result (const WpTally *tally, const WpSm *sm, WpResult *result);
