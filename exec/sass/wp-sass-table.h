/* SPDX-License-Identifier: MIT */
/* How a row of the decoder's table is written. A row is one encoding of an op: its opcode, the
 * bits that choose its words, and its operands in the order of the text.
 *
 *     { .op = WP_SASS_FADD, .code = 0x021, .forms = WP_FORMS_M,
 *       .words = WORDS (FLAG (80, FTZ), ENUM (78, 2, NONE, RM, RP, RZ), FLAG (77, SAT)),
 *       .slots = SLOTS (REG_DEST (), REG_A (.mods = WP_NEGATE_ABS (72, 73)),
 *                       ALU_M (.immediate = WP_IMMEDIATE_F32, WP_MODS_F32)) },
 *
 * Bits are numbered from 0 to 127, the lowest of the instruction's first byte being 0.
 *
 * The opcode is in bits 0 to 11. Arithmetic has one opcode of 9 bits and a *form* in bits 9 to 11,
 * which says what stands at bits 32 and 64 (Mesa's NAK, encode_alu_base()):
 *
 *     form   operand B          operand C          bits 32 on are
 *     1      register at 32     register at 64     a register
 *     2      register at 64     immediate          an immediate of 32 bits
 *     3      register at 64     constant           c[bank][offset]
 *     4      immediate          register at 64     an immediate of 32 bits
 *     5      constant           register at 64     c[bank][offset]
 *     6      uniform register   register at 64     a uniform register
 *     7      register at 64     uniform register   a uniform register
 *
 * A row with .forms has the 9 bits as .code and stands for all of these forms; ALU_B, ALU_C and
 * ALU_M (what is at bits 32 on, in any form) follow the form. A row without .forms has all 12 bits
 * as .code. Rows of one opcode are tried in the order of their file: the first whose targets
 * (.since to .until) and bits (.match) fit is it.
 *
 * Words: ENUM (bit, width, words...) has a word for each value, NONE for a value without a word,
 * BAD for one that is not known; values after the last are not known. FLAG (bit, WORD) prints WORD
 * where the bit is 1, UNLESS (bit, WORD) where it is 0, ALWAYS (WORD) always. A field in two parts
 * has .high, .high_width (bits above those of the first). .when = WP_WHEN (bit, width, set): only
 * where the bits have a value whose bit is in SET.
 *
 * Operands: see the macros below. Each takes fields of WpSassSlot as designated initialisers:
 *
 *     .n = 2                  two registers from the number on (1 is the default), or
 *     .count = WP_COUNT (73, 3, 1, 1, 1, 1, 1, 2, 4)     by a field; 0 is as 1
 *     .mods = ...             which bits are -, |...|, ! or ~, and words (R4.H0_H0)
 *     .mods_at_64 = ...       the same for an ALU_B or ALU_C that stands at bit 64
 *     .omit = WP_OMIT_DEFAULT left out of the text (and of the operands) where it is PT, RZ, 0
 *     .omit = WP_OMIT_REST    ...where it and all following ones with WP_OMIT_REST are
 *     .when = WP_WHEN (...)   there only where bits have certain values; WP_IS (bit) and
 *                             WP_IS_NOT (bit) for one bit, WP_SINCE (sm) and WP_UNTIL (sm) for
 *                             targets; .when_2 too
 *
 * What no row can say is done by the row's .finish. */
#pragma once

#include "exec/sass/wp-sass.h"

G_BEGIN_DECLS

#define WP_WORD_BAD 0xffff /* in a field's values: no such value */

/* Bits BIT to BIT + WIDTH - 1 have a value V with bit V of SET (WIDTH 0: any; at most 5), and the
 * target is sm_SINCE to sm_UNTIL (0: any). */
typedef struct
{
  guint8 bit, width;
  guint8 since, until;
  guint32 set;
} WpSassWhen;

typedef struct
{
  guint8 bit, width;       /* width 0: the word .flag, always */
  guint8 high, high_width; /* second part, above the first; high_width 0: none */
  guint16 flag;            /* the word of a field without values, where the bits are not 0 */
  guint8 n;                /* number of values */
  const guint16 *values;   /* WpSassWord of each value, or registers of WP_COUNT() */
  WpSassWhen when;
} WpSassField;

/* Bits that change how an operand is read; 0: there is no such bit. */
typedef struct
{
  guint8 negate, absolute, invert;
  WpSassField words[2];
} WpSassMods;

