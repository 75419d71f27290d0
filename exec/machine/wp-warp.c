/* SPDX-License-Identifier: MIT */
/* Rows read with signs, rows written under a mask. Written as loops over 32 lanes without branches,
 * which compilers turn into vectors. */
#include "exec/machine/wp-warp.h"
#include "exec/memory/wp-vectors.h"

#include <string.h>

const guint32 *
wp_lanes_modified (const WpWarp *warp, const WpSource *source, guint word, guint32 *scratch)
{
  const guint32 *lanes = wp_lanes (warp, source, word, scratch);
  /* ~x is x ^ -1, and -x is ~x + 1. */
  guint32 flip = source->negate != source->invert ? ~0u : 0, add = source->negate ? 1 : 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    scratch[lane] = (lanes[lane] ^ flip) + add;
  return scratch;
}

const guint32 *
wp_lanes_signed (const WpWarp *warp, const WpSource *source, guint32 *scratch)
{
  const guint32 *lanes = wp_lanes (warp, source, 0, scratch);
  guint32 keep = source->absolute ? 0x7fffffff : 0xffffffff;
  guint32 flip = source->negate ? 0x80000000 : 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    scratch[lane] = (lanes[lane] & keep) ^ flip;
  return scratch;
}

WP_INLINE void
join (const guint32 *low, const guint32 *high, guint64 *lanes)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = low[lane] | (guint64)high[lane] << 32;
}

WP_WIDE static void
join_wide (const guint32 *low, const guint32 *high, guint64 *lanes)
{
  join (low, high, lanes);
}

void
wp_lanes_wide (const WpWarp *warp, const WpSource *source, guint64 *lanes)
{
  guint32 scratch[2][WP_LANES];
  const guint32 *low = wp_lanes (warp, source, 0, scratch[0]);
  const guint32 *high = wp_lanes (warp, source, 1, scratch[1]);

  if (wp_host_is_wide ())
    join_wide (low, high, lanes);
  else
    join (low, high, lanes);
}

static inline WpTag
get_predicate_tag (const WpWarp *warp, guint code)
{
  return code & WP_P_UNIFORM ? warp->up_tag[code & 7] : warp->p_tag[code & 7];
}

/* What wp_tag_join() makes of them one after the other. */
static WpTag
join_tags (const WpWarp *warp, const WpStep *step)
{
  WpTag tag = 0;

  for (guint k = 0; k < step->n_sources; k++)
    tag = wp_tag_join (tag, wp_tag (warp, &step->sources[k]));
  for (guint k = 0; k < step->n_predicates; k++)
    tag = wp_tag_join (tag, get_predicate_tag (warp, step->source_p[k]));
  return tag;
}

/* Tags that are all the same are that one. */
static inline void
compare_tag (WpTag tag, WpTag *any, gboolean *differ)
{
  *any = *any ? *any : tag;
  *differ |= tag != 0 && tag != *any;
}

WpTag
wp_step_tag_slow (const WpWarp *warp, const WpStep *step)
{
  const WpTag *tags = warp->r_tag;
  const guint16 *marks = step->marks;
  WpTag any = step->constant_tag;
  gboolean differ = FALSE;

  if (step->has_few && any == 0)
    return wp_tag_join (wp_tag_join (tags[marks[0]], tags[marks[1]]),
                        wp_tag_join (tags[marks[2]], tags[marks[3]]));
  for (guint k = 0; step->has_marks && k < step->n_tags; k++)
    compare_tag (tags[marks[k]], &any, &differ);
  for (guint k = 0; !step->has_marks && k < step->n_sources; k++)
    compare_tag (wp_tag (warp, &step->sources[k]), &any, &differ);
  for (guint k = 0; !step->has_marks && k < step->n_predicates; k++)
    compare_tag (get_predicate_tag (warp, step->source_p[k]), &any, &differ);
  return G_LIKELY (!differ) ? any : join_tags (warp, step);
}

/* All ones for each bit of NIBBLE that is set. */
static const guint32 wp_nibbles[16][4] __attribute__ ((aligned (16))) = {
#define LANE(nibble, bit) ((nibble) >> (bit)&1 ? ~0u : 0)
#define NIBBLE(nibble)                                                                             \
  {                                                                                                \
    LANE (nibble, 0), LANE (nibble, 1), LANE (nibble, 2), LANE (nibble, 3)                         \
  }
  NIBBLE (0),  NIBBLE (1),  NIBBLE (2),  NIBBLE (3), NIBBLE (4),  NIBBLE (5),
  NIBBLE (6),  NIBBLE (7),  NIBBLE (8),  NIBBLE (9), NIBBLE (10), NIBBLE (11),
  NIBBLE (12), NIBBLE (13), NIBBLE (14), NIBBLE (15)
#undef NIBBLE
#undef LANE
};

