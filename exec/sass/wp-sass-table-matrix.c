/* SPDX-License-Identifier: MIT */
/* Matrix instructions of a warp, and what moves their fragments. Encodings: the text of each
 * instruction with its bits changed one by one; the sizes of fragments: PTX ISA, "Warp level
 * matrix instructions". */
#include "exec/sass/wp-sass-operand.h"

#define NEGATED_A .mods = WP_NEGATE (72)
#define NEGATED_B .mods = WP_NEGATE (63)
#define SATFINITE_FIELD FLAG (77, SATFINITE)

/* Predicates of the whole instruction, which no compiler is known to set: 0 is UPT. */
#define BLOCKED UPRED (87, .when = WP_WHEN (87, 4, 0xfffe))

/* Of sparse ones: which elements of A there are, and which lanes say so. */
#define SPARSE(IS) REG (40, .when = IS, .reuse = 0), IMM (48, 2, .when = IS)

/* Scales of A and B, and which bytes of them: the number of the uniform register is in two
 * parts. */
#define SCALES REG (40), REG (52), UREG (60)

/* Half precision: k by bits 75 and 78. */
#define HMMA(IS_SPARSE, ...)                                                                       \
  {                                                                                                \
    .op = WP_SASS_HMMA, .code = 0x23c, .since = 75, .match = { IS_SPARSE (73) },                   \
    .words = WORDS (__VA_ARGS__, ENUM (76, 1, F16, F32), ENUM (82, 2, NONE, BF16, TF32),           \
                    SATFINITE_FIELD),                                                              \
    .slots = SLOTS (REG_DEST (), REG_A (NEGATED_A), REG (32, NEGATED_B), REG (64), BLOCKED,        \
                    SPARSE (WP_IS (73))),                                                          \
    .finish = finish_hmma                                                                          \
  }

#define IMMA_TYPES                                                                                 \
  ENUM2 (76, 2, 83, 1, U8, S8, BAD, BAD, U4, S4), ENUM2 (78, 2, 84, 1, U8, S8, BAD, BAD, U4, S4)
#define IMMA(IS_SPARSE, ...)                                                                       \
  {                                                                                                \
    .op = WP_SASS_IMMA, .code = 0x237, .since = 75, .match = { IS_SPARSE (72) },                   \
    .words = WORDS (__VA_ARGS__, IMMA_TYPES, FLAG (82, SAT)),                                      \
    .slots = SLOTS (REG_DEST (), REG_A (.mods = { .words = { ENUM (73, 1, ROW) } }),               \
                    REG (32, .mods = { .words = { ENUM (74, 1, BAD, COL) } }), REG (64), BLOCKED,  \
                    SPARSE (WP_IS (72))),                                                          \
    .finish = finish_imma                                                                          \
  }

/* 8, 6 and 4 bits of floating point. */
#define NARROW_A ENUM2 (78, 1, 82, 2, E4M3, E5M2, BAD, E3M2, E2M3, E2M1)
#define NARROW_B ENUM2 (79, 1, 84, 2, E4M3, E5M2, BAD, E3M2, E2M3, E2M1)
#define QMMA_WORDS(...) WORDS (__VA_ARGS__, ENUM (77, 1, F16, F32), NARROW_A, NARROW_B)
#define QMMA_A_B REG_DEST (), REG_A (NEGATED_A), REG (32, NEGATED_B), REG (64), BLOCKED
#define QMMA_OLD_A_B                                                                               \
  REG_DEST (), REG_A (.mods = { .negate = 72, .words = { ENUM (73, 1, ROW) } }),                   \
      REG (32, .mods = { .negate = 63, .words = { ENUM (74, 1, BAD, COL) } }), REG (64), BLOCKED

static void
set_count (WpSassOperand *operand, guint n)
{
  if (operand->n_registers > 0)
    operand->n_registers = n;
}

/* Registers of D, A, B, C. */
static void
set_counts (WpSassInstr *instr, guint d, guint a, guint b, guint c)
{
  set_count (&instr->operands[0], d);
  set_count (&instr->operands[1], a);
  set_count (&instr->operands[2], b);
  set_count (&instr->operands[3], c);
}

