/* SPDX-License-Identifier: MIT */
/* mma.cu, wgmma.cu, umma.cu and async.cu. */
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

static void
async_barrier (void)
{
  int32_t *in = ref_ints ("IN", 512, -1000, 1000), out[128] = { 0 };

  for (int block = 0; block < 2; block++)
    for (int round = 0; round < 4; round++)
      for (int t = 0; t < (round < 3 ? 64 : 32); t++)
        out[block * 64 + t]
            += in[(block * 4 + round) * 64 + (t ^ (round < 3 ? 33 : 1))] * (round + 1);
  ref_same ("OUT", out, 4, 128);
}

static void
async_polls (void)
{
  int32_t *in = ref_ints ("IN", 1024, -1000, 1000), out[128] = { 0 };

  for (int block = 0; block < 2; block++)
    for (int round = 0; round < 8; round++)
      for (int t = 0; t < 64; t++)
        out[block * 64 + t] += in[(block * 8 + round) * 64 + t] * (2 * round + t / 32 + 1);
  ref_same ("OUT", out, 4, 128);
}

/* ---- wgmma.cu ---- */

/* Floats of 8 bits, with a bias of 7; the largest is 448. */
static double
get_e4m3 (const void *data, size_t i)
{
  uint8_t bits = ((const uint8_t *)data)[i];
  int exponent = bits >> 3 & 15, fraction = bits & 7;
  double value = exponent ? ldexp (8 + fraction, exponent - 10) : ldexp (fraction, -9);

  return bits & 0x80 ? -value : value;
}

static double
get_bit (const void *data, size_t i)
{
  return ((const uint8_t *)data)[i / 8] >> i % 8 & 1;
}

/* Eighths: no sum rounds. Four products of ROWS rows, of the first DEPTHS[] of 64 elements. */
static void
check_layouts (size_t rows, const size_t *depths)
{
  uint16_t *a = give_eighths ("A", rows * 64, 8), *b = give_eighths ("B", 64 * 64, 8);
  double *c = ref_new (4 * rows * 64 * sizeof *c);

  for (size_t block = 0; block < 4; block++)
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < 64; j++)
        for (size_t k = 0; k < depths[block]; k++)
          c[(block * rows + i) * 64 + j]
              += ref_from_half (a[i * 64 + k]) * ref_from_half (b[j * 64 + k]);
  ref_near ("C", c, 4 * rows * 64, 0, 0);
}

static void
wgmma_along_k (void)
{
  check_layouts (64, (const size_t[]){ 16, 16, 32, 64 });
}

static void
wgmma_along_mn (void)
{
  check_layouts (64, (const size_t[]){ 32, 32, 32, 32 });
}

static void
wgmma_tensor (void)
{
  uint16_t *a = ref_halves ("A", 64 * 64, -1, 1), *b = ref_halves ("B", 64 * 64, -1, 1);

  ref_near ("C", multiply (a, get_half, b, get_half, 64, 64, 64, false), 64 * 64, 1e-5, 1e-5);
}

static void
wgmma_registers (void)
{
  uint16_t *a = ref_bfloats ("A", 256 * 32, -1, 1), *b = ref_bfloats ("B", 64 * 32, -1, 1);
  double *c = multiply (a, get_bfloat, b, get_bfloat, 256, 64, 32, false);

  for (size_t i = 0; i < 256 * 64; i++)
    c[i] = -c[i];
  ref_near ("C", c, 256 * 64, 1e-5, 1e-5);
}

/* M x N sums of C and SIGN times what is multiplied, DEPTH deep. */
static double *
add_products (const double *c, double sign, const void *a, GetElement get_a, const void *b,
              GetElement get_b, size_t m, size_t n, size_t depth)
{
  double *sums = multiply (a, get_a, b, get_b, m, n, depth, false);

  for (size_t i = 0; i < m * n; i++)
    sums[i] = c[i] + sign * sums[i];
  return sums;
}

/* 64 x 8 of them. */
static double *
add_to (const double *c, double sign, const void *a, GetElement get_a, const void *b,
        GetElement get_b, size_t depth)
{
  return add_products (c, sign, a, get_a, b, get_b, 64, 8, depth);
}

static double *
give_some_sums (size_t n, float scale)
{
  float *c = ref_new (n * sizeof *c);
  double *sums = ref_new (n * sizeof *sums);

  for (size_t i = 0; i < n; i++)
    sums[i] = (double)(c[i] = (float)ref_number (-64, 64) * scale);
  ref_give ("C", c, n * sizeof *c);
  return sums;
}

static double *
give_sums (float scale)
{
  return give_some_sums (64 * 8, scale);
}

