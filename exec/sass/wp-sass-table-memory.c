/* SPDX-License-Identifier: MIT */
/* Loads and stores of all spaces, constants, copies to shared memory, and caches. */
#include "exec/sass/wp-sass-table-address.h"

#define ZERO_FILL FLAG_WHEN (87, ZD, WP_UNTIL (75))

/* What a load writes: whether it hit, and data. */
#define LOADED PRED_DEST (81, .omit = WP_OMIT_DEFAULT), REG_DEST (LOAD_REGISTERS)

/* The predicate of lanes that read zeros; its number is stored inverted. */
#define READS                                                                                      \
  {                                                                                                \
    .kind = WP_SLOT_PREDICATE, .bit = 64, .mods = { .invert = 67 }, .value = 7,                    \
    .omit = WP_OMIT_DEFAULT, .when = WP_SINCE (75)                                                 \
  }

/* The last size of sm_70 and sm_75 has two words. */
#define LOAD_SIZE                                                                                  \
  ENUM_WHEN (WP_UNTIL (75), 73, 3, NONE, NONE, NONE, NONE, NONE, NONE, NONE, U),                   \
      ENUM_WHEN (WP_UNTIL (75), 73, 3, U8, S8, U16, S16, NONE, 64, 128, 128),                      \
      ENUM_WHEN (WP_SINCE (80), 73, 3, U8, S8, U16, S16, NONE, 64, 128)
#define LOAD_REGISTERS .count = WP_COUNT (73, 3, 1, 1, 1, 1, 1, 2, 4, 4)
#define LOAD_WORDS FLAG (72, E), WP_EVICT, WP_PREFETCH, LOAD_SIZE, WP_LOAD_ORDER, ZERO_FILL
#define STORE_WORDS FLAG (72, E), WP_EVICT, WP_SIZE, WP_STORE_ORDER
#define WIDE_OFFSET .offset = 32, .bits = 32

/* LDGSTS: where in shared memory, and from where; sizes and prefetch one bit higher since the
 * uniform register has 8 bits. */
#define FROM .offset = 32, .bits = 12, .omits_urz = TRUE
#define TO .offset = 44, .bits = 20
#define COPY_ORDER                                                                                 \
  ENUM (77, 4, NONE, CONSTANT, CONSTANT, CONSTANT, CONSTANT, MMIO, BAD, MMIO, MMIO, CONSTANT,      \
        MMIO, CONSTANT, MMIO, CONSTANT, CONSTANT, CONSTANT),                                       \
      ENUM (77, 4, NONE, NONE, CTA, CTA, NONE, CTA, BAD, CTA, SM, SM, VC, SM, GPU, VC, VC, GPU),   \
      ENUM (77, 4, NONE, PRIVATE, NONE, PRIVATE, NONE, NONE, BAD, PRIVATE, NONE, NONE, NONE,       \
            PRIVATE, NONE, NONE, PRIVATE, NONE)
#define COPY_WORDS                                                                                 \
  ALWAYS (E), UNLESS (81, BYPASS), WP_EVICT,                                                       \
      ENUM_WHEN (WP_UNTIL (99), 71, 2, NONE, LTC64B, LTC128B, LTC256B),                            \
      ENUM_WHEN (WP_SINCE (100), 72, 2, NONE, LTC64B, LTC128B, LTC256B),                           \
      ENUM_WHEN (WP_UNTIL (99), 73, 3, BAD, BAD, BAD, BAD, NONE, 64, 128),                         \
      ENUM_WHEN (WP_SINCE (100), 74, 2, NONE, 64, 128), FLAG (82, ZFILL), COPY_ORDER

/* 256 bits, in two operands of four registers each: of a load the second operand has the lower 16
 * bytes, of a store the first. Which of the eight words are meant is a mask, left out where it is
 * all. */
#define WIDE_POLICY ENUM (81, 2, EFL2, ENL2, ELL2, RML2)
#define WIDE_LOAD_WORDS                                                                            \
  ALWAYS (E), WP_EVICT, WIDE_POLICY, ENUM (73, 2, NONE, LTC64B, LTC128B, LTC256B), ALWAYS (256),   \
      WP_LOAD_ORDER
#define WIDE_STORE_WORDS ALWAYS (E), WP_EVICT, WIDE_POLICY, ALWAYS (256), WP_STORE_ORDER
#define WIDE_READS                                                                                 \
  {                                                                                                \
    .kind = WP_SLOT_PREDICATE, .bit = 87, .mods = { .invert = 90 }, .value = 7,                    \
    .omit = WP_OMIT_DEFAULT                                                                        \
  }