/* 0 is UPT, 1 is UP6. */
static void
complement_blocked (WpSassInstr *instr)
{
  for (guint k = 0; k < instr->n_operands; k++)
    if (instr->operands[k].kind == WP_SASS_UNIFORM_PREDICATE)
      instr->operands[k].number ^= 7;
}

static void
set_sparse_reuse (const WpSassBits *bits, WpSassInstr *instr)
{
  enum
  {
    BIT_REUSE = 50
  };

  for (guint k = 4; k < instr->n_operands; k++)
    if (instr->operands[k].kind == WP_SASS_REGISTER)
      instr->operands[k].reuse = wp_sass_bits_get (bits, BIT_REUSE + k - 4, 1);
}

/* Elements of A in a lane's registers: m * k / 32, or half of that. */
static void
finish_hmma (const WpSassBits *bits, WpSassInstr *instr)
{
  static const guint8 k_of[] = { 8, 16, 4, 32 };
  gboolean is_sparse = wp_sass_bits_get (bits, 73, 1);
  gboolean is_tf32 = wp_sass_bits_get (bits, 83, 1);
  guint k = k_of[wp_sass_bits_get (bits, 75, 1) | wp_sass_bits_get (bits, 78, 1) << 1];
  guint d = wp_sass_bits_get (bits, 76, 1) ? 4 : 2;
  guint b = is_tf32 ? k / 4 : MAX (k / 8, 1);

  set_counts (instr, d, is_sparse ? b : 2 * b, b, d);
  complement_blocked (instr);
  set_sparse_reuse (bits, instr);
}

/* m16n8kK or m8n8kK of 8 or 4 bits: the sizes have the k of 8 bits, or twice that. */
static void
finish_imma (const WpSassBits *bits, WpSassInstr *instr)
{
  static const guint8 k_of[] = { 16, 0, 32, 64, 16, 32, 64, 128 };
  guint size = wp_sass_bits_get (bits, 75, 1) | wp_sass_bits_get (bits, 85, 2) << 1;
  gboolean is_sparse = wp_sass_bits_get (bits, 72, 1);
  guint wide = wp_sass_bits_get (bits, 83, 1) ? 4 : 8;
  guint b = MAX (k_of[size] * wide / 128, 1);
  guint d = size >= 4 ? 4 : 2;

  set_counts (instr, d, size >= 4 && !is_sparse ? 2 * b : b, b, d);
  complement_blocked (instr);
  set_sparse_reuse (bits, instr);
}

static void
finish_bmma (const WpSassBits *bits, WpSassInstr *instr)
{
  guint size = wp_sass_bits_get (bits, 75, 2); /* 88128, 168128, 168256 */

  set_counts (instr, size ? 4 : 2, 1 << size, size == 2 ? 2 : 1, size ? 4 : 2);
}

static void
finish_dmma (const WpSassBits *bits, WpSassInstr *instr)
{
  guint size = bits->sm >= 90 ? wp_sass_bits_get (bits, 76, 2) : 0; /* 884, 1684, 1688, 16816 */

  set_counts (instr, size ? 8 : 4, 2 << size, size ? 1 << size : 2, size ? 8 : 4);
  complement_blocked (instr);
}

static void
finish_qmma (const WpSassBits *bits, WpSassInstr *instr)
{
  gboolean is_sparse = wp_sass_bits_get (bits, 80, 1);
  guint b = 1 << wp_sass_bits_get (bits, 75, 2); /* k 16, 32, 64 */
  guint d = wp_sass_bits_get (bits, 77, 1) ? 4 : 2;

  set_counts (instr, d, is_sparse ? b : 2 * b, b, d);
  complement_blocked (instr);
  set_sparse_reuse (bits, instr);
}

/* With scales: the uniform register's upper bits are at 73. */
static void
finish_scaled (const WpSassBits *bits, WpSassInstr *instr)
{
  gboolean is_sparse = wp_sass_bits_get (bits, 80, 1);

  set_counts (instr, 4, 4, is_sparse ? 4 : 2, 4);
  complement_blocked (instr);
  set_sparse_reuse (bits, instr);
  for (guint k = 4; k < instr->n_operands; k++)
    if (instr->operands[k].kind == WP_SASS_UNIFORM)
      {
        instr->operands[k].number
            = wp_sass_bits_get (bits, 60, 3) | wp_sass_bits_get (bits, 73, 5) << 3;
        instr->operands[k].n_registers = instr->operands[k].number != 255;
      }
}

