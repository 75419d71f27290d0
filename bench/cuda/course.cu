// SPDX-License-Identifier: MIT
// Kernels of a course: convolutions of rows and of images (straight, with the weights in constant memory, by tiles in
// shared memory), a matrix times a vector, greys of an image, histograms, sums of matrices by rows and by columns, and the
// steps by which a sum of numbers is taught. As measured on an RTX 3080 by public logs of nvbench
// (bench/data/public-kernels.csv; written anew after their description).
// nvcc -cubin -lineinfo -arch=sm_86 course.cu

#define KERNEL extern "C" __global__ void

typedef unsigned char Byte;

__constant__ float weights[121];
extern __shared__ unsigned partial[];

// Both limits are double precision, as those of the course are: what a GPU of games has few units for.
static __device__ float
unit (float x)
{
  return min (max (x, 0.0), 1.0);
}

KERNEL
row_plain (const float *from, const float *mask, float *to, int width, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, first = i - width / 2;
  float sum = 0;

  if (i >= n)
    return;
  for (int k = 0; k < width; k++)
    if (first + k >= 0 && first + k < n)
      sum += from[first + k] * mask[k];
  to[i] = unit (sum);
}

KERNEL
row_constant (const float *from, float *to, int width, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, first = i - width / 2;
  float sum = 0;

  for (int k = 0; k < width; k++)
    if (first + k >= 0 && first + k < n)
      sum += from[first + k] * weights[k];
  to[i] = unit (sum);
}

KERNEL
row_tiled (const float *from, float *to, int width, int n)
{
  extern __shared__ float tile[];
  const int t = threadIdx.x, size = blockDim.x, half = width / 2, i = blockIdx.x * size + t;
  const int left = (blockIdx.x - 1) * size + t, right = (blockIdx.x + 1) * size + t;
  float sum = 0;

  if (t >= size - half)
    tile[t - (size - half)] = left < 0 ? 0 : from[left];
  tile[half + t] = from[i];
  if (t < half)
    tile[half + size + t] = right >= n ? 0 : from[right];
  __syncthreads ();
  for (int k = 0; k < width; k++)
    sum += tile[t + k] * weights[k];
  to[i] = unit (sum);
}

KERNEL
row_cached (const float *from, float *to, int width, int n)
{
  extern __shared__ float tile[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const int begin = blockIdx.x * blockDim.x, end = (blockIdx.x + 1) * blockDim.x,
            first = i - width / 2;
  float sum = 0;

  tile[t] = from[i];
  __syncthreads ();
  for (int k = 0; k < width; k++)
    {
      const int at = first + k;

      if (at >= 0 && at < n)
        {
          if (at >= begin && at < end)
            sum += tile[t + k - width / 2] * weights[k];
          else
            sum += from[at] * weights[k];
        }
    }
  to[i] = unit (sum);
}

KERNEL
image_plain (const float *from, const float *mask, float *to, int mh, int mw, int height, int width,
             int channels)
{
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  const int top = y - mh / 2, left = x - mw / 2;

  if (y >= height || x >= width)
    return;
  for (int c = 0; c < channels; c++)
    {
      float sum = 0;

      for (int k = 0; k < mh; k++)
        for (int l = 0; l < mw; l++)
          if (top + k >= 0 && top + k < height && left + l >= 0 && left + l < width)
            sum += from[((top + k) * width + left + l) * channels + c] * mask[k * mw + l];
      to[(y * width + x) * channels + c] = unit (sum);
    }
}

KERNEL
image_constant (const float *from, float *to, int mh, int mw, int height, int width, int channels)
{
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  const int top = y - mh / 2, left = x - mw / 2;

  if (y >= height || x >= width)
    return;
  for (int c = 0; c < channels; c++)
    {
      float sum = 0;

      for (int k = 0; k < mh; k++)
        for (int l = 0; l < mw; l++)
          if (top + k >= 0 && top + k < height && left + l >= 0 && left + l < width)
            sum += from[((top + k) * width + left + l) * channels + c] * weights[k * mw + l];
      to[(y * width + x) * channels + c] = unit (sum);
    }
}

KERNEL
image_tiled (const float *from, float *to, int mh, int mw, int height, int width, int channels)
{
  extern __shared__ float tile[];
  const int rows = blockDim.y - mh + 1, columns = blockDim.x - mw + 1, i = threadIdx.y,
            j = threadIdx.x;
  const int y = blockIdx.y * rows + i, x = blockIdx.x * columns + j, top = y - mh / 2,
            left = x - mw / 2;
  for (int c = 0; c < channels; c++)
    {
      if (top >= 0 && top < height && left >= 0 && left < width)
        tile[i * blockDim.x + j] = from[(top * width + left) * channels + c];
      else
        tile[i * blockDim.x + j] = 0;
      __syncthreads ();
      float sum = 0;

      if (i < rows && j < columns && y < height && x < width)
        {
          for (int k = 0; k < mh; k++)
            for (int l = 0; l < mw; l++)
              sum += tile[(i + k) * blockDim.x + j + l] * weights[k * mw + l];
          to[(y * width + x) * channels + c] = unit (sum);
        }
      __syncthreads ();
    }
}

KERNEL
rows_times (unsigned *to, unsigned *matrix, unsigned *vector, int rows, int columns)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;

  if (i >= rows)
    return;
  for (int k = 0; k < columns; k++)
    sum += matrix[i * columns + k] * vector[k];
  to[i] = sum;
}

