/* SPDX-License-Identifier: MIT */
/* Lanes that see one another: SHFL, VOTE, MATCH, REDUX, ELECT. What they do is that of shfl.sync,
 * vote.sync, match.sync and redux.sync (PTX ISA, "Parallel Synchronization and Communication
 * Instructions") among the lanes that execute.
 *
 * A shuffled value is unknown where the lane that it comes from is; where it is not known which
 * lane that is, or who votes how, the result is not known and a note says so. */
#include "exec/machine/wp-ops.h"

/* ---- SHFL ---- */

typedef struct
{
  guint8 from[WP_LANES];
  guint32 is_inside; /* lanes whose partner is in their segment */
} Partners;

/* B is the lane's number or distance, C the bound (bits 0 to 4) and the bits of the lane's number
 * that name its segment (bits 8 to 12). */
static void
find_partners (Partners *partners, WpSassWord how, const guint32 *b, const guint32 *c)
{
  partners->is_inside = 0;
  for (gint lane = 0; lane < WP_LANES; lane++)
    {
      gint distance = b[lane] & 31, bound = c[lane] & 31, segment = c[lane] >> 8 & 31;
      gint last = (lane & segment) | (bound & ~segment), from;
      gboolean is_inside;
      if (how == WP_WORD_UP)
        from = lane - distance, is_inside = from >= last;
      else
        {
          from = how == WP_WORD_DOWN   ? lane + distance
                 : how == WP_WORD_BFLY ? lane ^ distance
                                       : (lane & segment) | (distance & ~segment);
          is_inside = from <= last;
        }
      partners->from[lane] = is_inside ? from : lane;
      partners->is_inside |= (guint32)is_inside << lane;
    }
}

static guint32
move_bits (const Partners *partners, guint32 bits)
{
  guint32 moved = 0;

  if (bits == 0 || bits == WP_ALL_LANES)
    return bits;
  for (guint lane = 0; lane < WP_LANES; lane++)
    moved |= (bits >> partners->from[lane] & 1) << lane;
  return moved;
}

static void
run_shuffle (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 to[WP_LANES], a[WP_LANES], b[WP_LANES], c[WP_LANES];
  const WpSource *sources = step->sources;
  const guint32 *values = wp_lanes_integer (warp, &sources[0], a);
  guint32 lost = wp_unknown (warp, &sources[1]) | wp_unknown (warp, &sources[2]);
  WpTag tag = wp_tag_join (wp_tag (warp, &sources[1]), wp_tag (warp, &sources[2]));
  Partners partners;

  if (step->dest_p == WP_P_SINK && mask == WP_ALL_LANES && lost == 0
      && wp_unknown (warp, &sources[0]) == WP_ALL_LANES
      && (wp_tag (warp, &sources[0]) & WP_TAG_STANDS) == 0)
    {
      wp_put_unknown (warp, step->dest, mask, wp_tag_join (wp_tag (warp, &sources[0]), tag));
      return;
    }
  find_partners (&partners, step->mode[0], wp_lanes_integer (warp, &sources[1], b),
                 wp_lanes_integer (warp, &sources[2], c));
  for (guint lane = 0; lane < WP_LANES; lane++)
    to[lane] = values[partners.from[lane]];
  if (lost & mask)
    wp_warp_note (warp, step, WP_NOTE_LANE, tag);
  const guint32 absent = ~move_bits (&partners, mask) & mask & ~lost;
  if (absent)
    wp_warp_note (warp, step, WP_NOTE_INACTIVE, 0);
  wp_put_predicate (warp, step->dest_p, partners.is_inside, mask, lost, tag);
  wp_put (warp, step->dest, to, mask,
          move_bits (&partners, wp_unknown (warp, &sources[0])) | lost | absent,
          wp_tag_join (wp_tag (warp, &sources[0]), tag)
              & ~(absent || (lost && !(tag & WP_TAG_STANDS)) ? WP_TAG_STANDS : 0));
}

static gboolean
prepare_shuffle (WpStep *step, gchar **problem)
{
  static const WpSassWord words[]
      = { WP_WORD_IDX, WP_WORD_UP, WP_WORD_DOWN, WP_WORD_BFLY, WP_WORD_NONE };

  if (!wp_step_check_words (step, problem, words))
    return FALSE;
  if (step->instr->n_words != 1 || step->n_sources != 3)
    return wp_step_refuse (step, problem);
  step->mode[0] = step->instr->words[0];
  step->run = run_shuffle;
  return TRUE;
}

/* ---- VOTE ---- */

/* What lanes say: those that say yes and those that say no; the others are not known. */
static void
decide (WpSassWord how, guint32 yes, guint32 no, guint32 voters, gboolean *result,
        gboolean *is_known)
{
  gboolean all_known = (yes | no) == voters;

  if (how == WP_WORD_ANY)
    *result = yes != 0, *is_known = yes || all_known;
  else if (how == WP_WORD_ALL)
    *result = no == 0, *is_known = no || all_known;
  else
    *result = !yes || !no, *is_known = (yes && no) || all_known;
}

