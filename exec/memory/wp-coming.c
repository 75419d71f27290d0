/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-coming.h"

#include "exec/memory/wp-fill.h" /* wp_mix() */

void
wp_coming_init (WpComing *coming, guint bits)
{
  const guint64 n = G_GUINT64_CONSTANT (1) << bits;

  coming->places = g_new0 (WpComingLine, n);
  coming->mask = n - 1;
}

void
wp_coming_clear (WpComing *coming)
{
  g_clear_pointer (&coming->places, g_free);
}

static inline gboolean
is_coming (const WpComingLine *fill, guint64 line, guint64 now)
{
  return fill->who != 0 && fill->line == line && fill->until > now;
}

void
wp_coming_expect (const WpComing *coming, guint64 line)
{
  __builtin_prefetch (&coming->places[wp_mix (line) & coming->mask], 1);
}

void
wp_coming_add (WpComing *coming, guint64 line, guint sectors, guint64 now, guint64 until,
               guint32 who)
{
  WpComingLine *fill = &coming->places[wp_mix (line) & coming->mask];

  if (is_coming (fill, line, now))
    sectors |= fill->sectors;
  *fill = (WpComingLine){ line, until, who, (guint8)sectors };
}

guint32
wp_coming_find (const WpComing *coming, guint64 line, guint sectors, guint64 now)
{
  const WpComingLine *fill = &coming->places[wp_mix (line) & coming->mask];

  return is_coming (fill, line, now) && (fill->sectors & sectors) != 0 ? fill->who : 0;
}
