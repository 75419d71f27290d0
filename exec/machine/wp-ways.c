/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-ways.h"

gboolean
wp_step_jumps_anywhere (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_BRX:
    case WP_SASS_BRXU:
    case WP_SASS_CALL:
    case WP_SASS_JMP:
    case WP_SASS_RET:
      return step->mode[3] != WP_STEP_HAS_TARGET;
    default:
      return FALSE;
    }
}

gboolean
wp_step_always_leaves (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_BRA:
    case WP_SASS_BRX:
    case WP_SASS_BRXU:
    case WP_SASS_CALL:
    case WP_SASS_EXIT:
    case WP_SASS_JMP:
    case WP_SASS_KILL:
    case WP_SASS_RET:
      return !step->is_predicated && step->n_predicates == 0
             && (step->mode[0] == 0 || step->instr->op != WP_SASS_BRA);
    default:
      return FALSE;
    }
}
