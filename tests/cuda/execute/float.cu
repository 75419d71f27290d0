// SPDX-License-Identifier: MIT
// IEEE arithmetic to the bit, in single and double, with the four directions of rounding, subnormals, infinities and
// NaN (which is compared as one value); flushing to zero; conversions between all types; and the functions of the
// mathematical library.
//
// case ieee_single: ieee_single<<<4, 64>>>(X, Y, OUT, 250)
// case ieee_double: ieee_double<<<4, 64>>>(X, Y, OUT, 250)
// case ieee_flushed: ieee_flushed<<<4, 64>>>(X, Y, OUT, 250)
// case ieee_compare: ieee_compare<<<4, 64>>>(X, Y, OUT, 250)
// case convert_float: convert_float<<<4, 64>>>(X, OUT, 250)
// case convert_double: convert_double<<<4, 64>>>(X, OUT, 250)
// case convert_integer: convert_integer<<<4, 64>>>(X, OUT, 250)
// case convert_narrow: convert_narrow<<<4, 64>>>(X, OUT, 250)
// case math_single: math_single<<<4, 64>>>(X, OUT, 250)
// case math_more: math_more<<<4, 64>>>(X, OUT, 250)
// case math_double: math_double<<<4, 64>>>(X, OUT, 250)
// case math_fast: math_fast<<<4, 64>>>(X, OUT, 250)
// case math_large: math_large<<<4, 64>>>(X, OUT, 250)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned
bits (float x)
{
  return isnan (x) ? 0x7fffffff : __float_as_uint (x);
}

__device__ unsigned long long
bits (double x)
{
  return isnan (x) ? 0x7fffffffffffffffull : (unsigned long long) __double_as_longlong (x);
}

extern "C" __global__ void
ieee_single (const float *x, const float *y, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a, b;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  out += 16 * i;
  out[0] = bits (__fadd_rn (a, b));
  out[1] = bits (__fadd_rz (a, b));
  out[2] = bits (__fadd_ru (a, b));
  out[3] = bits (__fadd_rd (a, b));
  out[4] = bits (__fmul_rn (a, b));
  out[5] = bits (__fmul_ru (a, b));
  out[6] = bits (__fmaf_rn (a, b, 1.0f));
  out[7] = bits (__fmaf_rz (a, b, a));
  out[8] = bits (__fmaf_rd (a, b, b));
  out[9] = bits (__fdiv_rn (a, b));
  out[10] = bits (__fsqrt_rn (a));
  out[11] = bits (__frcp_rn (b));
  out[12] = bits (fminf (a, b));
  out[13] = bits (fmaxf (a, -b));
  out[14] = bits (__saturatef (a + b));
  out[15] = bits (copysignf (fabsf (a), b));
}

extern "C" __global__ void
ieee_double (const double *x, const double *y, unsigned long long *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a, b;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  out += 12 * i;
  out[0] = bits (__dadd_rn (a, b));
  out[1] = bits (__dadd_rz (a, b));
  out[2] = bits (__dmul_rn (a, b));
  out[3] = bits (__dmul_ru (a, b));
  out[4] = bits (__fma_rn (a, b, 1.0));
  out[5] = bits (__fma_rd (a, b, a));
  out[6] = bits (__ddiv_rn (a, b));
  out[7] = bits (__dsqrt_rn (a));
  out[8] = bits (__drcp_rn (b));
  out[9] = bits (fmin (a, b));
  out[10] = bits (fmax (a, -b));
  out[11] = bits (fabs (a) - trunc (b));
}

