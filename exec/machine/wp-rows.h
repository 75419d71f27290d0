/* SPDX-License-Identifier: MIT */
/* Floating point on rows of 32 lanes: what the hardware computes, to the bit, and nothing of warps.
 * Rows are the bits of numbers. A result that is no number has the bits that the hardware gives it
 * (0x7fffffff in single precision: CUDA C++ programming guide, "Floating-Point Standard"), so that
 * results are the same on every host.
 *
 * Functions round to nearest even unless the thread's rounding is another one (wp_rounding_set()):
 * they are plain loops over IEEE arithmetic, which compilers turn into vectors. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_ROW_LANES 32

typedef void (*WpRow1) (guint32 *restrict to, const guint32 *a);
typedef void (*WpRow2) (guint32 *restrict to, const guint32 *a, const guint32 *b);
typedef void (*WpRow3) (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c);
typedef void (*WpWide2) (guint64 *restrict to, const guint64 *a, const guint64 *b);
typedef void (*WpWide3) (guint64 *restrict to, const guint64 *a, const guint64 *b,
                         const guint64 *c);

/* How an op of single or half precision treats its operands and its result. */
#define WP_ROW_FTZ 1 /* subnormal ones are zeros with their sign */
#define WP_ROW_SAT 2 /* the result lies in [0, 1]; no number is 0 */
#define WP_ROW_NAN 4 /* of a minimum or maximum: no number if one operand is none */
#define WP_ROW_MAX 8 /* a maximum */

/* Single precision; FLAGS are WP_ROW_FTZ and WP_ROW_SAT. TO is another row than the operands, with
 * these and all functions that do not say otherwise. */
WpRow2 wp_row_get_add (guint flags);
WpRow2 wp_row_get_multiply (guint flags);
WpRow3 wp_row_get_fma (guint flags);
/* A * B * SCALE, a power of two, rounded once. */
void wp_row_multiply_scaled (guint32 *restrict to, const guint32 *a, const guint32 *b, double scale,
                             guint flags);
WpRow2 wp_row_get_minimum (guint flags); /* WP_ROW_FTZ, WP_ROW_NAN, WP_ROW_MAX */

/* Subnormal numbers of A become zeros. */
void wp_row_flush (guint32 *restrict to, const guint32 *a);

/* How numbers compare: a bit for each lane. What is in none of them is unordered. */
typedef struct
{
  guint32 less, equal, greater;
} WpOrder;

void wp_row_compare (WpOrder *order, const guint32 *a, const guint32 *b);
void wp_wide_compare (WpOrder *order, const guint64 *a, const guint64 *b);

/* The lanes in which a number of double precision is none. */
guint32 wp_wide_nan (const guint64 *a);

/* Double precision. One operand that is no number is the result, as a quiet one: the first of
 * them. */
void wp_wide_add (guint64 *restrict to, const guint64 *a, const guint64 *b);
void wp_wide_multiply (guint64 *restrict to, const guint64 *a, const guint64 *b);
WpWide3 wp_wide_get_fma (void);

/* ---- Conversions, to nearest even where it is not said ---- */

void wp_row_from_signed (guint32 *restrict to, const guint32 *a);
void wp_row_from_unsigned (guint32 *restrict to, const guint32 *a);
void wp_row_from_signed_up (guint32 *restrict to, const guint32 *a);
void wp_row_from_unsigned_up (guint32 *restrict to, const guint32 *a);
void wp_wide_from_signed (guint64 *restrict to, const guint32 *a);
void wp_wide_from_unsigned (guint64 *restrict to, const guint32 *a);
void wp_wide_from_single (guint64 *restrict to, const guint32 *a);
void wp_row_from_double (guint32 *restrict to, const guint64 *a);

/* Whole numbers towards zero, as near as 32 bits allow; no number is 0. */
void wp_row_to_signed (guint32 *restrict to, const guint32 *a);
void wp_row_to_unsigned (guint32 *restrict to, const guint32 *a);

/* The low halves of A (float16, bfloat16) in single precision, and back into the low half. */
void wp_row_from_half (guint32 *restrict to, const guint32 *a);
void wp_row_to_half (guint32 *restrict to, const guint32 *a);
/* ...towards zero. */
void wp_row_cut_to_half (guint32 *restrict to, const guint32 *a);
void wp_row_from_bfloat (guint32 *restrict to, const guint32 *a);
void wp_row_to_bfloat (guint32 *restrict to, const guint32 *a);

/* ---- Pairs of halves ---- */

#define WP_ROW_RELU 16   /* what is below 0 is 0 */
#define WP_ROW_BFLOAT 32 /* bfloat16, not float16 */

/* A * B + C of both halves, rounded once. A sum is A * 1 + B, and a product A * B + -0. FLAGS are
 * WP_ROW_FTZ, WP_ROW_SAT, WP_ROW_RELU, WP_ROW_BFLOAT. */
void wp_row_half_fma (guint32 *restrict to, const guint32 *a, const guint32 *b, const guint32 *c,
                      guint flags);

/* Of both halves; FLAGS are WP_ROW_FTZ, WP_ROW_NAN, WP_ROW_MAX, WP_ROW_BFLOAT. */
void wp_row_half_minimum (guint32 *restrict to, const guint32 *a, const guint32 *b, guint flags);

/* ORDER[0] of the lower halves, ORDER[1] of the upper ones. */
void wp_row_half_compare (WpOrder order[2], const guint32 *a, const guint32 *b, guint flags);

/* ---- Functions: MUFU ---- */

/* Subnormal operands and results are zeros, but for the hyperbolic tangent. Results are the
 * nearest numbers, or next to them: within what NVIDIA documents (PTX ISA: rcp.approx and
 * rsqrt.approx 1 and 2^-22.9, ex2.approx 2^-22.5, lg2.approx 2^-22, sin.approx 2^-20.5,
 * tanh.approx 2^-11). By nothing but IEEE arithmetic, so that every host gives the same. */
void wp_row_rcp (guint32 *restrict to, const guint32 *a);
void wp_row_rsq (guint32 *restrict to, const guint32 *a);
void wp_row_sqrt (guint32 *restrict to, const guint32 *a);
void wp_row_ex2 (guint32 *restrict to, const guint32 *a);
void wp_row_lg2 (guint32 *restrict to, const guint32 *a);
void wp_row_sin (guint32 *restrict to, const guint32 *a); /* A in turns */
void wp_row_cos (guint32 *restrict to, const guint32 *a);
void wp_row_tanh (guint32 *restrict to, const guint32 *a);

/* From the high words of numbers of double precision to those of the results. */
void wp_row_rcp64h (guint32 *restrict to, const guint32 *a);
void wp_row_rsq64h (guint32 *restrict to, const guint32 *a);

/* ---- Rounding ---- */

typedef enum
{
  WP_ROUND_NEAREST, /* to even */
  WP_ROUND_DOWN,
  WP_ROUND_UP,
  WP_ROUND_ZERO
} WpRounding;

/* Rounds so, in this thread, from now on. WP_ROUND_NEAREST has to be set again before anything else
 * is computed. */
void wp_rounding_set (WpRounding rounding);

G_END_DECLS
