/* SPDX-License-Identifier: MIT */
/* science.cu. */
#include "tests/cuda/execute/reference.h"

#include <math.h>

static void
nbody (void)
{
  float *bodies = ref_floats ("BODIES", 150 * 4, -1, 1);
  double *out = ref_new (150 * 4 * sizeof *out);

  for (int i = 0; i < 150; i++)
    {
      for (int j = 0; j < 150; j++)
        {
          double apart[3], square = 0.01, force;

          for (int k = 0; k < 3; k++)
            {
              apart[k] = (double)bodies[4 * j + k] - (double)bodies[4 * i + k];
              square += apart[k] * apart[k];
            }
          force = (double)bodies[4 * j + 3] / (square * sqrt (square));
          for (int k = 0; k < 3; k++)
            out[4 * i + k] += apart[k] * force;
        }
      out[4 * i + 3] = (double)bodies[4 * i + 3];
    }
  ref_near ("OUT", out, 150 * 4, 1e-4, 1e-4);
}

static void
fft (void)
{
  float *in = ref_floats ("IN", 3 * 512, -1, 1);
  double *out = ref_new (3 * 512 * sizeof *out);

  for (int block = 0; block < 3; block++)
    for (int i = 0; i < 256; i++)
      for (int j = 0; j < 256; j++)
        {
          double angle = -2 * 3.14159265358979323846 * (i * j % 256) / 256,
                 *to = out + block * 512 + 2 * i;
          double real = (double)in[block * 512 + 2 * j],
                 imaginary = (double)in[block * 512 + 2 * j + 1];

          to[0] += real * cos (angle) - imaginary * sin (angle);
          to[1] += real * sin (angle) + imaginary * cos (angle);
        }
  ref_near ("OUT", out, 3 * 512, 1e-5, 1e-4);
}

static void
mandelbrot (void)
{
  int32_t counts[60 * 44];

  for (int i = 0; i < 60 * 44; i++)
    {
      float a = -2.0F + 3.0F * ((float)(i % 60) / 60.0F),
            b = -1.25F + 2.5F * ((float)(i / 60) / 44.0F);
      float real = 0, imaginary = 0;
      int count = 0;

      for (; count < 100 && real * real + imaginary * imaginary <= 4; count++)
        {
          float next = real * real - imaginary * imaginary + a;

          imaginary = 2 * real * imaginary + b;
          real = next;
        }
      counts[i] = count;
    }
  ref_same ("OUT", counts, 4, 60 * 44);
}

static void
mandelbrot_double (void)
{
  int32_t counts[30 * 20];

  for (int i = 0; i < 30 * 20; i++)
    {
      double a = fma (0.001, i % 30, -0.7436), b = fma (0.001, i / 30, 0.1318), real = 0,
             imaginary = 0;
      int count = 0;

      for (; count < 60 && real * real + imaginary * imaginary <= 4; count++)
        {
          double next = fma (real, real, fma (-imaginary, imaginary, a));

          imaginary = fma (2 * real, imaginary, b);
          real = next;
        }
      counts[i] = count;
    }
  ref_same ("OUT", counts, 4, 30 * 20);
}

/* What is given is A, by its elements at random with a strong diagonal; A times the result must be
 * one. */
static void
inverse (void)
{
  enum
  {
    N = 20
  };
  double *a = ref_doubles ("IN", 3 * N * N, -1, 1), one[3 * N * N];
  const double *b = ref_dumped ("OUT", sizeof one);

  for (int i = 0; b != NULL && i < 3 * N * N; i++)
    {
      const double *left = a + i / (N * N) * N * N, *right = b + i / (N * N) * N * N;
      int row = i / N % N, column = i % N;
      double sum = 0;

      for (int k = 0; k < N; k++)
        sum += left[row * N + k] * right[k * N + column];
      if (fabs (sum - (row == column)) > 1e-11)
        ref_wrong ("OUT: A times it is %g at %d, %d of matrix %d", sum, row, column, i / (N * N));
    }
}

