/* SPDX-License-Identifier: MIT */
/* What an import assumed of addresses, which a listing does not have. */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* One sentence, without a line's end, on the accesses of KERNEL whose addresses were assumed: how
 * many are taken as coalesced, free of bank conflicts, and from DRAM. IMPORTED: KERNEL comes from a
 * listing at once, for which an option says otherwise, and not from a kernel.xml. NULL where
 * nothing was assumed. Free with g_free(). O(instructions as written). */
gchar *wp_assumptions_describe (const IdgKernel *kernel, gboolean imported);

/* One sentence on the atomic operations of KERNEL of which nobody says how many lanes meet at an
 * address, if they are more than one in a hundred of the instructions that its warps execute. NULL
 * if not. Free with g_free(). O(instructions as written). */
gchar *wp_assumptions_describe_atomics (const IdgKernel *kernel);

G_END_DECLS
