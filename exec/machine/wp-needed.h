/* SPDX-License-Identifier: MIT */
/* Which results anything depends on: the way that a warp takes, an address, which lanes execute an
 * instruction. What becomes of data does not show in times, so that sums of what was loaded need
 * not be computed, nor be loaded. That is told from the code alone, before it runs. */
#pragma once

#include "exec/machine/wp-kernel-code.h"

G_BEGIN_DECLS

/* Sets `is_merge`, `is_data`, `lean` and `skip` of all steps of CODE, which is complete: what is
 * left of each where nobody looks at data, except, if MEMORY_IS_KEPT, at what device memory holds
 * after the launch. Sets code->is_lean where that is less than all. It never is where it cannot be
 * told: with barriers in shared memory that are loaded as other data are (up to sm_89), or of the
 * whole grid, and functions of the run-time system; nor of very long code. O(steps) times how deep
 * loops are nested. */
void wp_needed_find (WpKernelCode *code, gboolean memory_is_kept);

G_END_DECLS
