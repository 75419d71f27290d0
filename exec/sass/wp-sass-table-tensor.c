/* SPDX-License-Identifier: MIT */
/* sm_100: tensor memory, and products of matrices into it by one thread (PTX ISA, tcgen05).
 * Encodings: the text of each instruction with its bits changed one by one. What has to do with
 * factors of blocks, sparse matrices, copies and shifts is named alone. */
#include "exec/sass/wp-sass-table.h"

/* tmem[UR + offset], gdesc[UR], ... */
#define TMEM(UR)                                                                                   \
  MEMORY (.uniform = UR, .offset = 40, .bits = 24, .is_plain = TRUE, .space = WP_WORD_tmem)
#define IN(SPACE, UR, ...)                                                                         \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .memory = { .uniform = UR, .space = WP_WORD_##SPACE },                 \
    .mods                                                                                          \
        = {.words = { __VA_ARGS__ } }                                                              \
  }
#define KEPT_A ENUM2 (84, 1, 86, 1, NONE, A_KEEP, A_REUSE, BAD)
#define BUFFER_B ENUM (79, 2, NONE, BUFFER1, BUFFER2, BUFFER3)
#define KEPT_B ENUM (81, 2, NONE, B_KEEP, B_REUSE, BAD)

/* D = A B + D: A from shared memory or from tensor memory; idesc is in the register behind the one
 * of what is scaled by. KIND: bits 72 on. */
#define PRODUCT(OP, KIND)                                                                          \
  { .op = WP_SASS_##OP,                                                                            \
    .code = 0x5ea,                                                                                 \
    .since = 100,                                                                                  \
    .is_uniform = TRUE,                                                                            \
    .match = { WP_IS (91), WP_WHEN (72, 2, 1 << (KIND)), WP_IS_NOT (63) },                         \
    .words = WORDS (FLAG (85, 2CTA), FLAG (83, WS)),                                               \
    .slots                                                                                         \
    = SLOTS (IN (gdesc, 24, KEPT_A), IN (gdesc, 32, BUFFER_B, KEPT_B), IN (tmem, 64, { 0 }),       \
             IN (tmem, 40, { 0 }), IN (idesc, 40, { 0 }), UREG (48, .omit = WP_OMIT_DEFAULT),      \
             UPRED (87), IMM (75, 4, .omit = WP_OMIT_DEFAULT, .when = WP_WHEN (72, 2, 1 << 0))),   \
    .finish = finish_product },                                                                    \
  {                                                                                                \
    .op = WP_SASS_##OP, .code = 0x9ea, .since = 100, .is_uniform = TRUE,                           \
    .match = { WP_IS (91), WP_WHEN (72, 2, 1 << (KIND)), WP_IS_NOT (63) },                         \
    .words = WORDS (FLAG (85, 2CTA), FLAG (74, ASHIFT), FLAG (83, WS)),                            \
    .slots = SLOTS (IN (tmem, 24, KEPT_A), IN (gdesc, 32, BUFFER_B, KEPT_B), IN (tmem, 64, { 0 }), \
                    IN (tmem, 40, { 0 }), IN (idesc, 40, { 0 }),                                   \
                    UREG (48, .omit = WP_OMIT_DEFAULT), UPRED (87),                                \
                    IMM (75, 4, .omit = WP_OMIT_DEFAULT, .when = WP_WHEN (72, 2, 1 << 0))),        \
    .finish = finish_product                                                                       \
  }

/* A warp's part of tensor memory, 32 lanes, from or to registers: lanes and bits of each that are
 * as far apart as registers are, and how often that is. SHAPE: bits 81 on, and 87. */
#define TIMES ENUM (83, 3, NONE, x2, x4, x8, x16, x32, x64, x128)
#define TIMES_1 WP_COUNT (83, 3, 1, 2, 4, 8, 16, 32, 64, 128)
#define TIMES_2 WP_COUNT (83, 3, 2, 4, 8, 16, 32, 64, 128, 128)
#define TIMES_4 WP_COUNT (83, 3, 4, 8, 16, 32, 64, 128, 128, 128)
#define SHAPE ENUM (81, 2, 16dp128bit, 16dp256bit, NONE, 16dp64bit)
#define SHAPE_OF_HALF ENUM (81, 2, 16dp32bit_t0_t15, 16dp32bit_t16_t31)
#define LOADED(WORD, SHAPES, HIGH, COUNT)                                                          \
  {                                                                                                \
    .op = WP_SASS_LDTM, .code = 0x9ee, .since = 100, .guard_uniform = TRUE,                        \
    .match = { WP_WHEN (81, 2, SHAPES), WP_WHEN (87, 1, 1 << (HIGH)), WP_WHEN (75, 5, 1) },        \
    .words = WORDS (WORD, TIMES, FLAG (80, PACK16BIT)),                                            \
    .slots = SLOTS (REG_DEST (.count = COUNT), TMEM (32))                                          \
  }