KERNEL
rows_times_tiled (unsigned *to, unsigned *matrix, unsigned *vector, int rows, int columns)
{
  extern __shared__ unsigned part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int phases = (columns + blockDim.x - 1) / blockDim.x;
  unsigned sum = 0;

  for (int p = 0; p < phases; p++)
    {
      const int at = p * blockDim.x + threadIdx.x;

      part[threadIdx.x] = at < columns ? vector[at] : 0;
      __syncthreads ();
      if (i < rows)
        for (int k = 0; k < blockDim.x && p * blockDim.x + k < columns; k++)
          sum += matrix[i * columns + p * blockDim.x + k] * part[k];
      __syncthreads ();
    }
  to[i] = sum;
}

KERNEL
grey (Byte *from, Byte *to, int width, int height)
{
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;

  if (y < 0 || y >= height || x < 0 || x >= width)
    return;
  const int at = y * width + x;
  const Byte r = from[3 * at], g = from[3 * at + 1], b = from[3 * at + 2];

  to[at] = (Byte)(0.21f * r + 0.71f * g + 0.07f * b);
}

KERNEL
count_bins (unsigned *from, unsigned *bins, unsigned n, unsigned number)
{
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;

  for (unsigned b = t; b < number; b += blockDim.x * gridDim.x)
    bins[b] = 0;
  __syncthreads ();
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x)
    atomicAdd (&bins[from[i]], 1);
}

KERNEL
add_columns (unsigned *a, unsigned *b, unsigned *c, int m, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
            at = i * m + j;
  if (i < n && j < m)
    c[at] = a[at] + b[at];
}

KERNEL
add_rows (unsigned *a, unsigned *b, unsigned *c, int m, int n)
{
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x,
            at = i * m + j;
  if (i < n && j < m)
    c[at] = a[at] + b[at];
}

KERNEL
sum_apart (unsigned *from, unsigned n, unsigned *to)
{
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  partial[t] = i < n ? from[i] : 0;
  __syncthreads ();
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1)
    {
      if (t % (2 * stride) == 0)
        partial[t] += t + stride < n ? partial[t + stride] : 0;
      __syncthreads ();
    }
  if (t == 0)
    to[blockIdx.x] = partial[0];
}

KERNEL
sum_adjacent (unsigned *from, unsigned n, unsigned *to)
{
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  partial[t] = i < n ? from[i] : 0;
  __syncthreads ();
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1)
    {
      const int at = 2 * stride * t;

      if (at < blockDim.x)
        partial[at] += at + stride < n ? partial[at + stride] : 0;
      __syncthreads ();
    }
  if (t == 0)
    to[blockIdx.x] = partial[0];
}

KERNEL
sum_halves (unsigned *from, unsigned n, unsigned *to)
{
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  partial[t] = i < n ? from[i] : 0;
  __syncthreads ();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1)
    {
      if (t < stride)
        partial[t] += t + stride < n ? partial[t + stride] : 0;
      __syncthreads ();
    }
  if (t == 0)
    to[blockIdx.x] = partial[0];
}

KERNEL
sum_two (unsigned *from, unsigned n, unsigned *to)
{
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;

  partial[t] = i < n ? from[i] : 0;
  partial[t] += i + blockDim.x < n ? from[i + blockDim.x] : 0;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1)
    {
      if (t < stride)
        partial[t] += partial[t + stride];
      __syncthreads ();
    }
  if (t == 0)
    to[blockIdx.x] = partial[0];
}

static __device__ void
last_warp (volatile unsigned *p, unsigned t, unsigned size)
{
  if (size >= 64)
    p[t] += p[t + 32];
  if (size >= 32)
    p[t] += p[t + 16];
  if (size >= 16)
    p[t] += p[t + 8];
  if (size >= 8)
    p[t] += p[t + 4];
  if (size >= 4)
    p[t] += p[t + 2];
  if (size >= 2)
    p[t] += p[t + 1];
}

KERNEL
sum_last_warp (unsigned *from, unsigned n, unsigned *to)
{
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;

  partial[t] = i < n ? from[i] : 0;
  partial[t] += i + blockDim.x < n ? from[i + blockDim.x] : 0;
  for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1)
    {
      if (t < stride)
        partial[t] += partial[t + stride];
      __syncthreads ();
    }
  if (t < 32)
    last_warp (partial, t, blockDim.x);
  if (t == 0)
    to[blockIdx.x] = partial[0];
}

KERNEL
sum_unrolled (unsigned *from, unsigned n, unsigned *to)
{
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;

  partial[t] = i < n ? from[i] : 0;
  partial[t] += i + blockDim.x < n ? from[i + blockDim.x] : 0;
  __syncthreads ();
  if (blockDim.x >= 512 && t < 256)
    partial[t] += partial[t + 256];
  __syncthreads ();
  if (blockDim.x >= 256 && t < 128)
    partial[t] += partial[t + 128];
  __syncthreads ();
  if (blockDim.x >= 128 && t < 64)
    partial[t] += partial[t + 64];
  __syncthreads ();
  if (t < 32)
    last_warp (partial, t, blockDim.x);
  if (t == 0)
    to[blockIdx.x] = partial[0];
}
