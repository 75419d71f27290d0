/* SPDX-License-Identifier: MIT */
/* A comparison for scripts, on standard output. */
#include "cli/compare/comparison-print.h"

#include "run/compare/comparison-csv.h"

#include <stdio.h>

void
wp_comparison_print_csv (const WpComparison *comparison)
{
  g_autofree gchar *header = wp_comparison_get_csv_header (comparison);

  fputs (header, stdout);
  for (guint i = 0; i < comparison->runs->len; i++)
    {
      g_autofree gchar *row = wp_comparison_get_csv_row (comparison, i);

      fputs (row, stdout);
    }
}
