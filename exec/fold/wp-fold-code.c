/* SPDX-License-Identifier: MIT */
/* An instruction is a class for each context that it comes in, and one more where no lane executes
 * it: then it takes an issue slot and reads its guard. Registers come from the operands; the
 * decoder says which are written, and how many registers each has. */
#include "exec/fold/wp-fold-code.h"

#include <string.h>

#include "exec/fold/wp-fold-late.h"
#include "exec/fold/wp-fold-text.h"
#include "idg/import/ops/idg-ops.h"

#define GROUP_SCOREBOARD 6 /* gsb0, after SB0 to SB5 */

/* What is known of an op with its words. */
typedef struct
{
  IdgSassOp sass;
  gboolean branches;
  guint32 number;      /* as IdgFoldClass.op_number */
  gboolean is_unknown; /* the tables lack it */
} WpFoldOp;

typedef struct
{
  guint32 index;
  gboolean executed;
  const gchar *context; /* interned */
} Key;

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;

  return (key->index * 2u + (guint)key->executed) * 2654435761u ^ g_direct_hash (key->context);
}

static gboolean
equal_keys (gconstpointer x, gconstpointer y)
{
  const Key *a = x, *b = y;

  return a->index == b->index && a->executed == b->executed && a->context == b->context;
}

static gboolean
is_register (const WpSassInstr *instr, guint k)
{
  return k < instr->n_operands && instr->operands[k].kind == WP_SASS_REGISTER;
}

/* What the operands of the BAR at INDEX have in registers, as it was executed: NUMBER and THREADS
 * are set. FALSE: they were not the same each time, or nobody knows. */
static gboolean
find_barrier (const WpFoldInput *input, guint index, guint *number, guint *threads)
{
  return input->find_barrier != NULL
         && input->find_barrier (input->barrier_data, index, number, threads);
}

static gboolean
has_any (const WpFoldInput *input, WpSassOp op)
{
  for (guint i = 0; i < input->n_instrs; i++)
    if (input->instrs[i].op == op)
      return TRUE;
  return FALSE;
}

/* Tells whether the number of some barrier of the code is in a register, and is not known. */
static gboolean
has_any_barrier (const WpFoldInput *input)
{
  guint number, threads;

  for (guint i = 0; i < input->n_instrs; i++)
    if (input->instrs[i].op == WP_SASS_BAR && is_register (&input->instrs[i], 0)
        && !find_barrier (input, i, &number, &threads))
      return TRUE;
  return FALSE;
}

void
wp_fold_code_init (WpFoldCode *code, const WpFoldInput *input, GPtrArray *notes)
{
  code->input = input;
  idg_fold_classes_init (&code->classes);
  code->classes.n_pcs = input->n_instrs;
  code->ops = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  code->keys = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  code->meetings = g_hash_table_new_full (hash_key, equal_keys, NULL, g_free);
  code->fetches = g_hash_table_new (NULL, NULL);
  code->texts = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (code->texts, (gint)input->n_instrs);
  code->strings = g_string_chunk_new (1024);
  code->notes = notes;
  code->any_barrier = has_any_barrier (input);
  code->has_groups = has_any (input, WP_SASS_LDGDEPBAR);
  code->waits_late = wp_fold_waits_late (input);
  code->awaits_stores = !code->waits_late && !code->has_groups;
  code->has_noted = FALSE;
}

void
wp_fold_code_clear (WpFoldCode *code)
{
  idg_fold_classes_clear (&code->classes);
  g_hash_table_unref (code->ops);
  g_hash_table_unref (code->keys);
  g_hash_table_unref (code->meetings);
  g_hash_table_unref (code->fetches);
  g_ptr_array_unref (code->texts);
  g_string_chunk_free (code->strings);
}

