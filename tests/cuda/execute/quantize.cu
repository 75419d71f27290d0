// SPDX-License-Identifier: MIT
// Numbers of 8, 6 and 4 bits, four to a word, and what else is rounded on its way to tensor cores: TF32, doubles of
// another sign, halves that are added to single precision. Before sm_89 the toolkit's headers compute what later
// targets have instructions for.
//
// case to_bytes: to_bytes<<<2, 64>>>(X, OUT)
// case halves_to_bytes: halves_to_bytes<<<2, 64>>>(X, OUT)
// case from_bytes: from_bytes<<<1, 64>>>(X, OUT)
// case to_narrow: to_narrow<<<2, 64>>>(X, OUT)
// case scaled_rows: scaled_rows<<<4, 64>>>(X, OUT, SCALES)
// case to_tf32: to_tf32<<<2, 64>>>(X, OUT)
//   from: 80
// case rounded_tf32: rounded_tf32<<<2, 64>>>(X, OUT)
//   from: 90
// case negated: negated<<<1, 32>>>(A, B, C)
//   from: 80
// case mixed_sums: mixed_sums<<<2, 64>>>(X, Y, OUT)
//   from: 100
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#define KERNEL extern "C" __global__ void
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL
to_bytes (const float4 *x, unsigned *out)
{
  out[2 * THREAD] = __nv_fp8x4_e4m3 (x[THREAD]).__x;
  out[2 * THREAD + 1] = __nv_fp8x4_e5m2 (x[THREAD]).__x;
}

KERNEL
halves_to_bytes (const __half2 *x, unsigned *out)
{
  out[2 * THREAD] = __nv_fp8x4_e4m3 (x[2 * THREAD], x[2 * THREAD + 1]).__x;
  out[2 * THREAD + 1] = __nv_fp8x4_e5m2 (x[2 * THREAD], x[2 * THREAD + 1]).__x;
}

KERNEL
from_bytes (const unsigned *x, float4 *out)
{
  __nv_fp8x4_e4m3 a;
  __nv_fp8x4_e5m2 b;

  a.__x = b.__x = x[THREAD];
  out[2 * THREAD] = float4 (a);
  out[2 * THREAD + 1] = float4 (b);
}

KERNEL
to_narrow (const float4 *x, unsigned *out)
{
  out[3 * THREAD] = __nv_fp6x4_e2m3 (x[THREAD]).__x;
  out[3 * THREAD + 1] = __nv_fp6x4_e3m2 (x[THREAD]).__x;
  out[3 * THREAD + 2] = __nv_fp4x4_e2m1 (x[THREAD]).__x;
}

/* A row of 128 numbers for each warp, with a scale of its own. */
KERNEL
scaled_rows (const float4 *x, unsigned *out, float *scales)
{
  const float4 v = x[THREAD];
  float largest = fmaxf (fmaxf (fabsf (v.x), fabsf (v.y)), fmaxf (fabsf (v.z), fabsf (v.w)));

  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf (largest, __shfl_xor_sync (~0u, largest, step));

  const float scale = __fdiv_rn (448.0f, largest);

  out[THREAD] = __nv_fp8x4_e4m3 (float4{ __fmul_rn (v.x, scale), __fmul_rn (v.y, scale),
                                         __fmul_rn (v.z, scale), __fmul_rn (v.w, scale) })
                    .__x;
  if (threadIdx.x % 32 == 0)
    scales[THREAD / 32] = largest;
}

KERNEL
to_tf32 (const float *x, unsigned *out)
{
#if __CUDA_ARCH__ >= 800
  asm ("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[THREAD]) : "f"(x[THREAD]));
#endif
}

KERNEL
rounded_tf32 (const float *x, unsigned *out)
{
#if __CUDA_ARCH__ >= 900
  asm ("cvt.rn.tf32.f32 %0, %1;" : "=r"(out[3 * THREAD]) : "f"(x[THREAD]));
  asm ("cvt.rz.tf32.f32 %0, %1;" : "=r"(out[3 * THREAD + 1]) : "f"(x[THREAD]));
  asm ("cvt.rn.relu.tf32.f32 %0, %1;" : "=r"(out[3 * THREAD + 2]) : "f"(x[THREAD]));
#endif
}

/* C = (-A) |B| - C, 8 by 4 times 4 by 8. */
KERNEL
negated (const double *a, const double *b, double *c)
{
#if __CUDA_ARCH__ >= 800
  const int lane = threadIdx.x;
  double x = -a[lane], y = fabs (b[lane % 4 * 8 + lane / 4]);
  double *to = c + lane / 4 * 8 + lane % 4 * 2, low = -to[0], high = -to[1];

  asm ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
       : "+d"(low), "+d"(high)
       : "d"(x), "d"(y));
  to[0] = low;
  to[1] = high;
#endif
}

KERNEL
mixed_sums (const unsigned *x, const float *y, float *out)
{
#if __CUDA_ARCH__ >= 1000
  const unsigned short low = x[THREAD] & 0xffff, high = x[THREAD] >> 16;
  const float number = y[THREAD];
  float *to = out + 6 * THREAD;

  asm ("add.f32.f16 %0, %1, %2;" : "=f"(to[0]) : "h"(high), "f"(number));
  asm ("sub.f32.f16 %0, %1, %2;" : "=f"(to[1]) : "h"(low), "f"(number));
  asm ("add.rz.sat.f32.bf16 %0, %1, %2;" : "=f"(to[2]) : "h"(high), "f"(number));
  asm ("fma.rn.f32.f16 %0, %1, %2, %3;" : "=f"(to[3]) : "h"(low), "h"(high), "f"(number));
  asm ("fma.rz.f32.bf16 %0, %1, %2, %3;" : "=f"(to[4]) : "h"(low), "h"(high), "f"(number));
  asm ("fma.rn.f32.bf16 %0, %1, %2, %3;" : "=f"(to[5]) : "h"(high), "h"(high), "f"(number));
#endif
}
