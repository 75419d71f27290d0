// SPDX-License-Identifier: MIT
// Loops that wait: for a time, for all other blocks at a barrier of the kernel's own; and blocks that take work from a
// queue until it is empty, which wait for nobody.
// nvcc -ptx -lineinfo -arch=compute_86, paths cut to the last part, and ptxas -lineinfo -arch=sm_86

extern "C" __global__ void
delay (long long cycles, float *out)
{
  const long long begin = clock64 ();

  while (clock64 () - begin < cycles)
    ;
  out[threadIdx.x] = 1;
}

extern "C" __global__ void
own_barrier (volatile int *come, int *out)
{
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      atomicAdd ((int *) come, 1);
      while (*come < (int) gridDim.x)
        ;
    }
  __syncthreads ();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *come;
}

extern "C" __global__ void
queue (const float *in, float *out, int *next, int n)
{
  float sum = 0;

  for (int i = atomicAdd (next, 1); i < n; i = atomicAdd (next, 1))
    sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
