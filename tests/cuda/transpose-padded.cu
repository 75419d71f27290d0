// SPDX-License-Identifier: MIT
// The transpose of a matrix of n x n floats by way of a tile in shared memory, so that rows are read and rows are
// written. A column of padding puts a column's elements in different banks. Launch: grid n/32 x n/32, block 32 x 8.
#define TILE 32

extern "C" __global__ void
transpose_padded (float *to, const float *from, int n)
{
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

  for (int i = 0; i < TILE; i += 8)
    tile[threadIdx.y + i][threadIdx.x] = from[(y + i) * n + x];
  __syncthreads ();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += 8)
    to[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
