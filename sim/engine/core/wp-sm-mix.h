/* SPDX-License-Identifier: MIT */
/* Mixes (MODEL.md, section 13): which of the instructions that are one as written issues, and what
 * the warp keeps of it. Private; plain C11.
 *
 * When it last started is kept by the set of those that complete alike, and the places of all other
 * sets of the mix hold nothing: who depends on each set waits for the one that there is.
 *
 *   set 0   t_3  never t_1        the last three instances, the most recent one first:
 *   set 1  never  t_2  never      set 0, set 1, set 0
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"

/* MODEL.md, section 13: of OP, the first of a mix, the one that dynamic instruction K of WARP is.
 * O(log contexts). */
const WpOp *wp_sm_take_context (const WpSm *sm, const WpWarp *warp, const WpOp *op, uint64_t k);

/* Whether what WARP, which has been chosen, issues now may meet others: of a mix that is known by
 * now, where nothing goes out with it. Where it does not, whoever asks has the warp issue at once.
 * O(repeats open, log contexts). */
bool wp_sm_meets (WpSm *sm, WpWarp *warp);

/* The values that WARP keeps of OP make room for a new one at op->value, which is to be written. OP
 * keeps several, or is of a mix: O(those that are kept, of all sets). */
void wp_sm_shift_values (const WpSm *sm, WpWarp *warp, const WpOp *op);

/* The same of who wrote them. */
void wp_sm_shift_writers (const WpSm *sm, WpWarp *warp, const WpOp *op);
