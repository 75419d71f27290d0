/* SPDX-License-Identifier: MIT */
/* The words after the dots in the names of instructions: those of PTX, ISA 1.0 to 9.0, of which a
 * few more are recognized by their form (L2::128B, m16n8k16). A word that is not here is a slip of
 * the pen, such as add.f46. */
#include "idg/import/ops/idg-ops.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const gchar *word;
  IdgSuffixKind kind;
} Row;

static const Row words[] = {
  { "1d", IDG_SUFFIX_INSTRUCTION },
  { "2d", IDG_SUFFIX_INSTRUCTION },
  { "2dms", IDG_SUFFIX_INSTRUCTION },
  { "3d", IDG_SUFFIX_INSTRUCTION },
  { "L1", IDG_SUFFIX_INSTRUCTION },
  { "L2", IDG_SUFFIX_INSTRUCTION },
  { "NaN", IDG_SUFFIX_MODIFIER },
  { "a", IDG_SUFFIX_INSTRUCTION },
  { "a1d", IDG_SUFFIX_INSTRUCTION },
  { "a2d", IDG_SUFFIX_INSTRUCTION },
  { "a2dms", IDG_SUFFIX_INSTRUCTION },
  { "abs", IDG_SUFFIX_INSTRUCTION },
  { "acq_rel", IDG_SUFFIX_MODIFIER },
  { "acquire", IDG_SUFFIX_MODIFIER },
  { "acube", IDG_SUFFIX_INSTRUCTION },
  { "add", IDG_SUFFIX_INSTRUCTION },
  { "addr_mode_0", IDG_SUFFIX_INSTRUCTION },
  { "addr_mode_1", IDG_SUFFIX_INSTRUCTION },
  { "addr_mode_2", IDG_SUFFIX_INSTRUCTION },
  { "after_thread_sync", IDG_SUFFIX_INSTRUCTION },
  { "alias", IDG_SUFFIX_INSTRUCTION },
  { "aligned", IDG_SUFFIX_MODIFIER },
  { "all", IDG_SUFFIX_INSTRUCTION },
  { "alloc", IDG_SUFFIX_INSTRUCTION },
  { "and", IDG_SUFFIX_INSTRUCTION },
  { "any", IDG_SUFFIX_INSTRUCTION },
  { "approx", IDG_SUFFIX_INSTRUCTION },
  { "array_size", IDG_SUFFIX_INSTRUCTION },
  { "arrive", IDG_SUFFIX_INSTRUCTION },
  { "arrive_drop", IDG_SUFFIX_INSTRUCTION },
  { "async", IDG_SUFFIX_INSTRUCTION },
  { "async_bulk", IDG_SUFFIX_INSTRUCTION },
  { "b", IDG_SUFFIX_INSTRUCTION },
  { "b1", IDG_SUFFIX_TYPE },
  { "b1024", IDG_SUFFIX_TYPE },
  { "b128", IDG_SUFFIX_TYPE },
  { "b16", IDG_SUFFIX_TYPE },
  { "b32", IDG_SUFFIX_TYPE },
  { "b4", IDG_SUFFIX_TYPE },
  { "b4e", IDG_SUFFIX_INSTRUCTION },
  { "b4x16", IDG_SUFFIX_TYPE },
  { "b4x16_p64", IDG_SUFFIX_TYPE },
  { "b64", IDG_SUFFIX_TYPE },
  { "b6x16_p32", IDG_SUFFIX_TYPE },
  { "b8", IDG_SUFFIX_TYPE },
  { "b8x16", IDG_SUFFIX_TYPE },
  { "ballot", IDG_SUFFIX_INSTRUCTION },
  { "base", IDG_SUFFIX_INSTRUCTION },
  { "before_thread_sync", IDG_SUFFIX_INSTRUCTION },
  { "bf16", IDG_SUFFIX_TYPE },
  { "bf16x2", IDG_SUFFIX_TYPE },
  { "bf16x4", IDG_SUFFIX_TYPE },
  { "bfly", IDG_SUFFIX_INSTRUCTION },
  { "block_scale", IDG_SUFFIX_INSTRUCTION },
  { "bulk", IDG_SUFFIX_INSTRUCTION },
  { "bulk_group", IDG_SUFFIX_INSTRUCTION },
  { "c", IDG_SUFFIX_INSTRUCTION },
  { "ca", IDG_SUFFIX_MODIFIER },
  { "cas", IDG_SUFFIX_INSTRUCTION },
  { "cc", IDG_SUFFIX_INSTRUCTION },
  { "cg", IDG_SUFFIX_MODIFIER },
  { "channel_data_type", IDG_SUFFIX_INSTRUCTION },
  { "channel_order", IDG_SUFFIX_INSTRUCTION },
  { "clamp", IDG_SUFFIX_MODIFIER },
  { "cluster", IDG_SUFFIX_MODIFIER },
  { "col", IDG_SUFFIX_MODIFIER },
  { "commit", IDG_SUFFIX_INSTRUCTION },
  { "commit_group", IDG_SUFFIX_INSTRUCTION },
  { "complete_tx", IDG_SUFFIX_INSTRUCTION },
  { "const", IDG_SUFFIX_INSTRUCTION },
  { "cp", IDG_SUFFIX_INSTRUCTION },
  { "cp_mask", IDG_SUFFIX_INSTRUCTION },
  { "cs", IDG_SUFFIX_MODIFIER },
  { "cta", IDG_SUFFIX_MODIFIER },
  { "cube", IDG_SUFFIX_INSTRUCTION },
  { "cv", IDG_SUFFIX_MODIFIER },
  { "cvt", IDG_SUFFIX_INSTRUCTION },
  { "d", IDG_SUFFIX_INSTRUCTION },
  { "dealloc", IDG_SUFFIX_INSTRUCTION },
  { "dec", IDG_SUFFIX_INSTRUCTION },
  { "depth", IDG_SUFFIX_INSTRUCTION },
  { "down", IDG_SUFFIX_INSTRUCTION },
  { "e2m1", IDG_SUFFIX_TYPE },
  { "e2m1x2", IDG_SUFFIX_TYPE },
  { "e2m1x4", IDG_SUFFIX_TYPE },
  { "e2m3", IDG_SUFFIX_TYPE },
  { "e2m3x2", IDG_SUFFIX_TYPE },
  { "e2m3x4", IDG_SUFFIX_TYPE },
  { "e3m2", IDG_SUFFIX_TYPE },
  { "e3m2x2", IDG_SUFFIX_TYPE },
  { "e3m2x4", IDG_SUFFIX_TYPE },
  { "e4m3", IDG_SUFFIX_TYPE },
  { "e4m3x2", IDG_SUFFIX_TYPE },
  { "e4m3x4", IDG_SUFFIX_TYPE },
  { "e5m2", IDG_SUFFIX_TYPE },
  { "e5m2x2", IDG_SUFFIX_TYPE },
  { "e5m2x4", IDG_SUFFIX_TYPE },
  { "ecl", IDG_SUFFIX_INSTRUCTION },
  { "ecr", IDG_SUFFIX_INSTRUCTION },
  { "eq", IDG_SUFFIX_MODIFIER },
  { "equ", IDG_SUFFIX_MODIFIER },
  { "exch", IDG_SUFFIX_INSTRUCTION },
  { "expect_tx", IDG_SUFFIX_INSTRUCTION },
  { "f16", IDG_SUFFIX_TYPE },
  { "f16x2", IDG_SUFFIX_TYPE },
  { "f16x4", IDG_SUFFIX_TYPE },
  { "f32", IDG_SUFFIX_TYPE },
  { "f32x2", IDG_SUFFIX_TYPE },
  { "f4e", IDG_SUFFIX_INSTRUCTION },
  { "f64", IDG_SUFFIX_TYPE },
  { "f8f6f4", IDG_SUFFIX_INSTRUCTION },
  { "fence", IDG_SUFFIX_INSTRUCTION },
  { "filter_mode", IDG_SUFFIX_INSTRUCTION },
  { "finite", IDG_SUFFIX_INSTRUCTION },
  { "force_unnormalized_coords", IDG_SUFFIX_INSTRUCTION },
  { "fractional", IDG_SUFFIX_INSTRUCTION },
  { "ftz", IDG_SUFFIX_MODIFIER },
  { "full", IDG_SUFFIX_INSTRUCTION },
  { "g", IDG_SUFFIX_INSTRUCTION },
  { "ge", IDG_SUFFIX_MODIFIER },
  { "generic", IDG_SUFFIX_INSTRUCTION },
  { "geu", IDG_SUFFIX_MODIFIER },
  { "gl", IDG_SUFFIX_MODIFIER },
  { "global", IDG_SUFFIX_INSTRUCTION },
  { "gpu", IDG_SUFFIX_MODIFIER },
  { "grad", IDG_SUFFIX_INSTRUCTION },
  { "gt", IDG_SUFFIX_MODIFIER },
  { "gtu", IDG_SUFFIX_MODIFIER },
  { "height", IDG_SUFFIX_INSTRUCTION },
  { "hi", IDG_SUFFIX_WIDTH },
  { "hs", IDG_SUFFIX_MODIFIER },
  { "i8", IDG_SUFFIX_INSTRUCTION },
  { "idx", IDG_SUFFIX_INSTRUCTION },
  { "ignore_oob", IDG_SUFFIX_MODIFIER },
  { "im2col", IDG_SUFFIX_INSTRUCTION },
  { "im2col_no_offs", IDG_SUFFIX_INSTRUCTION },
  { "inc", IDG_SUFFIX_INSTRUCTION },
  { "infinite", IDG_SUFFIX_INSTRUCTION },
  { "init", IDG_SUFFIX_INSTRUCTION },
  { "inval", IDG_SUFFIX_INSTRUCTION },
  { "is_canceled", IDG_SUFFIX_INSTRUCTION },
  { "l", IDG_SUFFIX_INSTRUCTION },
  { "launch_dependents", IDG_SUFFIX_INSTRUCTION },
  { "ld", IDG_SUFFIX_INSTRUCTION },
  { "ld_reduce", IDG_SUFFIX_INSTRUCTION },
  { "le", IDG_SUFFIX_MODIFIER },
  { "leu", IDG_SUFFIX_MODIFIER },
  { "level", IDG_SUFFIX_MODIFIER },
  { "lo", IDG_SUFFIX_WIDTH },
  { "load", IDG_SUFFIX_INSTRUCTION },
  { "local", IDG_SUFFIX_INSTRUCTION },
  { "ls", IDG_SUFFIX_MODIFIER },
  { "lt", IDG_SUFFIX_MODIFIER },
  { "ltu", IDG_SUFFIX_MODIFIER },
  { "lu", IDG_SUFFIX_MODIFIER },
  { "mad", IDG_SUFFIX_INSTRUCTION },
  { "max", IDG_SUFFIX_INSTRUCTION },
  { "mbarrier", IDG_SUFFIX_INSTRUCTION },
  { "mbarrier_init", IDG_SUFFIX_INSTRUCTION },
  { "memory_layout", IDG_SUFFIX_INSTRUCTION },
  { "min", IDG_SUFFIX_INSTRUCTION },
  { "mma", IDG_SUFFIX_INSTRUCTION },
  { "mma_async", IDG_SUFFIX_INSTRUCTION },
  { "mmio", IDG_SUFFIX_MODIFIER },
  { "mov", IDG_SUFFIX_INSTRUCTION },
  { "mul", IDG_SUFFIX_INSTRUCTION },
  { "nan", IDG_SUFFIX_MODIFIER },
  { "nc", IDG_SUFFIX_MODIFIER },
  { "ne", IDG_SUFFIX_MODIFIER },
  { "neu", IDG_SUFFIX_MODIFIER },
  { "noComplete", IDG_SUFFIX_INSTRUCTION },
  { "no_allocate", IDG_SUFFIX_MODIFIER },
  { "noftz", IDG_SUFFIX_MODIFIER },
  { "noinc", IDG_SUFFIX_MODIFIER },
  { "normal", IDG_SUFFIX_INSTRUCTION },
  { "normalized_coords", IDG_SUFFIX_INSTRUCTION },
  { "notanumber", IDG_SUFFIX_INSTRUCTION },
  { "num", IDG_SUFFIX_MODIFIER },
  { "num_mipmap_levels", IDG_SUFFIX_INSTRUCTION },
  { "num_samples", IDG_SUFFIX_INSTRUCTION },
  { "number", IDG_SUFFIX_INSTRUCTION },
  { "or", IDG_SUFFIX_INSTRUCTION },
  { "p", IDG_SUFFIX_INSTRUCTION },
  { "pack", IDG_SUFFIX_INSTRUCTION },
  { "param", IDG_SUFFIX_INSTRUCTION },
  { "parity", IDG_SUFFIX_INSTRUCTION },
  { "pending_count", IDG_SUFFIX_INSTRUCTION },
  { "po", IDG_SUFFIX_INSTRUCTION },
  { "popc", IDG_SUFFIX_INSTRUCTION },
  { "pred", IDG_SUFFIX_TYPE },
  { "prefetch", IDG_SUFFIX_INSTRUCTION },
  { "proxy", IDG_SUFFIX_INSTRUCTION },
  { "query_cancel", IDG_SUFFIX_INSTRUCTION },
  { "r", IDG_SUFFIX_INSTRUCTION },
  { "range", IDG_SUFFIX_INSTRUCTION },
  { "rc16", IDG_SUFFIX_INSTRUCTION },
  { "rc8", IDG_SUFFIX_INSTRUCTION },
  { "read", IDG_SUFFIX_INSTRUCTION },
  { "red", IDG_SUFFIX_INSTRUCTION },
  { "reduce", IDG_SUFFIX_INSTRUCTION },
  { "relaxed", IDG_SUFFIX_MODIFIER },
  { "release", IDG_SUFFIX_MODIFIER },
  { "relinquish_alloc_permit", IDG_SUFFIX_INSTRUCTION },
  { "relu", IDG_SUFFIX_MODIFIER },
  { "replace", IDG_SUFFIX_INSTRUCTION },
  { "reserved", IDG_SUFFIX_INSTRUCTION },
  { "rm", IDG_SUFFIX_MODIFIER },
  { "rmi", IDG_SUFFIX_MODIFIER },
  { "rn", IDG_SUFFIX_MODIFIER },
  { "rna", IDG_SUFFIX_MODIFIER },
  { "rni", IDG_SUFFIX_MODIFIER },
  { "row", IDG_SUFFIX_MODIFIER },
  { "rp", IDG_SUFFIX_MODIFIER },
  { "rpi", IDG_SUFFIX_MODIFIER },
  { "rs", IDG_SUFFIX_MODIFIER },
  { "rz", IDG_SUFFIX_MODIFIER },
  { "rzi", IDG_SUFFIX_MODIFIER },
  { "s16", IDG_SUFFIX_TYPE },
  { "s16x2", IDG_SUFFIX_TYPE },
  { "s2", IDG_SUFFIX_TYPE },
  { "s32", IDG_SUFFIX_TYPE },
  { "s4", IDG_SUFFIX_TYPE },
  { "s64", IDG_SUFFIX_TYPE },
  { "s8", IDG_SUFFIX_TYPE },
  { "s8x4", IDG_SUFFIX_TYPE },
  { "samplerref", IDG_SUFFIX_INSTRUCTION },
  { "sat", IDG_SUFFIX_MODIFIER },
  { "satfinite", IDG_SUFFIX_MODIFIER },
  { "sc", IDG_SUFFIX_MODIFIER },
  { "shared", IDG_SUFFIX_INSTRUCTION },
  { "shift", IDG_SUFFIX_INSTRUCTION },
  { "shiftamt", IDG_SUFFIX_INSTRUCTION },
  { "sp", IDG_SUFFIX_INSTRUCTION },
  { "st", IDG_SUFFIX_INSTRUCTION },
  { "step", IDG_SUFFIX_INSTRUCTION },
  { "store", IDG_SUFFIX_INSTRUCTION },
  { "sub", IDG_SUFFIX_INSTRUCTION },
  { "subnormal", IDG_SUFFIX_INSTRUCTION },
  { "surfref", IDG_SUFFIX_INSTRUCTION },
  { "sync", IDG_SUFFIX_INSTRUCTION },
  { "sys", IDG_SUFFIX_MODIFIER },
  { "tensor", IDG_SUFFIX_INSTRUCTION },
  { "tensormap", IDG_SUFFIX_INSTRUCTION },
  { "test_wait", IDG_SUFFIX_INSTRUCTION },
  { "texref", IDG_SUFFIX_INSTRUCTION },
  { "tf32", IDG_SUFFIX_TYPE },
  { "tile", IDG_SUFFIX_INSTRUCTION },
  { "tiled", IDG_SUFFIX_INSTRUCTION },
  { "to", IDG_SUFFIX_INSTRUCTION },
  { "trans", IDG_SUFFIX_INSTRUCTION },
  { "trap", IDG_SUFFIX_MODIFIER },
  { "try_cancel", IDG_SUFFIX_INSTRUCTION },
  { "try_wait", IDG_SUFFIX_INSTRUCTION },
  { "ts", IDG_SUFFIX_INSTRUCTION },
  { "u16", IDG_SUFFIX_TYPE },
  { "u16x2", IDG_SUFFIX_TYPE },
  { "u2", IDG_SUFFIX_TYPE },
  { "u32", IDG_SUFFIX_TYPE },
  { "u4", IDG_SUFFIX_TYPE },
  { "u64", IDG_SUFFIX_TYPE },
  { "u8", IDG_SUFFIX_TYPE },
  { "u8x4", IDG_SUFFIX_TYPE },
  { "ue4m3", IDG_SUFFIX_TYPE },
  { "ue8m0", IDG_SUFFIX_TYPE },
  { "ue8m0x2", IDG_SUFFIX_TYPE },
  { "uni", IDG_SUFFIX_MODIFIER },
  { "unified", IDG_SUFFIX_MODIFIER },
  { "up", IDG_SUFFIX_INSTRUCTION },
  { "v2", IDG_SUFFIX_VECTOR },
  { "v4", IDG_SUFFIX_VECTOR },
  { "v8", IDG_SUFFIX_VECTOR },
  { "volatile", IDG_SUFFIX_MODIFIER },
  { "wait", IDG_SUFFIX_INSTRUCTION },
  { "wait_all", IDG_SUFFIX_INSTRUCTION },
  { "wait_group", IDG_SUFFIX_INSTRUCTION },
  { "warp", IDG_SUFFIX_INSTRUCTION },
  { "wb", IDG_SUFFIX_MODIFIER },
  { "weak", IDG_SUFFIX_MODIFIER },
  { "wide", IDG_SUFFIX_WIDTH },
  { "width", IDG_SUFFIX_INSTRUCTION },
  { "wrap", IDG_SUFFIX_MODIFIER },
  { "ws", IDG_SUFFIX_INSTRUCTION },
  { "wt", IDG_SUFFIX_MODIFIER },
  { "x1", IDG_SUFFIX_WIDTH },
  { "x128", IDG_SUFFIX_WIDTH },
  { "x16", IDG_SUFFIX_WIDTH },
  { "x2", IDG_SUFFIX_WIDTH },
  { "x32", IDG_SUFFIX_WIDTH },
  { "x4", IDG_SUFFIX_WIDTH },
  { "x64", IDG_SUFFIX_WIDTH },
  { "x8", IDG_SUFFIX_WIDTH },
  { "xor", IDG_SUFFIX_INSTRUCTION },
  { "xorsign", IDG_SUFFIX_MODIFIER },
  { "zero", IDG_SUFFIX_MODIFIER },
};

