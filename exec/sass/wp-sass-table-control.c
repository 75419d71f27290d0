/* SPDX-License-Identifier: MIT */
/* Control flow and what orders instructions. Opcodes: NVIDIA's cuda-binary-utilities list names
 * them; places of fields as Mesa's NAK and CuAssembler have them, held against a disassembler. */
#include "exec/sass/wp-sass-table.h"

const WpSassRow wp_sass_rows_control[] = {
  { .op = WP_SASS_BRA,
    .code = 0x947,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (ENUM (32, 2, NONE, U, DIV, CONV), ENUM (85, 2, NONE, INC, DEC, BAD)),
    .slots = SLOTS (PRED (87, .omit = WP_OMIT_DEFAULT), TARGET) },
  { .op = WP_SASS_EXIT,
    .code = 0x94d,
    .words = NO_WORDS,
    .slots = SLOTS (PRED (87, .omit = WP_OMIT_DEFAULT)) },
  { .op = WP_SASS_NOP, .code = 0x918, .words = NO_WORDS, .slots = NO_SLOTS },
  { .op = WP_SASS_S2R,
    .code = 0x919,
    .words = NO_WORDS,
    .slots = SLOTS (REG_DEST (), SPECIAL (72)) },
  { .op = WP_SASS_S2UR,
    .code = 0x9c3,
    .words = NO_WORDS,
    .slots = SLOTS (UREG_DEST (), SPECIAL (72)) },
  { 0 },
};
