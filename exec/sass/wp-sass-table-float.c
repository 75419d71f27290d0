/* SPDX-License-Identifier: MIT */
/* Single and double precision. Encodings: Mesa's NAK (sm70_encode.rs) and the text of each
 * instruction with its bits changed one by one. */
#include "exec/sass/wp-sass-table.h"

/* Round modes, the flags of subnormals and saturation stand in the same bits everywhere. */
#define ROUND ENUM (78, 2, NONE, RM, RP, RZ)
#define FTZ_FIELD FLAG (80, FTZ)
#define FTZ_FMZ ENUM2 (80, 1, 76, 1, NONE, FTZ, FMZ)
#define SAT_FIELD FLAG (77, SAT)

#define COMPARE ENUM (76, 4, F, LT, EQ, LE, GT, NE, GE, NUM, NAN, LTU, EQU, LEU, GTU, NEU, GEU, T)
#define COMBINE ENUM (74, 2, AND, OR, XOR)

#define F32_A REG_A (.mods = WP_NEGATE_ABS (72, 73))
#define F32_B ALU_B (WP_MODS_F32, .immediate = WP_IMMEDIATE_F32)
#define F32_C ALU_C (WP_MODS_F32, .immediate = WP_IMMEDIATE_F32)
#define F32_M ALU_M (WP_MODS_F32, .immediate = WP_IMMEDIATE_F32)
#define F64_DEST REG_DEST (.n = 2)
#define F64_A REG_A (.n = 2, .mods = WP_NEGATE_ABS (72, 73))
#define F64_B ALU_B (.n = 2, WP_MODS_F32, .immediate = WP_IMMEDIATE_F64)
#define F64_C ALU_C (.n = 2, WP_MODS_F32, .immediate = WP_IMMEDIATE_F64)
#define F64_M ALU_M (.n = 2, WP_MODS_F32, .immediate = WP_IMMEDIATE_F64)

/* Two single precisions in a pair of registers: which of the pair goes to which half. */
#define PAIR(BIT) ENUM (BIT, 2, F32X2_HI_LO, F32X2_LO_HI, F32)
#define PAIR_SIZE(BIT) WP_COUNT (BIT, 2, 2, 2, 1)
#define F32X2_DEST REG_DEST (.n = 2)
#define F32X2_A                                                                                    \
  REG_A (.count = PAIR_SIZE (81),                                                                  \
         .mods = { .negate = 72, .absolute = 73, .words = { PAIR (81), FLAG (83, NP) } })
#define F32X2_B(BIT)                                                                               \
  ALU_B (.count = PAIR_SIZE (BIT),                                                                 \
         .mods = { .negate = 63, .absolute = 62, .words = { PAIR (BIT) } },                        \
         .mods_at_64 = { .negate = 75, .absolute = 74, .words = { PAIR (BIT) } },                  \
         .immediate = WP_IMMEDIATE_F32)
#define F32X2_C                                                                                    \
  ALU_C (.count = PAIR_SIZE (84),                                                                  \
         .mods = { .negate = 63, .absolute = 62, .words = { PAIR (84), FLAG (86, NP) } },          \
         .mods_at_64 = { .negate = 75, .absolute = 74, .words = { PAIR (84), FLAG (86, NP) } },    \
         .immediate = WP_IMMEDIATE_F32)
#define F32X2_M                                                                                    \
  ALU_M (.count = PAIR_SIZE (84),                                                                  \
         .mods = { .negate = 63, .absolute = 62, .words = { PAIR (84), FLAG (86, NP) } },          \
         .immediate = WP_IMMEDIATE_F32)

/* Half precision that is added to, or multiplied into, a single precision (sm_100 on). */
#define HALF_TYPE FLAG_WHEN (82, BF16, WP_IS (81))
#define HALF_A REG_A (.mods = { .negate = 72, .absolute = 73, .words = { FLAG (83, H1) } })
#define HALF_B                                                                                     \
  ALU_B (.mods = { .negate = 63, .absolute = 62, .words = { FLAG (84, H1) } },                     \
         .mods_at_64 = { .negate = 75, .absolute = 74, .words = { FLAG (84, H1) } })