/* A quad of lanes does a product in 2 or 4 steps (Jia et al. 2018, section 4.3), each of which
 * writes two registers. */
static void
finish_884 (const WpSassBits *bits, WpSassInstr *instr)
{
  set_counts (instr, 2, 2, 2, 2);
  (void)bits;
}

/* Matrices of 8 by 8 halves, and since sm_100 of bytes. */
#define N_MATRICES ENUM (72, 2, NONE, 2, 4)
#define BY_MATRICES .count = WP_COUNT (72, 2, 1, 2, 4)
#define FRAGMENT_ADDRESS(UNIFORM)                                                                  \
  { .kind = WP_SLOT_MEMORY,                                                                        \
    .when = WP_IS_NOT (91),                                                                        \
    .memory = { .reg = 24, .offset = 40, .bits = 24 } },                                           \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .when = WP_IS (91),                                                    \
    .memory                                                                                        \
        = {.reg = 24,                                                                              \
           .uniform = UNIFORM,                                                                     \
           .offset = 40,                                                                           \
           .bits = 24 }                                                                            \
  }

/* A matrix of 16 by 16 bytes takes two registers of a lane. */
static void
finish_ldsm (const WpSassBits *bits, WpSassInstr *instr)
{
  enum
  {
    MT1616_VALUE = 4
  };

  if (wp_sass_bits_get (bits, 78, 3) == MT1616_VALUE)
    instr->operands[0].n_registers *= 2;
}

