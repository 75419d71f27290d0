// SPDX-License-Identifier: MIT
// Matrix multiplication by tiles in shared memory. The number of tiles comes with the launch; the rounds of the loop
// over a tile are a constant, and left as a loop, so that the import has one to count.
#define TILE 16

extern "C" __global__ void
matmul (const float *a, const float *b, float *c, int n)
{
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;

  for (int tile = 0; tile < n / TILE; tile++)
    {
      as[y][x] = a[row * n + tile * TILE + x];
      bs[y][x] = b[(tile * TILE + y) * n + column];
      __syncthreads ();
#pragma unroll 1
      for (int k = 0; k < TILE; k++)
        sum += as[y][k] * bs[k][x];
      __syncthreads ();
    }
  c[row * n + column] = sum;
}
