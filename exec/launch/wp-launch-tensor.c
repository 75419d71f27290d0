/* SPDX-License-Identifier: MIT */
#include "exec/launch/wp-launch-tensor.h"

#include "exec/memory/wp-tensor-map.h"

#include <string.h>

/* The bytes that change their place together with those of a swizzle, 16 << k. */
static const guint swizzles[] = { 0, 32, 64, 128 };

static gboolean
is_name (const WpLaunchValue *value)
{
  return value->kind == WP_LAUNCH_POINTER && value->name != NULL;
}

/* Takes the whole numbers of VALUE, {N, N, ...}; returns how many, or 0 with the error that says
 * WHAT they are. None is below LEAST. */
static guint
take_numbers (WpLaunchParser *parser, const gchar *what, const WpLaunchValue *value, guint least,
              guint64 *numbers)
{
  const guint n = value->kind == WP_LAUNCH_STRUCTURE ? value->members->len : 0;

  if (n == 0 || n > WP_TENSOR_DIMENSIONS)
    {
      wp_launch_parser_fail (parser,
                             "before this: %s of a tensor map: expected at most %d numbers in {}",
                             what, WP_TENSOR_DIMENSIONS);
      return 0;
    }
  for (guint k = 0; k < n; k++)
    {
      const WpLaunchValue *member = g_ptr_array_index (value->members, k);

      if (member->kind != WP_LAUNCH_WHOLE || member->whole < (gint64)least
          || member->whole >> 40 != 0)
        {
          wp_launch_parser_fail (parser,
                                 "before this: %s of a tensor map: expected whole numbers from %u "
                                 "to 2^40",
                                 what, least);
          return 0;
        }
      numbers[k] = (guint64)member->whole;
    }
  return n;
}

/* The same of exactly N. */
static gboolean
take_as_many (WpLaunchParser *parser, const gchar *what, const WpLaunchValue *value, guint n,
              guint least, guint64 *numbers)
{
  const guint found = take_numbers (parser, what, value, least, numbers);

  return found == n
         || (found > 0
             && wp_launch_parser_fail (parser,
                                       "before this: %s of a tensor map: %u number%s; expected %u",
                                       what, found, found == 1 ? "" : "s", n));
}

static gboolean
take_type (WpLaunchParser *parser, const WpLaunchValue *value, WpTensorMap *map)
{
  map->type = is_name (value) ? wp_tensor_type_find (value->name) : WP_N_TENSOR_TYPES;
  if (map->type == WP_N_TENSOR_TYPES)
    return wp_launch_parser_fail (parser, "before this: expected the type of a tensor map's "
                                          "elements, one of these: " WP_TENSOR_TYPE_NAMES);
  map->strides[0] = wp_tensor_type_get_bytes (map->type);
  return TRUE;
}

static gboolean
take_box (WpLaunchParser *parser, const WpLaunchValue *value, WpTensorMap *map)
{
  guint64 box[WP_TENSOR_DIMENSIONS];

  if (!take_as_many (parser, "the box", value, map->n, 1, box))
    return FALSE;
  for (guint k = 0; k < map->n; k++)
    {
      map->box[k] = (guint)MIN (box[k], G_MAXUINT16);
      map->steps[k] = 1;
    }
  return TRUE;
}

static gboolean
take_swizzle (WpLaunchParser *parser, const WpLaunchValue *value, WpTensorMap *map)
{
  for (guint k = 0; k < G_N_ELEMENTS (swizzles); k++)
    if (value->kind == WP_LAUNCH_WHOLE && value->whole == swizzles[k])
      {
        map->swizzled = k;
        return TRUE;
      }
  return wp_launch_parser_fail (parser, "before this: the swizzle of a tensor map: expected 0, 32, "
                                        "64 or 128");
}

/* Strides where nothing lies between rows. */
static void
find_strides (WpTensorMap *map)
{
  for (guint k = 1; k < map->n; k++)
    map->strides[k] = map->strides[k - 1] * map->sizes[k - 1];
}

/* The arguments behind the buffer. A stride may be 0, as it is of no account where a dimension has
 * one element. */
static gboolean
take_rest (WpLaunchParser *parser, const GPtrArray *arguments, WpTensorMap *map)
{
  if (!take_type (parser, g_ptr_array_index (arguments, 1), map))
    return FALSE;
  map->n = take_numbers (parser, "the sizes", g_ptr_array_index (arguments, 2), 1, map->sizes);
  if (map->n == 0 || !take_box (parser, g_ptr_array_index (arguments, 3), map))
    return FALSE;
  find_strides (map);
  if (arguments->len > 4 && !take_swizzle (parser, g_ptr_array_index (arguments, 4), map))
    return FALSE;
  return arguments->len <= 5
         || take_as_many (parser, "the strides", g_ptr_array_index (arguments, 5), map->n - 1, 0,
                          map->strides + 1);
}

/* MAP of what BUFFER names as a structure: its address, and words. */
static WpLaunchValue *
make_structure (const WpLaunchValue *buffer, const WpTensorMap *map)
{
  WpLaunchValue *structure = wp_launch_value_new (WP_LAUNCH_STRUCTURE);
  WpLaunchValue *pointer = wp_launch_value_new (WP_LAUNCH_POINTER);
  guint8 bytes[WP_TENSOR_MAP_BYTES];

  wp_tensor_map_encode (map, bytes);
  structure->type = g_strdup (WP_TENSOR_MAP_TYPE);
  pointer->name = g_strdup (buffer->name);
  pointer->offset = buffer->offset;
  pointer->element = wp_tensor_type_get_bytes (map->type);
  g_ptr_array_add (structure->members, pointer);
  for (guint at = 8; at < WP_TENSOR_MAP_BYTES; at += 4)
    {
      WpLaunchValue *word = wp_launch_value_new (WP_LAUNCH_WHOLE);
      guint32 bits;

      memcpy (&bits, bytes + at, sizeof bits);
      word->whole = GUINT32_FROM_LE (bits);
      word->bytes = 4;
      g_ptr_array_add (structure->members, word);
    }
  return structure;
}

WpLaunchValue *
wp_launch_make_tensor_map (WpLaunchParser *parser, const GPtrArray *arguments)
{
  const WpLaunchValue *buffer = arguments->len > 0 ? g_ptr_array_index (arguments, 0) : NULL;
  g_autofree gchar *problem = NULL;
  WpTensorMap map = { .address = 0 };

  if (arguments->len < 4 || arguments->len > WP_TENSOR_MAP_ARGUMENTS)
    {
      wp_launch_parser_fail (parser,
                             "before this: %u argument%s of a tensor map; expected "
                             "(BUFFER, TYPE, {SIZES}, {BOX}[, SWIZZLE[, {STRIDES}]])",
                             arguments->len, arguments->len == 1 ? "" : "s");
      return NULL;
    }
  if (!is_name (buffer))
    {
      wp_launch_parser_fail (parser, "before this: a tensor map: expected the name of a buffer: "
                                     "" WP_TENSOR_MAP_EXAMPLE);
      return NULL;
    }
  if (!take_rest (parser, arguments, &map))
    return NULL;
  map.address = (guint64)buffer->offset * wp_tensor_type_get_bytes (map.type);
  problem = wp_tensor_map_check (&map);
  if (problem != NULL)
    {
      wp_launch_parser_fail (parser, "before this: %s", problem);
      return NULL;
    }
  return make_structure (buffer, &map);
}
