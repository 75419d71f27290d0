/* SPDX-License-Identifier: MIT */
/* sm_100: UTCHMMA, UTCIMMA, UTCQMMA: products of matrices by one thread (PTX ISA, tcgen05.mma). A
 * is in shared memory or in tensor memory, B in shared memory, where a descriptor says, and D, to
 * which the product is added, in tensor memory. What A, B and D are a second descriptor says
 * ("Instruction descriptor"). With cta_group::2 the two blocks of a pair multiply together: each
 * has half of the rows of A and D, and half of the columns of B, at the same places. It is all done
 * when it is issued: nothing may look at D, or change A and B, until an arrival for it has come
 * (wp-ops-tmem.c). */
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-cluster.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-part.h"
#include "exec/machine/wp-rows-float.h"
#include "exec/machine/wp-tensor-memory.h"

#include <string.h>

/* Operands that are in memory, in the order of the text. */
enum
{
  AT_A,
  AT_B,
  AT_D,
  AT_SCALE, /* of blocks */
  AT_SHAPE
};

/* mode[] */
enum
{
  KIND, /* WpProductKind without what the descriptor says */
  FROM_TENSOR,
  IS_PAIR /* two blocks multiply together */
};

#define UNKNOWN_TYPE WP_N_TYPES
#define NARROW_TYPE (WP_N_TYPES + 1) /* of 4 or 6 bits: what comes of them is not computed */
#define RESERVED_BITS (1u << 6 | 1u << 23 | 1u << 29)

typedef struct
{
  WpProduct shape;
  WpPartElements a, b;
  gboolean is_turned_a, is_turned_b, is_saturated;
  guint64 descriptor_a, descriptor_b;
  guint lane_d, column_d, column_a;
  gboolean is_added;
  guint n_blocks; /* that multiply: each has as many rows of A and D as `shape` says, and its share
                   * of the columns of B */
  WpBlock *blocks[2];
} Product;

static guint
get_uniform (const WpStep *step, guint nth)
{
  return wp_step_get_memory (step, nth)->uniform;
}

static guint32
get_word (const WpWarp *warp, guint number)
{
  return number == 255 ? 0 : warp->ur[number];
}

/* ---- What it is ---- */

static guint8
find_type (WpProductKind kind, guint code)
{
  switch (kind)
    {
    case WP_PRODUCT_F16:
      return code == 0 ? WP_F16 : code == 1 ? WP_BF16 : UNKNOWN_TYPE;
    case WP_PRODUCT_TF32:
      return code == 2 ? WP_TF32 : UNKNOWN_TYPE;
    case WP_PRODUCT_I8:
      return code == 0 ? WP_U8 : code == 1 ? WP_S8 : UNKNOWN_TYPE;
    default:
      return code == 0                ? WP_E4M3
             : code == 1              ? WP_E5M2
             : code >= 3 && code <= 5 ? NARROW_TYPE
                                      : UNKNOWN_TYPE;
    }
}

static gboolean
is_narrow (const Product *product)
{
  return product->a.type == NARROW_TYPE || product->b.type == NARROW_TYPE;
}

/* What is wrong with the types of PRODUCT, and with what else the descriptor WORD says of sums;
 * NULL: nothing. */
static const gchar *
find_wrong_types (const Product *product, guint32 word)
{
  const WpProductKind kind = product->shape.kind;
  const guint sums = word >> 4 & 3; /* f16, f32, s32 */
  const gboolean may_be_half
      = kind == WP_PRODUCT_F8F6F4
        || (kind == WP_PRODUCT_F16 && product->a.type == WP_F16 && product->b.type == WP_F16);

  if (product->a.type == UNKNOWN_TYPE || product->b.type == UNKNOWN_TYPE)
    return "there are no such types of A and B";
  if (kind == WP_PRODUCT_I8 ? sums != 2 : sums > 1 || (sums == 0 && !may_be_half))
    return "such A and B have no sums of that type";
  if (kind == WP_PRODUCT_I8 && (product->a.is_negative || product->b.is_negative))
    return "whole numbers cannot be negated there";
  if (kind != WP_PRODUCT_I8 && product->is_saturated)
    return "only sums of whole numbers can be saturated";
  if ((product->is_turned_a || product->is_turned_b) && kind != WP_PRODUCT_F16)
    return "transposed matrices but those of 16 bits are not covered by execution";
  return word & RESERVED_BITS ? "bits that are reserved are to be 0" : NULL;
}

