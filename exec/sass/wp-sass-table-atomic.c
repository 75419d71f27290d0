/* SPDX-License-Identifier: MIT */
/* Atomics of global, generic and shared memory. Encodings: Mesa's NAK (sm70_encode.rs) and the text
 * of each instruction with its bits changed one by one. */
#include "exec/sass/wp-sass-table-address.h"

#define EXTENDED FLAG (72, E)
#define OPERATION ENUM (87, 4, ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH, SAFEADD)
#define OPERATION_OF_RED ENUM (87, 3, ADD, MIN, MAX, INC, DEC, AND, OR, XOR)
#define OPERATION_OF_FLOAT ENUM (88, 2, ADD, MIN, MAX)
#define ORDER                                                                                      \
  ENUM_WHEN (WP_UNTIL (75), 79, 2, BAD, NONE, STRONG, BAD),                                        \
      ENUM_WHEN (WP_UNTIL (75), 77, 2, CTA, SM, GPU, SYS), FLAG_WHEN (76, PRIVATE, WP_UNTIL (75)), \
      WP_ORDER (STRONG, SM, PRIVATE)

/* Types up to sm_89: whole numbers and floating point in one table. RN stands after what rounds. */
#define TYPE                                                                                       \
  ENUM_WHEN (WP_UNTIL (89), 73, 3, NONE, S32, 64, F32, F16X2, S64, F64, BAD),                      \
      ENUM_WHEN (WP_UNTIL (89), 73, 3, NONE, NONE, NONE, FTZ, NONE, NONE, NONE, NONE),             \
      ENUM_WHEN (WP_UNTIL (89), 73, 3, NONE, NONE, NONE, RN, RN, NONE, RN, NONE),                  \
      ENUM_WHEN (WP_SINCE (90), 73, 3, NONE, S32, 64, S64, 128)
#define TYPE_REGISTERS .count = WP_COUNT (73, 3, 1, 1, 2, 1, 1, 2, 2), .when = WP_UNTIL (89)
#define TYPE_REGISTERS_90 .count = WP_COUNT (73, 3, 1, 1, 2, 2, 4), .when = WP_SINCE (90)

/* Since sm_90 floating point has opcodes of its own, and vectors. */
#define FLOAT_TYPE                                                                                 \
  ENUM (73, 4, F16X2, F16X4, F16X8, BF16X2, BF16X4, BF16X8, BAD, BAD, BAD, F32, F32X2, F32X4, F32, \
        F32X2, F32X4, F64),                                                                        \
      ENUM (73, 4, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, FTZ, FTZ, FTZ, NONE,      \
            NONE, NONE, NONE),                                                                     \
      ALWAYS (RN)
#define FLOAT_REGISTERS .count = WP_COUNT (73, 4, 1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2)

#define DATA REG (32, TYPE_REGISTERS), REG (32, TYPE_REGISTERS_90)
#define RETURNED PRED_DEST (81), REG_DEST (TYPE_REGISTERS), REG_DEST (TYPE_REGISTERS_90)

/* Bit BIT on the targets SINCE to UNTIL: whether the uniform register is added (0), or is the
 * descriptor (1), which is not written before sm_90 where bit 101 is 0. */
#define WHEN_BIT(BIT, VALUE, SINCE, UNTIL)                                                         \
  {                                                                                                \
    .bit = BIT, .width = 1, .set = 1 << VALUE, .since = SINCE, .until = UNTIL                      \
  }
#define WIDE_AT(BIT) ENUM (BIT, 1, U32, 64)
#define SUM(WHEN, WIDE, ...)                                                                       \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .when = WHEN,                                                          \
    .memory                                                                                        \
        = {.reg = 24,                                                                              \
           .uniform = 64,                                                                          \
           .index = WIDE_AT (WIDE),                                                                \
           .offset = 40,                                                                           \
           __VA_ARGS__ }                                                                           \
  }
#define DESCRIBED(WHEN, WIDE, ...)                                                                 \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .when = WHEN,                                                          \
    .memory                                                                                        \
        = {.reg = 24,                                                                              \
           .descriptor = 64,                                                                       \
           .index = WIDE_AT (WIDE),                                                                \
           .offset = 40,                                                                           \
           __VA_ARGS__ }                                                                           \
  }