static void
wgmma_f16 (void)
{
  uint16_t *a = give_eighths ("A", 64 * 16, 8), *b = give_eighths ("B", 8 * 16, 8);
  uint16_t *c = give_eighths ("C", 64 * 8, 8);
  double sums[64 * 8];

  for (size_t i = 0; i < 64 * 8; i++)
    sums[i] = ref_from_half (c[i]);
  ref_near_halves ("C", add_to (sums, 1, a, get_half, b, get_half, 16), 64 * 8, 0, 0);
}

static void
wgmma_tf32 (void)
{
  double *c = give_sums (0.125f);
  float *a = ref_floats ("A", 64 * 8, -1, 1), *b = ref_floats ("B", 8 * 8, -1, 1);

  ref_near ("C", add_to (c, -1, a, get_tf32, b, get_tf32, 8), 64 * 8, 2e-3, 2e-3);
}

/* M x N sums, of rows of 32 bytes. */
static void
check_whole (size_t m, size_t n, size_t depth, GetElement get_a, GetElement get_b)
{
  uint8_t *a = ref_bytes ("A", m * 32, 0, 255), *b = ref_bytes ("B", n * 32, 0, 255);
  int32_t *c = ref_new (m * n * sizeof *c);
  double *sums = ref_new (m * n * sizeof *sums), *all;

  for (size_t i = 0; i < m * n; i++)
    sums[i] = c[i] = i % 5 == 0 ? INT32_MAX : ref_number (-1000, 1000);
  ref_give ("C", c, m * n * sizeof *c);
  all = add_products (sums, 1, a, get_a, b, get_b, m, n, depth);
  for (size_t i = 0; i < m * n; i++)
    c[i] = all[i] <= INT32_MAX ? (int32_t)all[i]
           : get_a == get_bit  ? (int32_t)(uint32_t)all[i]
                               : INT32_MAX;
  ref_same ("C", c, 4, m * n);
}

static void
wgmma_s8 (void)
{
  check_whole (64, 8, 32, get_signed, get_unsigned);
}

static void
wgmma_b1 (void)
{
  check_whole (64, 8, 256, get_bit, get_bit);
}

static void
wgmma_e4m3 (void)
{
  double *c = give_sums (1);
  uint8_t *a = ref_bytes ("A", 64 * 32, 0, 0x7e), *b = ref_bytes ("B", 8 * 32, 0x80, 0xfe);

  ref_near ("C", add_to (c, 1, a, get_e4m3, b, get_e4m3, 32), 64 * 8, 1e-6, 1e-6);
}

static void
wgmma_stores (void)
{
  uint16_t *a = give_eighths ("A", 128 * 128, 8), *b = give_eighths ("B", 64 * 128, 8);

  ref_near ("C", multiply (a, get_half, b, get_half, 128, 64, 128, false), 128 * 64, 0, 0);
}

/* ---- umma.cu ---- */

static void
umma_along_k (void)
{
  check_layouts (128, (const size_t[]){ 16, 16, 32, 64 });
}

static void
umma_along_mn (void)
{
  check_layouts (128, (const size_t[]){ 32, 32, 32, 32 });
}

static void
umma_rows_64 (void)
{
  uint16_t *a = ref_bfloats ("A", 64 * 32, -1, 1), *b = ref_bfloats ("B", 24 * 32, -1, 1);
  double *one = multiply (a, get_bfloat, b, get_bfloat, 64, 24, 32, false);
  double *c = ref_new (2 * 64 * 24 * sizeof *c);

  for (size_t i = 0; i < 2 * 64 * 24; i++)
    c[i] = -one[i % (64 * 24)];
  ref_near ("C", c, 2 * 64 * 24, 1e-5, 1e-5);
}

static void
umma_tensor (void)
{
  uint16_t *a = ref_bfloats ("A", 128 * 16, -1, 1), *b = ref_bfloats ("B", 32 * 16, -1, 1);

  ref_near ("C", multiply (a, get_bfloat, b, get_bfloat, 128, 32, 16, false), 128 * 32, 1e-5, 1e-5);
}

/* A half of D is in the lower half of a word. */
static void
umma_f16 (void)
{
  uint16_t *a = give_eighths ("A", 128 * 16, 8), *b = give_eighths ("B", 16 * 16, 8);
  uint32_t *c = ref_new (128 * 16 * sizeof *c);
  double *sums = ref_new (128 * 16 * sizeof *sums);

  for (size_t i = 0; i < 128 * 16; i++)
    {
      sums[i] = ref_number (-64, 64) / 8.0;
      c[i] = ref_half (sums[i]);
    }
  ref_give ("C", c, 128 * 16 * sizeof *c);
  sums = add_products (sums, 1, a, get_half, b, get_half, 128, 16, 16);
  for (size_t i = 0; i < 128 * 16; i++)
    c[i] = ref_half (sums[i]);
  ref_same ("C", c, 4, 128 * 16);
}

