/* SPDX-License-Identifier: MIT */
/* HMMA, IMMA, DMMA, BMMA, QMMA: products of matrices whose elements lie in the registers of a warp.
 * Which lane holds which element is in the PTX ISA ("Matrix Fragments for mma"). The fragments of
 * all shapes with 8 columns follow one rule, whatever the size of an element: a register holds E of
 * them (1 of 32 or 64 bits), four lanes side by side hold 4 E elements of a row of A, or of a
 * column of B, and eight such groups 8 rows or columns; the next register of A is for the next 8
 * rows where there are 16, and the one after that for the next 4 E elements.
 *
 * How a tensor core adds is not documented. Measured is (Fasi et al., "Numerical behavior of
 * NVIDIA tensor cores", 2021; Khattak and Mikaitis, 2025) that it adds the products of a few
 * elements (4 on sm_70, 8 up to sm_89, then 16, of 16 bits; half as many of TF32) to C at once
 * and cuts the sum to single precision, or rounds it to half. So it is done here, with sums in
 * double precision. */
#include "exec/machine/wp-block.h"
#include "exec/machine/wp-elements.h"
#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-ops-quads.h"
#include "exec/machine/wp-rows-float.h"

#include <math.h>

typedef struct
{
  guint8 rows, depth, bits; /* of A; depth of BMMA in words of 32 */
  guint8 a, b, c;           /* WpType or WP_ELEMENT_ */
  guint is_saturated : 1, is_and : 1;
} Shape;

G_STATIC_ASSERT (sizeof (Shape) <= sizeof ((WpStep *)NULL)->mode);

static Shape
shape_of (const WpStep *step)
{
  Shape shape;
  memcpy (&shape, step->mode, sizeof shape);
  return shape;
}

/* ---- Where an element lies ---- */

typedef struct
{
  guint8 row, depth; /* of the first of the elements; a column of B is a row here */
} Place;

static guint
elements_of (const Shape *shape)
{
  return MAX (32u / shape->bits, 1);
}

static Place
place_of (const Shape *shape, guint lane, guint number, gboolean is_tall)
{
  guint e = elements_of (shape);

  return (Place){ lane / 4 + (is_tall ? 8 * (number & 1) : 0),
                  (lane % 4) * e + 4 * e * (is_tall ? number >> 1 : number) };
}

/* How many registers (pairs of 64 bits) hold A, B, C. */
static guint
count_a (const Shape *shape)
{
  return shape->rows / 8 * (shape->depth / (4 * elements_of (shape)));
}

static guint
count_b (const Shape *shape)
{
  return shape->depth / (4 * elements_of (shape));
}

/* Row R of the lanes of source K. */
static const guint32 *
row_of (const WpWarp *warp, const WpStep *step, guint k, guint r)
{
  const WpSource *source = &step->sources[k];

  return warp->r[source->first == WP_ROW_ZERO ? WP_ROW_ZERO : source->first + r];
}

/* ---- What is unknown ---- */

/* A bit for each row of A (column of B) that has an unknown element. */
static guint32
find_unknown (const WpWarp *warp, const WpStep *step, const Shape *shape, guint k)
{
  gboolean is_tall = k == 0 && shape->rows == 16;
  guint words = shape->bits == 64 ? 2 : 1, n = k == 0 ? count_a (shape) : count_b (shape);
  guint32 unknown = 0;

  for (guint r = 0; r < n * words; r++)
    if (warp->r_unknown[step->sources[k].first + r] == WP_ALL_LANES)
      unknown |= 0xffu << place_of (shape, 0, r / words, is_tall).row;
    else
      for (guint32 lanes = warp->r_unknown[step->sources[k].first + r]; lanes; lanes &= lanes - 1)
        unknown |= 1u << place_of (shape, g_bit_nth_lsf (lanes, -1), r / words, is_tall).row;
  return unknown;
}

static WpSums
collect_sums (const WpWarp *warp, const WpStep *step, const Shape *shape)
{
  return (WpSums){ .from = step->sources[2].first,
                   .to = step->dest,
                   .rows = shape->rows,
                   .is_half = shape->c == WP_F16,
                   .unknown_rows = find_unknown (warp, step, shape, 0),
                   .unknown_columns = find_unknown (warp, step, shape, 1),
                   .tag = wp_step_tag (warp, step) };
}

/* Where all rows of A or all columns of B are unknown, D is marked and nothing computed:
 * matrices that nobody gave cost little. */
