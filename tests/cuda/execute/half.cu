// SPDX-License-Identifier: MIT
// Halves and bfloat16: arithmetic in pairs, fused, compared, converted, with special functions, and mixed with
// floats.
//
// case half_pairs: half_pairs<<<2, 64>>>(X, Y, OUT, 120)
// case half_single: half_single<<<2, 64>>>(X, Y, OUT, 120)
// case half_compare: half_compare<<<2, 64>>>(X, Y, OUT, 120)
// case half_axpy: half_axpy<<<3, 64>>>(X, Y, 0.5f, 180)
// case half_functions: half_functions<<<2, 64>>>(X, OUT, 128)
// case bfloat_pairs: bfloat_pairs<<<2, 64>>>(X, Y, OUT, 120)
//   from: 80
// case half_specials: half_specials<<<2, 64>>>(X, Y, OUT, 128)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void
half_pairs (const __half2 *x, const __half2 *y, __half2 *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 a, b;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  out[8 * i] = __hadd2 (a, b);
  out[8 * i + 1] = __hmul2_rn (a, b);
  out[8 * i + 2] = __hfma2 (a, b, __floats2half2_rn (1.0f, -2.0f));
  out[8 * i + 3] = __hsub2_rn (a, __lowhigh2highlow (b));
  out[8 * i + 4] = __hneg2 (a);
  out[8 * i + 5] = __habs2 (b);
  out[8 * i + 6] = __hadd2_sat (a, b);
  out[8 * i + 7] = __hfma2 (__low2half2 (a), __high2half2 (b), a);
}

extern "C" __global__ void
half_single (const __half *x, const __half *y, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half a, b;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  out[6 * i] = __half2float (__hadd (a, b));
  out[6 * i + 1] = __half2float (__hfma (a, b, a));
  out[6 * i + 2] = __half2float (a) * __half2float (b);
  out[6 * i + 3] = __half2float (__hmax (a, b)) + __half2float (__hmin (a, b));
  out[6 * i + 4] = (float) __half2int_rn (a) + (float) __half2int_rz (b);
  out[6 * i + 5] = __half2float (__float2half_rn (__half2float (a) * 3.14159f));
}

extern "C" __global__ void
half_compare (const __half2 *x, const __half2 *y, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 a, b, c;
  unsigned bits;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  c = __hgt2 (a, b);
  bits = *(unsigned *) &c;
  c = __heq2 (a, a);
  out[4 * i] = bits ^ *(unsigned *) &c;
  out[4 * i + 1] = __hbgt2 (a, b) | __hble2 (a, b) << 1 | __hbeq2 (a, b) << 2 | __hbne2 (a, b) << 3;
  out[4 * i + 2] = __hlt2_mask (a, b);
  c = __hmax2 (a, b);
  out[4 * i + 3] = *(unsigned *) &c;
}

extern "C" __global__ void
half_axpy (const __half2 *x, __half2 *y, float a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    y[i] = __hfma2 (__float2half2_rn (a), x[i], y[i]);
}

extern "C" __global__ void
half_functions (const __half2 *x, float2 *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 a;

  if (i >= n)
    return;
  a = x[i];
  out[6 * i] = __half22float2 (h2exp (a));
  out[6 * i + 1] = __half22float2 (h2log (a));
  out[6 * i + 2] = __half22float2 (h2sqrt (a));
  out[6 * i + 3] = __half22float2 (h2rcp (a));
  out[6 * i + 4] = __half22float2 (h2sin (a));
  out[6 * i + 5] = __half22float2 (__h2div (__float2half2_rn (1.5f), a));
}

extern "C" __global__ void
bfloat_pairs (const __nv_bfloat162 *x, const __nv_bfloat162 *y, float2 *out, int n)
{
#if __CUDA_ARCH__ >= 800
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_bfloat162 a, b;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  out[6 * i] = __bfloat1622float2 (__hadd2 (a, b));
  out[6 * i + 1] = __bfloat1622float2 (__hmul2_rn (a, b));
  out[6 * i + 2] = __bfloat1622float2 (__hfma2 (a, b, a));
  out[6 * i + 3] = __bfloat1622float2 (__hmax2 (a, b));
  out[6 * i + 4] = __bfloat1622float2 (__floats2bfloat162_rn (__low2float (a) * 1.7f, __high2float (b) * 0.3f));
  out[6 * i + 5] = __bfloat1622float2 (__hneg2 (__hsub2_rn (a, b)));
#endif
}

/* Subnormals, infinities, overflow and NaN; NaN is told apart and not compared by its bits. */
extern "C" __global__ void
half_specials (const __half *x, const __half *y, unsigned short *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  __half results[4] = { __hadd (x[i], y[i]), __hmul (x[i], y[i]), __hfma (x[i], y[i], y[i]),
                        __float2half_rn (__half2float (x[i]) * 0.37f) };

  for (int j = 0; j < 4; j++)
    out[4 * i + j] = __hisnan (results[j]) ? 0x7fff : __half_as_ushort (results[j]);
}
