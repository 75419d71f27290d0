/* SPDX-License-Identifier: MIT */
/* Copies, GEMM, reductions, prefix sums, histograms, transposes, sorting. */
#include "tests/cuda/execute/reference.h"

#include <stdlib.h>
#include <string.h>

static void
copy_bytes (void)
{
  ref_same ("OUT", ref_bytes ("IN", 1500, 0, 255), 1, 1500);
}

static void
copy_shorts (void)
{
  int16_t *data = (int16_t *)ref_words ("IN", 384);

  for (int i = 0; i < 700; i++)
    data[i] = (int16_t)-data[i];
  ref_same ("OUT", data, 2, 700);
}

static void
copy_float4 (void)
{
  ref_same ("OUT", ref_floats ("IN", 555 * 4, -1, 1), 4, 555 * 4);
}

static void
copy_iota (void)
{
  float *data = ref_new (512 * sizeof *data);

  for (int i = 0; i < 512; i++)
    data[i] = (float)i;
  ref_same ("OUT", data, 4, 512);
}

static void
copy_double2 (void)
{
  double *data = ref_doubles ("IN", 600, -1, 1), swap;

  for (int i = 0; i < 600; i += 2)
    {
      swap = data[i];
      data[i] = data[i + 1];
      data[i + 1] = swap;
    }
  ref_same ("OUT", data, 8, 600);
}

static void
copy_strided (void)
{
  int32_t *data = ref_ints ("IN", 512 * 5, -1000, 1000);

  for (int i = 0; i < 512; i++)
    data[i] = data[i * 5];
  ref_same ("OUT", data, 4, 512);
}

static void
copy_reversed (void)
{
  uint64_t *data = ref_longs ("IN", 777), *reversed = ref_new (777 * 8);

  for (int i = 0; i < 777; i++)
    reversed[776 - i] = data[i];
  ref_same ("OUT", reversed, 8, 777);
}

static void
check_saxpy (int n, double a)
{
  float *x = ref_floats ("X", (size_t)n, -1, 1), *y = ref_floats ("Y", (size_t)n, -1, 1);
  double *expected = ref_new ((size_t)n * sizeof *expected);

  for (int i = 0; i < n; i++)
    expected[i] = a * (double)x[i] + (double)y[i];
  ref_near ("Y", expected, (size_t)n, 1e-7, 1e-7);
}

static void
saxpy (void)
{
  check_saxpy (2500, 2.5);
}

static void
saxpy_grid_stride (void)
{
  check_saxpy (5000, -0.75);
}

static void
check_sgemm (size_t n)
{
  float *a = ref_floats ("A", n * n, -1, 1), *b = ref_floats ("B", n * n, -1, 1);
  double *c = ref_new (n * n * sizeof *c);

  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < n; j++)
        c[i * n + j] += (double)a[i * n + k] * (double)b[k * n + j];
  ref_near ("C", c, n * n, 1e-5, 1e-5);
}

static void
sgemm_naive (void)
{
  check_sgemm (48);
}

static void
sgemm_tiled (void)
{
  check_sgemm (64);
}

static void
sgemm_ragged (void)
{
  check_sgemm (41);
}

static void
sgemm_registers (void)
{
  check_sgemm (256);
}

static void
dgemm_tiled (void)
{
  enum
  {
    N = 48
  };
  double *a = ref_doubles ("A", N * N, -1, 1), *b = ref_doubles ("B", N * N, -1, 1),
         *c = ref_new (N * N * sizeof *c);

  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
        c[i * N + j] += a[i * N + k] * b[k * N + j];
  ref_near_doubles ("C", c, N * N, 1e-13, 1e-13);
}

static void
reduce_tree (void)
{
  int32_t *data = ref_ints ("IN", 1400, -1000000, 1000000), sums[6] = { 0 };

  for (int i = 0; i < 1400; i++)
    sums[i / 256] += data[i];
  ref_same ("OUT", sums, 4, 6);
}

static void
reduce_shuffle (void)
{
  float *data = ref_floats ("IN", 600, -1, 1);
  double sums[5] = { 0 };

  for (int i = 0; i < 600; i++)
    sums[i / 128] += (double)data[i];
  ref_near ("OUT", sums, 5, 1e-5, 1e-5);
}

