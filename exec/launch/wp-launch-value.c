/* SPDX-License-Identifier: MIT */
#include "exec/launch/wp-launch-value.h"

WpLaunchValue *
wp_launch_value_new (WpLaunchKind kind)
{
  WpLaunchValue *value = g_new0 (WpLaunchValue, 1);

  value->kind = kind;
  if (kind == WP_LAUNCH_STRUCTURE)
    value->members = g_ptr_array_new_with_free_func (wp_launch_value_free);
  return value;
}

void
wp_launch_value_free (gpointer data)
{
  WpLaunchValue *value = data;

  if (value == NULL)
    return;
  g_free (value->type);
  g_free (value->name);
  g_clear_pointer (&value->members, g_ptr_array_unref);
  g_free (value);
}