typedef enum
{
  WP_SLOT_NONE,
  WP_SLOT_REGISTER, /* 8 bits */
  WP_SLOT_UNIFORM,  /* 6 bits, from sm_100 on 8 */
  WP_SLOT_PREDICATE,
  WP_SLOT_UNIFORM_PREDICATE,
  WP_SLOT_B, /* as the form says */
  WP_SLOT_C,
  WP_SLOT_M,
  WP_SLOT_IMMEDIATE, /* .bit, .width, .immediate; .scale */
  WP_SLOT_CONSTANT,  /* c[bank][offset] at bits 32 on: index register at .bit where .bit is set */
  WP_SLOT_UNIFORM_CONSTANT, /* the same, its index a uniform register, offsets of 17 bits at 37 */
  WP_SLOT_MEMORY,           /* as .memory says */
  WP_SLOT_SPECIAL,          /* 8 bits */
  WP_SLOT_CONVERGENCE,
  WP_SLOT_SCOREBOARD,
  WP_SLOT_SCOREBOARDS, /* a bit for each */
  WP_SLOT_RPC,         /* the return address of a trap */
  WP_SLOT_TARGET,  /* address of the next instruction + signed .width bits at .bit, times .scale;
                    * .low_width bits at .low below them */
  WP_SLOT_ADDRESS, /* .width bits at .bit, times .scale: an address */
  WP_SLOT_PR,      /* all predicates */
  WP_SLOT_UPR,
  WP_SLOT_VALUE, /* a number that no bits hold: .value */
  WP_N_SLOTS
} WpSassSlotKind;

typedef enum
{
  WP_IMMEDIATE_UNSIGNED,
  WP_IMMEDIATE_SIGNED,
  WP_IMMEDIATE_F32,
  WP_IMMEDIATE_F64,   /* the upper half of a double: value has it in its upper 32 bits */
  WP_IMMEDIATE_F16X2, /* two operands in the text, the upper half first */
  WP_IMMEDIATE_BF16X2
} WpSassImmediate;

typedef enum
{
  WP_OMIT_NEVER,
  WP_OMIT_DEFAULT,
  WP_OMIT_REST,
  WP_OMIT_ALL_ONES, /* an immediate with all bits 1 */
  WP_OMIT_RZ        /* a register that is RZ, whatever its modifiers */
} WpSassOmit;

/* desc[UR][R + UR + offset]: places of the parts. */
typedef struct
{
  guint8 reg;          /* bit of the register, 0: none */
  guint8 uniform;      /* ...of the uniform register, 0: none */
  guint8 descriptor;   /* ...of the uniform register that holds the descriptor, 0: none */
  guint8 offset, bits; /* signed offset */
  guint8 scale;        /* of the offset, 0: 1 */
  gboolean is_plain;   /* the offset is not signed */
  gboolean omits_urz;  /* a uniform register that is URZ is not written */
  guint16 space;       /* a word before the bracket */
  WpSassField index;   /* word of the register: 64, U32, X4, ... */
} WpSassMemory;

typedef struct
{
  guint8 kind; /* WpSassSlotKind */
  guint8 bit, width;
  guint8 low, low_width; /* a part of a number below those bits */
  guint8 n;
  guint8 omit;
  guint8 immediate; /* WpSassImmediate */
  guint8 scale;     /* 0: 1 */
  guint8 reuse;     /* its bit from 122 on, plus 1; 0: by where it stands */
  gboolean is_dest;
  guint32 value;
  WpSassField count;
  WpSassMods mods, mods_at_64;
  WpSassWhen when, when_2;
  WpSassMemory memory;
} WpSassSlot;

typedef struct
{
  guint64 low, high;
  guint sm;
  guint64 address;
} WpSassBits;

typedef struct
{
  guint16 op; /* 0 ends a list */
  guint16 code;
  guint8 forms;             /* bit F: form F; 0: .code has 12 bits */
  guint8 since, until;      /* compute capabilities, 0: any */
  gboolean is_uniform;      /* its registers and predicates, the guard too, are uniform ones */
  gboolean guard_uniform;   /* the guard alone is a uniform predicate */
  WpSassWhen match[3];      /* bits that tell it from others with its opcode */
  const WpSassField *words; /* to one of width 0 without a word */
  const WpSassSlot *slots;  /* to one of kind 0 */
  void (*finish) (const WpSassBits *bits, WpSassInstr *instr);
} WpSassRow;

#define WP_WHEN(BIT, WIDTH, SET)                                                                   \
  {                                                                                                \
    .bit = BIT, .width = WIDTH, .set = SET                                                         \
  }
#define WP_SINCE(SM)                                                                               \
  {                                                                                                \
    .since = SM                                                                                    \
  }
#define WP_UNTIL(SM)                                                                               \
  {                                                                                                \
    .until = SM                                                                                    \
  }