void
wp_fold_code_note (WpFoldCode *code, guint index, const gchar *text)
{
  const gchar *file = NULL;
  guint line = 0;
  g_autofree gchar *note = NULL;

  if (!code->notes)
    return;
  if (code->input->find_line)
    code->input->find_line (code->input->line_data, index, &file, &line);
  note = file && line > 0 ? g_strdup_printf ("%s:%u: %s", file, line, text)
                          : g_strdup_printf ("%s: %s", code->input->file, text);
  for (guint i = 0; i < code->notes->len; i++)
    if (strcmp (g_ptr_array_index (code->notes, i), note) == 0)
      return;
  g_ptr_array_add (code->notes, g_steal_pointer (&note));
}

/* ---- Ops ---- */

static gchar *
name_op (const WpSassInstr *instr)
{
  GString *name = g_string_new (wp_sass_op_name (instr->op));

  for (guint i = 0; i < instr->n_words; i++)
    g_string_append_printf (name, ".%s", wp_sass_word_text (instr->words[i]));
  return g_string_free (name, FALSE);
}

static gboolean
is_branch (const gchar *op)
{
  static const gchar *const branches[] = { "bra", "brx", "call", "exit", "ret" };
  gsize length = strcspn (op, ".");

  for (guint i = 0; i < G_N_ELEMENTS (branches); i++)
    if (strlen (branches[i]) == length && strncmp (op, branches[i], length) == 0)
      return TRUE;
  return FALSE;
}

/* Ops of equal names have equal numbers: 0 for barriers. */
static guint32
number_op (WpFoldCode *code, const gchar *name)
{
  GHashTableIter iter;
  gpointer value;
  guint32 n = 0;

  g_hash_table_iter_init (&iter, code->ops);
  while (name && g_hash_table_iter_next (&iter, NULL, &value))
    {
      const WpFoldOp *op = value;

      if (op->sass.op && strcmp (op->sass.op, name) == 0)
        return op->number;
      n = MAX (n, op->number);
    }
  return name ? n + 1 : 0;
}

/* Descriptions of GPUs have no op for a copy in bulk, as there are no figures of it: it has the
 * name of what threads do to move as much, with `.bulk` in it, which a description that lacks it
 * leaves out. So it passes L2 and memory as they do, and shared memory for as long: a guess. NULL:
 * INSTR is no such copy. Static. */
static const gchar *
find_mover (const WpSassInstr *instr)
{
  const gboolean is_shared = wp_sass_is_bulk_to_shared (instr);

  switch (instr->op)
    {
    case WP_SASS_UBLKCP:
      return !is_shared                            ? "st.global.bulk.v4.u32"
             : wp_sass_is_bulk_from_shared (instr) ? "st.shared.bulk.v4.u32"
                                                   : "cp.async.cg.shared.global.bulk.b128";
    case WP_SASS_UBLKRED:
      return is_shared ? "red.shared.bulk.add.u32" : "red.global.bulk.add.u32";
    case WP_SASS_UTMALDG:
      return "cp.async.cg.shared.global.bulk.b128";
    case WP_SASS_UTMASTG:
      return "st.global.bulk.v4.u32";
    case WP_SASS_UTMAREDG:
      return "red.global.bulk.add.u32";
    case WP_SASS_UBLKPF:
    case WP_SASS_UTMAPF:
      return "prefetch.global.bulk";
    default:
      return NULL;
    }
}

static gboolean
has_word (const WpSassInstr *instr, const gchar *word)
{
  for (guint i = 0; i < instr->n_words; i++)
    if (strcmp (wp_sass_word_text (instr->words[i]), word) == 0)
      return TRUE;
  return FALSE;
}

/* Where warps meet, what has to do with barriers in shared memory runs as what compilers have in
 * its place up to sm_89: atomics, and a load where a warp asks. */
static const gchar *
find_shared_op (const WpSassInstr *instr, const gchar *op)
{
  if (instr->op == WP_SASS_ARRIVES)
    return "atom.shared.add.u64";
  if (instr->op != WP_SASS_SYNCS)
    return op;
  return has_word (instr, "PHASECHK") ? "ld.shared.u64"
         : has_word (instr, "CCTL")   ? "nop"
                                      : "atom.shared.add.u64";
}

