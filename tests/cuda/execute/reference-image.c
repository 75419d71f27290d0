/* SPDX-License-Identifier: MIT */
/* stencil.cu and rows.cu. */
#include "tests/cuda/execute/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
clamp (int value, int limit)
{
  return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

static void
stencil_2d (void)
{
  enum
  {
    W = 80,
    H = 37
  };
  float *in = ref_floats ("IN", W * H, -1, 1);
  double *out = ref_new (W * H * sizeof *out);

  for (int i = 0; i < W * H; i++)
    if (i % W == 0 || i < W || i % W == W - 1 || i >= W * (H - 1))
      out[i] = (double)in[i];
    else
      out[i]
          = 0.5 * (double)in[i]
            + 0.125
                  * ((double)in[i - 1] + (double)in[i + 1] + (double)in[i - W] + (double)in[i + W]);
  ref_near ("OUT", out, W * H, 1e-6, 1e-6);
}

static void
stencil_tile (void)
{
  enum
  {
    W = 45,
    H = 41
  };
  float *in = ref_floats ("IN", W * H, -1, 1);
  double *out = ref_new (W * H * sizeof *out);

  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      out[y * W + x] = (double)in[clamp (y - 1, H) * W + x] + (double)in[clamp (y + 1, H) * W + x]
                       + (double)in[y * W + clamp (x - 1, W)] + (double)in[y * W + clamp (x + 1, W)]
                       - 4 * (double)in[y * W + x];
  ref_near ("OUT", out, W * H, 1e-6, 2e-6);
}

/* What the kernel leaves alone is as it was given. */
static void
stencil_3d (void)
{
  enum
  {
    W = 32,
    H = 24,
    D = 12,
    L = W * H
  };
  float *in = ref_floats ("IN", L * D, -1, 1), *old = ref_floats ("OUT", L * D, 5, 6);
  double *out = ref_new (L * D * sizeof *out);

  for (int i = 0; i < L * D; i++)
    {
      int x = i % W, y = i / W % H, z = i / L;

      out[i] = (double)old[i];
      if (x > 0 && y > 0 && z > 0 && x < W - 1 && y < H - 1 && z < D - 1)
        out[i]
            = (double)in[i]
              + 0.1
                    * ((double)in[i - 1] + (double)in[i + 1] + (double)in[i - W] + (double)in[i + W]
                       + (double)in[i - L] + (double)in[i + L] - 6 * (double)in[i]);
    }
  ref_near ("OUT", out, L * D, 1e-6, 1e-6);
}

static void
stencil_double (void)
{
  enum
  {
    N = 120
  };
  double *in = ref_doubles ("IN", 2 * N, -1, 1), *next = ref_new (2 * N * sizeof *next);

  memcpy (next, in, 2 * N * sizeof *next);
  for (int step = 0; step < 5; step++)
    {
      for (int i = 0; i < 2 * N; i++)
        if (i % N > 0 && i % N < N - 1)
          next[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
      memcpy (in, next, 2 * N * sizeof *next);
    }
  ref_near_doubles ("OUT", in, 2 * N, 1e-14, 1e-14);
}

static void
convolve_rows (void)
{
  float *in = ref_floats ("IN", 2000, -1, 1), *filter = ref_floats ("filter", 9, -1, 1);
  double *out = ref_new (2000 * sizeof *out);

  for (int i = 0; i < 2000; i++)
    for (int j = -4; j <= 4; j++)
      if (i % 100 + j >= 0 && i % 100 + j < 100)
        out[i] += (double)filter[4 + j] * (double)in[i + j];
  ref_near ("OUT", out, 2000, 1e-6, 1e-6);
}

static void
convolve_columns (void)
{
  float *in = ref_floats ("IN", 60 * 24, -1, 1), *filter = ref_floats ("filter", 9, -1, 1);
  double *out = ref_new (60 * 24 * sizeof *out);

  for (int i = 0; i < 60 * 24; i++)
    for (int j = -4; j <= 4; j++)
      if (i / 60 + j >= 0 && i / 60 + j < 24)
        out[i] += (double)filter[4 + j] * (double)in[i + j * 60];
  ref_near ("OUT", out, 60 * 24, 1e-6, 1e-6);
}

static int
compare_bytes (const void *a, const void *b)
{
  return *(const uint8_t *)a - *(const uint8_t *)b;
}

static void
median (void)
{
  uint8_t *in = ref_bytes ("IN", 40 * 44, 0, 255), out[40 * 44];

  for (int i = 0; i < 40 * 44; i++)
    {
      uint8_t nine[9];

      for (int j = 0; j < 9; j++)
        nine[j] = in[clamp (i / 40 + j / 3 - 1, 44) * 40 + clamp (i % 40 + j % 3 - 1, 40)];
      qsort (nine, 9, 1, compare_bytes);
      out[i] = nine[4];
    }
  ref_same ("OUT", out, 1, 40 * 44);
}

static void
life (void)
{
  uint8_t *in = ref_bytes ("IN", 50 * 30, 0, 1), out[50 * 30];

  for (int i = 0; i < 50 * 30; i++)
    {
      int sum = -in[i];

      for (int j = 0; j < 9; j++)
        sum += in[(i / 50 + j / 3 + 29) % 30 * 50 + (i % 50 + j % 3 + 49) % 50];
      out[i] = sum == 3 || (sum == 2 && in[i]);
    }
  ref_same ("OUT", out, 1, 50 * 30);
}

static void
sobel (void)
{
  static const int across[9] = { -1, 0, 1, -2, 0, 2, -1, 0, 1 };
  uint8_t *in = ref_bytes ("IN", 60 * 22 * 4, 0, 255), out[60 * 22];

  for (int i = 0; i < 60 * 22; i++)
    {
      int x = 0, y = 0;

      for (int j = 0; j < 9; j++)
        {
          const uint8_t *pixel
              = in + 4 * (clamp (i / 60 + j / 3 - 1, 22) * 60 + clamp (i % 60 + j % 3 - 1, 60));
          int grey = (pixel[0] * 77 + pixel[1] * 150 + pixel[2] * 29) >> 8;

          x += across[j] * grey;
          y += across[j % 3 * 3 + j / 3] * grey;
        }
      out[i] = (uint8_t)clamp (abs (x) + abs (y), 256);
    }
  ref_same ("OUT", out, 1, 60 * 22);
}

static void
check_softmax (int rows, int n, double relative)
{
  float *in = ref_floats ("IN", (size_t)(rows * n), -5, 5);
  double *out = ref_new ((size_t)(rows * n) * sizeof *out);

  for (int row = 0; row < rows; row++)
    {
      double sum = 0;

      for (int i = 0; i < n; i++)
        sum += exp ((double)in[row * n + i]);
      for (int i = 0; i < n; i++)
        out[row * n + i] = exp ((double)in[row * n + i]) / sum;
    }
  ref_near ("OUT", out, (size_t)(rows * n), relative, 1e-9);
}

static void
softmax (void)
{
  check_softmax (6, 300, 3e-6);
}

static void
softmax_online (void)
{
  check_softmax (10, 75, 1e-5);
}

static void
layer_norm (void)
{
  enum
  {
    N = 200
  };
  float *in = ref_floats ("IN", 5 * N, -2, 3), *gain = ref_floats ("GAIN", N, 0.5, 2),
        *bias = ref_floats ("BIAS", N, -1, 1);
  double *out = ref_new (5 * N * sizeof *out);

  for (int row = 0; row < 5; row++)
    {
      double mean = 0, squares = 0;

      for (int i = 0; i < N; i++)
        mean += (double)in[row * N + i] / N;
      for (int i = 0; i < N; i++)
        squares += ((double)in[row * N + i] - mean) * ((double)in[row * N + i] - mean) / N;
      for (int i = 0; i < N; i++)
        out[row * N + i]
            = ((double)in[row * N + i] - mean) / sqrt (squares + 1e-5) * (double)gain[i]
              + (double)bias[i];
    }
  ref_near ("OUT", out, 5 * N, 1e-5, 1e-5);
}

static void
rms_norm (void)
{
  enum
  {
    N = 128
  };
  uint16_t *in = ref_halves ("IN", 5 * N, -3, 3);
  double *out = ref_new (5 * N * sizeof *out);

  for (int row = 0; row < 5; row++)
    {
      double squares = 0;

      for (int i = 0; i < N; i++)
        squares += ref_from_half (in[row * N + i]) * ref_from_half (in[row * N + i]) / N;
      for (int i = 0; i < N; i++)
        out[row * N + i] = ref_from_half (in[row * N + i]) / sqrt (squares + 1e-6);
    }
  ref_near_halves ("OUT", out, 5 * N, 0.0006, 1e-7);
}

static void
gelu (void)
{
  float *in = ref_floats ("IN", 250, -4, 4);
  double *out = ref_new (250 * sizeof *out);

  for (int i = 0; i < 250; i++)
    {
      double x = (double)in[i];

      out[i] = 0.5 * x * (1 + tanh (0.79788456 * (x + 0.044715 * x * x * x)));
    }
  ref_near ("OUT", out, 250, 1e-5, 1e-6);
}

static void
attention (void)
{
  enum
  {
    N = 40
  };
  float *q = ref_floats ("Q", 3 * 32, -2, 2), *k = ref_floats ("K", N * 32, -1, 1),
        *v = ref_floats ("V", N * 32, -1, 1);
  double *out = ref_new (3 * 32 * sizeof *out);

  for (int query = 0; query < 3; query++)
    {
      double sum = 0;

      for (int i = 0; i < N; i++)
        {
          double score = 0;

          for (int j = 0; j < 32; j++)
            score += (double)q[query * 32 + j] * (double)k[i * 32 + j];
          score = exp (score * 0.17677669);
          sum += score;
          for (int j = 0; j < 32; j++)
            out[query * 32 + j] += score * (double)v[i * 32 + j];
        }
      for (int j = 0; j < 32; j++)
        out[query * 32 + j] /= sum;
    }
  ref_near ("OUT", out, 3 * 32, 1e-5, 1e-5);
}

const RefCase ref_cases_image[] = { { "stencil_2d", stencil_2d },
                                    { "stencil_tile", stencil_tile },
                                    { "stencil_3d", stencil_3d },
                                    { "stencil_double", stencil_double },
                                    { "convolve_rows", convolve_rows },
                                    { "convolve_columns", convolve_columns },
                                    { "median", median },
                                    { "life", life },
                                    { "sobel", sobel },
                                    { "softmax", softmax },
                                    { "softmax_online", softmax_online },
                                    { "layer_norm", layer_norm },
                                    { "rms_norm", rms_norm },
                                    { "gelu", gelu },
                                    { "attention", attention },
                                    { NULL, NULL } };