static gint
compare (const void *key, const void *row)
{
  return strcmp (key, ((const Row *)row)->word);
}

/* Skips LETTER and the digits after it. Returns NULL if TEXT does not begin with them. */
static const gchar *
skip_extent (const gchar *text, gchar letter)
{
  if (text == NULL || *text != letter || !g_ascii_isdigit (text[1]))
    return NULL;
  for (text++; g_ascii_isdigit (*text);)
    text++;
  return text;
}

/* m16n8k16, m8n8 of ldmatrix, and m128 of products into tensor memory. */
static gboolean
is_shape (const gchar *word)
{
  const gchar *rows = skip_extent (word, 'm'), *end = skip_extent (rows, 'n');

  if (rows != NULL && *rows == '\0')
    return TRUE;
  if (end != NULL && *end != '\0')
    end = skip_extent (end, 'k');
  return end != NULL && *end == '\0';
}

/* 16x64b and 128x256b, of tcgen05. */
static gboolean
is_bit_shape (const gchar *word)
{
  gsize rows = strspn (word, "0123456789");
  gsize bits = word[rows] == 'x' ? strspn (word + rows + 1, "0123456789") : 0;

  return rows > 0 && bits > 0 && word[rows + 1 + bits] == 'b';
}

static IdgSuffixKind
find_by_form (const gchar *word)
{
  static const gchar *const without_effect[]
      = { "L1::",    "L2::",   "mbarrier::",  "multicast::",   "cta_group::",
          "level::", "kind::", "scale_vec::", "op_restrict::", NULL };
  static const gchar *const spaces[]
      = { "shared::",    "param::", "const[",  "sp::",        "unpack::",          "pack::",
          "collector::", "async::", "proxy::", "tensormap::", "get_first_ctaid::", "is_canceled::",
          NULL };

  if (is_shape (word) || is_bit_shape (word))
    return IDG_SUFFIX_WIDTH;
  for (const gchar *const *prefix = without_effect; *prefix != NULL; prefix++)
    if (g_str_has_prefix (word, *prefix))
      return IDG_SUFFIX_MODIFIER;
  for (const gchar *const *prefix = spaces; *prefix != NULL; prefix++)
    if (g_str_has_prefix (word, *prefix))
      return IDG_SUFFIX_INSTRUCTION;
  return IDG_SUFFIX_UNKNOWN;
}

