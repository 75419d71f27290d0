/* SPDX-License-Identifier: MIT */
/* The code of a launch is decoded and prepared. */
#pragma once

#include "exec/machine/wp-kernel-code.h"

G_BEGIN_DECLS

/* Prepares function FUNCTION of CUBIN, which is relocated, and what it calls for a launch with the
 * constants of GRID; `rows` and `code` of GRID are set, and its workspace, if the code reads it and
 * GRID fits. NULL with an error of IDG_ERROR that names
 * the place where an op is not known or not covered. The cubin has to live as long. Free with
 * wp_kernel_code_free(). O(instructions). */
WpKernelCode *wp_kernel_code_new (const WpCubin *cubin, guint function, WpGrid *grid,
                                  GError **error);

G_END_DECLS