#define OLD_DESCRIPTOR WHEN_BIT (71, 1, 80, 89)
#define UP_TO_90(WIDE)                                                                             \
  SUM (WP_UNTIL (75), WIDE, .bits = 24), SUM (WHEN_BIT (71, 0, 80, 99), WIDE, .bits = 24),         \
      DESCRIBED (WHEN_BIT (71, 1, 90, 99), WIDE, .bits = 24),                                      \
      MEMORY_WHEN_2 (OLD_DESCRIPTOR, WP_IS (101), .reg = 24, .descriptor = 64,                     \
                     .index = WIDE_AT (WIDE), WP_OFFSET),                                          \
      MEMORY_WHEN_2 (OLD_DESCRIPTOR, WP_IS_NOT (101), .reg = 24, .index = WIDE_AT (WIDE),          \
                     WP_OFFSET)

/* Since sm_100 a uniform register has 8 bits, and what says how wide R is, and which of both it is,
 * stands where the other fields leave room. */
#define ATOM_ADDRESS(DESCRIPTOR)                                                                   \
  UP_TO_90 (70), SUM (WHEN_BIT (DESCRIPTOR, 0, 100, 0), 63, .bits = 23),                           \
      DESCRIBED (WHEN_BIT (DESCRIPTOR, 1, 100, 0), 63, .bits = 23)
#define RED_ADDRESS                                                                                \
  UP_TO_90 (90), SUM (WHEN_BIT (81, 0, 100, 0), 90, .bits = 24),                                   \
      DESCRIBED (WHEN_BIT (81, 1, 100, 0), 90, .bits = 24)

/* Compare and swap, CAST: by a table of values, or again until it succeeds. */
#define CAS_TYPE ENUM (73, 3, NONE, S32, 64, BAD, 128)
#define CAS_REGISTERS .count = WP_COUNT (73, 3, 1, 1, 2, 1, 4)
#define CAS_DATA REG (32, CAS_REGISTERS), REG (64, CAS_REGISTERS)

#define ATOMIC(OP, CODE_PLAIN, CODE_UNIFORM, CODE_CAS, CODE_FLOAT, CODE_FLOAT_UNIFORM)             \
  { .op = OP,                                                                                      \
    .code = CODE_PLAIN,                                                                            \
    .words = WORDS (EXTENDED, OPERATION, WP_EVICT, TYPE, ORDER),                                   \
    .slots = SLOTS (RETURNED, WP_ADDRESS, DATA) },                                                 \
      { .op = OP,                                                                                  \
        .code = CODE_UNIFORM,                                                                      \
        .since = 75,                                                                               \
        .match = { WP_IS (91) },                                                                   \
        .words = WORDS (EXTENDED, OPERATION, WP_EVICT, TYPE, ORDER),                               \
        .slots = SLOTS (RETURNED, ATOM_ADDRESS (76), DATA) },                                      \
      { .op = OP,                                                                                  \
        .code = CODE_CAS,                                                                          \
        .words = WORDS (EXTENDED, UNLESS (87, CAS), FLAG (87, CAST), FLAG (88, SPIN), WP_EVICT,    \
                        CAS_TYPE, ORDER),                                                          \
        .slots = SLOTS (PRED_DEST (81), REG_DEST (CAS_REGISTERS), WP_ADDRESS, CAS_DATA) },         \
      { .op = OP,                                                                                  \
        .code = CODE_FLOAT,                                                                        \
        .since = 90,                                                                               \
        .words = WORDS (EXTENDED, OPERATION_OF_FLOAT, WP_EVICT, FLOAT_TYPE, ORDER),                \
        .slots = SLOTS (PRED_DEST (81), REG_DEST (FLOAT_REGISTERS), WP_ADDRESS,                    \
                        REG (32, FLOAT_REGISTERS)) },                                              \
  {                                                                                                \
    .op = OP, .code = CODE_FLOAT_UNIFORM, .since = 90, .match = { WP_IS (91) },                    \
    .words = WORDS (EXTENDED, OPERATION_OF_FLOAT, WP_EVICT, FLOAT_TYPE, ORDER),                    \
    .slots = SLOTS (PRED_DEST (81), REG_DEST (FLOAT_REGISTERS), ATOM_ADDRESS (90),                 \
                    REG (32, FLOAT_REGISTERS))                                                     \
  }

#define REDUCTION(OP, SINCE, UNTIL)                                                                \
  { .op = OP,                                                                                      \
    .code = 0x98e,                                                                                 \
    .since = SINCE,                                                                                \
    .until = UNTIL,                                                                                \
    .match = { WP_IS_NOT (91) },                                                                   \
    .words = WORDS (EXTENDED, OPERATION_OF_RED, WP_EVICT, TYPE, ORDER),                            \
    .slots = SLOTS (WP_ADDRESS, DATA) },                                                           \
  {                                                                                                \
    .op = OP, .code = 0x98e, .since = SINCE, .until = UNTIL,                                       \
    .words = WORDS (EXTENDED, OPERATION_OF_RED, WP_EVICT, TYPE, ORDER),                            \
    .slots = SLOTS (RED_ADDRESS, DATA)                                                             \
  }

