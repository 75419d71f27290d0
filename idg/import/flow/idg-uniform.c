/* SPDX-License-Identifier: MIT */
/* Registers that differ among the lanes of a warp are found from those that lanes differ in from
 * the start, along the instructions that compute one from another. What is left is the same for all
 * lanes. Where lanes may go different ways, a register that is written at several places may
 * differ, too. In doubt a register differs. */
#include "idg/import/flow/idg-uniform.h"

#include "idg/import/ops/idg-ops.h"

#include <string.h>

/* Passes over the listing: values are carried along with the first, and around loops with others.
 * A listing that takes more is left alone. */
#define MAX_PASSES 16

typedef struct
{
  const IdgCode *code;
  guint8 *differs; /* by register */
  guint8 *written; /* by register: 0, 1, 2 or more times */
  gboolean changed;
} Search;

static guint
get_register (const Search *search, guint i)
{
  return g_array_index (search->code->registers, guint, i);
}

/* Tells whether INSTR has the same result for all lanes if what it reads is the same for all. */
static gboolean
keeps (const IdgCodeInstr *instr)
{
  static const gchar *const ops[]
      = { "add", "and", "cvt", "div", "ld.const", "ld.param", "mad", "max", "min", "mov", "mul",
          "neg", "not", "or",  "rem", "selp",     "set",      "shl", "shr", "sub", "xor" };
  static const gchar *const lanes[]
      = { "%tid", "%lane", "%warpid", "%clock", "%globaltimer", "%pm" };
  gboolean found = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (ops) && instr->op != NULL; i++)
    found |= g_str_has_prefix (instr->op, ops[i]);
  for (guint i = 0; i < G_N_ELEMENTS (lanes) && instr->text != NULL; i++)
    found = found && strstr (instr->text, lanes[i]) == NULL;
  return found;
}

static gboolean
reads_different (const Search *search, const IdgCodeInstr *instr)
{
  for (guint i = 0; i < instr->n_reads; i++)
    if (search->differs[get_register (search, instr->first_read + i)])
      return TRUE;
  return FALSE;
}

static void
mark (Search *search, guint reg)
{
  search->changed |= !search->differs[reg];
  search->differs[reg] = TRUE;
}

/* Lanes that leave the kernel are not among those that go on. */
static gboolean
parts_lanes (const Search *search, const IdgCodeInstr *instr)
{
  const IdgCodeLabel *label;

  if (instr->kind != IDG_CODE_BRANCH || !reads_different (search, instr))
    return FALSE;
  if (instr->n_targets != 1)
    return TRUE;
  label = &g_array_index (search->code->labels, IdgCodeLabel,
                          g_array_index (search->code->targets, guint, instr->first_target));
  return label->instr < search->code->instrs->len
         && idg_code_get (search->code, label->instr)->kind != IDG_CODE_EXIT;
}

static void
pass (Search *search)
{
  gboolean parted = FALSE;

  for (guint i = 0; i < search->code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (search->code, i);

      parted |= parts_lanes (search, instr);
      if (keeps (instr) && !reads_different (search, instr))
        continue;
      for (guint k = 0; k < instr->n_writes; k++)
        mark (search, get_register (search, instr->first_write + k));
    }
  for (guint reg = 0; parted && reg < search->code->names->len; reg++)
    if (search->written[reg] > 1)
      mark (search, reg);
}

static void
count_writes (Search *search)
{
  for (guint i = 0; i < search->code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (search->code, i);

      for (guint k = 0; k < instr->n_writes; k++)
        {
          guint8 *n = &search->written[get_register (search, instr->first_write + k)];

          *n = (guint8)MIN (*n + 1, 2);
        }
    }
}

static gboolean
is_wide_load (const IdgCodeInstr *instr)
{
  IdgOpsValue value;

  if (instr->kind != IDG_CODE_OP || !g_str_has_prefix (instr->op, "ld.")
      || idg_ops_get_space (instr->op) != IDG_OPS_SHARED)
    return FALSE;
  idg_ops_find_value (instr->op, &value);
  return value.bytes > 4;
}

void
idg_uniform_find (const IdgFlow *flow, const gchar **contexts)
{
  const IdgCode *code = flow->code;
  g_autofree guint8 *differs = g_new0 (guint8, code->names->len + 1);
  g_autofree guint8 *written = g_new0 (guint8, code->names->len + 1);
  Search search = { .code = code, .differs = differs, .written = written, .changed = TRUE };
  guint n;

  if (!code->unscheduled)
    return;
  count_writes (&search);
  for (n = 0; n < MAX_PASSES && search.changed; n++)
    {
      search.changed = FALSE;
      pass (&search);
    }
  for (guint i = 0; i < code->instrs->len && !search.changed; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, i);

      if (contexts[i] == NULL && instr->context == NULL && is_wide_load (instr)
          && !reads_different (&search, instr))
        contexts[i] = "conflict-1";
    }
}