#define WP_BETWEEN(FIRST, LAST)                                                                    \
  {                                                                                                \
    .since = FIRST, .until = LAST                                                                  \
  }
#define WP_IS(BIT) WP_WHEN (BIT, 1, 2)
#define WP_IS_NOT(BIT) WP_WHEN (BIT, 1, 1)

/* Forms. */
#define WP_FORMS_ALL 0xfe /* B and C */
#define WP_FORMS_B 0x72   /* register, immediate, constant, uniform register as B: 1, 4, 5, 6 */
#define WP_FORMS_M 0x8e   /* ...where it is at 32 and nothing at 64 but in the form 1: 1, 2, 3, 7 */

/* Words. WP_E_n() pastes WP_WORD_ before each of n words. */
#define WORDS(...)                                                                                 \
  (const WpSassField[])                                                                            \
  {                                                                                                \
    __VA_ARGS__, { 0 }                                                                             \
  }
#define NO_WORDS WORDS ({ 0 })
#define FLAG(BIT, WORD)                                                                            \
  {                                                                                                \
    .bit = BIT, .width = 1, .flag = WP_WORD_##WORD                                                 \
  }
#define FLAG_WHEN(BIT, WORD, WHEN)                                                                 \
  {                                                                                                \
    .bit = BIT, .width = 1, .flag = WP_WORD_##WORD, .when = WHEN                                   \
  }
#define UNLESS(BIT, WORD) ENUM (BIT, 1, WORD, NONE)
#define ALWAYS(WORD)                                                                               \
  {                                                                                                \
    .flag = WP_WORD_##WORD                                                                         \
  }
#define ENUM(BIT, WIDTH, ...)                                                                      \
  {                                                                                                \
    .bit = BIT, .width = WIDTH, .n = G_N_ELEMENTS (WP_VALUES (__VA_ARGS__)),                       \
    .values = WP_VALUES (__VA_ARGS__)                                                              \
  }
#define ENUM_WHEN(WHEN, BIT, WIDTH, ...)                                                           \
  {                                                                                                \
    .bit = BIT, .width = WIDTH, .n = G_N_ELEMENTS (WP_VALUES (__VA_ARGS__)),                       \
    .values = WP_VALUES (__VA_ARGS__), .when = WHEN                                                \
  }
#define ENUM2(BIT, WIDTH, HIGH, HIGH_WIDTH, ...)                                                   \
  {                                                                                                \
    .bit = BIT, .width = WIDTH, .high = HIGH, .high_width = HIGH_WIDTH,                            \
    .n = G_N_ELEMENTS (WP_VALUES (__VA_ARGS__)), .values = WP_VALUES (__VA_ARGS__)                 \
  }
