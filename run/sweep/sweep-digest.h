/* SPDX-License-Identifier: MIT */
/* What tells one sweep from another. */
#pragma once

#include "run/sweep/sweep-points.h"

G_BEGIN_DECLS

/* The digest of SWEEP, all else of which is set: a digest of all that its rows depend on. Free with
 * g_free(). */
gchar *wp_sweep_make_digest (const WpSweep *sweep);

G_END_DECLS
