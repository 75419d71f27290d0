/* SPDX-License-Identifier: MIT */
/* mma.cu and async.cu. */
#include "tests/cuda/execute/reference.h"

#include <math.h>
#include <stdbool.h>

typedef double (*GetElement) (const void *data, size_t i);

static double
get_half (const void *data, size_t i)
{
  return ref_from_half (((const uint16_t *)data)[i]);
}

static double
get_bfloat (const void *data, size_t i)
{
  return ref_from_bfloat (((const uint16_t *)data)[i]);
}

static double
get_double (const void *data, size_t i)
{
  return ((const double *)data)[i];
}

static double
get_signed (const void *data, size_t i)
{
  return ((const int8_t *)data)[i];
}

static double
get_unsigned (const void *data, size_t i)
{
  return ((const uint8_t *)data)[i];
}

/* To the nearest of 10 bits of fraction, ties away from zero. */
static double
get_tf32 (const void *data, size_t i)
{
  double value = (double)((const float *)data)[i];
  int exponent;

  value = frexp (value, &exponent);
  return ldexp (round (ldexp (value, 11)), exponent - 11);
}

/* M x N sums of K products; B by columns, or by rows. */
static double *
multiply (const void *a, GetElement get_a, const void *b, GetElement get_b, size_t m, size_t n,
          size_t k, bool by_rows)
{
  double *c = ref_new (m * n * sizeof *c);

  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t l = 0; l < k; l++)
        c[i * n + j] += get_a (a, i * k + l) * get_b (b, by_rows ? l * n + j : j * k + l);
  return c;
}

/* Halves that are eighths up to 1: no sum of up to 32 products rounds. */
static uint16_t *
give_eighths (const char *name, size_t n, int largest)
{
  uint16_t *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    data[i] = ref_half (ref_number (-largest, largest) / 8.0);
  ref_give (name, data, n * sizeof *data);
  return data;
}

static void
mma_f16 (void)
{
  uint16_t *a = ref_halves ("A", 32 * 32, -1, 1), *b = ref_halves ("B", 32 * 32, -1, 1);

  ref_near ("C", multiply (a, get_half, b, get_half, 32, 32, 32, false), 32 * 32, 1e-5, 1e-5);
}

static void
mma_f16_f16 (void)
{
  uint16_t *a = give_eighths ("A", 32 * 16, 8), *b = give_eighths ("B", 16 * 16, 8);

  ref_near_halves ("C", multiply (a, get_half, b, get_half, 32, 16, 16, false), 32 * 16, 0, 0);
}

static void
mma_f16_wide (void)
{
  uint16_t *a = give_eighths ("A", 32 * 48, 30), *b = give_eighths ("B", 24 * 48, 30);

  ref_near ("C", multiply (a, get_half, b, get_half, 32, 24, 48, false), 32 * 24, 0, 0);
}

static void
mma_bf16 (void)
{
  uint16_t *a = ref_bfloats ("A", 32 * 32, -1, 1), *b = ref_bfloats ("B", 16 * 32, -1, 1);

  ref_near ("C", multiply (a, get_bfloat, b, get_bfloat, 32, 16, 32, false), 32 * 16, 1e-5, 1e-5);
}

static void
mma_tf32 (void)
{
  float *a = ref_floats ("A", 32 * 24, -1, 1), *b = ref_floats ("B", 16 * 24, -1, 1);

  ref_near ("C", multiply (a, get_tf32, b, get_tf32, 32, 16, 24, false), 32 * 16, 1e-5, 1e-5);
}

static void
check_bytes (size_t k, GetElement get_b)
{
  uint8_t *a = ref_bytes ("A", 32 * k, 0, 255), *b = ref_bytes ("B", 16 * k, 0, 255);
  double *sums = multiply (a, get_signed, b, get_b, 32, 16, k, false);
  int32_t whole[32 * 16];

  for (int i = 0; i < 32 * 16; i++)
    whole[i] = (int32_t)sums[i];
  ref_same ("C", whole, 4, 32 * 16);
}

static void
mma_s8 (void)
{
  check_bytes (64, get_signed);
}

static void
mma_s8_wide (void)
{
  check_bytes (96, get_unsigned);
}

static void
mma_f64 (void)
{
  double *a = ref_doubles ("A", 32 * 12, -1, 1), *b = ref_doubles ("B", 16 * 12, -1, 1);

  ref_near_doubles ("C", multiply (a, get_double, b, get_double, 32, 16, 12, false), 32 * 16, 1e-14,
                    1e-15);
}

static void
gemm_ldmatrix (void)
{
  uint16_t *a = ref_halves ("A", 64 * 64, -1, 1), *b = ref_halves ("B", 64 * 64, -1, 1);

  ref_near ("C", multiply (a, get_half, b, get_half, 64, 64, 64, true), 64 * 64, 1e-5, 1e-5);
}

static void
gemm_async (void)
{
  uint16_t *a = give_eighths ("A", 128 * 128, 8), *b = give_eighths ("B", 128 * 128, 8);

  ref_near ("C", multiply (a, get_half, b, get_half, 128, 128, 128, true), 128 * 128, 0, 0);
}

/* Lane i holds two elements of row i / 4; transposed, of column i / 4. */
static void
matrix_moves (void)
{
  uint16_t *in = (uint16_t *)ref_words ("IN", 64), out[256];

  for (int i = 0; i < 64; i++)
    {
      int row = i / 8, column = i % 8;

      out[i] = in[i];
      out[64 + i] = in[column * 8 + row];
      out[128 + i] = in[64 + column * 8 + row];
      out[192 + i] = in[column * 8 + row];
    }
  ref_same ("OUT", out, 2, 256);
}

static void
async_copy (void)
{
  float *data = ref_floats ("IN", 700, -1, 1);

  for (int i = 0; i < 700; i++)
    data[i] = data[i] + 1;
  ref_same ("OUT", data, 4, 700);
}

static void
async_sizes (void)
{
  uint32_t *data = ref_words ("IN", 448), out[448];

  for (int block = 0; block < 2; block++)
    {
      const uint32_t *from = data + block * 224;
      uint32_t piece[224];

      for (int i = 0; i < 96; i++)
        piece[i] = from[i];
      for (int i = 0; i < 128; i++)
        piece[96 + i] = from[96 + (31 - i / 4) * 4 + i % 4];
      for (int i = 0; i < 224; i++)
        out[block * 224 + i] = piece[i / 32 * 32 + (i % 32 ^ 1)];
    }
  ref_same ("OUT", out, 4, 448);
}

const RefCase ref_cases_matrix[] = { { "mma_f16", mma_f16 },
                                     { "mma_f16_f16", mma_f16_f16 },
                                     { "mma_f16_wide", mma_f16_wide },
                                     { "mma_bf16", mma_bf16 },
                                     { "mma_tf32", mma_tf32 },
                                     { "mma_s8", mma_s8 },
                                     { "mma_s8_wide", mma_s8_wide },
                                     { "mma_f64", mma_f64 },
                                     { "gemm_ldmatrix", gemm_ldmatrix },
                                     { "matrix_moves", matrix_moves },
                                     { "async_copy", async_copy },
                                     { "async_sizes", async_sizes },
                                     { "gemm_async", gemm_async },
                                     { NULL, NULL } };