const WpSassRow wp_sass_rows_memory[] = {
  { .op = WP_SASS_LDG,
    .code = 0x97e,
    .since = 100,
    .match = { WP_IS (91) },
    .words = WORDS (WIDE_LOAD_WORDS),
    .slots = SLOTS (REG (64, .n = 4, .is_dest = TRUE), REG_DEST (.n = 4),
                    WP_GLOBAL_ADDRESS_AT (32, ALWAYS (64), .offset = 40, .bits = 17, .scale = 32),
                    IMM (72, 1, .low = 57, .low_width = 7, .omit = WP_OMIT_ALL_ONES), WIDE_READS) },
  { .op = WP_SASS_STG,
    .code = 0x97f,
    .since = 100,
    .match = { WP_IS (91) },
    .words = WORDS (WIDE_STORE_WORDS),
    .slots = SLOTS (WP_GLOBAL_ADDRESS_AT (64, ALWAYS (64), .offset = 40, .bits = 19, .scale = 32),
                    REG (32, .n = 4), REG (16, .n = 4),
                    IMM (88, 3, .low = 59, .low_width = 5, .omit = WP_OMIT_ALL_ONES)) },
  { .op = WP_SASS_LDG,
    .code = 0x381,
    .words = WORDS (LOAD_WORDS),
    .slots = SLOTS (LOADED, WP_ADDRESS, READS) },
  { .op = WP_SASS_LDG,
    .code = 0x981,
    .since = 75,
    .match = { WP_IS (91) },
    .words = WORDS (LOAD_WORDS),
    .slots = SLOTS (LOADED, WP_GLOBAL_ADDRESS (32), READS) },
  { .op = WP_SASS_STG,
    .code = 0x386,
    .words = WORDS (STORE_WORDS),
    .slots = SLOTS (WP_ADDRESS, REG (32, WP_SIZE_REGISTERS)) },
  { .op = WP_SASS_STG,
    .code = 0x986,
    .since = 75,
    .match = { WP_IS (91) },
    .words = WORDS (STORE_WORDS),
    .slots = SLOTS (WP_GLOBAL_ADDRESS (64), REG (32, WP_SIZE_REGISTERS)) },
  { .op = WP_SASS_LD,
    .code = 0x980,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (LOAD_WORDS),
    .slots = SLOTS (REG_DEST (WP_SIZE_REGISTERS), MEMORY (.reg = 24, WIDE_OFFSET), READS) },
  { .op = WP_SASS_LD,
    .code = 0x980,
    .since = 75,
    .words = WORDS (LOAD_WORDS),
    .slots = SLOTS (REG_DEST (WP_SIZE_REGISTERS), WP_GLOBAL_ADDRESS (32), READS) },
  { .op = WP_SASS_ST,
    .code = 0x385,
    .words = WORDS (STORE_WORDS),
    .slots = SLOTS (MEMORY (.reg = 24, WIDE_OFFSET), REG (64, WP_SIZE_REGISTERS)) },
  { .op = WP_SASS_ST,
    .code = 0x985,
    .since = 75,
    .match = { WP_IS (91) },
    .words = WORDS (STORE_WORDS),
    .slots = SLOTS (WP_GLOBAL_ADDRESS (64), REG (32, WP_SIZE_REGISTERS)) },

  { .op = WP_SASS_LDS,
    .code = 0x984,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (FLAG_WHEN (76, U, WP_UNTIL (75)), WP_SIZE),
    .slots = SLOTS (REG_DEST (WP_SIZE_REGISTERS), WP_SHARED_ADDRESS) },
  { .op = WP_SASS_LDS,
    .code = 0x984,
    .since = 75,
    .words = WORDS (FLAG_WHEN (76, U, WP_UNTIL (75)), WP_SIZE),
    .slots = SLOTS (REG_DEST (WP_SIZE_REGISTERS), WP_SHARED_ADDRESS_UR (32)) },
  { .op = WP_SASS_STS,
    .code = 0x388,
    .words = WORDS (WP_SIZE),
    .slots = SLOTS (WP_SHARED_ADDRESS, REG (32, WP_SIZE_REGISTERS)) },
  { .op = WP_SASS_STS,
    .code = 0x988,
    .since = 75,
    .match = { WP_IS (91) },
    .words = WORDS (WP_SIZE),
    .slots = SLOTS (WP_SHARED_ADDRESS_UR (64), REG (32, WP_SIZE_REGISTERS)) },
  { .op = WP_SASS_LDL,
    .code = 0x983,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (WP_EVICT, WP_SIZE),
    .slots = SLOTS (REG_DEST (WP_SIZE_REGISTERS), WP_ADDRESS) },
  { .op = WP_SASS_LDL,
    .code = 0x983,
    .since = 75,
    .words = WORDS (WP_EVICT, WP_SIZE),
    .slots = SLOTS (REG_DEST (WP_SIZE_REGISTERS), MEMORY (.reg = 24, .uniform = 32, WP_OFFSET)) },
  { .op = WP_SASS_STL,
    .code = 0x387,
    .words = WORDS (WP_EVICT, WP_SIZE),
    .slots = SLOTS (WP_ADDRESS, REG (32, WP_SIZE_REGISTERS)) },
  { .op = WP_SASS_STL,
    .code = 0x987,
    .since = 75,
    .match = { WP_IS (91) },
    .words = WORDS (WP_EVICT, WP_SIZE),
    .slots = SLOTS (MEMORY (.reg = 24, .uniform = 64, WP_OFFSET), REG (32, WP_SIZE_REGISTERS)) },

  { .op = WP_SASS_LDC,
    .code = 0xb82,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (ENUM (73, 3, U8, S8, U16, S16, NONE, 64), ENUM (78, 2, NONE, IL, IS, ISL)),
    .slots = SLOTS (REG_DEST (WP_SIZE_REGISTERS), INDEXED_CONSTANT (24)) },
  { .op = WP_SASS_LDGSTS,
    .code = 0xfae,
    .since = 80,
    .match = { WP_IS (91) },
    .words = WORDS (COPY_WORDS),
    .slots = SLOTS (MEMORY (.reg = 16, TO), WP_GLOBAL_ADDRESS_AT (64, ALWAYS (64), FROM),
                    PRED (87, .omit = WP_OMIT_DEFAULT)) },
  { .op = WP_SASS_LDGSTS,
    .code = 0xdae,
    .since = 80,
    .match = { WP_IS (91) },
    .words = WORDS (COPY_WORDS),
    .slots
    = SLOTS (MEMORY (.reg = 16, .uniform = 64, TO), MEMORY (.reg = 24, FROM, .index = ALWAYS (64)),
             PRED (87, .omit = WP_OMIT_DEFAULT)) },
  { .op = WP_SASS_CCTL,
    .code = 0x98f,
    .match = { WP_IS_NOT (91) },
    .words
    = WORDS (FLAG (72, E), ENUM (78, 3, NONE, U, C, I),
             ENUM (87, 4, PF1, PF2, WB, IV, IVALL, RS, IVALLP, WBALL, BAD, PML2, DML2, RML2)),
    .slots = SLOTS ({ .kind = WP_SLOT_MEMORY,
                      .when = WP_WHEN (87, 4, 0xe2f),
                      .memory = { .reg = 24, WIDE_OFFSET } }) },
  { .op = WP_SASS_CCTL,
    .code = 0xd8f,
    .since = 75,
    .match = { WP_IS (91) },
    .words
    = WORDS (FLAG (72, E), ENUM (78, 3, NONE, U, C, I), ENUM (87, 3, PF1, PF2, WB, IV, BAD, RS)),
    .slots = SLOTS (MEMORY (.reg = 24, .uniform = 32, WP_OFFSET)) },
  { .op = WP_SASS_CCTL, /* of a tensor map in memory, before UTMACCTL */
    .code = 0x540,
    .since = 100,
    .match = { WP_IS (91) },
    .words = WORDS (ALWAYS (E), ENUM (78, 3, NONE, U, C, I), ALWAYS (LDCU),
                    ENUM (87, 3, PF1, PF2, WB, IV, BAD, RS), FLAG (86, DEEP)),
    .slots = SLOTS (MEMORY (.uniform = 24)) },
  { .op = WP_SASS_CCTLL,
    .code = 0x990,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (ENUM (87, 3, PF1, PF2, WB, IV, IVALL, RS, IVALLP, WBALL)),
    .slots = SLOTS ({ .kind = WP_SLOT_MEMORY,
                      .when = WP_WHEN (87, 3, 0x2f),
                      .memory = { .reg = 24, WP_OFFSET } }) },
  { .op = WP_SASS_QSPC,
    .code = 0x3aa,
    .words = WORDS (FLAG (72, E), ENUM (73, 2, G, L, S, D)),
    .slots = SLOTS (PRED_DEST (81), REG_DEST (), WP_ADDRESS) },
  { .op = WP_SASS_QSPC,
    .code = 0x9aa,
    .since = 75,
    .match = { WP_IS (91) },
    .words = WORDS (FLAG (72, E), ENUM (73, 2, G, L, S, D)),
    .slots = SLOTS (PRED_DEST (81), REG_DEST (), WP_GLOBAL_ADDRESS (32)) },
  { .op = WP_SASS_ARRIVES,
    .code = 0x9b0,
    .since = 80,
    .match = { WP_IS (91), WP_WHEN (72, 4, 0x400) },
    .words = WORDS (ALWAYS (LDGSTSBAR), ALWAYS (64),
                    ENUM_WHEN (WP_BETWEEN (90, 99), 70, 2, NONE, ARVCNT, TRANSCNT),
                    ENUM_WHEN (WP_SINCE (100), 76, 2, NONE, ARVCNT, TRANSCNT)),
    .slots = SLOTS (MEMORY (.reg = 24, .uniform = 64, WP_OFFSET)) },
  { 0 },
};