/* Who waits for a group of stores in bulk waits for a load behind them of what L2 has, as there are
 * no figures of how long it takes: the instruction that ends the group runs as one. */
#define STORED "access-1-1-0"

/* What the instruction at INDEX, a product into tensor memory, runs as, and CONTEXT; NULL: it is no
 * such product, or was not always the same. */
static const gchar *
find_product (const WpFoldCode *code, guint index, const gchar **context)
{
  const WpFoldInput *input = code->input;
  const gchar *op = NULL;

  *context = NULL;
  if (input->find_product == NULL || !wp_sass_is_tensor_product (&input->instrs[index]))
    return NULL;
  return input->find_product (input->product_data, index, &op, context) ? op : NULL;
}

static const WpFoldOp *
find_op (WpFoldCode *code, guint index)
{
  const WpSassInstr *instr = &code->input->instrs[index];
  const gchar *mover = find_mover (instr), *context;
  const gchar *product = find_product (code, index, &context);
  gchar *name = product != NULL ? g_strdup (product) : name_op (instr);
  WpFoldOp *op = g_hash_table_lookup (code->ops, name);
  g_autofree gchar *note = NULL;

  if (op)
    {
      g_free (name);
      return op;
    }
  op = g_new0 (WpFoldOp, 1);
  op->is_unknown
      = !idg_ops_find_sass (product != NULL ? wp_sass_op_name (instr->op) : name, &op->sass);
  if (product != NULL)
    op->sass.op = product;
  if (op->sass.op && g_str_has_prefix (op->sass.op, "call"))
    op->sass.op = "bra"; /* a jump, like any other: what is called is executed itself */
  if (mover != NULL)
    op->sass.op = mover;
  if (instr->op == WP_SASS_UTMACMDFLUSH && code->waits_late)
    op->sass.op = "cp.async.commit_group";
  if (instr->op == WP_SASS_UTMACMDFLUSH && code->awaits_stores)
    {
      op->sass.op = "ld.global.u32";
      wp_fold_code_note (code, index,
                         "who waits for a group of bulk stores waits for a load behind them that "
                         "hits L2: a guess, as there is no figure of how long it takes");
    }
  if (instr->op == WP_SASS_USETMAXREG && code->input->gives_early)
    op->sass.op = "nop";
  /* All blocks of a cluster are taken to come at the same time: then its barrier is one of the
   * block, and to arrive there takes no longer than to issue. */
  if (instr->op == WP_SASS_UCGABAR_WAIT)
    op->sass.op = NULL;
  if (instr->op == WP_SASS_UCGABAR_ARV || instr->op == WP_SASS_UGETNEXTWORKID)
    op->sass.op = "nop";
  if (instr->op == WP_SASS_STAS)
    op->sass.op = "st.shared.u32";
  if (code->input->find_meeting)
    op->sass.op = find_shared_op (&code->input->instrs[index], op->sass.op);
  op->branches = op->sass.op && is_branch (op->sass.op);
  op->number = number_op (code, op->sass.op);
  if (op->is_unknown)
    {
      note = g_strdup_printf ("unknown instruction %s, taken as %s", name,
                              op->sass.op ? op->sass.op : "a barrier");
      wp_fold_code_note (code, index, note);
    }
  g_hash_table_insert (code->ops, name, op);
  return op;
}

/* ---- Registers ---- */

/* Adds N registers from FIRST of the file that begins at BASE, of which those below LIMIT count. */
static void
add_registers (WpFoldCode *code, guint base, guint first, guint n, guint limit, guint *count)
{
  for (guint i = first; i < MIN (first + n, limit); i++)
    {
      guint16 number = (guint16)(base + i);

      g_array_append_val (code->classes.registers, number);
      (*count)++;
    }
}

