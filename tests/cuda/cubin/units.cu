/* SPDX-License-Identifier: MIT */
/* What a module can have, for tests/check-cubin.c and rows of tests/bad/table: kernels with a
 * template, in a namespace, with a C name; parameters of all kinds; static and dynamic shared memory;
 * variables with pointers; a recursion; calls to the run-time system.
 *
 *   nvcc -cubin -lineinfo -arch=sm_80 units.cu -o units.sm_80.cubin      (CUDA 13.0; sm_100 likewise)
 *   ptxas of CUDA 12.4 for units.sm_90-cuda12.cubin
 *   nvcc -fatbin units.cu -gencode ... sm_80, sm_90, compute_90 -o units.fatbin    (PTX packed by zstd)
 *   nvcc -fatbin units.cu -gencode ... sm_80, sm_90 -Xfatbin=-compress-all -o units-packed.fatbin    (all) */
#include <cstdio>

__constant__ float weights[16];
__device__ int counter = 5;
__device__ float table[4] = { 1, 2, 3, 4 };
__device__ int *pointer = &counter;

template <int N>
__global__ void
axpy (int n, float a, const float *x, float *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    y[i] = a * x[i] * N + y[i];
}

template __global__ void axpy<4> (int, float, const float *, float *);
template __global__ void axpy<8> (int, float, const float *, float *);

namespace ns
{
struct Pair
{
  double a;
  int b;
};

__global__ void __launch_bounds__ (256)
mixed (Pair pair, char c, short s, long long l, float2 v, bool b)
{
  __shared__ float tile[64];
  extern __shared__ float more[];

  tile[threadIdx.x % 64] = weights[pair.b] * pair.a + v.x * v.y;
  __syncthreads ();
  more[threadIdx.x] = tile[(c + s) & 63];
  if (b)
    atomicAdd (&counter, (int)l);
  table[threadIdx.x & 3] = more[3];
  *pointer = 3;
}
}

__device__ __noinline__ float
deep (float x, int n)
{
  return n ? deep (x * 1.5f, n - 1) + 1 : x;
}

extern "C" __global__ void
plain (float *out, int n, double d)
{
  out[0] = deep (out[1], n) + (float)d;
  printf ("%d\n", n);
}
