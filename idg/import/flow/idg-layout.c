/* SPDX-License-Identifier: MIT */
/* Turns steps into a program and finds its dependences. A read depends on every write that it may
 * see: the last one before it, and earlier ones if that one is conditional, because of a guard, a
 * side of a branch or a loop's iteration. In a repeat, writes of earlier iterations count, too. Two
 * passes over the brackets find the lists of writes: first what each bracket writes (inner ones
 * first), then what each read sees (outer ones first). Lists share their tails.
 *
 * A read in an inner loop that sees one write in its first iteration and another one later waits
 * for both. When the outer loop repeats, that is one wait for a value of the previous outer
 * iteration that is no longer read; but on a GPU, an instruction that overwrites a register has to
 * wait for it as well.
 *
 * Where no write is certain, lists would grow with the listing, and dependences with its square. So
 * once one has LONG_LIST nodes, the next write of its register stands for all of it: it waits for
 * them, because it reads the register itself, or else because it is made to, as on a GPU, where a
 * guarded write leaves the other threads' values as they are and so has to come after them. Reads
 * that follow wait for that write alone; where it reads the register, all times stay.
 *
 * Instructions after a branch wait for it, because nothing is fetched past a branch before it is
 * decided. This is modelled by an extra register, which branches write, and which every instruction
 * reads and clears. */
#include "idg/import/flow/idg-layout.h"

#include "idg/import/base/idg-notes.h"
#include "idg/import/flow/idg-async.h"
#include "idg/xml/idg-xml.h"

#include <stdlib.h>
#include <string.h>

#define NO_CELL 0
#define LONG_LIST 64              /* from that length on, lists are cut */
#define MAX_CELLS (1 << 25)       /* in all lists together */
#define MAX_DEPENDENCES (1 << 25) /* limit for dependences as written */

/* A list of the nodes that may have written a value. */
typedef struct
{
  guint node;
  guint rest;   /* NO_CELL: none */
  guint length; /* of the list from here on */
} Cell;

/* How a bracket affects a register. */
typedef struct
{
  guint reg;
  guint list;     /* the nodes in the bracket that may have written it last */
  gboolean kills; /* no value from before the bracket survives */
  gboolean waits; /* one of these nodes, or one that it waits for, reads that value */
} Effect;

/* An effect that is being collected, and the place of the same register in the bracket around it.
 */
typedef struct
{
  Effect effect;
  gint before;
} Gathered;

typedef struct
{
  const IdgCode *code;
  const gchar *const *contexts; /* from the user, by instruction */
  IdgImport *import;            /* hears notes */
  GArray *steps;
  IdgProgram *program;
  GArray *cells;    /* of Cell; index 0 is unused */
  guint *partners;  /* by step: the index of the matching ELSE, JOIN or END */
  GArray **effects; /* by step: of Effect; for a REPEAT, for a BOTH and an ELSE (their sides) and
                     * for a JOIN (both sides) */
  guint control;    /* the extra register, which branches write */
  gint *places;     /* by register: its index in `gathered`, or -1 */
  GArray *gathered; /* of Gathered: a stack for the open brackets */
  guint *seen;      /* by register: the list of writes that a read sees now */
  guint64 n_dependences;
  gboolean too_many; /* too many cells or dependences */
  IdgStatus status;  /* of the dependences; the first that is not IDG_OK stays */
} Layout;

#define get_step(layout, i) (&g_array_index ((layout)->steps, IdgStep, (i)))

