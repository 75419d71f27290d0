/* SPDX-License-Identifier: MIT */
#include "run/simulate/greedy.h"

gboolean
wp_greedy_is_worth_a_word (const WpResolved *resolved, const gchar *policy)
{
  if (g_strcmp0 (policy, "rr") != 0)
    return FALSE;
  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    {
      const gchar *context = resolved->nodes[i]->context;

      if (context != NULL && g_str_has_prefix (context, WP_COUNTED_CONTEXT))
        return TRUE;
    }
  return FALSE;
}
