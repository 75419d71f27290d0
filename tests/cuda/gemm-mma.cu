// SPDX-License-Identifier: MIT
// c = a b in half precision on tensor cores, sums in single precision, for matrices of n x n, n a multiple of 128. A
// block of four warps makes 128 x 128 elements of c, a warp 64 x 64 of them. Rows of the tiles are padded by 16 bytes,
// so that ldmatrix finds its rows in different banks. Launch: grid n/128 x n/128, block 128.
#include <cuda_fp16.h>
#include "gemm-mma.cuh"

extern "C" __global__ void __launch_bounds__ (128)
gemm_mma (const half *a, const half *b, float *c, int n)
{
  __shared__ __align__ (16) half as[TILE][DEPTH + 8], bs[DEPTH][TILE + 8];
  int t = threadIdx.x;
  float sum[4][8][4] = { 0 };

  for (int tile = 0; tile < n; tile += DEPTH)
    {
#pragma unroll
      for (int i = 0; i < 4; i++)
        {
          int row = t / 4 + i * 32, column = t % 4 * 8;

          *(int4 *) &as[row][column] = *(const int4 *) &a[(blockIdx.y * TILE + row) * n + tile + column];
        }
#pragma unroll
      for (int i = 0; i < 4; i++)
        {
          int row = t / 16 + i * 8, column = t % 16 * 8;

          *(int4 *) &bs[row][column] = *(const int4 *) &b[(tile + row) * n + blockIdx.x * TILE + column];
        }
      __syncthreads ();
      multiply_tiles (as, bs, sum);
      __syncthreads ();
    }
  store_tile (sum, c, n);
}
