/* SPDX-License-Identifier: MIT */
/* Classes of equal instructions. A trace of 10^7 lines has a few thousand distinct instructions.
 * Each is stored once, and sequences are numbers, so that memory depends on the size of the code
 * and not on how often it executes.
 *
 * A tracer records data registers only by their first number. The opcode says how many follow; for
 * a memory access, the first source is the address. The tracer takes the first operand for the
 * destination, and omits predicates: if a predicate comes first, the result register is among the
 * sources. */
#include "idg/import/accel/idg-accel.h"

#include <string.h>

/* The content of a class as bytes, after its number. */
typedef struct
{
  guint32 length;
  guint8 bytes[];
} Key;

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint32 hash = 2166136261u; /* FNV-1a */

  for (guint32 i = 0; i < key->length; i++)
    hash = (hash ^ key->bytes[i]) * 16777619u;
  return hash;
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->length == y->length && memcmp (x->bytes, y->bytes, x->length) == 0;
}

void
idg_accel_classes_init (IdgAccelClasses *classes)
{
  idg_fold_classes_init (&classes->fold);
  classes->ops = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  classes->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  classes->pcs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  classes->keys = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
  classes->key = g_byte_array_new ();
  classes->strings = g_string_chunk_new (1024);
}

void
idg_accel_classes_clear (IdgAccelClasses *classes)
{
  idg_fold_classes_clear (&classes->fold);
  g_hash_table_unref (classes->ops);
  g_hash_table_unref (classes->numbers);
  g_hash_table_unref (classes->pcs);
  g_hash_table_unref (classes->keys);
  g_byte_array_unref (classes->key);
  g_string_chunk_free (classes->strings);
}

static gboolean
is_one_of (const gchar *word, gsize length, const gchar *const *names)
{
  for (; *names; names++)
    if (strlen (*names) == length && strncmp (word, *names, length) == 0)
      return TRUE;
  return FALSE;
}

static void
fill_op (IdgAccelClasses *classes, IdgAccelOp *op)
{
  static const gchar *const branches[] = { "bra", "brx", "call", "exit", "ret", NULL };
  static const gchar *const hiding[] = { "ATOM", "ATOMG", "LOP3", "MATCH", "SHFL", NULL };
  const gchar *name;
  gpointer number = NULL;

  op->known = idg_ops_find_sass (op->opcode, &op->sass);
  op->hides_dest = is_one_of (op->opcode, strcspn (op->opcode, "."), hiding);
  name = op->sass.op;
  if (!name)
    return;
  op->branches = is_one_of (name, strcspn (name, "."), branches);
  if (!g_hash_table_lookup_extended (classes->numbers, name, NULL, &number))
    {
      number = GUINT_TO_POINTER (g_hash_table_size (classes->numbers) + 1);
      g_hash_table_insert (classes->numbers, (gpointer)name, number);
    }
  op->number = GPOINTER_TO_UINT (number);
}

IdgAccelOp *
idg_accel_classes_find_op (IdgAccelClasses *classes, const gchar *opcode)
{
  IdgAccelOp *op = g_hash_table_lookup (classes->ops, opcode);

  if (op)
    return op;
  op = g_new0 (IdgAccelOp, 1);
  op->opcode = g_string_chunk_insert_const (classes->strings, opcode);
  fill_op (classes, op);
  g_hash_table_insert (classes->ops, (gpointer)op->opcode, op);
  return op;
}

static void
add_bytes (GByteArray *key, gconstpointer bytes, gsize length)
{
  g_byte_array_append (key, bytes, (guint)length);
}

/* Strings are interned, so that comparing pointers is enough. */
static const Key *
make_key (IdgAccelClasses *classes, const IdgAccelInstr *instr, const IdgAccelOp *op,
          const gchar *context)
{
  GByteArray *key = classes->key;
  guint32 length;
  guint8 counts[] = { (guint8)instr->n_dests, (guint8)instr->n_sources, instr->bytes > 0 };

  g_byte_array_set_size (key, sizeof (Key));
  add_bytes (key, &instr->pc, sizeof instr->pc);
  add_bytes (key, &instr->source_line, sizeof instr->source_line);
  add_bytes (key, &op, sizeof op);
  add_bytes (key, &context, sizeof context);
  add_bytes (key, counts, sizeof counts);
  add_bytes (key, instr->dests, instr->n_dests * sizeof *instr->dests);
  add_bytes (key, instr->sources, instr->n_sources * sizeof *instr->sources);
  length = key->len - (guint32)sizeof (Key);
  memcpy (key->data, &length, sizeof length);
  return (const Key *)key->data;
}

