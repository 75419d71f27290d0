/* SPDX-License-Identifier: MIT */
/* sm_90: products of matrices by four warps, from shared memory (PTX ISA, wgmma), and stores to the
 * shared memory of another block. Encodings: the text of each instruction with its bits changed one
 * by one. */
#include "exec/sass/wp-sass-table.h"

/* Sizes: n by bits 53 on. */
#define HGMMA_SIZE                                                                                 \
  ENUM_WHEN (WP_WHEN (57, 2, 1 << 0), 53, 4, 64x8x16, 64x16x16, 64x24x16, 64x32x16, 64x40x16,      \
             64x48x16, 64x56x16, 64x64x16, 64x72x16, 64x80x16, 64x88x16, 64x96x16, 64x104x16,      \
             64x112x16, 64x120x16, 64x128x16),                                                     \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 1), 53, 4, 64x136x16, 64x144x16, 64x152x16, 64x160x16,       \
                 64x168x16, 64x176x16, 64x184x16, 64x192x16, 64x200x16, 64x208x16, 64x216x16,      \
                 64x224x16, 64x232x16, 64x240x16, 64x248x16, 64x256x16),                           \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 2), 53, 4, 64x8x8, 64x16x8, 64x24x8, 64x32x8, 64x40x8,       \
                 64x48x8, 64x56x8, 64x64x8, 64x72x8, 64x80x8, 64x88x8, 64x96x8, 64x104x8,          \
                 64x112x8, 64x120x8, 64x128x8),                                                    \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 3), 53, 4, 64x136x8, 64x144x8, 64x152x8, 64x160x8, 64x168x8, \
                 64x176x8, 64x184x8, 64x192x8, 64x200x8, 64x208x8, 64x216x8, 64x224x8, 64x232x8,   \
                 64x240x8, 64x248x8, 64x256x8)
#define QGMMA_SIZE                                                                                 \
  ENUM_WHEN (WP_WHEN (57, 2, 1 << 0), 53, 4, 64x8x32, 64x16x32, 64x24x32, 64x32x32, 64x40x32,      \
             64x48x32, 64x56x32, 64x64x32, 64x72x32, 64x80x32, 64x88x32, 64x96x32, 64x104x32,      \
             64x112x32, 64x120x32, 64x128x32),                                                     \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 1), 53, 4, 64x136x32, 64x144x32, 64x152x32, 64x160x32,       \
                 64x168x32, 64x176x32, 64x184x32, 64x192x32, 64x200x32, 64x208x32, 64x216x32,      \
                 64x224x32, 64x232x32, 64x240x32, 64x248x32, 64x256x32)
#define IGMMA_SIZE                                                                                 \
  ENUM_WHEN (WP_WHEN (57, 2, 1 << 0), 53, 4, 64x8x32, BAD, BAD, 64x16x32, BAD, BAD, 64x24x32, BAD, \
             BAD, 64x32x32, BAD, BAD, 64x48x32, BAD, BAD, 64x64x32),                               \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 1), 53, 4, BAD, BAD, 64x80x32, BAD, BAD, 64x96x32, BAD, BAD, \
                 64x112x32, BAD, BAD, 64x128x32, BAD, BAD, 64x144x32),                             \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 2), 53, 4, BAD, 64x160x32, BAD, BAD, 64x176x32, BAD, BAD,    \
                 64x192x32, BAD, BAD, 64x208x32, BAD, BAD, 64x224x32),                             \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 3), 53, 4, 64x240x32, BAD, BAD, 64x256x32)
#define BGMMA_SIZE                                                                                 \
  ENUM_WHEN (WP_WHEN (57, 2, 1 << 0), 53, 4, 64x8x256, 64x16x256, 64x24x256, 64x32x256, 64x48x256, \
             64x64x256, 64x80x256, 64x96x256, 64x112x256, 64x128x256, 64x144x256, 64x160x256,      \
             64x176x256, 64x192x256, 64x208x256, 64x224x256),                                      \
      ENUM_WHEN (WP_WHEN (57, 2, 1 << 1), 53, 4, 64x240x256, 64x256x256)

/* A from registers (opcodes from 0xdf0 on) or, as B, by a descriptor of shared memory. */
#define SHARED_B(BIT, ...)                                                                         \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .memory = { .uniform = BIT, .space = WP_WORD_gdesc },                  \
    .mods                                                                                          \
        = {.words = { __VA_ARGS__ } }                                                              \
  }
#define TRANSPOSED_AB ENUM (61, 2, NONE, tnspA, tnspB, tnspA_tnspB)
#define TRANSPOSED_B FLAG (62, tnspB)
#define NEGATED_AB ENUM2 (63, 1, 72, 1, NONE, negB, negA, negA_negB)
#define NEGATED_B FLAG (63, negB)
#define FROM_REGISTERS REG_DEST (.n = 4), REG_A (.n = 4, .mods = WP_NEGATE (72))

