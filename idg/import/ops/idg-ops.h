/* SPDX-License-Identifier: MIT */
/* Names of instructions: PTX without what does not matter to time, SASS as the PTX that does the
 * same work, and classes of instructions that are alike. Knows no GPU. */
#pragma once

#include <glib.h>

#include "idg/kernel/idg-macros.h"

G_BEGIN_DECLS

/* The canonical name of a PTX MNEMONIC, without guard and operands. Any text gives some name. KNOWN
 * (may be NULL): whether the table has its first word. Free with g_free().
 *
 * Dropped: rounding, .ftz, .sat, .satfinite, .relu, .NaN, .xorsign.abs, caches and eviction hints
 * (.ca, .nc, .L1::evict_last), memory order and scope (.volatile, .relaxed.gpu), .uni of branches,
 * .aligned, .wrap, .clamp, .row, .col, the comparison and the boolean operator of setp and set; of
 * cvta all but the type. Kept: .approx and .full (other instructions than without), .lo .hi .wide,
 * .cc, .sync, state space (shared::cta is shared, shared::cluster is not), what an atomic does,
 * vector width, types.
 *
 *     fma.rn.ftz.f32                  fma.f32
 *     setp.ge.and.s32                 setp.s32
 *     ld.relaxed.gpu.global.v4.f32    ld.global.v4.f32
 *     cvt.rzi.s32.f32                 cvt.s32.f32
 *     cvta.to.global.u64              cvta.u64
 *     atom.acq_rel.gpu.global.add.u32 atom.global.add.u32
 *     rcp.rn.f32, rcp.approx.ftz.f32  rcp.f32, rcp.approx.f32
 *
 * A load or store without a state space (generic) stays so: `ld.u32`. */
gchar *idg_ops_canonize_ptx (const gchar *mnemonic, gboolean *known);

/* What a SASS instruction is. */
typedef struct
{
  const gchar *op;            /* canonical PTX name ("fma.f32"), or "nop"; NULL: a barrier */
  guint dest_registers;       /* 32-bit registers that its first destination takes: 0 (a predicate,
                               * nothing) to 4; more for       a wgmma */
  guint source_registers;     /* of the first source operand that is data; addresses: see
                                 `address_registers` */
  guint operand_registers[3]; /* of the first, second, third such operand: IMAD.WIDE has 1, 1, 2 */
  guint address_registers;    /* registers of an address operand: 1 or 2 (".E"); what stands in the
                               * brackets
                               * ("[R2.64]", "[R2.U32+UR4]") knows better */
  guint bytes;                /* per lane, of a memory access, else 0 */
} IdgSassOp;

/* Looks up OPCODE with its modifiers ("LDG.E.128.SYS", "IMAD.WIDE.U32"). FALSE if the table lacks
 * it: OP is then the nearest guess by its first letters. The op is static. O(length of the text),
 * but with allocations: callers keep what they have seen.
 *
 * LD and ST are global: in Fermi and Kepler those are the loads and stores of global memory. What
 * executes and has no name in PTX (NOP, SSY, BSSY) is a `nop`. Texture instructions have four
 * destinations, as the mask is not part of the name. 64 bits are .v2.u32, 128 .v4.u32. */
gboolean idg_ops_find_sass (const gchar *opcode, IdgSassOp *op);

/* Names to try in the place of OP (canonical PTX) on a GPU that lacks it, the most alike first,
 * ended by NULL; each by dropping suffixes, as any name. The last are "compute" or "memory", which
 * each shipped GPU has. Static. */
IDG_API const gchar *const *idg_ops_get_nearest (const gchar *op);

G_END_DECLS
