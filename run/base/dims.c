/* SPDX-License-Identifier: MIT */
/* People write sizes as they do in CUDA, dim3(16,16), or as they say them, 16 by 16: what is meant
 * is found again in what is refused, so that the message can say what to type. */
#include "run/base/dims.h"

#include "idg/kernel/idg-kernel.h"
#include "run/base/lists.h"
#include "sim/gpu/wp-types.h"

#include <string.h>

/* What CUDA allows, in each direction and in all: CUDA C++ Programming Guide, "Compute
 * capabilities", table of technical specifications. A single number says no direction: there the
 * limits of a launch hold, and those of the GPU are checked later. */
static const struct
{
  const gchar *what, *unit, *example, *largest;
  guint64 sizes[3];
  guint64 product; /* of sizes */
  guint64 number;  /* by itself */
} kinds[] = {
  [WP_DIMS_BLOCK]
  = { "block", "threads", "16x16", "32x32", { 1024, 1024, 64 }, 1024, IDG_MAX_THREADS },
  [WP_DIMS_GRID] = { "grid",
                     "blocks",
                     "64x64",
                     "65535x65535",
                     { 2147483647, 65535, 65535 },
                     IDG_MAX_BLOCKS,
                     IDG_MAX_BLOCKS },
};

/* ---- What was meant ---- */

/* Takes blanks and signs of multiplication, brackets and dim3 out of VALUE; NULL where no two or
 * three numbers are left. Free with g_free(). */
static gchar *
guess (const gchar *value)
{
  const gchar *at = g_str_has_prefix (value, "dim3") ? value + strlen ("dim3") : value;
  GString *text = g_string_new (NULL);
  guint n = 0;

  while (*at != '\0')
    {
      gsize digits = strspn (at, "0123456789");
      gsize between = digits == 0 ? strspn (at, " ,;*xX()[]{}") : 0;

      if (digits > 0)
        g_string_append_printf (text, "%s%.*s", n++ > 0 ? "x" : "", (int)digits, at);
      else if (between == 0 && g_str_has_prefix (at, "\xc3\x97")) /* the sign × */
        between = 2;
      if (digits + between == 0)
        n = G_MAXUINT16;
      at += digits + between;
      if (n > 3)
        break;
    }
  return g_string_free (text, n < 2 || n > 3);
}

static gboolean parse_sizes (const gchar *value, WpDimsKind kind, WpDims *dims, GError **error);

static gboolean
fail (const gchar *value, WpDimsKind kind, GError **error)
{
  g_autofree gchar *meant = guess (value);
  WpDims dims;

  /* What is meant as sizes can be some; else it is perhaps a list. */
  if (meant != NULL && strcmp (meant, value) != 0 && parse_sizes (meant, kind, &dims, NULL))
    g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                 "\"%s\": expected a whole number, or sizes with an x between them; write %s",
                 value, meant);
  else
    g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                 "\"%s\": expected a whole number from 1 to %" G_GUINT64_FORMAT
                 ", or sizes such as %s%s",
                 value, kinds[kind].number, kinds[kind].example,
                 strchr (value, ',') != NULL ? " (sweep and compare take lists)" : "");
  return FALSE;
}

/* ---- Sizes ---- */

/* Sizes that are numbers, but which no launch of CUDA can have. */
static gboolean
check_sizes (const gchar *value, WpDimsKind kind, WpDims *dims, GError **error)
{
  const guint64 *most = kinds[kind].sizes;

  dims->product = 1;
  for (guint i = 0; i < 3; i++)
    {
      if (dims->sizes[i] < 1 || dims->sizes[i] > most[i])
        {
          g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                       "\"%s\": a %s of CUDA has 1 to %" G_GUINT64_FORMAT " %s in direction %c",
                       value, kinds[kind].what, most[i], kinds[kind].unit, 'x' + (gint)i);
          return FALSE;
        }
      /* Three sizes within their bounds stay below 2^63. */
      dims->product *= dims->sizes[i];
    }
  if (dims->product <= kinds[kind].product)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
               "\"%s\": these are %" G_GUINT64_FORMAT " %s; a %s has at most %" G_GUINT64_FORMAT
               ", such as %s",
               value, dims->product, kinds[kind].unit, kinds[kind].what, kinds[kind].product,
               kinds[kind].largest);
  return FALSE;
}

