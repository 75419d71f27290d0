/* SPDX-License-Identifier: MIT */
/* Whole numbers, bits, moves between registers and what computes predicates. Opcodes by NVIDIA's
 * cuda-binary-utilities list; bits as Mesa's NAK encodes them, held against a disassembler. */
#include "exec/sass/wp-sass-table.h"

/* Words of MOV on sm_120 that are there in certain forms. */
#define IN_FORMS(SET)                                                                              \
  {                                                                                                \
    .bit = 9, .width = 3, .set = SET, .since = 120                                                 \
  }
#define SPILLS                                                                                     \
  {                                                                                                \
    .bit = 9, .width = 3, .set = 0x40, .since = 100                                                \
  }
#define COMPARE ENUM (76, 3, F, LT, EQ, LE, GT, NE, GE, T)
#define BOOLEAN ENUM (74, 2, AND, OR, XOR)
#define UNSIGNED UNLESS (73, U32)
#define SIMD_TYPE ENUM (72, 2, U32, NONE, U16x2, S16x2)
#define SIMD_TYPE_120 ENUM (72, 3, U32, S32, U16x2, S16x2, U8x4, S8x4)
#define BYTE_WORDS .mods = { .words = { ENUM (76, 2, NONE, B1, B2, B3) } }

/* Carries out: left out before sm_100 where both are PT. */
#define CARRIES                                                                                    \
  PRED_DEST (81, .omit = WP_OMIT_REST, .when = WP_UNTIL (99)),                                     \
      PRED_DEST (84, .omit = WP_OMIT_REST, .when = WP_UNTIL (99)),                                 \
      PRED_DEST (81, .when = WP_SINCE (100)), PRED_DEST (84, .when = WP_SINCE (100))
#define CARRY PRED_DEST (81, .omit = WP_OMIT_DEFAULT)

#define INTEGER .immediate = WP_IMMEDIATE_SIGNED, WP_MODS_INT
#define WHOLE .immediate = WP_IMMEDIATE_SIGNED
#define ADDEND .immediate = WP_IMMEDIATE_SIGNED, WP_MODS_INT

/* Of PLOP3 of registers: their signs, and the two tables. */
#define SIGN_WORD                                                                                  \
  {                                                                                                \
    .words = { ALWAYS (SIGN) }                                                                     \
  }
#define SIGN .mods = SIGN_WORD, .mods_at_64 = SIGN_WORD
#define TABLES IMM (72, 8), IMM (16, 8)

static gboolean
is_zero (const WpSassOperand *operand)
{
  return operand->kind == WP_SASS_IMMEDIATE
             ? operand->value == 0
             : (operand->kind == WP_SASS_REGISTER || operand->kind == WP_SASS_UNIFORM)
                   && operand->number == 255;
}

/* What a multiplication by 0, by 1 or by a power of two is; that by 0x10000 keeps its name. */
static WpSassWord
name_product (const WpSassOperand *a, const WpSassOperand *b, const WpSassOperand *c)
{
  gboolean is_constant = b->kind == WP_SASS_IMMEDIATE;

  if (is_zero (a) || is_zero (b))
    return WP_WORD_MOV;
  if (is_constant && b->value == 1)
    return is_zero (c) ? WP_WORD_MOV : WP_WORD_IADD;
  if (is_constant && is_zero (c) && b->value > 0 && (b->value & (b->value - 1)) == 0
      && b->value != 0x10000)
    return WP_WORD_SHL;
  return WP_WORD_NONE;
}

/* IMAD.MOV, IMAD.IADD, IMAD.SHL: words that no bits hold. */
static void
name_imad (const WpSassBits *bits, WpSassInstr *instr)
{
  const WpSassOperand *operands = instr->operands;
  WpSassWord word = name_product (&operands[1], &operands[2], &operands[3]);

  wp_sass_complement (bits, instr);
  if (word == WP_WORD_NONE || wp_sass_has (instr, WP_WORD_X) || operands[3].kind == WP_SASS_UNIFORM
      || operands[3].is_descriptor)
    return;
  for (guint k = instr->n_words; k > 0; k--)
    instr->words[k] = instr->words[k - 1];
  instr->words[0] = word;
  instr->n_words++;
}

