/* SPDX-License-Identifier: MIT */
/* What the suffixes of a PTX name say of the values that an instruction works on: their type, and
 * how many bytes of them a thread moves or computes. A GPU's description may have figures for a
 * shorter name; whether those hold depends on just this. */
#include "idg/import/ops/idg-ops-private.h"

#include <string.h>

/* The longest word that can be a type. */
#define MAX_WORD 31
/* No instruction moves so many; keeps products small. */
#define MAX_MULTIPLE 8192

typedef struct
{
  gchar name[MAX_WORD + 1];
  IdgSuffixKind kind;
  guint bytes; /* of a type */
} Word;

/* Reads the word at AT, up to the next dot. */
static void
read_word (const gchar *at, Word *word)
{
  gsize length = strcspn (at, ".");

  *word = (Word){ "", IDG_SUFFIX_UNKNOWN, 0 };
  if (length > MAX_WORD)
    return;
  memcpy (word->name, at, length);
  word->name[length] = '\0';
  word->kind = idg_ops_suffix_kind (word->name);
  if (word->kind == IDG_SUFFIX_TYPE)
    word->bytes = strcmp (word->name, "pred") == 0
                      ? 4
                      : MAX (1, (idg_ops_suffix_bits (word->name) + 7) / 8);
}

/* Integers and plain bits take the same time: u32, s32 and b32 are all "int". */
static const gchar *
get_type (const Word *word)
{
  gboolean is_whole = strchr ("usb", word->name[0]) != NULL
                      && strspn (word->name + 1, "0123456789") == strlen (word->name + 1);

  return is_whole ? "int" : g_intern_string (word->name);
}

/* Returns how many of its type an instruction moves by WORD: 4 for v4, and for x4 of matrices. */
static guint
get_multiple (const Word *word)
{
  gboolean is_matrix = word->kind == IDG_SUFFIX_WIDTH && word->name[0] == 'x';

  return word->kind == IDG_SUFFIX_VECTOR || is_matrix
             ? (guint)MIN (g_ascii_strtoull (word->name + 1, NULL, 10), MAX_MULTIPLE)
             : 1;
}

static IdgOpsUse
get_use (const gchar *op, const IdgPtxRow *row)
{
  switch (row->family)
    {
    case IDG_PTX_ADD:
    case IDG_PTX_MUL:
    case IDG_PTX_DIV:
    case IDG_PTX_FUNCTION:
      return IDG_OPS_COMPUTES;
    case IDG_PTX_PREDICATE: /* selp and slct copy one of two values */
      return g_str_has_prefix (op, "set") || g_str_has_prefix (op, "testp") ? IDG_OPS_COMPUTES
                                                                            : IDG_OPS_MOVES;
    case IDG_PTX_CONVERT:
      return g_str_has_prefix (op, "cvta") ? IDG_OPS_MOVES : IDG_OPS_CONVERTS;
    case IDG_PTX_TENSOR:
      return IDG_OPS_CONVERTS; /* of several types: any that is dropped matters */
    case IDG_PTX_LOGIC:
    case IDG_PTX_MOVE:
    case IDG_PTX_SHUFFLE:
    case IDG_PTX_VOTE:
    case IDG_PTX_LOAD:
    case IDG_PTX_STORE:
    case IDG_PTX_ATOMIC:
    case IDG_PTX_REDUCE:
    case IDG_PTX_TEXTURE:
    case IDG_PTX_SURFACE:
      return IDG_OPS_MOVES;
    case IDG_PTX_ASYNC: /* copies move values, what groups them and waits for them does not */
      return g_str_has_prefix (op, "cp.async.ca.") || g_str_has_prefix (op, "cp.async.cg.")
                 ? IDG_OPS_MOVES
                 : IDG_OPS_NO_VALUE;
    case IDG_PTX_PREFETCH:
    case IDG_PTX_MBARRIER:
    case IDG_PTX_CONTROL:
    case IDG_PTX_NOP:
      break;
    }
  return IDG_OPS_NO_VALUE;
}

/* Tells whether OP computes in single precision where it has no type: its first word exists for
 * floating point alone, or one of its modifiers does. */
