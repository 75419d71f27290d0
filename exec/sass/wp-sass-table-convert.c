/* SPDX-License-Identifier: MIT */
/* Conversions. Encodings: Mesa's NAK (sm70_encode.rs) and the text of each instruction with its
 * bits changed one by one. */
#include "exec/sass/wp-sass-table.h"

#define FTZ_FIELD FLAG (80, FTZ)
#define ROUND ENUM (78, 2, NONE, RM, RP, RZ)
#define ROUND_TO_WHOLE ENUM (78, 2, NONE, FLOOR, CEIL, TRUNC)
#define FLOAT_DEST ENUM (75, 3, BAD, F16, F32, F64, BF16)
#define FLOAT_SOURCE ENUM (84, 3, BAD, F16, F32, F64, BF16)

/* F32 and S32 are not said where there is but one type of that kind. */
#define FLOAT_DEST_QUIET ENUM (75, 3, BAD, F16, NONE, F64, BF16)
#define FLOAT_SOURCE_QUIET ENUM (84, 3, BAD, F16, NONE, F64, BF16)
#define WHOLE_DEST_QUIET ENUM2 (75, 2, 72, 1, U8, U16, U32, U64, S8, S16, NONE, S64)
#define WHOLE_SOURCE_QUIET ENUM2 (84, 2, 74, 1, U8, U16, U32, U64, S8, S16, NONE, S64)

/* A half, or a byte, of a register. */
#define FLOAT_PART ENUM_WHEN (WP_WHEN (84, 3, 1 << 1 | 1 << 4), 60, 2, NONE, H1)
#define BYTE_PART ENUM_WHEN (WP_WHEN (84, 2, 1 << 0), 60, 2, NONE, B1, B2, B3)
#define WORD_PART ENUM_WHEN (WP_WHEN (84, 2, 1 << 1), 60, 2, NONE, H1)

#define FLOAT_B(N_BY_TYPE, HOW)                                                                    \
  ALU_B (.count = N_BY_TYPE, .immediate = HOW,                                                     \
         .mods = { .negate = 63, .absolute = 62, .words = { FLOAT_PART } })
#define WHOLE_B                                                                                    \
  ALU_B (.count = WP_COUNT (84, 2, 1, 1, 1, 2), .mods = { .words = { BYTE_PART, WORD_PART } })
#define FLOAT_SIZE_DEST WP_COUNT (75, 3, 1, 1, 1, 2, 1)
#define FLOAT_SIZE_SOURCE WP_COUNT (84, 3, 1, 1, 1, 2, 1)
#define WHOLE_SIZE_DEST WP_COUNT (75, 2, 1, 1, 1, 2)

/* One opcode for 32 bits and fewer, another one where a type of 64 is among the two. */
#define F2F(OP, CODE, ...)                                                                         \
  {                                                                                                \
    .op = OP, .code = CODE, .forms = WP_FORMS_B, __VA_ARGS__,                                      \
    .words = WORDS (FTZ_FIELD, FLOAT_DEST, FLOAT_SOURCE, ROUND),                                   \
    .slots = SLOTS (REG_DEST (.count = FLOAT_SIZE_DEST),                                           \
                    FLOAT_B (FLOAT_SIZE_SOURCE, WP_IMMEDIATE_F32))                                 \
  }
#define F2I(OP, CODE, ...)                                                                         \
  {                                                                                                \
    .op = OP, .code = CODE, .forms = WP_FORMS_B, __VA_ARGS__,                                      \
    .words                                                                                         \
        = WORDS (FTZ_FIELD, WHOLE_DEST_QUIET, FLOAT_SOURCE_QUIET, ROUND_TO_WHOLE, FLAG (77, NTZ)), \
    .slots = SLOTS (REG_DEST (.count = WHOLE_SIZE_DEST),                                           \
                    FLOAT_B (FLOAT_SIZE_SOURCE, WP_IMMEDIATE_F32))                                 \
  }
