/* SPDX-License-Identifier: MIT */
/* The idealised machine on which a block's latency is what bounds it (MODEL.md, section 10): one
 * block, and nothing in its way. No pipeline keeps anybody waiting (all λ are 0), a scheduler
 * issues whatever is ready, memory is never contended, and a launch takes no time. Private; plain
 * C11.
 */
#pragma once

#include "sim/bounds/wp-bounds-data.h"

typedef struct
{
  WpMachine machine;
  WpProgram *programs;  /* [n_segments]: warp I of the block runs program I */
  WpSegment *segments;  /* likewise */
  WpInstr *instrs;      /* of these programs alone */
  WpCost *costs;        /* [n_instrs]: each has its own */
  uint32_t *written_at; /* [n_instrs]: what each is in the whole machine's instrs[] */
  WpDep *deps;
  WpPipelineDesc *pipelines;
  WpCode *code;
  WpPass *passes;
  WpRow row;
  WpBlockRange range;
} WpUnlimited;

/* MACHINE with one block that has one warp of each of SEGMENTS, N of them. False when memory is
 * out: UNLIMITED is clear then. O(code of these). */
bool wp_unlimited_init (WpUnlimited *unlimited, const WpMachine *machine, uint32_t n,
                        const WpBoundsSegment *segments);

/* Makes it one without memory; so it is, too, where it is all 0. */
void wp_unlimited_clear (WpUnlimited *unlimited);