/* Sets ERROR to a message about STATUS (not IDG_OK) that names CODE's kernel. */
static void
fail (const IdgCode *code, IdgStatus status, GError **error)
{
  static const gchar *const texts[] = {
    [IDG_TOO_MANY_NODES] = "more than 2^24 instructions as written",
    [IDG_TOO_DEEP] = "loops nested deeper than 64",
    [IDG_BAD_COUNT] = "a loop of more than 2147483647 iterations",
    [IDG_TOO_MANY_DYNAMIC] = "more than 2^53 dynamic instructions",
    [IDG_BAD_DISTANCE] = "a dependence at a distance that is not from 1 to 64",
  };

  if (status == IDG_NO_MEMORY)
    {
      idg_import_fail (code->file, 0, IDG_ERROR_MEMORY, error, "out of memory");
      return;
    }
  g_assert (status < G_N_ELEMENTS (texts) && texts[status] != NULL);
  idg_import_fail (code->file, 0, IDG_ERROR_VALUE, error, "%s has %s", code->name, texts[status]);
}

/* ---- Lists ---- */

static guint
add_cell (Layout *layout, guint node, guint rest)
{
  Cell cell = { node, rest, g_array_index (layout->cells, Cell, rest).length + 1 };

  if (layout->cells->len >= MAX_CELLS)
    {
      layout->too_many = TRUE;
      return rest;
    }
  g_array_append_val (layout->cells, cell);
  return layout->cells->len - 1;
}

/* Makes NODE wait for all nodes of LIST. */
static void
wait_for_list (Layout *layout, guint node, guint list)
{
  for (; list != NO_CELL; list = g_array_index (layout->cells, Cell, list).rest)
    {
      if (++layout->n_dependences > MAX_DEPENDENCES)
        layout->too_many = TRUE;
      if (!layout->too_many && layout->status == IDG_OK)
        layout->status = idg_program_add_dependence (
            layout->program, node, g_array_index (layout->cells, Cell, list).node);
      if (layout->too_many || layout->status != IDG_OK)
        return;
    }
}

/* Returns the list of all of LIST, followed by REST. */
static guint
join_lists (Layout *layout, guint list, guint rest)
{
  if (list == rest || rest == NO_CELL)
    return list;
  for (; list != NO_CELL && !layout->too_many;
       list = g_array_index (layout->cells, Cell, list).rest)
    rest = add_cell (layout, g_array_index (layout->cells, Cell, list).node, rest);
  return rest;
}

/* The same where the nodes of LIST come after those of REST, of the same register, and WAITS says
 * whether one of them waits for REST: without REST where that is long. */
static guint
follow (Layout *layout, guint list, gboolean waits, guint rest)
{
  const Cell *first = &g_array_index (layout->cells, Cell, list);

  if (list == NO_CELL || list == rest
      || g_array_index (layout->cells, Cell, rest).length < LONG_LIST)
    return join_lists (layout, list, rest);
  if (!waits)
    wait_for_list (layout, first->node, rest);
  return list;
}

/* ---- Nodes ---- */

static gboolean
is_branch (const IdgCodeInstr *instr)
{
  return instr->kind == IDG_CODE_BRANCH || (instr->kind == IDG_CODE_EXIT && instr->has_guard);
}

/* Nothing depends on a node that is no instruction. */
static gboolean
is_barrier (const IdgCodeInstr *instr)
{
  return instr->kind == IDG_CODE_BARRIER || instr->kind == IDG_CODE_ARRIVE;
}

static gboolean
reads (const Layout *layout, const IdgCodeInstr *instr, guint reg)
{
  const guint *registers = (const guint *)layout->code->registers->data;

  for (guint i = 0; i < instr->n_reads; i++)
    if (registers[instr->first_read + i] == reg)
      return TRUE;
  return FALSE;
}

static gchar *
describe (const IdgCodeInstr *instr)
{
  g_autofree gchar *text = NULL;

  if (instr->source != NULL && instr->text != NULL)
    text = g_strdup_printf ("%s: %s", instr->source, instr->text);
  else
    text = g_strdup (instr->source != NULL ? instr->source : instr->text);
  return text != NULL ? idg_import_make_text (text) : NULL;
}