const WpSassRow wp_sass_rows_integer[] = {
  { .op = WP_SASS_MOV,
    .code = 0x402,
    .since = 120,
    .words = WORDS (ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), IMM (24, 64)) },
  { .op = WP_SASS_MOV,
    .code = 0x002,
    .forms = WP_FORMS_B,
    .words = WORDS (FLAG_WHEN (80, 64, IN_FORMS (0x42)), FLAG_WHEN (88, SPILL, SPILLS)),
    .slots = SLOTS (REG_DEST (.count = WP_COUNT (80, 1, 1, 2)), ALU_B (),
                    IMM (72, 4, .omit = WP_OMIT_ALL_ONES)) },
  { .op = WP_SASS_SEL,
    .code = 0x007,
    .forms = WP_FORMS_B,
    .words = NO_WORDS,
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), PRED (87)) },
  { .op = WP_SASS_ISETP,
    .code = 0x00c,
    .forms = WP_FORMS_B,
    .until = 119,
    .words = WORDS (COMPARE, UNSIGNED, BOOLEAN, FLAG (72, EX)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), REG_A (), ALU_B (WHOLE), PRED (87),
                    PRED (68, .when = WP_IS (72))) },
  { .op = WP_SASS_ISETP,
    .code = 0x00c,
    .forms = WP_FORMS_B,
    .since = 120,
    .words = WORDS (COMPARE, ENUM2 (73, 1, 80, 1, U32, NONE, U64, S64), BOOLEAN, FLAG (72, EX)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), REG_A (.count = WP_COUNT (80, 1, 1, 2)),
                    ALU_B (WHOLE, .count = WP_COUNT (80, 1, 1, 2)), PRED (87),
                    PRED (68, .when = WP_IS (72))) },
  { .op = WP_SASS_IADD3,
    .code = 0x010,
    .forms = WP_FORMS_ALL,
    .finish = wp_sass_complement,
    .words = WORDS (FLAG (74, X)),
    .slots
    = SLOTS (REG_DEST (), CARRIES, REG_A (.mods = WP_NEGATE (72)), ALU_B (INTEGER), ALU_C (INTEGER),
             PRED (87, .when = WP_IS (74)), PRED (77, .when = WP_IS (74))) },
  { .op = WP_SASS_LEA,
    .code = 0x011,
    .forms = WP_FORMS_ALL,
    .match = { WP_IS_NOT (80) },
    .finish = wp_sass_complement,
    .words = WORDS (FLAG (74, X)),
    .slots = SLOTS (REG_DEST (), CARRY, REG_A (.mods = WP_NEGATE (72)),
                    ALU_B (.mods = WP_NEGATE (63)), IMM (75, 5), PRED (87, .when = WP_IS (74))) },
  { .op = WP_SASS_LEA,
    .code = 0x011,
    .forms = WP_FORMS_ALL,
    .finish = wp_sass_complement,
    .words = WORDS (ALWAYS (HI), FLAG (74, X), FLAG (73, SX32)),
    .slots
    = SLOTS (REG_DEST (), CARRY, REG_A (.mods = WP_NEGATE (72)), ALU_B (.mods = WP_NEGATE (63)),
             ALU_C (.when = WP_IS_NOT (73)), IMM (75, 5), PRED (87, .when = WP_IS (74))) },
  { .op = WP_SASS_LOP3,
    .code = 0x012,
    .forms = WP_FORMS_ALL,
    .words = WORDS (ALWAYS (LUT), FLAG (80, PAND)),
    .slots = SLOTS (CARRY, REG_DEST (), REG_A (), ALU_B (), ALU_C (), IMM (72, 8), PRED (87)) },
  { .op = WP_SASS_IABS,
    .code = 0x013,
    .forms = WP_FORMS_B,
    .words = NO_WORDS,
    .slots = SLOTS (REG_DEST (), ALU_B ()) },
  { .op = WP_SASS_VABSDIFF,
    .code = 0x014,
    .forms = WP_FORMS_ALL,
    .until = 119,
    .words = WORDS (UNSIGNED),
    .slots = SLOTS (REG_DEST (), CARRY, REG_A (), ALU_B (), ALU_C ()) },
  { .op = WP_SASS_VABSDIFF4,
    .code = 0x015,
    .forms = WP_FORMS_ALL,
    .until = 119,
    .words = WORDS (UNLESS (73, U8), FLAG (75, ACC)),
    .slots = SLOTS (REG_DEST (), CARRY, REG_A (), ALU_B (), ALU_C ()) },
  { .op = WP_SASS_PRMT,
    .code = 0x016,
    .forms = WP_FORMS_ALL,
    .words = WORDS (ENUM (72, 3, NONE, F4E, B4E, RC8, ECL, ECR, RC16)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), ALU_C ()) },
  { .op = WP_SASS_IMNMX,
    .code = 0x017,
    .forms = WP_FORMS_B,
    .until = 119,
    .words = WORDS (UNSIGNED),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (WHOLE), PRED (87)) },
  { .op = WP_SASS_IMNMX,
    .code = 0x017,
    .forms = WP_FORMS_B,
    .since = 120,
    .words = WORDS (ENUM (73, 2, U32, NONE, U64, S64)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), REG_DEST (.count = WP_COUNT (74, 1, 1, 2)),
                    REG_A (.count = WP_COUNT (74, 1, 1, 2)),
                    ALU_B (WHOLE, .count = WP_COUNT (74, 1, 1, 2)), PRED (87), PRED (77)) },
  { .op = WP_SASS_SHF,
    .code = 0x019,
    .forms = WP_FORMS_ALL,
    .words
    = WORDS (ENUM (76, 1, L, R), FLAG (75, W), ENUM (73, 2, S64, U64, S32, U32), FLAG (80, HI)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), ALU_C ()) },
  { .op = WP_SASS_SGXT,
    .code = 0x01a,
    .forms = WP_FORMS_B,
    .words = WORDS (FLAG (75, W), UNSIGNED),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B ()) },
  { .op = WP_SASS_BMSK,
    .code = 0x01b,
    .forms = WP_FORMS_B,
    .words = WORDS (FLAG (75, W)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B ()) },
  { .op = WP_SASS_IMAD,
    .code = 0x024,
    .forms = WP_FORMS_ALL,
    .words = WORDS (UNSIGNED, FLAG (74, X)),
    .finish = name_imad,
    .slots
    = SLOTS (REG_DEST (), REG_A (), ALU_B (WHOLE), ALU_C (ADDEND), PRED (87, .when = WP_IS (74))) },
  { .op = WP_SASS_IMAD,
    .code = 0x025,
    .forms = WP_FORMS_ALL,
    .finish = wp_sass_complement,
    .words = WORDS (ALWAYS (WIDE), UNSIGNED, FLAG (74, X)),
    .slots = SLOTS (REG_DEST (.n = 2), CARRY, REG_A (), ALU_B (WHOLE), ALU_C (ADDEND, .n = 2),
                    PRED (87, .when = WP_IS (74))) },
  { .op = WP_SASS_IMAD,
    .code = 0x027,
    .forms = WP_FORMS_ALL,
    .since = 75,
    .finish = wp_sass_complement,
    .words = WORDS (ALWAYS (HI), UNSIGNED, FLAG (74, X)),
    .slots = SLOTS (REG_DEST (), CARRY, REG_A (), ALU_B (WHOLE), ALU_C (ADDEND, .n = 2),
                    PRED (87, .when = WP_IS (74))) },
  { .op = WP_SASS_IDP,
    .code = 0x026,
    .forms = WP_FORMS_B,
    .match = { WP_IS_NOT (76) },
    .words = WORDS (ALWAYS (4A), ENUM (73, 1, U8, S8), ENUM (74, 1, U8, S8)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), REG (64, .mods = WP_NEGATE (75))) },
  { .op = WP_SASS_IDP,
    .code = 0x026,
    .forms = WP_FORMS_B,
    .words
    = WORDS (ALWAYS (2A), ENUM (77, 1, LO, HI), ENUM (73, 1, U16, S16), ENUM (74, 1, U8, S8)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), REG (64, .mods = WP_NEGATE (75))) },
  { .op = WP_SASS_IADD,
    .code = 0x035,
    .forms = WP_FORMS_B,
    .since = 120,
    .finish = wp_sass_complement,
    .words = WORDS (FLAG (73, 64), FLAG (74, X)),
    .slots
    = SLOTS (REG_DEST (.count = WP_COUNT (73, 1, 1, 2)), CARRY,
             REG_A (.mods = WP_NEGATE (72), .count = WP_COUNT (73, 1, 1, 2)),
             ALU_B (INTEGER, .count = WP_COUNT (73, 1, 1, 2)), PRED (87, .when = WP_IS (74))) },
  { .op = WP_SASS_VIADD,
    .code = 0x036,
    .forms = WP_FORMS_B,
    .since = 90,
    .until = 119,
    .words = WORDS (ENUM (73, 1, NONE, 16x2)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (WP_MODS_INT)) },
  { .op = WP_SASS_VIADD,
    .code = 0x036,
    .forms = WP_FORMS_B,
    .since = 120,
    .words = WORDS (ENUM (73, 3, 32, 16x2, S32, S16x2, U8x4, S8x4), FLAG (80, ISAT)),
    .slots = SLOTS (REG_DEST (), REG_A (.mods = WP_NEGATE (72)), ALU_B (INTEGER)) },
  { .op = WP_SASS_VIADDMNMX,
    .code = 0x046,
    .forms = WP_FORMS_ALL,
    .since = 90,
    .until = 119,
    .words = WORDS (SIMD_TYPE, FLAG (76, RELU)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (WP_MODS_INT), ALU_C (), PRED (87)) },
  { .op = WP_SASS_VIMNMX,
    .code = 0x048,
    .forms = WP_FORMS_B,
    .since = 90,
    .until = 99,
    .words = WORDS (SIMD_TYPE, FLAG (76, RELU)),
    .slots = SLOTS (REG_DEST (), PRED_DEST (81, .omit = WP_OMIT_REST),
                    PRED_DEST (84, .omit = WP_OMIT_REST), REG_A (), ALU_B (WHOLE), PRED (87)) },
  { .op = WP_SASS_VIMNMX,
    .code = 0x048,
    .forms = WP_FORMS_B,
    .since = 100,
    .until = 119,
    .words = WORDS (SIMD_TYPE, FLAG (76, RELU)),
    .slots
    = SLOTS (REG_DEST (), PRED_DEST (81), PRED_DEST (84), REG_A (), ALU_B (WHOLE), PRED (87)) },
  { .op = WP_SASS_VIMNMX,
    .code = 0x048,
    .forms = WP_FORMS_B,
    .since = 120,
    .words = WORDS (SIMD_TYPE_120, FLAG (76, RELU)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (WHOLE), PRED (87)) },
  { .op = WP_SASS_FLO,
    .code = 0x100,
    .forms = WP_FORMS_B,
    .words = WORDS (UNSIGNED, FLAG (74, SH)),
    .slots = SLOTS (REG_DEST (), CARRY, ALU_B (.mods = WP_INVERT (63))) },
  { .op = WP_SASS_BREV,
    .code = 0x101,
    .forms = WP_FORMS_B,
    .words = NO_WORDS,
    .slots = SLOTS (REG_DEST (), ALU_B ()) },
  { .op = WP_SASS_POPC,
    .code = 0x109,
    .forms = WP_FORMS_B,
    .words = NO_WORDS,
    .slots = SLOTS (REG_DEST (), ALU_B (.mods = WP_INVERT (63))) },
  { .op = WP_SASS_VIMNMX3,
    .code = 0x00f,
    .forms = WP_FORMS_ALL,
    .since = 90,
    .until = 119,
    .words = WORDS (SIMD_TYPE, FLAG (76, RELU)),
    .slots = SLOTS (REG_DEST (), REG_A (), ALU_B (), ALU_C (), PRED (87)) },
  { .op = WP_SASS_PLOP3,
    .code = 0x01d,
    .forms = WP_FORMS_B,
    .since = 75,
    .words = WORDS (ALWAYS (LUT)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), PRED (87), ALU_B (SIGN), PRED (68), TABLES) },
  { .op = WP_SASS_PLOP3,
    .code = 0x01e,
    .forms = WP_FORMS_B,
    .since = 75,
    .words = WORDS (ALWAYS (LUT)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), PRED (87), ALU_B (SIGN),
                    REG (64, .mods = SIGN_WORD), TABLES) },
  { .op = WP_SASS_PLOP3,
    .code = 0x01f,
    .forms = WP_FORMS_B,
    .since = 75,
    .words = WORDS (ALWAYS (LUT)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), REG_A (.mods = SIGN_WORD), ALU_B (SIGN),
                    REG (64, .mods = SIGN_WORD), TABLES) },
  { .op = WP_SASS_P2R,
    .code = 0x003,
    .forms = WP_FORMS_B,
    .words = WORDS (ENUM (76, 2, NONE, B1, B2, B3)),
    .slots = SLOTS (REG_DEST (), PR, REG_A (), ALU_B (WHOLE)) },
  { .op = WP_SASS_R2P,
    .code = 0x004,
    .forms = WP_FORMS_B,
    .words = NO_WORDS,
    .slots = SLOTS (PR_DEST, REG_A (BYTE_WORDS), ALU_B ()) },
  { .op = WP_SASS_PLOP3,
    .code = 0x81c,
    .words = WORDS (ALWAYS (LUT)),
    .slots = SLOTS (PRED_DEST (81), PRED_DEST (84), PRED (87), PRED (77),
                    PRED (68, .when = WP_IS_NOT (67)), UPRED (68, .when = WP_IS (67)),
                    IMM (72, 5, .low = 64, .low_width = 3), IMM (16, 8)) },
  { .op = WP_SASS_SEL,
    .code = 0x607,
    .since = 120,
    .words = WORDS (ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), REG_A (.n = 2), REG (32, .n = 2), PRED (87)) },
  { .op = WP_SASS_SEL,
    .code = 0x407,
    .since = 120,
    .words = WORDS (ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), REG_A (.n = 2), SIMM (32, 33), PRED (87)) },
  { .op = WP_SASS_SEL,
    .code = 0xe07,
    .since = 120,
    .words = WORDS (ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), REG_A (.n = 2), UREG (32, .n = 2), PRED (87)) },
  { 0 },
};
