/* SPDX-License-Identifier: MIT */
/* Pairs of half precision, and of bfloat16 (BF16_V2). Encodings: Mesa's NAK (encode_fp16_alu) and
 * the text of each instruction with its bits changed one by one. */
#include "exec/sass/wp-sass-table.h"

#define FTZ_FIELD FLAG (80, FTZ)
#define FTZ_FMZ ENUM2 (80, 1, 76, 1, NONE, FTZ, FMZ, OOB)
#define SAT_FIELD FLAG (77, SAT)
#define SINGLE FLAG (78, F32)
#define RELU_FIELD FLAG (79, RELU)
#define BFLOAT FLAG (85, BF16_V2)
#define COMPARE ENUM (76, 4, F, LT, EQ, LE, GT, NE, GE, NUM, NAN, LTU, EQU, LEU, GTU, NEU, GEU, T)
#define COMBINE ENUM (69, 2, AND, OR, XOR) /* of sets, where no operand C is */

/* Which halves of a register are the two numbers; F32: the register is a single precision. */
#define HALVES(BIT) ENUM (BIT, 2, NONE, F32, H0_H0, H1_H1)
#define HALVES_B ENUM2 (60, 2, 86, 1, NONE, F32, H0_H0, H1_H1, H0_NH1)
#define MODS(NEGATE, ABSOLUTE, ...)                                                                \
  {                                                                                                \
    .negate = NEGATE, .absolute = ABSOLUTE, .words = { __VA_ARGS__ }                               \
  }

#define HALF_A REG_A (.mods = MODS (72, 73, HALVES (74)))
#define HALF_B(HOW, WORDS)                                                                         \
  ALU_B (.mods = MODS (63, 62, WORDS), .mods_at_64 = MODS (84, 83, HALVES (81)), .immediate = HOW)
#define HALF_C(HOW)                                                                                \
  ALU_C (.mods = MODS (63, 62, HALVES (60)), .mods_at_64 = MODS (84, 83, HALVES (81)),             \
         .immediate = HOW)
#define HALF_M(HOW) ALU_M (.mods = MODS (63, 62, HALVES (60)), .immediate = HOW)

/* Immediates are of the type that a bit says, so that there are two rows for each op. */
#define HALF_ROW WP_IMMEDIATE_F16X2
#define BFLOAT_ROW WP_IMMEDIATE_BF16X2

#define HADD2(HOW, ...)                                                                            \
  {                                                                                                \
    .op = WP_SASS_HADD2, .code = 0x030, .forms = WP_FORMS_M, __VA_ARGS__,                          \
    .words = WORDS (BFLOAT, SINGLE, FTZ_FIELD, SAT_FIELD),                                         \
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_M (HOW))                                             \
  }
#define HMUL2(HOW, ...)                                                                            \
  {                                                                                                \
    .op = WP_SASS_HMUL2, .code = 0x032, .forms = WP_FORMS_B, __VA_ARGS__,                          \
    .words = WORDS (BFLOAT, FTZ_FMZ, RELU_FIELD, SAT_FIELD),                                       \
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_B (HOW, HALVES (60)))                                \
  }
#define HFMA2(HOW, ...)                                                                            \
  {                                                                                                \
    .op = WP_SASS_HFMA2, .code = 0x031, .forms = WP_FORMS_ALL, __VA_ARGS__,                        \
    .words = WORDS (BFLOAT, SINGLE, FTZ_FMZ, RELU_FIELD, SAT_FIELD),                               \
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_B (HOW, HALVES_B), HALF_C (HOW),                     \
                    PRED (87, .when = WP_IS (79), .omit = WP_OMIT_DEFAULT))                        \
  }
