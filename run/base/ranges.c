/* SPDX-License-Identifier: MIT */
/* A list of ten million numbers, "1-10000000", is one item: it is counted before anybody makes a
 * list of it.
 */
#include "run/base/ranges.h"

GArray *
wp_ranges_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (WpRange));
}

void
wp_ranges_add (GArray *ranges, guint64 number)
{
  const WpRange range = { number, number, 1, FALSE, { 0, 0, 0 } };

  g_array_append_val (ranges, range);
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

GArray *
wp_ranges_list (const GArray *ranges)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < ranges->len; i++)
    {
      const WpRange *range = &g_array_index (ranges, WpRange, i);

      for (guint64 k = 0; k <= (range->last - range->first) / range->step; k++)
        {
          guint64 number = range->first + k * range->step;

          g_array_append_val (numbers, number);
        }
    }
  return numbers;
}

gboolean
wp_ranges_are_alike (const GArray *ranges, const GArray *others)
{
  for (guint i = 0; i < MIN (ranges->len, others->len); i++)
    {
      const WpRange *a = &g_array_index (ranges, WpRange, i);
      const WpRange *b = &g_array_index (others, WpRange, i);

      if (a->first != b->first || a->last != b->last || a->step != b->step)
        return FALSE;
    }
  return ranges->len == others->len;
}
