/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-reach.h"

void
wp_reach_prepare (WpStep *step, guint bytes, gboolean is_wide)
{
  const WpSassOperand *operand = step->data;
  const gboolean is_pair = is_wide && operand->index != 255 && operand->index_word != WP_WORD_U32;
  const guint row = wp_row_of (operand->index);

  step->reach = (WpStepReach){ .low = (guint16)row,
                               .high = (guint16)(is_pair ? row + 1 : WP_ROW_ZERO),
                               .uniform = operand->uniform,
                               .shift = (guint8)wp_operand_shift (operand),
                               .bytes = (guint8)bytes,
                               .base = (guint64)operand->value };
}

const WpPattern *
wp_reach_find_shared_anew (WpWarp *warp, const WpStep *step, guint32 mask, WpShape shape,
                           guint32 first, guint32 access)
{
  const WpShared shared = wp_warp_shared (warp);
  const WpPattern *pattern;
  WpAddresses addresses;

  wp_addresses_get_shared (warp, step->data, &addresses);
  pattern = wp_patterns_find (warp->log.patterns, addresses.lanes, mask, step->reach.bytes, TRUE);
  if (!wp_shared_has (&shared, pattern, first))
    return NULL;
  if (shape != WP_SHAPE_NONE)
    wp_patterns_keep (warp->log.patterns, shape, access, (guint32)-pattern->low,
                      (guint32)(shared.bytes - pattern->high), pattern);
  return pattern;
}

const WpPattern *
wp_reach_find_buffer_anew (WpWarp *warp, const WpStep *step, guint32 mask, WpShape shape,
                           guint32 access)
{
  const WpStepReach *how = &step->reach;
  const WpPattern *pattern;
  WpAddresses addresses;
  gint64 low, high;

  wp_addresses_get (warp, step->data, TRUE, &addresses);
  pattern = wp_patterns_find (warp->log.patterns, addresses.lanes, mask, how->bytes, FALSE);
  low = pattern->low >> how->shift;
  high = (pattern->high - how->bytes) >> how->shift;
  /* No lane is 2^31 or more from the first one: else there is no telling by words. */
  if (shape != WP_SHAPE_NONE && low >= G_MININT32 && high <= G_MAXINT32)
    wp_patterns_keep (warp->log.patterns, shape, access, (guint32)-low,
                      (guint32)(G_MAXUINT32 - high), pattern);
  return pattern;
}
