/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-tensor-map.h"

#include <string.h>

#define PIECE 16u /* bytes: what strides, rows of a box and the address are multiples of */
#define MOST_STRIDE (G_GUINT64_CONSTANT (1) << 40)
#define MOST_SIZE (G_GUINT64_CONSTANT (1) << 32)
#define MOST_BOX 256
#define MOST_BYTES (1u << 18) /* of a box: more than any block has */

/* ---- Types ---- */

static const struct
{
  const gchar *name, *word;
  guint8 bytes;
} types[WP_N_TENSOR_TYPES] = {
  [WP_TENSOR_U8] = { "u8", NULL, 1 },
  [WP_TENSOR_U16] = { "u16", NULL, 2 },
  [WP_TENSOR_U32] = { "u32", "U32", 4 },
  [WP_TENSOR_S32] = { "s32", "S32", 4 },
  [WP_TENSOR_U64] = { "u64", "U64", 8 },
  [WP_TENSOR_S64] = { "s64", "S64", 8 },
  [WP_TENSOR_F16] = { "f16", "F16", 2 },
  [WP_TENSOR_F32] = { "f32", "F32", 4 },
  [WP_TENSOR_F32_FTZ] = { "f32ftz", "F32", 4 },
  [WP_TENSOR_F64] = { "f64", "F64", 8 },
  [WP_TENSOR_BF16] = { "bf16", "BF16", 2 },
  [WP_TENSOR_TF32] = { "tf32", "F32", 4 },
  [WP_TENSOR_TF32_FTZ] = { "tf32ftz", "F32", 4 },
};

WpTensorType
wp_tensor_type_find (const gchar *name)
{
  guint k = 0;

  while (k < WP_N_TENSOR_TYPES && strcmp (types[k].name, name) != 0)
    k++;
  return (WpTensorType)k;
}

guint
wp_tensor_type_get_bytes (WpTensorType type)
{
  return type < WP_N_TENSOR_TYPES ? types[type].bytes : 1;
}

const gchar *
wp_tensor_type_get_word (WpTensorType type)
{
  return types[type].word;
}

/* ---- What is right ---- */

guint
wp_tensor_map_get_rows (const WpTensorMap *map)
{
  guint rows = 1;

  for (guint k = 1; k < map->n; k++)
    rows *= map->box[k];
  return rows;
}

static gchar *
check_dimension (const WpTensorMap *map, guint k)
{
  if (map->sizes[k] == 0 || map->sizes[k] > MOST_SIZE)
    return g_strdup_printf ("size %u of a tensor map is %" G_GUINT64_FORMAT
                            "; expected 1 to 4294967296",
                            k + 1, map->sizes[k]);
  if (map->box[k] == 0 || map->box[k] > MOST_BOX)
    return g_strdup_printf ("the box of a tensor map is %u elements long in dimension %u; expected "
                            "1 to 256",
                            map->box[k], k + 1);
  if (k > 0 && (map->strides[k] % PIECE != 0 || map->strides[k] >= MOST_STRIDE))
    return g_strdup_printf ("a stride of a tensor map is %" G_GUINT64_FORMAT
                            " bytes, in dimension %u; expected a multiple of 16 below 2^40",
                            map->strides[k], k + 1);
  if (map->steps[k] != 1)
    return g_strdup_printf ("a tensor map whose box takes each %u%s element of dimension %u is not "
                            "covered by execution",
                            map->steps[k],
                            map->steps[k] == 2   ? "nd"
                            : map->steps[k] == 3 ? "rd"
                                                 : "th",
                            k + 1);
  return NULL;
}

gchar *
wp_tensor_map_check (const WpTensorMap *map)
{
  guint64 bytes = wp_tensor_map_get_row_bytes (map);
  gchar *problem = NULL;

  if (map->type >= WP_N_TENSOR_TYPES)
    return g_strdup ("a tensor map whose elements have 4 or 6 bits is not covered by execution");
  if (map->interleave != 0)
    return g_strdup ("a tensor map with interleaved data is not covered by execution");
  if (map->has_nan)
    return g_strdup ("a tensor map that fills in NaN is not covered by execution");
  if (map->atomicity != 0)
    return g_strdup ("a tensor map that swizzles more than 16 bytes together is not covered by "
                     "execution");
  for (guint k = 0; k < map->n && problem == NULL; k++)
    problem = check_dimension (map, k);
  if (problem != NULL)
    return problem;
  if (bytes % PIECE != 0)
    return g_strdup_printf ("rows of a tensor map's box are %u bytes long; expected a multiple of "
                            "16",
                            (guint)bytes);
  if (map->swizzled > 0 && bytes > PIECE << map->swizzled)
    return g_strdup_printf ("rows of a tensor map's box are %u bytes long, which is more than the "
                            "%u of its swizzle",
                            (guint)bytes, PIECE << map->swizzled);
  if (map->address % PIECE != 0)
    return g_strdup_printf ("the address of a tensor map is 0x%" G_GINT64_MODIFIER
                            "x; expected a multiple of 16",
                            map->address);
  for (guint k = 1; k < map->n && bytes <= MOST_BYTES; k++)
    bytes *= map->box[k];
  if (bytes > MOST_BYTES)
    return g_strdup_printf ("the box of a tensor map has more than the %u bytes that shared memory "
                            "could have",
                            MOST_BYTES);
  return NULL;
}

