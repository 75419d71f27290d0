/* SPDX-License-Identifier: MIT */
/* Finds which branches of a listing are one of the source. A compiler that unrolls a loop writes
 * each branch of its body once for each round; all have the line, the column, the comparison and
 * the kind of target of the first. Parts of one condition (`a && b`) that lead to the same place
 * are one, too: whichever of them goes there, it is the same decision. What looks otherwise is
 * taken as another branch. */
#include "idg/import/flow/idg-places.h"
#include "idg/import/flow/idg-values.h"

#include <string.h>

/* What stands before the target of a branch. It tells a jump over code from one into code. */
static gchar
get_kind_before (const IdgCode *code, guint target)
{
  const IdgCodeInstr *before = target > 0 ? idg_code_get (code, target - 1) : NULL;
  guint label;

  if (before == NULL || (before->kind != IDG_CODE_BRANCH && before->kind != IDG_CODE_EXIT))
    return 'n';
  if (!before->has_guard)
    return 'u';
  if (before->n_targets == 0)
    return 'e';
  label = g_array_index (code->targets, guint, before->first_target);
  return g_array_index (code->labels, IdgCodeLabel, label).instr < target ? 'b' : 'f';
}

static const IdgCodeLabel *
get_target (const IdgCode *code, guint instr)
{
  const IdgCodeInstr *branch = idg_code_get (code, instr);

  if (branch->n_targets == 0)
    return NULL;
  return &g_array_index (code->labels, IdgCodeLabel,
                         g_array_index (code->targets, guint, branch->first_target));
}

/* Returns the first word of the instruction that the guard of INSTR comes from: "setp.le.s32". */
static gchar *
get_comparison (const IdgFlow *flow, guint instr)
{
  const IdgCodeInstr *branch = idg_code_get (flow->code, instr);
  guint writer = idg_value_find_writer (flow, flow->block_of[instr], instr, branch->guard);
  const gchar *text;

  if (writer == IDG_FLOW_NONE)
    return g_strdup ("");
  text = idg_code_get (flow->code, writer)->text;
  return text != NULL ? g_strndup (text, strcspn (text, " ")) : g_strdup ("");
}

/* Returns what all copies of the branch INSTR have in common. Free with g_free(). */
static gchar *
describe (const IdgFlow *flow, guint instr)
{
  const IdgCodeInstr *branch = idg_code_get (flow->code, instr);
  const IdgCodeLabel *target = get_target (flow->code, instr);
  g_autofree gchar *comparison = get_comparison (flow, instr);
  gchar kind = 'e';

  if (target != NULL && target->instr != IDG_NO_TARGET)
    kind = target->instr <= instr ? 'b' : get_kind_before (flow->code, target->instr);
  return g_strdup_printf ("%s:%u %c%d%d %s", branch->source, branch->column, kind,
                          branch->guard_negated, idg_place_leaves_loop (flow, instr), comparison);
}

static guint
find_root (guint *copies, guint i)
{
  while (copies[i] != i)
    i = copies[i] = copies[copies[i]];
  return i;
}

/* Makes INSTR and the one that is known by KEY, which it takes, one branch. */
static void
join (GHashTable *known, gchar *key, guint *copies, guint instr)
{
  gpointer first;

  if (g_hash_table_lookup_extended (known, key, NULL, &first))
    {
      guint a = find_root (copies, GPOINTER_TO_UINT (first)), b = find_root (copies, instr);

      copies[MAX (a, b)] = MIN (a, b);
      g_free (key);
    }
  else
    g_hash_table_insert (known, key, GUINT_TO_POINTER (instr));
}

guint *
idg_place_find_copies (const IdgFlow *flow)
{
  const IdgCode *code = flow->code;
  guint *copies = g_new (guint, code->instrs->len + 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, i);
      const IdgCodeLabel *target = get_target (code, i);

      copies[i] = i;
      if (!idg_place_is_decided (instr) || !instr->has_guard || idg_place_get_source (instr) == NULL
          || idg_flow_get_block (flow, flow->block_of[i])->order == IDG_FLOW_NONE)
        continue;
      join (known, describe (flow, i), copies, i);
      if (target != NULL && target->instr != IDG_NO_TARGET && target->instr > i)
        join (known,
              g_strdup_printf ("%s:%u %d to %s", instr->source, instr->column,
                               idg_place_leaves_loop (flow, i), target->name),
              copies, i);
    }
  for (guint i = 0; i < code->instrs->len; i++)
    copies[i] = find_root (copies, i);
  return copies;
}

gboolean
idg_place_is_only (const IdgFlow *flow, const guint *copies, guint instr)
{
  const gchar *source = idg_place_get_source (idg_code_get (flow->code, instr));
  g_autoptr (GArray) named = NULL;
  gboolean found = FALSE;

  if (source == NULL)
    return FALSE;
  named = idg_place_find_branches (flow, source);
  for (guint i = 0; i < named->len; i++)
    {
      guint other = g_array_index (named, guint, i);

      if (copies[other] != copies[instr])
        return FALSE;
      found |= other == instr;
    }
  return found;
}

/* ---- Loops ---- */

static guint
count_instrs (const IdgFlow *flow, guint loop)
{
  const IdgLoop *l = idg_flow_get_loop (flow, loop);
  guint n = 0;

  for (guint i = 0; i < l->n_members; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, flow->members[l->first_member + i]);

      n += block->last - block->first + 1;
    }
  return n;
}

/* Returns what all copies of LOOP have in common. Free with g_free(). */
static gchar *
describe_loop (const IdgFlow *flow, guint loop)
{
  const IdgLoop *l = idg_flow_get_loop (flow, loop);
  GString *ops = g_string_new (NULL);

  g_string_printf (ops, "%u %u", l->depth, count_instrs (flow, loop));
  for (guint i = 0; i < l->n_members; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, flow->members[l->first_member + i]);

      for (guint j = block->first; j <= block->last; j++)
        {
          const gchar *op = idg_code_get (flow->code, j)->op;

          g_string_append_printf (ops, " %s", op != NULL ? op : "barrier");
        }
    }
  return g_string_free (ops, FALSE);
}

gboolean
idg_place_are_copies (const IdgFlow *flow, guint loop, guint *n)
{
  const gchar *source = idg_place_get_loop_source (flow, loop);
  g_autofree gchar *first = describe_loop (flow, loop);

  *n = 0;
  for (guint i = 0; source != NULL && i < flow->loops->len; i++)
    {
      g_autofree gchar *other = NULL;

      if (g_strcmp0 (idg_place_get_loop_source (flow, i), source) != 0)
        continue;
      other = describe_loop (flow, i);
      if (strcmp (first, other) != 0)
        return FALSE;
      ++*n;
    }
  return *n > 1;
}
