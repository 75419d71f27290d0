/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-fill.h"

#include <math.h>
#include <string.h>

#include "exec/memory/wp-vectors.h"
#include "idg/kernel/idg-kernel.h"

/* A type of elements: EXPONENT and MANTISSA are the bits of a float's two fields, 0 for whole
 * numbers. */
typedef struct
{
  const gchar *name;
  guint bytes, exponent, mantissa;
} Type;

static const Type types[WP_N_ELEMENTS] = {
  [WP_ELEMENT_NONE] = { "", 1, 0, 0 },    [WP_ELEMENT_U8] = { "u8", 1, 0, 0 },
  [WP_ELEMENT_U16] = { "u16", 2, 0, 0 },  [WP_ELEMENT_U32] = { "u32", 4, 0, 0 },
  [WP_ELEMENT_U64] = { "u64", 8, 0, 0 },  [WP_ELEMENT_S32] = { "s32", 4, 0, 0 },
  [WP_ELEMENT_F16] = { "f16", 2, 5, 10 }, [WP_ELEMENT_BF16] = { "bf16", 2, 8, 7 },
  [WP_ELEMENT_F32] = { "f32", 4, 8, 23 }, [WP_ELEMENT_F64] = { "f64", 8, 11, 52 },
};

static gboolean
is_float (WpElement element)
{
  return types[element].mantissa > 0;
}

/* "u8 u16 ...". Free with g_free(). */
static gchar *
list_types (void)
{
  GString *names = g_string_new (types[WP_ELEMENT_NONE + 1].name);

  for (guint i = WP_ELEMENT_NONE + 2; i < WP_N_ELEMENTS; i++)
    g_string_append_printf (names, " %s", types[i].name);
  return g_string_free (names, FALSE);
}

guint
wp_element_get_bytes (WpElement element)
{
  return types[element].bytes;
}

/* ---- Types of C++ ---- */

static const struct
{
  const gchar *name;
  WpElement element;
} c_types[] = {
  { "bool", WP_ELEMENT_U8 },
  { "char", WP_ELEMENT_U8 },
  { "signed char", WP_ELEMENT_U8 },
  { "unsigned char", WP_ELEMENT_U8 },
  { "short", WP_ELEMENT_U16 },
  { "unsigned short", WP_ELEMENT_U16 },
  { "int", WP_ELEMENT_S32 },
  { "unsigned int", WP_ELEMENT_U32 },
  { "long", WP_ELEMENT_U64 },
  { "unsigned long", WP_ELEMENT_U64 },
  { "long long", WP_ELEMENT_U64 },
  { "unsigned long long", WP_ELEMENT_U64 },
  { "__half", WP_ELEMENT_F16 },
  { "__half2", WP_ELEMENT_F16 },
  { "__nv_bfloat16", WP_ELEMENT_BF16 },
  { "__nv_bfloat162", WP_ELEMENT_BF16 },
  { "float", WP_ELEMENT_F32 },
  { "double", WP_ELEMENT_F64 },
  { "char2", WP_ELEMENT_U8 },
  { "char4", WP_ELEMENT_U8 },
  { "uchar2", WP_ELEMENT_U8 },
  { "uchar4", WP_ELEMENT_U8 },
  { "int2", WP_ELEMENT_S32 },
  { "int4", WP_ELEMENT_S32 },
  { "uint2", WP_ELEMENT_U32 },
  { "uint4", WP_ELEMENT_U32 },
  { "float2", WP_ELEMENT_F32 },
  { "float3", WP_ELEMENT_F32 },
  { "float4", WP_ELEMENT_F32 },
  { "double2", WP_ELEMENT_F64 },
};