extern "C" __global__ void
ieee_flushed (const float *x, const float *y, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a, b, c;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  asm ("add.ftz.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  out[4 * i] = bits (c);
  asm ("mul.ftz.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  out[4 * i + 1] = bits (c);
  asm ("fma.rn.ftz.f32 %0, %1, %2, %1;" : "=f"(c) : "f"(a), "f"(b));
  out[4 * i + 2] = bits (c);
  asm ("min.ftz.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  out[4 * i + 3] = bits (c);
}

extern "C" __global__ void
ieee_compare (const float *x, const float *y, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a, b;
  double c, d;

  if (i >= n)
    return;
  a = x[i];
  b = y[i];
  c = a;
  d = b;
  out[i] = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5
           | (isnan (a) || isnan (b)) << 6 | (a < b || a > b) << 7 | !(a < b) << 8 | isinf (a) << 9 | isfinite (b) << 10 | (c < d) << 11
           | (c >= d) << 12 | (c != d) << 13 | !(c <= d) << 14 | !!signbit (a) << 15 | (a > 0 ? b > 0 : c < 0) << 16;
}

extern "C" __global__ void
convert_float (const float *x, long long *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a;

  if (i >= n)
    return;
  a = x[i];
  out += 16 * i;
  out[0] = __float2int_rn (a);
  out[1] = __float2int_rz (a);
  out[2] = __float2int_ru (a);
  out[3] = __float2int_rd (a);
  out[4] = __float2uint_rz (a);
  out[5] = __float2uint_rn (a);
  out[6] = __float2ll_rz (a);
  out[7] = __float2ll_rd (a);
  out[8] = (long long) __float2ull_rn (a);
  out[9] = bits (rintf (a));
  out[10] = bits (floorf (a));
  out[11] = bits (ceilf (a));
  out[12] = bits (truncf (a));
  out[13] = bits (roundf (a));
  out[14] = (long long) bits ((double) a);
  out[15] = __half_as_ushort (__float2half_rz (a)) | __half_as_ushort (__float2half_rn (a)) << 16;
}

extern "C" __global__ void
convert_double (const double *x, long long *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a;

  if (i >= n)
    return;
  a = x[i];
  out += 12 * i;
  out[0] = __double2int_rn (a);
  out[1] = __double2int_rz (a);
  out[2] = __double2uint_rz (a);
  out[3] = __double2ll_rz (a);
  out[4] = __double2ll_ru (a);
  out[5] = (long long) __double2ull_rz (a);
  out[6] = bits (__double2float_rn (a));
  out[7] = bits (__double2float_rz (a));
  out[8] = (long long) bits (rint (a));
  out[9] = (long long) bits (floor (a));
  out[10] = (long long) bits (round (a));
  out[11] = __double2hiint (a) ^ __double2loint (a);
}

extern "C" __global__ void
convert_integer (const long long *x, unsigned long long *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long a;

  if (i >= n)
    return;
  a = x[i];
  out += 16 * i;
  out[0] = bits (__int2float_rn ((int) a));
  out[1] = bits (__int2float_rz ((int) a));
  out[2] = bits (__uint2float_rn ((unsigned) a));
  out[3] = bits (__uint2float_ru ((unsigned) a));
  out[4] = bits (__ll2float_rn (a));
  out[5] = bits (__ll2float_rd (a));
  out[6] = bits (__ull2float_rn ((unsigned long long) a));
  out[7] = bits (__int2double_rn ((int) a));
  out[8] = bits (__uint2double_rn ((unsigned) a));
  out[9] = bits (__ll2double_rn (a));
  out[10] = bits (__ll2double_rz (a));
  out[11] = bits (__ull2double_rn ((unsigned long long) a));
  out[12] = bits ((float) (short) a);
  out[13] = bits ((float) (unsigned char) a) + bits ((float) (signed char) (a >> 8));
  out[14] = __half_as_ushort (__int2half_rn ((int) a >> 12)) | __half_as_ushort (__short2half_rn ((short) a)) << 16;
  out[15] = (unsigned long long) (short) a + (unsigned char) (a >> 3) + (long long) (int) (a >> 5);
}

/* float to bfloat16, half, and back; half to whole numbers. */
extern "C" __global__ void
convert_narrow (const float *x, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a;
  __half h;

  if (i >= n)
    return;
  a = x[i];
  h = __float2half_rn (a);
  out += 6 * i;
  out[0] = __bfloat16_as_ushort (__float2bfloat16_rn (a));
  out[1] = __half_as_ushort (h);
  out[2] = bits (__half2float (h));
  out[3] = bits (__bfloat162float (__float2bfloat16_rn (a)));
  out[4] = (unsigned) __half2int_rn (h);
  out[5] = (unsigned) (unsigned short) __half2short_rd (h);
}

extern "C" __global__ void
math_single (const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a;

  if (i >= n)
    return;
  a = x[i];
  out += 12 * i;
  out[0] = sinf (a);
  out[1] = cosf (a);
  out[2] = tanf (a);
  out[3] = expf (a);
  out[4] = logf (fabsf (a));
  out[5] = powf (fabsf (a), 1.7f);
  out[6] = atan2f (a, 1.5f);
  out[7] = tanhf (a);
  out[8] = erff (a);
  out[9] = rsqrtf (fabsf (a));
  out[10] = fmodf (a, 0.7f);
  out[11] = hypotf (a, 2.0f);
}

extern "C" __global__ void
math_more (const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, exponent;
  float a;

  if (i >= n)
    return;
  a = x[i];
  out += 12 * i;
  out[0] = asinf (a / 16);
  out[1] = acosf (a / 16);
  out[2] = sinhf (a);
  out[3] = cbrtf (a);
  out[4] = exp2f (a);
  out[5] = log2f (fabsf (a));
  out[6] = log1pf (fabsf (a));
  out[7] = expm1f (a);
  out[8] = tgammaf (fabsf (a));
  out[9] = lgammaf (fabsf (a) + 2.5f);
  out[10] = frexpf (a, &exponent) + exponent;
  out[11] = erfcf (a) + ldexpf (a, 3);
}

extern "C" __global__ void
math_double (const double *x, double *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double a;

  if (i >= n)
    return;
  a = x[i];
  out += 12 * i;
  out[0] = sin (a);
  out[1] = cos (a);
  out[2] = tan (a);
  out[3] = exp (a);
  out[4] = log (fabs (a));
  out[5] = pow (fabs (a), 1.7);
  out[6] = atan (a);
  out[7] = tanh (a);
  out[8] = erf (a);
  out[9] = rsqrt (fabs (a));
  out[10] = cbrt (a);
  out[11] = fmod (a, 0.7);
}

/* Special functions of the hardware: the error is absolute or relative to the result's exponent. */
extern "C" __global__ void
math_fast (const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a;

  if (i >= n)
    return;
  a = x[i];
  out += 8 * i;
  out[0] = __sinf (a);
  out[1] = __cosf (a);
  out[2] = __expf (a);
  out[3] = __logf (fabsf (a));
  out[4] = __powf (fabsf (a), 1.5f);
  out[5] = __fdividef (1.0f, a);
  out[6] = __frsqrt_rn (fabsf (a));
  out[7] = __exp10f (a * 0.5f);
}

/* Arguments so large that the reduction by pi takes its long way, through a table in local memory. */
extern "C" __global__ void
math_large (const float *x, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  out[3 * i] = sinf (x[i]);
  out[3 * i + 1] = cosf (x[i]);
  out[3 * i + 2] = (float) sin ((double) x[i] * 1e10);
}
