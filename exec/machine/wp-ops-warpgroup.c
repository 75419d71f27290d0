/* SPDX-License-Identifier: MIT */
/* HGMMA, IGMMA, QGMMA, BGMMA: products of matrices by four warps (PTX ISA, wgmma). Each of them
 * computes 16 of the 64 rows of D, so that it is executed for itself. A is in registers or, as B,
 * in shared memory, where a descriptor says. It is read when the product is issued, as nothing may
 * change it from then on until somebody has waited for it.
 */
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-barrier.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-part.h"

#define ROWS 16          /* of D, of a warp */
#define MOST_COLUMNS 256 /* of D */
#define BLOCK 8          /* columns that are computed at once */

typedef struct
{
  guint16 columns;
  guint8 bits;                            /* of an element of A or B */
  guint8 a, b, c;                         /* WpType or WP_ELEMENT_ */
  guint8 uniform;                         /* the first of four registers: A's descriptor and B's */
  guint is_turned_a : 1, is_turned_b : 1; /* the pieces are along M, or N */
  guint is_negative_a : 1, is_negative_b : 1;
  guint has_registers : 1; /* A is there */
  guint is_saturated : 1;
} Product;

G_STATIC_ASSERT (sizeof (Product) <= sizeof ((WpStep *)NULL)->mode);

static Product
product_of (const WpStep *step)
{
  Product product;
  memcpy (&product, step->mode, sizeof product);
  return product;
}

/* A of four registers: as that of mma. */
static void
take_registers (const WpWarp *warp, const WpStep *step, WpPart *part)
{
  memset (part, 0, sizeof *part);
  for (guint r = 0; r < 4; r++)
    for (guint lane = 0; lane < WP_LANES; lane++)
      {
        const guint row = lane / 4 + r % 2 * 8, place = step->sources[0].first + r;
        part->words[row][lane % 4 + r / 2 * 4] = warp->r[place][lane];
        part->unknown[row / BLOCK] |= (warp->r_unknown[place] >> lane & 1) << row % BLOCK;
      }
}

/* ---- Products ---- */

static WpPartElements
elements_of_b (const Product *product)
{
  return (WpPartElements){ product->b, product->bits, product->is_negative_b };
}

/* All that is added is added at once (wp-ops-matrix.c). */
static void
multiply_real (WpWarp *warp, const Product *product, const WpSums *sums, const WpPart *b,
               guint column, WpRealMatrices *matrices, guint32 mask)
{
  const WpPartElements elements = elements_of_b (product);

  wp_part_read_b (b, &elements, column, matrices);
  wp_sums_read (warp, sums, matrices);
  wp_matrix_accumulate (matrices, ROWS, 0, wp_part_depth (&elements));
  (sums->is_half ? wp_matrix_round_halves : wp_matrix_cut) (matrices, ROWS);
  wp_sums_write (warp, sums, matrices, mask);
}

static void
multiply_integers (WpWarp *warp, const Product *product, const WpSums *sums, const WpPart *b,
                   guint column, WpIntegerMatrices *matrices, guint32 mask)
{
  const WpPartElements elements = elements_of_b (product);

  wp_part_read_b_integers (b, &elements, column, matrices);
  wp_sums_read_integers (warp, sums, matrices);
  wp_matrix_integers (matrices, ROWS, wp_part_depth (&elements), product->is_saturated);
  wp_sums_write_integers (warp, sums, matrices, mask);
}

/* Bits that both have. */
static void
multiply_bits (WpWarp *warp, const WpSums *sums, const WpPart *a, const WpPart *b, guint column,
               guint32 mask)
{
  WpIntegerMatrices matrices;

  wp_sums_read_integers (warp, sums, &matrices);
  for (guint row = 0; row < ROWS; row++)
    for (guint j = 0; j < BLOCK; j++)
      {
        guint32 sum = (guint32)matrices.d[row][j];

        for (guint word = 0; word < WP_PART_WORDS; word++)
          sum += (guint32)__builtin_popcount (a->words[row][word] & b->words[column + j][word]);
        matrices.d[row][j] = (gint32)sum;
      }
  wp_sums_write_integers (warp, sums, &matrices, mask);
}

typedef union
{
  WpRealMatrices reals;
  WpIntegerMatrices integers;
} Matrices;

