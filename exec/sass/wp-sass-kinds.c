/* SPDX-License-Identifier: MIT */
#include "exec/sass/wp-sass.h"

gboolean
wp_sass_is_bulk_to_shared (const WpSassInstr *instr)
{
  switch (instr->op)
    {
    case WP_SASS_UBLKCP:
    case WP_SASS_UBLKRED:
      return instr->n_words > 0 && instr->words[0] == WP_WORD_S;
    case WP_SASS_UTMALDG:
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
wp_sass_is_bulk_from_shared (const WpSassInstr *instr)
{
  switch (instr->op)
    {
    case WP_SASS_UBLKCP:
    case WP_SASS_UBLKRED:
      return instr->n_words > 1 && instr->words[1] == WP_WORD_S;
    case WP_SASS_UTMAREDG:
    case WP_SASS_UTMASTG:
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
wp_sass_is_tensor_product (const WpSassInstr *instr)
{
  return instr->op == WP_SASS_UTCHMMA || instr->op == WP_SASS_UTCIMMA
         || instr->op == WP_SASS_UTCQMMA;
}