static void
reduce_atomic (void)
{
  uint32_t *data = ref_words ("IN", 650), sum = 0;

  for (int i = 0; i < 650; i++)
    sum += data[i];
  ref_same ("OUT", &sum, 4, 1);
}

static void
reduce_float4 (void)
{
  float *data = ref_floats ("IN", 4000, -1, 1);
  double sums[2] = { 0 };

  for (int i = 0; i < 4000; i++)
    sums[i / 4 % 256 / 128] += (double)data[i];
  ref_near ("OUT", sums, 2, 1e-5, 1e-5);
}

static void
reduce_largest (void)
{
  int32_t *data = ref_ints ("IN", 1000, -50, 50), best[2] = { -100, 0 };

  for (int i = 0; i < 1000; i++)
    if (data[i] > best[0])
      {
        best[0] = data[i];
        best[1] = i;
      }
  ref_same ("OUT", best, 4, 2);
}

static void
dot_double (void)
{
  double *x = ref_doubles ("X", 500, -1, 1), *y = ref_doubles ("Y", 500, -1, 1), sums[4] = { 0 };

  for (int i = 0; i < 500; i++)
    sums[i % 256 / 64] += x[i] * y[i];
  ref_near_doubles ("OUT", sums, 4, 1e-13, 1e-13);
}

static void
reduce_last_block (void)
{
  int32_t *data = ref_ints ("IN", 2000, -2000000000, 2000000000);
  int64_t sum = 0;

  for (int i = 0; i < 2000; i++)
    sum += data[i];
  ref_same ("OUT", &sum, 8, 1);
}

static void
scan_doubling (void)
{
  int32_t *data = ref_ints ("IN", 768, -1000, 1000);

  for (int i = 0; i < 768; i++)
    data[i] += i % 256 > 0 ? data[i - 1] : 0;
  ref_same ("OUT", data, 4, 768);
}

static void
scan_tree (void)
{
  float *data = ref_floats ("IN", 512, 0, 1);
  double *sums = ref_new (512 * sizeof *sums);

  for (int i = 0; i < 512; i++)
    sums[i] = i % 256 > 0 ? sums[i - 1] + (double)data[i - 1] : 0;
  ref_near ("OUT", sums, 512, 1e-5, 1e-5);
}

static void
scan_shuffle (void)
{
  uint32_t *data = ref_words ("IN", 1024);

  for (int i = 0; i < 1024; i++)
    data[i] += i % 256 > 0 ? data[i - 1] : 0;
  ref_same ("OUT", data, 4, 1024);
}

static void
scan_chained (void)
{
  uint32_t *data = ref_words ("IN", 1500);

  for (int i = 1; i < 1500; i++)
    data[i] += data[i - 1];
  ref_same ("OUT", data, 4, 1500);
}

static void
check_histogram (size_t n, int shift)
{
  uint8_t *data = ref_bytes ("IN", n, 0, 255);
  uint32_t *counts = ref_new (256 * sizeof *counts);

  for (size_t i = 0; i < n; i++)
    counts[data[i] >> shift]++;
  ref_same ("OUT", counts, 4, 256u >> shift);
}

static void
histogram_global (void)
{
  check_histogram (4000, 0);
}

static void
histogram_shared (void)
{
  check_histogram (5000, 0);
}

static void
histogram_warps (void)
{
  check_histogram (12000, 2);
}

static void
transpose (void)
{
  float *data = ref_floats ("IN", 64 * 96, -1, 1), *turned = ref_new (64 * 96 * sizeof *turned);

  for (int y = 0; y < 96; y++)
    for (int x = 0; x < 64; x++)
      turned[x * 96 + y] = data[y * 64 + x];
  ref_same ("OUT", turned, 4, 64 * 96);
}

static void
transpose_bytes (void)
{
  uint8_t *data = ref_bytes ("IN", 1600, 0, 255), turned[1600];

  for (int i = 0; i < 1600; i++)
    turned[i % 40 * 40 + i / 40] = data[i];
  ref_same ("OUT", turned, 1, 1600);
}

static int
compare_words (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

  return (x > y) - (x < y);
}

