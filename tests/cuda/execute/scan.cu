// SPDX-License-Identifier: MIT
// Prefix sums: by doubling, by a tree, by shuffles, and over blocks that wait for the ones before (a spin on a flag
// in device memory).
//
// case scan_doubling: scan_doubling<<<3, 256>>>(IN, OUT)
// case scan_tree: scan_tree<<<2, 128>>>(IN, OUT)
// case scan_shuffle: scan_shuffle<<<4, 256>>>(IN, OUT)
// case scan_chained: scan_chained<<<12, 128>>>(IN, OUT, FLAGS, SUMS, 1500)
//   data: FLAGS=zeros SUMS=zeros

extern "C" __global__ void
scan_doubling (const int *in, int *out)
{
  __shared__ int values[2][256];
  int x = threadIdx.x, from = 0;

  values[0][x] = in[blockIdx.x * 256 + x];
  __syncthreads ();
  for (int offset = 1; offset < 256; offset *= 2)
    {
      int to = 1 - from;

      values[to][x] = values[from][x] + (x >= offset ? values[from][x - offset] : 0);
      from = to;
      __syncthreads ();
    }
  out[blockIdx.x * 256 + x] = values[from][x];
}

/* Exclusive; 256 elements a block of 128 threads. */
extern "C" __global__ void
scan_tree (const float *in, float *out)
{
  __shared__ float values[256];
  int x = threadIdx.x, offset = 1;

  values[2 * x] = in[blockIdx.x * 256 + 2 * x];
  values[2 * x + 1] = in[blockIdx.x * 256 + 2 * x + 1];
  for (int d = 128; d > 0; d >>= 1)
    {
      __syncthreads ();
      if (x < d)
        values[offset * (2 * x + 2) - 1] += values[offset * (2 * x + 1) - 1];
      offset *= 2;
    }
  if (x == 0)
    values[255] = 0;
  for (int d = 1; d < 256; d *= 2)
    {
      offset >>= 1;
      __syncthreads ();
      if (x < d)
        {
          int left = offset * (2 * x + 1) - 1, right = offset * (2 * x + 2) - 1;
          float old = values[left];

          values[left] = values[right];
          values[right] += old;
        }
    }
  __syncthreads ();
  out[blockIdx.x * 256 + 2 * x] = values[2 * x];
  out[blockIdx.x * 256 + 2 * x + 1] = values[2 * x + 1];
}

__device__ unsigned
scan_warp (unsigned value)
{
  int lane = threadIdx.x & 31;

  for (int offset = 1; offset < 32; offset <<= 1)
    {
      unsigned other = __shfl_up_sync (0xffffffff, value, offset);

      if (lane >= offset)
        value += other;
    }
  return value;
}

__device__ unsigned
scan_block (unsigned value, unsigned *total)
{
  __shared__ unsigned sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

  value = scan_warp (value);
  if (lane == 31)
    sums[warp] = value;
  __syncthreads ();
  if (warp == 0)
    sums[lane] = scan_warp (lane < blockDim.x / 32 ? sums[lane] : 0);
  __syncthreads ();
  *total = sums[blockDim.x / 32 - 1];
  return value + (warp > 0 ? sums[warp - 1] : 0);
}

extern "C" __global__ void
scan_shuffle (const unsigned *in, unsigned *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned total;

  out[i] = scan_block (in[i], &total);
}

extern "C" __global__ void
scan_chained (const unsigned *in, unsigned *out, volatile int *flags, volatile unsigned *sums,
              int n)
{
  __shared__ unsigned before;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned total, value = scan_block (i < n ? in[i] : 0, &total);

  if (threadIdx.x == 0)
    {
      unsigned previous = 0;

      if (blockIdx.x > 0)
        {
          while (flags[blockIdx.x - 1] == 0)
            ;
          __threadfence ();
          previous = sums[blockIdx.x - 1];
        }
      sums[blockIdx.x] = previous + total;
      __threadfence ();
      flags[blockIdx.x] = 1;
      before = previous;
    }
  __syncthreads ();
  if (i < n)
    out[i] = before + value;
}
