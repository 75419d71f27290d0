/* SPDX-License-Identifier: MIT */
/* Replaces pictures in a build without cairo. A check rejects them before any such trace
 * begins. */
#include "sim/gpu/wp-gpu.h" /* WP_ERROR */
#include "traces/table/wp-trace.h"

gboolean
wp_trace_check_picture (const WpMachine *machine G_GNUC_UNUSED,
                        const WpTraceOptions *options G_GNUC_UNUSED, GError **error)
{
  g_set_error (
      error, WP_ERROR, WP_ERROR_VALUE,
      "a picture is drawn by cairo, and this warpipe was built without cairo; configure it "
      "--with-cairo (Debian's libcairo2-dev), or take --html or --timeline");
  return FALSE;
}

const WpTraceKind wp_trace_picture = { .name = "picture" };
