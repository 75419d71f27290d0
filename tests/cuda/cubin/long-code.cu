// SPDX-License-Identifier: MIT
// Code that a small instruction cache does not hold. ../../golden/fetch.test counts what is fetched, by hand, from where
// the loops begin and end in the machine code.

template <int N>
__device__ float
many (float x, float a)
{
#pragma unroll
  for (int i = 0; i < N; i++)
    x = x * a + a;
  return x;
}

// Once through.
extern "C" __global__ void
straight (float *p, float a)
{
  p[threadIdx.x] = many<160> (p[threadIdx.x], a);
}

// A short loop after long code.
extern "C" __global__ void
short_loop (float *p, float a, int n)
{
  float x = many<160> (p[threadIdx.x], a);

#pragma unroll 1
  for (int i = 0; i < n; i++)
    x = many<40> (x, a);
  p[threadIdx.x] = x;
}

// A loop of all that code.
extern "C" __global__ void
long_loop (float *p, float a, int n)
{
  float x = p[threadIdx.x];

#pragma unroll 1
  for (int i = 0; i < n; i++)
    x = many<160> (x, a);
  p[threadIdx.x] = x;
}
