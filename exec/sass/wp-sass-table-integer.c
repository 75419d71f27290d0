/* SPDX-License-Identifier: MIT */
/* Whole numbers, bits and moves between registers. */
#include "exec/sass/wp-sass-table.h"

#define COMPARE ENUM (76, 3, F, LT, EQ, LE, GT, NE, GE, T)
#define BOOLEAN ENUM (74, 2, AND, OR, XOR, BAD)

const WpSassRow wp_sass_rows_integer[] = {
  { .op = WP_SASS_MOV,
    .code = 0x002,
    .forms = WP_FORMS_B,
    .words = NO_WORDS,
    .slots = SLOTS (REG_DEST (), ALU_B ()) },
  { .op = WP_SASS_IMAD,
    .code = 0x024,
    .forms = WP_FORMS_ALL,
    .words = WORDS (UNLESS (73, U32), FLAG (74, X)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (),
                    ALU_C (.mods = WP_NEGATE (63), .mods_at_64 = WP_NEGATE (75))) },
  { .op = WP_SASS_IMAD,
    .code = 0x025,
    .forms = WP_FORMS_ALL,
    .words = WORDS (ALWAYS (WIDE), UNLESS (73, U32)),
    .slots = SLOTS (REG_DEST (.n = 2), PRED_DEST (81, .omit = WP_OMIT_DEFAULT), REG_A (), ALU_B (),
                    ALU_C (.n = 2)) },
  { .op = WP_SASS_ISETP,
    .code = 0x00c,
    .forms = WP_FORMS_B,
    .words = WORDS (COMPARE, UNLESS (73, U32), BOOLEAN, FLAG (72, EX)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), REG_A (), ALU_B (), PRED (87),
                    PRED (68, .when = WP_IS (72))) },
  { 0 },
};
