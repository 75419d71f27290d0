/* SPDX-License-Identifier: MIT */
#include "exec/wp-execute-launch.h"

#include "idg/kernel/idg-kernel.h"

IdgKernel *
wp_execute_launch (const WpExecuteOptions *options, const WpModule *module, guint number,
                   WpCaches *caches, GError **error)
{
  (void)module;
  (void)number;
  (void)caches;
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: not yet", options->path);
  return NULL;
}
