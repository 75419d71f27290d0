/* SPDX-License-Identifier: MIT */
/* Barriers in shared memory, copies in bulk and by tensor maps, clusters, and tensor memory: what
 * sm_90 and later have beside the pipelines of a warp. What nothing executes is named here, with
 * its operands where they are plain. */
#include "exec/sass/wp-sass-table.h"

#define ADDRESS_UR(UR) MEMORY (.reg = 24, .uniform = UR, .offset = 40, .bits = 24)
#define AT(BIT) MEMORY (.uniform = BIT)

/* Which of the operations on a barrier, two bits that stand higher since registers have 8 bits. */
#define KIND_OLD(KIND) .since = 90, .until = 99, .match = { WP_IS (91), WP_WHEN (70, 2, 1 << KIND) }
#define KIND(KIND) .since = 100, .match = { WP_IS (91), WP_WHEN (76, 2, 1 << KIND) }

#define CHECK_WORDS WORDS (ALWAYS (PHASECHK), ALWAYS (TRANS64), FLAG (72, TRYWAIT))
#define CHECK_SLOTS SLOTS (PRED_DEST (81), ADDRESS_UR (64), REG (32))
#define ARRIVE_WORDS                                                                               \
  WORDS (ALWAYS (ARRIVE), ALWAYS (TRANS64), ENUM (73, 2, NONE, TMASK, RED), FLAG (75, OPTOUT),     \
         ENUM (84, 3, NONE, A1T0, A0T1, A0TR, A0TX, ART0))
#define ARRIVE_SLOTS SLOTS (REG_DEST (.n = 2), ADDRESS_UR (64), REG (32))
#define CONTROL_WORDS(BIT) WORDS (ALWAYS (CCTL), ENUM (BIT, 2, IV, WB))

/* Copies of tensors: dimensions, and a mode. */
#define DIMENSIONS ENUM (79, 3, 1D, 2D, 3D, 4D, 5D)
#define REDUCTION ENUM (87, 3, ADD, MIN, MAX, INC, DEC, AND, OR, XOR)
#define POLICY(BIT)                                                                                \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .when = WP_IS (76), .memory = {.uniform = BIT, .space = WP_WORD_desc } \
  }
#define TENSOR(OP, CODE)                                                                           \
  .op = WP_SASS_##OP, .code = CODE, .since = 90, .is_uniform = TRUE, .match = { WP_IS (91) }

/* setmaxnreg: registers given back, or asked for, of those that a block shares. */
#define POOL(CODE, HOW, WORD, ...)                                                                 \
  {                                                                                                \
    .op = WP_SASS_USETMAXREG, .code = CODE, .since = 90, .is_uniform = TRUE,                       \
    .match = { WP_IS (91), WP_WHEN (72, 2, 1 << (HOW)) },                                          \
    .words = WORDS (ALWAYS (WORD), ENUM (74, 1, BAD, CTAPOOL)), .slots = SLOTS (__VA_ARGS__)       \
  }

/* Named alone. */
#define NAMED(OP, CODE, SINCE)                                                                     \
  {                                                                                                \
    .op = WP_SASS_##OP, .code = CODE, .since = SINCE, .words = NO_WORDS, .slots = NO_SLOTS         \
  }