static void
run_vote (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 unknown = wp_predicate_unknown (warp, step->source_p[0]) & mask;
  guint32 holds = wp_predicate (warp, step->source_p[0]) & mask, ballot[WP_LANES];
  WpTag tag = unknown ? wp_step_tag (warp, step) : 0;
  gboolean result, is_known;

  decide (step->mode[0], holds & ~unknown, ~holds & mask & ~unknown, mask, &result, &is_known);
  if (unknown)
    wp_warp_note (warp, step, WP_NOTE_LANE, tag);
  if (step->is_uniform_p)
    wp_put_uniform_predicate (warp, step->dest_p, result, !is_known, tag);
  else
    wp_put_predicate (warp, step->dest_p, result ? WP_ALL_LANES : 0, mask,
                      is_known ? 0 : WP_ALL_LANES, tag);
  if (step->is_uniform)
    {
      wp_put_uniform (warp, step->dest, holds, unknown != 0, tag);
      return;
    }
  for (guint lane = 0; lane < WP_LANES; lane++)
    ballot[lane] = holds;
  wp_put (warp, step->dest, ballot, mask, unknown ? WP_ALL_LANES : 0, tag);
}

static gboolean
prepare_vote (WpStep *step, gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_ALL, WP_WORD_ANY, WP_WORD_EQ, WP_WORD_NONE };

  if (!wp_step_check_words (step, problem, words))
    return FALSE;
  if (step->instr->n_words != 1 || step->n_predicates != 1)
    return wp_step_refuse (step, problem);
  step->mode[0] = step->instr->words[0];
  step->run = run_vote;
  return TRUE;
}

/* ---- MATCH ---- */

/* The lanes of MASK that hold VALUE. */
static guint32
find_equal (const guint64 *values, guint32 mask, guint64 value)
{
  guint32 equal = 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    equal |= (guint32)(values[lane] == value) << lane;
  return equal & mask;
}

static void
get_values (const WpWarp *warp, const WpStep *step, guint64 *values)
{
  guint32 scratch[WP_LANES];

  if (step->mode[1])
    {
      wp_lanes_wide (warp, &step->sources[0], values);
      return;
    }
  const guint32 *narrow = wp_lanes_integer (warp, &step->sources[0], scratch);
  for (guint lane = 0; lane < WP_LANES; lane++)
    values[lane] = narrow[lane];
}

static void
run_match (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint64 values[WP_LANES];
  guint32 to[WP_LANES] = { 0 };
  guint32 unknown = wp_unknown (warp, &step->sources[0]) & mask ? WP_ALL_LANES : 0;
  WpTag tag = unknown ? wp_step_tag (warp, step) : 0;

  if (unknown)
    wp_warp_note (warp, step, WP_NOTE_LANE, tag);
  get_values (warp, step, values);
  for (guint32 left = mask; left;)
    {
      guint32 equal = find_equal (values, mask, values[g_bit_nth_lsf (left, -1)]);
      gboolean counts = step->mode[0] == WP_WORD_ANY || equal == mask;
      for (guint32 lanes = equal; lanes; lanes &= lanes - 1)
        to[g_bit_nth_lsf (lanes, -1)] = counts ? equal : 0;
      left &= ~equal;
    }
  /* All hold the same value if the first one's set is all. */
  wp_put_predicate (warp, step->dest_p, to[g_bit_nth_lsf (mask, -1)] == mask ? WP_ALL_LANES : 0,
                    mask, unknown, tag);
  wp_put (warp, step->dest, to, mask, unknown, tag);
}

static gboolean
prepare_match (WpStep *step, gchar **problem)
{
  static const WpSassWord words[]
      = { WP_WORD_ALL, WP_WORD_ANY, WP_WORD_U32, WP_WORD_U64, WP_WORD_NONE };

  if (!wp_step_check_words (step, problem, words))
    return FALSE;
  if (!step->instr->n_words || step->n_sources != 1)
    return wp_step_refuse (step, problem);
  step->mode[0] = wp_step_has (step, WP_WORD_ANY) ? WP_WORD_ANY : WP_WORD_ALL;
  step->mode[1] = wp_step_has (step, WP_WORD_U64);
  if (step->mode[1])
    wp_step_set_words (step, 0, 2);
  step->run = run_match;
  return TRUE;
}

/* ---- REDUX, CREDUX ---- */

static guint32
reduce (guint32 x, guint32 y, WpSassWord how, gboolean is_signed)
{
  gboolean less = is_signed ? (gint32)x < (gint32)y : x < y;

  switch (how)
    {
    case WP_WORD_SUM:
      return x + y;
    case WP_WORD_OR:
      return x | y;
    case WP_WORD_XOR:
      return x ^ y;
    case WP_WORD_MIN:
      return less ? x : y;
    case WP_WORD_MAX:
      return less ? y : x;
    default:
      return x & y;
    }
}

