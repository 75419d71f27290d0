/* SPDX-License-Identifier: MIT */
/* Ops on whole numbers are written once, as a loop over N lanes, and run for the 32 lanes of a warp
 * or once for the uniform datapath. */
#pragma once

#include "exec/machine/wp-ops.h"
#include "exec/memory/wp-vectors.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

G_BEGIN_DECLS

/* What a loop over lanes reads and writes. N is a constant where the loop is inlined. */
typedef struct
{
  const guint32 *in[4];
  guint32 *out;
  guint n;
} WpLanes;

/* Defines run_NAME() and wide_NAME(), which do what lanes_NAME (warp, step, mask) does. */
#define WP_BOTH(name)                                                                              \
  static void run_##name (WpWarp *warp, const WpStep *step, guint32 mask)                          \
  {                                                                                                \
    lanes_##name (warp, step, mask);                                                               \
  }                                                                                                \
  WP_WIDE static void wide_##name (WpWarp *warp, const WpStep *step, guint32 mask)                 \
  {                                                                                                \
    lanes_##name (warp, step, mask);                                                               \
  }
/* Which of the two this host takes. */
#define WP_CHOOSE(name) (wp_host_is_wide () ? wide_##name : run_##name)

/* A 32-bit word of a source of a uniform op, without signs; with - and ~. */
WP_INLINE guint32
wp_scalar (const WpWarp *warp, const WpSource *source, guint word)
{
  if (source->from == WP_FROM_UNIFORM)
    return warp->ur[source->first + word];
  return source->from == WP_FROM_ROW ? source->row->lanes[word][0] : 0;
}

WP_INLINE guint32
wp_scalar_integer (const WpWarp *warp, const WpSource *source)
{
  guint32 flip = source->negate != source->invert ? ~0u : 0;

  return (wp_scalar (warp, source, 0) ^ flip) + source->negate;
}

/* A bit for each lane: the highest bit of its word. */
WP_INLINE guint32
wp_pack_signs (const guint32 *lanes)
{
  guint32 bits = 0;

#ifdef __SSE2__
  for (guint k = 0; k < WP_LANES; k += 4)
    {
      __m128i four = _mm_loadu_si128 ((const __m128i *)(lanes + k));
      bits |= (guint32)_mm_movemask_ps (_mm_castsi128_ps (four)) << k;
    }
#else
  for (guint lane = 0; lane < WP_LANES; lane++)
    bits |= lanes[lane] >> 31 << lane;
#endif
  return bits;
}

/* To dest of STEP, a row or a uniform register. */
WP_INLINE void
wp_put_either (WpWarp *warp, const WpStep *step, const guint32 *lanes, guint32 mask,
               guint32 unknown)
{
  if (step->is_uniform)
    wp_put_uniform (warp, step->dest, lanes[0], unknown & 1, wp_step_tag (warp, step));
  else
    wp_put (warp, step->dest, lanes, mask, unknown, wp_step_tag (warp, step));
}

/* Two words to dest of STEP and the next one. */
WP_INLINE void
wp_put_either_wide (WpWarp *warp, const WpStep *step, guint32 (*words)[WP_LANES], guint32 mask,
                    guint32 unknown, WpTag tag)
{
  for (guint word = 0; word < 2; word++)
    if (step->is_uniform)
      wp_put_uniform (warp, step->dest + word, words[word][0], unknown & 1, tag);
    else
      wp_put (warp, step->dest + word, words[word], mask, unknown, tag);
}

/* To a predicate or a uniform predicate. */
WP_INLINE void
wp_put_either_predicate (WpWarp *warp, const WpStep *step, guint number, guint32 bits, guint32 mask,
                         guint32 unknown)
{
  if (step->is_uniform_p)
    wp_put_uniform_predicate (warp, number, bits & 1, unknown & 1, wp_step_tag (warp, step));
  else
    wp_put_predicate (warp, number, bits, mask, unknown, wp_step_tag (warp, step));
}

/* Defines run_NAME() for warps and run_uniform_NAME() from a function NAME_lanes (step, lanes) of
 * COUNT sources, whose signs are applied before. */
#define WP_LANES_OP(name, count)                                                                   \
  WP_INLINE void lanes_##name (WpWarp *warp, const WpStep *step, guint32 mask)                     \
  {                                                                                                \
    guint32 scratch[count][WP_LANES], out[WP_LANES];                                               \
    WpLanes lanes = { .out = out, .n = WP_LANES };                                                 \
    for (guint k = 0; k < (count); k++)                                                            \
      lanes.in[k] = wp_lanes_integer (warp, &step->sources[k], scratch[k]);                        \
    name##_lanes (step, &lanes);                                                                   \
    wp_put_result (warp, step, out, mask);                                                         \
  }                                                                                                \
  WP_BOTH (name)                                                                                   \
  static void run_uniform_##name (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)    \
  {                                                                                                \
    guint32 in[count], out;                                                                        \
    WpLanes lanes = { .out = &out, .n = 1 };                                                       \
    for (guint k = 0; k < (count); k++)                                                            \
      {                                                                                            \
        in[k] = wp_scalar_integer (warp, &step->sources[k]);                                       \
        lanes.in[k] = &in[k];                                                                      \
      }                                                                                            \
    name##_lanes (step, &lanes);                                                                   \
    wp_put_uniform (warp, step->dest, out, wp_step_unknown (warp, step) & 1,                       \
                    wp_step_tag (warp, step));                                                     \
  }

/* Sets `run` to that of NAME. */
#define WP_RUN(step, name)                                                                         \
  ((step)->run = (step)->is_uniform ? run_uniform_##name : WP_CHOOSE (name))

/* Checks that STEP has COUNT sources at least. */
WP_INLINE gboolean
wp_step_needs (const WpStep *step, guint count, gchar **problem)
{
  return step->n_sources >= count || wp_step_refuse (step, problem);
}

/* The sources of any op as rows of 32, also where they are uniform. */
typedef struct
{
  guint32 scratch[4][WP_LANES];
  const guint32 *in[4];
} WpInputs;

WP_INLINE void
wp_inputs (const WpWarp *warp, const WpStep *step, WpInputs *inputs, guint count)
{
  for (guint k = 0; k < count; k++)
    inputs->in[k] = wp_lanes_integer (warp, &step->sources[k], inputs->scratch[k]);
}

G_END_DECLS