const WpSassRow wp_sass_rows_async[] = {
  { .op = WP_SASS_SYNCS, .code = 0x5a7, KIND_OLD (1), .words = CHECK_WORDS, .slots = CHECK_SLOTS },
  { .op = WP_SASS_SYNCS, .code = 0x5a7, KIND (1), .words = CHECK_WORDS, .slots = CHECK_SLOTS },
  { .op = WP_SASS_SYNCS,
    .code = 0x9a7,
    KIND_OLD (0),
    .words = ARRIVE_WORDS,
    .slots = ARRIVE_SLOTS },
  { .op = WP_SASS_SYNCS, .code = 0x9a7, KIND (0), .words = ARRIVE_WORDS, .slots = ARRIVE_SLOTS },
  { .op = WP_SASS_SYNCS,
    .code = 0x5b2,
    .since = 90,
    .is_uniform = TRUE,
    .match = { WP_IS (91), WP_WHEN (72, 2, 2) },
    .words = WORDS (ALWAYS (EXCH), ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), MEMORY (.uniform = 24, .offset = 40, .bits = 24),
                    REG (32, .n = 2)) },
  { .op = WP_SASS_SYNCS,
    .code = 0x3b2,
    .since = 90,
    .is_uniform = TRUE,
    .match = { WP_IS (91), WP_WHEN (72, 2, 4) },
    .words = WORDS (ALWAYS (CAS), ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), MEMORY (.uniform = 24, .offset = 40, .bits = 24),
                    REG (32, .n = 2), REG (64, .n = 2)) },
  { .op = WP_SASS_SYNCS,
    .code = 0x9b2,
    .since = 90,
    .is_uniform = TRUE,
    .match = { WP_IS (91), WP_WHEN (72, 2, 1) },
    .words = WORDS (ALWAYS (LD), ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), MEMORY (.uniform = 24, .offset = 40, .bits = 24)) },
  { .op = WP_SASS_SYNCS,
    .code = 0x5b1,
    .since = 90,
    .match = { WP_IS (91), WP_WHEN (73, 1, 2) },
    .words = WORDS (ALWAYS (LD), ALWAYS (64)),
    .slots = SLOTS (REG_DEST (.n = 2), ADDRESS_UR (64)) },
  { .op = WP_SASS_SYNCS,
    .code = 0x9b1,
    .since = 90,
    .until = 99,
    .match = { WP_IS (91) },
    .words = CONTROL_WORDS (72),
    .slots = SLOTS (ADDRESS_UR (64)) },
  { .op = WP_SASS_SYNCS,
    .code = 0x9b1,
    .since = 100,
    .match = { WP_IS (91) },
    .words = CONTROL_WORDS (72),
    .slots = SLOTS (ADDRESS_UR (64)) },
  { .op = WP_SASS_SYNCS,
    .code = 0x9b1,
    .since = 90,
    .match = { WP_IS_NOT (91) },
    .words = WORDS (ALWAYS (CCTL), ALWAYS (IVALL)),
    .slots = NO_SLOTS },
  { .op = WP_SASS_UCGABAR_ARV,
    .code = 0x9c7,
    .since = 90,
    .guard_uniform = TRUE,
    .words = NO_WORDS,
    .slots = NO_SLOTS },
  { .op = WP_SASS_UCGABAR_WAIT,
    .code = 0xdc7,
    .since = 90,
    .guard_uniform = TRUE,
    .words = NO_WORDS,
    .slots = NO_SLOTS },
  POOL (0x9c8, 1, DEALLOC, IMM (32, 10)),
  POOL (0x3c8, 1, DEALLOC, REG (32)),
  POOL (0x9c8, 2, TRY_ALLOC, PRED_DEST (81), IMM (32, 10)),
  POOL (0x3c8, 2, TRY_ALLOC, PRED_DEST (81), REG (32)),
  { .op = WP_SASS_USETSHMSZ,
    .code = 0x9c9,
    .since = 90,
    .is_uniform = TRUE,
    .words = WORDS (FLAG (72, FLUSH)),
    .slots = SLOTS (IMM (32, 20, .when = WP_IS_NOT (72))) },
  { .op = WP_SASS_UGETNEXTWORKID,
    .code = 0x3ca,
    .since = 100,
    .is_uniform = TRUE,
    .words = WORDS (ENUM (72, 1, SELFCAST, BROADCAST)),
    .slots = SLOTS (AT (24)) },
  { TENSOR (UBLKCP, 0x3ba),
    .words = WORDS (ENUM (73, 1, G, S), ENUM (74, 1, G, S), FLAG (75, MULTICAST),
                    FLAG (84, DST_G_BYTE_MASK)),
    .slots = SLOTS (AT (32), AT (24), REG (64), POLICY (40)) },
  { TENSOR (UBLKPF, 0x3bc), .words = WORDS (ALWAYS (L2)),
    .slots = SLOTS (AT (24), REG (64), POLICY (40)) },
  { TENSOR (UBLKRED, 0x3bb),
    .words = WORDS (ENUM (73, 1, G, S), ENUM (74, 1, BAD, S), REDUCTION,
                    ENUM (81, 4, NONE, S32, U64, S64, F16, F32, F32, F64, BF16),
                    ENUM (81, 4, NONE, NONE, NONE, NONE, NONE, NONE, FTZ, NONE, NONE),
                    ENUM (83, 2, NONE, RN, RN)),
    .slots = SLOTS (AT (32), AT (24), REG (64), POLICY (40)) },
  { TENSOR (UTMALDG, 0x3b4),
    .words = WORDS (DIMENSIONS, ENUM (82, 3, NONE, IM2COL, BAD, BAD, GATHER4), FLAG (75, MULTICAST),
                    FLAG (85, 2CTA)),
    .slots = SLOTS (AT (32), AT (24), REG (64), POLICY (40)) },
  { TENSOR (UTMALDG, 0x5b4),
    .words = WORDS (DIMENSIONS, ENUM (82, 3, NONE, BAD, BAD, BAD, GATHER4), FLAG (85, 2CTA)),
    .slots = SLOTS (AT (32), AT (24), POLICY (40)) },
  { TENSOR (UTMASTG, 0x3b5), .words = WORDS (DIMENSIONS, ENUM (82, 3, NONE, IM2COL, SCATTER4)),
    .slots = SLOTS (AT (32), AT (24), POLICY (40)) },
  { TENSOR (UTMAREDG, 0x3b6), .words = WORDS (DIMENSIONS, ENUM (82, 2, NONE, IM2COL), REDUCTION),
    .slots = SLOTS (AT (32), AT (24), POLICY (40)) },
  { TENSOR (UTMAPF, 0x5b8),
    .words = WORDS (ALWAYS (L2), DIMENSIONS, ENUM (82, 3, NONE, BAD, BAD, BAD, GATHER4)),
    .slots = SLOTS (AT (32), AT (24), POLICY (40)) },
  { TENSOR (UTMAPF, 0x3b8),
    .words = WORDS (ALWAYS (L2), DIMENSIONS, ENUM (82, 3, NONE, IM2COL, BAD, BAD, GATHER4)),
    .slots = SLOTS (AT (32), AT (24), REG (64), POLICY (40)) },
  { TENSOR (UTMACCTL, 0x9b9), .words = WORDS (ENUM (82, 1, IV, PF)), .slots = SLOTS (AT (24)) },
  { .op = WP_SASS_UTMACMDFLUSH,
    .code = 0x9b7,
    .since = 90,
    .guard_uniform = TRUE,
    .words = NO_WORDS,
    .slots = NO_SLOTS },
  NAMED (UMEMSETS, 0x3cb, 100),
  NAMED (LDGMC, 0x9a4, 90),
  NAMED (LDGMC, 0x9a5, 90),
  { 0 },
};
