/* SPDX-License-Identifier: MIT */
/* Loads and stores of all spaces, and constants. An address has its register at bit 24 and a signed
 * offset of 24 bits at 40; where bit 91 is 1, a uniform register is added, or is the descriptor of
 * the access (bit 76). */
#include "exec/sass/wp-sass-table.h"

#define OFFSET .offset = 40, .bits = 24
#define INDEX_64 ENUM (90, 1, U32, 64)

/* Of LDG and STG: the address as a 64-bit register; with a uniform register UR, up to sm_75, and
 * since; with a descriptor, which is not written before sm_90 where bit 101 is 0. */
#define PLAIN_ADDRESS MEMORY (.reg = 24, OFFSET)
#define GLOBAL_ADDRESS(UR)                                                                         \
  MEMORY_WHEN (WP_UNTIL (75), .reg = 24, .uniform = UR, OFFSET, .index = INDEX_64),                \
      MEMORY_WHEN (SINCE_80 (1), .reg = 24, .uniform = UR, OFFSET, .index = INDEX_64),             \
      MEMORY_WHEN (SINCE_90, .reg = 24, .descriptor = UR, OFFSET, .index = INDEX_64),              \
      { .kind = WP_SLOT_MEMORY,                                                                    \
        .when = BEFORE_90,                                                                         \
        .when_2 = WP_IS (101),                                                                     \
        .memory = { .reg = 24, .descriptor = UR, OFFSET, .index = INDEX_64 } },                    \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .when = BEFORE_90, .when_2 = WP_IS_NOT (101),                          \
    .memory                                                                                        \
        = {.reg = 24,                                                                              \
           OFFSET,                                                                                 \
           .index = INDEX_64 }                                                                     \
  }
#define SINCE_80(SET)                                                                              \
  {                                                                                                \
    .bit = 76, .width = 1, .set = SET, .since = 80                                                 \
  }
#define SINCE_90                                                                                   \
  {                                                                                                \
    .bit = 76, .width = 1, .set = 2, .since = 90                                                   \
  }
#define BEFORE_90                                                                                  \
  {                                                                                                \
    .bit = 76, .width = 1, .set = 2, .since = 80, .until = 89                                      \
  }

#define SIZE ENUM (73, 3, U8, S8, U16, S16, NONE, 64, 128)
#define REGISTERS .count = WP_COUNT (73, 3, 1, 1, 1, 1, 1, 2, 4)
#define EVICT ENUM (84, 3, EF, NONE, EL, LU, EU, NA)

const WpSassRow wp_sass_rows_memory[] = {
  { .op = WP_SASS_LDG,
    .code = 0x981,
    .since = 80,
    .match = { WP_IS (91) },
    .words = WORDS (FLAG (72, E), EVICT, ENUM (68, 2, NONE, LTC64B, LTC128B, LTC256B), SIZE,
                    ENUM (79, 2, NONE, NONE, NONE, NONE)),
    .slots
    = SLOTS (PRED_DEST (81, .omit = WP_OMIT_DEFAULT), REG_DEST (REGISTERS), GLOBAL_ADDRESS (32)) },
  { .op = WP_SASS_STG,
    .code = 0x986,
    .since = 80,
    .match = { WP_IS (91) },
    .words = WORDS (FLAG (72, E), EVICT, SIZE),
    .slots = SLOTS (GLOBAL_ADDRESS (64), REG (32, REGISTERS)) },
  { .op = WP_SASS_LDC,
    .code = 0xb82,
    .words
    = WORDS (ENUM (73, 3, U8, S8, U16, S16, NONE, 64, BAD, BAD), ENUM (78, 2, NONE, IL, IS, ISL)),
    .slots = SLOTS (REG_DEST (REGISTERS), INDEXED_CONSTANT (24)) },
  { 0 },
};