WpElement
wp_element_find_type (const gchar *type)
{
  g_auto (GStrv) words = g_strsplit_set (type, " \t", -1);
  g_autoptr (GString) plain = g_string_new (NULL);
  guint stars = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gchar *star;

      while ((star = strpbrk (words[i], "*")) != NULL)
        {
          stars++;
          *star = ' ';
        }
      g_strstrip (words[i]);
      if (*words[i] != '\0' && strcmp (words[i], "const") != 0 && strcmp (words[i], "volatile") != 0
          && strcmp (words[i], "__restrict__") != 0)
        g_string_append_printf (plain, "%s%s", plain->len > 0 ? " " : "", words[i]);
    }
  for (guint i = 0; stars == 1 && i < G_N_ELEMENTS (c_types); i++)
    if (strcmp (plain->str, c_types[i].name) == 0)
      return c_types[i].element;
  return stars > 1 ? WP_ELEMENT_U64 : WP_ELEMENT_NONE;
}

/* ---- The text of --data and --dump ---- */

G_GNUC_PRINTF (2, 3)
static gboolean
fail (GError **error, const gchar *format, ...)
{
  va_list args;
  g_autofree gchar *message = NULL;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, IDG_ERROR, IDG_ERROR_VALUE, message);
  return FALSE;
}

/* Takes "NAME=" off TEXT. A name is one of C++: letters, digits, underscores, and :: between. */
static const gchar *
take_name (const gchar *text, const gchar *rest, gchar **name, GError **error)
{
  const gchar *equals = strchr (text, '=');
  gsize length = equals != NULL ? (gsize)(equals - text) : 0;
  gboolean right = length > 0 && !g_ascii_isdigit (*text);

  for (gsize i = 0; i < length; i++)
    right &= g_ascii_isalnum (text[i]) || text[i] == '_' || text[i] == ':';
  if (!right)
    {
      g_autofree gchar *shown = g_utf8_make_valid (text, -1);

      fail (error, "\"%s\" must be NAME=%s, NAME being a name of the launch or of a variable",
            shown, rest);
      return NULL;
    }
  *name = g_strndup (text, length);
  return equals + 1;
}

gboolean
wp_dump_parse (const gchar *text, gchar **name, gchar **path, GError **error)
{
  g_autofree gchar *own = NULL;
  const gchar *file = take_name (text, "FILE", &own, error);

  if (file == NULL)
    return FALSE;
  if (*file == '\0')
    return fail (error, "\"%s\" names no file; write %s=FILE", text, own);
  *name = g_steal_pointer (&own);
  *path = g_strdup (file);
  return TRUE;
}

/* Reads a whole number of the LENGTH characters at TEXT, decimal or after 0x. */
static gboolean
read_whole (const gchar *text, gsize length, guint64 *value)
{
  g_autofree gchar *own = g_strndup (text, length);
  gboolean is_hex = g_str_has_prefix (own, "0x");

  return g_ascii_string_to_unsigned (own + 2 * is_hex, is_hex ? 16 : 10, 0, G_MAXUINT64, value,
                                     NULL);
}

/* Reads COUNT: factors with * between them. */
static gboolean
read_count (const gchar *text, guint64 *count)
{
  guint64 factor;

  *count = 1;
  for (;; text++)
    {
      gsize length = strcspn (text, "*");

      if (!read_whole (text, length, &factor) || factor == 0 || factor > WP_MAX_BUFFER_BYTES
          || *count > WP_MAX_BUFFER_BYTES / factor)
        return FALSE;
      *count *= factor;
      text += length;
      if (*text == '\0')
        return TRUE;
    }
}

/* Takes "@COUNT" off the end of HOW. What stands after an @ that is none of a count's characters is
 * part of a file's name. */
static gboolean
take_count (WpFill *fill, gchar *how, GError **error)
{
  gchar *at = strrchr (how, '@');

  if (at == NULL || (fill->kind == WP_FILL_FILE && at[1 + strspn (at + 1, "0123456789*x")] != '\0'))
    return TRUE;
  if (!read_count (at + 1, &fill->count))
    return fail (error,
                 "\"%s\" must be a number of elements: from 1 on, at most %" G_GUINT64_FORMAT
                 ", or a product such as 1024*1024",
                 at, WP_MAX_BUFFER_BYTES);
  fill->has_count = TRUE;
  *at = '\0';
  return TRUE;
}

