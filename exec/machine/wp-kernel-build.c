/* SPDX-License-Identifier: MIT */
/* The kernel is decoded first, then functions that it refers to, by relocations of its code, of its
 * constants, and of variables that those refer to. */
#include "exec/machine/wp-kernel-build.h"
#include "exec/cubin/wp-cubin-relocate.h"
#include "exec/machine/wp-external.h"
#include "exec/machine/wp-leftovers.h"
#include "exec/machine/wp-meeting.h"
#include "exec/machine/wp-ops.h"
#include "exec/machine/wp-prepare.h"
#include "exec/machine/wp-waits.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

#define MAX_STEPS (1u << 24)

typedef struct
{
  WpKernelCode *code;
  WpGrid *grid;
  gboolean *has_function, *has_variable; /* by number */
  GArray *externals;                     /* of guint: symbols of the run-time system */
  WpPreparation preparation;
} Builder;

/* ---- Which functions ---- */

static void
add_function (Builder *builder, gint number)
{
  const WpCubinFunction *function
      = g_ptr_array_index (builder->code->cubin->functions, (guint)number);
  WpCodePart part = { .function = number,
                      .address = function->address,
                      .n = g_bytes_get_size (function->code) / WP_SASS_BYTES };

  if (builder->has_function[number])
    return;
  builder->has_function[number] = TRUE;
  g_array_append_val (builder->code->parts, part);
}

static void
add_external (Builder *builder, guint number)
{
  for (guint k = 0; k < builder->externals->len; k++)
    if (g_array_index (builder->externals, guint, k) == number)
      return;
  g_array_append_val (builder->externals, number);
}

/* Relocations of which those before NEXT have been followed. */
typedef struct
{
  const GArray *relocations;
  guint next;
} Walk;

/* Adds what ONE refers to, a variable's own relocations to WALKS. */
static void
follow_one (Builder *builder, const WpCubinRelocation *one, GArray *walks)
{
  const WpCubin *cubin = builder->code->cubin;
  const WpCubinSymbol *symbol = &g_array_index (cubin->symbols, WpCubinSymbol, one->symbol);
  const WpCubinVariable *variable;
  Walk walk = { NULL, 0 };

  if (symbol->function >= 0)
    add_function (builder, symbol->function);
  else if (symbol->variable < 0)
    add_external (builder, one->symbol);
  else if (!builder->has_variable[symbol->variable])
    {
      builder->has_variable[symbol->variable] = TRUE;
      variable = g_ptr_array_index (cubin->variables, (guint)symbol->variable);
      walk.relocations = variable->relocations;
      g_array_append_val (walks, walk);
    }
}

/* Variables may refer to one another in a chain as long as the file: no recursion. */
static void
follow (Builder *builder, const GArray *relocations)
{
  g_autoptr (GArray) walks = g_array_new (FALSE, FALSE, sizeof (Walk));
  Walk first = { relocations, 0 };

  g_array_append_val (walks, first);
  while (walks->len > 0)
    {
      Walk *walk = &g_array_index (walks, Walk, walks->len - 1);

      if (walk->relocations == NULL || walk->next == walk->relocations->len)
        g_array_set_size (walks, walks->len - 1);
      else
        follow_one (builder, &g_array_index (walk->relocations, WpCubinRelocation, walk->next++),
                    walks);
    }
}

/* Functions add others at the end of `parts`. */
static void
find_parts (Builder *builder, guint function)
{
  WpKernelCode *code = builder->code;

  add_function (builder, function);
  for (guint k = 0; k < code->parts->len; k++)
    {
      const WpCubinFunction *one = g_ptr_array_index (
          code->cubin->functions, (guint)g_array_index (code->parts, WpCodePart, k).function);
      follow (builder, one->relocations);
      for (guint bank = 0; bank < WP_CUBIN_BANKS; bank++)
        follow (builder, one->constant_relocations[bank]);
    }
}

/* ---- Steps ---- */

static gboolean
fail (const Builder *builder, guint index, gchar *problem, GError **error)
{
  const WpCodePart *part = wp_kernel_code_part (builder->code, index);
  const WpCubinFunction *function
      = part->function >= 0
            ? g_ptr_array_index (builder->code->cubin->functions, (guint)part->function)
            : NULL;
  const gchar *file;
  guint line;

  wp_kernel_code_own_line (builder->code, index, &file, &line);
  if (file)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s:%u: %s+0x%x: %s", file, line,
                 function->name, (index - part->first) * WP_SASS_BYTES, problem);
  else
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: %s+0x%x: %s", builder->code->cubin->path,
                 function ? function->name : "run-time system",
                 (index - part->first) * WP_SASS_BYTES, problem);
  g_free (problem);
  return FALSE;
}