#define I2F(OP, CODE, ...)                                                                         \
  {                                                                                                \
    .op = OP, .code = CODE, .forms = WP_FORMS_B, __VA_ARGS__,                                      \
    .words = WORDS (FLOAT_DEST_QUIET, WHOLE_SOURCE_QUIET, ROUND),                                  \
    .slots = SLOTS (REG_DEST (.count = FLOAT_SIZE_DEST), WHOLE_B)                                  \
  }
#define FRND(OP, CODE, ...)                                                                        \
  {                                                                                                \
    .op = OP, .code = CODE, .forms = WP_FORMS_B, __VA_ARGS__,                                      \
    .words = WORDS (FTZ_FIELD, FLOAT_DEST_QUIET, ROUND_TO_WHOLE),                                  \
    .slots = SLOTS (REG_DEST (.count = FLOAT_SIZE_DEST),                                           \
                    FLOAT_B (FLOAT_SIZE_SOURCE, WP_IMMEDIATE_F32))                                 \
  }

/* Narrow types, packed. What is packed or unpacked is three bits, and the operands go by it:
 * AB: both of two numbers; MERGE_C: below what C holds. */
#define F2FP_DEST                                                                                  \
  ENUM2 (76, 1, 85, 3, F16, BF16, BAD, E2M1, BAD, TF32, E2M3, E3M2, E5M2, E4M3, BAD, BAD, E8)
#define F2FP_SOURCE                                                                                \
  ENUM2 (73, 2, 82, 2, F32, F16, E5M2, E4M3, BAD, E2M1, E2M3, E3M2, BAD, BF16, BAD, E8)
#define F2FP_ROUND ENUM (79, 3, NONE, BAD, RP, RZ, RS)
#define F2FP_WORDS(HOW)                                                                            \
  WORDS (FLAG (77, SATFINITE), FLAG (75, RELU), F2FP_DEST, F2FP_SOURCE, ALWAYS (HOW), F2FP_ROUND)
#define F2FP_C                                                                                     \
  ALU_C (.mods = { .words = { FLAG (72, H1) } }, .mods_at_64 = { .words = { FLAG (72, H1) } },     \
         .immediate = WP_IMMEDIATE_F32)
#define F2FP(HOW, BIT_78, BIT_89, BIT_90, ...)                                                     \
  {                                                                                                \
    .op = WP_SASS_F2FP, .code = 0x03e, .forms = WP_FORMS_ALL, .since = 89,                         \
    .match = { BIT_78 (78), BIT_89 (89), BIT_90 (90) }, .words = F2FP_WORDS (HOW),                 \
    .slots = SLOTS (REG_DEST (), __VA_ARGS__)                                                      \
  }
#define F2FP_A REG_A ()
#define F2FP_B ALU_B (.immediate = WP_IMMEDIATE_F32)
#define F2FP_B_PART(BIT)                                                                           \
  ALU_B (.mods = { .words = { FLAG (BIT, H1) } }, .mods_at_64 = { .words = { FLAG (BIT, H1) } })

/* Before sm_89 there are halves alone, and their types are not said. */
#define F2FP_OLD(HOW, BIT_78, ...)                                                                 \
  {                                                                                                \
    .op = WP_SASS_F2FP, .code = 0x03e, .forms = WP_FORMS_ALL, .until = 88,                         \
    .match = { BIT_78 (78) },                                                                      \
    .words = WORDS (FLAG (77, SATFINITE), FLAG (75, RELU), FLAG (76, BF16), ALWAYS (HOW),          \
                    ENUM (79, 3, NONE, BAD, BAD, RZ)),                                             \
    .slots = SLOTS (REG_DEST (), __VA_ARGS__)                                                      \
  }

