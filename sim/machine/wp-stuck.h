/* SPDX-License-Identifier: MIT */
/* A run that stops before its end (MODEL.md, section 14). Plain C11. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Who has not terminated when nothing is left to happen: the first of them by SM and slot. */
typedef struct
{
  uint64_t n;        /* how many */
  uint64_t n_held;   /* of these, at a barrier that is not released */
  uint32_t sm, slot; /* of the first */
  uint64_t block;
  uint32_t warp;        /* of the block */
  bool held;            /* waits at a barrier; else it could issue, and was not chosen */
  uint32_t barrier;     /* which: as WpInstr has it */
  uint32_t instr;       /* its next instruction, or the barrier at which it waits, in the machine's
                          instrs[]; WP_NO_INSTR: not known */
  uint64_t barriers[2]; /* bit 0: somebody waits at the barrier without a name; bit i: at the i-th
                           with one; 65 bits */
} WpStuck;
