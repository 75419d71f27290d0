/* SPDX-License-Identifier: MIT */
/* Products of small matrices as the tensor cores compute them: D = A * B + C, where A has up to 16
 * rows of up to 64 elements, and B 8 columns. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_MATRIX_ROWS 16
#define WP_MATRIX_COLUMNS 8
#define WP_MATRIX_DEPTH 64

typedef struct
{
  double a[WP_MATRIX_ROWS][WP_MATRIX_DEPTH];
  double b[WP_MATRIX_DEPTH][WP_MATRIX_COLUMNS];
  double d[WP_MATRIX_ROWS][WP_MATRIX_COLUMNS]; /* C at first */
} WpRealMatrices;

typedef struct
{
  gint32 a[WP_MATRIX_ROWS][WP_MATRIX_DEPTH];
  gint32 b[WP_MATRIX_DEPTH][WP_MATRIX_COLUMNS];
  gint32 d[WP_MATRIX_ROWS][WP_MATRIX_COLUMNS];
} WpIntegerMatrices;

/* D += A * B over elements FIRST to LAST - 1 of the depth, of elements whose products are exact in
 * double precision. */
void wp_matrix_accumulate (WpRealMatrices *matrices, guint rows, guint first, guint last);

/* In double precision, each product added with one rounding, from the first to the last. */
void wp_matrix_fma (WpRealMatrices *matrices, guint rows, guint depth);

/* A sum cut to single precision (towards zero), or rounded to half precision. */
double wp_sum_cut (double sum);
double wp_sum_round_half (double sum);

/* Cuts the elements of D to single precision (towards zero), or rounds them to half precision. */
void wp_matrix_cut (WpRealMatrices *matrices, guint rows);
void wp_matrix_round_halves (WpRealMatrices *matrices, guint rows);

/* With IS_SATURATED the sums stay within 32 bits, else they wrap. */
void wp_matrix_integers (WpIntegerMatrices *matrices, guint rows, guint depth,
                         gboolean is_saturated);

G_END_DECLS