/* Reads LOW or HIGH. */
static gboolean
read_bound (WpFill *fill, const gchar *text, gdouble *value, guint64 *whole)
{
  gchar *end;
  gint64 negative;
  gboolean is_whole = read_whole (text, strlen (text), whole);

  if (!is_whole && g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &negative, NULL))
    {
      is_whole = TRUE;
      *whole = (guint64)negative;
    }
  fill->is_whole &= is_whole;
  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

/* Reads what follows "random:". */
static gboolean
read_random (WpFill *fill, const gchar *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n = g_strv_length (parts);

  if ((n != 1 && n != 3) || !read_whole (parts[0], strlen (parts[0]), &fill->seed))
    return fail (error,
                 "\"random:%s\" must be random:SEED or random:SEED:LOW:HIGH, SEED being a "
                 "whole number from 0 on",
                 text);
  fill->has_seed = TRUE;
  if (n == 1)
    return TRUE;
  fill->has_range = fill->is_whole = TRUE;
  if (!read_bound (fill, parts[1], &fill->low, &fill->whole_low)
      || !read_bound (fill, parts[2], &fill->high, &fill->whole_high) || fill->low > fill->high)
    return fail (error, "\"random:%s\": LOW and HIGH must be numbers, LOW not above HIGH", text);
  return TRUE;
}

/* Reads HOW without its type and its count. */
static gboolean
read_kind (WpFill *fill, const gchar *text, GError **error)
{
  if (fill->kind == WP_FILL_FILE)
    {
      fill->path = g_strdup (text + strlen ("file:"));
      return *fill->path != '\0' || fail (error, "\"file:\" names no file; write file:PATH");
    }
  if (strcmp (text, "unknown") == 0)
    fill->kind = WP_FILL_UNKNOWN;
  else if (strcmp (text, "zeros") == 0)
    fill->kind = WP_FILL_ZEROS;
  else if (strcmp (text, "iota") == 0)
    fill->kind = WP_FILL_IOTA;
  else if (strcmp (text, "random") == 0 || g_str_has_prefix (text, "random:"))
    {
      fill->kind = WP_FILL_RANDOM;
      return text[6] == '\0' || read_random (fill, text + 7, error);
    }
  else
    {
      g_autofree gchar *names = list_types ();

      return fail (error,
                   "\"%s\" must be unknown, zeros, iota, random[:SEED[:LOW:HIGH]] or file:PATH, "
                   "with the type of its elements before it where that matters (f32:iota; one of "
                   "%s), and how many there are after it (f32:iota@1024)",
                   text, names);
    }
  return TRUE;
}

/* Takes "TYPE:" off TEXT. */
static const gchar *
take_type (WpFill *fill, const gchar *text)
{
  for (guint i = WP_ELEMENT_NONE + 1; i < WP_N_ELEMENTS; i++)
    {
      gsize length = strlen (types[i].name);

      if (strncmp (text, types[i].name, length) == 0 && text[length] == ':')
        {
          fill->element = (WpElement)i;
          return text + length + 1;
        }
    }
  return text;
}

WpFill *
wp_fill_parse (const gchar *text, gchar **name, GError **error)
{
  g_autoptr (WpFill) fill = wp_fill_new_unknown ();
  g_autofree gchar *own = NULL, *how = NULL;
  const gchar *rest = take_name (text, "HOW", &own, error);

  if (rest == NULL)
    return NULL;
  how = g_strdup (take_type (fill, rest));
  if (g_str_has_prefix (how, "file:"))
    fill->kind = WP_FILL_FILE;
  else if (!g_utf8_validate (how, -1, NULL))
    {
      fail (error, "what stands after \"%s=\" is no text", own);
      return NULL;
    }
  if (!take_count (fill, how, error) || !read_kind (fill, how, error))
    {
      g_prefix_error (error, "%s: ", own);
      return NULL;
    }
  *name = g_steal_pointer (&own);
  return g_steal_pointer (&fill);
}

/* ---- Types of a fill ---- */

