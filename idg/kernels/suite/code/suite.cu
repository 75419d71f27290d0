// SPDX-License-Identifier: MIT
// Kernels of known character, for studies of warp scheduling. The files in the folder above launch
// them; suite.fatbin is this file for compute capabilities 8.0 and 9.0 (make suite-code).
#include <cuda_fp16.h>

#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL (gridDim.x * blockDim.x)

// Two loads, an fma, a store: all of it from and to DRAM.
extern "C" __global__ void triad (float *a, const float *b, const float *c, float s)
{
  a[ID] = b[ID] + s * c[ID];
}

// Only loads, four at a time.
extern "C" __global__ void sum_loads (float *out, const float4 *in, int rounds)
{
  float sum = 0;

#pragma unroll 4
  for (int i = 0; i < rounds; i++)
    {
      float4 v = in[i * ALL + ID];
      sum += v.x + v.y + v.z + v.w;
    }
  if (sum == 0.12345f)
    out[ID] = sum;
}

// A column of a matrix by each warp: 32 sectors a load.
extern "C" __global__ void columns (float *out, const float *in, int width)
{
  out[ID] = in[(ID & 1023) * width + (ID >> 10)];
}

// Each address depends on what was loaded before.
extern "C" __global__ void chase (unsigned *out, const unsigned *next, int rounds)
{
  unsigned at = ID * 32;

  for (int i = 0; i < rounds; i++)
    at = next[at];
  out[ID] = at;
}

// One dependent chain of fmas.
extern "C" __global__ void fma_chain (float *out, float x, int rounds)
{
  float a = ID;

#pragma unroll 16
  for (int i = 0; i < rounds; i++)
    a = a * x + 1.0f;
  out[ID] = a;
}

// Four independent ones.
extern "C" __global__ void fma_four (float *out, float x, int rounds)
{
  float a = ID, b = a + 1, c = a + 2, d = a + 3;

#pragma unroll 8
  for (int i = 0; i < rounds; i++)
    {
      a = a * x + 1.0f;
      b = b * x + 1.0f;
      c = c * x + 1.0f;
      d = d * x + 1.0f;
    }
  out[ID] = a + b + c + d;
}

// Sines.
extern "C" __global__ void sines (float *out, int rounds)
{
  float a = ID, b = a + 1;

#pragma unroll 8
  for (int i = 0; i < rounds; i++)
    {
      a = __sinf (a);
      b = __sinf (b);
    }
  out[ID] = a + b;
}

// An integer hash: shifts, additions, exclusive ors.
extern "C" __global__ void hash (unsigned *out, int rounds)
{
  unsigned a = ID, b = ~a;

#pragma unroll 4
  for (int i = 0; i < rounds; i++)
    {
      a ^= a << 13, b ^= b << 13;
      a ^= a >> 17, b ^= b >> 17;
      a ^= a << 5, b ^= b << 5;
    }
  out[ID] = a + b;
}

// Double precision.
extern "C" __global__ void doubles (double *out, double x, int rounds)
{
  double a = ID, b = a + 1, c = a + 2, d = a + 3;

#pragma unroll 4
  for (int i = 0; i < rounds; i++)
    {
      a = a * x + 1.0;
      b = b * x + 1.0;
      c = c * x + 1.0;
      d = d * x + 1.0;
    }
  out[ID] = a + b + c + d;
}

// Shared memory with conflicts of eight ways.
extern "C" __global__ void conflicts (float *out, int rounds)
{
  __shared__ float tile[2048];
  float sum = 0;

  for (int i = threadIdx.x; i < 2048; i += blockDim.x)
    tile[i] = i;
  __syncthreads ();
#pragma unroll 8
  for (int i = 0; i < rounds; i++)
    sum += tile[(threadIdx.x * 8 + i) & 2047];
  out[ID] = sum;
}

// A product of tiles of 16 x 16 in shared memory.
extern "C" __global__ void tiles (float *c, const float *a, const float *b, int n)
{
  __shared__ float one[16][16], other[16][16];
  int x = threadIdx.x & 15, y = threadIdx.x >> 4;
  int column = (blockIdx.x % (n / 16)) * 16 + x, row = (blockIdx.x / (n / 16)) * 16 + y;
  float sum = 0;

  for (int k = 0; k < n; k += 16)
    {
      one[y][x] = a[row * n + k + x];
      other[y][x] = b[(k + y) * n + column];
      __syncthreads ();
#pragma unroll
      for (int i = 0; i < 16; i++)
        sum += one[y][i] * other[i][x];
      __syncthreads ();
    }
  c[row * n + column] = sum;
}

// A load, a tree of sums with a barrier after each level.
extern "C" __global__ void tree (float *out, const float *in, int rounds)
{
  __shared__ float tile[256];
  float sum = 0;

  for (int r = 0; r < rounds; r++)
    {
      tile[threadIdx.x] = in[r * ALL + ID];
      for (int step = 128; step > 0; step >>= 1)
        {
          __syncthreads ();
          if (threadIdx.x < step)
            tile[threadIdx.x] += tile[threadIdx.x + step];
        }
      __syncthreads ();
      sum += tile[0];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

// Sums of whole warps by shuffles.
extern "C" __global__ void shuffles (float *out, int rounds)
{
  float a = ID, b = a + 1;

  for (int i = 0; i < rounds; i++)
    for (int step = 16; step > 0; step >>= 1)
      {
        a += __shfl_xor_sync (~0u, a, step);
        b += __shfl_xor_sync (~0u, b, step);
      }
  out[ID] = a + b;
}

// Warps of very different lengths: warp w of a block goes w times as far as the first.
extern "C" __global__ void uneven (float *out, float x, int rounds)
{
  float a = ID;
  int n = rounds * (1 + threadIdx.x / 32);

#pragma unroll 4
  for (int i = 0; i < n; i++)
    a = a * x + 1.0f;
  out[ID] = a;
}

// A load, then a phase of arithmetic on it, over and over: what one warp waits for another could use.
extern "C" __global__ void phases (float *out, const float *in, float x, int rounds)
{
  float a = 0;

  for (int i = 0; i < rounds; i++)
    {
      float v = in[i * ALL + ID];
#pragma unroll
      for (int k = 0; k < 64; k++)
        v = v * x + 1.0f;
      a += v;
    }
  out[ID] = a;
}

// The same data by all blocks: what is loaded hits in the caches after the first.
extern "C" __global__ void table (float *out, const float *in, int rounds)
{
  float a = 0;

#pragma unroll 8
  for (int i = 0; i < rounds; i++)
    a += in[(i * 32 + threadIdx.x) & 2047];
  out[ID] = a;
}
