// SPDX-License-Identifier: MIT
// Calls that are noted: printf, assert that holds, assert that fails, a trap; and data that nobody gave: they flow
// through arithmetic and memory, but a branch or an address that they decide is noted. So is shared memory that is
// read before it is written.
//
// case print: print<<<2, 32>>>(OUT)
// case asserted: asserted<<<2, 32>>>(IN, OUT)
// case unknown_dense: unknown_dense<<<4, 64>>>(UNKNOWN, OUT, 200)
//   check: none
// case unknown_branch: unknown_branch<<<4, 64>>>(UNKNOWN, OUT, 200)
//   check: none
// case unknown_address: unknown_address<<<4, 64>>>(UNKNOWN, TABLE, OUT, 200)
//   check: none
// case unknown_trips: unknown_trips<<<4, 64>>>(UNKNOWN, OUT, 200)
//   check: none
// case unwritten: unwritten<<<1, 64>>>(OUT)
//   check: none
// case scattered: scattered<<<1, 64>>>(UNKNOWN, OUT)
//   check: none
// case counted: counted<<<1, 64>>>(OUT)
//   check: none
// case divergent: divergent<<<4, 64>>>(OUT)
#include <cassert>
#include <cstdio>

extern "C" __global__ void
print (int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (threadIdx.x == 7)
    printf ("block %d says %d and %f\n", blockIdx.x, i, i * 0.5);
  out[i] = i * i;
}

extern "C" __global__ void
asserted (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  assert (in[i] >= 0);
  out[i] = in[i] + 1;
}

extern "C" __global__ void
unknown_dense (const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = in[i] * 2 + 1;
}

extern "C" __global__ void
unknown_branch (const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  if (in[i] > 0)
    out[i] = expf (in[i]) / 3;
  else
    out[i] = sinf (in[i]);
}

extern "C" __global__ void
unknown_address (const int *in, const float *table, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = table[in[i]];
}

extern "C" __global__ void
unknown_trips (const int *in, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

  if (i >= n)
    return;
  for (int j = 0; j < in[i]; j++)
    sum += j * sum + 1;
  out[i] = sum;
}

/* Lanes take 1 to 32 turns of a loop that is not unrolled: a warp makes 32. */
extern "C" __global__ void
divergent (unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i;

#pragma unroll 1
  for (int j = 0; j <= threadIdx.x % 32; j++)
    {
      if (j % 3 == 0)
        state = state * 1664525 + 1013904223;
      else
        state ^= state >> 7;
    }
  out[i] = state;
}

/* Half of the threads find in shared memory what nobody stored. */
extern "C" __global__ void
unwritten (int *out)
{
  __shared__ int marks[64];

  if (threadIdx.x < 32)
    marks[threadIdx.x] = 1;
  __syncthreads ();
  if (marks[threadIdx.x] != 0)
    return;
  out[threadIdx.x] = 5;
}

// Some of the places are stored to, by whom nobody knows.
extern "C" __global__ void
scattered (const int *in, int *out)
{
  __shared__ int marks[64];

  if (threadIdx.x < 32)
    marks[threadIdx.x] = 1;
  __syncthreads ();
  marks[in[threadIdx.x] & 63] = 1;
  __syncthreads ();
  if (marks[threadIdx.x] == 0)
    return;
  out[threadIdx.x] = 5;
}

// An atomic where nothing was stored, and a byte beside one that was.
extern "C" __global__ void
counted (int *out)
{
  __shared__ int sums[32];
  __shared__ volatile unsigned char bytes[256];

  bytes[4 * threadIdx.x + 1] = 7;
  atomicAdd (&sums[threadIdx.x % 32], 3);
  __syncthreads ();
  out[threadIdx.x] = sums[threadIdx.x % 32] + *(volatile int *)&bytes[4 * threadIdx.x];
}

// Each block copies a row that an unknown number chooses.
extern "C" __global__ void
unknown_rows (const int *rows, const float *table, float *out)
{
  out[blockIdx.x * 64 + threadIdx.x] = table[rows[blockIdx.x] * 64 + threadIdx.x];
}
