/* SPDX-License-Identifier: MIT */
/* exchange */
#include "exec/sass/wp-sass-table.h"

const WpSassRow wp_sass_rows_exchange[] = {
  { 0 },
};
