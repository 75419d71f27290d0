// SPDX-License-Identifier: MIT
// Variables without an initializer: what host code sets is unknown, and what kernels store to is zeros.
//
// case by_pointer: by_pointer<<<8, 128>>>(OUT)
//   check: none
// case by_trips: by_trips<<<8, 128>>>(IN, OUT)
//   check: none
// case by_rows: by_rows<<<8, 128>>>(IN, OUT)
//   check: none
// case last_block: last_block<<<8, 128>>>(OUT)
//   check: none

__device__ float *pointer;
__device__ int trips;
__device__ unsigned counter;
namespace of
{
__device__ int rows[1024];
}

__global__ void
by_pointer (float *out)
{
  out[blockIdx.x * blockDim.x + threadIdx.x] = pointer[blockIdx.x * blockDim.x + threadIdx.x];
}

__global__ void
by_trips (const float *in, float *out)
{
  float sum = 0;

  for (int k = 0; k < trips; k++)
    sum += in[k * blockDim.x + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void
by_rows (const float *in, float *out)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;

  out[k] = in[of::rows[k % 1024]];
}

__global__ void
last_block (float *out)
{
  if (threadIdx.x == 0 && atomicAdd (&counter, 1) == gridDim.x - 1)
    *out = 1;
}

__global__ void
set_trips (int n)
{
  trips = n;
}
