/* SPDX-License-Identifier: MIT */
/* How the modifiers of a SASS instruction change it: which PTX it corresponds to, and how wide its
 * operands are.
 *
 * Fragments of matrix instructions are computed: an m x n matrix with elements of b bits takes m n
 * b / 32 registers of a warp, which is m n b / 1024 for each thread. The opcode contains the shape
 * ("16816"), the modifiers or the opcode contain the type. Volta's HMMA.884 works in steps, each of
 * which reads and writes pairs. */
#include "idg/import/ops/idg-ops-private.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MAX_MODIFIERS = 24
};

typedef struct
{
  const IdgSassRow *row; /* the opcode's row */
  gchar *words[MAX_MODIFIERS];
  guint n;
} Modifiers;

static gboolean
has (const Modifiers *modifiers, const gchar *word)
{
  for (guint i = 0; i < modifiers->n; i++)
    if (strcmp (modifiers->words[i], word) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_prefix (const Modifiers *modifiers, const gchar *prefix)
{
  for (guint i = 0; i < modifiers->n; i++)
    if (g_str_has_prefix (modifiers->words[i], prefix))
      return TRUE;
  return FALSE;
}

/* Returns an interned string. It is composed of words from tables only, so that there are few such
 * strings. */
static const gchar *G_GNUC_PRINTF (1, 2) compose (const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return g_intern_string (text);
}

static void
set_registers (IdgSassOp *op, guint dest, guint a, guint b, guint c)
{
  op->dest_registers = dest;
  op->source_registers = a;
  op->operand_registers[0] = a;
  op->operand_registers[1] = b;
  op->operand_registers[2] = c;
}

static void
set_all (IdgSassOp *op, guint dest, guint source)
{
  set_registers (op, dest, source, source, source);
}

/* ---- Arithmetic ---- */

static gboolean
is_wide (const Modifiers *modifiers)
{
  return has (modifiers, "64") || has (modifiers, "U64") || has (modifiers, "S64");
}

static void
apply_add (IdgSassOp *op, const Modifiers *modifiers)
{
  if (is_wide (modifiers))
    {
      op->op = "add.s64";
      set_all (op, 2, 2);
    }
  else if (has (modifiers, "X"))
    op->op = "addc.s32";
  else if (has (modifiers, "CC"))
    op->op = "add.cc.s32";
}

static void
apply_imad (IdgSassOp *op, const Modifiers *modifiers)
{
  const gchar *type = has (modifiers, "U32") ? "u32" : "s32";

  if (has (modifiers, "MOV"))
    op->op = "mov.u32";
  else if (has (modifiers, "SHL"))
    op->op = "shl.b32";
  else if (has (modifiers, "IADD"))
    op->op = "add.s32";
  else if (has (modifiers, "WIDE"))
    {
      op->op = compose ("mad.wide.%s", type);
      set_registers (op, 2, 1, 1, 2);
    }
  else if (has (modifiers, "HI"))
    {
      op->op = compose ("mad.hi.%s", type);
      set_registers (op, 1, 1, 1, 2);
    }
  else if (has (modifiers, "X"))
    op->op = "madc.lo.s32";
  else
    op->op = compose ("mad.lo.%s", type);
}

static void
apply_imul (IdgSassOp *op, const Modifiers *modifiers)
{
  const gchar *type = has (modifiers, "U32") ? "u32" : "s32";

  if (has (modifiers, "WIDE"))
    {
      op->op = compose ("mul.wide.%s", type);
      set_all (op, 2, 1);
    }
  else
    op->op = compose ("mul.%s.%s", has (modifiers, "HI") ? "hi" : "lo", type);
}

/* Replaces the type, the last word of the name, which is s32 in the table. */
static void
apply_signed (IdgSassOp *op, const Modifiers *modifiers)
{
  gsize length = strlen (op->op) - strlen ("s32");
  const gchar *type = "s32";

  if (is_wide (modifiers))
    {
      type = has (modifiers, "U64") ? "u64" : "s64";
      set_all (op, op->dest_registers ? 2 : 0, 2);
    }
  else if (has (modifiers, "U32"))
    type = "u32";
  op->op = compose ("%.*s%s", (int)length, op->op, type);
}

static void
apply_half (IdgSassOp *op, const Modifiers *modifiers)
{
  if (has (modifiers, "F32"))
    op->op = "cvt.f32.f16"; /* HADD2.F32 R0, -RZ, R1.H0_H0 */
  else if (has_prefix (modifiers, "BF16"))
    {
      gsize length = strcspn (op->op, ".");

      op->op = compose ("%.*s.bf16x2", (int)length, op->op);
    }
}

static void
apply_logic (IdgSassOp *op, const Modifiers *modifiers)
{
  if (has (modifiers, "OR"))
    op->op = "or.b32";
  else if (has (modifiers, "XOR"))
    op->op = "xor.b32";
  else if (has (modifiers, "PASS_B"))
    op->op = "not.b32";
}

static void
apply_move (IdgSassOp *op, const Modifiers *modifiers)
{
  if (!is_wide (modifiers))
    return;
  op->op = compose ("%.*s.b64", (int)strcspn (op->op, "."), op->op);
  set_all (op, 2, 2);
}

static void
apply_function (IdgSassOp *op, const Modifiers *modifiers)
{
  static const struct
  {
    const gchar *word, *op;
  } functions[] = {
    { "RCP", "rcp.approx.f32" },      { "RSQ", "rsqrt.approx.f32" }, { "SQRT", "sqrt.approx.f32" },
    { "SIN", "sin.approx.f32" },      { "COS", "cos.approx.f32" },   { "EX2", "ex2.approx.f32" },
    { "LG2", "lg2.approx.f32" },      { "TANH", "tanh.approx.f32" }, { "RCP64H", "rcp.approx.f64" },
    { "RSQ64H", "rsqrt.approx.f64" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (has (modifiers, functions[i].word))
      op->op = functions[i].op;
}

/* ---- Conversions ---- */

typedef struct
{
  const gchar *word, *type;
  guint registers;
  gboolean is_float;
} Type;

static const Type types[] = {
  { "F16", "f16", 1, TRUE },  { "BF16", "bf16", 1, TRUE }, { "F32", "f32", 1, TRUE },
  { "F64", "f64", 2, TRUE },  { "TF32", "tf32", 1, TRUE }, { "U8", "u8", 1, FALSE },
  { "S8", "s8", 1, FALSE },   { "U16", "u16", 1, FALSE },  { "S16", "s16", 1, FALSE },
  { "U32", "u32", 1, FALSE }, { "S32", "s32", 1, FALSE },  { "U64", "u64", 2, FALSE },
  { "S64", "s64", 2, FALSE },
};

/* Returns the NTH type (from 0) of the requested kind among the modifiers; if there are not that
 * many, the one at index FALLBACK. */
static const Type *
find_type (const Modifiers *modifiers, gboolean is_float, guint nth, guint fallback)
{
  for (guint i = 0; i < modifiers->n; i++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      if (types[t].is_float == is_float && strcmp (types[t].word, modifiers->words[i]) == 0
          && nth-- == 0)
        return &types[t];
  return &types[fallback];
}

static void
apply_conversion (IdgSassOp *op, const Modifiers *modifiers)
{
  const IdgSassForm form = modifiers->row->form;
  enum
  {
    F32 = 2,
    S32 = 10
  };
  gboolean to_float = form != IDG_SASS_F2I && form != IDG_SASS_I2I;
  gboolean from_float = form != IDG_SASS_I2F && form != IDG_SASS_I2I;
  const Type *to = find_type (modifiers, to_float, 0, to_float ? F32 : S32);
  const Type *from
      = find_type (modifiers, from_float, to_float == from_float ? 1 : 0, from_float ? F32 : S32);

  /* FRND has at most one type. */
  if (form == IDG_SASS_FRND)
    from = find_type (modifiers, TRUE, 1, (guint)(to - types));
  op->op = compose ("cvt.%s.%s", to->type, from->type);
  set_all (op, to->registers, from->registers);
}

/* ---- Memory ---- */

/* Returns the type that one lane moves, with its bytes and registers. */
static const gchar *
find_width (const Modifiers *modifiers, guint *bytes)
{
  static const struct
  {
    const gchar *word, *type;
    guint bytes;
  } widths[] = {
    { "U8", "u8", 1 },       { "S8", "s8", 1 },         { "U16", "u16", 2 },
    { "S16", "s16", 2 },     { "64", "v2.u32", 8 },     { "128", "v4.u32", 16 },
    { "256", "v8.u32", 32 }, { "U.128", "v4.u32", 16 },
  };

  for (guint i = 0; i < modifiers->n; i++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
      if (strcmp (widths[w].word, modifiers->words[i]) == 0)
        {
          *bytes = widths[w].bytes;
          return widths[w].type;
        }
  *bytes = 4;
  return "u32";
}

/* Returns the number in words like "x32" of LDTM, or 0. */
static guint
find_multiple (const Modifiers *modifiers)
{
  for (guint i = 0; i < modifiers->n; i++)
    if (modifiers->words[i][0] == 'x' && g_ascii_isdigit (modifiers->words[i][1]))
      {
        guint64 n = g_ascii_strtoull (modifiers->words[i] + 1, NULL, 10);

        return n >= 1 && n <= 128 ? (guint)n : 1;
      }
  return 0;
}

/* The registers of LDTM and STTM: as often as a word like "x8" says those of the shape. */
static guint
find_tensor_registers (const Modifiers *modifiers)
{
  const guint n = has (modifiers, "16dp256bit") ? 4 : has (modifiers, "16dp128bit") ? 2 : 1;

  return MIN (n * MAX (find_multiple (modifiers), 1), 128);
}

static void
apply_access (IdgSassOp *op, const Modifiers *modifiers)
{
  const gboolean is_store = modifiers->row->form == IDG_SASS_STORE;
  const gboolean is_tensor = g_str_has_prefix (op->op, "tcgen05");
  guint bytes, registers, multiple = is_tensor ? find_tensor_registers (modifiers) : 0;
  const gchar *type = find_width (modifiers, &bytes);

  if (is_tensor)
    {
      bytes = 4 * multiple;
      op->op = compose ("%s.x%u", op->op, multiple);
    }
  else
    op->op = compose ("%s.%s", op->op, type);
  /* An access of 256 bits has two operands of 128. */
  registers = bytes == 32 && !multiple ? 4 : (bytes + 3) / 4;
  set_all (op, is_store ? 0 : registers, is_store ? registers : 1);
  op->bytes = bytes;
}

static void
apply_copy (IdgSassOp *op, const Modifiers *modifiers)
{
  find_width (modifiers, &op->bytes);
  op->op = compose ("cp.async.%s.shared.global.b%u", has (modifiers, "BYPASS") ? "cg" : "ca",
                    8 * op->bytes);
}

static void
apply_matrix (IdgSassOp *op, const Modifiers *modifiers)
{
  guint n = has (modifiers, "4") ? 4 : has (modifiers, "2") ? 2 : 1;
  gboolean transposed = has_prefix (modifiers, "MT") || has (modifiers, "T");

  op->op = compose ("%s.x%u%s.shared.b16", op->op, n, transposed ? ".trans" : "");
  set_all (op, op->dest_registers ? n : 0, op->dest_registers ? 1 : n);
  op->bytes = 4 * n;
}

static const gchar *
find_atomic_type (const Modifiers *modifiers, const gchar *what, guint *registers)
{
  gboolean is_wide_one = is_wide (modifiers) || has (modifiers, "F64");
  gboolean is_bitwise = strlen (what) > 3 || strcmp (what, "and") == 0 || strcmp (what, "or") == 0
                        || strcmp (what, "xor") == 0 || strcmp (what, "cas") == 0;

  *registers = is_wide_one ? 2 : 1;
  if (has (modifiers, "128"))
    {
      *registers = 4;
      return "b128";
    }
  if (has (modifiers, "F64"))
    return "f64";
  if (has_prefix (modifiers, "F32"))
    return "f32";
  if (has_prefix (modifiers, "F16"))
    return "f16x2";
  if (has_prefix (modifiers, "BF16"))
    return "bf16x2";
  if (is_bitwise)
    return is_wide_one ? "b64" : "b32";
  if (has (modifiers, "S32") || has (modifiers, "S64"))
    return is_wide_one ? "s64" : "s32";
  return is_wide_one ? "u64" : "u32";
}

static void
apply_atomic (IdgSassOp *op, const Modifiers *modifiers)
{
  static const struct
  {
    const gchar *word, *op;
  } kinds[] = {
    { "CAS", "cas" }, { "CAST", "cas" }, { "EXCH", "exch" }, { "MIN", "min" }, { "MAX", "max" },
    { "AND", "and" }, { "OR", "or" },    { "XOR", "xor" },   { "DEC", "dec" }, { "INC", "inc" },
  };
  const gchar *what = "add", *type;
  guint registers;

  /* ATOMS.POPC.INC adds the number of lanes. */
  for (guint i = 0; i < G_N_ELEMENTS (kinds) && !has (modifiers, "POPC"); i++)
    if (has (modifiers, kinds[i].word))
      {
        what = kinds[i].op;
        break;
      }
  type = find_atomic_type (modifiers, what, &registers);
  op->op = compose ("%s.%s.%s", op->op, what, type);
  op->bytes = 4 * registers;
  set_all (op, op->dest_registers ? registers : 0, registers);
}

static void
apply_surface (IdgSassOp *op, const Modifiers *modifiers)
{
  set_all (op,
           has (modifiers, "128") || has (modifiers, "P") ? 4
           : has (modifiers, "64")                        ? 2
                                                          : 1,
           1);
  op->bytes = 4 * op->dest_registers;
}

static void
apply_cache (IdgSassOp *op, const Modifiers *modifiers)
{
  if (has (modifiers, "PF1") || has (modifiers, "PF2") || has (modifiers, "PF1_5"))
    op->op = "prefetch.global";
}

/* ---- Lanes ---- */

static void
apply_lanes (IdgSassOp *op, const Modifiers *modifiers)
{
  const IdgSassForm form = modifiers->row->form;
  static const struct
  {
    IdgSassForm form;
    const gchar *word, *op;
  } names[] = {
    { IDG_SASS_VOTE, "ALL", "vote.sync.all.pred" },
    { IDG_SASS_VOTE, "EQ", "vote.sync.uni.pred" },
    { IDG_SASS_MATCH, "ALL", "match.all.sync.b32" },
    { IDG_SASS_REDUX, "MIN", "redux.sync.min.s32" },
    { IDG_SASS_REDUX, "MAX", "redux.sync.max.s32" },
    { IDG_SASS_REDUX, "AND", "redux.sync.and.b32" },
    { IDG_SASS_REDUX, "OR", "redux.sync.or.b32" },
    { IDG_SASS_REDUX, "XOR", "redux.sync.xor.b32" },
    { IDG_SASS_SHUFFLE, "UP", "shfl.sync.up.b32" },
    { IDG_SASS_SHUFFLE, "DOWN", "shfl.sync.down.b32" },
    { IDG_SASS_SHUFFLE, "BFLY", "shfl.sync.bfly.b32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].form == form && has (modifiers, names[i].word))
      op->op = names[i].op;
  if (form == IDG_SASS_MATCH && is_wide (modifiers))
    set_all (op, 1, 2);
}

/* ---- Matrices ---- */

typedef struct
{
  guint m, n, k;
} Shape;

/* Parses "16816", "1688", "8832", "168128", "8x8x4", "16x8x16": m and n are 8 or 16. */
static gboolean
read_shape (const gchar *word, Shape *shape)
{
  static const struct
  {
    const gchar *begin;
    Shape shape;
  } shapes[] = { { "16x8x", { 16, 8, 0 } },
                 { "8x8x", { 8, 8, 0 } },
                 { "168", { 16, 8, 0 } },
                 { "88", { 8, 8, 0 } } };
  guint64 k;
  guint i = 0;

  while (i < G_N_ELEMENTS (shapes) && !g_str_has_prefix (word, shapes[i].begin))
    i++;
  if (i == G_N_ELEMENTS (shapes))
    return FALSE;
  *shape = shapes[i].shape;
  word += strlen (shapes[i].begin);
  if (!g_ascii_isdigit (*word))
    return FALSE;
  k = g_ascii_strtoull (word, NULL, 10);
  if (k < 4 || k > 256 || (k & (k - 1)))
    return FALSE;
  shape->k = (guint)k;
  return TRUE;
}

typedef struct
{
  const gchar *a, *b, *c; /* types of the factors and of the sum */
  guint a_bits, c_bits;
} Elements;

/* Returns the type AMONG some ("S8", "U8", ...) of the first factor or, SECOND, of the other: the
 * opcode may name it once for both. FALLBACK: it names none. */
static const gchar *
find_factor (const Modifiers *modifiers, const gchar *const (*among)[2], gboolean second,
             const gchar *fallback)
{
  const gchar *found = NULL;

  for (guint i = 0; i < modifiers->n; i++)
    for (guint t = 0; among[t][0] != NULL; t++)
      if (strcmp (among[t][0], modifiers->words[i]) == 0)
        {
          if (found != NULL || !second)
            return among[t][1];
          found = among[t][1];
        }
  return found != NULL ? found : fallback;
}

static Elements
find_elements (const gchar *opcode, const Modifiers *modifiers)
{
  static const gchar *const whole[][2]
      = { { "S8", "s8" }, { "U8", "u8" }, { "S4", "s4" }, { "U4", "u4" }, { NULL, NULL } };
  static const gchar *const small[][2]
      = { { "E4M3", "e4m3" }, { "E5M2", "e5m2" }, { "E3M2", "e3m2" },
          { "E2M3", "e2m3" }, { "E2M1", "e2m1" }, { NULL, NULL } };
  gboolean is_half = has (modifiers, "F16");
  guint bits;

  switch (opcode[0])
    {
    case 'D':
      return (Elements){ "f64", "f64", "f64", 64, 64 };
    case 'I':
      bits = has (modifiers, "S4") || has (modifiers, "U4") ? 4 : 8;
      return (Elements){ find_factor (modifiers, whole, FALSE, "s8"),
                         find_factor (modifiers, whole, TRUE, "s8"), "s32", bits, 32 };
    case 'B':
      return (Elements){ "b1", "b1", "s32", 1, 32 };
    case 'Q':
      return (Elements){ find_factor (modifiers, small, FALSE, "e4m3"),
                         find_factor (modifiers, small, TRUE, "e4m3"), is_half ? "f16" : "f32", 8,
                         is_half ? 16 : 32 };
    case 'O':
      return (Elements){ "e2m1", "e2m1", "f32", 4, 32 };
    default:
      if (has (modifiers, "TF32"))
        return (Elements){ "tf32", "tf32", "f32", 32, 32 };
      if (has (modifiers, "BF16"))
        return (Elements){ "bf16", "bf16", "f32", 16, 32 };
      is_half = !has (modifiers, "F32");
      return (Elements){ "f16", "f16", is_half ? "f16" : "f32", 16, is_half ? 16 : 32 };
    }
}

/* Volta's HMMA.884.STEP0 to STEP3 together do what one m8n8k4 of PTX does. */
static gboolean
is_step (const Modifiers *modifiers)
{
  return has_prefix (modifiers, "STEP");
}

static void
apply_mma (IdgSassOp *op, const Modifiers *modifiers)
{
  const gchar *opcode = modifiers->row->name;
  Elements elements = find_elements (opcode, modifiers);
  Shape shape = { 0, 0, 0 };
  guint a, b, c;

  for (guint i = 0; i < modifiers->n && shape.k == 0; i++)
    read_shape (modifiers->words[i], &shape);
  if (shape.k == 0)
    return;
  op->op = compose ("mma%s.sync.m%un%uk%u%s.%s.%s.%s.%s%s", has (modifiers, "SP") ? ".sp" : "",
                    shape.m, shape.n, shape.k, is_step (modifiers) ? ".step" : "", elements.c,
                    elements.a, elements.b, elements.c,
                    opcode[0] != 'B'         ? ""
                    : has (modifiers, "AND") ? ".and.popc"
                                             : ".xor.popc");
  a = MAX (1, shape.m * shape.k * elements.a_bits / 1024);
  b = MAX (1, shape.n * shape.k * elements.a_bits / 1024);
  c = MAX (1, shape.m * shape.n * elements.c_bits / 1024);
  if (has (modifiers, "SP"))
    a = MAX (1, a / 2); /* half of the factor's elements are zero, and not stored */
  if (opcode[0] == 'H' && shape.m == 8)
    a = b = c = 2;
  set_registers (op, c, a, b, c);
}

/* HGMMA.64x128x16.F32: a warp has a quarter of the 64 rows. The factors are in shared memory; the
 * first one may be in 4 registers instead. */
static void
apply_wgmma (IdgSassOp *op, const Modifiers *modifiers)
{
  Elements elements = find_elements (modifiers->row->name, modifiers);

  for (guint i = 0; i < modifiers->n; i++)
    {
      gchar *end;
      guint64 n, k;

      if (!g_str_has_prefix (modifiers->words[i], "64x"))
        continue;
      n = g_ascii_strtoull (modifiers->words[i] + 3, &end, 10);
      k = *end == 'x' ? g_ascii_strtoull (end + 1, NULL, 10) : 0;
      if (n < 8 || n > 256 || n % 8 || k < 8 || k > 256 || (k & (k - 1)))
        continue;
      op->op = compose ("wgmma.mma_async.sync.m64n%uk%u.%s.%s.%s", (guint)n, (guint)k, elements.c,
                        elements.a, elements.b);
      set_registers (op, (guint)n / (has (modifiers, "F16") ? 4 : 2), 4, 4,
                     (guint)n / (has (modifiers, "F16") ? 4 : 2));
      return;
    }
}

/* ---- All of them ---- */

static void
apply_barrier (IdgSassOp *op, const Modifiers *modifiers)
{
  op->op = has (modifiers, "ARV") ? "bar.arrive" : NULL;
}

static void
apply_clock (IdgSassOp *op, const Modifiers *modifiers)
{
  if (!has (modifiers, "32"))
    return;
  op->op = "mov.u32";
  set_all (op, 1, 1);
}

static void
apply_dot (IdgSassOp *op, const Modifiers *modifiers)
{
  if (has (modifiers, "2A"))
    op->op = "dp2a.lo.s32.s32";
}

static void
apply_shift (IdgSassOp *op, const Modifiers *modifiers)
{
  if (has (modifiers, "R"))
    op->op = "shf.r.b32";
}

static void
apply_warpgroup (IdgSassOp *op, const Modifiers *modifiers)
{
  if (has (modifiers, "DEPBAR"))
    op->op = "wgmma.wait_group.sync";
}

typedef void (*Apply) (IdgSassOp *op, const Modifiers *modifiers);

/* By form; NULL if modifiers change nothing. */
static const Apply forms[] = {
  [IDG_SASS_PLAIN] = NULL,
  [IDG_SASS_ADD] = apply_add,
  [IDG_SASS_ATOMIC] = apply_atomic,
  [IDG_SASS_BARRIER] = apply_barrier,
  [IDG_SASS_CACHE] = apply_cache,
  [IDG_SASS_CLOCK] = apply_clock,
  [IDG_SASS_COMPARE] = apply_signed,
  [IDG_SASS_COPY] = apply_copy,
  [IDG_SASS_DOT] = apply_dot,
  [IDG_SASS_F2F] = apply_conversion,
  [IDG_SASS_F2I] = apply_conversion,
  [IDG_SASS_FRND] = apply_conversion,
  [IDG_SASS_FUNCTION] = apply_function,
  [IDG_SASS_HALF] = apply_half,
  [IDG_SASS_I2F] = apply_conversion,
  [IDG_SASS_I2I] = apply_conversion,
  [IDG_SASS_IMAD] = apply_imad,
  [IDG_SASS_IMUL] = apply_imul,
  [IDG_SASS_LOAD] = apply_access,
  [IDG_SASS_LOGIC] = apply_logic,
  [IDG_SASS_MATCH] = apply_lanes,
  [IDG_SASS_MATRIX] = apply_matrix,
  [IDG_SASS_MMA] = apply_mma,
  [IDG_SASS_MOVE] = apply_move,
  [IDG_SASS_REDUX] = apply_lanes,
  [IDG_SASS_SHIFT] = apply_shift,
  [IDG_SASS_SHUFFLE] = apply_lanes,
  [IDG_SASS_SIGNED] = apply_signed,
  [IDG_SASS_STORE] = apply_access,
  [IDG_SASS_SURFACE] = apply_surface,
  [IDG_SASS_VOTE] = apply_lanes,
  [IDG_SASS_WARPGROUP] = apply_warpgroup,
  [IDG_SASS_WGMMA] = apply_wgmma,
};

/* Returns a row for an opcode that the table lacks: the most similar one by its first letters. */
static const IdgSassRow *
guess_row (const gchar *opcode, gsize length)
{
  static const struct
  {
    const gchar *prefix, *opcode;
  } guesses[] = {
    { "ATOMS", "ATOMS" },     { "ATOM", "ATOMG" }, { "RED", "RED" },    { "LDS", "LDS" },
    { "LDL", "LDL" },         { "LDC", "LDC" },    { "LD", "LDG" },     { "STS", "STS" },
    { "STL", "STL" },         { "ST", "STG" },     { "TEX", "TEX" },    { "TLD", "TLD" },
    { "SULD", "SULD" },       { "SUST", "SUST" },  { "UTC", "UTCBAR" }, { "DMMA", "DMMA" },
    { "BAR", "UCGABAR_ARV" }, { "F2", "F2F" },     { "I2", "I2F" },     { "D", "DADD" },
    { "F", "FADD" },          { "H", "HADD2" },
  };
  const IdgSassRow *row;

  if (length > 1 && opcode[0] == 'U' && (row = idg_ops_find_sass_row (opcode + 1, length - 1)))
    return row;
  for (guint i = 0; i < G_N_ELEMENTS (guesses); i++)
    if (g_str_has_prefix (opcode, guesses[i].prefix))
      return idg_ops_find_sass_row (guesses[i].opcode, strlen (guesses[i].opcode));
  return idg_ops_find_sass_row ("IADD", strlen ("IADD"));
}

gboolean
idg_ops_find_sass (const gchar *opcode, IdgSassOp *op)
{
  gsize length = strcspn (opcode, ".");
  const IdgSassRow *row = idg_ops_find_sass_row (opcode, length);
  gboolean known = row != NULL;
  Modifiers modifiers = { .row = row };
  g_auto (GStrv) words = NULL;

  if (!row)
    modifiers.row = row = guess_row (opcode, length);
  words = g_strsplit (opcode[length] ? opcode + length + 1 : "", ".", MAX_MODIFIERS + 1);
  while (modifiers.n < MAX_MODIFIERS && words[modifiers.n])
    {
      modifiers.words[modifiers.n] = words[modifiers.n];
      modifiers.n++;
    }
  *op = (IdgSassOp){ .op = row->op, .address_registers = has (&modifiers, "E") ? 2 : 1 };
  set_all (op, row->dest, row->source);
  if (forms[row->form])
    forms[row->form](op, &modifiers);
  return known;
}
