/* SPDX-License-Identifier: MIT */
/* Machine code of sm_70 to sm_121, decoded: what an instruction of 16 bytes says, in the words and
 * the order of a disassembler's text. `@!P0 ISETP.LT.U32.AND P1, PT, R3, 0x7f, PT` has the op
 * ISETP, the guard !P0, the words LT, U32, AND in this order, and the operands P1, PT, R3, 0x7f,
 * PT.
 *
 * The decoder is a table (wp-sass-table-*.c, one file for each family of instructions). It knows
 * nothing of what an instruction does: that is exec/machine. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_SASS_BYTES 16 /* of an instruction */
#define WP_SASS_MAX_OPERANDS 12
#define WP_SASS_MAX_WORDS 12

/* Ops: the first word of a disassembler's text, WP_SASS_IADD3 for "IADD3". The list is
 * wp-sass-ops.def, one a line, sorted. */
typedef enum
{
  WP_SASS_NO_OP,
#define OP(name) WP_SASS_##name,
#include "exec/sass/wp-sass-ops.def"
#undef OP
  WP_SASS_N_OPS
} WpSassOp;

/* Words after the op, without their dots: WP_WORD_U32 for ".U32". The list is wp-sass-words.def,
 * one a line, sorted. */
typedef enum
{
  WP_WORD_NONE,
#define WORD(id, text) WP_WORD_##id,
#include "exec/sass/wp-sass-words.def"
#undef WORD
  WP_N_WORDS
} WpSassWord;

typedef enum
{
  WP_SASS_REGISTER = 1,      /* number: 0 to 254, 255 is RZ */
  WP_SASS_UNIFORM,           /* number: UR0 on, 255 is URZ whatever the target's last number is */
  WP_SASS_PREDICATE,         /* number: 0 to 6, 7 is PT */
  WP_SASS_UNIFORM_PREDICATE, /* number: 0 to 6, 7 is UPT */
  WP_SASS_IMMEDIATE,         /* value: as the bits of the instruction have it, sign extended where
                              * the text has a sign; is_float where the text shows a number with a
                              * point: the bits of its float_kind, left as stored */
  WP_SASS_CONSTANT,          /* c[bank][index + value]: number is the bank, value the offset; with
                              * is_descriptor cx[UR][value], number the uniform register */
  WP_SASS_MEMORY,            /* [index + uniform + value], desc[descriptor] before it */
  WP_SASS_SPECIAL,           /* number: as encoded in S2R (33: SR_TID.X), text by
                              * wp_sass_special_name() */
  WP_SASS_CONVERGENCE,       /* B0 to B15; of BMOV also what else a warp keeps, from 16
                        * (THREAD_STATE_ENUM.0) to 31 */
  WP_SASS_SCOREBOARD,        /* SB0 to SB5 */
  WP_SASS_SCOREBOARDS,       /* {5,4}: value has a bit for each */
  WP_SASS_RPC,               /* the return address of a trap, Rpc */
  WP_SASS_TARGET,     /* value: the address that a branch goes to, in bytes from the start of the
                        * function; a register before it is added. Of BRX, BRXU and .ABS as the
                        * bits have it: BRX goes to the register + value + the address of the next
                        * instruction */
  WP_SASS_PREDICATES, /* PR: all predicates as a whole */
  WP_SASS_UNIFORM_PREDICATES /* UPR */
} WpSassOperandKind;

/* Types of an immediate with a point. */
typedef enum
{
  WP_SASS_SINGLE,
  WP_SASS_DOUBLE,
  WP_SASS_HALF,
  WP_SASS_BFLOAT
} WpSassFloat;

