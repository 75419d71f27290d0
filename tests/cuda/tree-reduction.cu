// SPDX-License-Identifier: MIT
// Sums of n floats, one for each block: threads add up every so many elements, then a tree in shared memory, then
// shuffles in the last warp. Launch: any grid, a block of a power of two from 64 to 1024, a float of dynamic shared
// memory for each thread.
extern __shared__ float part[];

extern "C" __global__ void
tree_reduction (const float *in, float *out, int n)
{
  int t = threadIdx.x;
  float sum = 0;

  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  part[t] = sum;
  __syncthreads ();
  for (int half = blockDim.x / 2; half > 32; half /= 2)
    {
      if (t < half)
        part[t] += part[t + half];
      __syncthreads ();
    }
  if (t < 32)
    {
      sum = part[t] + part[t + 32];
      for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync (0xffffffff, sum, half);
      if (t == 0)
        out[blockIdx.x] = sum;
    }
}
