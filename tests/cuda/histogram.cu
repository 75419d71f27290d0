// SPDX-License-Identifier: MIT
// A histogram of bytes: each block counts in shared memory, then adds its counts to those of the grid. Dynamic shared
// memory, so that the launch says how much.
#define BINS 256

extern __shared__ unsigned bins[];

extern "C" __global__ void __launch_bounds__ (BINS)
histogram (const uchar4 *data, unsigned *counts, int n)
{
  bins[threadIdx.x] = 0;
  __syncthreads ();
  for (int i = blockIdx.x * BINS + threadIdx.x; i < n; i += gridDim.x * BINS)
    {
      uchar4 four = data[i];

      atomicAdd (&bins[four.x], 1);
      atomicAdd (&bins[four.y], 1);
      atomicAdd (&bins[four.z], 1);
      atomicAdd (&bins[four.w], 1);
    }
  __syncthreads ();
  atomicAdd (&counts[threadIdx.x], bins[threadIdx.x]);
}