#define HFMA2_MMA(HOW, ...)                                                                        \
  {                                                                                                \
    .op = WP_SASS_HFMA2, .code = 0x035, .forms = WP_FORMS_ALL, .since = 80, .until = 90,           \
    __VA_ARGS__, .words = WORDS (ALWAYS (MMA), BFLOAT, FTZ_FMZ, RELU_FIELD, SAT_FIELD),            \
    .slots = SLOTS (REG_DEST (), REG_A (.mods = WP_NEGATE_ABS (72, 73)),                           \
                    ALU_B (.mods = WP_NEGATE_ABS (63, 62), .mods_at_64 = WP_NEGATE_ABS (84, 83),   \
                           .immediate = HOW),                                                      \
                    ALU_C (.mods = WP_NEGATE_ABS (63, 62), .mods_at_64 = WP_NEGATE_ABS (84, 83),   \
                           .immediate = HOW),                                                      \
                    PRED (87, .when = WP_IS (79), .omit = WP_OMIT_DEFAULT))                        \
  }
#define HMNMX2(HOW, ...)                                                                           \
  {                                                                                                \
    .op = WP_SASS_HMNMX2, .code = 0x040, .forms = WP_FORMS_B, .since = 80, __VA_ARGS__,            \
    .words = WORDS (BFLOAT, SINGLE, FTZ_FIELD, FLAG (81, NAN), FLAG (82, XORSIGN)),                \
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_B (HOW, HALVES (60)), PRED (87))                     \
  }
#define HSET2(HOW, ...)                                                                            \
  {                                                                                                \
    .op = WP_SASS_HSET2, .code = 0x033, .forms = WP_FORMS_M, __VA_ARGS__,                          \
    .words = WORDS (FLAG (65, BF16_V2), FLAG (71, BF), COMPARE, FTZ_FIELD, COMBINE),               \
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_M (HOW), PRED (87))                                  \
  }
#define HSETP2(HOW, ...)                                                                           \
  {                                                                                                \
    .op = WP_SASS_HSETP2, .code = 0x034, .forms = WP_FORMS_M, __VA_ARGS__,                         \
    .words = WORDS (FLAG (65, BF16_V2), COMPARE, FTZ_FIELD, FLAG (71, H_AND), COMBINE),            \
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), HALF_A, HALF_M (HOW), PRED (87))               \
  }
#define VHMNMX(HOW, ...)                                                                           \
  {                                                                                                \
    .op = WP_SASS_VHMNMX, .code = 0x047, .forms = WP_FORMS_B, .since = 90, __VA_ARGS__,            \
    .words = WORDS (BFLOAT, FTZ_FIELD, FLAG (81, NAN), FLAG (82, XORSIGN)),                        \
    .slots = SLOTS (REG_DEST (), HALF_A, HALF_B (HOW, HALVES (60)),                                \
                    REG (64, .mods = MODS (84, 83, HALVES (76))), PRED (87))                       \
  }

const WpSassRow wp_sass_rows_half[] = {
  HADD2 (HALF_ROW, .match = { WP_IS_NOT (85) }),
  HADD2 (BFLOAT_ROW, .match = { WP_IS (85) }),
  HMUL2 (HALF_ROW, .match = { WP_IS_NOT (85) }),
  HMUL2 (BFLOAT_ROW, .match = { WP_IS (85) }),
  HFMA2 (HALF_ROW, .match = { WP_IS_NOT (85) }),
  HFMA2 (BFLOAT_ROW, .match = { WP_IS (85) }),
  HFMA2_MMA (HALF_ROW, .match = { WP_IS_NOT (85) }),
  HFMA2_MMA (BFLOAT_ROW, .match = { WP_IS (85) }),
  HMNMX2 (HALF_ROW, .match = { WP_IS_NOT (85) }),
  HMNMX2 (BFLOAT_ROW, .match = { WP_IS (85) }),
  HSET2 (HALF_ROW, .match = { WP_IS_NOT (65) }),
  HSET2 (BFLOAT_ROW, .match = { WP_IS (65) }),
  HSETP2 (HALF_ROW, .match = { WP_IS_NOT (65) }),
  HSETP2 (BFLOAT_ROW, .match = { WP_IS (65) }),
  VHMNMX (HALF_ROW, .match = { WP_IS_NOT (85) }),
  VHMNMX (BFLOAT_ROW, .match = { WP_IS (85) }),
  { 0 },
};
