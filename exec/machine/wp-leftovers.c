/* SPDX-License-Identifier: MIT */
/* From each such step forwards through the code, on all ways: until the register is set as a whole,
 * whatever reads it has to leave out the bytes in question. */
#include "exec/machine/wp-leftovers.h"

#include "exec/machine/wp-ways.h"

#define MAX_STEPS (1u << 18)

/* Registers that hold arguments where a function is called by its address, by the ABI. */
#define FIRST_ARGUMENT 4
#define LAST_ARGUMENT 15

typedef struct
{
  const WpKernelCode *code;
  guint reg;
  guint bytes;      /* of it: a bit for each that is left over */
  guint32 *reached; /* by step: the last search that came there */
  guint32 number;   /* of this one, from 1 */
  GArray *next;     /* of guint32: steps to go on from */
  gboolean enters;  /* what is called */
  gboolean is_used; /* something depends on them, or nobody knows */
} Search;

/* Whether source K of STEP is register REG alone. */
static gboolean
is_source (const WpStep *step, guint k, guint reg)
{
  const WpSource *source = &step->sources[k];

  return source->from == WP_FROM_REGISTER && source->first == WP_ROW_R0 + reg;
}

static gboolean
reads (const WpStep *step, guint reg)
{
  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];
      const gboolean is_data = operand->kind == WP_SASS_REGISTER;
      const gboolean is_place
          = operand->kind == WP_SASS_MEMORY || operand->kind == WP_SASS_CONSTANT;
      const guint first = is_data ? operand->number : operand->index;
      const guint n = is_data ? MAX (operand->n_registers, 1) : 2;

      if (((is_data && !operand->is_dest) || is_place) && first != 255 && first <= reg
          && reg < first + n)
        return TRUE;
    }
  return FALSE;
}

/* Whether each thread that comes to STEP sets all of register REG there. */
static gboolean
sets (const WpStep *step, guint reg)
{
  for (guint k = 0; !step->is_predicated && k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];

      if (operand->is_dest && operand->kind == WP_SASS_REGISTER && operand->number <= reg
          && reg < operand->number + operand->n_registers)
        return TRUE;
    }
  return FALSE;
}

/* Which bytes of the result of STEP, PRMT with a number for a selector, are from those of REG that
 * BYTES has. */
static guint
find_permuted (const WpStep *step, guint reg, guint bytes)
{
  guint found = 0;

  for (guint k = 0; k < 4; k++)
    {
      const guint pick = step->mode[1] >> 4 * k & 15;

      if (is_source (step, pick & 4 ? 2 : 0, reg) && (bytes >> (pick & 3) & 1) != 0)
        found |= 1u << k;
    }
  return found;
}

static gboolean
is_permutation (const WpStep *step)
{
  guint64 pick;

  return step->instr->op == WP_SASS_PRMT && step->dest >= WP_ROW_R0
         && wp_step_get_value (step, 1, &pick);
}

/* Whether the result of STEP, LOP3, does not depend on source K where a bit of source J is 0. */
static gboolean
is_masked (const WpStep *step, guint k, guint j)
{
  for (guint bits = 0; bits < 8; bits++)
    {
      const guint other = bits ^ (4u >> k);

      if (!(bits & (4u >> j)) && (step->mode[0] >> bits & 1) != (step->mode[0] >> other & 1))
        return FALSE;
    }
  return TRUE;
}

/* Whether STEP, LOP3, leaves out BYTES of its source K, by a number that is another source. */
static gboolean
leaves_out (const WpStep *step, guint k, guint bytes)
{
  guint32 bits = 0;

  for (guint i = 0; i < 4; i++)
    if (bytes >> i & 1)
      bits |= 0xffu << 8 * i;
  for (guint j = 0; j < 3; j++)
    {
      guint64 mask;

      if (j != k && wp_step_get_value (step, j, &mask) && ((guint32)mask & bits) == 0
          && is_masked (step, k, j))
        return TRUE;
    }
  return FALSE;
}

