/* SPDX-License-Identifier: MIT */
/* What all parts of wp_resolve() have in common. */
#include "sim/gpu/wp-resolver.h"

void
wp_resolver_fail (const IdgKernel *kernel, gint line, WpError code, GError **error,
                  const gchar *format, ...)
{
  const gchar *file = idg_kernel_get_file (kernel);
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (line > 0)
    g_set_error (error, WP_ERROR, code, "%s:%d: %s", file, line, message);
  else
    g_set_error (error, WP_ERROR, code, "%s: %s", file, message);
}