#define I2FP_TYPES ENUM (75, 3, BAD, BAD, F32), ENUM2 (74, 1, 84, 2, BAD, BAD, BAD, BAD, U32, S32)
#define F2IP_WORDS                                                                                 \
  ENUM (76, 2, U8, S8), ALWAYS (F32), ENUM (78, 2, NONE, BAD, BAD, TRUNC), FLAG (74, NTZ),         \
      FLAG (75, RELU)

/* The last operand of I2IP is what is shifted up, or its upper half alone. */
#define I2IP_C                                                                                     \
  REG (64, .mods = { .words = { ENUM_WHEN (WP_IS_NOT (78), 72, 2, NONE, H1),                       \
                                ENUM_WHEN (WP_IS (78), 72, 2, BAD, BAD, 24, 28) } })

/* On uniform registers. */
#define UNIFORM .since = 120, .is_uniform = TRUE, .guard_uniform = TRUE

/* The same of sm_120; what F32 is not is of 8 bits. BITS_89: bits 89 and 90. */
#define UF2FP(HOW, SOURCE_IS, SOURCE, BIT_78, BITS_89, ...)                                        \
  {                                                                                                \
    .op = WP_SASS_UF2FP, .code = 0x0ba, .forms = 0x16, UNIFORM,                                    \
    .match = { SOURCE_IS (85), BIT_78 (78), WP_WHEN (89, 2, 1 << (BITS_89)) },                     \
    .words = WORDS (FLAG (82, SATFINITE), FLAG (74, RELU),                                         \
                    ENUM (75, 3, BF16, F16, BAD, TF32, E5M2, E4M3), SOURCE, ALWAYS (HOW),          \
                    ENUM (79, 3, NONE, BAD, BAD, RZ)),                                             \
    .slots = SLOTS (REG_DEST (), __VA_ARGS__)                                                      \
  }
#define UF2FP_PACK(HOW, ...) UF2FP (HOW, WP_IS, ALWAYS (F32), __VA_ARGS__)

/* Of sm_86 to sm_103: what a half is, and nothing else. */
#define UF2FP_OLD(HOW, BIT_78, ...)                                                                \
  {                                                                                                \
    .op = WP_SASS_UF2FP, .code = 0x0ba, .forms = WP_FORMS_ALL, .since = 86, .until = 119,          \
    .is_uniform = TRUE, .guard_uniform = TRUE, .match = { BIT_78 (78), WP_IS (85) },               \
    .words                                                                                         \
        = WORDS (ENUM (75, 2, BAD, NONE, BF16), ALWAYS (HOW), ENUM (79, 3, NONE, BAD, BAD, RZ)),   \
    .slots = SLOTS (REG_DEST (), __VA_ARGS__)                                                      \
  }

