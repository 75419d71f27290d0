// SPDX-License-Identifier: MIT
// Histograms of bytes: atomics on device memory, on shared memory, and a table for each warp.
//
// case histogram_global: histogram_global<<<8, 128>>>(IN, OUT, 4000)
//   data: OUT=zeros
// case histogram_shared: histogram_shared<<<4, 256>>>(IN, OUT, 5000)
//   data: OUT=zeros
// case histogram_warps: histogram_warps<<<2, 128>>>(IN, OUT, 3000)
//   data: OUT=zeros

extern "C" __global__ void
histogram_global (const unsigned char *in, unsigned *out, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd (&out[in[i]], 1);
}

extern "C" __global__ void
histogram_shared (const unsigned char *in, unsigned *out, int n)
{
  __shared__ unsigned counts[256];

  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    counts[i] = 0;
  __syncthreads ();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd (&counts[in[i]], 1);
  __syncthreads ();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (counts[i] != 0)
      atomicAdd (&out[i], counts[i]);
}

/* 64 bins of the upper bits; words of four bytes are read. */
extern "C" __global__ void
histogram_warps (const uchar4 *in, unsigned *out, int n)
{
  __shared__ unsigned counts[4][64];
  int warp = threadIdx.x / 32;

  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    (&counts[0][0])[i] = 0;
  __syncthreads ();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
      uchar4 word = in[i];

      atomicAdd (&counts[warp][word.x >> 2], 1);
      atomicAdd (&counts[warp][word.y >> 2], 1);
      atomicAdd (&counts[warp][word.z >> 2], 1);
      atomicAdd (&counts[warp][word.w >> 2], 1);
    }
  __syncthreads ();
  if (threadIdx.x < 64)
    atomicAdd (&out[threadIdx.x], counts[0][threadIdx.x] + counts[1][threadIdx.x]
                                    + counts[2][threadIdx.x] + counts[3][threadIdx.x]);
}
