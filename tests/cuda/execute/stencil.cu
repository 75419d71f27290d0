// SPDX-License-Identifier: MIT
// Stencils and convolutions: five points in 2-D, with and without a tile in shared memory; seven points in 3-D that
// march through z in registers; filters from constant memory, by rows with a halo and by columns; a median of bytes,
// and life.
//
// case stencil_2d: stencil_2d<<<dim3(3, 5), dim3(32, 8)>>>(IN, OUT, 80, 37)
// case stencil_tile: stencil_tile<<<dim3(3, 3), dim3(16, 16)>>>(IN, OUT, 45, 41)
// case stencil_3d: stencil_3d<<<dim3(2, 3), dim3(16, 8)>>>(IN, OUT, 32, 24, 12)
// case stencil_double: stencil_double<<<2, 64>>>(IN, OUT, 120, 5)
// case convolve_rows: convolve_rows<<<dim3(2, 20), 64>>>(IN, OUT, 100)
//   data: filter=file
// case convolve_columns: convolve_columns<<<dim3(4, 3), dim3(16, 8)>>>(IN, OUT, 60, 24)
//   data: filter=file
// case median: median<<<dim3(3, 3), dim3(16, 16)>>>(IN, OUT, 40, 44)
// case life: life<<<dim3(2, 4), dim3(32, 8)>>>(IN, OUT, 50, 30)
// case sobel: sobel<<<dim3(2, 3), dim3(32, 8)>>>(IN, OUT, 60, 22)

extern "C" __global__ void
stencil_2d (const float *in, float *out, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;

  if (x >= width || y >= height)
    return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out[i] = in[i];
  else
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

extern "C" __global__ void
stencil_tile (const float *in, float *out, int width, int height)
{
  __shared__ float tile[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1;

  for (int i = threadIdx.y * 16 + threadIdx.x; i < 324; i += 256)
    {
      int column = min (max (left + i % 18, 0), width - 1), row = min (max (top + i / 18, 0), height - 1);

      tile[i / 18][i % 18] = in[row * width + column];
    }
  __syncthreads ();
  if (x < width && y < height)
    {
      const float *at = &tile[threadIdx.y + 1][threadIdx.x + 1];

      out[y * width + x] = at[-18] + at[18] + at[-1] + at[1] - 4 * at[0];
    }
}

extern "C" __global__ void
stencil_3d (const float *__restrict__ in, float *__restrict__ out, int width, int height, int depth)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int layer = width * height, i = y * width + x;
  bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
  float below, here = in[i], above = in[i + layer];

  for (int z = 1; z < depth - 1; z++)
    {
      i += layer;
      below = here;
      here = above;
      above = in[i + layer];
      if (inside)
        out[i] = here + 0.1f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + below + above - 6 * here);
    }
}

/* Several steps between barriers, one block for each row. */
extern "C" __global__ void
stencil_double (const double *in, double *out, int n, int steps)
{
  __shared__ double values[2][128];
  const double *row = in + blockIdx.x * n;

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    values[0][i] = values[1][i] = row[i];
  for (int step = 0; step < steps; step++)
    {
      __syncthreads ();
      for (int i = threadIdx.x + 1; i < n - 1; i += blockDim.x)
        values[(step + 1) & 1][i] = (values[step & 1][i - 1] + values[step & 1][i] + values[step & 1][i + 1]) / 3;
    }
  __syncthreads ();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = values[steps & 1][i];
}

#define RADIUS 4
__constant__ float filter[2 * RADIUS + 1];

extern "C" __global__ void
convolve_rows (const float *in, float *out, int width)
{
  __shared__ float piece[64 + 2 * RADIUS];
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y;
  float sum = 0;

  for (int i = threadIdx.x; i < 64 + 2 * RADIUS; i += 64)
    {
      int column = blockIdx.x * 64 + i - RADIUS;

      piece[i] = column >= 0 && column < width ? in[y * width + column] : 0;
    }
  __syncthreads ();
#pragma unroll
  for (int i = -RADIUS; i <= RADIUS; i++)
    sum += filter[RADIUS + i] * piece[threadIdx.x + RADIUS + i];
  if (x < width)
    out[y * width + x] = sum;
}

extern "C" __global__ void
convolve_columns (const float *in, float *out, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;

  if (x >= width || y >= height)
    return;
#pragma unroll 1
  for (int i = -RADIUS; i <= RADIUS; i++)
    if (y + i >= 0 && y + i < height)
      sum += filter[RADIUS + i] * in[(y + i) * width + x];
  out[y * width + x] = sum;
}

extern "C" __global__ void
median (const unsigned char *in, unsigned char *out, int width, int height)
{
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  unsigned char nine[9];

  if (x >= width || y >= height)
    return;
  for (int i = 0; i < 9; i++)
    nine[i] = in[min (max (y + i / 3 - 1, 0), height - 1) * width + min (max (x + i % 3 - 1, 0), width - 1)];
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 9; j++)
      if (nine[j] < nine[i])
        {
          unsigned char swap = nine[i];

          nine[i] = nine[j];
          nine[j] = swap;
        }
  out[y * width + x] = nine[4];
}

extern "C" __global__ void
life (const unsigned char *in, unsigned char *out, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;

  if (x >= width || y >= height)
    return;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0)
        sum += in[(y + dy + height) % height * width + (x + dx + width) % width];
  out[y * width + x] = sum == 3 || (sum == 2 && in[y * width + x]);
}

extern "C" __global__ void
sobel (const uchar4 *in, unsigned char *out, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int grey[3][3], across, down;

  if (x >= width || y >= height)
    return;
#pragma unroll
  for (int i = 0; i < 9; i++)
    {
      int row = min (max (y + i / 3 - 1, 0), height - 1), column = min (max (x + i % 3 - 1, 0), width - 1);
      uchar4 pixel = in[row * width + column];

      grey[i / 3][i % 3] = (pixel.x * 77 + pixel.y * 150 + pixel.z * 29) >> 8;
    }
  across = grey[0][2] + 2 * grey[1][2] + grey[2][2] - grey[0][0] - 2 * grey[1][0] - grey[2][0];
  down = grey[2][0] + 2 * grey[2][1] + grey[2][2] - grey[0][0] - 2 * grey[0][1] - grey[0][2];
  out[y * width + x] = min (abs (across) + abs (down), 255);
}