static void
add_general (WpFoldCode *code, guint first, guint n, guint *count)
{
  add_registers (code, 0, first, n, 255, count);
}

static void
add_uniform (WpFoldCode *code, guint first, guint n, guint *count)
{
  add_registers (code, IDG_FOLD_UNIFORM, first, n, 255, count);
}

static void
add_predicates (WpFoldCode *code, gboolean uniform, guint first, guint n, guint *count)
{
  add_registers (code, uniform ? IDG_FOLD_UNIFORM_PREDICATE : IDG_FOLD_PREDICATE, first, n, 7,
                 count);
}

static gboolean
is_bulk (const WpSassInstr *instr)
{
  return instr->op == WP_SASS_UBLKCP || instr->op == WP_SASS_UBLKRED || instr->op == WP_SASS_UBLKPF;
}

/* The registers in a row that the first operand of a copy by a tensor map has: where in shared
 * memory, an mbarrier, and where the box begins in each dimension. 0: INSTR is none. */
static guint
count_box_registers (const WpSassInstr *instr)
{
  static const gchar *const dimensions[] = { "1D", "2D", "3D", "4D", "5D" };
  guint before = 0;

  switch (instr->op)
    {
    case WP_SASS_UTMALDG:
      before = 2;
      break;
    case WP_SASS_UTMASTG:
    case WP_SASS_UTMAREDG:
      before = 1;
      break;
    case WP_SASS_UTMAPF:
      break;
    default:
      return 0;
    }
  for (guint k = 0; k < G_N_ELEMENTS (dimensions); k++)
    if (has_word (instr, dimensions[k]))
      return before + k + 1;
  return before;
}

/* Shared memory has addresses of 32 bits. */
static guint
get_address_width (const WpSassInstr *instr, const WpSassOperand *operand, const IdgSassOp *sass,
                   gboolean is_first)
{
  const guint box = count_box_registers (instr);

  if (operand->index_word == WP_WORD_64 || is_bulk (instr))
    return 2; /* of a copy in bulk an address of 64 bits, or one with that of a barrier */
  if (box > 0)
    return is_first ? box : 2;
  if (operand->index_word != WP_WORD_NONE || (instr->op == WP_SASS_LDGSTS && is_first))
    return 1;
  return MAX (sass->address_registers, 1);
}

static void
add_address (WpFoldCode *code, const WpSassInstr *instr, const WpSassOperand *operand,
             const IdgSassOp *sass, guint *count)
{
  guint width = get_address_width (instr, operand, sass, operand == instr->operands);
  gboolean is_wide = instr->op != WP_SASS_LDS && instr->op != WP_SASS_STS
                     && instr->op != WP_SASS_ATOMS && instr->op != WP_SASS_LDSM;

  if (operand->space == WP_WORD_gdesc) /* of wgmma that of both matrices */
    {
      add_uniform (code, operand->uniform, wp_sass_is_tensor_product (instr) ? 2 : 4, count);
      return;
    }
  if (operand->space == WP_WORD_tmem || operand->space == WP_WORD_idesc)
    {
      add_uniform (code, operand->uniform, 1, count);
      return;
    }
  add_general (code, operand->index, width, count);
  add_uniform (code, operand->uniform, is_wide && operand->descriptor != 255 ? 2 : width, count);
  add_uniform (code, operand->descriptor, 2, count);
}

