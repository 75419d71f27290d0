/* SPDX-License-Identifier: MIT */
/* Names of instructions: PTX reduced to what matters for time, SASS as the PTX that does the same
 * work, and classes of similar instructions. This module knows no GPU. */
#pragma once

#include <glib.h>
#include <string.h>

#include "idg/kernel/idg-macros.h"

G_BEGIN_DECLS

/* Returns the canonical name of a PTX MNEMONIC, which must come without guard and operands. Every
 * text has one. KNOWN (may be NULL) receives whether the table has its first word. Free with
 * g_free().
 *
 * Dropped: rounding, .ftz, .sat, .satfinite, .relu, .NaN, .xorsign.abs, caches and eviction hints
 * (.ca, .nc, .L1::evict_last; not .ca and .cg of cp.async, which take different ways), memory order
 * and scope (.volatile, .relaxed.gpu), .uni of branches, .aligned, .wrap, .clamp, .row, .col, the
 * comparison and the boolean operator of setp and set, and everything but the type of cvta. Kept:
 * .approx and .full (these are different instructions), .lo .hi .wide, .cc, .sync, state space
 * (shared::cta becomes shared, shared::cluster stays), the operation of an atomic, shapes, vector
 * width, types. wmma.mma.sync.m16n16k16.f32.f32 is written
 * with all of its types, .f32.f16.f16.f32. The bytes of a cp.async are an operand, and no part of
 * what this returns.
 *
 *     fma.rn.ftz.f32                  fma.f32
 *     setp.ge.and.s32                 setp.s32
 *     ld.relaxed.gpu.global.v4.f32    ld.global.v4.f32
 *     cvt.rzi.s32.f32                 cvt.s32.f32
 *     cvta.to.global.u64              cvta.u64
 *     atom.acq_rel.gpu.global.add.u32 atom.global.add.u32
 *     rcp.rn.f32, rcp.approx.ftz.f32  rcp.f32, rcp.approx.f32
 *
 * A generic load or store, without a state space, stays generic: `ld.u32`. */
IDG_API gchar *idg_ops_canonize_ptx (const gchar *mnemonic, gboolean *known);

/* The meaning of a SASS opcode. */
typedef struct
{
  const gchar *op;            /* canonical PTX name ("fma.f32") or "nop"; NULL for a barrier */
  guint dest_registers;       /* how many 32-bit registers its first destination has: 0 (a
                               * predicate, or none) to 4; more for a wgmma */
  guint source_registers;     /* registers of the first source operand that is data, not an address
                               */
  guint operand_registers[3]; /* registers of the first, second and third such operand: IMAD.WIDE
                               * has 1, 1, 2 */
  guint address_registers;    /* registers of an address operand: 1 or 2 (".E"), unless the text in
                               * the brackets ("[R2.64]", "[R2.U32+UR4]") says otherwise */
  guint bytes;                /* per lane, for a memory access; else 0 */
} IdgSassOp;

/* Looks up OPCODE with its modifiers ("LDG.E.128.SYS", "IMAD.WIDE.U32"). Returns FALSE if the table
 * lacks it; OP is then a guess from its first letters. The strings of OP are static. O(length of
 * the text), but it allocates: callers should cache results.
 *
 * LD and ST count as global, because on Fermi and Kepler they are the loads and stores of global
 * memory. An instruction that executes and has no name in PTX (NOP, SSY, BSSY) is a `nop`. Texture
 * instructions have four destinations, as the mask is not part of the name. Accesses of 64 bits are
 * .v2.u32, of 128 bits .v4.u32. */
IDG_API gboolean idg_ops_find_sass (const gchar *opcode, IdgSassOp *op);

/* What a word after a dot in an op's name says. */
typedef enum
{
  IDG_SUFFIX_NONE,        /* there is none */
  IDG_SUFFIX_TYPE,        /* f32, b128: what it works on, and how wide that is */
  IDG_SUFFIX_WIDTH,       /* wide, hi, x4, m16n8k16: how much one instruction does */
  IDG_SUFFIX_VECTOR,      /* v2, v4, v8: how many of its type */
  IDG_SUFFIX_MODIFIER,    /* rn, ftz, L2::128B, lt: no effect on time */
  IDG_SUFFIX_INSTRUCTION, /* global, approx, sync, add: another instruction */
  IDG_SUFFIX_UNKNOWN,     /* f46: no word of PTX */
} IdgSuffixKind;

/* Returns what SUFFIX, one word without dots ("f32"; NULL or "": none), says. O(log of the table).
 */
