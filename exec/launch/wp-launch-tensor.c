/* SPDX-License-Identifier: MIT */
#include "exec/launch/wp-launch-tensor.h"

#include "exec/memory/wp-tensor-map.h"

#include <string.h>

/* The bytes that change their place together with those of a swizzle, 16 << k. */
static const guint swizzles[] = { 0, 32, 64, 128 };

/* Reads {N, N, ...}, of which there may be MOST; how many there are, or 0 with the error. */
static guint
parse_numbers (WpLaunchParser *parser, const gchar *what, guint most, guint64 *numbers)
{
  guint n = 0;

  if (!wp_launch_parser_expect (parser, "{"))
    return 0;
  do
    {
      g_autoptr (WpLaunchValue) value = NULL;

      if (n == most)
        {
          wp_launch_parser_fail (parser, "expected \"}\": %s of a tensor map %s %u number%s", what,
                                 most == 1 ? "is" : "are", most, most == 1 ? "" : "s");
          return 0;
        }
      value = wp_launch_parse_value (parser);
      if (value == NULL)
        return 0;
      if (value->kind != WP_LAUNCH_WHOLE || value->whole < 1 || value->whole >> 40 != 0)
        {
          wp_launch_parser_fail (parser,
                                 "%s of a tensor map: expected a whole number from 1 to 2^40 "
                                 "before this",
                                 what);
          return 0;
        }
      numbers[n++] = (guint64)value->whole;
    }
  while (wp_launch_parser_accept (parser, ","));
  return wp_launch_parser_expect (parser, "}") ? n : 0;
}

/* The same of exactly N, as MAP has dimensions. */
static gboolean
parse_as_many (WpLaunchParser *parser, const gchar *what, guint n, guint64 *numbers)
{
  const guint found = parse_numbers (parser, what, n, numbers);

  return found == n
         || (found > 0
             && wp_launch_parser_fail (parser, "%s of a tensor map: %u before this; expected %u",
                                       what, found, n));
}

static gboolean
parse_type (WpLaunchParser *parser, WpTensorMap *map)
{
  g_autofree gchar *name = NULL;

  if (parser->token.kind == WP_TOKEN_NAME)
    name = g_strndup (parser->token.begin, (gsize)(parser->token.end - parser->token.begin));
  map->type = name != NULL ? wp_tensor_type_find (name) : WP_N_TENSOR_TYPES;
  if (map->type == WP_N_TENSOR_TYPES)
    return wp_launch_parser_fail (parser, "expected the type of a tensor map's elements, one of "
                                          "these: " WP_TENSOR_TYPE_NAMES);
  wp_launch_parser_next (parser);
  return TRUE;
}

static gboolean
parse_box (WpLaunchParser *parser, WpTensorMap *map)
{
  guint64 box[WP_TENSOR_DIMENSIONS];

  if (!parse_as_many (parser, "the box", map->n, box))
    return FALSE;
  for (guint k = 0; k < map->n; k++)
    {
      map->box[k] = (guint)MIN (box[k], G_MAXUINT16);
      map->steps[k] = 1;
    }
  return TRUE;
}

static gboolean
parse_swizzle (WpLaunchParser *parser, WpTensorMap *map)
{
  g_autoptr (WpLaunchValue) value = wp_launch_parse_value (parser);

  if (value == NULL)
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (swizzles); k++)
    if (value->kind == WP_LAUNCH_WHOLE && value->whole == swizzles[k])
      {
        map->swizzled = k;
        return TRUE;
      }
  return wp_launch_parser_fail (parser,
                                "the swizzle of a tensor map: expected 0, 32, 64 or 128 before "
                                "this");
}

/* Strides where nothing lies between rows. */
static void
find_strides (WpTensorMap *map)
{
  for (guint k = 1; k < map->n; k++)
    map->strides[k] = map->strides[k - 1] * map->sizes[k - 1];
}

static gboolean
parse_map (WpLaunchParser *parser, WpTensorMap *map)
{
  if (!wp_launch_parser_expect (parser, ",") || !parse_type (parser, map)
      || !wp_launch_parser_expect (parser, ","))
    return FALSE;
  map->strides[0] = wp_tensor_type_get_bytes (map->type);
  map->n = parse_numbers (parser, "the sizes", WP_TENSOR_DIMENSIONS, map->sizes);
  if (map->n == 0 || !wp_launch_parser_expect (parser, ",") || !parse_box (parser, map))
    return FALSE;
  find_strides (map);
  if (wp_launch_parser_accept (parser, ",") && !parse_swizzle (parser, map))
    return FALSE;
  if (wp_launch_parser_accept (parser, ",")
      && !parse_as_many (parser, "the strides", map->n - 1, map->strides + 1))
    return FALSE;
  return wp_launch_parser_expect (parser, ")");
}

/* MAP of what BUFFER names as a structure: its address, and words. */
static WpLaunchValue *
make_structure (WpLaunchValue *buffer, const WpTensorMap *map)
{
  WpLaunchValue *structure = wp_launch_value_new (WP_LAUNCH_STRUCTURE);
  guint8 bytes[WP_TENSOR_MAP_BYTES];

  wp_tensor_map_encode (map, bytes);
  structure->type = g_strdup (WP_TENSOR_MAP_TYPE);
  buffer->element = wp_tensor_type_get_bytes (map->type);
  g_ptr_array_add (structure->members, buffer);
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
wp_launch_parse_tensor_map (WpLaunchParser *parser)
{
  g_autoptr (WpLaunchValue) buffer = NULL;
  g_autofree gchar *problem = NULL;
  WpTensorMap map = { .address = 0 };

  if (!wp_launch_parser_expect (parser, "("))
    return NULL;
  buffer = wp_launch_parse_value (parser);
  if (buffer == NULL)
    return NULL;
  if (buffer->kind != WP_LAUNCH_POINTER || buffer->name == NULL)
    {
      wp_launch_parser_fail (parser, "expected the name of a buffer before this: "
                                     "" WP_TENSOR_MAP_EXAMPLE);
      return NULL;
    }
  if (!parse_map (parser, &map))
    return NULL;
  map.address = (guint64)buffer->offset * wp_tensor_type_get_bytes (map.type);
  problem = wp_tensor_map_check (&map);
  if (problem != NULL)
    {
      wp_launch_parser_fail (parser, "before this: %s", problem);
      return NULL;
    }
  return make_structure (g_steal_pointer (&buffer), &map);
}
