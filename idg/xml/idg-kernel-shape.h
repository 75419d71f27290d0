/* SPDX-License-Identifier: MIT */
/* Private: the shape of a kernel file, for its reader and for what makes kernel.rng. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "idg/xml/idg-xml.h"

G_BEGIN_DECLS

/* The largest value of a parameter, and of a number in a list of warps or blocks. */
#define IDG_KERNEL_MAX_NUMBER ((guint64)IDG_MAX_BLOCKS)

extern const IdgXmlShape idg_kernel_shapes[]; /* of a "kernel" */

/* "7" or "0-3" into RANGE; what is wrong with it, or NULL. */
const gchar *idg_kernel_parse_range (const gchar *word, IdgRange *range);

G_END_DECLS
