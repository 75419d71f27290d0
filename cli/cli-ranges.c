/* SPDX-License-Identifier: MIT */
#include "cli/cli-ranges.h"

#include <string.h>

/* The number at *AT, of MIN .. MAX, up to the next character that is no digit. */
static gboolean
take_number (const gchar **at, guint64 min, guint64 max, guint64 *number)
{
  gsize n = strspn (*at, "0123456789");
  g_autofree gchar *digits = g_strndup (*at, n);

  *at += n;
  return g_ascii_string_to_unsigned (digits, 10, min, max, number, NULL);
}

static gboolean
parse_range (const gchar *item, guint64 min, guint64 max, WpRange *range)
{
  *range = (WpRange){ .step = 1 };
  if (!take_number (&item, min, max, &range->first))
    return FALSE;
  range->last = range->first;
  if (*item == '-')
    {
      item++;
      range->is_range = TRUE;
      if (!take_number (&item, range->first, max, &range->last))
        return FALSE;
    }
  if (range->is_range && *item == '/')
    {
      item++;
      if (!take_number (&item, 1, max, &range->step))
        return FALSE;
    }
  return *item == '\0';
}

GStrv
wp_cli_parse_words (const WpCommand *command, const gchar *option, const gchar *value)
{
  g_auto (GStrv) words = g_strsplit (value, ",", -1);

  for (guint i = 0; i == 0 || words[i] != NULL; i++)
    if (words[i] == NULL || *words[i] == '\0')
      {
        wp_cli_usage (command, "--%s \"%s\": expected names with commas between them", option,
                      value);
        return NULL;
      }
  for (guint i = 0; words[i] != NULL; i++)
    for (guint k = 0; k < i; k++)
      if (strcmp (words[i], words[k]) == 0)
        {
          wp_cli_usage (command, "--%s gives \"%s\" twice", option, words[i]);
          return NULL;
        }
  return g_steal_pointer (&words);
}

GArray *
wp_cli_parse_ranges (const WpCommand *command, const gchar *option, const gchar *value, guint64 min,
                     guint64 max)
{
  g_auto (GStrv) items = g_strsplit (value, ",", -1);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (WpRange));

  for (guint i = 0; items[i] != NULL; i++)
    {
      WpRange range;

      if (!parse_range (items[i], min, max, &range))
        break;
      g_array_append_val (ranges, range);
    }
  if (ranges->len > 0 && ranges->len == g_strv_length (items))
    return g_steal_pointer (&ranges);
  wp_cli_usage (command,
                "--%s \"%s\": expected whole numbers from %" G_GUINT64_FORMAT
                " to %" G_GUINT64_FORMAT ", such as 32, or 1,2,8-48, or 4-48/4",
                option, value, min, max);
  return NULL;
}

guint64
wp_ranges_count (const GArray *ranges)
{
  guint64 count = 0;

  for (guint i = 0; i < ranges->len; i++)
    {
      const WpRange *range = &g_array_index (ranges, WpRange, i);
      guint64 more = (range->last - range->first) / range->step;

      if (more >= G_MAXUINT64 - count)
        return G_MAXUINT64;
      count += more + 1;
    }
  return count;
}