static gboolean
parse_sizes (const gchar *value, WpDimsKind kind, WpDims *dims, GError **error)
{
  g_auto (GStrv) words = g_strsplit (value, "x", -1);
  guint n = g_strv_length (words);

  for (guint i = 0; i < 3; i++)
    {
      dims->sizes[i] = 1;
      if (n > 3
          || (i < n
              && !g_ascii_string_to_unsigned (words[i], 10, 0, G_MAXUINT64, &dims->sizes[i], NULL)))
        return fail (value, kind, error);
    }
  return check_sizes (value, kind, dims, error);
}

gboolean
wp_dims_parse (const gchar *value, WpDimsKind kind, WpDims *dims, GError **error)
{
  *dims = (WpDims){ { 0, 0, 0 }, 0 };
  /* 0x20 is not 0 by 20, but a hexadecimal number, which nobody takes here. */
  if (strchr (value, 'x') != NULL && !g_str_has_prefix (value, "0x"))
    return parse_sizes (value, kind, dims, error);
  return g_ascii_string_to_unsigned (value, 10, 1, kinds[kind].number, &dims->product, NULL)
         || fail (value, kind, error);
}

/* ---- Lists ---- */

static gboolean
means_sizes (const gchar *item)
{
  g_autofree gchar *meant = guess (item);

  return meant != NULL;
}

/* An item twice is a slip; and two alike are most often the sizes of a square. */
static gboolean
check_items (gchar *const *items, WpDimsKind kind, GError **error)
{
  const gchar *twice = wp_list_find_twice (items);

  if (twice == NULL)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
               "gives \"%s\" twice; the sizes of a %s have an x between them: %s", twice,
               kinds[kind].what, kinds[kind].example);
  return FALSE;
}

/* Appends ITEM of LIST to RANGES. */
static gboolean
add_item (GArray *ranges, const gchar *list, const gchar *item, WpDimsKind kind, GError **error)
{
  g_autoptr (GArray) more = NULL;
  WpDims dims;

  if (strchr (item, 'x') != NULL && strchr (item, '-') == NULL)
    {
      if (!wp_dims_parse (item, kind, &dims, error))
        return FALSE;
      wp_ranges_add (ranges, dims.product);
      memcpy (g_array_index (ranges, WpRange, ranges->len - 1).sizes, dims.sizes,
              sizeof dims.sizes);
      return TRUE;
    }
  more = wp_list_parse_numbers (item, 1, kinds[kind].number, NULL);
  if (more == NULL && strchr (item, '-') == NULL && means_sizes (item))
    return fail (item, kind, error);
  if (more == NULL)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                   "\"%s\": expected whole numbers from 1 to %" G_GUINT64_FORMAT
                   ", such as 32, or 64,128-512, or 32-256/32, or sizes: 256,%s",
                   list, kinds[kind].number, kinds[kind].example);
      return FALSE;
    }
  wp_ranges_append_all (ranges, more);
  return TRUE;
}

GArray *
wp_dims_parse_list (const gchar *value, WpDimsKind kind, GError **error)
{
  g_auto (GStrv) items = g_strsplit (value, ",", -1);
  g_autoptr (GArray) ranges = wp_ranges_new ();

  if (items[0] == NULL)
    {
      fail (value, kind, error);
      return NULL;
    }
  if (!check_items (items, kind, error))
    return NULL;
  for (guint i = 0; items[i] != NULL; i++)
    if (!add_item (ranges, value, items[i], kind, error))
      return NULL;
  return g_steal_pointer (&ranges);
}