/* Eight columns after another. Those that nothing is known of are marked, and not computed. */
static void
multiply (WpWarp *warp, const WpStep *step, const Product *product, const WpPart *a,
          const WpPart *b, WpSums sums, guint32 mask)
{
  const guint n = sums.is_half ? 2 : 4; /* registers of a block */
  const guint c_from = sums.from;
  const WpPartElements elements = { product->a, product->bits, product->is_negative_a };
  gboolean is_filled = FALSE;
  Matrices matrices;

  for (guint column = 0; column < product->columns; column += BLOCK)
    {
      sums.from = c_from == WP_ROW_ZERO ? WP_ROW_ZERO : c_from + column / BLOCK * n;
      sums.to = step->dest == WP_ROW_SINK ? WP_ROW_SINK : step->dest + column / BLOCK * n;
      sums.unknown_columns = b->unknown[column / BLOCK];
      if (sums.unknown_rows == 0xffff || sums.unknown_columns == 0xff)
        {
          for (guint r = 0; r < n; r++)
            wp_put_unknown (warp, sums.to + r, mask, sums.tag);
          continue;
        }
      if (!is_filled && product->c == WP_S32 && product->a != WP_ELEMENT_B1)
        wp_part_read_a_integers (a, &elements, 0, &matrices.integers);
      else if (!is_filled && product->c != WP_S32)
        wp_part_read_a (a, &elements, 0, &matrices.reals);
      is_filled = TRUE;
      if (product->a == WP_ELEMENT_B1)
        multiply_bits (warp, &sums, a, b, column, mask);
      else if (product->c == WP_S32)
        multiply_integers (warp, product, &sums, b, column, &matrices.integers, mask);
      else
        multiply_real (warp, product, &sums, b, column, &matrices.reals, mask);
    }
}

/* Whether the descriptors, and whether something is added, are known. */
static gboolean
is_told (const WpWarp *warp, const WpStep *step, const Product *product)
{
  for (guint k = product->has_registers ? 2 : 0; k < 4; k++)
    if (warp->ur_unknown[product->uniform + k])
      return FALSE;
  return wp_predicate_unknown (warp, step->source_p[0]) == 0;
}

static guint64
get_descriptor (const WpWarp *warp, guint first)
{
  return warp->ur[first] | (guint64)warp->ur[first + 1] << 32;
}

static void
run_product (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const Product product = product_of (step);
  const WpSource *source = &step->sources[step->n_sources - 1];
  const gboolean is_added = wp_predicate (warp, step->source_p[0]) != 0;
  WpPart a, b;

  if (!is_told (warp, step, &product))
    {
      for (guint r = 0; r < step->n_dest; r++)
        wp_put_unknown (warp, step->dest + r, mask, warp->ur_tag[product.uniform + 2]);
      return;
    }
  if (product.has_registers)
    take_registers (warp, step, &a);
  else if (!wp_part_load (warp, step, warp->block, get_descriptor (warp, product.uniform),
                          product.is_turned_a, warp->number % WP_WARPGROUP * ROWS, ROWS, &a))
    return;
  if (!wp_part_load (warp, step, warp->block, get_descriptor (warp, product.uniform + 2u),
                     product.is_turned_b, 0, product.columns, &b))
    return;

  WpTag tag = wp_tag_join (warp->block->shared_tag, is_added ? wp_tag (warp, source) : 0);
  if (product.has_registers)
    tag = wp_tag_join (wp_tag (warp, &step->sources[0]), tag);
  multiply (warp, step, &product, &a, &b,
            (WpSums){ .from = is_added ? source->first : WP_ROW_ZERO,
                      .rows = ROWS,
                      .is_half = product.c == WP_F16,
                      .unknown_rows = a.unknown[0] | (guint32)a.unknown[1] << BLOCK,
                      .tag = WP_TAG (WP_TAG_SOURCE (tag), 0) },
            mask);
}

/* ---- Preparing ---- */

static gboolean
read_words_of_descriptor (const WpSassOperand *operand, Product *product)
{
  for (guint k = 0; k < G_N_ELEMENTS (operand->words); k++)
    switch (operand->words[k])
      {
      case WP_WORD_NONE:
        break;
      case WP_WORD_negA:
        product->is_negative_a = TRUE;
        break;
      case WP_WORD_negB:
        product->is_negative_b = TRUE;
        break;
      case WP_WORD_negA_negB:
        product->is_negative_a = product->is_negative_b = TRUE;
        break;
      case WP_WORD_tnspA:
        product->is_turned_a = TRUE;
        break;
      case WP_WORD_tnspB:
        product->is_turned_b = TRUE;
        break;
      case WP_WORD_tnspA_tnspB:
        product->is_turned_a = product->is_turned_b = TRUE;
        break;
      default:
        return FALSE;
      }
  return TRUE;
}

