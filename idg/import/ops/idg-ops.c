/* SPDX-License-Identifier: MIT */
/* Canonical names of PTX instructions. Words that do not affect how long an instruction takes are
 * dropped. The rest keeps its order, which in PTX is state space, vector width, type: just what a
 * look-up that drops suffixes needs.
 *
 * The same words are dropped from all instructions, except for a few words that mean something else
 * in some of them. */
#include "idg/import/ops/idg-ops-private.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  const gchar *text;
  gsize length;
} Word;

static int
compare_name (const Word *word, const gchar *name)
{
  int order = strncmp (word->text, name, word->length);

  return order ? order : (name[word->length] != '\0' ? -1 : 0);
}

static int
compare_ptx (gconstpointer key, gconstpointer row)
{
  return compare_name (key, ((const IdgPtxRow *)row)->name);
}

static int
compare_sass (gconstpointer key, gconstpointer row)
{
  return compare_name (key, ((const IdgSassRow *)row)->name);
}

const IdgPtxRow *
idg_ops_find_ptx_row (const gchar *name, gsize length)
{
  const Word word = { name, length };

  return bsearch (&word, idg_ops_ptx, idg_ops_n_ptx, sizeof *idg_ops_ptx, compare_ptx);
}

const IdgSassRow *
idg_ops_find_sass_row (const gchar *name, gsize length)
{
  const Word word = { name, length };

  return bsearch (&word, idg_ops_sass, idg_ops_n_sass, sizeof *idg_ops_sass, compare_sass);
}

static gboolean
is_one_of (Word word, const gchar *words)
{
  while (*words)
    {
      gsize length = strcspn (words, " ");

      if (length == word.length && strncmp (words, word.text, length) == 0)
        return TRUE;
      words += length;
      words += strspn (words, " ");
    }
  return FALSE;
}

static gboolean
begins_with (Word word, const gchar *prefix)
{
  gsize length = strlen (prefix);

  return word.length >= length && strncmp (word.text, prefix, length) == 0;
}

/* Rounding, special values, caches, memory order and scope, hints, layout of matrices. */
static const gchar dropped_everywhere[]
    = "rn rz rm rp rna rs rni rzi rmi rpi ftz noftz sat satfinite relu NaN xorsign "
      "ca cg cs lu cv wb wt nc unified relaxed acquire release acq_rel sc weak volatile mmio "
      "sys gpu cta gl aligned wrap clamp trap zero noinc row col no_allocate";
static const gchar dropped_comparisons[]
    = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor";

static gboolean
is_dropped (Word base, Word word)
{
  if (begins_with (word, "L1::") || begins_with (word, "L2::") || begins_with (word, "mbarrier::")
      || begins_with (word, "multicast::") || begins_with (word, "cta_group::"))
    return TRUE;
  if (is_one_of (word, "ca cg"))
    return !is_one_of (base, "cp"); /* cp.async.cg passes by the first cache */
  if (is_one_of (base, "mma")
      && (begins_with (word, "kind::") || begins_with (word, "scale_vec::")))
    return TRUE; /* the types say it */
  if (is_one_of (word, "cluster"))
    return !is_one_of (base, "barrier"); /* barrier.cluster is a different barrier */
  if (is_one_of (word, "uni"))
    return !is_one_of (base, "vote");
  if (is_one_of (word, "abs"))
    return is_one_of (base, "min max"); /* .xorsign.abs */
  if (is_one_of (base, "cvta"))
    return !begins_with (word, "u"); /* .to and the space */
  if (is_one_of (base, "set setp vset vset2 vset4") && is_one_of (word, dropped_comparisons))
    return TRUE;
  return is_one_of (word, dropped_everywhere);
}

/* Reduces `shared::cta` to shared, and `param::func`, `const[2]` and `sp::ordered_metadata` to
 * their first word. */
static Word
simplify (Word word)
{
  if (begins_with (word, "shared::cta"))
    word.length = strlen ("shared");
  else if (begins_with (word, "param::"))
    word.length = strlen ("param");
  else if (begins_with (word, "const["))
    word.length = strlen ("const");
  else if (begins_with (word, "sp::"))
    word.length = strlen ("sp");
  return word;
}

/* The types of sums whose factors may be f16. */
static gboolean
is_sum (const gchar *type)
{
  return strcmp (type, "f16") == 0 || strcmp (type, "f32") == 0;
}

/* Writes out the types of wmma.mma with factors of f16, of which PTX gives only the sums': .f32.f16
 * is .f32.f16.f16.f16. */
static void
complete_wmma (GString *name)
{
  g_auto (GStrv) words = g_strsplit (name->str, ".", -1);
  guint n = g_strv_length (words);

  if (n < 4 || strcmp (words[0], "wmma") != 0 || strcmp (words[1], "mma") != 0
      || words[n - 3][0] != 'm' || idg_ops_suffix_kind (words[n - 3]) != IDG_SUFFIX_WIDTH
      || !is_sum (words[n - 2]) || !is_sum (words[n - 1]))
    return;
  g_string_truncate (name, name->len - strlen (words[n - 1]));
  g_string_append_printf (name, "f16.f16.%s", words[n - 1]);
}

gchar *
idg_ops_canonize_ptx (const gchar *mnemonic, gboolean *known)
{
  const Word base = { mnemonic, strcspn (mnemonic, ".") };
  GString *name = g_string_new_len (mnemonic, (gssize)base.length);
  const gchar *at = mnemonic + base.length;

  while (*at == '.')
    {
      Word word = { at + 1, strcspn (at + 1, ".") };

      at = word.text + word.length;
      if (word.length == 0 || is_dropped (base, word))
        continue;
      word = simplify (word);
      g_string_append_c (name, '.');
      g_string_append_len (name, word.text, (gssize)word.length);
    }
  complete_wmma (name);
  if (known)
    *known = idg_ops_find_ptx_row (base.text, base.length) != NULL;
  return g_string_free (name, FALSE);
}