/* How many columns a product has is a multiple of this. */
static guint
get_column_step (const WpProduct *shape)
{
  return shape->rows == 64 && (shape->kind != WP_PRODUCT_I8 || shape->columns <= 32) ? 8 : 16;
}

/* Reads the descriptor WORD. FALSE, as wp_warp_fail(): it makes no sense, or is not covered. */
static gboolean
read_shape (WpWarp *warp, const WpStep *step, guint32 word, Product *product)
{
  const guint code_a = word >> 7 & 7, code_b = word >> 10 & 7;
  const gchar *problem = NULL;

  product->shape = (WpProduct){ .kind = (WpProductKind)step->mode[KIND],
                                .rows = (word >> 24 & 31) * 16 / product->n_blocks,
                                .columns = (word >> 17 & 63) * 8,
                                .from_tensor = step->mode[FROM_TENSOR] != 0,
                                .is_half = (word >> 4 & 3) == 0 };
  if (product->shape.kind == WP_PRODUCT_F16 && code_a == 2)
    product->shape.kind = WP_PRODUCT_TF32;
  product->a = (WpPartElements){ .type = find_type (product->shape.kind, code_a) };
  product->b = (WpPartElements){ .type = find_type (product->shape.kind, code_b) };
  product->is_saturated = word >> 3 & 1;
  product->a.is_negative = word >> 13 & 1;
  product->b.is_negative = word >> 14 & 1;
  product->is_turned_a = word >> 15 & 1;
  product->is_turned_b = word >> 16 & 1;
  if (word >> 2 & 1)
    problem = "sparse matrices are not covered by execution";
  else if (product->n_blocks == 2 && product->shape.rows != 128)
    problem = product->shape.rows == 64 ? "128 rows of two blocks are not covered by execution"
                                        : "256 rows of two blocks would be right";
  else if (product->shape.rows != 64 && product->shape.rows != 128)
    problem = "64 or 128 rows would be right";
  else if (product->shape.columns == 0 || product->shape.columns > 256
           || product->shape.columns % get_column_step (&product->shape) != 0)
    problem = "a multiple of 8 columns (of 16 with 128 rows, or whole numbers and more than 32 "
              "columns) up to 256 would be right";
  else
    problem = find_wrong_types (product, word);
  if (problem != NULL)
    {
      wp_warp_fail (warp, step, 0, "the descriptor 0x%08x says %u rows and %u columns: %s", word,
                    product->shape.rows * product->n_blocks, product->shape.columns, problem);
      return FALSE;
    }
  if (!is_narrow (product))
    {
      product->a.bits = wp_type_bits ((WpType)product->a.type);
      product->b.bits = wp_type_bits ((WpType)product->b.type);
    }
  return TRUE;
}

/* Whether D, and A if it is there, are allocated in block NUMBER of those that multiply. */
static gboolean
has_columns (const Product *product, guint number)
{
  const WpTensorMemory *memory = wp_tensor_memory_get (product->blocks[number]);

  return wp_tensor_memory_has (memory, product->column_d, product->shape.columns)
         && (!product->shape.from_tensor
             || wp_tensor_memory_has (memory, product->column_a, WP_PART_WORDS));
}

/* Which blocks multiply. FALSE, as wp_warp_fail(): the cluster has no pairs. */
static gboolean
find_blocks (WpWarp *warp, const WpStep *step, Product *product)
{
  product->n_blocks = step->mode[IS_PAIR] ? 2 : 1;
  product->blocks[0] = warp->block;
  for (guint k = 0; k < product->n_blocks && step->mode[IS_PAIR]; k++)
    product->blocks[k] = wp_cluster_get_of_pair (warp->block, k);
  if (product->blocks[0] != NULL)
    return TRUE;
  wp_warp_fail (
      warp, step, 0,
      "two blocks multiply together (cta_group::2), and the cluster has %u; cluster(2) in "
      "the launch would be right",
      warp->block->cluster->n);
  return FALSE;
}

/* What is in the tensor memory of those that multiply is unknown from now on. */
static void
lose_all (const Product *product, WpTag tag)
{
  for (guint k = 0; k < product->n_blocks; k++)
    wp_tensor_memory_lose (wp_tensor_memory_get (product->blocks[k]), tag);
}

