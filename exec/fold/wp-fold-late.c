/* SPDX-License-Identifier: MIT */
/* Which instructions a warp may come to after it has ended a group is looked up in the code, as
 * jumps go. */
#include "exec/fold/wp-fold-late.h"

typedef struct
{
  const WpFoldInput *input;
  guint8 *is_reached; /* by instruction: after the end of a group */
  GArray *next;       /* of guint: those to go on from */
  gboolean is_lost;   /* nobody knows where a jump goes */
} Search;

/* Whether INSTR waits until few groups are left. */
static gboolean
is_wait (const WpSassInstr *instr)
{
  return instr->op == WP_SASS_DEPBAR && instr->n_operands > 0
         && instr->operands[0].kind == WP_SASS_SCOREBOARD && instr->operands[0].number == 0;
}

/* Whether a warp that executes INSTR on its way to its end does nothing by it. */
static gboolean
is_idle (const WpSassInstr *instr)
{
  switch (instr->op)
    {
    case WP_SASS_BAR:
    case WP_SASS_BSYNC:
    case WP_SASS_CCTL:
    case WP_SASS_NOP:
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
is_last (const WpFoldInput *input, guint i)
{
  while (i < input->n_instrs && is_idle (&input->instrs[i]))
    i++;
  return i < input->n_instrs && input->instrs[i].op == WP_SASS_EXIT && input->instrs[i].guard == 7
         && !input->instrs[i].guard_not;
}

static void
reach (Search *search, guint64 i)
{
  const guint place = (guint)i;

  if (i >= search->input->n_instrs || search->is_reached[i])
    return;
  search->is_reached[i] = TRUE;
  g_array_append_val (search->next, place);
}

/* Goes on behind instruction I. */
static void
follow (Search *search, guint i)
{
  const WpSassInstr *instr = &search->input->instrs[i];
  const gboolean is_sure = instr->guard == 7 && !instr->guard_not;
  const WpSassOperand *last
      = instr->n_operands > 0 ? &instr->operands[instr->n_operands - 1] : NULL;

  switch (instr->op)
    {
    case WP_SASS_BRA:
      if (last == NULL || last->kind != WP_SASS_TARGET)
        search->is_lost = TRUE;
      else
        reach (search, (guint64)last->value / WP_SASS_BYTES);
      /* some go on where a predicate is among its operands, too */
      if (!is_sure || instr->n_operands > 1)
        reach (search, i + 1);
      break;
    case WP_SASS_EXIT:
      if (!is_sure)
        reach (search, i + 1);
      break;
    case WP_SASS_BRX:
    case WP_SASS_BRXU:
    case WP_SASS_BRXUC:
    case WP_SASS_CALL:
    case WP_SASS_JMP:
    case WP_SASS_JMX:
    case WP_SASS_JMXU:
    case WP_SASS_RET:
      search->is_lost = TRUE;
      break;
    default:
      reach (search, i + 1);
    }
}

gboolean
wp_fold_waits_late (const WpFoldInput *input)
{
  g_autofree guint8 *is_reached = g_malloc0 (MAX (input->n_instrs, 1));
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (guint));
  Search search = { input, is_reached, next, FALSE };

  for (guint i = 0; i < input->n_instrs; i++)
    if (input->instrs[i].op == WP_SASS_UTMACMDFLUSH)
      reach (&search, i + 1);
  while (next->len > 0)
    {
      const guint i = g_array_index (next, guint, next->len - 1);

      g_array_set_size (next, next->len - 1);
      follow (&search, i);
    }
  for (guint i = 0; i < input->n_instrs; i++)
    if (is_wait (&input->instrs[i]) && (is_reached[i] || search.is_lost) && !is_last (input, i + 1))
      return FALSE;
  return TRUE;
}
