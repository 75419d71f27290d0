/* SPDX-License-Identifier: MIT */
/* A tensor map (CUtensorMap, cuTensorMapEncodeTiled()): an array of up to five dimensions in device
 * memory, and the box of it that one instruction moves. Its 128 bytes are documented nowhere; where
 * each field lies is what ptxas 13.0 makes of tensormap.replace (PTX ISA), which changes them one
 * by one, the same for sm_90a, sm_100a and sm_120a:
 *
 *   byte 0    the address
 *   byte 8    bits 4 to 6 the dimensions less 1, 7 to 10 the type, 11 and 12 the interleave, 13 and
 *             14 the swizzle, 15 how what is outside is filled, 16 tf32, 19 to 22 how much of it is
 *             swizzled together
 *   byte 12   the strides of dimensions 1 to 4 / 16, 32 bits each; bits 32 to 35 of them from byte
 *             28 on
 *   byte 32   the sizes less 1, 32 bits each
 *   byte 52   bits 0 to 14 the steps of the box less 1, 3 bits each; byte 55 its size in dimension
 *             0 less 1, bytes 56 to 59 those of dimensions 1 to 4
 *
 * It knows nothing of memory: an address is a number. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_TENSOR_MAP_BYTES 128
#define WP_TENSOR_MAP_ALIGN 64
#define WP_TENSOR_DIMENSIONS 5 /* at most */

/* Types of elements, in the order of tensormap.replace. */
typedef enum
{
  WP_TENSOR_U8,
  WP_TENSOR_U16,
  WP_TENSOR_U32,
  WP_TENSOR_S32,
  WP_TENSOR_U64,
  WP_TENSOR_S64,
  WP_TENSOR_F16,
  WP_TENSOR_F32,
  WP_TENSOR_F32_FTZ,
  WP_TENSOR_F64,
  WP_TENSOR_BF16,
  WP_TENSOR_TF32,
  WP_TENSOR_TF32_FTZ,
  WP_N_TENSOR_TYPES
} WpTensorType;

/* Dimension 0 is the one whose elements lie side by side. */
typedef struct
{
  guint64 address;
  WpTensorType type;
  guint n;                               /* dimensions, 1 to WP_TENSOR_DIMENSIONS */
  guint64 sizes[WP_TENSOR_DIMENSIONS];   /* elements, up to 2^32 */
  guint64 strides[WP_TENSOR_DIMENSIONS]; /* bytes, [0] those of an element */
  guint box[WP_TENSOR_DIMENSIONS];       /* elements, up to 256 */
  guint steps[WP_TENSOR_DIMENSIONS];     /* of the box, elements: 1 to 8 */
  guint swizzled;   /* 16 << this bytes change places among themselves; 0: none do */
  guint atomicity;  /* 0: 16 bytes change their place together */
  guint interleave; /* 0: none, 1 or 2: 16 or 32 bytes */
  gboolean has_nan; /* what is outside of the array is NaN, and not 0 */
} WpTensorMap;

/* The type called NAME (u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, tf32), or
 * WP_N_TENSOR_TYPES; all names, for messages. */
WpTensorType wp_tensor_type_find (const gchar *name);
#define WP_TENSOR_TYPE_NAMES "u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, tf32"

/* Bytes of an element. */
guint wp_tensor_type_get_bytes (WpTensorType type);

/* What atomics call TYPE, "F16" (static); NULL: they have none. */
const gchar *wp_tensor_type_get_word (WpTensorType type);

/* The bytes of a row of MAP's box, and of all of it. */
static inline guint
wp_tensor_map_get_row_bytes (const WpTensorMap *map)
{
  return map->box[0] * (guint)map->strides[0];
}

guint wp_tensor_map_get_rows (const WpTensorMap *map); /* of one that is right */

/* Why cuTensorMapEncodeTiled() would refuse MAP, or, of what it takes, what execution does not
 * cover: a sentence to be freed with g_free(). NULL: it is fine. */
gchar *wp_tensor_map_check (const WpTensorMap *map);

/* To and from the bytes of one. Whether what is decoded makes sense is wp_tensor_map_check()'s. */
void wp_tensor_map_encode (const WpTensorMap *map, guint8 bytes[WP_TENSOR_MAP_BYTES]);
void wp_tensor_map_decode (const guint8 bytes[WP_TENSOR_MAP_BYTES], WpTensorMap *map);

/* Where the 16 bytes at ADDRESS of shared memory are, of which 16 << SWIZZLED change places (PTX
 * ISA, "Swizzling Modes"). */
static inline guint32
wp_tensor_swizzle (guint32 address, guint swizzled)
{
  return address ^ (address >> 7 & ((1u << swizzled) - 1)) << 4;
}

G_END_DECLS