/* Where A is, if it is in tensor memory, and D. FALSE, as wp_warp_fail(). */
static gboolean
find_places (WpWarp *warp, const WpStep *step, Product *product)
{
  const guint32 d = get_word (warp, get_uniform (step, AT_D));
  const guint32 a = product->shape.from_tensor ? get_word (warp, get_uniform (step, AT_A)) : 0;

  product->lane_d = d >> 16;
  product->column_d = d & 0xffff;
  product->column_a = a & 0xffff;
  /* D of 64 rows takes half of the lanes, from the first one on or from the 16th. */
  if (product->lane_d != 0 && !(product->shape.rows == 64 && product->lane_d == 16))
    wp_warp_fail (warp, step, 0, "D begins at lane %u of tensor memory; 0 would be right",
                  product->lane_d);
  else if (product->shape.from_tensor && a >> 16 != product->lane_d)
    wp_warp_fail (warp, step, 0,
                  "A begins at lane %u of tensor memory, and D at lane %u; the same would be right",
                  a >> 16, product->lane_d);
  else if (!has_columns (product, 0) || !has_columns (product, product->n_blocks - 1))
    wp_warp_fail (warp, step, 0,
                  "the %u columns of D from %u on, or those of A, are not all allocated in tensor "
                  "memory",
                  product->shape.columns, product->column_d);
  else
    return TRUE;
  return FALSE;
}

/* Whether the registers that say it are all known. */
static gboolean
is_told (const WpWarp *warp, const WpStep *step)
{
  for (guint nth = AT_A; nth <= AT_SHAPE; nth++)
    {
      const guint number = get_uniform (step, nth);
      const gboolean is_wide = nth == AT_B || (nth == AT_A && !step->mode[FROM_TENSOR]);

      if (number == 255 || nth == AT_SCALE)
        continue;
      if (warp->ur_unknown[number] || (is_wide && warp->ur_unknown[number + 1]))
        return FALSE;
    }
  return wp_predicate_unknown (warp, step->source_p[0]) == 0;
}

/* Fills in PRODUCT. FALSE: the run is over, or nobody knows what it is. */
static gboolean
find_product (WpWarp *warp, const WpStep *step, Product *product)
{
  const guint a = get_uniform (step, AT_A), b = get_uniform (step, AT_B);

  memset (product, 0, sizeof *product);
  if (!find_blocks (warp, step, product))
    return FALSE;
  if (!is_told (warp, step))
    {
      wp_warp_note (warp, step, WP_NOTE_OTHER, 0);
      lose_all (product, 0);
      return FALSE;
    }
  if (!read_shape (warp, step, get_word (warp, get_uniform (step, AT_SHAPE)), product)
      || !find_places (warp, step, product))
    return FALSE;
  product->descriptor_a = get_word (warp, a) | (guint64)get_word (warp, a + 1) << 32;
  product->descriptor_b = get_word (warp, b) | (guint64)get_word (warp, b + 1) << 32;
  product->is_added = wp_predicate (warp, step->source_p[0]) != 0;
  wp_kernel_code_see_product (warp->block->grid->code, step->index, &product->shape);
  return TRUE;
}

/* ---- Sums ---- */

/* The lane of row ROW of D, and of A. */
static guint
find_lane (const Product *product, guint row)
{
  return product->lane_d + (product->shape.rows == 64 ? row / 16 * 32 + row % 16 : row);
}

static void
load_a_from_tensor (const WpTensorMemory *memory, const Product *product, WpPart *part)
{
  memset (part, 0, sizeof *part);
  for (guint row = 0; row < product->shape.rows; row++)
    for (guint word = 0; word < WP_PART_WORDS; word++)
      {
        const guint lane = find_lane (product, row), column = product->column_a + word;

        part->words[row][word] = memory->words[lane][column];
        part->unknown[row / WP_PART_BLOCK]
            |= (guint8)wp_tensor_memory_is_unknown (memory, lane, column) << row % WP_PART_BLOCK;
      }
}

/* Eight columns of D from COLUMN on, of sixteen rows from ROW on. */
static void
read_sums (const WpTensorMemory *memory, const Product *product, guint row, guint column,
           double (*sums)[WP_MATRIX_COLUMNS])
{
  for (guint i = 0; i < WP_MATRIX_ROWS; i++)
    for (guint j = 0; j < WP_MATRIX_COLUMNS; j++)
      {
        const guint32 word
            = memory->words[find_lane (product, row + i)][product->column_d + column + j];

        sums[i][j] = !product->is_added       ? 0
                     : product->shape.is_half ? wp_element_read (WP_F16, word & 0xffff)
                                              : (double)wp_float (word);
      }
}

