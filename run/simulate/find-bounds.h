/* SPDX-License-Identifier: MIT */
/* Walks a machine's bounds to their end (sim/bounds/wp-bounds.h): shows progress, ends at Ctrl-C.
 */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "run/base/progress.h"
#include "sim/bounds/wp-bounds.h"

G_BEGIN_DECLS

/* The bounds of MACHINE, which is KERNEL on some GPU; free with wp_bounds_free(). NULL with ERROR,
 * or where *INTERRUPTED is not 0: the signal that came (SIGINT after about MAX_STEPS instructions,
 * where that is not 0). SIGNALS are held by the caller. */
WpBounds *wp_find_bounds (const IdgKernel *kernel, const WpMachine *machine,
                          const WpSignals *signals, guint64 max_steps, gint *interrupted,
                          GError **error);

G_END_DECLS
