/* SPDX-License-Identifier: MIT */
/* Blanks are counted, not printed, so that no line ends with them. */
#include "cli/report/decimals.h"

#include <stdio.h>
#include <string.h>

void
wp_decimals_add (WpDecimals *column, const gchar *number)
{
  gsize whole = strcspn (number, ".");

  column->whole = MAX (column->whole, (gint)whole);
  column->part = MAX (column->part, (gint)(strlen (number) - whole));
}

gint
wp_decimals_print (const WpDecimals *column, gint width, const gchar *number)
{
  gint whole = (gint)strcspn (number, ".");
  gint margin = MAX (width - column->whole - column->part, 0);

  printf ("%*s%s", margin + column->whole - whole, "", number);
  return column->part - (gint)strlen (number + whole);
}

gint
wp_decimals_get_width (const WpDecimals *column, gint width)
{
  return MAX (width, column->whole + column->part);
}
