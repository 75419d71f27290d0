/* SPDX-License-Identifier: MIT */
/* The words of a type's name are looked up one by one, so that their order does not matter:
 * "unsigned long long", "long unsigned int", "char const*". */
#include "exec/launch/wp-launch-type.h"

#include "idg/kernel/idg-demangle.h"

#include <math.h>
#include <string.h>

static const struct
{
  const gchar *name;
  WpType type;
} simple[] = {
  { "bool", { WP_TYPE_BOOL, 1, FALSE, 0, 0, 0 } },
  { "_Bool", { WP_TYPE_BOOL, 1, FALSE, 0, 0, 0 } },
  { "float", { WP_TYPE_FLOAT, 4, TRUE, 0, 0, 0 } },
  { "double", { WP_TYPE_FLOAT, 8, TRUE, 0, 0, 0 } },
  { "half", { WP_TYPE_HALF, 2, TRUE, 0, 0, 0 } },
  { "__half", { WP_TYPE_HALF, 2, TRUE, 0, 0, 0 } },
  { "bfloat16", { WP_TYPE_BFLOAT16, 2, TRUE, 0, 0, 0 } },
  { "__nv_bfloat16", { WP_TYPE_BFLOAT16, 2, TRUE, 0, 0, 0 } },
  { "nv_bfloat16", { WP_TYPE_BFLOAT16, 2, TRUE, 0, 0, 0 } },
  { "half2", { WP_TYPE_VECTOR, 4, TRUE, 2, WP_TYPE_HALF, 0 } },
  { "__half2", { WP_TYPE_VECTOR, 4, TRUE, 2, WP_TYPE_HALF, 0 } },
  { "__nv_bfloat162", { WP_TYPE_VECTOR, 4, TRUE, 2, WP_TYPE_BFLOAT16, 0 } },
  { "dim3", { WP_TYPE_VECTOR, 12, FALSE, 3, WP_TYPE_WHOLE, 0 } },
  { "int8_t", { WP_TYPE_WHOLE, 1, TRUE, 0, 0, 0 } },
  { "uint8_t", { WP_TYPE_WHOLE, 1, FALSE, 0, 0, 0 } },
  { "int16_t", { WP_TYPE_WHOLE, 2, TRUE, 0, 0, 0 } },
  { "uint16_t", { WP_TYPE_WHOLE, 2, FALSE, 0, 0, 0 } },
  { "int32_t", { WP_TYPE_WHOLE, 4, TRUE, 0, 0, 0 } },
  { "uint32_t", { WP_TYPE_WHOLE, 4, FALSE, 0, 0, 0 } },
  { "int64_t", { WP_TYPE_WHOLE, 8, TRUE, 0, 0, 0 } },
  { "uint64_t", { WP_TYPE_WHOLE, 8, FALSE, 0, 0, 0 } },
  { "size_t", { WP_TYPE_WHOLE, 8, FALSE, 0, 0, 0 } },
  { "ssize_t", { WP_TYPE_WHOLE, 8, TRUE, 0, 0, 0 } },
  { "ptrdiff_t", { WP_TYPE_WHOLE, 8, TRUE, 0, 0, 0 } },
  { "uint", { WP_TYPE_WHOLE, 4, FALSE, 0, 0, 0 } },
  { "uchar", { WP_TYPE_WHOLE, 1, FALSE, 0, 0, 0 } },
  { "ushort", { WP_TYPE_WHOLE, 2, FALSE, 0, 0, 0 } },
  { "ulong", { WP_TYPE_WHOLE, 8, FALSE, 0, 0, 0 } },
};

/* The types of which CUDA has vectors (vector_types.h). */
static const struct
{
  const gchar *name;
  WpTypeKind member;
  guint bytes;
  gboolean is_signed;
} vectors[] = {
  { "char", WP_TYPE_WHOLE, 1, TRUE },     { "uchar", WP_TYPE_WHOLE, 1, FALSE },
  { "short", WP_TYPE_WHOLE, 2, TRUE },    { "ushort", WP_TYPE_WHOLE, 2, FALSE },
  { "int", WP_TYPE_WHOLE, 4, TRUE },      { "uint", WP_TYPE_WHOLE, 4, FALSE },
  { "long", WP_TYPE_WHOLE, 8, TRUE },     { "ulong", WP_TYPE_WHOLE, 8, FALSE },
  { "longlong", WP_TYPE_WHOLE, 8, TRUE }, { "ulonglong", WP_TYPE_WHOLE, 8, FALSE },
  { "float", WP_TYPE_FLOAT, 4, TRUE },    { "double", WP_TYPE_FLOAT, 8, TRUE },
};

static gboolean
find_vector (const gchar *name, WpType *type)
{
  gsize n = strlen (name);

  if (n < 2 || name[n - 1] < '1' || name[n - 1] > '4')
    return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS (vectors); k++)
    if (strlen (vectors[k].name) == n - 1 && strncmp (vectors[k].name, name, n - 1) == 0)
      {
        guint count = (guint)(name[n - 1] - '0');

        *type = (WpType){ WP_TYPE_VECTOR, count * vectors[k].bytes, vectors[k].is_signed,
                          count,          vectors[k].member,        0 };
        return TRUE;
      }
  return FALSE;
}

