/* SPDX-License-Identifier: MIT */
/* Private: the warnings that a kernel carries from its import. */
#pragma once

#include "idg/import/flow/idg-hints.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Adds to KERNEL, made of a listing with HINTS, what makes its times a bound, or wrong:
 *
 *   lower-bound         it executes what no op of a GPU has the time of (idg_ops_get_unmodelled())
 *   nothing-of-a-kind   the listing has arithmetic in floating point, accesses to global or to
 *                       shared memory, none of which is executed, and no hint says that their loop
 *                       runs 0 times
 *
 * O(instructions as written). */
void idg_hints_add_warnings (const IdgHints *hints, IdgKernel *kernel);

/* Adds to KERNEL, made of a trace, the first of these. A trace does not say which copies a DEPBAR
 * waits for, so that waits for copies are not modelled either. */
void idg_kernel_add_trace_warnings (IdgKernel *kernel);

/* Adds the first of these to KERNEL, made of machine code that was executed: it waits for products
 * of matrices (wgmma), and grids that it could wait for have ended. LACKS_WAITS: of barriers in
 * shared memory (mbarrier) it has nothing but the instructions. MORE (NULL: nothing) is what else
 * is known not to be modelled: "barriers of the grid at k.cu:12". */
IDG_API void idg_kernel_add_execution_warnings (IdgKernel *kernel, gboolean lacks_waits,
                                                const gchar *more);

G_END_DECLS