/* Adds N registers from FIRST on. */
static void
add_registers (IdgAccelClasses *classes, guint16 first, guint n, guint *count)
{
  guint16 end = (first & ~0xff) + 255;

  if (first == IDG_ACCEL_ZERO)
    return;
  if (first >= IDG_FOLD_PREDICATE)
    n = 1;
  for (guint i = 0; i < n && first + i < end; i++)
    {
      guint16 number = (guint16)(first + i);

      g_array_append_val (classes->fold.registers, number);
      (*count)++;
    }
}

/* Returns how many registers source operand I has, counting operands that are not part of the
 * destination. */
static guint
get_width (const IdgAccelInstr *instr, const IdgSassOp *sass, const gchar *opcode, guint i)
{
  guint width;

  if (instr->bytes == 0)
    width = i < G_N_ELEMENTS (sass->operand_registers) ? sass->operand_registers[i]
                                                       : sass->source_registers;
  else if (g_str_has_prefix (opcode, "LDGSTS")) /* from global to shared memory */
    width = i == 0 ? 1 : sass->address_registers;
  else if (i == 0)
    width = sass->address_registers;
  else
    width = i <= G_N_ELEMENTS (sass->operand_registers) ? sass->operand_registers[i - 1]
                                                        : sass->source_registers;
  return MAX (width, 1);
}

static void
fill_registers (IdgAccelClasses *classes, IdgFoldClass *class, const IdgAccelInstr *instr,
                const IdgAccelOp *op)
{
  gboolean hides = op->hides_dest && instr->n_dests == 0 && instr->n_sources >= 2;
  guint width = MAX (op->sass.dest_registers, 1);

  class->first_read = classes->fold.registers->len;
  for (guint i = hides; i < instr->n_sources; i++)
    add_registers (classes, instr->sources[i], get_width (instr, &op->sass, op->opcode, i - hides),
                   &class->n_reads);
  class->first_write = classes->fold.registers->len;
  if (hides)
    add_registers (classes, instr->sources[0], width, &class->n_writes);
  for (guint i = 0; i < instr->n_dests; i++) /* a tracer that lists more than one lists all */
    add_registers (classes, instr->dests[i], instr->n_dests > 1 ? 1 : width, &class->n_writes);
}

static guint32
find_pc (IdgAccelClasses *classes, guint64 pc)
{
  gpointer number = g_hash_table_lookup (classes->pcs, &pc);

  if (!number)
    {
      number = GUINT_TO_POINTER (++classes->fold.n_pcs);
      g_hash_table_insert (classes->pcs, g_memdup2 (&pc, sizeof pc), number);
    }
  return GPOINTER_TO_UINT (number) - 1;
}

guint32
idg_accel_classes_find (IdgAccelClasses *classes, const IdgAccelInstr *instr, const IdgAccelOp *op,
                        const gchar *context, gint line)
{
  const gchar *kept = context ? g_string_chunk_insert_const (classes->strings, context) : NULL;
  const Key *key = make_key (classes, instr, op, kept);
  IdgFoldClass class = {
    .pc = instr->pc, .op = op->sass.op, .opcode = op->opcode, .context = kept
  };
  gpointer number;

  if (g_hash_table_lookup_extended (classes->keys, key, NULL, &number))
    return GPOINTER_TO_UINT (number);
  if (classes->fold.classes->len >= IDG_ACCEL_MAX_CLASSES)
    return IDG_ACCEL_MAX_CLASSES;
  class.source_line = instr->source_line;
  class.line = line;
  class.pc_number = find_pc (classes, instr->pc);
  class.op_number = op->number;
  class.branches = op->branches;
  fill_registers (classes, &class, instr, op);
  g_array_append_val (classes->fold.classes, class);
  number = GUINT_TO_POINTER (classes->fold.classes->len - 1);
  g_hash_table_insert (classes->keys, g_memdup2 (key, classes->key->len), number);
  return classes->fold.classes->len - 1;
}