#define WP_COUNT(BIT, WIDTH, ...)                                                                  \
  {                                                                                                \
    .bit = BIT, .width = WIDTH, .n = G_N_ELEMENTS (((const guint16[]){ __VA_ARGS__ })),            \
    .values = (const guint16[])                                                                    \
    {                                                                                              \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }
#define WP_VALUES(...) ((const guint16[]){ WP_EACH (__VA_ARGS__) })

/* Operands. */
#define SLOTS(...)                                                                                 \
  (const WpSassSlot[])                                                                             \
  {                                                                                                \
    __VA_ARGS__, { 0 }                                                                             \
  }
#define NO_SLOTS                                                                                   \
  (const WpSassSlot[])                                                                             \
  {                                                                                                \
    {                                                                                              \
      0                                                                                            \
    }                                                                                              \
  }
#define REG_DEST(...)                                                                              \
  {                                                                                                \
    .kind = WP_SLOT_REGISTER, .bit = 16, .is_dest = TRUE, __VA_ARGS__                              \
  }
#define REG_A(...)                                                                                 \
  {                                                                                                \
    .kind = WP_SLOT_REGISTER, .bit = 24, __VA_ARGS__                                               \
  }
#define REG(BIT, ...)                                                                              \
  {                                                                                                \
    .kind = WP_SLOT_REGISTER, .bit = BIT, __VA_ARGS__                                              \
  }
#define ALU_B(...)                                                                                 \
  {                                                                                                \
    .kind = WP_SLOT_B, __VA_ARGS__                                                                 \
  }
#define ALU_C(...)                                                                                 \
  {                                                                                                \
    .kind = WP_SLOT_C, __VA_ARGS__                                                                 \
  }
#define ALU_M(...)                                                                                 \
  {                                                                                                \
    .kind = WP_SLOT_M, __VA_ARGS__                                                                 \
  }
#define UREG(BIT, ...)                                                                             \
  {                                                                                                \
    .kind = WP_SLOT_UNIFORM, .bit = BIT, __VA_ARGS__                                               \
  }
#define UREG_DEST(...)                                                                             \
  {                                                                                                \
    .kind = WP_SLOT_UNIFORM, .bit = 16, .is_dest = TRUE, __VA_ARGS__                               \
  }
#define PRED_DEST(BIT, ...)                                                                        \
  {                                                                                                \
    .kind = WP_SLOT_PREDICATE, .bit = BIT, .is_dest = TRUE, __VA_ARGS__                            \
  }
#define PRED(BIT, ...) /* its ! is the bit above */                                                \
  {                                                                                                \
    .kind = WP_SLOT_PREDICATE, .bit = BIT, .mods = { .invert = (BIT) + 3 }, __VA_ARGS__            \
  }
#define UPRED_DEST(BIT, ...)                                                                       \
  {                                                                                                \
    .kind = WP_SLOT_UNIFORM_PREDICATE, .bit = BIT, .is_dest = TRUE, __VA_ARGS__                    \
  }
#define UPRED(BIT, ...)                                                                            \
  {                                                                                                \
    .kind = WP_SLOT_UNIFORM_PREDICATE, .bit = BIT, .mods = { .invert = (BIT) + 3 }, __VA_ARGS__    \
  }
#define IMM(BIT, WIDTH, ...)                                                                       \
  {                                                                                                \
    .kind = WP_SLOT_IMMEDIATE, .bit = BIT, .width = WIDTH, __VA_ARGS__                             \
  }
#define SIMM(BIT, WIDTH, ...)                                                                      \
  {                                                                                                \
    .kind = WP_SLOT_IMMEDIATE, .bit = BIT, .width = WIDTH, .immediate = WP_IMMEDIATE_SIGNED,       \
    __VA_ARGS__                                                                                    \
  }
/* c[bank][offset] of arithmetic; INDEXED: with the register at BIT, as LDC has it. */
#define CONSTANT(...)                                                                              \
  {                                                                                                \
    .kind = WP_SLOT_CONSTANT, __VA_ARGS__                                                          \
  }
#define INDEXED_CONSTANT(BIT)                                                                      \
  {                                                                                                \
    .kind = WP_SLOT_CONSTANT, .bit = BIT                                                           \
  }
#define UNIFORM_CONSTANT(BIT)                                                                      \
  {                                                                                                \
    .kind = WP_SLOT_UNIFORM_CONSTANT, .bit = BIT                                                   \
  }
#define MEMORY(...)                                                                                \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .memory = { __VA_ARGS__ }                                              \
  }
#define MEMORY_WHEN(WHEN, ...)                                                                     \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .when = WHEN, .memory = { __VA_ARGS__ }                                \
  }
#define MEMORY_WHEN_2(WHEN, WHEN_2, ...)                                                           \
  {                                                                                                \
    .kind = WP_SLOT_MEMORY, .when = WHEN, .when_2 = WHEN_2, .memory = { __VA_ARGS__ }              \
  }
#define SPECIAL(BIT)                                                                               \
  {                                                                                                \
    .kind = WP_SLOT_SPECIAL, .bit = BIT, .width = 8                                                \
  }
#define CONVERGENCE(BIT, ...)                                                                      \
  {                                                                                                \
    .kind = WP_SLOT_CONVERGENCE, .bit = BIT, .width = 4, __VA_ARGS__                               \
  }
#define SCOREBOARD(BIT, ...)                                                                       \
  {                                                                                                \
    .kind = WP_SLOT_SCOREBOARD, .bit = BIT, .width = 3, __VA_ARGS__                                \
  }
/* Of branches: up to sm_89, and since. */
#define PR                                                                                         \
  {                                                                                                \
    .kind = WP_SLOT_PR                                                                             \
  }
#define PR_DEST                                                                                    \
  {                                                                                                \
    .kind = WP_SLOT_PR, .is_dest = TRUE                                                            \
  }
#define UPR                                                                                        \
  {                                                                                                \
    .kind = WP_SLOT_UPR                                                                            \
  }
#define TARGET                                                                                     \
  { .kind = WP_SLOT_TARGET, .bit = 34, .width = 48, .scale = 4, .when = WP_UNTIL (89) },           \
  {                                                                                                \
    .kind = WP_SLOT_TARGET, .bit = 34, .width = 48, .low = 16, .low_width = 8, .scale = 4,         \
    .when = WP_SINCE (90)                                                                          \
  }

