// SPDX-License-Identifier: MIT
// The transpose of a matrix of n x n floats, straight: rows are read, columns are written. Launch: grid n/32 x n/32,
// block 32 x 8.
extern "C" __global__ void
transpose_naive (float *to, const float *from, int n)
{
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

  for (int i = 0; i < 32; i += 8)
    {
      float element = from[(y + i) * n + x];

      to[x * n + y + i] = element;
    }
}
