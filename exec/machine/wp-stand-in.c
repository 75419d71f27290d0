/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-stand-in.h"

#include "exec/machine/wp-block.h"
#include "exec/memory/wp-fill.h" /* wp_mix() */
#include "exec/memory/wp-vectors.h"

#define GOLDEN 0x9e3779b9u /* 2^32 / the golden ratio: what words of one place are told apart by */

typedef guint32 Row[WP_LANES];

/* TO becomes a hash of FROM, lane by lane, where MASK has a bit, shifted right. */
WP_INLINE void
mix (guint32 *to, const guint32 *from, guint32 salt, guint shift)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    to[lane] = wp_stand_in_mix (from[lane] + salt) >> shift;
}

WP_WIDE static void
mix_wide (guint32 *to, const guint32 *from, guint32 salt, guint shift)
{
  mix (to, from, salt, shift);
}

static void
mix_row (guint32 *to, const guint32 *from, guint32 salt, guint shift)
{
  if (wp_host_is_wide ())
    mix_wide (to, from, salt, shift);
  else
    mix (to, from, salt, shift);
}

void
wp_stand_in_loaded (WpData *data, const guint64 places[WP_LANES], guint32 mask, guint bytes,
                    gboolean is_signed)
{
  const guint narrow = bytes < 4 ? 8 * bytes : 32;
  Row keys, numbers;

  for (guint lane = 0; lane < WP_LANES; lane++)
    keys[lane] = (guint32)places[lane] ^ (guint32)(places[lane] >> 32) * GOLDEN;
  for (guint k = 0; k == 0 || 4 * k < bytes; k++)
    {
      if ((data->unknown[k] & mask) == 0)
        continue;
      mix_row (numbers, keys, k * GOLDEN, narrow == 32 ? 1 : 32 - narrow);
      for (guint lane = 0; k % 2 == 1 && lane < WP_LANES; lane++)
        numbers[lane] = wp_stand_in_join (data->rows[k - 1][lane], numbers[lane]);
      for (guint lane = 0; is_signed && narrow < 32 && lane < WP_LANES; lane++)
        numbers[lane]
            = narrow == 8 ? (guint32)(gint8)numbers[lane] : (guint32)(gint16)numbers[lane];
      wp_blend (data->rows[k], numbers, data->unknown[k] & mask);
    }
  data->stands |= mask;
}

void
wp_stand_in_own (const WpWarp *warp, guint32 (*rows)[WP_LANES], const guint32 *unknown, guint n,
                 guint32 mask)
{
  const guint32 salt
      = (guint32)wp_mix (wp_mix (warp->block->number ^ wp_mix (warp->number)) ^ warp->n_executed);
  Row keys, numbers;

  for (guint lane = 0; lane < WP_LANES; lane++)
    keys[lane] = lane;
  for (guint k = 0; k < n; k++)
    if ((unknown[k] & mask) != 0)
      {
        mix_row (numbers, keys, salt + k * WP_LANES, 1);
        wp_blend (rows[k], numbers, unknown[k] & mask);
      }
}

guint32
wp_stand_in_compare (const WpWarp *warp, const WpStep *step, guint32 bits, guint32 unknown)
{
  Row scratch[2];
  const guint32 *a, *b;

  if (unknown == 0 || step->is_uniform_p || (wp_step_tag (warp, step) & WP_TAG_STANDS) == 0)
    return bits;
  a = wp_lanes (warp, &step->sources[0], 0, scratch[0]);
  b = wp_lanes (warp, &step->sources[1], 0, scratch[1]);
  bits &= ~unknown;
  for (guint32 left = unknown; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);

      bits |= wp_stand_in_mix (a[lane] * GOLDEN + b[lane]) >> 31 << lane;
    }
  return bits;
}

gboolean
wp_stand_in_put (WpWarp *warp, const WpStep *step, guint32 mask, guint32 unknown, WpTag tag,
                 gboolean is_wide, guint bits)
{
  Row numbers = { 0 };

  if (step->is_uniform || (unknown & mask) != mask)
    return FALSE;
  for (guint k = 0; k < step->n_sources; k++)
    for (guint word = 0; word < MIN (step->sources[k].n, 2u); word++)
      {
        Row scratch;
        const guint32 *from = wp_lanes (warp, &step->sources[k], word, scratch);

        for (guint lane = 0; lane < WP_LANES; lane++)
          numbers[lane] += from[lane];
        mix_row (numbers, numbers, GOLDEN, 0);
      }
  for (guint word = 0; word < (is_wide ? 2 : 1); word++)
    {
      const guint left = bits > 32 * word ? MIN (bits - 32 * word, 32u) : 0;

      if (word > 0)
        mix_row (numbers, numbers, GOLDEN, 0);
      for (guint lane = 0; left < 32 && lane < WP_LANES; lane++)
        numbers[lane] &= (1u << left) - 1;
      wp_put (warp, step->dest + word, numbers, mask, unknown, tag);
    }
  return TRUE;
}
