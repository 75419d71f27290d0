/* SPDX-License-Identifier: MIT */
/* Ops that a GPU lacks, of kernels that leave it to us what to run in their place: prints on
 * standard error what that is, once for each op, or refuses it. */
#pragma once

#include "cli/common/cli-table.h"
#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* Adds --strict to TABLE. */
void wp_cli_add_strict_option (WpOptionTable *table, gboolean *strict);

/* To be called once for each GPU that KERNEL is to run on, before any run. STRICT: false with ERROR
 * that names the first replacement. */
gboolean wp_cli_check_ops (const IdgKernel *kernel, const WpGpu *gpu, gboolean strict,
                           GError **error);

G_END_DECLS