static IdgStatus
add_instr (Layout *layout, IdgStep *step)
{
  const IdgCodeInstr *instr = idg_code_get (layout->code, step->arg);
  g_autofree gchar *text = describe (instr);
  const gchar *hint = layout->contexts[step->arg];
  const gchar *context = hint != NULL ? hint : instr->context;
  uint32_t node = 0;
  IdgStatus status;

  if (context == NULL && instr->kind == IDG_CODE_BRANCH && !step->taken)
    context = "not-taken";
  if (instr->kind == IDG_CODE_ARRIVE)
    status = idg_program_add_arrive (layout->program, instr->barrier, text, instr->line, &node);
  else if (instr->kind == IDG_CODE_BARRIER && instr->barrier != NULL)
    status = idg_program_add_named_barrier (layout->program, instr->barrier, instr->warps, text,
                                            instr->line, &node);
  else if (instr->kind == IDG_CODE_BARRIER)
    status = idg_program_add_barrier (layout->program, text, instr->line, &node);
  else
    status = idg_program_add_instruction (layout->program, instr->op, context, NULL, text,
                                          instr->line, &node);
  step->node = node;
  return status;
}

static IdgStatus
add_nodes (Layout *layout)
{
  IdgStatus status = IDG_OK;

  for (guint i = 0; i < layout->steps->len && status == IDG_OK; i++)
    {
      IdgStep *step = get_step (layout, i);

      if (step->kind == IDG_STEP_INSTR)
        status = add_instr (layout, step);
      else if (step->kind == IDG_STEP_REPEAT)
        status = idg_program_begin_repeat (layout->program, step->arg, 0, NULL);
      else if (step->kind == IDG_STEP_END)
        status = idg_program_end_repeat (layout->program);
    }
  return status;
}

static void
find_partners (Layout *layout)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < layout->steps->len; i++)
    {
      IdgStepKind kind = get_step (layout, i)->kind;

      if (kind == IDG_STEP_END || kind == IDG_STEP_ELSE || kind == IDG_STEP_JOIN)
        {
          layout->partners[g_array_index (open, guint, open->len - 1)] = i;
          g_array_set_size (open, open->len - 1);
        }
      if (kind == IDG_STEP_REPEAT || kind == IDG_STEP_BOTH || kind == IDG_STEP_ELSE)
        g_array_append_val (open, i);
    }
}

/* ---- First pass: what brackets write ---- */

static Effect *
get_effect (Layout *layout, guint first, guint reg)
{
  gint place = layout->places[reg];
  Gathered fresh = { { .reg = reg }, place };

  if (place < (gint)first)
    {
      layout->places[reg] = place = (gint)layout->gathered->len;
      g_array_append_val (layout->gathered, fresh);
    }
  return &g_array_index (layout->gathered, Gathered, place).effect;
}

static void
gather (Layout *layout, guint first, const Effect *effect)
{
  Effect *before = get_effect (layout, first, effect->reg);

  if (effect->kills)
    {
      before->waits = effect->waits && (before->waits || !before->kills);
      before->list = effect->list;
    }
  else
    {
      before->waits |= effect->waits && !before->kills;
      before->list = follow (layout, effect->list, effect->waits, before->list);
    }
  before->kills |= effect->kills;
}

static void
gather_all (Layout *layout, guint first, const GArray *effects)
{
  for (guint i = 0; i < effects->len; i++)
    gather (layout, first, &g_array_index (effects, Effect, i));
}

static void
gather_instr (Layout *layout, guint first, const IdgStep *step)
{
  const IdgCodeInstr *instr = idg_code_get (layout->code, step->arg);
  Effect control = { .reg = layout->control, .kills = TRUE };

  for (guint i = 0; i < instr->n_writes; i++)
    {
      guint reg = g_array_index (layout->code->registers, guint, instr->first_write + i);
      Effect effect = { .reg = reg, .kills = !instr->has_guard };

      effect.waits = !is_barrier (instr) && reads (layout, instr, reg);
      if (!is_barrier (instr))
        effect.list = add_cell (layout, step->node, NO_CELL);
      gather (layout, first, &effect);
    }
  if (is_branch (instr))
    control.list = add_cell (layout, step->node, NO_CELL);
  gather (layout, first, &control);
}

