// SPDX-License-Identifier: MIT
// How often each byte occurs: a block counts in shared memory, then adds its counts to those of the device. Data come
// four bytes at a time. Launch: any grid, block 256.
extern "C" __global__ void
byte_histogram (const unsigned *data, unsigned *counts, int n)
{
  __shared__ unsigned bins[256];

  bins[threadIdx.x] = 0;
  __syncthreads ();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
      unsigned four = data[i];

      atomicAdd (&bins[four & 255], 1);
      atomicAdd (&bins[four >> 8 & 255], 1);
      atomicAdd (&bins[four >> 16 & 255], 1);
      atomicAdd (&bins[four >> 24], 1);
    }
  __syncthreads ();
  atomicAdd (&counts[threadIdx.x], bins[threadIdx.x]);
}
