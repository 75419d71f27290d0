// SPDX-License-Identifier: MIT
// gemm-mma.cu with two buffers in shared memory: while tensor cores multiply the tiles of one, cp.async fills the
// other. Launch: grid n/128 x n/128, block 128.
#include <cuda_fp16.h>
#include "gemm-mma.cuh"

__device__ static void
copy_16_bytes (half *to, const half *from)
{
  asm volatile ("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address (to)), "l"(from));
}

__device__ static void
copy_tiles (half (*as)[DEPTH + 8], half (*bs)[TILE + 8], const half *a, const half *b, int n, int tile)
{
  int t = threadIdx.x;

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      int a_row = t / 4 + i * 32, a_column = t % 4 * 8, b_row = t / 16 + i * 8, b_column = t % 16 * 8;

      copy_16_bytes (&as[a_row][a_column], &a[(blockIdx.y * TILE + a_row) * n + tile + a_column]);
      copy_16_bytes (&bs[b_row][b_column], &b[(tile + b_row) * n + blockIdx.x * TILE + b_column]);
    }
  asm volatile ("cp.async.commit_group;");
}

extern "C" __global__ void __launch_bounds__ (128)
gemm_cp_async (const half *a, const half *b, float *c, int n)
{
  __shared__ __align__ (16) half as[2][TILE][DEPTH + 8], bs[2][DEPTH][TILE + 8];
  float sum[4][8][4] = { 0 };
  int buffer = 0;

  copy_tiles (as[0], bs[0], a, b, n, 0);
  for (int tile = DEPTH; tile < n; tile += DEPTH)
    {
      copy_tiles (as[buffer ^ 1], bs[buffer ^ 1], a, b, n, tile);
      asm volatile ("cp.async.wait_group 1;");
      __syncthreads ();
      multiply_tiles (as[buffer], bs[buffer], sum);
      __syncthreads ();
      buffer ^= 1;
    }
  asm volatile ("cp.async.wait_group 0;");
  __syncthreads ();
  multiply_tiles (as[buffer], bs[buffer], sum);
  store_tile (sum, c, n);
}
