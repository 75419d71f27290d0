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

#define MOST_BEFORE 32 /* steps before a call in which the address to return to is loaded */

/* The lower halves of the constants that steps before step CALL of CODE load become members of
 * CONSTANTS, of guint. */
static void
add_constants (const WpKernelCode *code, guint call, GHashTable *constants)
{
  for (guint k = call > MOST_BEFORE ? call - MOST_BEFORE : 0; k < call; k++)
    {
      const WpStep *step = &code->steps[k];
      const gboolean loads = step->instr->op == WP_SASS_MOV || step->instr->op == WP_SASS_UMOV;
      guint64 value;

      if (loads && wp_step_get_value (step, 0, &value))
        g_hash_table_add (constants, GUINT_TO_POINTER ((guint32)value));
    }
}

/* Those at whose address one of CONSTANTS is, or as far from where its function begins. */
static void
mark_named (WpKernelCode *code, const WpCodePart *part, GHashTable *constants)
{
  for (guint k = part->first; k < part->first + part->n; k++)
    {
      const guint64 address = code->steps[k].address;

      code->steps[k].is_return
          |= g_hash_table_contains (constants, GUINT_TO_POINTER ((guint32)address))
             || g_hash_table_contains (constants,
                                       GUINT_TO_POINTER ((guint32)(address - part->address)));
    }
}

void
wp_ways_mark_returns (WpKernelCode *code)
{
  g_autoptr (GHashTable) constants = g_hash_table_new (NULL, NULL);

  for (guint k = 0; k + 1 < code->n_steps; k++)
    if (code->steps[k].instr->op == WP_SASS_CALL)
      {
        code->steps[k + 1].is_return = TRUE;
        add_constants (code, k, constants);
      }
  for (guint k = 0; k < code->parts->len; k++)
    mark_named (code, &g_array_index (code->parts, WpCodePart, k), constants);
}