#define STORED(WORD, SHAPES, HIGH, COUNT)                                                          \
  {                                                                                                \
    .op = WP_SASS_STTM, .code = 0x9ed, .since = 100, .guard_uniform = TRUE,                        \
    .match = { WP_WHEN (81, 2, SHAPES), WP_WHEN (87, 1, 1 << (HIGH)), WP_WHEN (75, 5, 1) },        \
    .words = WORDS (WORD, TIMES, FLAG (80, EXPAND16BIT)),                                          \
    .slots = SLOTS (TMEM (64), REG (32, .count = COUNT))                                           \
  }
#define ALL_SHAPES(KIND)                                                                           \
  KIND (SHAPE, 1 << 2 | 1 << 3, 0, TIMES_1), KIND (SHAPE, 1 << 0, 0, TIMES_2),                     \
      KIND (SHAPE, 1 << 1, 0, TIMES_4), KIND (SHAPE_OF_HALF, 1 << 0 | 1 << 1, 1, TIMES_1)

/* Named alone. */
#define NAMED(OP, CODE)                                                                            \
  {                                                                                                \
    .op = WP_SASS_##OP, .code = CODE, .since = 100, .words = NO_WORDS, .slots = NO_SLOTS           \
  }
#define NAMED_KIND(OP, CODE, KINDS)                                                                \
  {                                                                                                \
    .op = WP_SASS_##OP, .code = CODE, .since = 100, .match = { WP_WHEN (72, 2, KINDS) },           \
    .words = NO_WORDS, .slots = NO_SLOTS                                                           \
  }

/* The register of idesc is the one after. */
static void
finish_product (const WpSassBits *bits, WpSassInstr *instr)
{
  for (guint k = 0; k < instr->n_operands; k++)
    if (instr->operands[k].space == WP_WORD_idesc && instr->operands[k].uniform != 255)
      instr->operands[k].uniform++;
  (void)bits;
}

const WpSassRow wp_sass_rows_tensor[] = {
  PRODUCT (UTCHMMA, 0),
  PRODUCT (UTCIMMA, 1),
  PRODUCT (UTCQMMA, 3),
  NAMED_KIND (UTCOMMA, 0x5ea, 1 << 0 | 1 << 2),
  NAMED_KIND (UTCMXQMMA, 0x5ea, 1 << 1 | 1 << 3),
  NAMED_KIND (UTCOMMA, 0x9ea, 1 << 0 | 1 << 2),
  NAMED_KIND (UTCMXQMMA, 0x9ea, 1 << 1 | 1 << 3),
  NAMED (UTCHMMA, 0xdea),
  { .op = WP_SASS_UTCBAR,
    .code = 0x3e9,
    .since = 100,
    .is_uniform = TRUE,
    .match = { WP_IS (91) },
    .words = WORDS (FLAG (85, 2CTA), FLAG (75, MULTICAST), FLAG (76, WAKEUP), FLAG (77, A0TX)),
    .slots = SLOTS (MEMORY (.uniform = 24), REG (32), REG (64, .omit = WP_OMIT_DEFAULT)) },
  NAMED (UTCBAR, 0x9e9),
  { .op = WP_SASS_UTCATOMSWS,
    .code = 0x5e3,
    .since = 100,
    .is_uniform = TRUE,
    .match = { WP_IS (91) },
    .words = WORDS (FLAG (85, 2CTA), ALWAYS (FIND_AND_SET), FLAG (75, ALIGN)),
    .slots = SLOTS (UPRED_DEST (81), REG_DEST (), REG (32)) },
  { .op = WP_SASS_UTCATOMSWS,
    .code = 0x9e3,
    .since = 100,
    .is_uniform = TRUE,
    .match = { WP_IS (91) },
    .words = WORDS (FLAG (85, 2CTA), ENUM (87, 1, AND, OR)),
    .slots = SLOTS (REG_DEST (), REG (32)) },
  ALL_SHAPES (LOADED),
  ALL_SHAPES (STORED),
  NAMED (LDTM, 0x9ee),
  NAMED (STTM, 0x9ed),
  NAMED (UTCCP, 0x9e7),
  NAMED (UTCSHIFT, 0x9e6),
  { 0 },
};