static void
put_reduced (WpWarp *warp, const WpStep *step, guint32 mask, guint32 result)
{
  gboolean unknown = (wp_unknown (warp, &step->sources[0]) & mask) != 0;
  guint32 scratch[WP_LANES];

  if (step->is_uniform)
    {
      wp_put_uniform (warp, step->dest, result, unknown, wp_step_tag (warp, step));
      return;
    }
  for (guint lane = 0; lane < WP_LANES; lane++)
    scratch[lane] = result;
  wp_put (warp, step->dest, scratch, mask, unknown ? WP_ALL_LANES : 0, wp_step_tag (warp, step));
}

static void
run_reduce (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[WP_LANES];
  const guint32 *values = wp_lanes_integer (warp, &step->sources[0], scratch);
  guint32 result = values[g_bit_nth_lsf (mask, -1)];

  for (guint32 left = mask & (mask - 1); left; left &= left - 1)
    result = reduce (result, values[g_bit_nth_lsf (left, -1)], step->mode[0], step->mode[1]);
  put_reduced (warp, step, mask, result);
}

#define NO_NUMBER 0x7fffffff

/* Of single precision, as max.f32 and min.f32 (.NaN) have it, or of what is without its sign. As
 * whole numbers with a sign, negative ones with their other bits inverted, they are in order, -0
 * before +0. mode[2]: whether the result is no number where one of them is none; mode[3]: bits that
 * are kept. */
static void
run_reduce_single (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[WP_LANES], result = 0, n_numbers = 0;
  const guint32 *values = wp_lanes_single (warp, &step->sources[0], scratch);

  for (guint32 left = mask; left; left &= left - 1)
    {
      const guint32 x = values[g_bit_nth_lsf (left, -1)] & step->mode[3];
      const guint32 key = x >> 31 ? x ^ 0x7fffffff : x;
      if ((x & 0x7fffffff) > 0x7f800000)
        continue;
      result = n_numbers++ ? reduce (result, key, step->mode[0], TRUE) : key;
    }
  result = result >> 31 ? result ^ 0x7fffffff : result;
  if (n_numbers == 0 || (step->mode[2] && n_numbers < (guint32)__builtin_popcount (mask)))
    result = NO_NUMBER;
  put_reduced (warp, step, mask, result);
}

static gboolean
prepare_reduce_single (WpStep *step, gchar **problem)
{
  const gboolean is_absolute
      = wp_step_has (step, WP_WORD_MAXABS) || wp_step_has (step, WP_WORD_MINABS);
  const gboolean is_least = wp_step_has (step, WP_WORD_MIN) || wp_step_has (step, WP_WORD_MINABS);

  step->mode[0] = is_least ? WP_WORD_MIN : WP_WORD_MAX;
  step->mode[2] = wp_step_has (step, WP_WORD_NAN);
  step->mode[3] = is_absolute ? 0x7fffffff : 0xffffffff;
  step->run = run_reduce_single;
  return (step->n_sources == 1 && step->instr->n_words >= 2) || wp_step_refuse (step, problem);
}

/* REDUX without a word is the AND of all bits. */
static gboolean
prepare_reduce (WpStep *step, gchar **problem)
{
  static const WpSassWord words[]
      = { WP_WORD_AND, WP_WORD_OR,  WP_WORD_XOR, WP_WORD_SUM, WP_WORD_MIN,
          WP_WORD_MAX, WP_WORD_S32, WP_WORD_U32, WP_WORD_NONE };

  if (step->instr->op == WP_SASS_CREDUX && wp_step_has (step, WP_WORD_F32))
    return prepare_reduce_single (step, problem);
  if (!wp_step_check_words (step, problem, words))
    return FALSE;
  if (step->n_sources != 1)
    return wp_step_refuse (step, problem);
  step->mode[0] = WP_WORD_AND;
  for (guint k = 0; k < step->instr->n_words; k++)
    if (step->instr->words[k] != WP_WORD_S32 && step->instr->words[k] != WP_WORD_U32)
      step->mode[0] = step->instr->words[k];
  step->mode[1] = wp_step_has (step, WP_WORD_S32);
  step->run = run_reduce;
  return TRUE;
}

/* ---- ELECT: the first of the lanes ---- */

static void
run_elect (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint first = g_bit_nth_lsf (mask, -1);

  wp_put_predicate (warp, step->dest_p, 1u << first, mask, 0, 0);
  if (step->is_uniform)
    wp_put_uniform (warp, step->dest, first, FALSE, 0);
}

static gboolean
prepare_elect (WpStep *step, gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_NONE };

  step->run = run_elect;
  return wp_step_check_words (step, problem, words);
}

const WpOpRule wp_rules_exchange[] = {
  { WP_SASS_CREDUX, prepare_reduce }, { WP_SASS_ELECT, prepare_elect },
  { WP_SASS_MATCH, prepare_match },   { WP_SASS_REDUX, prepare_reduce },
  { WP_SASS_SHFL, prepare_shuffle },  { WP_SASS_VOTE, prepare_vote },
  { WP_SASS_VOTEU, prepare_vote },    { WP_SASS_NO_OP, NULL },
};