/* ATOMS: no order, and 32 bits but for EXCH and CAS. */
#define SHARED_TYPE CAS_TYPE
#define SHARED_REGISTERS CAS_REGISTERS

/* A count of what was added, or an arrival at a barrier: the address shows its URZ. */
static void
show_urz (const WpSassBits *bits, WpSassInstr *instr)
{
  instr->operands[1].is_uniform_index = TRUE;
  (void)bits;
}

#define SHARED_COUNT(SINCE, UNTIL, VALUE)                                                          \
  {                                                                                                \
    .op = WP_SASS_ATOMS, .code = 0xf8c, .since = SINCE, .until = UNTIL,                            \
    .match = { WP_WHEN (87, 4, 1 << VALUE) },                                                      \
    .words = WORDS (ALWAYS (POPC), ALWAYS (INC), ENUM (73, 2, 32)),                                \
    .slots = SLOTS (REG_DEST (), WP_SHARED_ADDRESS_UR (64)), .finish = show_urz                    \
  }
#define SHARED_ARRIVE(SINCE, UNTIL, VALUE)                                                         \
  {                                                                                                \
    .op = WP_SASS_ATOMS, .code = 0xf8c, .since = SINCE, .until = UNTIL,                            \
    .match = { WP_WHEN (87, 4, 1 << VALUE) },                                                      \
    .words = WORDS (ALWAYS (ARRIVE), ENUM (73, 2, BAD, BAD, 64)),                                  \
    .slots = SLOTS (REG_DEST (.n = 2), WP_SHARED_ADDRESS_UR (64)), .finish = show_urz              \
  }

const WpSassRow wp_sass_rows_atomic[] = {
  ATOMIC (WP_SASS_ATOMG, 0x3a8, 0x9a8, 0x3a9, 0x3a3, 0x9a3),
  ATOMIC (WP_SASS_ATOM, 0x38a, 0x98a, 0x38b, 0x3a2, 0x9a2),
  REDUCTION (WP_SASS_RED, 0, 89),
  REDUCTION (WP_SASS_REDG, 90, 0),
  { .op = WP_SASS_REDG,
    .code = 0x9a6,
    .since = 90,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (EXTENDED, OPERATION_OF_FLOAT, WP_EVICT, FLOAT_TYPE, ORDER),
    .slots = SLOTS (WP_ADDRESS, REG (32, FLOAT_REGISTERS)) },
  { .op = WP_SASS_REDG,
    .code = 0x9a6,
    .since = 90,
    .words = WORDS (EXTENDED, OPERATION_OF_FLOAT, WP_EVICT, FLOAT_TYPE, ORDER),
    .slots = SLOTS (RED_ADDRESS, REG (32, FLOAT_REGISTERS)) },

  { .op = WP_SASS_ATOMS,
    .code = 0x38c,
    .words = WORDS (OPERATION, SHARED_TYPE),
    .slots = SLOTS (REG_DEST (SHARED_REGISTERS), WP_SHARED_ADDRESS, REG (32, SHARED_REGISTERS)) },
  { .op = WP_SASS_ATOMS,
    .code = 0x98c,
    .since = 75,
    .match = { WP_IS (91) },
    .words = WORDS (OPERATION, SHARED_TYPE),
    .slots
    = SLOTS (REG_DEST (SHARED_REGISTERS), WP_SHARED_ADDRESS_UR (64), REG (32, SHARED_REGISTERS)) },
  { .op = WP_SASS_ATOMS,
    .code = 0x38d,
    .words = WORDS (UNLESS (87, CAS), FLAG (87, CAST), FLAG (88, SPIN), SHARED_TYPE),
    .slots = SLOTS (REG_DEST (SHARED_REGISTERS), WP_SHARED_ADDRESS, REG (32, SHARED_REGISTERS),
                    REG (64, SHARED_REGISTERS)) },
  /* What returns but whether it succeeded. */
  { .op = WP_SASS_ATOMS,
    .code = 0x58d,
    .since = 100,
    .words = WORDS (ENUM (87, 1, BAD, CAST), FLAG (88, SPIN), CAS_TYPE),
    .slots = SLOTS (PRED_DEST (81), WP_SHARED_ADDRESS, CAS_DATA) },
  SHARED_COUNT (80, 89, 10),
  SHARED_COUNT (90, 0, 11),
  SHARED_ARRIVE (80, 89, 9),
  SHARED_ARRIVE (90, 0, 10),
  { 0 },
};
