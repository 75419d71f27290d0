/* SPDX-License-Identifier: MIT */
/* The checks that find warnings. Each is a function in a table: of what is known before a run in
 * warnings-setting.c, of what a run came to in warnings-run.c. */
#pragma once

#include "run/simulate/warnings.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

struct WpReport;

/* Appends to WARNINGS those of KERNEL on GPU as RESOLVED has joined them, whatever is simulated of
 * it: what the kernel carries from its import, what its launch cannot reach, what is wrong with the
 * description. O(the machine and the description). */
void wp_warnings_find_in_setting (GPtrArray *warnings, const IdgKernel *kernel, const WpGpu *gpu,
                                  const WpResolved *resolved);

/* Appends one to WARNINGS if much of what pipeline INDEX does, on which a verdict rests, is PTX's
 * loads of constants. O(size of the kernel), times its different ops. */
void wp_warnings_find_constants (GPtrArray *warnings, const IdgKernel *kernel,
                                 const WpResolved *resolved, guint32 index);

/* Appends one to WARNINGS if KERNEL was executed, and the blocks of RESOLVED that are simulated do
 * not do what its blocks do on average. O(the machine's ranges of blocks). */
void wp_warnings_find_blocks (GPtrArray *warnings, const IdgKernel *kernel,
                              const WpResolved *resolved);

/* Appends to WARNINGS those of a run, whose REPORT has all else. O(the machine). */
void wp_warnings_find_in_run (GPtrArray *warnings, const struct WpReport *report);

/* The notes of KERNEL on GPU, of gchar: what its import assumed, and which ops run as others. Free
 * with g_ptr_array_unref(). O(the kernel). */
GPtrArray *wp_notes_find (const IdgKernel *kernel, const WpGpu *gpu);

G_END_DECLS
