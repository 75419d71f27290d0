/* SPDX-License-Identifier: MIT */
/* Sizes of blocks and of grids as CUDA has them: "256", "16x16", "8x8x4". Errors (WP_ERROR_OPTION)
 * begin with what was written, in quotes, so that callers can put the option before it, and end
 * with what to write.
 */
#pragma once

#include "run/base/ranges.h"

G_BEGIN_DECLS

typedef enum
{
  WP_DIMS_BLOCK, /* in threads */
  WP_DIMS_GRID   /* in blocks */
} WpDimsKind;

typedef struct
{
  guint64 sizes[3]; /* x, y, z; 0, all of them: written as one number, which says no shape */
  guint64 product;
} WpDims;

/* Reads VALUE, which is a whole number up to what a launch may have, or two or three sizes with x
 * between them, within the bounds of CUDA. False with ERROR. */
gboolean wp_dims_parse (const gchar *value, WpDimsKind kind, WpDims *dims, GError **error);

/* Reads a list of numbers and ranges (lists.h) in which sizes may stand, too: "256,16x16,32-64/32".
 * Free the result, of WpRange, with g_array_unref(). NULL with ERROR. */
GArray *wp_dims_parse_list (const gchar *value, WpDimsKind kind, GError **error);

G_END_DECLS
