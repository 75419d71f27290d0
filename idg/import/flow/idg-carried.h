/* SPDX-License-Identifier: MIT */
/* Private: the warnings that a kernel carries from its import. */
#pragma once

#include "idg/import/flow/idg-flow.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Adds to KERNEL, made of CODE by FLOW, what makes its times a bound, or wrong:
 *
 *   lower-bound         it executes what no op of a GPU stands for (idg_ops_get_unmodelled())
 *   nothing-of-a-kind   CODE has arithmetic in floating point, accesses to global or to shared
 *                       memory, none of which is executed
 *
 * O(instructions as written). */
void idg_code_add_warnings (const IdgCode *code, const IdgFlow *flow, IdgKernel *kernel);

G_END_DECLS