/* The words after the size: elements of A and B (OTHERWISE where none is named), F16, F32, SAT. */
static gboolean
read_types (const WpStep *step, guint otherwise, Product *product)
{
  gint a = -1, b = -1;

  product->c = otherwise == WP_S8 || otherwise == WP_ELEMENT_B1 ? WP_S32 : WP_F32;
  for (guint k = 1; k < step->instr->n_words; k++)
    {
      const WpSassWord word = step->instr->words[k];
      const gint element = wp_element_of_word (word);

      if (element >= 0)
        *(a < 0 ? &a : &b) = element;
      else if (word == WP_WORD_F16)
        product->c = WP_F16;
      else if (word == WP_WORD_SAT)
        product->is_saturated = TRUE;
      else if (word != WP_WORD_F32 && word != WP_WORD_AND && word != WP_WORD_POPC)
        return FALSE;
    }
  product->a = a < 0 ? otherwise : (guint)a;
  product->b = b < 0 ? product->a : (guint)b;
  product->bits = otherwise == WP_ELEMENT_B1 ? 1 : wp_type_bits ((WpType)product->a);
  return TRUE;
}

static gboolean
prepare (WpStep *step, guint otherwise, gchar **problem)
{
  const WpSassOperand *descriptor = wp_step_get_memory (step, 0);
  Product product = { 0 };

  if (descriptor == NULL || step->n_sources < 1 || step->n_sources > 2 || step->n_predicates != 1
      || step->instr->n_words == 0)
    return wp_step_refuse (step, problem);
  product.columns
      = (guint16)g_ascii_strtoull (wp_sass_word_text (step->instr->words[0]) + 3, NULL, 10);
  product.uniform = descriptor->uniform;
  product.has_registers = step->n_sources == 2;
  product.is_negative_a = product.has_registers && step->sources[0].negate;
  if (!read_words_of_descriptor (descriptor, &product) || !read_types (step, otherwise, &product)
      || product.columns == 0 || product.columns % BLOCK != 0 || product.columns > MOST_COLUMNS
      || descriptor->uniform == 255
      || ((product.is_turned_a || product.is_turned_b) && product.bits != 16)
      || step->sources[0].from != WP_FROM_REGISTER)
    return wp_step_refuse (step, problem);
  memcpy (step->mode, &product, sizeof product);
  step->run = run_product;
  return TRUE;
}

static gboolean
prepare_hgmma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_F16, problem);
}

static gboolean
prepare_igmma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_S8, problem);
}

static gboolean
prepare_qgmma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_E4M3, problem);
}

static gboolean
prepare_bgmma (WpStep *step, gchar **problem)
{
  return prepare (step, WP_ELEMENT_B1, problem);
}

/* WARPGROUP.DEPBAR: products are done as they are issued, but by one warp after another; none goes
 * on, perhaps to store where the others still read, before all four have issued theirs. */
static void
run_wait (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint group = warp->number / WP_WARPGROUP;
  const WpArrival arrival = { .barrier = WP_NAMED_BARRIERS + group,
                              .expected = WP_WARPGROUP * WP_LANES,
                              .waits = TRUE };

  wp_trail_add (&warp->trail, step->index, mask);
  if (mask == 0)
    return;
  if ((group + 1) * WP_WARPGROUP > warp->block->n_warps)
    {
      wp_warp_fail (warp, step, (guint)__builtin_ctz (mask),
                    "wgmma is for four warps together, and the block has %u", warp->block->n_warps);
      return;
    }
  wp_warp_split (warp, mask);
  wp_block_arrive (warp, &arrival);
}

/* Nothing else that orders products has anything to do. */
static gboolean
prepare_order (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->is_control = wp_step_has_text (step, "DEPBAR");
  step->run = step->is_control ? run_wait : wp_step_run_nothing;
  return TRUE;
}

const WpOpRule wp_rules_warpgroup[] = {
  { WP_SASS_BGMMA, prepare_bgmma },
  { WP_SASS_HGMMA, prepare_hgmma },
  { WP_SASS_IGMMA, prepare_igmma },
  { WP_SASS_QGMMA, prepare_qgmma },
  { WP_SASS_WARPGROUP, prepare_order },
  { WP_SASS_WARPGROUPSET, prepare_order },
  { WP_SASS_NO_OP, NULL },
};
