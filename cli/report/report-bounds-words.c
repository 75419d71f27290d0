/* SPDX-License-Identifier: MIT */
/* What the parts of the bounds' text share. */
#include "cli/report/report-bounds-private.h"

#include <string.h>

#define OP_WIDTH 40 /* of an op and its context: longer ones are cut */

gboolean
wp_bounds_is_zero (WpMean mean)
{
  return mean.num.hi == 0 && mean.num.lo == 0;
}

const gchar *
wp_bounds_name_cycles (const gchar *number)
{
  return strcmp (number, "1") == 0 ? "cycle" : "cycles";
}

gchar *
wp_bounds_join_op (const gchar *op, const gchar *context)
{
  g_autofree gchar *name = context != NULL ? g_strdup_printf ("%s %s", op, context) : g_strdup (op);

  return wp_text_cut (name, OP_WIDTH);
}
