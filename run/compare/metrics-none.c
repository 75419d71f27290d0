/* SPDX-License-Identifier: MIT */
/* A build without json-glib: no report that was saved can be read. */
#include "run/compare/metrics.h"

WpMetrics *
wp_metrics_load (const gchar *file, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "%s: a report is read by json-glib, and this warpipe was built without json-glib; "
               "configure it --with-json (Debian's libjson-glib-dev)",
               file);
  return NULL;
}
