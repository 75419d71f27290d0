/* SPDX-License-Identifier: MIT */
/* half */
#include "exec/sass/wp-sass-table.h"

const WpSassRow wp_sass_rows_half[] = {
  { 0 },
};