/* Returns the largest number of a float type. */
static gdouble
get_largest (const Type *type)
{
  return ldexp (2 - ldexp (1, -(gint)type->mantissa), (1 << (type->exponent - 1)) - 1);
}

static gboolean
check_range (const WpFill *fill, const gchar *name, GError **error)
{
  const Type *type = &types[fill->element];
  gdouble bits = 8.0 * type->bytes, low = 0, high = ldexp (1, (gint)bits) - 1;

  if (is_float (fill->element))
    low = -(high = get_largest (type));
  else if (fill->element == WP_ELEMENT_S32)
    {
      low = -ldexp (1, 31);
      high = ldexp (1, 31) - 1;
    }
  if (!is_float (fill->element) && !fill->is_whole)
    return fail (error, "%s: LOW and HIGH must be whole numbers, as %s is no float", name,
                 type->name);
  if (fill->low < low || fill->high > high)
    return fail (error, "%s: %g to %g is beyond %s, which ends at %g and %g", name, fill->low,
                 fill->high, type->name, low, high);
  return TRUE;
}

gboolean
wp_fill_set_element (WpFill *fill, WpElement element, const gchar *name, GError **error)
{
  gboolean matters = fill->kind == WP_FILL_IOTA || fill->kind == WP_FILL_RANDOM || fill->has_count;

  if (fill->element == WP_ELEMENT_NONE)
    fill->element = element;
  if (matters && fill->element == WP_ELEMENT_NONE)
    return fail (error,
                 "%s: which type its elements have is not known; write it before the rest, as in "
                 "%s=f32:iota",
                 name, name);
  if (fill->has_count && fill->count > WP_MAX_BUFFER_BYTES / types[fill->element].bytes)
    return fail (
        error, "%s: %" G_GUINT64_FORMAT " elements of %s are more than %" G_GUINT64_FORMAT " bytes",
        name, fill->count, types[fill->element].name, WP_MAX_BUFFER_BYTES);
  return !fill->has_range || check_range (fill, name, error);
}

WpFill *
wp_fill_new_unknown (void)
{
  return g_new0 (WpFill, 1);
}

WpFill *
wp_fill_copy (const WpFill *fill)
{
  WpFill *copy = g_memdup2 (fill, sizeof *fill);

  copy->path = g_strdup (fill->path);
  return copy;
}

void
wp_fill_free (WpFill *fill)
{
  if (fill == NULL)
    return;
  g_free (fill->path);
  g_free (fill);
}

/* ---- Elements ---- */

#define DOUBLE_MANTISSA 52
#define DOUBLE_BIAS 1023

/* Rounds X to TYPE by its bits, ties to even: of a number that is normal there, and rounded is
 * below 2^127. FALSE: it is another one. */
static inline gboolean
round_normal (const Type *type, gdouble x, guint64 *rounded)
{
  const guint drop = DOUBLE_MANTISSA - type->mantissa;
  const guint64 bias = (1u << (type->exponent - 1)) - 1;
  guint64 bits, size;

  memcpy (&bits, &x, sizeof bits);
  size = bits & G_MAXINT64;
  if (size < (DOUBLE_BIAS + 1 - bias) << DOUBLE_MANTISSA
      || size >= (DOUBLE_BIAS + bias) << DOUBLE_MANTISSA)
    return FALSE;
  size += ((guint64)1 << (drop - 1)) - 1 + (size >> drop & 1);
  *rounded = ((size >> drop) - ((DOUBLE_BIAS - bias) << type->mantissa))
             | (bits >> 63 << (8 * type->bytes - 1));
  return TRUE;
}

