/* SPDX-License-Identifier: MIT */
/* Ops of a kernel that a GPU lacks, where the kernel leaves it to us what to run in their place. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "run/base/note.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* Hands NOTE (may be NULL) a sentence for each replacement, which says what runs in whose place.
 * STRICT: there is no note, and false with ERROR (WP_ERROR_VALUE) that names the first one.
 * O(the kernel's instructions). */
gboolean wp_check_ops (const IdgKernel *kernel, const WpGpu *gpu, gboolean strict, WpNoteFunc note,
                       gpointer data, GError **error);

G_END_DECLS