/* Which accumulator there is, and what is signalled when it is written. */
#define ACCUMULATED REG (64, .n = 4), UPRED (87, .value = 7)
#define SIGNALLED                                                                                  \
  {                                                                                                \
    .kind = WP_SLOT_SCOREBOARD, .bit = 84, .width = 3, .when = WP_WHEN (84, 3, 1 << 0)             \
  }
#define WARPGROUP_PRODUCT(OP, CODE, ...)                                                           \
  { .op = OP,                                                                                      \
    .code = 0xd00 | CODE,                                                                          \
    .since = 90,                                                                                   \
    .until = 99,                                                                                   \
    .words = WORDS (__VA_ARGS__),                                                                  \
    .slots                                                                                         \
    = SLOTS (FROM_REGISTERS, SHARED_B (32, NEGATED_B, TRANSPOSED_B), ACCUMULATED, SIGNALLED),      \
    .finish = finish_product },                                                                    \
  {                                                                                                \
    .op = OP, .code = 0x900 | CODE, .since = 90, .until = 99, .words = WORDS (__VA_ARGS__),        \
    .slots = SLOTS (REG_DEST (.n = 4), SHARED_B (24, NEGATED_AB, TRANSPOSED_AB), ACCUMULATED,      \
                    SIGNALLED),                                                                    \
    .finish = finish_product                                                                       \
  }

/* gsb0 is no scoreboard of a warp, but of the four. */
static void
name_signal (const WpSassBits *bits, WpSassInstr *instr)
{
  for (guint k = 0; k < instr->n_operands; k++)
    if (instr->operands[k].kind == WP_SASS_SCOREBOARD)
      instr->operands[k].space = WP_WORD_gsb;
  (void)bits;
}

/* The registers of a sum are as many as 16 rows of N columns take of 32 lanes: the size is the
 * word after the op, where the bits tell one. */
static void
finish_product (const WpSassBits *bits, WpSassInstr *instr)
{
  const gchar *size = instr->n_words > 0 ? wp_sass_word_text (instr->words[0]) : "";
  guint columns = g_str_has_prefix (size, "64x") ? (guint)g_ascii_strtoull (size + 3, NULL, 10) : 0;
  WpSassOperand *sums[] = { &instr->operands[0], &instr->operands[instr->n_operands - 1] };

  while (sums[1]->kind != WP_SASS_REGISTER)
    sums[1]--; /* what follows is the predicate and the signal */
  for (guint k = 0; columns > 0 && k < G_N_ELEMENTS (sums); k++)
    if (sums[k]->number != 255)
      sums[k]->n_registers = columns / (wp_sass_has (instr, WP_WORD_F16) ? 4 : 2);
  name_signal (bits, instr);
}

const WpSassRow wp_sass_rows_warpgroup[] = {
  WARPGROUP_PRODUCT (WP_SASS_HGMMA, 0xf0, HGMMA_SIZE, ENUM (75, 1, F16, F32),
                     ENUM (76, 2, NONE, BF16, TF32)),
  WARPGROUP_PRODUCT (WP_SASS_IGMMA, 0xf1, IGMMA_SIZE, ENUM (76, 2, U8, S8), ENUM (82, 2, U8, S8),
                     FLAG (75, SAT)),
  WARPGROUP_PRODUCT (WP_SASS_BGMMA, 0xf2, BGMMA_SIZE, ENUM (77, 2, BAD, BAD, AND),
                     ENUM (80, 1, BAD, POPC)),
  WARPGROUP_PRODUCT (WP_SASS_QGMMA, 0xf3, QGMMA_SIZE, ENUM (75, 1, F16, F32),
                     ENUM (76, 1, E4M3, E5M2), ENUM (77, 1, E4M3, E5M2)),
  { .op = WP_SASS_WARPGROUP,
    .code = 0x9c5,
    .since = 90,
    .until = 99,
    .match = { WP_IS_NOT (80) },
    .words = WORDS (ALWAYS (ARRIVE)),
    .slots = NO_SLOTS },
  { .op = WP_SASS_WARPGROUP,
    .code = 0x9c5,
    .since = 90,
    .until = 99,
    .words = WORDS (ALWAYS (DEPBAR), ALWAYS (LE)),
    .slots = SLOTS (SIGNALLED, IMM (72, 3)),
    .finish = name_signal },
  { .op = WP_SASS_WARPGROUPSET,
    .code = 0xd5e,
    .since = 90,
    .until = 99,
    .words = NO_WORDS,
    .slots = NO_SLOTS },

  { .op = WP_SASS_STAS,
    .code = 0xdbd,
    .since = 90,
    .words = WORDS (ENUM (73, 3, BAD, BAD, BAD, BAD, NONE, 64, 128)),
    .slots = SLOTS (MEMORY (.reg = 24, .uniform = 64, .offset = 40, .bits = 24, .omits_urz = TRUE,
                            .index = ENUM (90, 1, U32, 64)),
                    REG (32, .count = WP_COUNT (73, 3, 1, 1, 1, 1, 1, 2, 4))) },
  { .op = WP_SASS_REDAS, .code = 0xdbe, .since = 90, .words = NO_WORDS, .slots = NO_SLOTS },
  { 0 },
};