/* Rounds X to TYPE. */
static guint64
round_to (const Type *type, gdouble x)
{
  const gint mantissa = (gint)type->mantissa, bias = (1 << (type->exponent - 1)) - 1;
  const guint64 infinity = ((guint64)(2 * bias + 1)) << mantissa;
  guint64 bits;
  gint exponent;

  if (round_normal (type, x, &bits))
    return bits;
  frexp (x, &exponent);
  exponent = x == 0 ? 1 - bias : MAX (exponent - 1, 1 - bias);
  if (isnan (x))
    bits = infinity | (guint64)1 << (mantissa - 1);
  else if (isinf (x) || exponent > bias)
    bits = infinity;
  else /* the leading one of a normal number adds 1 to its exponent */
    bits = MIN (infinity, ((guint64)(exponent + bias - 1) << mantissa)
                              + (guint64)rint (ldexp (fabs (x), mantissa - exponent)));
  return signbit (x) ? bits | (guint64)1 << (8 * type->bytes - 1) : bits;
}

guint64
wp_element_round (WpElement element, gdouble value)
{
  gfloat single = (gfloat)value;
  guint32 bits32;
  guint64 bits;

  switch (element)
    {
    case WP_ELEMENT_F32:
      memcpy (&bits32, &single, sizeof bits32);
      return bits32;
    case WP_ELEMENT_F64:
      memcpy (&bits, &value, sizeof bits);
      return bits;
    default:
      return round_to (&types[element], value);
    }
}

gdouble
wp_element_get_value (WpElement element, guint64 bits)
{
  const Type *type = &types[element];
  const gint mantissa = (gint)type->mantissa, bias = (1 << (type->exponent - 1)) - 1;
  const gint exponent = (gint)(bits >> mantissa) & (2 * bias + 1);
  const gdouble fraction = (gdouble)(bits & (((guint64)1 << mantissa) - 1));
  gdouble value;

  if (exponent == 2 * bias + 1)
    value = fraction == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    value = ldexp (fraction, 1 - bias - mantissa);
  else
    value = ldexp (fraction + ldexp (1, mantissa), exponent - bias - mantissa);
  return bits >> (8 * type->bytes - 1) & 1 ? -value : value;
}

/* The upper 64 bits of A times B. */
static guint64
multiply_high (guint64 a, guint64 b)
{
  guint64 a_low = (guint32)a, a_high = a >> 32, b_low = (guint32)b, b_high = b >> 32;
  guint64 middle = a_high * b_low + (a_low * b_low >> 32);

  return a_high * b_high + (middle >> 32) + ((a_low * b_high + (guint32)middle) >> 32);
}

/* What random number H of FILL is as a float. */
WP_INLINE gdouble
get_random_value (const WpFill *fill, guint64 h)
{
  const gdouble low = fill->has_range ? fill->low : 0, high = fill->has_range ? fill->high : 1;
  const gdouble share = (gdouble)(h >> 11) * 0x1p-53;

  return low * (1 - share) + high * share;
}

/* ...as a whole number. */
static inline guint64
get_random_whole (const WpFill *fill, guint64 h)
{
  const guint64 span = fill->whole_high - fill->whole_low + 1;

  if (!fill->has_range || span == 0)
    return h >> (64 - 8 * types[fill->element].bytes);
  return fill->whole_low + multiply_high (h, span);
}

guint64
wp_fill_get_bits (const WpFill *fill, guint64 index)
{
  guint64 h;

  if (fill->kind != WP_FILL_RANDOM)
    return is_float (fill->element) ? wp_element_round (fill->element, (gdouble)index) : index;
  h = wp_mix (wp_mix (fill->seed) ^ index);
  return is_float (fill->element) ? wp_element_round (fill->element, get_random_value (fill, h))
                                  : get_random_whole (fill, h);
}

/* ---- Elements of 32 lanes ---- */

#define LANES WP_FILL_LANES