const WpSassRow wp_sass_rows_convert[] = {
  F2F (WP_SASS_F2F, 0x104, .since = 70),
  F2F (WP_SASS_F2F, 0x110, .since = 70),
  F2I (WP_SASS_F2I, 0x105, .since = 70),
  F2I (WP_SASS_F2I, 0x111, .since = 70),
  I2F (WP_SASS_I2F, 0x106, .since = 70),
  I2F (WP_SASS_I2F, 0x112, .since = 70),
  FRND (WP_SASS_FRND, 0x107, .since = 70),
  FRND (WP_SASS_FRND, 0x113, .since = 70),

  F2FP_OLD (PACK_AB, WP_IS_NOT, F2FP_A, F2FP_B),
  F2FP_OLD (MERGE_C, WP_IS, F2FP_B, F2FP_C),
  F2FP (PACK_AB, WP_IS_NOT, WP_IS_NOT, WP_IS_NOT, F2FP_A, F2FP_B, ALU_C (.when = WP_IS (81))),
  F2FP (MERGE_C, WP_IS, WP_IS_NOT, WP_IS_NOT, F2FP_B, F2FP_C),
  F2FP (UNPACK_B, WP_IS_NOT, WP_IS, WP_IS_NOT, F2FP_B_PART (88)),
  F2FP (PACK_B, WP_IS, WP_IS, WP_IS_NOT, F2FP_B),
  F2FP (UNPACK_B_MERGE_C, WP_IS_NOT, WP_IS_NOT, WP_IS, F2FP_B_PART (88), F2FP_C),
  F2FP (PACK_AB_MERGE_C, WP_IS, WP_IS_NOT, WP_IS, F2FP_A, F2FP_B, F2FP_C),

  { .op = WP_SASS_I2FP,
    .code = 0x045,
    .forms = WP_FORMS_B,
    .since = 86,
    .words = WORDS (I2FP_TYPES, ENUM (78, 2, NONE, BAD, BAD, RZ)),
    .slots = SLOTS (REG_DEST (), ALU_B ()) },
  { .op = WP_SASS_F2IP,
    .code = 0x043,
    .forms = WP_FORMS_ALL,
    .since = 86,
    .words = WORDS (F2IP_WORDS),
    .slots = SLOTS (REG_DEST (), REG_A (), F2FP_B, F2FP_C) },
  { .op = WP_SASS_I2IP,
    .code = 0x039,
    .forms = WP_FORMS_B,
    .since = 75,
    .words = WORDS (ENUM (76, 3, U8, S8, U16, S16, U2, S2, U4, S4), ALWAYS (S32), ALWAYS (SAT)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), I2IP_C) },
  { .op = WP_SASS_I2I,
    .code = 0x038,
    .forms = WP_FORMS_B,
    .since = 75,
    .words = WORDS (ENUM (76, 2, U8, S8, U16, S16), ALWAYS (S32), ALWAYS (SAT)),
    .slots = SLOTS (REG_DEST (), ALU_B ()) },

  F2F (WP_SASS_UF2F, 0x05b, UNIFORM),
  F2I (WP_SASS_UF2I, 0x05c, UNIFORM),
  I2F (WP_SASS_UI2F, 0x05a, UNIFORM),
  FRND (WP_SASS_UFRND, 0x05d, UNIFORM),
  UF2FP_OLD (PACK_AB, WP_IS_NOT, F2FP_A, F2FP_B),
  UF2FP_OLD (MERGE_C, WP_IS, F2FP_B, F2FP_C),
  UF2FP_PACK (PACK_AB, WP_IS_NOT, 0, F2FP_A, F2FP_B),
  UF2FP_PACK (MERGE_C, WP_IS, 0, F2FP_B, F2FP_C),
  UF2FP_PACK (PACK_B, WP_IS, 1, F2FP_B),
  UF2FP_PACK (PACK_AB_MERGE_C, WP_IS, 2, F2FP_A, F2FP_B, F2FP_C),
  UF2FP (UNPACK_B, WP_IS_NOT, ENUM (84, 1, E5M2, E4M3), WP_IS_NOT, 1, F2FP_B_PART (72)),
  { .op = WP_SASS_UI2FP,
    .code = 0x05e,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (I2FP_TYPES, ENUM (78, 2, NONE, BAD, BAD, RZ)),
    .slots = SLOTS (REG_DEST (), ALU_B ()) },
  { .op = WP_SASS_UF2IP,
    .code = 0x059,
    .forms = WP_FORMS_ALL,
    UNIFORM,
    .words = WORDS (F2IP_WORDS),
    .slots = SLOTS (REG_DEST (), REG_A (), F2FP_B, F2FP_C) },
  { .op = WP_SASS_UI2IP,
    .code = 0x04f,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (ENUM (76, 3, U8, S8, U16, S16, U2, S2, U4, S4), ALWAYS (S32), ALWAYS (SAT)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), I2IP_C) },
  { .op = WP_SASS_UI2I,
    .code = 0x04e,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (ENUM (76, 2, U8, S8, U16, S16), ALWAYS (S32), ALWAYS (SAT)),
    .slots = SLOTS (REG_DEST (), ALU_B ()) },
  { 0 },
};