/* Adds what the instruction reads in OPERAND, which it does not write. */
static void
add_read (WpFoldCode *code, const WpSassInstr *instr, const WpSassOperand *operand,
          const IdgSassOp *sass, guint *count)
{
  switch (operand->kind)
    {
    case WP_SASS_REGISTER:
      add_general (code, operand->number, operand->n_registers, count);
      break;
    case WP_SASS_UNIFORM:
      add_uniform (code, operand->number, operand->n_registers, count);
      break;
    case WP_SASS_PREDICATE:
    case WP_SASS_UNIFORM_PREDICATE:
      add_predicates (code, operand->kind != WP_SASS_PREDICATE, operand->number, 1, count);
      break;
    case WP_SASS_PREDICATES:
    case WP_SASS_UNIFORM_PREDICATES:
      add_predicates (code, operand->kind != WP_SASS_PREDICATES, 0, 7, count);
      break;
    case WP_SASS_CONSTANT:
      add_general (code, operand->index, 1, count);
      if (operand->is_descriptor)
        add_uniform (code, operand->number, 2, count);
      break;
    case WP_SASS_MEMORY:
      add_address (code, instr, operand, sass, count);
      break;
    default:
      break;
    }
}

static void
add_guard (WpFoldCode *code, const WpSassInstr *instr, guint *count)
{
  add_predicates (code, instr->guard_is_uniform, instr->guard, 1, count);
}

static void
fill_registers (WpFoldCode *code, IdgFoldClass *class, const WpSassInstr *instr,
                const IdgSassOp *sass, gboolean executed)
{
  class->first_read = code->classes.registers->len;
  add_guard (code, instr, &class->n_reads);
  for (guint i = 0; executed && i < instr->n_operands; i++)
    if (!instr->operands[i].is_dest)
      add_read (code, instr, &instr->operands[i], sass, &class->n_reads);
  class->first_write = code->classes.registers->len;
  for (guint i = 0; executed && i < instr->n_operands; i++)
    if (instr->operands[i].is_dest)
      add_read (code, instr, &instr->operands[i], sass, &class->n_writes);
}

/* ---- Barriers and copies ---- */

static void
fill_barrier (WpFoldCode *code, guint index, IdgFoldClass *class)
{
  const WpFoldInput *input = code->input;
  const WpSassInstr *instr = &input->instrs[index];
  const WpSassOperand *operands = instr->operands;
  guint id = 0, threads = 0, n = instr->n_operands;
  g_autofree gchar *name = NULL;
  gboolean is_whole, is_any = code->any_barrier && is_register (instr, 0), is_known = FALSE;

  class->op = NULL;
  if (instr->op == WP_SASS_UCGABAR_WAIT)
    {
      class->barrier = "cluster";
      return;
    }
  class->arrives = wp_sass_has (instr, WP_WORD_ARV);
  if (is_register (instr, 0) || is_register (instr, 1))
    is_known = find_barrier (input, index, &id, &threads);
  if (n > 1 && operands[1].kind == WP_SASS_IMMEDIATE)
    threads = (guint)operands[1].value;
  is_whole = threads == 0 || threads == input->threads;
  if (n > 0 && operands[0].kind == WP_SASS_IMMEDIATE)
    id = (guint)operands[0].value;
  if (is_register (instr, 1) && !is_known)
    wp_fold_code_note (code, index,
                       "the threads of the barrier are in a register; taken as all of the block");
  if (is_any)
    wp_fold_code_note (code, index,
                       "the number of the barrier is in a register; barriers of as many threads "
                       "are taken as one");
  if (code->any_barrier)
    name = is_whole ? g_strdup ("any") : g_strdup_printf ("any-%u", threads);
  else
    name = is_whole ? g_strdup_printf ("%u", id) : g_strdup_printf ("%u-%u", id, threads);
  if (is_any || id > 0 || !is_whole || class->arrives)
    class->barrier = g_string_chunk_insert_const (code->strings, name);
  class->warps = is_whole ? 0 : (threads - 1) / IDG_LANES + 1;
}

/* LDGDEPBAR ends a group of copies, and has the scoreboard SB0 count it; DEPBAR.LE SB0, 0x1 waits
 * until at most one is left. ARRIVES ends one that arrives at a barrier in shared memory, where
 * warps that meet wait for it, and a copy in bulk whose bytes come there is one; code has the one
 * or the other. */
