/* SPDX-License-Identifier: MIT */
/* Finds the context that the lanes' addresses give to an access. idg-coalesce.c has the rules; this
 * file only determines the addresses.
 *
 * In local memory, a tracer records the address in the thread's own space. Words of 4 bytes of that
 * space are interleaved lane by lane, so that lanes that use the same address are coalesced (CUDA C
 * Programming Guide 4.2, section 5.3.2.2). */
#include "idg/import/accel/idg-accel.h"

#include <string.h>

typedef enum
{
  NOWHERE,
  GLOBAL,
  LOCAL,
  SHARED,
} Space;

/* For matrices, a lane's address is that of a row, not of what the lane gets. */
static Space
get_space (const gchar *op)
{
  if (!op || strstr (op, "matrix") || g_str_has_prefix (op, "ld.const"))
    return NOWHERE;
  if (strstr (op, ".local"))
    return LOCAL;
  if (strstr (op, ".shared") && !strstr (op, ".global")) /* cp.async counts as its access to global
                                                          * memory */
    return SHARED;
  return strstr (op, ".global") ? GLOBAL : NOWHERE;
}

static void
interleave (IdgAccess *access)
{
  for (guint lane = 0; lane < IDG_LANES; lane++)
    {
      guint64 word = access->addresses[lane] / access->bytes;

      access->addresses[lane] = (word * IDG_LANES + lane) * access->bytes;
    }
}

gboolean
idg_accel_find_context (const IdgAccelInstr *instr, const IdgAccelOp *op, const IdgBanks *banks,
                        gchar context[IDG_CONTEXT_CHARS])
{
  Space space = instr->has_addresses ? get_space (op->sass.op) : NOWHERE;
  IdgAccess access = { .mask = instr->mask };

  if (space == NOWHERE)
    return FALSE;
  /* The opcode's own width: for signed bytes and words, tracers record 4. */
  access.bytes = op->sass.bytes ? op->sass.bytes : instr->bytes;
  access.bytes = CLAMP (access.bytes, 1, IDG_MAX_LANE_BYTES);
  memcpy (access.addresses, instr->addresses, sizeof access.addresses);
  if (space == SHARED)
    return idg_coalesce_get_shared_context (&access, banks, context);
  if (space == LOCAL)
    interleave (&access);
  return idg_coalesce_get_global_context (&access, context);
}