WP_INLINE gdouble
get_double (guint64 bits)
{
  gdouble value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* get_random_value() of each of H. What is multiplied has 53 bits: the upper 21 and the lower 32 of
 * them are added to numbers whose last bit is worth as much, as there are vectors of doubles on
 * more hosts than conversions to them. */
WP_INLINE void
get_values (const WpFill *fill, const guint64 h[LANES], gdouble values[LANES])
{
  const gdouble low = fill->has_range ? fill->low : 0, high = fill->has_range ? fill->high : 1;

  for (guint lane = 0; lane < LANES; lane++)
    {
      const gdouble upper
          = get_double (G_GUINT64_CONSTANT (0x4530000000000000) | h[lane] >> 43) - 0x1p84;
      const gdouble lower
          = get_double (G_GUINT64_CONSTANT (0x4330000000000000) | (h[lane] >> 11 & G_MAXUINT32))
            - 0x1p52;
      const gdouble share = (upper + lower) * 0x1p-53;

      values[lane] = low * (1 - share) + high * share;
    }
}

WP_INLINE void
get_random_lanes (const WpFill *fill, const guint64 indices[LANES], guint64 bits[LANES])
{
  const guint64 seed = wp_mix (fill->seed);
  gdouble values[LANES];
  guint64 h[LANES];

  for (guint lane = 0; lane < LANES; lane++)
    h[lane] = wp_mix (seed ^ indices[lane]);
  if (!is_float (fill->element))
    for (guint lane = 0; lane < LANES; lane++)
      bits[lane] = get_random_whole (fill, h[lane]);
  else
    get_values (fill, h, values);
  if (fill->element == WP_ELEMENT_F32)
    {
      gfloat singles[LANES];
      guint32 words[LANES];

      for (guint lane = 0; lane < LANES; lane++)
        singles[lane] = (gfloat)values[lane];
      memcpy (words, singles, sizeof words);
      for (guint lane = 0; lane < LANES; lane++)
        bits[lane] = words[lane];
    }
  else if (is_float (fill->element))
    for (guint lane = 0; lane < LANES; lane++)
      bits[lane] = wp_element_round (fill->element, values[lane]);
}

WP_WIDE static void
get_random_lanes_wide (const WpFill *fill, const guint64 indices[LANES], guint64 bits[LANES])
{
  get_random_lanes (fill, indices, bits);
}

void
wp_fill_get_lanes (const WpFill *fill, const guint64 indices[LANES], guint64 bits[LANES])
{
  if (fill->kind != WP_FILL_RANDOM)
    for (guint lane = 0; lane < LANES; lane++)
      bits[lane] = wp_fill_get_bits (fill, indices[lane]);
  else if (wp_host_is_wide ())
    get_random_lanes_wide (fill, indices, bits);
  else
    get_random_lanes (fill, indices, bits);
}

/* ---- Elements of 4 bytes ---- */

WP_INLINE void
get_random_words (const WpFill *fill, guint64 index, const guint64 *relative, guint32 words[LANES])
{
  const guint64 seed = wp_mix (fill->seed);
  gfloat singles[LANES];
  gdouble values[LANES];
  guint64 h[LANES];

  if (relative == NULL)
    for (guint lane = 0; lane < LANES; lane++)
      h[lane] = wp_mix (seed ^ (index + lane));
  else
    for (guint lane = 0; lane < LANES; lane++)
      h[lane] = wp_mix (seed ^ ((4 * index + relative[lane]) >> 2));
  if (fill->element == WP_ELEMENT_F32)
    {
      get_values (fill, h, values);
      for (guint lane = 0; lane < LANES; lane++)
        singles[lane] = (gfloat)values[lane];
      memcpy (words, singles, sizeof singles);
    }
  else
    for (guint lane = 0; lane < LANES; lane++)
      words[lane] = (guint32)get_random_whole (fill, h[lane]);
}

WP_WIDE static void
get_random_words_wide (const WpFill *fill, guint64 index, const guint64 *relative,
                       guint32 words[LANES])
{
  get_random_words (fill, index, relative, words);
}

void
wp_fill_get_words (const WpFill *fill, guint64 index, const guint64 relative[LANES],
                   guint32 words[LANES])
{
  if (fill->kind != WP_FILL_RANDOM)
    for (guint lane = 0; lane < LANES; lane++)
      words[lane] = (guint32)wp_fill_get_bits (
          fill, relative == NULL ? index + lane : (4 * index + relative[lane]) >> 2);
  else if (wp_host_is_wide ())
    get_random_words_wide (fill, index, relative, words);
  else
    get_random_words (fill, index, relative, words);
}
