/* SPDX-License-Identifier: MIT */
/* What a header of the toolkit has inlined, in a function that is inlined itself (tests/check-cubin.c).
 *
 *   nvcc -cubin -lineinfo -arch=sm_80 /kernels/inlined.cu -o inlined.sm_80.cubin      (CUDA 13.0) */
static __device__ __forceinline__ float
sum (float v)
{
  for (int o = 16; o > 0; o >>= 1)
    v += __shfl_xor_sync (~0u, v, o);
  return v;
}

extern "C" __global__ void
shares (const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];

  out[i] = v / sum (v);
}