static gboolean
find_simple (const gchar *name, WpType *type)
{
  if (g_str_has_prefix (name, "std::"))
    name += 5;
  for (gsize k = 0; k < G_N_ELEMENTS (simple); k++)
    if (strcmp (simple[k].name, name) == 0)
      {
        *type = simple[k].type;
        return TRUE;
      }
  return find_vector (name, type);
}

/* The keywords of a type of whole numbers, counted. */
typedef struct
{
  guint chars, shorts, ints, longs, is_signed, is_unsigned, others;
} Words;

static void
count_word (Words *words, const gchar *word)
{
  struct
  {
    const gchar *name;
    guint *count;
  } known[] = {
    { "char", &words->chars }, { "short", &words->shorts },     { "int", &words->ints },
    { "long", &words->longs }, { "signed", &words->is_signed }, { "unsigned", &words->is_unsigned },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    if (strcmp (known[k].name, word) == 0)
      {
        ++*known[k].count;
        return;
      }
  words->others++;
}

static gboolean
is_whole (const Words *words, WpType *type)
{
  guint n = words->chars + words->shorts + words->ints + words->longs + words->is_signed
            + words->is_unsigned;
  guint bytes = words->chars ? 1 : words->shorts ? 2 : words->longs ? 8 : 4;

  if (n == 0 || words->others > 0 || words->is_signed + words->is_unsigned > 1
      || words->chars + words->shorts > 1 || words->longs > 2 || words->ints > 1
      || (words->chars && words->ints) || ((words->chars || words->shorts) && words->longs))
    return FALSE;
  *type = (WpType){ WP_TYPE_WHOLE, bytes, !words->is_unsigned, 0, 0, 0 };
  return TRUE;
}

static WpType
parse_value (const gchar *name)
{
  g_auto (GStrv) words = g_strsplit_set (name, " \t", -1);
  const gchar *last = NULL;
  WpType type = { 0 };
  Words counts = { 0 };
  guint n = 0;

  for (guint k = 0; words[k]; k++)
    if (*words[k] && strcmp (words[k], "const") != 0 && strcmp (words[k], "volatile") != 0
        && strcmp (words[k], "struct") != 0)
      {
        last = words[k];
        count_word (&counts, last);
        n++;
      }
  if (n == 1 && find_simple (last, &type))
    return type;
  return is_whole (&counts, &type) ? type : (WpType){ 0 };
}

WpType
wp_type_parse (const gchar *name)
{
  g_autofree gchar *text = g_strstrip (g_strdup (name));
  gboolean is_pointer = FALSE;
  gsize n = strlen (text);
  WpType type;

  /* What follows the last * or & says how the pointer itself may be used. */
  if (g_str_has_suffix (text, "__restrict__"))
    text[n -= strlen ("__restrict__")] = 0;
  if (g_str_has_suffix (text, "__restrict"))
    text[n -= strlen ("__restrict")] = 0;
  g_strchomp (text);
  n = strlen (text);
  while (n > 0 && (text[n - 1] == '*' || text[n - 1] == '&'))
    {
      gboolean was_pointer = is_pointer;

      is_pointer = TRUE;
      text[--n] = 0;
      g_strchomp (text);
      n = strlen (text);
      if (was_pointer || (n > 0 && text[n - 1] == '*'))
        return (WpType){ WP_TYPE_POINTER, 8, FALSE, 0, 0, 8 };
    }
  if (!is_pointer && n > 0 && text[n - 1] == ')' && strstr (text, "(*)"))
    return (WpType){ WP_TYPE_POINTER, 8, FALSE, 0, 0, 0 }; /* of a function */
  type = parse_value (text);
  return is_pointer ? (WpType){ WP_TYPE_POINTER, 8, FALSE, 0, 0, type.bytes } : type;
}

GPtrArray *
wp_type_split (const gchar *demangled)
{
  const gchar *at = idg_demangle_find_parameters (demangled), *from;
  g_autoptr (GPtrArray) types = g_ptr_array_new_with_free_func (g_free);
  guint depth = 0;

  if (at == NULL)
    return NULL;
  for (from = ++at; *at; at++)
    {
      gboolean is_end = depth == 0 && (*at == ')' || *at == ',');

      if (is_end && at > from)
        g_ptr_array_add (types, g_strstrip (g_strndup (from, (gsize)(at - from))));
      if (is_end && *at == ')')
        return g_steal_pointer (&types);
      if (is_end)
        from = at + 1;
      if (strchr ("(<[{", *at))
        depth++;
      else if (strchr (")>]}", *at) && depth > 0)
        depth--;
    }
  return NULL;
}

guint16
wp_type_to_bfloat16 (gdouble number)
{
  gfloat single = (gfloat)number;
  guint32 bits;

  memcpy (&bits, &single, sizeof bits);
  if (isnan (single))
    return 0x7fff;
  return (guint16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

guint16
wp_type_to_half (gdouble number)
{
  guint16 sign = signbit (number) ? 0x8000 : 0;
  gdouble size = fabs (number), scaled;
  gint exponent;

  if (isnan (number))
    return 0x7fff;
  if (size >= 65520) /* halfway from the largest half to the next power of two */
    return sign | 0x7c00;
  if (size == 0)
    return sign;
  frexp (size, &exponent);
  exponent = MAX (exponent - 11, -24);
  scaled = nearbyint (ldexp (size, -exponent)); /* 0 to 2048: the significand */
  if (exponent == -24)
    return sign | (guint16)scaled;
  return sign | (guint16)(((guint)(exponent + 24) << 10) + (guint)scaled);
}