static guint32
make_word (const Product *product, double sum)
{
  return product->shape.is_half ? wp_float_to_half (wp_float_bits ((float)sum))
                                : wp_float_bits ((float)sum);
}

/* Whether the sum of ROW and COLUMN is not known. */
static gboolean
is_lost (const WpTensorMemory *memory, const Product *product, const WpPart *a, const WpPart *b,
         guint row, guint column)
{
  return (a->unknown[row / WP_PART_BLOCK] >> row % WP_PART_BLOCK & 1)
         || (b->unknown[column / WP_PART_BLOCK] >> column % WP_PART_BLOCK & 1)
         || (product->is_added
             && wp_tensor_memory_is_unknown (memory, find_lane (product, row),
                                             product->column_d + column));
}

static void
write_sums (WpTensorMemory *memory, const Product *product, const WpPart *a, const WpPart *b,
            guint row, guint column, guint32 (*words)[WP_MATRIX_COLUMNS])
{
  for (guint i = 0; i < WP_MATRIX_ROWS; i++)
    for (guint j = 0; j < WP_MATRIX_COLUMNS; j++)
      wp_tensor_memory_set (memory, find_lane (product, row + i), product->column_d + column + j,
                            words[i][j], is_lost (memory, product, a, b, row + i, column + j));
}

/* All that is added is added at once, and cut, as with wgmma (wp-ops-warpgroup.c). */
static void
multiply_reals (WpTensorMemory *memory, const Product *product, const WpPart *a, const WpPart *b)
{
  WpRealMatrices *room = memory->room.reals;
  const guint n_blocks = product->shape.rows / WP_MATRIX_ROWS;

  for (guint k = 0; k < n_blocks; k++)
    wp_part_read_a (a, &product->a, k * WP_MATRIX_ROWS, &room[k]);
  for (guint column = 0; column < product->shape.columns; column += WP_MATRIX_COLUMNS)
    {
      wp_part_read_b (b, &product->b, column, &room[0]);
      for (guint k = 0; k < n_blocks; k++)
        {
          guint32 words[WP_MATRIX_ROWS][WP_MATRIX_COLUMNS];

          if (k > 0)
            memcpy (room[k].b, room[0].b, sizeof room[k].b);
          read_sums (memory, product, k * WP_MATRIX_ROWS, column, room[k].d);
          wp_matrix_accumulate (&room[k], WP_MATRIX_ROWS, 0, wp_part_depth (&product->a));
          (product->shape.is_half ? wp_matrix_round_halves : wp_matrix_cut) (&room[k],
                                                                             WP_MATRIX_ROWS);
          for (guint i = 0; i < WP_MATRIX_ROWS; i++)
            for (guint j = 0; j < WP_MATRIX_COLUMNS; j++)
              words[i][j] = make_word (product, room[k].d[i][j]);
          write_sums (memory, product, a, b, k * WP_MATRIX_ROWS, column, words);
        }
    }
}

static void
multiply_integers (WpTensorMemory *memory, const Product *product, const WpPart *a, const WpPart *b)
{
  WpIntegerMatrices *room = memory->room.integers;
  const guint n_blocks = product->shape.rows / WP_MATRIX_ROWS;

  for (guint k = 0; k < n_blocks; k++)
    wp_part_read_a_integers (a, &product->a, k * WP_MATRIX_ROWS, &room[k]);
  for (guint column = 0; column < product->shape.columns; column += WP_MATRIX_COLUMNS)
    {
      wp_part_read_b_integers (b, &product->b, column, &room[0]);
      for (guint k = 0; k < n_blocks; k++)
        {
          const guint row = k * WP_MATRIX_ROWS;

          if (k > 0)
            memcpy (room[k].b, room[0].b, sizeof room[k].b);
          for (guint i = 0; i < WP_MATRIX_ROWS; i++)
            for (guint j = 0; j < WP_MATRIX_COLUMNS; j++)
              room[k].d[i][j]
                  = product->is_added
                        ? (gint32)memory
                              ->words[find_lane (product, row + i)][product->column_d + column + j]
                        : 0;
          wp_matrix_integers (&room[k], WP_MATRIX_ROWS, wp_part_depth (&product->a),
                              product->is_saturated);
          write_sums (memory, product, a, b, row, column,
                      (guint32 (*)[WP_MATRIX_COLUMNS]) (gpointer)room[k].d);
        }
    }
}