IdgSuffixKind
idg_ops_suffix_kind (const gchar *suffix)
{
  const Row *row;

  if (suffix == NULL || *suffix == '\0')
    return IDG_SUFFIX_NONE;
  row = bsearch (suffix, words, G_N_ELEMENTS (words), sizeof *words, compare);
  return row != NULL ? row->kind : find_by_form (suffix);
}

guint
idg_ops_suffix_bits (const gchar *suffix)
{
  guint bits = 0;
  const gchar *number = suffix;

  if (idg_ops_suffix_kind (suffix) != IDG_SUFFIX_TYPE || strcmp (suffix, "pred") == 0)
    return 0;
  if (suffix[0] == 'e' || strncmp (suffix, "ue", 2) == 0)
    {
      /* e4m3: a sign, 4 bits, and 3 bits; ue8m0 has no sign. */
      const gchar *mantissa = strchr (suffix, 'm');

      bits = (suffix[0] == 'e') + (guint)atoi (strchr (suffix, 'e') + 1)
             + (guint)atoi (mantissa + 1);
      number = mantissa;
    }
  else
    {
      number += strcspn (suffix, "0123456789");
      bits = (guint)atoi (number);
    }
  number = strchr (number, 'x');
  return number != NULL ? bits * (guint)atoi (number + 1) : bits;
}

