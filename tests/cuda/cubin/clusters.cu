/* SPDX-License-Identifier: MIT */
/* Blocks in clusters of two, for a row of tests/bad/table.
 *
 *   nvcc -cubin -arch=sm_90 clusters.cu -o clusters.sm_90.cubin      (CUDA 13.0) */
extern "C" __global__ void __cluster_dims__ (2, 1, 1)
clustered (float *out)
{
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}