/* Whether STEP, which reads the register, does so without the bytes. */
static gboolean
is_harmless (const Search *search, const WpStep *step)
{
  if (is_permutation (step))
    {
      const guint found = find_permuted (step, search->reg, search->bytes);

      return found == 0 || (step->dest == WP_ROW_R0 + search->reg && (found & ~search->bytes) == 0);
    }
  if (step->instr->op != WP_SASS_LOP3 || step->n_sources != 3)
    return FALSE;
  for (guint k = 0; k < 3; k++)
    if (is_source (step, k, search->reg) && !leaves_out (step, k, search->bytes))
      return FALSE;
  return TRUE;
}

static void
reach (Search *search, guint64 k)
{
  const guint32 place = (guint32)k;

  if (k >= search->code->n_steps || search->reached[k] == search->number)
    return;
  search->reached[k] = search->number;
  g_array_append_val (search->next, place);
}

static gboolean
is_argument (guint reg)
{
  return reg >= FIRST_ARGUMENT && reg <= LAST_ARGUMENT;
}

/* Goes on behind step K. */
static void
follow (Search *search, guint32 k)
{
  const WpStep *step = &search->code->steps[k];
  const gboolean is_call = step->instr->op == WP_SASS_CALL;
  const gboolean has_target = step->is_control && step->mode[3] == WP_STEP_HAS_TARGET;

  if (step->instr->op == WP_SASS_RET && search->enters)
    return;
  if (is_call && !has_target)
    search->is_used |= is_argument (search->reg);
  else if (step->instr->op == WP_SASS_RET || wp_step_jumps_anywhere (step))
    search->is_used = TRUE;
  if (has_target && (!is_call || search->enters))
    reach (search, (guint64)step->value);
  if (is_call || !wp_step_always_leaves (step))
    reach (search, (guint64)k + 1);
}

/* Whether something depends on what search->bytes of what step K sets were. ENTERS: also in what is
 * called. */
static gboolean
are_used (Search *search, guint32 k, gboolean enters)
{
  search->enters = enters;
  search->number++;
  search->is_used = FALSE;
  g_array_set_size (search->next, 0);
  follow (search, k);
  while (search->next->len > 0 && !search->is_used)
    {
      const guint32 at = g_array_index (search->next, guint32, search->next->len - 1);
      const WpStep *step = &search->code->steps[at];

      g_array_set_size (search->next, search->next->len - 1);
      if (reads (step, search->reg))
        search->is_used = !is_harmless (search, step);
      if (!sets (step, search->reg) || is_permutation (step))
        follow (search, at);
    }
  return search->is_used;
}

/* Whether nothing depends on BYTES of what step K, a permutation, sets. At first without what is
 * called, which comes back: so to the end of the function, where it returns to nobody knows whom.
 * Then what is called returns to behind the call, where the search goes on anyway. */
static gboolean
is_left (Search *search, guint32 k, guint bytes)
{
  search->reg = search->code->steps[k].dest - WP_ROW_R0;
  search->bytes = bytes;
  return !are_used (search, k, FALSE) && !are_used (search, k, TRUE);
}

/* The bytes that step K keeps of what its register held, if all is as above. */
static guint
find_kept (const WpStep *step)
{
  guint kept = 0;

  if (!is_permutation (step) || step->sources[0].from != WP_FROM_REGISTER
      || is_source (step, 0, step->dest - WP_ROW_R0)
      || !is_source (step, 2, step->dest - WP_ROW_R0))
    return 0;
  for (guint k = 0; k < 4; k++)
    if (step->mode[1] >> 4 * k & 4)
      kept |= 1u << k;
  return kept;
}

void
wp_leftovers_drop (WpKernelCode *code)
{
  g_autofree guint32 *reached = NULL;
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (guint32));
  Search search = { .code = code, .next = next };

  if (code->n_steps > MAX_STEPS)
    return;
  reached = g_new0 (guint32, code->n_steps);
  search.reached = reached;
  for (guint32 k = 0; k < code->n_steps; k++)
    {
      WpStep *step = &code->steps[k];
      const guint kept = find_kept (step);

      if (kept == 0 || kept == 15 || !is_left (&search, k, kept))
        continue;
      for (guint i = 0; i < 4; i++)
        if (kept >> i & 1)
          step->mode[1] &= ~(15u << 4 * i);
    }
}
