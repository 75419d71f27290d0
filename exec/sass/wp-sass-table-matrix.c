/* SPDX-License-Identifier: MIT */
/* matrix */
#include "exec/sass/wp-sass-table.h"

const WpSassRow wp_sass_rows_matrix[] = {
  { 0 },
};
