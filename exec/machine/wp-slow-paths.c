/* SPDX-License-Identifier: MIT */
/* They are known by their names, which are symbols of the cubin:
 * "$__internal_2_$__cuda_sm3x_div_rn_noftz_f32_slowpath", "..._$__cuda_sm20_div_rn_f64_full". Those
 * that divide whole numbers ("__cuda_sm20_div_u64") are none: which numbers come is not known. */
#include "exec/machine/wp-slow-paths.h"

#include "exec/machine/wp-ops.h"

#include <string.h>

#define MOST_BEFORE 16 /* steps from the branch to the call: moves of what the function takes */

static gboolean
is_slow_path (const gchar *name)
{
  static const gchar *const ends[] = { "slowpath", "mediumpath", "_f64_full" };

  for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
    if (strstr (name, "__cuda_sm") && strstr (name, ends[k]))
      return TRUE;
  return FALSE;
}

/* Marks the first steps of these functions. */
static void
find_functions (const WpKernelCode *code, guint8 *is_first)
{
  for (guint k = 0; k < code->cubin->symbols->len; k++)
    {
      const WpCubinSymbol *symbol = &g_array_index (code->cubin->symbols, WpCubinSymbol, k);

      if (symbol->function < 0 || !symbol->name || !is_slow_path (symbol->name))
        continue;
      for (guint j = 0; j < code->parts->len; j++)
        {
          const WpCodePart *part = &g_array_index (code->parts, WpCodePart, j);

          if (part->function == symbol->function && symbol->value / WP_SASS_BYTES < part->n)
            is_first[part->first + symbol->value / WP_SASS_BYTES] = 1;
        }
    }
}

static gboolean
has_target (const WpStep *step)
{
  return step->is_control && step->mode[3] == WP_STEP_HAS_TARGET;
}

guint8 *
wp_slow_paths_find (const WpKernelCode *code)
{
  g_autofree guint8 *is_first = g_new0 (guint8, code->n_steps + 1);
  guint8 *passes = g_new0 (guint8, code->n_steps + 1);
  guint32 call = G_MAXUINT32; /* the next one of them */

  find_functions (code, is_first);
  for (guint32 k = code->n_steps; k-- > 0;)
    {
      const WpStep *step = &code->steps[k];

      if (has_target (step) && step->instr->op == WP_SASS_CALL && is_first[step->value])
        call = k;
      else if (has_target (step) && step->instr->op == WP_SASS_BRA
               && (step->is_predicated || step->n_predicates > 0))
        {
          passes[k] = call != G_MAXUINT32 && call - k <= MOST_BEFORE && (guint64)step->value > call;
          call = G_MAXUINT32; /* one further back goes over more than the call */
        }
    }
  return passes;
}
