/* SPDX-License-Identifier: MIT */
/* Private: accesses to which all lanes of a warp bring the same address, whatever the data. */
#pragma once

#include "idg/import/flow/idg-flow.h"

G_BEGIN_DECLS

/* Finds loads from shared memory of more than 4 bytes a lane, whose address is the same for all
 * lanes of a warp: they are read once, and not lane by lane. Such an instruction without a context
 * gets "conflict-1" in CONTEXTS, by instruction. Only PTX is examined. O(instructions). */
void idg_uniform_find (const IdgFlow *flow, const gchar **contexts);

G_END_DECLS
