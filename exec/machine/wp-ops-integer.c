/* SPDX-License-Identifier: MIT */
/* Whole numbers. */
#include "exec/machine/wp-ops.h"

const WpOpRule wp_rules_integer[] = {
  { WP_SASS_NO_OP, NULL },
};
