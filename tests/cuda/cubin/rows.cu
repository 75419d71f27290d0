// SPDX-License-Identifier: MIT
// A matrix times a vector, a thread for each row: the matrix as it is, and transposed; and double precision by accident.
// nvcc -cubin -lineinfo -arch=sm_86 rows.cu -o rows.sm_86.cubin

extern "C" __global__ void
rows (const unsigned *matrix, const unsigned *vector, unsigned *to, int height, int width)
{
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;

  if (y >= height)
    return;
  for (int x = 0; x < width; x++)
    sum += matrix[y * width + x] * vector[x];
  to[y] = sum;
}

extern "C" __global__ void
columns (const unsigned *matrix, const unsigned *vector, unsigned *to, int height, int width)
{
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;

  if (y >= height)
    return;
  for (int x = 0; x < width; x++)
    sum += matrix[x * height + y] * vector[x];
  to[y] = sum;
}

// A mean of neighbours, kept within limits that are double precision, as a slip of the pen makes them.
extern "C" __global__ void
limited (const float *from, float *to, int width, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;

  for (int k = 0; k < width; k++)
    if (i + k < n)
      sum += from[i + k];
  to[i] = min (max (sum / width, 0.0), 1.0);
}
