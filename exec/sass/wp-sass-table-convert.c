/* SPDX-License-Identifier: MIT */
/* convert */
#include "exec/sass/wp-sass-table.h"

const WpSassRow wp_sass_rows_convert[] = {
  { 0 },
};
