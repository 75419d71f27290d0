/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-progression.h"

#include "exec/machine/wp-lanes.h"
#include "exec/memory/wp-vectors.h"

#include <string.h>

typedef guint32 Eight __attribute__ ((vector_size (32)));

WP_INLINE void
put (WpWarp *warp, guint row, WpProgression progression, WpTag tag)
{
  const Eight lanes = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const Eight a = lanes * progression.step + progression.first, b = a + 8 * progression.step;
  const Eight c = b + 8 * progression.step, d = c + 8 * progression.step;
  guint32 *words = warp->r[row];

  memcpy (words, &a, sizeof a);
  memcpy (words + 8, &b, sizeof b);
  memcpy (words + 16, &c, sizeof c);
  memcpy (words + 24, &d, sizeof d);
  warp->r_shape[row] = (WpRowShape){ wp_shape_of_step (progression.step), WP_ALL_LANES };
  warp->r_unknown[row] = 0;
  warp->r_tag[row] = tag;
}

WP_WIDE static void
put_wide (WpWarp *warp, guint row, WpProgression progression, WpTag tag)
{
  put (warp, row, progression, tag);
}

void
wp_put_progression (WpWarp *warp, guint row, WpProgression progression, WpTag tag)
{
  if (wp_host_is_wide ())
    put_wide (warp, row, progression, tag);
  else
    put (warp, row, progression, tag);
}

gboolean
wp_put_progression_wide (WpWarp *warp, guint row, guint64 first, gint64 step, WpTag tag)
{
  const guint64 last = first + (WP_LANES - 1) * (guint64)step;

  /* By less than 2^32 a lane it does not come round to the same upper word again. */
  if (step < G_MININT32 || step > G_MAXINT32 || first >> 32 != last >> 32)
    return FALSE;
  wp_put_progression (warp, row, (WpProgression){ (guint32)first, (guint32)step }, tag);
  wp_put_progression (warp, row + 1, (WpProgression){ first >> 32, 0 }, tag);
  return TRUE;
}

WP_INLINE guint32
put_words (WpWarp *warp, guint row, guint from, guint32 word)
{
  guint32 *to = warp->r[row], over[WP_LANES];
  const guint32 *words = warp->r[from];

  for (guint k = 0; k < WP_LANES; k++)
    {
      const guint32 sum = words[k] + word;

      over[k] = sum < word ? ~0u : 0;
      to[k] = sum;
    }
  return wp_pack_signs (over);
}

WP_WIDE static guint32
put_words_wide (WpWarp *warp, guint row, guint from, guint32 word)
{
  return put_words (warp, row, from, word);
}

guint32
wp_put_moved (WpWarp *warp, guint row, guint from, guint32 word, WpTag tag)
{
  const guint32 over = wp_host_is_wide () ? put_words_wide (warp, row, from, word)
                                          : put_words (warp, row, from, word);

  warp->r_shape[row] = warp->r_shape[from];
  warp->r_unknown[row] = 0;
  warp->r_tag[row] = tag;
  return over;
}
