// SPDX-License-Identifier: MIT
// Reductions: a tree in shared memory, shuffles, one atomic for a block, vectors in a grid-stride loop, a maximum
// with its place, a dot product in double, and the last block that ends adds up what the others left.
//
// case reduce_tree: reduce_tree<<<6, 256>>>(IN, OUT, 1400)
// case reduce_shuffle: reduce_shuffle<<<5, 128>>>(IN, OUT, 600)
// case reduce_atomic: reduce_atomic<<<7, 96>>>(IN, OUT, 650)
//   data: OUT=zeros
// case reduce_float4: reduce_float4<<<2, 128>>>(IN, OUT, 1000)
// case reduce_largest: reduce_largest<<<1, 256>>>(IN, OUT, 1000)
// case dot_double: dot_double<<<4, 64>>>(X, Y, OUT, 500)
// case reduce_last_block: reduce_last_block<<<9, 64>>>(IN, PARTS, OUT, 2000)

extern "C" __global__ void
reduce_tree (const int *in, int *out, int n)
{
  __shared__ int parts[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  parts[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads ();
  for (int half = blockDim.x / 2; half > 0; half /= 2)
    {
      if (threadIdx.x < half)
        parts[threadIdx.x] += parts[threadIdx.x + half];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    out[blockIdx.x] = parts[0];
}

template <typename T>
__device__ T
sum_warp (T value)
{
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync (~0u, value, offset);
  return value;
}

template <typename T>
__device__ T
sum_block (T value)
{
  __shared__ T parts[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  value = sum_warp (value);
  if (lane == 0)
    parts[warp] = value;
  __syncthreads ();
  value = threadIdx.x < blockDim.x / 32 ? parts[lane] : T (0);
  return warp == 0 ? sum_warp (value) : value;
}

extern "C" __global__ void
reduce_shuffle (const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = sum_block (i < n ? in[i] : 0.0f);

  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

extern "C" __global__ void
reduce_atomic (const unsigned *in, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = sum_block (i < n ? in[i] : 0u);

  if (threadIdx.x == 0)
    atomicAdd (out, sum);
}

extern "C" __global__ void
reduce_float4 (const float4 *in, float *out, int n)
{
  float sum = 0;

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i].x + in[i].y + in[i].z + in[i].w;
  sum = sum_block (sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

/* OUT[0]: the largest; OUT[1]: where it is first. */
extern "C" __global__ void
reduce_largest (const int *in, int *out, int n)
{
  __shared__ int values[256], places[256];
  int best = in[threadIdx.x], place = threadIdx.x;

  for (int i = threadIdx.x + blockDim.x; i < n; i += blockDim.x)
    if (in[i] > best)
      {
        best = in[i];
        place = i;
      }
  values[threadIdx.x] = best;
  places[threadIdx.x] = place;
  for (int half = blockDim.x / 2; half > 0; half >>= 1)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        {
          int other = values[threadIdx.x + half], there = places[threadIdx.x + half];

          if (other > values[threadIdx.x]
              || (other == values[threadIdx.x] && there < places[threadIdx.x]))
            {
              values[threadIdx.x] = other;
              places[threadIdx.x] = there;
            }
        }
    }
  if (threadIdx.x == 0)
    {
      out[0] = values[0];
      out[1] = places[0];
    }
}

extern "C" __global__ void
dot_double (const double *x, const double *y, double *out, int n)
{
  double sum = 0;

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i] * y[i];
  sum = sum_block (sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

__device__ unsigned blocks_done;

extern "C" __global__ void
reduce_last_block (const int *in, volatile long long *parts, long long *out, int n)
{
  __shared__ bool is_last;
  long long sum = 0;

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = sum_block (sum);
  if (threadIdx.x == 0)
    {
      parts[blockIdx.x] = sum;
      __threadfence ();
      is_last = atomicInc (&blocks_done, gridDim.x) == gridDim.x - 1;
    }
  __syncthreads ();
  if (!is_last)
    return;
  sum = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    sum += parts[i];
  sum = sum_block (sum);
  if (threadIdx.x == 0)
    *out = sum;
}