typedef guint32 Four __attribute__ ((vector_size (16)));
typedef guint32 Eight __attribute__ ((vector_size (32)));

static inline void
blend (guint32 *to, const guint32 *from, guint32 mask)
{
  for (guint k = 0; k < WP_LANES; k += 4)
    {
      Four old, new, take;
      memcpy (&new, from + k, sizeof new);
      if (mask != WP_ALL_LANES)
        {
          memcpy (&old, to + k, sizeof old);
          memcpy (&take, wp_nibbles[mask >> k & 15], sizeof take);
          new = old ^ ((old ^ new) & take);
        }
      memcpy (to + k, &new, sizeof new);
    }
}

/* A row that was stored by 16 bytes is slow to load by 32 right after, so that hosts with wide
 * vectors store rows by 32. */
WP_WIDE static inline void
blend_wide (guint32 *to, const guint32 *from, guint32 mask)
{
  const Eight bits = { 1, 2, 4, 8, 16, 32, 64, 128 };

  for (guint k = 0; k < WP_LANES; k += 8)
    {
      Eight old, new;
      memcpy (&new, from + k, sizeof new);
      if (mask != WP_ALL_LANES)
        {
          const Eight take = (Eight)((bits & (mask >> k)) == bits);
          memcpy (&old, to + k, sizeof old);
          new = old ^ ((old ^ new) & take);
        }
      memcpy (to + k, &new, sizeof new);
    }
}

void
wp_blend (guint32 *to, const guint32 *from, guint32 mask)
{
  if (wp_host_is_wide ())
    blend_wide (to, from, mask);
  else
    blend (to, from, mask);
}

/* In a register that is written in part, what the other lanes came from stands as long as nothing
 * new is told. */
WP_INLINE void
put_marks (WpWarp *warp, guint row, guint32 mask, guint32 unknown, WpTag tag)
{
  warp->r_unknown[row] = (warp->r_unknown[row] & ~mask) | (unknown & mask);
  warp->r_tag[row] = mask == WP_ALL_LANES ? tag : wp_tag_join (tag, warp->r_tag[row]);
}

WP_WIDE static void
put_wide (WpWarp *warp, guint row, const guint32 *lanes, guint32 mask, guint32 unknown, WpTag tag)
{
  blend_wide (warp->r[row], lanes, mask);
  warp->r_shape[row].shape = WP_SHAPE_NONE;
  put_marks (warp, row, mask, unknown, tag);
}

void
wp_put (WpWarp *warp, guint row, const guint32 *lanes, guint32 mask, guint32 unknown, WpTag tag)
{
  if (wp_host_is_wide ())
    {
      put_wide (warp, row, lanes, mask, unknown, tag);
      return;
    }
  blend (warp->r[row], lanes, mask);
  warp->r_shape[row].shape = WP_SHAPE_NONE;
  put_marks (warp, row, mask, unknown, tag);
}

void
wp_put_unknown (WpWarp *warp, guint row, guint32 mask, WpTag tag)
{
  put_marks (warp, row, mask, mask, tag & ~WP_TAG_STANDS); /* what lanes hold tells nothing */
}

WP_INLINE void
split (const guint64 *lanes, guint32 (*words)[WP_LANES])
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    words[0][lane] = (guint32)lanes[lane];
  for (guint lane = 0; lane < WP_LANES; lane++)
    words[1][lane] = lanes[lane] >> 32;
}

WP_WIDE static void
split_wide (const guint64 *lanes, guint32 (*words)[WP_LANES])
{
  split (lanes, words);
}

void
wp_put_wide (WpWarp *warp, guint row, const guint64 *lanes, guint32 mask, guint32 unknown,
             WpTag tag)
{
  guint32 words[2][WP_LANES];

  if (wp_host_is_wide ())
    split_wide (lanes, words);
  else
    split (lanes, words);
  wp_put (warp, row, words[0], mask, unknown, tag);
  wp_put (warp, row + 1, words[1], mask, unknown, tag);
}

void
wp_warp_fail (WpWarp *warp, const WpStep *step, guint lane, const gchar *what, ...)
{
  va_list arguments;

  if (warp->state == WP_WARP_FAILED)
    return;
  va_start (arguments, what);
  warp->failure = g_strdup_vprintf (what, arguments);
  va_end (arguments);
  warp->failure_pc = step->index;
  warp->failure_lane = lane;
  warp->state = WP_WARP_FAILED;
}
