/* SPDX-License-Identifier: MIT */
/* atomic */
#include "exec/sass/wp-sass-table.h"

const WpSassRow wp_sass_rows_atomic[] = {
  { 0 },
};
