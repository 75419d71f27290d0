/* SPDX-License-Identifier: MIT */
/* What the ops on floating point have in common: the words that say how they round and treat their
 * operands, comparisons, and results that go to a row or to a uniform register. */
#pragma once

#include "exec/machine/wp-ops.h"
#include "exec/machine/wp-rows.h"
#include "exec/machine/wp-stand-in.h"

G_BEGIN_DECLS

typedef guint32 WpScratch[WP_LANES] __attribute__ ((aligned (64)));
typedef guint64 WpWideScratch[WP_LANES] __attribute__ ((aligned (64)));

/* Reads RN, RM, RP, RZ (*ROUNDING) and FTZ, SAT (*FLAGS) of STEP's words; those in ALSO, which ends
 * with WP_WORD_NONE, are left to the caller; others are refused. */
gboolean wp_arith_read_words (const WpStep *step, const WpSassWord *also, WpRounding *rounding,
                              guint *flags, gchar **problem);

/* How many sources STEP has to have; else it is refused. */
gboolean wp_arith_check_sources (const WpStep *step, guint n, gchar **problem);

/* Writes LANES to STEP's destination, a row or a uniform register (lane 0), with UNKNOWN, what
 * wp_step_unknown() says. */
static inline void
wp_arith_put_marked (WpWarp *warp, const WpStep *step, const guint32 *lanes, guint32 mask,
                     guint32 unknown)
{
  const WpTag tag = wp_step_tag (warp, step) & ~WP_TAG_STANDS;

  if (!step->is_uniform)
    wp_put (warp, step->dest, lanes, mask, unknown, tag);
  else
    wp_put_uniform (warp, step->dest, lanes[0], unknown & 1, tag);
}

/* The same with what is unknown in any source. Where no lane is known, it is a number that stands
 * for the result, if sources have such; of a whole number, one of BITS. */
static inline void
wp_arith_put_whole (WpWarp *warp, const WpStep *step, const guint32 *lanes, guint32 mask,
                    guint bits)
{
  const guint32 unknown = wp_step_unknown (warp, step);

  if (!wp_stand_in_result (warp, step, mask, unknown, wp_step_tag (warp, step), FALSE, bits))
    wp_arith_put_marked (warp, step, lanes, mask, unknown);
}

static inline void
wp_arith_put (WpWarp *warp, const WpStep *step, const guint32 *lanes, guint32 mask)
{
  wp_arith_put_whole (warp, step, lanes, mask, 32);
}

/* The same of 64 bits, to a row and the next one. */
static inline void
wp_arith_put_wide (WpWarp *warp, const WpStep *step, const guint64 *lanes, guint32 mask, guint bits)
{
  const guint32 unknown = wp_step_unknown (warp, step);
  const WpTag tag = wp_step_tag (warp, step);

  if (!wp_stand_in_result (warp, step, mask, unknown, tag, TRUE, bits))
    wp_put_wide (warp, step->dest, lanes, mask, unknown, tag & ~WP_TAG_STANDS);
}

/* Source K as 64 bits, with |...| and - of double precision. */
void wp_arith_get_wide (const WpWarp *warp, const WpStep *step, guint k, guint64 *lanes);

/* The half of each lane, or with IS_BFLOAT the bfloat16, that source K names (H1: the upper one),
 * with |...| and -, in single precision. */
void wp_arith_get_half (const WpWarp *warp, const WpStep *step, guint k, gboolean is_bfloat,
                        guint32 *lanes);

/* Has source K read 64 bits as double precision: two registers or words of a constant, or an
 * immediate that is the high word. */
void wp_arith_make_wide (WpStep *step, guint k);

/* ---- Comparisons ---- */

/* A comparison as a choice among what two numbers can be to one another, and what joins it to a
 * predicate. */
typedef struct
{
  guint32 less, equal, greater, unordered; /* all ones: holds if they are */
  WpSassWord join;                         /* AND, OR, XOR */
} WpComparison;

/* Packs the comparison that the words of STEP name (EQ, NEU, NUM, ... and AND, OR, XOR) into
 * mode[0]; FALSE: none is named. */
gboolean wp_comparison_read (WpStep *step);

WpComparison wp_comparison_of (const WpStep *step);

static inline guint32
wp_comparison_holds (const WpComparison *comparison, const WpOrder *order)
{
  return (order->less & comparison->less) | (order->equal & comparison->equal)
         | (order->greater & comparison->greater)
         | (~(order->less | order->equal | order->greater) & comparison->unordered);
}

static inline guint32
wp_comparison_join (const WpComparison *comparison, guint32 holds, guint32 with)
{
  return comparison->join == WP_WORD_AND  ? holds & with
         : comparison->join == WP_WORD_OR ? holds | with
                                          : holds ^ with;
}

/* Writes the predicates of STEP: HOLDS joined with the predicate read, and its opposite joined with
 * it. UNKNOWN are the lanes in which HOLDS is not known. */
void wp_comparison_put (WpWarp *warp, const WpStep *step, guint32 holds, guint32 unknown,
                        guint32 mask);

/* The lanes of BITS as a row: ONE where a bit is set, else 0. */
void wp_arith_spread (guint32 *to, guint32 bits, guint32 one);

G_END_DECLS