IDG_API IdgSuffixKind idg_ops_suffix_kind (const gchar *suffix);
/* Returns the bits of a TYPE (f16x2: 32), 0 for `pred` and all words that are no type. */
IDG_API guint idg_ops_suffix_bits (const gchar *suffix);
/* Returns the known word most like SUFFIX: "f64" for "f46". Static. */
IDG_API const gchar *idg_ops_suffix_nearest (const gchar *suffix);
/* What an instruction does with its values, as far as that decides which suffixes matter. */
typedef enum
{
  IDG_OPS_NO_VALUE, /* no values (bra), or not PTX: no suffix says bytes or types */
  IDG_OPS_MOVES,    /* moves or selects bits: only their number matters, not their type */
  IDG_OPS_COMPUTES, /* of one type, which matters */
  IDG_OPS_CONVERTS, /* of several types, which matter */
} IdgOpsUse;

typedef struct
{
  IdgOpsUse use;
  const gchar *type; /* of what it computes: "f64", "f16x2", ...; "int" for all of u, s and b; what
                      * it is for where the name does not say. Static; NULL without values */
  guint bytes;       /* of a thread: with the vector width, of the result of a wide product; 4
                      * where the name does not say */
  gboolean is_said;  /* whether the name says type or bytes */
} IdgOpsValue;

/* Sets VALUE to what the suffixes of OP, a PTX name as written or canonical, say of its values:
 * ld.global.v4.f32 moves 16 bytes, mul.wide.s32 computes integers of 8. O(length of OP). */
IDG_API void idg_ops_find_value (const gchar *op, IdgOpsValue *value);

/* Returns the canonical name of an instruction that takes as long as OP, a conversion or a `set` of
 * two types, of which there are too many to list: cvt.f64.f32 for all between f64 and another type,
 * and between floating point and integers of 64 bits; cvt.s64.s32 between integers, one of 64 bits;
 * cvt.s32.s16 between others; cvt.f32.s32 for the rest; set.f32 and set.f64 by what is compared.
 * nop for what ends a group of asynchronous copies or waits for some, for fences, and for what
 * orders wgmma or arrives at a cluster's barrier: an issue slot, besides the wait, which is in its
 * dependences or not modelled (idg_ops_get_unmodelled()). NULL for every other OP. Static. */
IDG_API const gchar *idg_ops_get_representative (const gchar *op);

/* The memory that an instruction accesses at addresses of its lanes. */
typedef enum
{
  IDG_OPS_NO_SPACE, /* none, or one that is the same for all lanes, or each lane's own (.local) */
  IDG_OPS_GLOBAL,   /* global memory, also where a copy takes it to shared memory */
  IDG_OPS_SHARED,
} IdgOpsSpace;

/* Returns the memory that OP, a canonical PTX name, accesses. O(length of OP). */
IDG_API IdgOpsSpace idg_ops_get_space (const gchar *op);

/* Tells whether OP is a copy in bulk, made of machine code that was executed: one instruction moves
 * as much as its context says, and would move nothing that is known without it. O(length of OP). */
static inline gboolean
idg_ops_is_bulk (const gchar *op)
{
  return strstr (op, ".bulk") != NULL;
}

/* Tells whether OP, a canonical PTX name, is arithmetic in floating point, or of matrices. O(length
 * of OP). */
IDG_API gboolean idg_ops_is_floating_point (const gchar *op);

/* Returns what of OP, a canonical PTX name, no description of a GPU can say the time of ("waits
 * through mbarrier"), or NULL. A program with such an op takes longer than is simulated. Static.
 * O(length of OP). */
IDG_API const gchar *idg_ops_get_unmodelled (const gchar *op);

/* Returns names to try, most similar first and ended by NULL, for a canonical PTX OP that a GPU
 * lacks. Each is to be looked up like any op, by dropping suffixes. The last ones are "compute" or
 * "memory", which each shipped GPU has, except for what only its own kind can stand for: matrix
 * units, exchange between lanes, atomics, asynchronous copies. Static. */
IDG_API const gchar *const *idg_ops_get_nearest (const gchar *op);

/* Returns whether OP is of those that only their own kind can stand for. */
IDG_API gboolean idg_ops_is_own_kind (const gchar *op);

/* Returns whether a kernel without figures for OP, a canonical PTX name, is still about the same
 * kernel, so that OP may take an issue slot alone if who reads the times is told: atomics,
 * reductions, votes and matches. Without its matrix products, its copies to shared memory or its
 * shuffles it is another. */
IDG_API gboolean idg_ops_may_take_a_slot (const gchar *op);

G_END_DECLS
