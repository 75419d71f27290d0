/* SPDX-License-Identifier: MIT */
/* How much of a launch fits on an SM at a time, and which limits keep it from being more. */
#pragma once

#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 blocks, warps;
  GPtrArray *limiters; /* of const gchar: names of the limits that equal the minimum, or "grid" */
} WpResident;

/* Fills RESIDENT from RESOLVED; the names of limiters are static. */
void wp_resident_init (WpResident *resident, const WpResolved *resolved);
void wp_resident_clear (WpResident *resident);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpResident, wp_resident_clear)

/* The limiters as words, "warps, registers". Free with g_free(). */
gchar *wp_resident_join_limiters (const WpResident *resident);

/* A warning where fewer warps are resident than the ASKED ones (0: any number will do), or NULL.
 * Free with g_free(). */
gchar *wp_resident_get_warning (const WpResident *resident, const WpMachine *machine, gint64 asked);

G_END_DECLS
