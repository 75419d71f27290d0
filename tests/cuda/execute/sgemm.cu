// SPDX-License-Identifier: MIT
// C = A B for square matrices: from one element a thread to 8 x 8 of them in registers, by float4, and in double.
//
// case sgemm_naive: sgemm_naive<<<dim3(3, 6), dim3(16, 8)>>>(A, B, C, 48)
// case sgemm_tiled: sgemm_tiled<<<dim3(4, 4), dim3(16, 16)>>>(A, B, C, 64)
// case sgemm_ragged: sgemm_ragged<<<dim3(3, 3), dim3(16, 16), 2048>>>(A, B, C, 41)
// case sgemm_registers: sgemm_registers<<<dim3(2, 2), 256>>>(A, B, C, 256)
// case dgemm_tiled: dgemm_tiled<<<dim3(3, 3), dim3(16, 16)>>>(A, B, C, 48)

extern "C" __global__ void
sgemm_naive (const float *a, const float *b, float *c, int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;

  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

template <typename T>
__device__ void
multiply_tiled (const T *a, const T *b, T *c, int n)
{
  __shared__ T as[16][16], bs[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  T sum = 0;

  for (int tile = 0; tile < n; tile += 16)
    {
      as[y][x] = a[row * n + tile + x];
      bs[y][x] = b[(tile + y) * n + column];
      __syncthreads ();
#pragma unroll
      for (int k = 0; k < 16; k++)
        sum += as[y][k] * bs[k][x];
      __syncthreads ();
    }
  c[row * n + column] = sum;
}

extern "C" __global__ void
sgemm_tiled (const float *a, const float *b, float *c, int n)
{
  multiply_tiled (a, b, c, n);
}

extern "C" __global__ void
dgemm_tiled (const double *a, const double *b, double *c, int n)
{
  multiply_tiled (a, b, c, n);
}

/* Any n; tiles in dynamic shared memory. */
extern "C" __global__ void
sgemm_ragged (const float *a, const float *b, float *c, int n)
{
  extern __shared__ float tiles[];
  float *as = tiles, *bs = tiles + 256;
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;

  for (int tile = 0; tile < n; tile += 16)
    {
      as[y * 16 + x] = row < n && tile + x < n ? a[row * n + tile + x] : 0;
      bs[y * 16 + x] = column < n && tile + y < n ? b[(tile + y) * n + column] : 0;
      __syncthreads ();
      for (int k = 0; k < 16; k++)
        sum += as[y * 16 + k] * bs[k * 16 + x];
      __syncthreads ();
    }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

/* A block of 256 threads makes 128 x 128 elements, a thread 8 x 8; n is a multiple of 128. */
extern "C" __global__ void __launch_bounds__ (256)
sgemm_registers (const float *a, const float *b, float *c, int n)
{
  __shared__ float as[8][128], bs[8][128];
  int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const float *from_a = a + (blockIdx.y * 128 + thread / 2) * n + thread % 2 * 4;
  const float *from_b = b + thread / 32 * n + blockIdx.x * 128 + thread % 32 * 4;
  float sums[8][8] = {};

  for (int tile = 0; tile < n; tile += 8)
    {
      float4 of_a = *(const float4 *) (from_a + tile);
      float4 of_b = *(const float4 *) (from_b + tile * n);

      as[thread % 2 * 4 + 0][thread / 2] = of_a.x;
      as[thread % 2 * 4 + 1][thread / 2] = of_a.y;
      as[thread % 2 * 4 + 2][thread / 2] = of_a.z;
      as[thread % 2 * 4 + 3][thread / 2] = of_a.w;
      *(float4 *) &bs[thread / 32][thread % 32 * 4] = of_b;
      __syncthreads ();
#pragma unroll
      for (int k = 0; k < 8; k++)
        {
          float4 a0 = *(float4 *) &as[k][y * 4], a1 = *(float4 *) &as[k][64 + y * 4];
          float4 b0 = *(float4 *) &bs[k][x * 4], b1 = *(float4 *) &bs[k][64 + x * 4];
          float left[8] = { a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w };
          float right[8] = { b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w };

#pragma unroll
          for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
              sums[i][j] += left[i] * right[j];
        }
      __syncthreads ();
    }
#pragma unroll
  for (int i = 0; i < 8; i++)
    {
      float *row = c + (blockIdx.y * 128 + i / 4 * 64 + y * 4 + i % 4) * n + blockIdx.x * 128 + x * 4;

      *(float4 *) row = make_float4 (sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
      *(float4 *) (row + 64) = make_float4 (sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
    }
}