static gboolean
is_floating (const gchar *op, const IdgPtxRow *row)
{
  static const gchar modifiers[] = " rn rz rm rp ftz approx full NaN xorsign ";

  if (row->family == IDG_PTX_FUNCTION || g_str_has_prefix (op, "fma")
      || g_str_has_prefix (op, "copysign") || g_str_has_prefix (op, "testp"))
    return TRUE;
  for (const gchar *at = strchr (op, '.'); at; at = strchr (at + 1, '.'))
    {
      g_autofree gchar *word = g_strdup_printf (" %.*s ", (int)strcspn (at + 1, "."), at + 1);

      if (strstr (modifiers, word) != NULL)
        return TRUE;
    }
  return FALSE;
}

void
idg_ops_find_value (const gchar *op, IdgOpsValue *value)
{
  const IdgPtxRow *row = idg_ops_find_ptx_row (op, strcspn (op, "."));
  guint multiple = 1;
  gboolean has_type = FALSE;
  Word type = { "", IDG_SUFFIX_NONE, 4 }, word;

  *value = (IdgOpsValue){ IDG_OPS_NO_VALUE, NULL, 4, FALSE };
  if (row == NULL)
    return;
  value->use = get_use (op, row);
  for (const gchar *at = strchr (op, '.'); at; at = strchr (at + 1, '.'))
    {
      read_word (at + 1, &word);
      multiple = MIN (multiple * get_multiple (&word), MAX_MULTIPLE);
      if (strcmp (word.name, "wide") == 0 && row->family == IDG_PTX_MUL)
        multiple = MIN (multiple * 2, MAX_MULTIPLE);
      /* What moves values names the type of what it delivers first (tex, slct); of a `set`, the
       * last is what it compares. */
      if (word.kind != IDG_SUFFIX_TYPE || (has_type && value->use == IDG_OPS_MOVES))
        continue;
      type = word;
      has_type = TRUE;
    }
  if (has_type)
    value->type = get_type (&type);
  else
    value->type = is_floating (op, row) ? "f32" : "int";
  value->bytes = type.bytes * multiple;
  if (strstr (op, "matrix.") != NULL)
    value->bytes = 4 * multiple; /* 8 x 8 halves are 4 bytes a thread */
  value->is_said = has_type || multiple > 1;
}

/* ---- Instructions of several types ---- */

/* Returns the canonical name of the conversions that take as long as one from FROM to TO. */
static const gchar *
get_conversion (const Word *to, const Word *from)
{
  gboolean is_whole = strcmp (get_type (to), "int") == 0 && strcmp (get_type (from), "int") == 0;
  guint bytes = MAX (to->bytes, from->bytes);

  if (is_whole)
    return bytes > 4 ? "cvt.s64.s32" : "cvt.s32.s16";
  return bytes > 4 ? "cvt.f64.f32" : "cvt.f32.s32";
}

/* Tells whether OP only orders what was begun before it, ends a group of it, or waits for some: an
 * issue slot, besides a wait. */
static gboolean
is_slot (const gchar *op)
{
  static const gchar *const slots[] = { "cp.async.commit_group",
                                        "cp.async.wait_group",
                                        "cp.async.wait_all",
                                        "wgmma.fence",
                                        "wgmma.commit_group",
                                        "wgmma.wait_group",
                                        "barrier.cluster.arrive",
                                        "fence",
                                        "membar" };

  for (gsize i = 0; i < G_N_ELEMENTS (slots); i++)
    {
      gsize length = strlen (slots[i]);

      if (strncmp (op, slots[i], length) == 0 && (op[length] == '.' || op[length] == '\0'))
        return TRUE;
    }
  return FALSE;
}

const gchar *
idg_ops_get_representative (const gchar *op)
{
  Word words[2];
  guint n = 0;

  if (is_slot (op))
    return "nop";
  if (!g_str_has_prefix (op, "cvt.") && !g_str_has_prefix (op, "set."))
    return NULL;
  for (const gchar *at = strchr (op, '.'); at && n < 2; at = strchr (at + 1, '.'))
    {
      read_word (at + 1, &words[n]);
      n += words[n].kind == IDG_SUFFIX_TYPE;
    }
  if (n < 2)
    return NULL;
  if (op[0] == 'c')
    return get_conversion (&words[0], &words[1]);
  return strcmp (words[1].name, "f64") == 0   ? "set.f64"
         : strcmp (words[1].name, "f32") == 0 ? "set.f32"
                                              : NULL;
}
