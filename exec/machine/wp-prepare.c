/* SPDX-License-Identifier: MIT */
/* An instruction becomes a step: what all ops have in common is filled in from its operands, then
 * the rule of its op completes it. Done once for each instruction of a launch. */
#include "exec/machine/wp-prepare.h"

#include <string.h>

/* While a step is filled in. */
#define WP_NO_DEST 0xffff
#define WP_NO_PREDICATE 0xff

/* ---- What all ops have in common ---- */

static WpConstantRow *
new_row (WpPreparation *preparation)
{
  WpConstantRow *row = g_aligned_alloc0 (1, sizeof *row, 64);

  g_ptr_array_add (preparation->rows, row);
  return row;
}

static gboolean
loads_constant (WpSassOp op)
{
  return op == WP_SASS_LDC || op == WP_SASS_LDCU || op == WP_SASS_ULDC;
}

/* A constant at a fixed place: two words where the bank has them, since an op may read 64 bits. */
static gboolean
fill_constant (WpPreparation *preparation, WpStep *step, const WpSassOperand *operand,
               WpSource *source, gchar **problem)
{
  const WpBank *bank
      = operand->number < WP_BANKS ? &preparation->grid->banks[operand->number] : NULL;
  gint64 offset = operand->value;

  if (operand->index != 255 || operand->is_descriptor || loads_constant (step->instr->op))
    return TRUE; /* the op reads it */
  if (!bank || offset < 0 || (guint64)offset + 4 > bank->size || offset % 4)
    {
      *problem = g_strdup_printf (
          "%s reads c[0x%x][0x%" G_GINT64_MODIFIER "x], and the bank has %" G_GSIZE_FORMAT " bytes",
          wp_sass_op_name (step->instr->op), operand->number, offset, bank ? bank->size : 0);
      return FALSE;
    }
  source->from = WP_FROM_ROW;
  source->row = new_row (preparation);
  for (guint word = 0; word < 2 && (guint64)offset + 4 * word + 4 <= bank->size; word++)
    {
      guint64 at = (guint64)offset + 4 * word;
      guint32 value;
      memcpy (&value, bank->bytes + at, 4);
      value = GUINT32_FROM_LE (value);
      for (guint lane = 0; lane < WP_LANES; lane++)
        source->row->lanes[word][lane] = value;
      if (bank->unknown && (bank->unknown[at / 8] >> (at % 8) & 15))
        source->row->unknown[word] = WP_ALL_LANES;
      if (bank->tags)
        source->row->tag = wp_tag_join (source->row->tag, bank->tags[at / 4]);
    }
  return TRUE;
}

static gboolean
check_register (WpPreparation *preparation, const WpStep *step, guint number, guint n,
                gchar **problem)
{
  if (number == 255)
    return TRUE;
  preparation->registers = MAX (preparation->registers, number + MAX (n, 1));
  if (number + n <= 255)
    return TRUE;
  *problem = g_strdup_printf ("%s takes %u registers from R%u on, and R254 is the last",
                              wp_sass_op_name (step->instr->op), n, number);
  return FALSE;
}

static gboolean
add_source (WpPreparation *preparation, WpStep *step, guint k, gchar **problem)
{
  const WpSassOperand *operand = &step->instr->operands[k];
  WpSource *source = &step->sources[step->n_sources];

  if (step->n_sources == WP_STEP_SOURCES)
    return wp_step_refuse (step, problem);
  step->n_sources++;
  source->operand = k;
  source->n = MAX (operand->n_registers, 1);
  source->negate = operand->negate;
  source->absolute = operand->absolute;
  source->invert = operand->invert;
  G_STATIC_ASSERT (sizeof source->words == sizeof operand->words);
  memcpy (source->words, operand->words, sizeof source->words);
  switch (operand->kind)
    {
    case WP_SASS_REGISTER:
      source->from = WP_FROM_REGISTER;
      source->first = wp_row_of (operand->number);
      return check_register (preparation, step, operand->number, source->n, problem);
    case WP_SASS_UNIFORM:
      source->from = WP_FROM_UNIFORM;
      source->first = operand->number;
      return TRUE;
    case WP_SASS_CONSTANT:
      return fill_constant (preparation, step, operand, source, problem);
    default:
      source->from = WP_FROM_ROW;
      source->is_immediate = TRUE;
      source->row = new_row (preparation);
      wp_step_set_value (step, step->n_sources - 1, operand->value);
      return TRUE;
    }
}

