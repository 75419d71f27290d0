/* SPDX-License-Identifier: MIT */
/* One launch of a module: executed, and what was executed as a kernel. */
#pragma once

#include "exec/memory/wp-caches.h"
#include "exec/wp-execute-options.h"
#include "exec/wp-module.h"
#include "idg/kernel/idg-types.h"

G_BEGIN_DECLS

/* Executes launch NUMBER of MODULE with CACHES, whose L2 is as the launch before left it. NULL with
 * an error. Free with idg_kernel_free(). */
IdgKernel *wp_execute_launch (const WpExecuteOptions *options, const WpModule *module, guint number,
                              WpCaches *caches, GError **error);

G_END_DECLS