static void
fill_copy (const WpFoldCode *code, const WpSassInstr *instr, IdgFoldClass *class)
{
  const WpSassOperand *operands = instr->operands;

  if (instr->op == WP_SASS_LDGSTS)
    class->copy = IDG_FOLD_COPIES;
  else if ((wp_sass_is_tensor_product (instr) || instr->op == WP_SASS_UTCBAR)
           && code->input->find_meeting)
    {
      class->copy = wp_sass_is_tensor_product (instr) ? IDG_FOLD_COPIES : IDG_FOLD_COMMITS;
      class->queue = IDG_FOLD_IN_ORDER;
    }
  else if (wp_sass_is_bulk_to_shared (instr) && code->input->find_meeting)
    class->copy = IDG_FOLD_ALONE;
  else if (instr->op == WP_SASS_UTMACMDFLUSH && code->awaits_stores)
    {
      class->copy = IDG_FOLD_ALONE;
      class->queue = 1;
      class->context = STORED;
    }
  else if (instr->op == WP_SASS_LDGDEPBAR
           || (instr->op == WP_SASS_ARRIVES && code->input->find_meeting))
    class->copy = IDG_FOLD_COMMITS;
  else if (instr->op == WP_SASS_DEPBAR && instr->n_operands > 0
           && (code->has_groups || code->awaits_stores || !code->input->find_meeting)
           && operands[0].kind == WP_SASS_SCOREBOARD && operands[0].number == 0)
    {
      class->copy = IDG_FOLD_AWAITS;
      class->queue = code->awaits_stores ? 1 : 0;
      if (instr->n_operands > 1 && operands[1].kind == WP_SASS_IMMEDIATE)
        class->pending = (guint)CLAMP (operands[1].value, 0, G_MAXINT);
    }
}

/* ---- What the compiler says ---- */

/* DEPBAR.LE SB1, 0x2 waits until scoreboard 1 counts at most two. */
static void
fill_depbar (const WpSassInstr *instr, IdgFoldClass *class)
{
  const WpSassOperand *operands = instr->operands;

  if (instr->op != WP_SASS_DEPBAR || instr->n_operands == 0
      || operands[0].kind != WP_SASS_SCOREBOARD || class->copy == IDG_FOLD_AWAITS)
    return;
  class->awaits |= 1u << operands[0].number;
  if (instr->n_operands > 1 && operands[1].kind == WP_SASS_IMMEDIATE)
    class->in_order = (guint)CLAMP (operands[1].value, 0, G_MAXINT);
}

/* The last product of a group (wgmma.commit_group) signals gsb0; WARPGROUP.DEPBAR.LE gsb0, 0x1
 * waits until at most one group is left. */
static void
fill_signal (const WpSassInstr *instr, IdgFoldClass *class)
{
  for (guint i = 0; i < instr->n_operands; i++)
    {
      const WpSassOperand *operand = &instr->operands[i];

      if (operand->kind != WP_SASS_SCOREBOARD || operand->space != WP_WORD_gsb)
        continue;
      if (instr->op != WP_SASS_WARPGROUP)
        class->sets = GROUP_SCOREBOARD + 1;
      else
        class->awaits |= 1u << GROUP_SCOREBOARD;
    }
  if (class->awaits >> GROUP_SCOREBOARD & 1 && instr->n_operands > 1)
    class->in_order = (guint)CLAMP (instr->operands[1].value, 0, G_MAXINT);
}

static void
fill_waits (const WpSassInstr *instr, IdgFoldClass *class, gboolean executed)
{
  class->n_reads = class->n_writes = 0;
  class->stall = instr->control.stall;
  class->awaits = instr->control.wait;
  if (executed && instr->control.write_barrier < 6 && class->op)
    class->sets = instr->control.write_barrier + 1;
  if (executed)
    fill_depbar (instr, class);
}

/* ---- Classes ---- */

