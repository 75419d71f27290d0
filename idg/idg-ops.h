/* SPDX-License-Identifier: MIT */
/* Names of instructions: PTX without what does not matter to time, SASS as the PTX that does the same work, and classes
 * of instructions that are alike. Knows no GPU. */
#pragma once

#include <glib.h>

#include "idg/idg-macros.h"

G_BEGIN_DECLS

/* How many words name what can be done: the canonical name of a PTX MNEMONIC, without rounding, .ftz, .sat, comparison
 * and the like: "fma.rn.f32" gives "fma.f32", "setp.ge.and.s32" "setp.s32". Any text gives some name. KNOWN (may be NULL): whether the
 * table has it. Free with g_free(). */
gchar *idg_ops_canonize_ptx (const gchar *mnemonic, gboolean *known);

/* What a SASS instruction is. */
typedef struct
{
  const gchar *op;      /* canonical PTX name ("fma.f32"); NULL: a barrier */
  guint dest_registers; /* 32-bit registers that its first destination takes: 0 to 4 */
  guint
      source_registers; /* each source operand that is data, likewise; addresses: see `address_registers` */
  guint address_registers; /* registers of an address operand: 1 or 2 (".E") */
  guint bytes;             /* per lane, of a memory access, else 0 */
} IdgSassOp;

/* Looks up OPCODE with its modifiers ("LDG.E.128.SYS", "IMAD.WIDE.U32"). FALSE if the table lacks it: OP is then the
 * nearest guess by its first letters. The op is static. */
gboolean idg_ops_find_sass (const gchar *opcode, IdgSassOp *op);

/* Names to try in the place of OP (canonical PTX) on a GPU that lacks it, the most alike first, ended by NULL; the last
 * are "compute" or "memory", which each shipped GPU has. Static. */
IDG_API const gchar *const *idg_ops_get_nearest (const gchar *op);

G_END_DECLS