static gboolean
put_unknown (WpWarp *warp, const Shape *shape, const WpSums *sums, guint32 mask)
{
  guint n = (shape->bits == 64 ? 2 : 1) * (shape->rows / 8) * (sums->is_half ? 1 : 2);

  if (sums->unknown_rows != (1u << shape->rows) - 1 && sums->unknown_columns != 0xff)
    return FALSE;
  for (guint r = 0; r < n; r++)
    wp_put_unknown (warp, sums->to + r, mask, sums->tag);
  return TRUE;
}

/* ---- Elements ---- */

/* Sets element J of register R of A (K = 0) or B, for all lanes, from VALUES. */
static void
place_reals (const Shape *shape, guint k, guint r, guint j, const guint32 *values,
             WpRealMatrices *matrices)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      Place place = place_of (shape, lane, r, k == 0 && shape->rows == 16);
      double value = (double)wp_float (values[lane]);
      if (k == 0)
        matrices->a[place.row][place.depth + j] = value;
      else
        matrices->b[place.depth + j][place.row] = value;
    }
}

static void
load_reals (const WpWarp *warp, const WpStep *step, const Shape *shape, WpRealMatrices *matrices)
{
  WpScratch values;

  for (guint k = 0; k < 2; k++)
    for (guint r = 0; r < (k == 0 ? count_a (shape) : count_b (shape)); r++)
      for (guint j = 0; j < elements_of (shape); j++)
        {
          wp_elements_read (k == 0 ? shape->a : shape->b, shape->bits, row_of (warp, step, k, r), j,
                            values);
          place_reals (shape, k, r, j, values, matrices);
        }
}

/* What LANE has in registers 2 R and 2 R + 1 of source K. */
static double
double_of (const WpWarp *warp, const WpStep *step, guint k, guint r, guint lane)
{
  const WpSource *source = &step->sources[k];
  const guint64 sign = (guint64)1 << 63;
  guint64 bits = row_of (warp, step, k, 2 * r)[lane]
                 | (guint64)row_of (warp, step, k, 2 * r + 1)[lane] << 32;

  if (source->absolute)
    bits &= ~sign;
  return wp_double (source->negate ? bits ^ sign : bits);
}

static void
load_doubles (const WpWarp *warp, const WpStep *step, const Shape *shape, WpRealMatrices *matrices)
{
  for (guint k = 0; k < 2; k++)
    for (guint r = 0; r < (k == 0 ? count_a (shape) : count_b (shape)); r++)
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          Place place = place_of (shape, lane, r, k == 0 && shape->rows == 16);
          double value = double_of (warp, step, k, r, lane);
          if (k == 0)
            matrices->a[place.row][place.depth] = value;
          else
            matrices->b[place.depth][place.row] = value;
        }
}

static void
load_integers (const WpWarp *warp, const WpStep *step, const Shape *shape,
               WpIntegerMatrices *matrices)
{
  gint32 values[WP_LANES];

  for (guint k = 0; k < 2; k++)
    for (guint r = 0; r < (k == 0 ? count_a (shape) : count_b (shape)); r++)
      for (guint j = 0; j < elements_of (shape); j++)
        {
          wp_elements_read_integers (k == 0 ? shape->a : shape->b, shape->bits,
                                     row_of (warp, step, k, r), j, values);
          for (guint lane = 0; lane < WP_LANES; lane++)
            {
              Place place = place_of (shape, lane, r, k == 0 && shape->rows == 16);
              if (k == 0)
                matrices->a[place.row][place.depth + j] = values[lane];
              else
                matrices->b[place.depth + j][place.row] = values[lane];
            }
        }
}

/* ---- HMMA, QMMA: sums in single or half precision ---- */

/* How many products are added at once. */
static guint
depth_at_once (const WpWarp *warp, const Shape *shape)
{
  guint sm = warp->block->grid->sm, of_halves = sm < 75 ? 4 : sm < 90 ? 8 : 16;

  return MIN (of_halves * 16 / (shape->bits == 32 ? 32 : shape->bits), shape->depth);
}