#define FUNCTION ENUM (74, 4, COS, SIN, EX2, LG2, RCP, RSQ, BAD, BAD, SQRT, TANH)
#define F64_HIGH ALU_B (WP_MODS_F32, .immediate = WP_IMMEDIATE_F64)
#define MUFU_B                                                                                     \
  ALU_B (.mods = { .negate = 63, .absolute = 62, .words = { ENUM (60, 2, NONE, H1) } },            \
         .immediate = WP_IMMEDIATE_F32)

/* On uniform registers: sm_120 on. */
#define UNIFORM .since = 120, .is_uniform = TRUE, .guard_uniform = TRUE

const WpSassRow wp_sass_rows_float[] = {
  { .op = WP_SASS_FHADD,
    .code = 0x021,
    .forms = WP_FORMS_M,
    .since = 100,
    .match = { WP_IS (81) },
    .words = WORDS (HALF_TYPE, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), HALF_A, F32_M) },
  { .op = WP_SASS_FHFMA,
    .code = 0x023,
    .forms = WP_FORMS_ALL,
    .since = 100,
    .match = { WP_IS (81) },
    .words = WORDS (HALF_TYPE, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_B, F32_C) },

  { .op = WP_SASS_FADD,
    .code = 0x021,
    .forms = WP_FORMS_M,
    .words = WORDS (FTZ_FIELD, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_M) },
  { .op = WP_SASS_FMUL,
    .code = 0x020,
    .forms = WP_FORMS_B,
    .words = WORDS (FTZ_FMZ, ENUM (84, 3, BAD, D8, D4, D2, NONE, M2, M4, M8), ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B) },
  { .op = WP_SASS_FFMA,
    .code = 0x023,
    .forms = WP_FORMS_ALL,
    .words = WORDS (FTZ_FMZ, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, F32_C) },
  { .op = WP_SASS_FMNMX,
    .code = 0x009,
    .forms = WP_FORMS_B,
    .words = WORDS (FTZ_FIELD, FLAG (81, NAN), FLAG (82, XORSIGN)),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, PRED (87)) },
  { .op = WP_SASS_FMNMX3,
    .code = 0x076,
    .forms = WP_FORMS_B,
    .since = 100,
    .words = WORDS (FTZ_FIELD, FLAG (81, NAN)),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, F32_C, PRED (87)) },
  { .op = WP_SASS_FSEL,
    .code = 0x008,
    .forms = WP_FORMS_B,
    .words = WORDS (FTZ_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, PRED (87)) },
  { .op = WP_SASS_FSET,
    .code = 0x00a,
    .forms = WP_FORMS_B,
    .words = WORDS (ALWAYS (BF), COMPARE, FTZ_FIELD, COMBINE),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, PRED (87)) },
  { .op = WP_SASS_FSETP,
    .code = 0x00b,
    .forms = WP_FORMS_B,
    .words = WORDS (COMPARE, FTZ_FIELD, COMBINE),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), F32_A, F32_B, PRED (87)) },
  { .op = WP_SASS_FCHK,
    .code = 0x102,
    .forms = WP_FORMS_B,
    .words = NO_WORDS,
    .slots = SLOTS (PRED_DEST (81), F32_A, F32_B) },

  { .op = WP_SASS_FADD2,
    .code = 0x04b,
    .forms = WP_FORMS_M,
    .since = 100,
    .until = 119,
    .words = WORDS (FTZ_FIELD, ROUND),
    .slots = SLOTS (F32X2_DEST, F32X2_A, F32X2_M) },
  { .op = WP_SASS_FMUL2,
    .code = 0x04a,
    .forms = WP_FORMS_B,
    .since = 100,
    .until = 119,
    .words = WORDS (FTZ_FMZ, ROUND),
    .slots = SLOTS (F32X2_DEST, F32X2_A, F32X2_B (87)) },
  { .op = WP_SASS_FFMA2,
    .code = 0x049,
    .forms = WP_FORMS_ALL,
    .since = 100,
    .until = 119,
    .words = WORDS (FTZ_FMZ, ROUND),
    .slots = SLOTS (F32X2_DEST, F32X2_A, F32X2_B (87), F32X2_C) },

  { .op = WP_SASS_DADD,
    .code = 0x029,
    .forms = WP_FORMS_M,
    .words = WORDS (ROUND),
    .slots = SLOTS (F64_DEST, F64_A, F64_C) },
  { .op = WP_SASS_DMUL,
    .code = 0x028,
    .forms = WP_FORMS_B,
    .words = WORDS (ROUND),
    .slots = SLOTS (F64_DEST, F64_A, F64_B) },
  { .op = WP_SASS_DFMA,
    .code = 0x02b,
    .forms = WP_FORMS_ALL,
    .words = WORDS (ROUND),
    .slots = SLOTS (F64_DEST, F64_A, F64_B, F64_C) },
  { .op = WP_SASS_DSETP,
    .code = 0x02a,
    .forms = WP_FORMS_M,
    .words
    = WORDS (ENUM (76, 4, MIN, LT, EQ, LE, GT, NE, GE, NUM, NAN, LTU, EQU, LEU, GTU, NEU, GEU, MAX),
             COMBINE),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), F64_A, F64_M, PRED (87)) },

  /* Functions of the upper half of a double. */
  { .op = WP_SASS_MUFU,
    .code = 0x108,
    .forms = WP_FORMS_B,
    .match = { WP_WHEN (74, 4, 1 << 6 | 1 << 7) },
    .words = WORDS (ENUM (74, 1, RCP64H, RSQ64H)),
    .slots = SLOTS (REG_DEST (), F64_HIGH) },
  { .op = WP_SASS_MUFU,
    .code = 0x108,
    .forms = WP_FORMS_B,
    .until = 89,
    .words = WORDS (FUNCTION, FLAG (73, F16)),
    .slots = SLOTS (REG_DEST (), MUFU_B) },
  { .op = WP_SASS_MUFU,
    .code = 0x108,
    .forms = WP_FORMS_B,
    .since = 90,
    .words = WORDS (FUNCTION, ENUM (72, 2, NONE, F16, BF16)),
    .slots = SLOTS (REG_DEST (), MUFU_B) },

  { .op = WP_SASS_UFHADD,
    .code = 0x054,
    .forms = WP_FORMS_M,
    UNIFORM,
    .match = { WP_IS (81) },
    .words = WORDS (HALF_TYPE, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), HALF_A, F32_C) },
  { .op = WP_SASS_UFHFMA,
    .code = 0x055,
    .forms = WP_FORMS_ALL,
    UNIFORM,
    .match = { WP_IS (81) },
    .words = WORDS (HALF_TYPE, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_B, F32_C) },
  { .op = WP_SASS_UFADD,
    .code = 0x054,
    .forms = WP_FORMS_M,
    UNIFORM,
    .words = WORDS (FTZ_FIELD, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_C) },
  { .op = WP_SASS_UFMUL,
    .code = 0x056,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (FTZ_FMZ, ENUM (84, 3, BAD, D8, D4, D2, NONE, M2, M4, M8), ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B) },
  { .op = WP_SASS_UFFMA,
    .code = 0x055,
    .forms = WP_FORMS_ALL,
    UNIFORM,
    .words = WORDS (FTZ_FMZ, ROUND, SAT_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, F32_C) },
  { .op = WP_SASS_UFMNMX,
    .code = 0x050,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (FTZ_FIELD, FLAG (81, NAN), FLAG (82, XORSIGN)),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, UPRED (87)) },
  { .op = WP_SASS_UFSEL,
    .code = 0x051,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (FTZ_FIELD),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, UPRED (87)) },
  { .op = WP_SASS_UFSET,
    .code = 0x052,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (ALWAYS (BF), COMPARE, FTZ_FIELD, COMBINE),
    .slots = SLOTS (REG_DEST (), F32_A, F32_B, UPRED (87)) },
  { .op = WP_SASS_UFSETP,
    .code = 0x053,
    .forms = WP_FORMS_B,
    UNIFORM,
    .words = WORDS (COMPARE, FTZ_FIELD, COMBINE),
    .slots = SLOTS (UPRED_DEST (81), UPRED_DEST (84), F32_A, F32_B, UPRED (87)) },
  { 0 },
};
