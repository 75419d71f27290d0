/* SPDX-License-Identifier: MIT */
/* grid-sync.cu. */
#include "tests/cuda/execute/reference.h"

#include <string.h>

static void
grid_sum (void)
{
  int32_t *in = ref_ints ("IN", 5000, -1000, 1000), sum = 0;

  for (int i = 0; i < 5000; i++)
    sum += in[i];
  ref_same ("OUT", &sum, 4, 1);
}

static void
grid_sweeps (void)
{
  const int n = 3000;
  float *a = ref_floats ("A", n, -1, 1), *b = ref_new (n * 4), *from = ref_new (n * 4);

  memcpy (from, a, n * 4);
  for (int sweep = 0; sweep < 7; sweep++)
    {
      float *to = sweep % 2 == 0 ? b : from, *of = sweep % 2 == 0 ? from : b;

      for (int i = 0; i < n; i++)
        {
          float sum = of[i > 0 ? i - 1 : 0] + of[i < n - 1 ? i + 1 : i];

          to[i] = sum * 0.5f;
        }
    }
  ref_same ("A", from, 4, n);
  ref_same ("B", b, 4, n);
}

static void
grid_rounds (void)
{
  const int n = 7 * 64, rounds[] = { 5, 3 };
  int32_t *in = ref_ints ("IN", n, -50, 50), *out = ref_new (2 * n * 4);

  memcpy (out, ref_ints ("OUT", 2 * n, -50, 50), 2 * n * 4);
  for (int launch = 0; launch < 2; launch++)
    for (int round = 0; round < rounds[launch]; round++)
      for (int i = 0; i < n; i++)
        out[(~round & 1) * n + i] = 3 * out[(round & 1) * n + (i + 64) % n] + in[i] + round;
  ref_same ("OUT", out, 4, 2 * n);
}

static void
grid_shape (void)
{
  const int n = 12 * 64;
  int32_t *in = ref_ints ("IN", n, -1000, 1000), *out = ref_new (n * 4);

  for (int i = 0; i < n; i++)
    {
      int other = n - 1 - i, block = i / 64;

      out[i] = in[other] + other / 64 * 1000 + 12 * 100000 + 2 * 10 + block / 6 + 5;
    }
  ref_same ("OUT", out, 4, n);
}

static void
grid_split (void)
{
  const int n = 6 * 128;
  int32_t *in = ref_ints ("IN", n, -1000, 1000), *out = ref_new (n * 4), *side = ref_new (n * 4);

  for (int i = 0; i < n; i++)
    {
      out[i] = 2 * in[i];
      side[i] = (in[i] ^ i) + 2 * in[n - 1 - i];
    }
  ref_same ("OUT", out, 4, n);
  ref_same ("SIDE", side, 4, n);
}

static void
grid_uneven (void)
{
  const int n = 9 * 40;
  uint32_t *in = ref_words ("IN", 256), *first = ref_new (n * 4), *out = ref_new (n * 4);

  for (int t = 0; t < n; t++)
    for (int i = 0; i < 300 * (t / 40); i++)
      first[t] = 5 * first[t] + in[(t + i) & 255];
  for (int t = 0; t < n; t++)
    {
      out[t] = first[(t + 77) % n];
      for (int i = 0; i < 300 * (9 - t / 40); i++)
        out[t] = 3 * out[t] + in[(t + i) & 255];
    }
  ref_same ("OUT", out, 4, n);
}

static void
grid_chain (void)
{
  int32_t *in = ref_ints ("IN", 6, -1000, 1000), out[12];

  for (int block = 5; block >= 0; block--)
    out[block] = in[block] + (block < 5 ? 2 * out[block + 1] : 0);
  for (int block = 0; block < 6; block++)
    out[6 + block] = out[(block + 3) % 6] + 6;
  ref_same ("OUT", out, 4, 12);
}

static void
grid_called (void)
{
  const int n = 5 * 64;
  int32_t *in = ref_ints ("IN", n, -1000, 1000), *out = ref_new (n * 4);

  for (int i = 0; i < n; i++)
    out[i] = in[(i + 64) % n] * 10 + 2;
  ref_same ("OUT", out, 4, n);
}

#define GRADIENT 1000

static double
get_product (const double *a, const double *b)
{
  double sum = 0;

  for (int i = 0; i < GRADIENT; i++)
    sum += a[i] * b[i];
  return sum;
}

static void
grid_gradient (void)
{
  const int n = GRADIENT;
  double *b = ref_doubles ("B", n, -1, 1), *x = ref_new (n * 8), *ap = ref_new (n * 8);
  double *r = ref_new (n * 8), *p = ref_new (n * 8), square;

  memcpy (r, b, n * 8);
  memcpy (p, b, n * 8);
  square = get_product (r, r);
  for (int round = 0; round < 6; round++)
    {
      double alpha, next;

      for (int i = 0; i < n; i++)
        ap[i] = 2.5 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < n - 1 ? p[i + 1] : 0);
      alpha = square / get_product (p, ap);
      for (int i = 0; i < n; i++)
        {
          x[i] += alpha * p[i];
          r[i] -= alpha * ap[i];
        }
      next = get_product (r, r);
      for (int i = 0; i < n; i++)
        p[i] = r[i] + next / square * p[i];
      square = next;
    }
  /* The order of sums, and fused multiply-adds. */
  ref_near_doubles ("X", x, n, 1e-12, 1e-12);
  ref_near_doubles ("R", r, n, 1e-12, 1e-12);
}

static void
grid_large (void)
{
  const int n = 70000;
  int32_t *out = ref_new (n * 4);

  for (int i = 0; i < n; i++)
    out[i] = i;
  ref_same ("OUT", out, 4, n);
}

const RefCase ref_cases_grid[] = { { "grid_sum", grid_sum },
                                   { "grid_sweeps", grid_sweeps },
                                   { "grid_rounds", grid_rounds },
                                   { "grid_shape", grid_shape },
                                   { "grid_split", grid_split },
                                   { "grid_uneven", grid_uneven },
                                   { "grid_chain", grid_chain },
                                   { "grid_called", grid_called },
                                   { "grid_gradient", grid_gradient },
                                   { "grid_large", grid_large },
                                   { NULL, NULL } };