static gboolean
add_dest (WpPreparation *preparation, WpStep *step, const WpSassOperand *operand, gchar **problem)
{
  gboolean is_uniform = operand->kind == WP_SASS_UNIFORM;
  guint number = operand->number;

  if (is_uniform)
    number = number == 255 ? WP_UR_SINK : number;
  else
    number = wp_row_to (number);
  if (step->dest == WP_NO_DEST)
    {
      step->dest = number;
      step->n_dest = operand->n_registers;
      step->is_uniform = is_uniform;
    }
  else
    step->dest2 = number;
  return is_uniform
         || check_register (preparation, step, operand->number, operand->n_registers, problem);
}

static gboolean
add_predicate (WpStep *step, const WpSassOperand *operand, gchar **problem)
{
  guint code = operand->number | (operand->invert ? WP_P_NOT : 0)
               | (operand->kind == WP_SASS_UNIFORM_PREDICATE ? WP_P_UNIFORM : 0);

  if (operand->is_dest)
    {
      guint number = operand->number == WP_PT ? WP_P_SINK : operand->number;
      if (step->dest_p == WP_NO_PREDICATE)
        step->dest_p = number;
      else
        step->dest_p2 = number;
      step->is_uniform_p = operand->kind == WP_SASS_UNIFORM_PREDICATE;
      return TRUE;
    }
  if (step->n_predicates == G_N_ELEMENTS (step->source_p))
    return wp_step_refuse (step, problem);
  step->source_p[step->n_predicates++] = code;
  return TRUE;
}

/* The register that is added to an address, or to an offset in a bank. */
static gboolean
add_index (WpPreparation *preparation, const WpStep *step, const WpSassOperand *operand,
           gchar **problem)
{
  return operand->index == 255 || check_register (preparation, step, operand->index, 1, problem);
}

static gboolean
add_operand (WpPreparation *preparation, WpStep *step, guint k, gchar **problem)
{
  const WpSassOperand *operand = &step->instr->operands[k];

  switch (operand->kind)
    {
    case WP_SASS_REGISTER:
    case WP_SASS_UNIFORM:
      return operand->is_dest ? add_dest (preparation, step, operand, problem)
                              : add_source (preparation, step, k, problem);
    case WP_SASS_IMMEDIATE:
      return add_source (preparation, step, k, problem);
    case WP_SASS_CONSTANT:
      return add_index (preparation, step, operand, problem)
             && add_source (preparation, step, k, problem);
    case WP_SASS_PREDICATE:
    case WP_SASS_UNIFORM_PREDICATE:
      return add_predicate (step, operand, problem);
    case WP_SASS_MEMORY:
      return add_index (preparation, step, operand, problem);
    case WP_SASS_TARGET:
      step->value = operand->value;
      if (!wp_step_has (step, WP_WORD_ABS))
        step->value += preparation->base;
      return TRUE;
    default:
      return TRUE; /* the op reads it */
    }
}

/* Which uniform registers are used; vectors of them have 4 at most. */
static void
note_uniform (WpPreparation *preparation, const WpSassOperand *operand)
{
  const gboolean has_address = operand->kind == WP_SASS_MEMORY || operand->kind == WP_SASS_CONSTANT;
  guint numbers[]
      = { operand->kind == WP_SASS_UNIFORM ? operand->number : 255u,
          has_address ? operand->uniform : 255u, has_address ? operand->descriptor : 255u };

  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    if (numbers[k] != 255)
      preparation->uniforms = MAX (preparation->uniforms, MIN (numbers[k] + 16, WP_N_UR));
}

static gboolean
fill_step (WpPreparation *preparation, WpStep *step, gchar **problem)
{
  const WpSassInstr *instr = step->instr;

  step->guard = instr->guard | (instr->guard_not ? WP_P_NOT : 0)
                | (instr->guard_is_uniform ? WP_P_UNIFORM : 0);
  step->is_predicated = instr->guard != WP_PT || instr->guard_not;
  step->dest = step->dest2 = WP_NO_DEST;
  step->dest_p = step->dest_p2 = WP_NO_PREDICATE;
  memset (step->source_p, WP_PT, sizeof step->source_p);
  for (guint k = 0; k < instr->n_operands; k++)
    note_uniform (preparation, &instr->operands[k]);
  for (guint k = 0; k < instr->n_operands; k++)
    if (!add_operand (preparation, step, k, problem))
      return FALSE;

  guint sink = step->is_uniform ? WP_UR_SINK : WP_ROW_SINK;
  if (step->dest == WP_NO_DEST)
    step->dest = sink;
  if (step->dest2 == WP_NO_DEST)
    step->dest2 = sink;
  if (step->dest_p == WP_NO_PREDICATE)
    step->dest_p = WP_P_SINK;
  if (step->dest_p2 == WP_NO_PREDICATE)
    step->dest_p2 = WP_P_SINK;
  return TRUE;
}

/* ---- The rules ---- */

