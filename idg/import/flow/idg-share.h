/* SPDX-License-Identifier: MIT */
/* Private: how much of a listing runs. */
#pragma once

#include "idg/import/base/idg-import-options.h"
#include "idg/import/flow/idg-flow.h"

G_BEGIN_DECLS

/* Notes how many instructions of the listing are executed, and which loops are not, unless that is
 * nearly all. WALKED: by block, whether any warp gets there. Code that no branch leads to does not
 * count. */
void idg_share_note (const IdgFlow *flow, const guint8 *walked, IdgImport *import);

G_END_DECLS
