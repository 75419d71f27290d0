// SPDX-License-Identifier: MIT
// A stencil of seven points along a line. Threads share what they load; the first few load the halo besides, which is a
// branch that one warp takes and the others do not.
#define THREADS 128
#define RADIUS 3

__device__ __noinline__ float
weigh (const float *centre)
{
  float sum = 0.25f * centre[0];

#pragma unroll
  for (int i = 1; i <= RADIUS; i++)
    sum += 0.125f * (centre[-i] + centre[i]);
  return sum;
}

extern "C" __global__ void __launch_bounds__ (THREADS)
stencil (const float *in, float *out)
{
  __shared__ float line[THREADS + 2 * RADIUS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;

  line[t + RADIUS] = in[i + RADIUS];
  if (t < RADIUS)
    {
      line[t] = in[i];
      line[t + THREADS + RADIUS] = in[i + THREADS + RADIUS];
    }
  __syncthreads ();
  out[i] = weigh (&line[t + RADIUS]);
}