typedef struct
{
  guint8 kind;
  guint8 number;
  guint8 index;       /* WP_SASS_MEMORY, WP_SASS_CONSTANT: the register added, 255: none (RZ) */
  guint8 uniform;     /* ...the uniform register added, 255: none */
  guint8 descriptor;  /* the uniform register of desc[UR], 255: none */
  guint16 space;      /* WpSassWord before the bracket of a place that is no address: TMEM, DESC; of
                       * a scoreboard of four warps: gsb */
  guint16 index_word; /* WpSassWord of the register in brackets: X4, X8, X16, U32, 64; or none */
  guint16 words[2];   /* WpSassWords of the operand: H0_H0, H1_H1, H0_NH1, B1, F32, ROW, COL, ... */
  gboolean negate : 1;   /* - before a number */
  gboolean absolute : 1; /* |...| */
  gboolean invert : 1;   /* ~ before bits, ! before a predicate */
  gboolean reuse : 1;
  gboolean is_float : 1;
  gboolean is_dest : 1;     /* written */
  gboolean is_unsigned : 1; /* an immediate of 64 bits */
  gboolean is_descriptor : 1;
  gboolean is_indexed : 1; /* the constant has a place for a register: RZ is written as such */
  gboolean is_uniform_index : 1; /* ...for a uniform register, or the address has: URZ */
  guint8 n_registers; /* how many 32-bit registers from `number` on are read or written; 0: none
                       * (RZ and no register) */
  guint8 float_kind;  /* WpSassFloat of an immediate that is_float */
  gint64 value;
} WpSassOperand;

/* What the compiler says of the issue, the bits from 105 on. */
typedef struct
{
  guint8 stall;         /* cycles to the next instruction of the warp, 0 to 15 */
  gboolean yield;       /* the text's Y: the bit is 0 */
  guint8 write_barrier; /* 0 to 5: set until the results are written; 7: none */
  guint8 read_barrier;  /* 0 to 5: set until the operands are read; 7: none */
  guint8 wait;          /* a bit for each barrier waited for */
  guint8 reuse;         /* a bit for each register slot kept */
} WpSassControl;

typedef struct
{
  WpSassOp op;
  gboolean guard_is_uniform : 1;
  gboolean guard_not : 1;
  guint8 guard; /* predicate, 7: PT, always */
  guint8 n_words, n_operands;
  guint16 words[WP_SASS_MAX_WORDS];             /* WpSassWord, in the order of the text */
  WpSassOperand operands[WP_SASS_MAX_OPERANDS]; /* in the order of the text, destinations first */
  WpSassControl control;
  guint64 low, high; /* its bits */
} WpSassInstr;

/* Decodes the instruction of 16 bytes at CODE, little endian, for compute capability SM (80 for
 * sm_80), which stands at ADDRESS, in bytes from the start of its function. Returns FALSE and a
 * sentence on what is not known in PROBLEM (free with g_free()): "opcode 0x7ab at 0x120 is not
 * known". O(1). */
gboolean wp_sass_decode (guint sm, const guint8 *code, guint64 address, WpSassInstr *instr,
                         gchar **problem);

/* Appends the text of INSTR to TEXT, as a disassembler writes it, from the guard to before " ;".
 * Targets are numbers: "BRA 0x1a0". */
void wp_sass_append (const WpSassInstr *instr, GString *text);

/* Tells whether INSTR has WORD after its op. O(words). */
gboolean wp_sass_has (const WpSassInstr *instr, WpSassWord word);

/* Tells whether INSTR is a copy in bulk (UBLKCP, UBLKRED, or one by a tensor map) that writes
 * shared memory, or that reads it. Where it is such a copy and does not, it has to do with device
 * memory. O(1). */
gboolean wp_sass_is_bulk_to_shared (const WpSassInstr *instr);
gboolean wp_sass_is_bulk_from_shared (const WpSassInstr *instr);

/* Tells whether INSTR is a product of matrices into tensor memory (tcgen05.mma). O(1). */
gboolean wp_sass_is_tensor_product (const WpSassInstr *instr);

/* Static texts: "IADD3", "U32", "SR_TID.X" (NULL: no such special register). */
const gchar *wp_sass_op_name (WpSassOp op);
const gchar *wp_sass_word_text (WpSassWord word);
const gchar *wp_sass_special_name (guint number);

G_END_DECLS
