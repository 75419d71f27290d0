// SPDX-License-Identifier: MIT
// The sum of a block's elements: a tree in shared memory of which half the threads leave at each level, then shuffles
// within a warp. The levels are constants of the code.
#define THREADS 256

extern "C" __global__ void __launch_bounds__ (THREADS)
reduction (const float *in, float *out)
{
  __shared__ float part[THREADS];
  int t = threadIdx.x;
  float sum = in[blockIdx.x * THREADS + t];

  part[t] = sum;
#pragma unroll 1
  for (int half = THREADS / 2; half >= 32; half >>= 1)
    {
      __syncthreads ();
      if (t < half)
        part[t] = sum = sum + part[t + half];
    }
  if (t < 32)
    {
      for (int half = 16; half > 0; half >>= 1)
        sum += __shfl_down_sync (~0u, sum, half);
      if (t == 0)
        out[blockIdx.x] = sum;
    }
}
