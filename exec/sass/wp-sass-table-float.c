/* SPDX-License-Identifier: MIT */
/* Single and double precision. */
#include "exec/sass/wp-sass-table.h"

#define ROUND ENUM (78, 2, NONE, RM, RP, RZ)

const WpSassRow wp_sass_rows_float[] = {
  { .op = WP_SASS_FFMA,
    .code = 0x023,
    .forms = WP_FORMS_ALL,
    .words = WORDS (ENUM2 (80, 1, 76, 1, NONE, FTZ, FMZ, BAD), ROUND, FLAG (77, SAT)),
    .slots = SLOTS (REG_DEST (), REG_A (.mods = WP_NEGATE_ABS (72, 73)),
                    ALU_B (.immediate = WP_IMMEDIATE_F32, WP_MODS_F32),
                    ALU_C (.immediate = WP_IMMEDIATE_F32, WP_MODS_F32)) },
  { 0 },
};
