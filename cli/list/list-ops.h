/* SPDX-License-Identifier: MIT */
/* warpipe list ops: what a GPU's description says of each op, alone and in each context. */
#pragma once

#include "cli/common/cli-options.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* Prints the ops of GPU in the order of its file, those that it inherits first. */
void wp_list_ops (const WpGpu *gpu, WpFormat format);

G_END_DECLS