/* Loads B, of which each block that multiplies has its share of the columns. */
static gboolean
load_b (WpWarp *warp, const WpStep *step, const Product *product, WpPart *b)
{
  const guint n = product->shape.columns / product->n_blocks;
  WpPart second;

  if (!wp_part_load (warp, step, product->blocks[0], product->descriptor_b, product->is_turned_b, 0,
                     n, b))
    return FALSE;
  if (product->n_blocks == 1)
    return TRUE;
  if (!wp_part_load (warp, step, product->blocks[1], product->descriptor_b, product->is_turned_b, 0,
                     n, &second))
    return FALSE;
  memcpy (b->words[n], second.words, n * sizeof *b->words);
  memcpy (b->unknown + n / WP_PART_BLOCK, second.unknown, n / WP_PART_BLOCK);
  return TRUE;
}

/* The rows of BLOCK, by all columns in B. FALSE: WARP has failed. */
static gboolean
multiply_rows (WpWarp *warp, const WpStep *step, const Product *product, WpBlock *block,
               const WpPart *b)
{
  WpTensorMemory *memory = wp_tensor_memory_get (block);
  WpPart a;

  if (product->shape.from_tensor)
    load_a_from_tensor (memory, product, &a);
  else if (!wp_part_load (warp, step, block, product->descriptor_a, product->is_turned_a, 0,
                          product->shape.rows, &a))
    return FALSE;
  memory->tag = wp_tag_join (memory->tag, block->shared_tag);
  if (product->shape.kind == WP_PRODUCT_I8)
    multiply_integers (memory, product, &a, b);
  else
    multiply_reals (memory, product, &a, b);
  return TRUE;
}

static void
run_product (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)
{
  Product product;
  WpPart b;

  if (!find_product (warp, step, &product))
    return;
  if (is_narrow (&product) || warp->doubtful != 0)
    {
      lose_all (&product, warp->block->shared_tag);
      return;
    }
  if (!load_b (warp, step, &product, &b))
    return;
  for (guint k = 0; k < product.n_blocks; k++)
    if (!multiply_rows (warp, step, &product, product.blocks[k], &b))
      return;
}

/* Where nobody looks at data. */
static void
pass_product (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)
{
  Product product;

  find_product (warp, step, &product);
}

/* ---- Preparing ---- */

static gboolean
is_simple (const WpStep *step)
{
  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];

      if (operand->kind == WP_SASS_UNIFORM || operand->kind == WP_SASS_IMMEDIATE)
        return FALSE; /* lanes that are left out; a factor for D */
    }
  return wp_step_get_memory (step, AT_SHAPE) != NULL && step->n_predicates == 1;
}

static gboolean
prepare (WpStep *step, WpProductKind kind, gchar **problem)
{
  step->mode[KIND] = kind;
  step->is_effect = TRUE;
  step->run = run_product;
  step->lean = pass_product;
  step->mode[IS_PAIR] = wp_step_has (step, WP_WORD_2CTA);
  if (wp_step_has (step, WP_WORD_WS) || wp_step_has (step, WP_WORD_ASHIFT) || !is_simple (step))
    return wp_step_refuse (step, problem);
  step->mode[FROM_TENSOR] = wp_step_get_memory (step, AT_A)->space == WP_WORD_tmem;
  return TRUE;
}

static gboolean
prepare_f16 (WpStep *step, gchar **problem)
{
  return prepare (step, WP_PRODUCT_F16, problem);
}

static gboolean
prepare_i8 (WpStep *step, gchar **problem)
{
  return prepare (step, WP_PRODUCT_I8, problem);
}

static gboolean
prepare_f8 (WpStep *step, gchar **problem)
{
  return prepare (step, WP_PRODUCT_F8F6F4, problem);
}

const WpOpRule wp_rules_umma[] = {
  { WP_SASS_UTCHMMA, prepare_f16 },
  { WP_SASS_UTCIMMA, prepare_i8 },
  { WP_SASS_UTCQMMA, prepare_f8 },
  { WP_SASS_NO_OP, NULL },
};
