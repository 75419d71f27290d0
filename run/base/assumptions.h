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

G_END_DECLS
