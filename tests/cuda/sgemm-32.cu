// SPDX-License-Identifier: MIT
// c = a b for matrices of n x n floats, n a multiple of 32: a block makes 32 x 32 elements of c from tiles in shared
// memory. Launch: grid n/32 x n/32, block 32 x 32.
#define TILE 32

extern "C" __global__ void
sgemm_32 (const float *a, const float *b, float *c, int n)
{
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;

  for (int tile = 0; tile < n; tile += TILE)
    {
      as[y][x] = a[row * n + tile + x];
      bs[y][x] = b[(tile + y) * n + column];
      __syncthreads ();
      for (int k = 0; k < TILE; k++)
        sum += as[y][k] * bs[k][x];
      __syncthreads ();
    }
  c[row * n + column] = sum;
}