static guint
compare_letters (gchar a, gchar b)
{
  return a == b ? 0 : g_ascii_tolower (a) == g_ascii_tolower (b) ? 1 : 4;
}

/* How far apart two words are: letters to change, to insert, to drop, and (a little nearer than
 * these) neighbours to swap, as in f46. In quarters of a change; words are short. */
static guint
get_distance (const gchar *a, const gchar *b)
{
  enum
  {
    MOST = 31
  };
  guint table[MOST + 1][MOST + 1];
  gsize n = strlen (a), m = strlen (b);

  if (n > MOST || m > MOST)
    return G_MAXUINT;
  for (gsize i = 0; i <= n; i++)
    for (gsize j = 0; j <= m; j++)
      {
        guint best = (guint)(i == 0 ? 4 * j : j == 0 ? 4 * i : G_MAXUINT);

        if (i > 0 && j > 0)
          {
            best = table[i - 1][j - 1] + compare_letters (a[i - 1], b[j - 1]);
            best = MIN (best, MIN (table[i - 1][j], table[i][j - 1]) + 4);
          }
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          best = MIN (best, table[i - 2][j - 2] + 3);
        table[i][j] = best;
      }
  return table[n][m];
}

const gchar *
idg_ops_suffix_nearest (const gchar *suffix)
{
  const gchar *nearest = words[0].word;
  guint least = G_MAXUINT;

  g_return_val_if_fail (suffix != NULL, nearest);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      guint distance = get_distance (suffix, words[i].word);

      if (distance < least)
        nearest = words[i].word;
      least = MIN (least, distance);
    }
  return nearest;
}
