/* SPDX-License-Identifier: MIT */
/* The uniform datapath: one value for all lanes of a warp. Before sm_100 its constants have places
 * of their own; registers have 6 bits there, and 8 since. */
#include "exec/sass/wp-sass-table.h"

#define SIZE ENUM (73, 3, U8, S8, U16, S16, NONE, 64, BAD, BAD)
#define REGISTERS .count = WP_COUNT (73, 3, 1, 1, 1, 1, 1, 2, 4)

const WpSassRow wp_sass_rows_uniform[] = {
  { .op = WP_SASS_ULDC,
    .code = 0xab9,
    .until = 90,
    .guard_uniform = TRUE,
    .words = WORDS (SIZE),
    .slots = SLOTS (UREG_DEST (REGISTERS), CONSTANT ()) },
  { .op = WP_SASS_LDCU,
    .code = 0x7ac,
    .since = 100,
    .guard_uniform = TRUE,
    .words = WORDS (SIZE, ENUM (80, 2, NONE, TEXUNPACK, HDRUNPACK, BAD)),
    .slots = SLOTS (UREG_DEST (REGISTERS), UNIFORM_CONSTANT (24)) },
  { 0 },
};
