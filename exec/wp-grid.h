/* SPDX-License-Identifier: MIT */
/* What a kernel sees of its launch: the banks of constants, and the sizes of its memories. */
#pragma once

#include "exec/machine/wp-block.h"
#include "exec/wp-module.h"

G_BEGIN_DECLS

/* The grid of launch NUMBER of MODULE, which has to live as long, on a GPU of SMS SMs; `program` is
 * not set. NULL with an error of IDG_ERROR. Free with wp_grid_free(). O(constants). */
WpGrid *wp_grid_new (const WpModule *module, guint number, guint sms, GError **error);
void wp_grid_free (WpGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpGrid, wp_grid_free)

G_END_DECLS
