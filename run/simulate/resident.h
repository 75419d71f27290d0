/* SPDX-License-Identifier: MIT */
/* How much of a launch fits on an SM, and why not more. */
#pragma once

#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

/* What fits on an SM at a time. */
typedef struct
{
  gint64 blocks, warps;
  GPtrArray *limiters; /* of const gchar: names of the limits that equal the minimum, or "grid" */
} WpResident;

void wp_resident_init (WpResident *resident, const WpResolved *resolved);
void wp_resident_clear (WpResident *resident);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpResident, wp_resident_clear)

/* "warps, registers", in words. Free with g_free(). */
gchar *wp_resident_join_limiters (const WpResident *resident);

/* What would let more warps be resident on an SM of GPU: "fewer registers a thread than 63"; NULL
 * where as many whole blocks are as its limits of warps and threads let in, and no smaller ones
 * would fill more. Free with g_free(). */
gchar *wp_resident_describe_more (const WpResident *resident, const WpResolved *resolved,
                                  const WpGpu *gpu);

G_END_DECLS