static void
run_real (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Shape shape = shape_of (step);
  WpSums sums = collect_sums (warp, step, &shape);
  guint at_once = depth_at_once (warp, &shape);
  WpRealMatrices matrices;

  if (put_unknown (warp, &shape, &sums, mask))
    return;
  load_reals (warp, step, &shape, &matrices);
  wp_sums_read (warp, &sums, &matrices);
  for (guint k = 0; k < shape.depth; k += at_once)
    {
      wp_matrix_accumulate (&matrices, shape.rows, k, MIN (k + at_once, shape.depth));
      (shape.c == WP_F16 ? wp_matrix_round_halves : wp_matrix_cut) (&matrices, shape.rows);
    }
  wp_sums_write (warp, &sums, &matrices, mask);
}

/* ---- IMMA ---- */

static void
run_integer (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Shape shape = shape_of (step);
  WpSums sums = collect_sums (warp, step, &shape);
  WpIntegerMatrices matrices;

  if (put_unknown (warp, &shape, &sums, mask))
    return;
  load_integers (warp, step, &shape, &matrices);
  wp_sums_read_integers (warp, &sums, &matrices);
  wp_matrix_integers (&matrices, shape.rows, shape.depth, shape.is_saturated);
  wp_sums_write_integers (warp, &sums, &matrices, mask);
}

/* ---- BMMA: elements are bits, 32 in a register that is taken as one element ---- */

static void
run_bits (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Shape shape = shape_of (step);
  WpSums sums = collect_sums (warp, step, &shape);
  guint32 a[WP_MATRIX_ROWS][8], b[8][WP_MATRIX_COLUMNS];
  WpScratch to;

  if (put_unknown (warp, &shape, &sums, mask))
    return;
  for (guint k = 0; k < 2; k++)
    for (guint r = 0; r < (k == 0 ? count_a (&shape) : count_b (&shape)); r++)
      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          Place place = place_of (&shape, lane, r, k == 0 && shape.rows == 16);
          if (k == 0)
            a[place.row][place.depth] = row_of (warp, step, k, r)[lane];
          else
            b[place.depth][place.row] = row_of (warp, step, k, r)[lane];
        }
  for (guint row = 0; row < shape.rows; row += 8)
    for (guint j = 0; j < 2; j++)
      {
        for (guint lane = 0; lane < WP_LANES; lane++)
          {
            guint32 sum = row_of (warp, step, 2, row / 4 + j)[lane];
            for (guint k = 0; k < shape.depth; k++)
              {
                guint32 x = a[row + lane / 4][k], y = b[k][lane % 4 * 2 + j];
                sum += (guint32)__builtin_popcount (shape.is_and ? x & y : x ^ y);
              }
            to[lane] = sum;
          }
        wp_sums_put (warp, &sums, row / 4 + j, row, to, mask);
      }
}

/* ---- DMMA ---- */

static void
run_double (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Shape shape = shape_of (step);
  WpSums sums = collect_sums (warp, step, &shape);
  WpRealMatrices matrices;
  WpScratch low, high;

  if (put_unknown (warp, &shape, &sums, mask))
    return;
  load_doubles (warp, step, &shape, &matrices);
  for (guint row = 0; row < shape.rows; row += 8)
    for (guint j = 0; j < 2; j++)
      for (guint lane = 0; lane < WP_LANES; lane++)
        matrices.d[row + lane / 4][lane % 4 * 2 + j] = double_of (warp, step, 2, row / 4 + j, lane);
  wp_matrix_fma (&matrices, shape.rows, shape.depth);
  for (guint row = 0; row < shape.rows; row += 8)
    for (guint j = 0; j < 2; j++)
      {
        for (guint lane = 0; lane < WP_LANES; lane++)
          {
            double number = matrices.d[row + lane / 4][lane % 4 * 2 + j];
            guint64 bits = number != number ? G_GUINT64_CONSTANT (0xfff8000000000000)
                                            : wp_double_bits (number);
            low[lane] = (guint32)bits;
            high[lane] = bits >> 32;
          }
        wp_sums_put (warp, &sums, row / 2 + 2 * j, row, low, mask);
        wp_sums_put (warp, &sums, row / 2 + 2 * j + 1, row, high, mask);
      }
}

/* ---- Preparing ---- */

static const struct
{
  WpSassWord word;
  guint8 rows;
  guint16 depth;
} shapes[] = {
  { WP_WORD_884, 8, 4 },     { WP_WORD_8x8x4, 8, 4 },     { WP_WORD_16x8x4, 16, 4 },
  { WP_WORD_16x8x8, 16, 8 }, { WP_WORD_16x8x16, 16, 16 }, { WP_WORD_1684, 16, 4 },
  { WP_WORD_1688, 16, 8 },   { WP_WORD_16816, 16, 16 },   { WP_WORD_16832, 16, 32 },
  { WP_WORD_16864, 16, 64 }, { WP_WORD_8816, 8, 16 },     { WP_WORD_8832, 8, 32 },
  { WP_WORD_88128, 8, 128 }, { WP_WORD_168128, 16, 128 }, { WP_WORD_168256, 16, 256 },
};

