// SPDX-License-Identifier: MIT
// Numbers that nobody gave and that addresses are computed from: whoever reads the same has the same, by whatever way it
// comes, and what a number chooses is in one piece. A row has 128 bytes.
//
// case by_eight: by_eight<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_one_for_all: by_one_for_all<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_shuffle: by_shuffle<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_part_of_shuffle: by_part_of_shuffle<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_copy: by_copy<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_pointer: by_pointer<<<8, 128>>>(UNKNOWN, OUT)
//   check: none
// case by_clamped: by_clamped<<<64, 128>>>(UNKNOWN, TABLE, OUT, 1 << 20)
//   check: none
// case by_checked: by_checked<<<64, 128>>>(UNKNOWN, TABLE, OUT, 1 << 20)
//   check: none
// case by_constant: by_constant<<<8, 128>>>(TABLE, OUT)
//   check: none
// case by_rounded: by_rounded<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_thread: by_thread<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_array: by_array<<<8, 128>>>(UNKNOWN, TABLE, OUT, 3)
//   check: none
// case by_counter: by_counter<<<8, 128>>>(UNKNOWN, OUT)
//   check: none
// case by_guard: by_guard<<<8, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_pair: by_pair<<<64, 128>>>(UNKNOWN, TABLE, OUT)
//   check: none
// case by_known_pointer: by_known_pointer<<<8, 128>>>(OUT)
//   check: none
// case by_search: by_search<<<64, 128>>>(TABLE, UNKNOWN, OUT, 20)
//   check: none
// case by_byte: by_byte<<<8, 128>>>(UNKNOWN, OUT)
//   check: none
#include <cuda_pipeline.h>

__constant__ int distances[8];
__constant__ struct
{
  const int *rows;
  const float *table;
} context;

// Eight threads a row.
extern "C" __global__ void
by_eight (const int *rows, const float4 *table, float4 *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = table[(size_t)rows[i / 8] * 8 + i % 8];
}

// One thread reads it for the block.
extern "C" __global__ void
by_one_for_all (const int *rows, const float *table, float *out)
{
  __shared__ int row;

  if (threadIdx.x == 0)
    row = rows[blockIdx.x];
  __syncthreads ();
  out[blockIdx.x * 128 + threadIdx.x] = table[(size_t)row * 128 + threadIdx.x];
}

// Each lane reads one, and the warp takes one row after the other: products with sparse matrices.
extern "C" __global__ void
by_shuffle (const int *rows, const float *table, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, own = rows[i];
  float sum = 0;

  for (int k = 0; k < 32; k++)
    sum += table[(size_t)__shfl_sync (~0u, own, k) * 32 + threadIdx.x % 32];
  out[i] = sum;
}

// Of all lanes but the last one, of which some have no number: they have what they were given.
extern "C" __global__ void
by_part_of_shuffle (const int *rows, const float *table, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, own = 7;

  if (lane < 16)
    own = rows[i];
  out[i] = table[(size_t)__shfl_sync (~0u, own, 0) * 32 + lane];
}

// The numbers come to shared memory by an asynchronous copy.
extern "C" __global__ void
by_copy (const int *rows, const float *table, float *out)
{
  __shared__ int few[128];
  float sum = 0;

  __pipeline_memcpy_async (&few[threadIdx.x], &rows[blockIdx.x * 128 + threadIdx.x], 4);
  __pipeline_commit ();
  __pipeline_wait_prior (0);
  __syncthreads ();
  for (int k = 0; k < 32; k++)
    sum += table[(size_t)few[k] * 32 + threadIdx.x % 32];
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// Products of many matrices have an array of where they are.
extern "C" __global__ void
by_pointer (const float *const *matrices, float *out)
{
  out[blockIdx.x * 128 + threadIdx.x] = matrices[blockIdx.x][threadIdx.x];
}

extern "C" __global__ void
by_clamped (const int *rows, const float *table, float *out, int n)
{
  int row = min (max (rows[blockIdx.x], 0), n - 1);

  out[blockIdx.x * 128 + threadIdx.x] = table[(size_t)row * 32 + threadIdx.x % 32];
}

// What is out of bounds is the first one, here by a selection, and the last one by a guarded move.
extern "C" __global__ void
by_checked (const int *rows, const float *table, float *out, int n)
{
  int row = rows[blockIdx.x];

  row = row >= n ? 0 : row;
  asm ("{ .reg .pred p; setp.lt.s32 p, %0, 64; @p mov.s32 %0, 63; }" : "+r"(row));
  out[blockIdx.x * 128 + threadIdx.x] = table[(size_t)row * 32 + threadIdx.x % 32];
}

extern "C" __global__ void
by_constant (const float *x, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;

#pragma unroll 1
  for (int k = 0; k < 8; k++)
    sum += x[i + distances[k]];
  out[i] = sum;
}

// Cells of a grid, by a place in it that two threads beside each other have in common.
extern "C" __global__ void
by_rounded (const float *places, const float *cells, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = cells[(int)floorf (places[i / 2] * 4.f) * 8 + i % 2];
}

// Each thread its own.
extern "C" __global__ void
by_thread (const int *rows, const float *table, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = table[(size_t)rows[i] * 32];
}

// Numbers wait in an array of the thread's own.
extern "C" __global__ void
by_array (const int *rows, const float *table, float *out, int step)
{
  int few[8];
  float sum = 0;

  for (int k = 0; k < 8; k++)
    few[k] = rows[blockIdx.x * 8 + k];
  for (int k = 0; k < 8; k++)
    sum += table[(size_t)few[k * step & 7] * 128 + threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// A warp asks for room for 32 elements.
extern "C" __global__ void
by_counter (int *count, float *out)
{
  int lane = threadIdx.x % 32, first = 0;

  if (lane == 0)
    first = atomicAdd (count, 32);
  out[__shfl_sync (~0u, first, 0) + lane] = lane;
}

// Whether an address is used is not known, and the address is.
extern "C" __global__ void
by_guard (const unsigned char *flags, const float *table, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;

  if (flags[i])
    sum = table[i * 2] + table[i * 2 + 1];
  out[i] = sum;
}

// Two numbers of one load have nothing to do with one another.
extern "C" __global__ void
by_pair (const int2 *pairs, const float *table, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 pair = pairs[i];

  out[i] = table[((pair.x & 255) * 256 + (pair.y & 255)) * 8];
}

// A pointer of a structure in constant memory.
extern "C" __global__ void
by_known_pointer (float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = context.table[(size_t)context.rows[i] * 32];
}

// Threads that look for different keys part.
extern "C" __global__ void
by_search (const int *sorted, const int *keys, int *out, int steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i], low = 0, size = 1 << steps;

  for (int k = 0; k < steps; k++)
    {
      size /= 2;
      if (sorted[low + size - 1] < key)
        low += size;
    }
  out[i] = low;
}

// A byte is below 256.
extern "C" __global__ void
by_byte (const unsigned char *bytes, int *counts)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  atomicAdd (&counts[bytes[i]], 1);
}
