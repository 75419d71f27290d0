/* SPDX-License-Identifier: MIT */
/* Any bytes as a cubin, a fat binary or a program: a module, whose addresses are put in place, or
 * an error that names the file. */
#include "exec/cubin/wp-cubin-relocate.h"
#include "exec/launch/wp-launch.h"
#include "tests/fuzz.h"

#include <string.h>

#define NAME "k.cubin"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *note = NULL, *list = NULL;
  g_autofree guint64 *variables = NULL;
  WpCubin *cubin = wp_cubin_parse (data, size, NAME, 80, &note, &error);

  if (cubin == NULL)
    {
      g_assert_nonnull (error);
      g_assert_true (g_str_has_prefix (error->message, NAME ": "));
      return 0;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (cubin->functions->len, >, 0);
  list = wp_launch_list (cubin);
  variables = g_new0 (guint64, cubin->variables->len + 1);
  if (!wp_cubin_relocate (cubin, variables, &error))
    {
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  wp_cubin_free (cubin);
  return 0;
}
