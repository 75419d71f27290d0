/* SPDX-License-Identifier: MIT */
/* Every digit counts: no sign, no blank, no value beyond the limits is taken for something near it.
 */
#include "run/base/lists.h"

#include "sim/gpu/wp-types.h"

#include <string.h>

/* The number at *AT, of MIN .. MAX, up to the next character that is no digit; hexadecimal after
 * "0x" where HEX. */
static gboolean
take_number (const gchar **at, gboolean hex, guint64 min, guint64 max, guint64 *number)
{
  gboolean is_hex = hex && g_ascii_strncasecmp (*at, "0x", 2) == 0;
  const gchar *from = *at + (is_hex ? 2 : 0);
  gsize n = strspn (from, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
  g_autofree gchar *digits = g_strndup (from, n);

  *at = from + n;
  return g_ascii_string_to_unsigned (digits, is_hex ? 16 : 10, min, max, number, NULL);
}

static gboolean
parse_range (const gchar *item, gboolean hex, guint64 min, guint64 max, WpRange *range)
{
  *range = (WpRange){ .step = 1 };
  if (!take_number (&item, hex, min, max, &range->first))
    return FALSE;
  range->last = range->first;
  if (*item == '-')
    {
      item++;
      range->is_range = TRUE;
      if (!take_number (&item, hex, range->first, max, &range->last))
        return FALSE;
    }
  if (range->is_range && *item == '/')
    {
      item++;
      if (!take_number (&item, hex, 1, max, &range->step))
        return FALSE;
    }
  return *item == '\0';
}

/* The items of VALUE, or NULL. */
static GArray *
parse_ranges (const gchar *value, gboolean hex, guint64 min, guint64 max)
{
  g_auto (GStrv) items = g_strsplit (value, ",", -1);
  g_autoptr (GArray) ranges = wp_ranges_new ();

  for (guint i = 0; items[i] != NULL; i++)
    {
      WpRange range;

      if (!parse_range (items[i], hex, min, max, &range))
        return NULL;
      wp_ranges_append (ranges, range);
    }
  return ranges->len > 0 ? g_steal_pointer (&ranges) : NULL;
}

static gint
compare_ranges (gconstpointer a, gconstpointer b)
{
  guint64 first = ((const WpRange *)a)->first, second = ((const WpRange *)b)->first;

  return (first > second) - (first < second);
}

/* Whether A and B, which begins no earlier, have a number in common, and which is the first. */
static gboolean
do_meet (const WpRange *a, const WpRange *b, guint64 *number)
{
  guint64 last = MIN (a->last, b->last), n = 0;

  /* Remainders of A's step come again after as many steps as A's step has. */
  for (*number = b->first; *number <= last && n < a->step; n++)
    {
      if ((*number - a->first) % a->step == 0)
        return TRUE;
      if (b->step > last - *number)
        return FALSE;
      *number += b->step;
    }
  return FALSE;
}

gboolean
wp_list_find_number_twice (const GArray *ranges, guint64 *number)
{
  g_autoptr (GArray) sorted = g_array_copy ((GArray *)ranges);

  g_array_sort (sorted, compare_ranges);
  for (guint i = 0; i < sorted->len; i++)
    for (guint k = i + 1; k < sorted->len; k++)
      {
        const WpRange *a = &g_array_index (sorted, WpRange, i);
        const WpRange *b = &g_array_index (sorted, WpRange, k);

        if (b->first > a->last)
          break;
        if (do_meet (a, b, number))
          return TRUE;
      }
  return FALSE;
}

const gchar *
wp_list_find_twice (gchar *const *items)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (; *items != NULL; items++)
    if (!g_hash_table_add (seen, *items))
      return *items;
  return NULL;
}

GStrv
wp_list_parse_words (const gchar *value, GError **error)
{
  g_auto (GStrv) words = g_strsplit (value, ",", -1);
  const gchar *twice;

  for (guint i = 0; i == 0 || words[i] != NULL; i++)
    if (words[i] == NULL || *words[i] == '\0')
      {
        g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                     "\"%s\": expected names with commas between them", value);
        return NULL;
      }
  twice = wp_list_find_twice (words);
  if (twice != NULL)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_OPTION, "gives \"%s\" twice", twice);
      return NULL;
    }
  return g_steal_pointer (&words);
}

GArray *
wp_list_parse_numbers (const gchar *value, guint64 min, guint64 max, GError **error)
{
  GArray *ranges = parse_ranges (value, FALSE, min, max);

  if (ranges == NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                 "\"%s\": expected whole numbers from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                 ", such as 32, or 1,2,8-48, or 4-48/4",
                 value, min, max);
  return ranges;
}

GArray *
wp_list_parse_addresses (const gchar *value, GError **error)
{
  GArray *ranges = parse_ranges (value, TRUE, 0, G_MAXUINT64);

  if (ranges == NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                 "\"%s\": expected addresses below 2^64, such as 4096, or 0x1000,0x1080, or "
                 "0-0x7c/4",
                 value);
  return ranges;
}