static const gchar *
get_text (WpFoldCode *code, guint index)
{
  gpointer *text = &g_ptr_array_index (code->texts, index);

  if (!*text)
    *text = wp_fold_make_text (code->input, index);
  return *text;
}

/* A load or store of a generic address that only met shared memory has conflicts, and no accesses:
 * then it is one of shared memory. */
static void
find_shared (WpFoldCode *code, IdgFoldClass *class)
{
  const gchar *global = class->op ? strstr (class->op, ".global") : NULL;
  g_autofree gchar *name = NULL;

  if (!global || !class->context || !g_str_has_prefix (class->context, "conflict"))
    return;
  name = g_strdup_printf ("%.*s.shared%s", (int)(global - class->op), class->op,
                          global + strlen (".global"));
  class->op = g_string_chunk_insert_const (code->strings, name);
  class->op_number += IDG_FOLD_REGISTERS; /* another one than all ops of global memory */
}

static guint32
add_class (WpFoldCode *code, guint index, const gchar *context, gboolean executed)
{
  const WpSassInstr *instr = &code->input->instrs[index];
  const WpFoldOp *op = find_op (code, index);
  IdgFoldClass class = { .pc = (guint64)index * WP_SASS_BYTES,
                         .op = op->sass.op,
                         .opcode = wp_sass_op_name (instr->op),
                         .context = context,
                         .text = get_text (code, index),
                         .pc_number = index,
                         .op_number = op->number,
                         .branches = op->branches };

  if (context == NULL && executed)
    find_product (code, index, &class.context);

  if (executed && (!op->sass.op || instr->op == WP_SASS_BAR))
    fill_barrier (code, index, &class);
  else if (executed)
    fill_copy (code, instr, &class);
  else if (class.op && g_str_has_prefix (class.op, "bra"))
    class.context = "not-taken";
  else
    {
      class.op = "nop";
      class.op_number = G_MAXUINT32;
      class.branches = FALSE;
    }
  find_shared (code, &class);
  fill_registers (code, &class, instr, &op->sass, executed);
  if (code->input->compiler_waits)
    fill_waits (instr, &class, executed);
  if (executed)
    fill_signal (instr, &class);
  g_array_append_val (code->classes.classes, class);
  return code->classes.classes->len - 1;
}

/* Returns those parts of the mix CONTEXT that begin with WORD, NULL: none. Free with g_free(). */
static gchar *
keep_parts (const gchar *context, const gchar *word)
{
  g_auto (GStrv) parts = g_strsplit (context, " ", -1);
  guint n = 0;

  for (guint i = 0; parts[i]; i++)
    if (g_str_has_prefix (parts[i], word))
      parts[n++] = parts[i];
    else
      g_free (parts[i]);
  parts[n] = NULL;
  if (n == 1)
    parts[0][strcspn (parts[0], "*")] = '\0';
  return n > 0 ? g_strjoinv (" ", parts) : NULL;
}

/* Returns the part of CONTEXT that the instruction can have. A copy from global to shared memory is
 * both and counts as its access to global memory. Free with g_free(). */
static gchar *
choose_context (const WpFoldOp *op, const gchar *context)
{
  if (!op->sass.op)
    return NULL;
  if (strstr (op->sass.op, ".shared") && !strstr (op->sass.op, ".global"))
    return keep_parts (context, "conflict");
  if (strstr (op->sass.op, ".shared") || strstr (context, "access"))
    return keep_parts (context, "access");
  return keep_parts (context, "conflict");
}

guint32
wp_fold_code_find (WpFoldCode *code, guint index, const gchar *context, gboolean executed)
{
  Key key = { index, executed, NULL };
  g_autofree gchar *chosen = context ? choose_context (find_op (code, index), context) : NULL;
  gpointer number;

  if (chosen)
    key.context = g_string_chunk_insert_const (code->strings, chosen);
  number = g_hash_table_lookup (code->keys, &key);
  if (!number)
    {
      number = GUINT_TO_POINTER (add_class (code, index, key.context, executed) + 1);
      g_hash_table_insert (code->keys, g_memdup2 (&key, sizeof key), number);
    }
  return GPOINTER_TO_UINT (number) - 1;
}