static void
umma_tf32 (void)
{
  double *c = give_some_sums (128 * 16, 0.125f);
  float *a = ref_floats ("A", 128 * 8, -1, 1), *b = ref_floats ("B", 16 * 8, -1, 1);

  ref_near ("C", add_products (c, -1, a, get_tf32, b, get_tf32, 128, 16, 8), 128 * 16, 2e-3, 2e-3);
}

static void
umma_s8 (void)
{
  check_whole (128, 16, 32, get_signed, get_unsigned);
}

static void
umma_e4m3 (void)
{
  double *c = give_some_sums (128 * 16, 1);
  uint8_t *a = ref_bytes ("A", 128 * 32, 0, 0x7e), *b = ref_bytes ("B", 16 * 32, 0x80, 0xfe);

  ref_near ("C", add_products (c, 1, a, get_e4m3, b, get_e4m3, 128, 16, 32), 128 * 16, 1e-6, 1e-6);
}

/* PTX ISA, "tcgen05 Data Movement Shapes". */
static void
umma_moves (void)
{
  uint32_t *in = ref_words ("IN", 128 * 16), *out = ref_new (128 * 48 * sizeof *out);

  for (size_t thread = 0; thread < 128; thread++)
    {
      const uint32_t *warp = in + thread / 32 * 32 * 16;
      uint32_t *to = out + thread * 48;
      size_t t = thread % 32;

      for (size_t r = 0; r < 8; r++)
        {
          to[r] = warp[(t / 4 + t % 2 * 8) * 16 + r * 2 + t / 2 % 2];
          to[8 + r] = warp[(16 + t / 4 + r % 2 * 8) * 16 + r / 2 * 4 + t % 4];
          to[16 + r] = warp[(t / 4 + r % 4 / 2 * 8) * 16 + r / 4 * 8 + t % 4 * 2 + r % 2];
          to[24 + r] = warp[t % 16 * 16 + t / 16 * 8 + r];
        }
    }
  for (size_t thread = 0; thread < 128; thread++)
    for (size_t c = 0; c < 16; c++)
      {
        size_t lane = thread % 32 % 16, from = lane % 8 * 4, r;

        if (thread % 32 < 16)
          {
            from += c % 4;
            r = c / 4 * 2 + lane / 8;
          }
        else
          {
            from += c % 8 / 2;
            r = c / 8 * 4 + lane / 8 * 2 + c % 2;
          }
        out[thread * 48 + 32 + c] = out[(thread / 32 * 32 + from) * 48 + 24 + r];
      }
  ref_same ("OUT", out, 4, 128 * 48);
}

static void
check_copied (size_t depth)
{
  uint16_t *a = give_eighths ("A", 256 * depth, 8), *b = give_eighths ("B", 64 * depth, 8);

  ref_near ("C", multiply (a, get_half, b, get_half, 256, 64, depth, false), 256 * 64, 0, 0);
}

static void
umma_alone (void)
{
  check_copied (320);
}

static void
umma_pair (void)
{
  check_copied (448);
}

static void
umma_others (void)
{
  uint32_t *in = ref_words ("IN", 256), out[256];

  for (uint32_t i = 0; i < 256; i++)
    out[i] = in[i ^ 31] * 3 + i / 32;
  ref_same ("OUT", out, 4, 256);
}

static void
umma_roles (void)
{
  check_copied (576);
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
                                     { "async_barrier", async_barrier },
                                     { "async_polls", async_polls },
                                     { "gemm_async", gemm_async },
                                     { "wgmma_along_k", wgmma_along_k },
                                     { "wgmma_along_mn", wgmma_along_mn },
                                     { "wgmma_registers", wgmma_registers },
                                     { "wgmma_f16", wgmma_f16 },
                                     { "wgmma_tf32", wgmma_tf32 },
                                     { "wgmma_s8", wgmma_s8 },
                                     { "wgmma_e4m3", wgmma_e4m3 },
                                     { "wgmma_b1", wgmma_b1 },
                                     { "wgmma_stores", wgmma_stores },
                                     { "wgmma_pool", wgmma_stores },
                                     { "wgmma_tensor", wgmma_tensor },
                                     { "umma_along_k", umma_along_k },
                                     { "umma_along_mn", umma_along_mn },
                                     { "umma_rows_64", umma_rows_64 },
                                     { "umma_tensor", umma_tensor },
                                     { "umma_f16", umma_f16 },
                                     { "umma_tf32", umma_tf32 },
                                     { "umma_s8", umma_s8 },
                                     { "umma_e4m3", umma_e4m3 },
                                     { "umma_moves", umma_moves },
                                     { "umma_alone", umma_alone },
                                     { "umma_roles", umma_roles },
                                     { "umma_pair", umma_pair },
                                     { "umma_others", umma_others },
                                     { NULL, NULL } };
