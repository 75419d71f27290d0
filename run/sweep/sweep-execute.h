/* SPDX-License-Identifier: MIT */
/* What is executed does other things with other parameters, and on a GPU with another compute
 * capability or other caches. So a sweep executes it for each of them before anything runs. */
#pragma once

#include "run/sweep/sweep-points.h"

G_BEGIN_DECLS

/* Whether ERROR says that this launch does not fit on this GPU, or cannot be made with these
 * values, and not that something else is wrong. */
gboolean wp_sweep_is_of_launch (const GError *error);

/* Executes the kernels of SWEEP that are executed, whose parameters are all set, for each GPU and
 * each combination of the parameters. A launch that the GPU or CUDA does not take is
 * kept as the reason why its rows are refused. False with ERROR: another one fails, or they are too
 * many. */
gboolean wp_sweep_execute (WpSweep *sweep, const WpImportOptions *import,
                           const WpRunOptions *launch, GError **error);

/* The text of the kernel of POINT, a kernel.xml; borrowed. NULL with the reason, borrowed, in
 * REFUSAL. Only where its `executed` is there. */
const gchar *wp_sweep_get_executed (const WpSweep *sweep, const WpSweepPoint *point,
                                    const GError **refusal);

/* KERNEL as it runs on GPU number GPU with the first values that it can be launched with; as it is
 * where it is not executed. Free with idg_kernel_free(). NULL: there is none. */
IdgKernel *wp_sweep_parse_kernel (const WpSweep *sweep, const WpSweepKernel *kernel, guint gpu);

G_END_DECLS