static void
cholesky (void)
{
  enum
  {
    N = 24
  };
  double *root = ref_new (2 * N * N * sizeof *root), *in = ref_new (2 * N * N * sizeof *in);

  for (int i = 0; i < 2 * N * N; i++)
    root[i] = i % N < i / N % N ? ref_between (-1, 1) : i % N == i / N % N ? ref_between (2, 3) : 0;
  for (int i = 0; i < 2 * N * N; i++)
    for (int k = 0; k < N; k++)
      in[i] += root[i / N * N + k] * root[(i / (N * N) * N + i % N) * N + k];
  ref_give ("IN", in, 2 * N * N * sizeof *in);
  ref_near_doubles ("OUT", root, 2 * N * N, 1e-11, 1e-12);
}

static double
get_share (double x)
{
  return 0.5 * erfc (-x * 0.70710678118654752440);
}

static void
black_scholes (void)
{
  enum
  {
    N = 250
  };
  float *prices = ref_floats ("PRICES", N, 5, 30), *strikes = ref_floats ("STRIKES", N, 1, 100);
  float *years = ref_floats ("YEARS", N, 0.25, 10);
  double calls[N], puts[N], rate = (double)0.02F, volatility = (double)0.3F;

  for (int i = 0; i < N; i++)
    {
      double price = (double)prices[i], strike = (double)strikes[i], time = (double)years[i];
      double d1 = (log (price / strike) + (rate + 0.5 * volatility * volatility) * time)
                  / (volatility * sqrt (time));
      double d2 = d1 - volatility * sqrt (time), discounted = strike * exp (-rate * time);

      calls[i] = price * get_share (d1) - discounted * get_share (d2);
      puts[i] = discounted * get_share (-d2) - price * get_share (-d1);
    }
  ref_near ("CALLS", calls, N, 1e-5, 2e-5);
  ref_near ("PUTS", puts, N, 1e-5, 5e-5);
}

static void
binomial (void)
{
  float *prices = ref_floats ("PRICES", 5, 80, 120);
  double out[5];

  for (int i = 0; i < 5; i++)
    {
      double values[101], up = (double)1.02F, chance = (double)0.52F, discount = (double)0.9995F;

      for (int step = 100; step >= 0; step--)
        for (int x = 0; x <= step; x++)
          {
            double now = 100 - (double)prices[i] * pow (up, 2 * x - step);
            double later
                = step < 100 ? discount * (chance * values[x + 1] + (1 - chance) * values[x]) : 0;

            values[x] = fmax (now, later);
          }
      out[i] = values[0];
    }
  ref_near ("OUT", out, 5, 1e-4, 1e-4);
}

static void
monte_carlo (void)
{
  uint32_t counts[128] = { 0 };

  for (uint32_t i = 0; i < 128; i++)
    {
      uint32_t state = 12345 + i * 2654435761u;

      for (int j = 0; j < 40; j++)
        {
          uint64_t x, y;

          state ^= state << 13;
          state ^= state >> 17;
          state ^= state << 5;
          x = state & 0xffff;
          y = state >> 16;
          counts[i] += x * x + y * y < 0x100000000u;
        }
    }
  ref_same ("OUT", counts, 4, 128);
}

static void
jacobi (void)
{
  enum
  {
    N = 40
  };
  float *a = ref_floats ("A", N * N, -1, 1), *b = ref_floats ("B", N, -1, 1);
  double x[N] = { 0 }, next[N];

  for (int i = 0; i < N; i++)
    a[i * N + i] = 40;
  ref_give ("A", a, N * N * sizeof *a);
  for (int step = 0; step < 30; step++)
    {
      for (int i = 0; i < N; i++)
        {
          next[i] = (double)b[i];
          for (int j = 0; j < N; j++)
            next[i] -= i != j ? (double)a[i * N + j] * x[j] : 0;
          next[i] /= (double)a[i * N + i];
        }
      for (int i = 0; i < N; i++)
        x[i] = next[i];
    }
  ref_near ("OUT", x, N, 1e-5, 1e-6);
}

const RefCase ref_cases_science[] = { { "nbody", nbody },
                                      { "fft", fft },
                                      { "mandelbrot", mandelbrot },
                                      { "mandelbrot_double", mandelbrot_double },
                                      { "inverse", inverse },
                                      { "cholesky", cholesky },
                                      { "black_scholes", black_scholes },
                                      { "binomial", binomial },
                                      { "monte_carlo", monte_carlo },
                                      { "jacobi", jacobi },
                                      { NULL, NULL } };