/* ---- Warps that meet ---- */

typedef struct
{
  Key key;          /* an index, and the name of the first barrier */
  guint32 first, n; /* classes */
} Meetings;

static void
add_meeting (WpFoldCode *code, const WpFoldMeeting *meeting)
{
  IdgFoldClass class = { .first_read = code->classes.registers->len,
                         .first_write = code->classes.registers->len };

  class.pc = (guint64)meeting->index * WP_SASS_BYTES;
  class.opcode = wp_sass_op_name (code->input->instrs[meeting->index].op);
  class.text = get_text (code, meeting->index);
  class.pc_number = meeting->index;
  class.barrier = meeting->name;
  class.warps = meeting->warps;
  class.arrives = meeting->arrives;
  class.late = meeting->is_late;
  class.copy = meeting->pending < 0 ? IDG_FOLD_NO_COPY
               : meeting->is_last   ? IDG_FOLD_AWAITS
                                    : IDG_FOLD_LOOKS;
  class.pending = (guint)MAX (meeting->pending, 0);
  class.queue = meeting->queue > 0 ? IDG_FOLD_IN_ORDER : 0;
  if (!code->has_noted)
    wp_fold_code_note (code, meeting->index, meeting->note);
  code->has_noted = TRUE;
  g_array_append_val (code->classes.classes, class);
}

guint32
wp_fold_code_find_meetings (WpFoldCode *code, guint32 index, guint warp, guint32 *n)
{
  const WpFoldFindMeeting find = code->input->find_meeting;
  gpointer data = code->input->meeting_data;
  WpFoldMeeting meeting;
  Meetings *found;
  Key key = { index, TRUE, NULL };

  if (find (data, index, warp, 0, &meeting))
    key.context = meeting.name;
  found = g_hash_table_lookup (code->meetings, &key);
  if (!found)
    {
      found = g_new (Meetings, 1);
      *found = (Meetings){ key, code->classes.classes->len, 0 };
      for (; find (data, index, warp, found->n, &meeting); found->n++)
        add_meeting (code, &meeting);
      g_hash_table_insert (code->meetings, &found->key, found);
    }
  *n = found->n;
  return found->first;
}

/* ---- What fetches code ---- */

static guint32
add_fetch (WpFoldCode *code, guint32 piece, guint32 n_warps)
{
  guint32 bytes = code->input->code_piece;
  guint64 pc = (guint64)piece * bytes;
  g_autofree gchar *context = g_strdup_printf ("bytes-%u", (bytes + n_warps - 1) / n_warps);
  g_autofree gchar *text = wp_fold_make_fetch_text (code->input, (guint)(pc / WP_SASS_BYTES), pc);
  IdgFoldClass class = { .pc = pc,
                         .op = "fetch",
                         .opcode = "fetch",
                         .context = g_string_chunk_insert_const (code->strings, context),
                         .text = g_string_chunk_insert_const (code->strings, text),
                         .pc_number = (guint32)(pc / WP_SASS_BYTES) };

  g_array_append_val (code->classes.classes, class);
  return code->classes.classes->len - 1;
}

guint32
wp_fold_code_find_fetch (WpFoldCode *code, guint32 piece, guint32 n_warps)
{
  gpointer key = GUINT_TO_POINTER (piece + 1);
  gpointer number = g_hash_table_lookup (code->fetches, key);

  if (!number)
    {
      number = GUINT_TO_POINTER (add_fetch (code, piece, MAX (n_warps, 1)) + 1);
      g_hash_table_insert (code->fetches, key, number);
    }
  return GPOINTER_TO_UINT (number) - 1;
}