static const WpOpRule *const families[] = {
#define FAMILY(name) wp_rules_##name,
#include "exec/machine/wp-ops-families.def"
#undef FAMILY
};

void
wp_preparation_init (WpPreparation *preparation, const WpGrid *grid, GPtrArray *rows)
{
  memset (preparation, 0, sizeof *preparation);
  preparation->grid = grid;
  preparation->rows = rows;
  for (guint k = 0; k < G_N_ELEMENTS (families); k++)
    for (const WpOpRule *rule = families[k]; rule->prepare; rule++)
      preparation->prepare[rule->op] = rule->prepare;
}

/* Features that are not covered, by the ops that only they use. */
static const struct
{
  const gchar *op, *feature; /* all ops that begin so */
} features[] = {
  { "TEX", "textures are" },
  { "TLD", "textures are" },
  { "TXD", "textures are" },
  { "TXQ", "textures are" },
  { "SULD", "surfaces are" },
  { "SUST", "surfaces are" },
  { "SUATOM", "surfaces are" },
  { "SURED", "surfaces are" },
  { "USETSHMSZ", "a change of the block's shared memory is" },
  { "UTC", "tcgen05 is" },
  { "LDT", "tcgen05 is" },
  { "STT", "tcgen05 is" },
  { "REDAS", "red.async is" },
};

static void
describe_op (const WpSassInstr *instr, gchar **problem)
{
  const gchar *name = wp_sass_op_name (instr->op);

  for (guint k = 0; k < G_N_ELEMENTS (features); k++)
    if (g_str_has_prefix (name, features[k].op))
      {
        *problem = g_strdup_printf ("%s not covered by execution (%s)", features[k].feature, name);
        return;
      }
  *problem = g_strdup_printf ("%s is not covered by execution", name);
}

/* ---- Marks ---- */

static gboolean
add_mark (WpStep *step, guint row)
{
  if (row < WP_ROW_SINK)
    return TRUE; /* always known */
  if (step->n_marks == G_N_ELEMENTS (step->marks))
    return FALSE;
  step->marks[step->n_marks++] = (guint16)row;
  return TRUE;
}

/* A constant: its marks do not change. */
static gboolean
add_constant_marks (WpStep *step, const WpSource *source)
{
  const WpTag tag = source->row->tag;

  if (tag && step->constant_tag && tag != step->constant_tag)
    return FALSE;
  step->constant_tag = tag ? tag : step->constant_tag;
  for (guint word = 0; word < MIN (source->n, 2); word++)
    step->constant_unknown |= source->row->unknown[word];
  return TRUE;
}

static gboolean
add_marks (WpStep *step)
{
  for (guint k = 0; k < step->n_predicates; k++)
    if ((step->source_p[k] & 7) != WP_PT)
      return FALSE;
  for (guint k = 0; k < step->n_sources; k++)
    {
      const WpSource *source = &step->sources[k];
      const gboolean is_zero = source->from == WP_FROM_UNIFORM && source->first == WP_UR_ZERO;
      if ((source->from == WP_FROM_UNIFORM && !is_zero)
          || (source->from == WP_FROM_ROW && !add_constant_marks (step, source))
          || (source->from == WP_FROM_REGISTER && !add_mark (step, source->first)))
        return FALSE;
    }
  step->n_tags = step->n_marks;
  for (guint k = 0; k < step->n_sources; k++)
    for (guint word = 1; word < step->sources[k].n; word++)
      if (step->sources[k].from == WP_FROM_REGISTER
          && !add_mark (step, step->sources[k].first + word))
        return FALSE;
  return TRUE;
}

/* Steps whose sources are more than that look at each of them. */
static void
find_marks (WpStep *step)
{
  step->has_marks = add_marks (step);
  step->has_few = step->has_marks && step->n_marks <= WP_FEW_MARKS && step->n_tags == step->n_marks;
  for (guint k = step->n_marks; step->has_few && k < WP_FEW_MARKS; k++)
    step->marks[k] = step->n_marks > 0 ? step->marks[0] : WP_ROW_ZERO;
  if (step->has_marks)
    return;
  step->n_marks = step->n_tags = 0;
  step->constant_tag = 0;
  step->constant_unknown = 0;
}

gboolean
wp_step_prepare (WpPreparation *preparation, WpStep *step, const WpSassInstr *instr, guint32 index,
                 guint64 base, guint64 address, gchar **problem)
{
  memset (step, 0, sizeof *step);
  step->instr = instr;
  step->index = index;
  step->address = base + address;
  preparation->base = base;
  if (!preparation->prepare[instr->op])
    {
      describe_op (instr, problem);
      return FALSE;
    }
  if (!fill_step (preparation, step, problem) || !preparation->prepare[instr->op](step, problem))
    return FALSE;
  find_marks (step);
  return TRUE;
}
