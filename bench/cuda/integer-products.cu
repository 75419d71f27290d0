// SPDX-License-Identifier: MIT
// Products of matrices of whole numbers, rows x inner by inner x columns, a thread for each element: straight from device
// memory, and by square tiles in shared memory, as wide as the block. As measured on an RTX 3080 by a public log of
// nvbench (bench/data/public-kernels.csv; written anew after its description).
// nvcc -cubin -lineinfo -arch=sm_86 integer-products.cu

#define KERNEL extern "C" __global__ void

KERNEL
straight (unsigned *left, unsigned *right, unsigned *to, int rows, int inner, int again, int columns)
{
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;

  if (y >= rows || x >= columns)
    return;
  for (int k = 0; k < inner; k++)
    sum += left[y * inner + k] * right[k * columns + x];
  to[y * columns + x] = sum;
}

// Dynamic shared memory: eight bytes a thread.
KERNEL
by_tiles (unsigned *left, unsigned *right, unsigned *to, int rows, int inner, int again, int columns)
{
  extern __shared__ unsigned tiles[];
  const int width = blockDim.x, i = threadIdx.y, j = threadIdx.x;
  const int y = blockIdx.y * width + i, x = blockIdx.x * width + j;
  unsigned *const a = tiles, *const b = tiles + width * width, sum = 0;

  for (int tile = 0; tile < (inner + width - 1) / width; tile++)
    {
      const int column = tile * width + j, row = tile * width + i;

      a[i * width + j] = y < rows && column < inner ? left[y * inner + column] : 0;
      b[i * width + j] = row < again && x < columns ? right[row * columns + x] : 0;
      __syncthreads ();
      for (int k = 0; k < width; k++)
        sum += a[i * width + k] * b[k * width + j];
      __syncthreads ();
    }
  if (y < rows && x < columns)
    to[y * columns + x] = sum;
}