const WpSassRow wp_sass_rows_matrix[] = {
  { .op = WP_SASS_HMMA,
    .code = 0x236,
    .until = 75,
    .match = { WP_IS_NOT (75) },
    .words = WORDS (ALWAYS (884), ENUM (76, 1, F16, F32), ENUM (78, 1, F16, F32),
                    ENUM (79, 2, STEP0, STEP1, STEP2, STEP3), SATFINITE_FIELD),
    .slots
    = SLOTS (REG_DEST (), REG_A (.mods = { .negate = 72, .words = { ENUM (73, 1, ROW, COL) } }),
             REG (32, .mods = { .negate = 63, .words = { ENUM (74, 1, ROW, COL) } }), REG (64)),
    .finish = finish_884 },
  HMMA (WP_IS_NOT, ENUM2 (75, 1, 78, 1, 1688, 16816, 1684)),
  HMMA (WP_IS, ALWAYS (SP), ENUM2 (75, 1, 78, 1, 1688, 16816, BAD, 16832)),
  IMMA (WP_IS_NOT, ENUM2 (75, 1, 85, 2, 8816, BAD, 8832, BAD, 16816, 16832, 16864)),
  IMMA (WP_IS, ALWAYS (SP), ENUM2 (75, 1, 85, 2, BAD, BAD, 8832, 8864, BAD, 16832, 16864, 168128)),
  { .op = WP_SASS_BMMA,
    .code = 0x23d,
    .since = 75,
    .until = 90,
    .words = WORDS (ENUM (75, 2, 88128, 168128, 168256), ENUM (77, 2, XOR, BAD, AND),
                    ENUM (80, 1, BAD, POPC)),
    .slots = SLOTS (REG_DEST (), REG_A (.mods = { .words = { ENUM (73, 1, ROW) } }),
                    REG (32, .mods = { .words = { ENUM (74, 1, BAD, COL) } }), REG (64)),
    .finish = finish_bmma },
  { .op = WP_SASS_DMMA,
    .code = 0x23f,
    .since = 80,
    .until = 89,
    .words = WORDS (ENUM (76, 1, 884), ENUM (78, 2, NONE, RM, RP, RZ)),
    .slots
    = SLOTS (REG_DEST (), REG_A (.mods = WP_NEGATE_ABS (72, 73)),
             REG (32, .mods = WP_NEGATE_ABS (63, 62)), REG (64, .mods = WP_NEGATE_ABS (75, 74))),
    .finish = finish_dmma },
  { .op = WP_SASS_DMMA,
    .code = 0x23f,
    .since = 90,
    .words = WORDS (ENUM (76, 2, 8x8x4, 16x8x4, 16x8x8, 16x8x16), ENUM (78, 2, NONE, RM, RP, RZ)),
    .slots = SLOTS (REG_DEST (), REG_A (.mods = WP_NEGATE_ABS (72, 73)),
                    REG (32, .mods = WP_NEGATE_ABS (63, 62)),
                    REG (64, .mods = WP_NEGATE_ABS (75, 74)), BLOCKED),
    .finish = finish_dmma },

  { .op = WP_SASS_QMMA,
    .code = 0x27a,
    .since = 89,
    .until = 99,
    .match = { WP_IS_NOT (80) },
    .words = WORDS (ENUM (75, 2, 16816, 16832), ENUM (77, 1, F16, F32), ENUM (78, 1, E4M3, E5M2),
                    ENUM (79, 1, E4M3, E5M2)),
    .slots = SLOTS (QMMA_OLD_A_B),
    .finish = finish_qmma },
  { .op = WP_SASS_QMMA,
    .code = 0x27a,
    .since = 89,
    .until = 99,
    .words = WORDS (ALWAYS (SP), ENUM (75, 2, BAD, 16832, 16864), ENUM (77, 1, F16, F32),
                    ENUM (78, 1, E4M3, E5M2), ENUM (79, 1, E4M3, E5M2)),
    .slots = SLOTS (QMMA_OLD_A_B, SPARSE (WP_IS (80))),
    .finish = finish_qmma },
  { .op = WP_SASS_QMMA,
    .code = 0x27a,
    .since = 120,
    .match = { WP_IS_NOT (80) },
    .words = QMMA_WORDS (ENUM (75, 2, 16816, 16832)),
    .slots = SLOTS (QMMA_A_B),
    .finish = finish_qmma },
  { .op = WP_SASS_QMMA,
    .code = 0x27a,
    .since = 120,
    .words = QMMA_WORDS (ALWAYS (SP), ENUM (75, 2, BAD, 16832, 16864)),
    .slots = SLOTS (QMMA_A_B, SPARSE (WP_IS (80))),
    .finish = finish_qmma },
  { .op = WP_SASS_QMMA,
    .code = 0x47a,
    .since = 120,
    .words = WORDS (ALWAYS (SF), FLAG (80, SP), ENUM (80, 1, 16832, 16864), ALWAYS (F32), NARROW_A,
                    NARROW_B, ALWAYS (E8)),
    .slots = SLOTS (QMMA_A_B, SCALES, IMM (48, 2, .when = WP_IS (80))),
    .finish = finish_scaled },
  { .op = WP_SASS_OMMA,
    .code = 0x47f,
    .since = 120,
    .words = WORDS (ALWAYS (SF), FLAG (80, SP), ENUM (80, 1, 16864, 168128), ALWAYS (F32),
                    ALWAYS (E2M1), ALWAYS (E2M1), ENUM (82, 1, E8, UE4M3), UNLESS (83, 4X)),
    .slots = SLOTS (QMMA_A_B, SCALES, IMM (48, 2, .when = WP_IS (80))),
    .finish = finish_scaled },

  { .op = WP_SASS_MOVM,
    .code = 0x23a,
    .since = 75,
    .words = WORDS (ENUM (75, 3, 16), ENUM (78, 2, MT88, M832, M864)),
    .slots = SLOTS (REG_DEST (), REG_A ()) },
  { .op = WP_SASS_LDSM,
    .code = 0x83b,
    .since = 75,
    .words = WORDS (ENUM (75, 3, 16, U4TO8, BAD, BAD, BAD, U4X16P64TO8, U6X16P32TO8, 8),
                    ENUM (78, 3, M88, MT88, M816, M832, MT1616), N_MATRICES),
    .slots = SLOTS (REG_DEST (BY_MATRICES), FRAGMENT_ADDRESS (32)),
    .finish = finish_ldsm },
  { .op = WP_SASS_STSM,
    .code = 0x844,
    .since = 90,
    .words = WORDS (ENUM (75, 1, 16, 8), ENUM (78, 2, M88, MT88, MT168), N_MATRICES),
    .slots = SLOTS (FRAGMENT_ADDRESS (64), REG (32, BY_MATRICES)) },
  { 0 },
};