/* Modifiers: - and |...| of single precision wherever B or C stand, - alone of whole numbers. */
#define WP_NEGATE_ABS(NEGATE, ABSOLUTE)                                                            \
  {                                                                                                \
    .negate = NEGATE, .absolute = ABSOLUTE                                                         \
  }
#define WP_NEGATE(NEGATE)                                                                          \
  {                                                                                                \
    .negate = NEGATE                                                                               \
  }
#define WP_INVERT(BIT)                                                                             \
  {                                                                                                \
    .invert = BIT                                                                                  \
  }
#define WP_MODS_F32 .mods = WP_NEGATE_ABS (63, 62), .mods_at_64 = WP_NEGATE_ABS (75, 74)
#define WP_MODS_INT .mods = WP_NEGATE (63), .mods_at_64 = WP_NEGATE (75)

#define WP_EACH(...)                                                                               \
  WP_EACH_N (__VA_ARGS__, WP_E_24, WP_E_23, WP_E_22, WP_E_21, WP_E_20, WP_E_19, WP_E_18, WP_E_17,  \
             WP_E_16, WP_E_15, WP_E_14, WP_E_13, WP_E_12, WP_E_11, WP_E_10, WP_E_9, WP_E_8,        \
             WP_E_7, WP_E_6, WP_E_5, WP_E_4, WP_E_3, WP_E_2, WP_E_1, 0)                            \
  (__VA_ARGS__)
#define WP_EACH_N(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, N, ...) N
#define WP_E_1(a) WP_WORD_##a
#define WP_E_2(a, ...) WP_WORD_##a, WP_E_1 (__VA_ARGS__)
#define WP_E_3(a, ...) WP_WORD_##a, WP_E_2 (__VA_ARGS__)
#define WP_E_4(a, ...) WP_WORD_##a, WP_E_3 (__VA_ARGS__)
#define WP_E_5(a, ...) WP_WORD_##a, WP_E_4 (__VA_ARGS__)
#define WP_E_6(a, ...) WP_WORD_##a, WP_E_5 (__VA_ARGS__)
#define WP_E_7(a, ...) WP_WORD_##a, WP_E_6 (__VA_ARGS__)
#define WP_E_8(a, ...) WP_WORD_##a, WP_E_7 (__VA_ARGS__)
#define WP_E_9(a, ...) WP_WORD_##a, WP_E_8 (__VA_ARGS__)
#define WP_E_10(a, ...) WP_WORD_##a, WP_E_9 (__VA_ARGS__)
#define WP_E_11(a, ...) WP_WORD_##a, WP_E_10 (__VA_ARGS__)
#define WP_E_12(a, ...) WP_WORD_##a, WP_E_11 (__VA_ARGS__)
#define WP_E_13(a, ...) WP_WORD_##a, WP_E_12 (__VA_ARGS__)
#define WP_E_14(a, ...) WP_WORD_##a, WP_E_13 (__VA_ARGS__)
#define WP_E_15(a, ...) WP_WORD_##a, WP_E_14 (__VA_ARGS__)
#define WP_E_16(a, ...) WP_WORD_##a, WP_E_15 (__VA_ARGS__)
#define WP_E_17(a, ...) WP_WORD_##a, WP_E_16 (__VA_ARGS__)
#define WP_E_18(a, ...) WP_WORD_##a, WP_E_17 (__VA_ARGS__)
#define WP_E_19(a, ...) WP_WORD_##a, WP_E_18 (__VA_ARGS__)
#define WP_E_20(a, ...) WP_WORD_##a, WP_E_19 (__VA_ARGS__)
#define WP_E_21(a, ...) WP_WORD_##a, WP_E_20 (__VA_ARGS__)
#define WP_E_22(a, ...) WP_WORD_##a, WP_E_21 (__VA_ARGS__)
#define WP_E_23(a, ...) WP_WORD_##a, WP_E_22 (__VA_ARGS__)
#define WP_E_24(a, ...) WP_WORD_##a, WP_E_23 (__VA_ARGS__)

/* Of a sum that takes a carry in, what else is a minus is a complement: a .finish. */
void wp_sass_complement (const WpSassBits *bits, WpSassInstr *instr);

/* The tables, each ended by a row of op 0. */
extern const WpSassRow wp_sass_rows_control[], wp_sass_rows_integer[], wp_sass_rows_uniform[],
    wp_sass_rows_memory[], wp_sass_rows_float[], wp_sass_rows_half[], wp_sass_rows_convert[],
    wp_sass_rows_matrix[], wp_sass_rows_exchange[], wp_sass_rows_atomic[], wp_sass_rows_async[],
    wp_sass_rows_tensor[], wp_sass_rows_warpgroup[], wp_sass_rows_texture[];

G_END_DECLS
