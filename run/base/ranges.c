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

/* BEFORE and the numbers of RANGE. */
static guint64
count_with (guint64 before, const WpRange *range)
{
  guint64 more = (range->last - range->first) / range->step;

  return before == G_MAXUINT64 || more >= G_MAXUINT64 - before ? G_MAXUINT64 : before + more + 1;
}

guint64
wp_ranges_count (const GArray *ranges)
{
  const WpRange *last = ranges->len > 0 ? &g_array_index (ranges, WpRange, ranges->len - 1) : NULL;

  return last != NULL ? count_with (last->before, last) : 0;
}

void
wp_ranges_append (GArray *ranges, WpRange range)
{
  range.before = wp_ranges_count (ranges);
  g_array_append_val (ranges, range);
}

void
wp_ranges_append_all (GArray *ranges, const GArray *more)
{
  for (guint i = 0; i < more->len; i++)
    wp_ranges_append (ranges, g_array_index (more, WpRange, i));
}

void
wp_ranges_add (GArray *ranges, guint64 number)
{
  wp_ranges_append (ranges, (WpRange){ .first = number, .last = number, .step = 1 });
}

const WpRange *
wp_ranges_find (const GArray *ranges, guint64 i)
{
  const WpRange *all = (const WpRange *)ranges->data;
  guint low = 0;

  for (guint high = ranges->len; high - low > 1;) /* all[low] begins at or before I */
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].before <= i)
        low = middle;
      else
        high = middle;
    }
  return &all[low];
}

guint64
wp_ranges_get (const GArray *ranges, guint64 i)
{
  const WpRange *range = wp_ranges_find (ranges, i);

  return range->first + (i - range->before) * range->step;
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
