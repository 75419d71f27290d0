/* SPDX-License-Identifier: MIT */
/* Rows whose words are equally far apart, as indices of threads and what is computed from them
 * mostly are: the shape of such a row says so (wp-patterns.h), and sums and products of them are
 * again such rows, of which the first word and the distance are computed alone.
 *
 * All lanes are meant, and words that are known. */
#pragma once

#include "exec/machine/wp-warp.h"

G_BEGIN_DECLS

/* Lane K has FIRST + K * STEP, modulo 2^32. */
typedef struct
{
  guint32 first, step;
} WpProgression;

/* Sets PROGRESSION to what ROW of WARP is. FALSE: it is none, or nobody has found out. O(1). */
static inline gboolean
wp_row_get_progression (const WpWarp *warp, guint row, WpProgression *progression)
{
  const WpRowShape *shape = &warp->r_shape[row];

  progression->first = warp->r[row][0];
  progression->step = wp_shape_get_step (shape->shape);
  return row < WP_ROW_SINK
         || (shape->lanes == WP_ALL_LANES
             && (shape->shape == WP_SHAPE_UNIFORM || wp_shape_is_strided (shape->shape)));
}

/* The same of a word of SOURCE, as it is stored: without signs. */
static inline gboolean
wp_source_get_progression (const WpWarp *warp, const WpSource *source, guint word,
                           WpProgression *progression)
{
  if (source->from == WP_FROM_REGISTER)
    return wp_row_get_progression (warp, source->first + word, progression);
  progression->step = 0;
  progression->first = source->from == WP_FROM_ROW       ? source->row->lanes[word][0]
                       : source->from == WP_FROM_UNIFORM ? warp->ur[source->first + word]
                                                         : 0;
  return TRUE;
}

/* With - (two's complement) and ~ applied. */
static inline gboolean
wp_source_get_integers (const WpWarp *warp, const WpSource *source, WpProgression *progression)
{
  const guint32 flip = source->negate != source->invert ? ~0u : 0;

  if (!wp_source_get_progression (warp, source, 0, progression))
    return FALSE;
  progression->first = (progression->first ^ flip) + source->negate;
  progression->step = (progression->step ^ flip) - flip;
  return TRUE;
}

/* Whether lanes count from FIRST by STEP, as numbers with a sign (IS_SIGNED) or without, and none
 * of them is beyond 32 bits. START receives the first. */
static inline gboolean
wp_progression_is_straight (WpProgression progression, gboolean is_signed, gint64 *start)
{
  const gint64 first = is_signed ? (gint64)(gint32)progression.first : (gint64)progression.first;
  const gint64 last = first + (WP_LANES - 1) * (gint64)(gint32)progression.step;

  *start = first;
  return is_signed ? last >= G_MININT32 && last <= G_MAXINT32 : last >= 0 && last <= G_MAXUINT32;
}

/* Writes PROGRESSION to all lanes of row ROW, known, of TAG. */
void wp_put_progression (WpWarp *warp, guint row, WpProgression progression, WpTag tag);

/* Writes FIRST + K * STEP of 64 bits to ROW and the next one. FALSE: upper words differ, and
 * nothing is done. */
gboolean wp_put_progression_wide (WpWarp *warp, guint row, guint64 first, gint64 step, WpTag tag);

/* Writes the words of row FROM, which are known, plus WORD to all lanes of row ROW, known, of TAG,
 * with the shape that FROM has. Returns the lanes that carry out of 32 bits. */
guint32 wp_put_moved (WpWarp *warp, guint row, guint from, guint32 word, WpTag tag);

G_END_DECLS