/* After its last instruction, for who runs beyond it. */
static void
run_beyond (WpWarp *warp, const WpStep *step, guint32 mask)
{
  (void)mask;
  wp_warp_fail (warp, step, 0, "the code ends here, and no EXIT was executed");
}

static void
add_end (WpKernelCode *code, guint index)
{
  WpStep *step = &code->steps[index];

  memset (step, 0, sizeof *step);
  step->guard = WP_PT;
  step->is_control = TRUE;
  step->run = run_beyond;
  step->instr = &code->instrs[index];
  code->instrs[index].op = WP_SASS_NOP;
  code->instrs[index].guard = WP_PT;
  step->index = index;
}

/* Whether what STEP does depends on the order of blocks: an atomic on device memory whose result is
 * used, or that is a sum of floating-point numbers, or replaces; a load that sees what other blocks
 * store meanwhile. */
static gboolean
is_ordered (const WpStep *step)
{
  static const gchar *const words[] = { "EXCH", "CAS", "CAST" };

  switch (step->instr->op)
    {
    case WP_SASS_ATOM:
    case WP_SASS_ATOMG:
      if (step->dest != WP_ROW_SINK || step->dest_p != WP_P_SINK)
        return TRUE;
      for (guint k = 0; k < G_N_ELEMENTS (words); k++)
        if (wp_step_has_text (step, words[k]))
          return TRUE;
      break;
    case WP_SASS_RED:
    case WP_SASS_REDG:
    case WP_SASS_UBLKRED:
      break;
    case WP_SASS_LD:
    case WP_SASS_LDG:
      return wp_step_has_text (step, "STRONG");
    case WP_SASS_UTMAREDG: /* of elements that its map tells: floats, perhaps */
      return wp_step_has_text (step, "ADD");
    default:
      return FALSE;
    }
  for (guint k = 0; k < step->instr->n_words; k++)
    {
      const gchar *word = wp_sass_word_text (step->instr->words[k]);
      if (g_str_has_prefix (word, "F") || g_str_has_prefix (word, "BF"))
        return TRUE;
    }
  return FALSE;
}

static gboolean
decode_part (Builder *builder, const WpCodePart *part, GError **error)
{
  const WpCubinFunction *function
      = g_ptr_array_index (builder->code->cubin->functions, (guint)part->function);
  const guint8 *bytes = g_bytes_get_data (function->code, NULL);
  guint sm = builder->grid->sm;

  for (guint k = 0; k < part->n; k++)
    {
      guint64 address = (guint64)k * WP_SASS_BYTES;
      WpSassInstr *instr = &builder->code->instrs[part->first + k];
      gchar *problem = NULL;
      if (!wp_sass_decode (sm, bytes + address, address, instr, &problem))
        return fail (builder, part->first + k, problem, error);
      builder->code->is_cooperative |= wp_meeting_is_read (sm, instr);
    }
  return TRUE;
}

/* STEP, of a kernel that reads the workspace of a cooperative grid. */
static void
add_meeting (Builder *builder, WpStep *step)
{
  WpKernelCode *code = builder->code;

  if (wp_meeting_is_wait (step))
    {
      code->meets = TRUE;
      code->meets_at = step->index;
    }
  if (builder->grid->workspace)
    wp_meeting_watch (step);
}

static gboolean
add_part (Builder *builder, WpCodePart *part, GError **error)
{
  WpKernelCode *code = builder->code;

  for (guint k = 0; k < part->n; k++)
    {
      guint index = part->first + k;
      const WpSassInstr *instr = &code->instrs[index];
      gchar *problem = NULL;
      if (!wp_step_prepare (&builder->preparation, &code->steps[index], instr, index, part->address,
                            (guint64)k * WP_SASS_BYTES, &problem))
        return fail (builder, index, problem, error);
      for (guint j = 0; j < instr->n_operands; j++)
        if (instr->operands[j].kind == WP_SASS_CONVERGENCE)
          code->convergence = MIN (MAX (code->convergence, instr->operands[j].number + 1u),
                                   WP_CONVERGENCE_BARRIERS);
      code->is_serial |= is_ordered (&code->steps[index]);
      if (code->is_cooperative)
        add_meeting (builder, &code->steps[index]);
    }
  add_end (code, part->first + part->n);
  return TRUE;
}

static gboolean
add_externals (Builder *builder, WpCodePart *part, GError **error)
{
  WpKernelCode *code = builder->code;

  for (guint k = 0; k < builder->externals->len; k++)
    {
      guint number = g_array_index (builder->externals, guint, k), index = part->first + k;
      const gchar *name = g_array_index (code->cubin->symbols, WpCubinSymbol, number).name;
      gchar *problem = NULL;
      add_end (code, index);
      code->steps[index].address = WP_CUBIN_EXTERNAL + 16 * (guint64)number;
      code->steps[index].instr = &code->instrs[index];
      if (!wp_external_prepare (&code->steps[index], name, &problem))
        return fail (builder, index, problem, error);
    }
  return TRUE;
}

