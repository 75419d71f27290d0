/* SPDX-License-Identifier: MIT */
/* Functions are known by their names, which are symbols of the cubin:
 * "$__internal_2_$__cuda_sm3x_div_rn_noftz_f32_slowpath", "..._$__cuda_sm20_div_rn_f64_full",
 * "$axpy$__internal_trig_reduction_slowpathd". Those that divide whole numbers, as
 * "__cuda_sm20_div_u64", are none: which numbers come is not known. A sine of a float has its slow
 * path inlined, which is known by the table of 2 / pi that it reads, "__cudart_i2opi_f". */
#include "exec/machine/wp-slow-paths.h"

#include "exec/machine/wp-ops.h"

#include <string.h>

#define MOST_BEFORE 16 /* steps from the branch to the call: moves of what the function takes */

static gboolean
is_slow_path (const gchar *name)
{
  static const gchar *const ends[] = { "slowpath", "mediumpath", "_f64_full" };

  for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
    if (strstr (name, "__internal_") && strstr (name, ends[k]))
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

/* ---- What is inlined ---- */

#define TABLE_BANK 4
#define MOST_BEFORE_TABLE 32 /* steps from where lanes part to where the table is read */

/* Whether step K reads the table's address from the constants of its function, which has addresses
 * WHERE. */
static gboolean
reads_table (const WpKernelCode *code, guint32 k, const GArray *where)
{
  const WpSassInstr *instr = code->steps[k].instr;

  for (guint i = 0; where != NULL && i < instr->n_operands; i++)
    {
      const WpSassOperand *operand = &instr->operands[i];

      if (operand->kind != WP_SASS_CONSTANT || operand->number != TABLE_BANK)
        continue;
      for (guint j = 0; j < where->len; j++)
        {
          const WpCubinRelocation *one = &g_array_index (where, WpCubinRelocation, j);
          const gchar *name;

          if (operand->value != (gint64)one->offset || one->symbol >= code->cubin->symbols->len)
            continue;
          name = g_array_index (code->cubin->symbols, WpCubinSymbol, one->symbol).name;
          if (name && g_str_has_prefix (name, "__cudart_i2opi_"))
            return TRUE;
        }
    }
  return FALSE;
}

/* The table is read at step K: marks the first branch over it since lanes were told where to meet
 * again. FIRST is the first step of its function. */
static void
mark_table (const WpKernelCode *code, guint32 first, guint32 k, guint8 *passes)
{
  guint32 from = k;

  while (from > first && k - from < MOST_BEFORE_TABLE
         && code->steps[from].instr->op != WP_SASS_BSSY)
    from--;
  if (code->steps[from].instr->op != WP_SASS_BSSY)
    return;
  for (guint32 i = from; i < k; i++)
    if (has_target (&code->steps[i]) && code->steps[i].instr->op == WP_SASS_BRA
        && code->steps[i].is_predicated && (guint64)code->steps[i].value > k)
      {
        passes[i] = 1;
        return;
      }
}

static void
find_tables (const WpKernelCode *code, guint8 *passes)
{
  for (guint j = 0; j < code->parts->len; j++)
    {
      const WpCodePart *part = &g_array_index (code->parts, WpCodePart, j);
      const WpCubinFunction *function;

      if (part->function < 0)
        continue;
      function = g_ptr_array_index (code->cubin->functions, (guint)part->function);
      for (guint32 k = part->first; k < part->first + part->n; k++)
        if (reads_table (code, k, function->constant_relocations[TABLE_BANK]))
          mark_table (code, part->first, k, passes);
    }
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
  find_tables (code, passes);
  return passes;
}
