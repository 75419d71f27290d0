/* SPDX-License-Identifier: MIT */
/* Elements of matrices in the registers of a warp, and the sums of products of matrices. */
#pragma once

#include "exec/machine/wp-number.h"
#include "exec/machine/wp-rows-matrix.h"
#include "exec/machine/wp-warp.h"

G_BEGIN_DECLS

/* Types of elements that are no WpType. */
enum
{
  WP_ELEMENT_U4 = WP_N_TYPES,
  WP_ELEMENT_S4,
  WP_ELEMENT_B1
};

/* The type that WORD after the op of a product says (S8, BF16, E4M3, ...), or -1. */
gint wp_element_of_word (WpSassWord word);

/* The number that the low bits of BITS are, of a TYPE in floating point but double precision. */
double wp_element_read (guint type, guint64 bits);

/* Element J, from 0, of BITS each of the words in ROW as single precision, which holds all types of
 * 16 bits and fewer, and TF32. */
void wp_elements_read (guint type, guint bits, const guint32 *row, guint j, guint32 *to);
/* ...as a whole number. */
void wp_elements_read_integers (guint type, guint bits, const guint32 *row, guint j, gint32 *to);

/* Eight columns of C, and of D that it becomes, as registers hold them (PTX ISA, "Matrix Fragments
 * for mma"): lane L has elements 2 (L % 4) and the next of row L / 4, in two registers or, as
 * halves, in one; then those of row L / 4 + 8, where there are 16. */
typedef struct
{
  guint from, to; /* rows of the registers of C (WP_ROW_ZERO: zeros) and of D */
  guint rows;     /* of the matrix: 8 or 16 */
  gboolean is_half;
  guint32 unknown_rows, unknown_columns; /* a bit for each of A and of B */
  WpTag tag;
} WpSums;

/* C, as matrices->d. */
void wp_sums_read (const WpWarp *warp, const WpSums *sums, WpRealMatrices *matrices);
void wp_sums_read_integers (const WpWarp *warp, const WpSums *sums, WpIntegerMatrices *matrices);

/* matrices->d to D in the lanes of MASK. */
void wp_sums_write (WpWarp *warp, const WpSums *sums, const WpRealMatrices *matrices, guint32 mask);
void wp_sums_write_integers (WpWarp *warp, const WpSums *sums, const WpIntegerMatrices *matrices,
                             guint32 mask);

/* Register R of D alone, whose elements stand in row ROW on. */
void wp_sums_put (WpWarp *warp, const WpSums *sums, guint r, guint row, const guint32 *lanes,
                  guint32 mask);

G_END_DECLS