static gboolean
set_targets (Builder *builder, GError **error)
{
  WpKernelCode *code = builder->code;

  for (guint k = 0; k < code->n_steps; k++)
    {
      WpStep *step = &code->steps[k];
      guint32 index;
      if (!step->is_control || step->mode[3] != WP_STEP_HAS_TARGET)
        continue;
      if (!wp_kernel_code_find (code, step->value, &index))
        return fail (builder, k, g_strdup ("a branch to where no code is"), error);
      step->value = index;
    }
  return TRUE;
}

/* From the last one to the first, since each is one more than the next. */
static void
count_plain (WpKernelCode *code)
{
  guint32 n = 0;

  for (guint k = code->n_steps; k-- > 0;)
    {
      WpStep *step = &code->steps[k];
      n = step->is_control || step->is_predicated || step->wait || step->arrival ? 0 : n + 1;
      step->n_plain = n;
    }
}

static gboolean
lay_out (Builder *builder, GError **error)
{
  WpKernelCode *code = builder->code;
  WpCodePart externals = { .function = -1, .n = builder->externals->len };
  guint64 n = 0;

  g_array_append_val (code->parts, externals);
  for (guint k = 0; k < code->parts->len; k++)
    {
      WpCodePart *part = &g_array_index (code->parts, WpCodePart, k);
      part->first = n;
      n += (guint64)part->n + (part->function >= 0);
      if (n > MAX_STEPS)
        {
          g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                       "%s: the kernel and what it calls have more than %u instructions",
                       code->cubin->path, MAX_STEPS);
          return FALSE;
        }
    }
  code->n_steps = n;
  code->steps = g_new0 (WpStep, n);
  code->seen = g_new0 (guint32, n);
  code->instrs = g_new0 (WpSassInstr, n);
  return TRUE;
}

/* All functions, before the first step is prepared: constants are rows of steps, and the address of
 * the workspace is one. */
static gboolean
decode (Builder *builder, GError **error)
{
  const WpKernelCode *code = builder->code;

  for (guint k = 0; k + 1 < code->parts->len; k++)
    if (!decode_part (builder, &g_array_index (code->parts, WpCodePart, k), error))
      return FALSE;
  return !code->is_cooperative || !wp_meeting_fits (builder->grid)
         || wp_meeting_begin (builder->grid, error);
}

static gboolean
build (Builder *builder, guint function, GError **error)
{
  WpKernelCode *code = builder->code;

  find_parts (builder, function);
  if (!lay_out (builder, error) || !decode (builder, error))
    return FALSE;
  wp_preparation_init (&builder->preparation, builder->grid, code->rows);
  for (guint k = 0; k + 1 < code->parts->len; k++)
    if (!add_part (builder, &g_array_index (code->parts, WpCodePart, k), error))
      return FALSE;
  if (!add_externals (builder, &g_array_index (code->parts, WpCodePart, code->parts->len - 1),
                      error))
    return FALSE;
  code->registers = builder->preparation.registers;
  code->uniforms = builder->preparation.uniforms;
  wp_wait_sites_find (code);
  count_plain (code);
  if (!set_targets (builder, error))
    return FALSE;
  wp_leftovers_drop (code);
  return TRUE;
}

WpKernelCode *
wp_kernel_code_new (const WpCubin *cubin, guint function, WpGrid *grid, GError **error)
{
  WpKernelCode *code = g_new0 (WpKernelCode, 1);
  Builder builder = { .code = code, .grid = grid };
  gboolean is_built;

  code->cubin = cubin;
  code->parts = g_array_new (FALSE, FALSE, sizeof (WpCodePart));
  code->rows = g_ptr_array_new_with_free_func (g_aligned_free);
  code->stretches = g_ptr_array_new_with_free_func (g_free);
  code->choices = g_ptr_array_new_with_free_func (g_free);
  builder.has_function = g_new0 (gboolean, cubin->functions->len + 1);
  builder.has_variable = g_new0 (gboolean, cubin->variables->len + 1);
  builder.externals = g_array_new (FALSE, FALSE, sizeof (guint));
  is_built = build (&builder, function, error);
  g_free (builder.has_function);
  g_free (builder.has_variable);
  g_array_unref (builder.externals);
  if (!is_built)
    {
      wp_kernel_code_free (code);
      return NULL;
    }
  grid->code = code;
  grid->rows = WP_ROW_R0 + code->registers + WP_ROW_SLACK;
  return code;
}