/* ---- As bytes ---- */

static guint32
get_word (const guint8 *bytes, guint at)
{
  guint32 word;

  memcpy (&word, bytes + at, sizeof word);
  return GUINT32_FROM_LE (word);
}

static void
put_word (guint8 *bytes, guint at, guint32 word)
{
  word = GUINT32_TO_LE (word);
  memcpy (bytes + at, &word, sizeof word);
}

/* Of types beyond the first eleven a bit stands apart. */
#define APART (1u << 16)

static guint32
encode_type (WpTensorType type)
{
  return type < WP_TENSOR_TF32 ? (guint32)type << 7
                               : APART | (guint32)(type - WP_TENSOR_TF32 + WP_TENSOR_F32) << 7;
}

static WpTensorType
decode_type (guint32 word)
{
  const guint type = word >> 7 & 15;

  if (!(word & APART))
    return type <= WP_TENSOR_BF16 ? (WpTensorType)type : WP_N_TENSOR_TYPES;
  return type == WP_TENSOR_F32       ? WP_TENSOR_TF32
         : type == WP_TENSOR_F32_FTZ ? WP_TENSOR_TF32_FTZ
                                     : WP_N_TENSOR_TYPES;
}

void
wp_tensor_map_encode (const WpTensorMap *map, guint8 bytes[WP_TENSOR_MAP_BYTES])
{
  guint32 high = 0, steps = 0;

  memset (bytes, 0, WP_TENSOR_MAP_BYTES);
  put_word (bytes, 0, (guint32)map->address);
  put_word (bytes, 4, (guint32)(map->address >> 32));
  put_word (bytes, 8,
            (map->n - 1) << 4 | encode_type (map->type) | map->interleave << 11
                | map->swizzled << 13 | (map->has_nan ? 1u << 15 : 0));
  for (guint k = 0; k < map->n; k++)
    {
      if (k > 0)
        {
          put_word (bytes, 8 + 4 * k, (guint32)(map->strides[k] / PIECE));
          high |= (guint32)(map->strides[k] / PIECE >> 32) << 4 * (k - 1);
        }
      put_word (bytes, 32 + 4 * k, (guint32)(map->sizes[k] - 1));
      steps |= (map->steps[k] - 1) << 3 * k;
      bytes[55 + k] = (guint8)(map->box[k] - 1);
    }
  put_word (bytes, 28, high);
  bytes[52] = (guint8)steps;
  bytes[53] = (guint8)(steps >> 8);
}

void
wp_tensor_map_decode (const guint8 bytes[WP_TENSOR_MAP_BYTES], WpTensorMap *map)
{
  const guint32 word = get_word (bytes, 8);

  memset (map, 0, sizeof *map);
  map->address = get_word (bytes, 0) | (guint64)get_word (bytes, 4) << 32;
  map->n = MIN ((word >> 4 & 7) + 1, WP_TENSOR_DIMENSIONS);
  map->type = decode_type (word);
  map->interleave = word >> 11 & 3;
  map->swizzled = word >> 13 & 3;
  map->atomicity = word >> 19 & 15;
  map->has_nan = (word >> 15 & 1) != 0;
  for (guint k = 0; k < map->n; k++)
    {
      map->strides[k] = k == 0 ? wp_tensor_type_get_bytes (map->type)
                               : (get_word (bytes, 8 + 4 * k)
                                  | (guint64)(get_word (bytes, 28) >> 4 * (k - 1) & 15) << 32)
                                     * PIECE;
      map->sizes[k] = (guint64)get_word (bytes, 32 + 4 * k) + 1;
      map->steps[k] = (get_word (bytes, 52) >> 3 * k & 7) + 1;
      map->box[k] = (guint)bytes[55 + k] + 1;
    }
}
