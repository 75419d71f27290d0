/* SPDX-License-Identifier: MIT */
/* Round robin is fair, and a GPU's schedulers are not: they issue from a warp as long as it can
 * (Huerta et al., 2025). Of a kernel of somebody's own, how much that matters is worth a word;
 * doc/fidelity-kernels.md, "Kernels of a course", has what it came to where times were measured. */
#pragma once

#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

#define WP_GREEDY_POLICY "gto"

/* Whether RESOLVED, run by POLICY (its name; may be NULL), is such a kernel, executed or traced, so
 * that its accesses were counted, and runs by round robin. O(instructions). */
gboolean wp_greedy_is_worth_a_word (const WpResolved *resolved, const gchar *policy);

G_END_DECLS
