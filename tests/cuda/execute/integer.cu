// SPDX-License-Identifier: MIT
// Whole numbers: division and remainder of 32 and 64 bits, products of 64 and 128 bits, counts of bits, bit fields,
// permutations of bytes, funnel shifts, bytes in words (SIMD), dot products of bytes, saturation and all kinds of
// min and max.
//
// case divide_64: divide_64<<<4, 64>>>(X, Y, OUT, 250)
// case divide_32: divide_32<<<4, 64>>>(X, Y, OUT, 250)
// case divide_constant: divide_constant<<<2, 128>>>(X, OUT, 250)
// case multiply_wide: multiply_wide<<<2, 128>>>(X, Y, OUT, 250)
// case count_bits: count_bits<<<2, 128>>>(X, OUT, 250)
// case move_bits: move_bits<<<2, 128>>>(X, OUT, 250)
// case bytes_in_words: bytes_in_words<<<2, 128>>>(X, Y, OUT, 250)
// case compare_all: compare_all<<<2, 128>>>(X, Y, OUT, 250)

extern "C" __global__ void
divide_64 (const unsigned long long *x, const unsigned long long *y, unsigned long long *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  out[4 * i] = x[i] / y[i];
  out[4 * i + 1] = x[i] % y[i];
  out[4 * i + 2] = (long long) x[i] / (long long) y[i];
  out[4 * i + 3] = (long long) x[i] % (long long) y[i];
}

extern "C" __global__ void
divide_32 (const unsigned *x, const unsigned *y, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  out[4 * i] = x[i] / y[i];
  out[4 * i + 1] = x[i] % y[i];
  out[4 * i + 2] = (int) x[i] / (int) y[i];
  out[4 * i + 3] = (int) x[i] % (int) y[i];
}

extern "C" __global__ void
divide_constant (const int *x, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  out[4 * i] = x[i] / 7;
  out[4 * i + 1] = x[i] % 1000;
  out[4 * i + 2] = (unsigned) x[i] / 641u;
  out[4 * i + 3] = x[i] / 16 + (short) x[i] / 3;
}

extern "C" __global__ void
multiply_wide (const unsigned long long *x, const unsigned long long *y, unsigned long long *out,
               int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long a, b;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  out[8 * i] = a * b;
  out[8 * i + 1] = __umul64hi (a, b);
  out[8 * i + 2] = __mul64hi ((long long) a, (long long) b);
  out[8 * i + 3] = (unsigned long long) (unsigned) a * (unsigned) b;
  out[8 * i + 4] = (long long) (int) a * (int) b + (long long) a;
  out[8 * i + 5] = __umulhi ((unsigned) a, (unsigned) b) + ((unsigned long long) __mulhi ((int) a, (int) b) << 32);
  out[8 * i + 6] = __mul24 ((int) a, (int) b) + ((unsigned long long) __umul24 ((unsigned) a, (unsigned) b) << 32);
  out[8 * i + 7] = a - b + (a < b) + ((long long) a < (long long) b ? 10 : 20);
}

extern "C" __global__ void
count_bits (const unsigned long long *x, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long a;

  if (i >= n)
    return;
  a = x[i];
  out[8 * i] = __popc ((unsigned) a);
  out[8 * i + 1] = __popcll (a);
  out[8 * i + 2] = __clz ((int) a);
  out[8 * i + 3] = __clzll (a);
  out[8 * i + 4] = __ffs ((int) a);
  out[8 * i + 5] = __ffsll (a);
  out[8 * i + 6] = __brev ((unsigned) a);
  out[8 * i + 7] = (int) (__brevll (a) >> 13);
}

extern "C" __global__ void
move_bits (const unsigned long long *x, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned low, high, shift, field;

  if (i >= n)
    return;
  low = (unsigned) x[i];
  high = (unsigned) (x[i] >> 32);
  shift = low >> 26;
  out[12 * i] = __byte_perm (low, high, low & 0x7777);
  out[12 * i + 1] = __byte_perm (low, high, 0x5140);
  out[12 * i + 2] = __funnelshift_l (low, high, shift);
  out[12 * i + 3] = __funnelshift_r (low, high, shift);
  out[12 * i + 4] = __funnelshift_lc (low, high, shift);
  out[12 * i + 5] = __funnelshift_rc (low, high, shift);
  asm ("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(high), "r"(shift & 31), "r"(low & 31));
  out[12 * i + 6] = field;
  asm ("bfe.s32 %0, %1, %2, %3;" : "=r"(field) : "r"(high), "r"(shift & 31), "r"(low & 31));
  out[12 * i + 7] = field;
  asm ("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(field) : "r"(high), "r"(low), "r"(shift & 31), "r"(low & 31));
  out[12 * i + 8] = field;
  out[12 * i + 9] = (unsigned) (x[i] << (shift & 63)) ^ (unsigned) ((long long) x[i] >> (low & 63));
  out[12 * i + 10] = (low & high) | (~low & shift) | (high ^ shift);
  asm ("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(field) : "r"(low), "r"(high), "r"(shift & 3));
  out[12 * i + 11] = field;
}

extern "C" __global__ void
bytes_in_words (const unsigned *x, const unsigned *y, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a, b;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  out[12 * i] = __vadd4 (a, b);
  out[12 * i + 1] = __vsubus4 (a, b);
  out[12 * i + 2] = __vabsdiffu4 (a, b);
  out[12 * i + 3] = __vavgu4 (a, b);
  out[12 * i + 4] = __vmaxs2 (a, b);
  out[12 * i + 5] = __vcmpgtu4 (a, b);
  out[12 * i + 6] = __dp4a ((int) a, (int) b, 1000);
  out[12 * i + 7] = __dp4a (a, b, 7u);
  out[12 * i + 8] = __dp2a_lo ((int) a, (int) b, -5);
  out[12 * i + 9] = __dp2a_hi (a, b, 9u);
  out[12 * i + 10] = __usad (a, b, 3) + __sad ((int) a, (int) b, 4);
  out[12 * i + 11] = __vsadu4 (a, b);
}

extern "C" __global__ void
compare_all (const long long *x, const long long *y, long long *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long a, b;
  unsigned long long c, d;
  int e, f;
  short g, h;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  c = a;
  d = b;
  e = (int) a;
  f = (int) b;
  g = (short) (a >> 8);
  h = (short) (b >> 8);
  out[8 * i] = min (a, b);
  out[8 * i + 1] = max (c, d);
  out[8 * i + 2] = min (e, f) + ((long long) max ((unsigned) e, (unsigned) f) << 32);
  out[8 * i + 3] = (a < b) | (a <= b) << 1 | (c > d) << 2 | (c >= d) << 3 | (e < f) << 4 | (e != f) << 5
                   | ((unsigned) e < (unsigned) f) << 6 | (g < h) << 7 | (g == h) << 8 | (a == b) << 9;
  out[8 * i + 4] = min (max (e, -1000), 1000);
  out[8 * i + 5] = abs (e) + llabs (a >> 1);
  out[8 * i + 6] = __hadd (e, f) + (long long) __urhadd ((unsigned) e, (unsigned) f);
  out[8 * i + 7] = (signed char) a * (unsigned char) b + (unsigned short) g - h;
}
