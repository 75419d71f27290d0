/* SPDX-License-Identifier: MIT */
/** @file
 * What programs need of libidg's data that only hand it on. idg-kernel.h shows what a kernel holds.
 */
#pragma once

#include <glib.h>

#include "idg/kernel/idg-macros.h"

G_BEGIN_DECLS

/** A kernel: a launch, and the programs that its warps run. See wp_kernel_open();
 * `idg/kernel/idg-kernel.h` shows what it holds, and how to make one by hand. */
typedef struct IdgKernel IdgKernel;

/** Frees @p kernel.
 * @param kernel taken over; NULL is allowed */
IDG_API void idg_kernel_free (IdgKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgKernel, idg_kernel_free)

G_END_DECLS