/* Removes the effects from FIRST on from the stack and returns them. */
static GArray *
take_gathered (Layout *layout, guint first)
{
  GArray *effects = g_array_new (FALSE, FALSE, sizeof (Effect));

  for (guint i = first; i < layout->gathered->len; i++)
    {
      const Gathered *gathered = &g_array_index (layout->gathered, Gathered, i);

      g_array_append_val (effects, gathered->effect);
      layout->places[gathered->effect.reg] = gathered->before;
    }
  g_array_set_size (layout->gathered, first);
  return effects;
}

/* Returns the effects of two alternative sides: an earlier value is gone only if both sides write.
 */
static GArray *
unite (Layout *layout, const GArray *a, const GArray *b)
{
  guint first = layout->gathered->len;

  for (guint i = 0; i < a->len; i++)
    {
      Effect *to = get_effect (layout, first, g_array_index (a, Effect, i).reg);

      to->list = g_array_index (a, Effect, i).list;
      to->waits = g_array_index (a, Effect, i).waits;
    }
  for (guint i = 0; i < b->len; i++)
    {
      const Effect *from = &g_array_index (b, Effect, i);
      gint place = layout->places[from->reg] - (gint)first; /* those of A come first, in A's order
                                                             */
      gboolean killed = place >= 0 && g_array_index (a, Effect, place).kills;
      Effect *to = get_effect (layout, first, from->reg);

      to->list = follow (layout, from->list, FALSE, to->list);
      to->waits |= from->waits;
      to->kills = killed && from->kills;
    }
  return take_gathered (layout, first);
}

static GArray *summarize (Layout *layout, guint begin, guint end);

static guint
summarize_both (Layout *layout, guint first, guint both)
{
  guint middle = layout->partners[both];
  guint join = layout->partners[middle];

  layout->effects[both] = summarize (layout, both + 1, middle);
  layout->effects[middle] = summarize (layout, middle + 1, join);
  layout->effects[join] = unite (layout, layout->effects[both], layout->effects[middle]);
  gather_all (layout, first, layout->effects[join]);
  return join;
}

/* Returns the effects of the steps from BEGIN up to END. */
static GArray *
summarize (Layout *layout, guint begin, guint end)
{
  guint first = layout->gathered->len;

  for (guint i = begin; i < end && !layout->too_many; i++)
    {
      const IdgStep *step = get_step (layout, i);

      if (step->kind == IDG_STEP_INSTR)
        gather_instr (layout, first, step);
      else if (step->kind == IDG_STEP_REPEAT)
        {
          layout->effects[i] = summarize (layout, i + 1, layout->partners[i]);
          if (step->arg > 0)
            gather_all (layout, first, layout->effects[i]);
          i = layout->partners[i];
        }
      else
        i = summarize_both (layout, first, i);
    }
  return take_gathered (layout, first);
}

/* ---- Second pass: what reads see ---- */

static void
see_instr (Layout *layout, const IdgStep *step)
{
  const IdgCodeInstr *instr = idg_code_get (layout->code, step->arg);
  const guint *registers = (const guint *)layout->code->registers->data;

  wait_for_list (layout, step->node, layout->seen[layout->control]);
  for (guint i = 0; i < instr->n_reads; i++)
    wait_for_list (layout, step->node, layout->seen[registers[instr->first_read + i]]);
  for (guint i = 0; i < instr->n_writes; i++)
    {
      guint reg = registers[instr->first_write + i];
      guint rest = instr->has_guard ? layout->seen[reg] : NO_CELL;

      if (is_barrier (instr))
        layout->seen[reg] = rest;
      else
        layout->seen[reg] = follow (layout, add_cell (layout, step->node, NO_CELL),
                                    reads (layout, instr, reg), rest);
    }
  layout->seen[layout->control]
      = is_branch (instr) ? add_cell (layout, step->node, NO_CELL) : NO_CELL;
}