static guint
bits_of (guint element)
{
  if (element == WP_ELEMENT_S4 || element == WP_ELEMENT_U4)
    return 4;
  return element == WP_E2M1 ? 8 : wp_type_bits ((WpType)element);
}

/* Reads the words of STEP: the shape, the elements of A and B (one word: of both; without one
 * OTHERWISE), F16 or F32 of C and D. */
static gboolean
read_shape (WpStep *step, Shape *shape, guint otherwise, gchar **problem)
{
  gint a = -1, b = -1;
  guint depth = 0;

  memset (shape, 0, sizeof *shape);
  shape->c = WP_F32;
  for (guint k = 0; k < step->instr->n_words; k++)
    {
      WpSassWord word = step->instr->words[k];
      gint element = wp_element_of_word (word);
      gboolean is_read
          = element >= 0 || word == WP_WORD_F32 || word == WP_WORD_POPC || word == WP_WORD_XOR;
      if (element >= 0)
        *(a < 0 ? &a : &b) = element;
      if (word == WP_WORD_F16)
        shape->c = WP_F16, is_read = TRUE;
      if (word == WP_WORD_SAT)
        shape->is_saturated = is_read = TRUE;
      if (word == WP_WORD_AND)
        shape->is_and = is_read = TRUE;
      for (guint j = 0; !is_read && j < G_N_ELEMENTS (shapes); j++)
        if (shapes[j].word == word)
          shape->rows = shapes[j].rows, depth = shapes[j].depth, is_read = TRUE;
      if (!is_read)
        return wp_step_refuse (step, problem);
    }
  shape->a = a < 0 ? otherwise : (guint)a;
  shape->b = b < 0 ? shape->a : (guint)b;
  shape->bits = otherwise == WP_ELEMENT_B1 ? 32 : bits_of (shape->a);
  shape->depth = otherwise == WP_ELEMENT_B1 ? depth / 32 : depth;
  return (depth && count_a (shape)) || wp_step_refuse (step, problem);
}

/* The number of registers of A, B and C follows from the shape. */
static gboolean
prepare (WpStep *step, guint otherwise, WpStepRun run, gchar **problem)
{
  Shape shape;

  if (step->n_sources < 3 || !read_shape (step, &shape, otherwise, problem))
    return *problem ? FALSE : wp_step_refuse (step, problem);
  for (guint k = 0; k < step->n_sources; k++)
    if (step->sources[k].from != WP_FROM_REGISTER
        || ((step->sources[k].negate || step->sources[k].absolute) && shape.bits < 64))
      return wp_step_refuse (step, problem);
  if (step->n_sources > 3) /* .SP: which elements are there */
    return wp_step_refuse (step, problem);

  guint words = shape.bits == 64 ? 2 : 1;
  wp_step_set_words (step, 0, words * count_a (&shape));
  wp_step_set_words (step, 1, words * count_b (&shape));
  wp_step_set_words (step, 2, words * (shape.rows / 8) * (shape.c == WP_F16 ? 1 : 2));
  memcpy (step->mode, &shape, sizeof shape);
  step->run = run;
  return TRUE;
}

static gboolean
prepare_hmma (WpStep *step, gchar **problem)
{
  return wp_step_has (step, WP_WORD_884) ? wp_prepare_quads (step, problem)
                                         : prepare (step, WP_F16, run_real, problem);
}

static gboolean
prepare_qmma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_E4M3, run_real, problem);
}

static gboolean
prepare_imma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_S8, run_integer, problem);
}

static gboolean
prepare_dmma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_F64, run_double, problem);
}

static gboolean
prepare_bmma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_ELEMENT_B1, run_bits, problem);
}

const WpOpRule wp_rules_matrix[] = {
  { WP_SASS_BMMA, prepare_bmma }, { WP_SASS_DMMA, prepare_dmma }, { WP_SASS_HMMA, prepare_hmma },
  { WP_SASS_IMMA, prepare_imma }, { WP_SASS_QMMA, prepare_qmma }, { WP_SASS_NO_OP, NULL },
};