static int
compare_ints (const void *a, const void *b)
{
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

  return (x > y) - (x < y);
}

static int
compare_shorts (const void *a, const void *b)
{
  return *(const int16_t *)a - *(const int16_t *)b;
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;

  return (x > y) - (x < y);
}

static int
compare_longs (const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

  return (x > y) - (x < y);
}

static void
bitonic_shared (void)
{
  uint32_t *data = ref_words ("DATA", 512);

  qsort (data, 256, 4, compare_words);
  qsort (data + 256, 256, 4, compare_words);
  ref_same ("DATA", data, 4, 512);
}

static void
bitonic_global (void)
{
  float *data = ref_floats ("DATA", 64, -1, 1);

  qsort (data, 64, 4, compare_floats);
  ref_same ("DATA", data, 4, 64);
}

static void
radix_sort (void)
{
  uint32_t *data = ref_words ("IN", 256);

  qsort (data, 128, 4, compare_words);
  qsort (data + 128, 128, 4, compare_words);
  ref_same ("OUT", data, 4, 256);
}

static void
odd_even (void)
{
  int16_t *data = (int16_t *)ref_words ("DATA", 50);

  qsort (data, 100, 2, compare_shorts);
  ref_same ("DATA", data, 2, 100);
}

static void
merge_sort (void)
{
  int32_t *data = ref_ints ("DATA", 200, -1000, 1000);

  qsort (data, 200, 4, compare_ints);
  ref_same ("DATA", data, 4, 200);
}

static void
counting_sort (void)
{
  uint8_t *data = ref_bytes ("IN", 300, 0, 127), sorted[300];
  int n = 0;

  for (int value = 0; value < 128; value++)
    for (int i = 0; i < 300; i++)
      if (data[i] == value)
        sorted[n++] = data[i];
  ref_same ("OUT", sorted, 1, 300);
}

static void
warp_sort (void)
{
  uint64_t *data = ref_longs ("IN", 128);

  for (int i = 0; i < 128; i += 32)
    qsort (data + i, 32, 8, compare_longs);
  ref_same ("OUT", data, 8, 128);
}

const RefCase ref_cases_basic[] = { { "copy_bytes", copy_bytes },
                                    { "copy_shorts", copy_shorts },
                                    { "copy_float4", copy_float4 },
                                    { "copy_iota", copy_iota },
                                    { "copy_double2", copy_double2 },
                                    { "copy_strided", copy_strided },
                                    { "copy_reversed", copy_reversed },
                                    { "saxpy", saxpy },
                                    { "saxpy_grid_stride", saxpy_grid_stride },
                                    { "sgemm_naive", sgemm_naive },
                                    { "sgemm_tiled", sgemm_tiled },
                                    { "sgemm_ragged", sgemm_ragged },
                                    { "sgemm_registers", sgemm_registers },
                                    { "dgemm_tiled", dgemm_tiled },
                                    { "reduce_tree", reduce_tree },
                                    { "reduce_shuffle", reduce_shuffle },
                                    { "reduce_atomic", reduce_atomic },
                                    { "reduce_float4", reduce_float4 },
                                    { "reduce_largest", reduce_largest },
                                    { "dot_double", dot_double },
                                    { "reduce_last_block", reduce_last_block },
                                    { "scan_doubling", scan_doubling },
                                    { "scan_tree", scan_tree },
                                    { "scan_shuffle", scan_shuffle },
                                    { "scan_chained", scan_chained },
                                    { "histogram_global", histogram_global },
                                    { "histogram_shared", histogram_shared },
                                    { "histogram_warps", histogram_warps },
                                    { "transpose_naive", transpose },
                                    { "transpose_tiled", transpose },
                                    { "transpose_padded", transpose },
                                    { "transpose_bytes", transpose_bytes },
                                    { "bitonic_shared", bitonic_shared },
                                    { "bitonic_global", bitonic_global },
                                    { "radix_sort", radix_sort },
                                    { "odd_even", odd_even },
                                    { "merge_sort", merge_sort },
                                    { "counting_sort", counting_sort },
                                    { "warp_sort", warp_sort },
                                    { NULL, NULL } };