/* Returns what reads of the registers of EFFECTS see now. */
static guint *
save (const Layout *layout, const GArray *effects)
{
  guint *saved = g_new (guint, effects->len + 1);

  for (guint i = 0; i < effects->len; i++)
    saved[i] = layout->seen[g_array_index (effects, Effect, i).reg];
  return saved;
}

static void
restore (Layout *layout, const GArray *effects, const guint *saved)
{
  for (guint i = 0; i < effects->len; i++)
    layout->seen[g_array_index (effects, Effect, i).reg] = saved[i];
}

/* Updates what reads see after EFFECTS, given what they SAVED before. */
static void
apply (Layout *layout, const GArray *effects, const guint *saved)
{
  for (guint i = 0; i < effects->len; i++)
    {
      const Effect *effect = &g_array_index (effects, Effect, i);

      layout->seen[effect->reg]
          = effect->kills ? effect->list : follow (layout, effect->list, effect->waits, saved[i]);
    }
}

static void see (Layout *layout, guint begin, guint end);

static void
see_repeat (Layout *layout, guint begin)
{
  const IdgStep *step = get_step (layout, begin);
  const GArray *effects = layout->effects[begin];
  g_autofree guint *saved = save (layout, effects);

  for (guint i = 0; step->arg > 1 && i < effects->len; i++)
    {
      const Effect *effect = &g_array_index (effects, Effect, i);

      layout->seen[effect->reg] = join_lists (layout, effect->list, saved[i]);
    }
  see (layout, begin + 1, layout->partners[begin]);
  if (step->arg > 0)
    apply (layout, effects, saved);
  else
    restore (layout, effects, saved);
}

static guint
see_both (Layout *layout, guint both)
{
  guint middle = layout->partners[both];
  guint join = layout->partners[middle];
  const GArray *effects = layout->effects[join];
  g_autofree guint *saved = save (layout, effects);

  see (layout, both + 1, middle);
  restore (layout, effects, saved);
  see (layout, middle + 1, join);
  apply (layout, effects, saved);
  return join;
}

static void
see (Layout *layout, guint begin, guint end)
{
  for (guint i = begin; i < end && !layout->too_many && layout->status == IDG_OK; i++)
    {
      const IdgStep *step = get_step (layout, i);

      if (step->kind == IDG_STEP_INSTR)
        see_instr (layout, step);
      else if (step->kind == IDG_STEP_REPEAT)
        {
          see_repeat (layout, i);
          i = layout->partners[i];
        }
      else
        i = see_both (layout, i);
    }
}

/* ---- Asynchronous copies ---- */

static IdgStatus
add_waits (Layout *layout)
{
  g_autoptr (GArray) waits = idg_async_find (layout->code, layout->steps, layout->import);
  IdgStatus status = IDG_OK;

  layout->too_many = layout->too_many || waits == NULL;
  for (guint i = 0; !layout->too_many && i < waits->len && status == IDG_OK; i++)
    {
      const IdgAsyncWait *wait = &g_array_index (waits, IdgAsyncWait, i);

      layout->too_many = ++layout->n_dependences > MAX_DEPENDENCES;
      status = idg_program_add_distant_dependence (
          layout->program, get_step (layout, wait->wait)->node, get_step (layout, wait->copy)->node,
          wait->distance);
    }
  return status;
}

/* ---- Names ---- */

/* Returns a name for the result of INSTR: its register's, or its op's first part. */
static gchar *
name_result (const IdgCode *code, const IdgCodeInstr *instr)
{
  const gchar *from = instr->op;
  GString *name = g_string_new (NULL);

  if (instr->n_writes > 0)
    from = g_ptr_array_index (code->names,
                              g_array_index (code->registers, guint, instr->first_write));
  for (; *from != '\0' && name->len < 40; from++)
    if (g_ascii_isalnum (*from) || *from == '_')
      g_string_append_c (name, *from);
    else if (name->len > 0 && instr->n_writes > 0)
      g_string_append_c (name, '-');
    else if (name->len > 0)
      break;
  if (name->len == 0)
    g_string_append_c (name, 'n');
  return g_string_free (name, FALSE);
}

