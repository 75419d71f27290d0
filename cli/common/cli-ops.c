/* SPDX-License-Identifier: MIT */
/* run/base/check-ops.h finds the ops; here the command line gets its option and its voice. */
#include "cli/common/cli-ops.h"

#include "cli/common/cli.h"
#include "run/base/check-ops.h"

void
wp_cli_add_strict_option (WpOptionTable *table, gboolean *strict)
{
  wp_options_add_flag (table, "strict", strict,
                       "Make errors of warnings, and of ops that run as others");
}

static void
print_note (gpointer data, const gchar *note)
{
  (void)data;
  wp_cli_complain ("%s", note);
}

gboolean
wp_cli_check_ops (const IdgKernel *kernel, const WpGpu *gpu, gboolean strict, GError **error)
{
  return wp_check_ops (kernel, gpu, strict, print_note, NULL, error);
}