/* Gives an id to each node that another one depends on. Returns FALSE if memory runs out. */
static gboolean
name_nodes (Layout *layout)
{
  IdgProgram *program = layout->program;
  g_autofree guint8 *named = g_new0 (guint8, program->n_nodes + 1);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (uint32_t i = 0; i < program->n_nodes; i++)
    for (uint32_t j = 0; j < program->nodes[i].n_after; j++)
      named[program->nodes[i].after[j]] = TRUE;
  for (guint i = 0; i < layout->steps->len; i++)
    {
      const IdgStep *step = get_step (layout, i);
      g_autofree gchar *name = NULL;
      g_autofree gchar *id = NULL;
      guint count;

      if (step->kind != IDG_STEP_INSTR || !named[step->node])
        continue;
      name = name_result (layout->code, idg_code_get (layout->code, step->arg));
      count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name));
      do
        {
          count++;
          g_free (id);
          id = count == 1 ? g_strdup (name) : g_strdup_printf ("%s-%u", name, count);
        }
      while (g_hash_table_contains (used, id));
      g_hash_table_insert (counts, g_steal_pointer (&name), GUINT_TO_POINTER (count));
      if (idg_program_set_id (program, step->node, id) != IDG_OK)
        return FALSE;
      g_hash_table_add (used, g_steal_pointer (&id));
    }
  return TRUE;
}

static IdgStatus
lay_out (Layout *layout)
{
  IdgStatus status = add_nodes (layout);
  guint64 count;

  if (status != IDG_OK)
    return status;
  find_partners (layout);
  g_array_unref (summarize (layout, 0, layout->steps->len));
  see (layout, 0, layout->steps->len);
  if (layout->status != IDG_OK)
    return layout->status;
  status = add_waits (layout);
  if (layout->too_many || status != IDG_OK)
    return status;
  if (!name_nodes (layout))
    return IDG_NO_MEMORY;
  return idg_program_count_dynamic (layout->program, &count);
}

IdgProgram *
idg_lay_out (const IdgCode *code, GArray *steps, const gchar *const *contexts, IdgImport *import,
             GError **error)
{
  guint n_registers = code->names->len + 1;
  Cell none = { 0, NO_CELL, 0 };
  Layout layout = { .code = code,
                    .contexts = contexts,
                    .import = import,
                    .steps = steps,
                    .program = idg_program_new (),
                    .cells = g_array_new (FALSE, FALSE, sizeof (Cell)),
                    .partners = g_new0 (guint, steps->len + 1),
                    .effects = g_new0 (GArray *, steps->len + 1),
                    .control = n_registers - 1,
                    .places = g_new (gint, n_registers),
                    .gathered = g_array_new (FALSE, FALSE, sizeof (Gathered)),
                    .seen = g_new0 (guint, n_registers) };
  IdgStatus status;

  if (layout.program == NULL)
    g_error ("out of memory");
  g_array_append_val (layout.cells, none);
  for (guint i = 0; i < n_registers; i++)
    layout.places[i] = -1;
  status = lay_out (&layout);
  for (guint i = 0; i < steps->len; i++)
    g_clear_pointer (&layout.effects[i], g_array_unref);
  g_array_unref (layout.cells);
  g_array_unref (layout.gathered);
  g_free (layout.partners);
  g_free (layout.effects);
  g_free (layout.places);
  g_free (layout.seen);
  if (status == IDG_OK && !layout.too_many)
    return layout.program;
  idg_program_free (layout.program);
  if (status != IDG_OK)
    fail (code, status, error);
  else
    idg_import_fail (code->file, 0, IDG_ERROR_VALUE, error, "%s has more than 2^25 dependences",
                     code->name);
  return NULL;
}
