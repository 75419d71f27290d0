// SPDX-License-Identifier: MIT
// Transposes of a matrix of n x n floats by blocks of many shapes: straight, and by tiles in shared memory, of TILE x
// TILE elements in rows of TILE + PAD, by accesses of WIDTH floats. Launch: grid n/TILE x n/TILE, block TILE/WIDTH by
// as many rows as a thread does not take one after the other.
template <int WIDTH> struct Row;
template <> struct Row<1> { using Type = float; };
template <> struct Row<2> { using Type = float2; };
template <> struct Row<4> { using Type = float4; };

__global__ void
straight (const float *from, float *to, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

  to[(size_t) x * n + y] = from[(size_t) y * n + x];
}

template <int TILE, int PAD, int WIDTH, int ROWS>
__global__ void
tiled (const float *from, float *to, int n)
{
  __shared__ float tile[TILE][TILE + PAD];
  using Access = typename Row<WIDTH>::Type;
  int x = threadIdx.x * WIDTH, y = threadIdx.y;

#pragma unroll
  for (int i = 0; i < TILE; i += ROWS)
    {
      Access row = *(const Access *) &from[(size_t) (blockIdx.y * TILE + y + i) * n + blockIdx.x * TILE + x];

#pragma unroll
      for (int k = 0; k < WIDTH; k++)
        tile[y + i][x + k] = ((const float *) &row)[k];
    }
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < TILE; i += ROWS)
    {
      Access row;

#pragma unroll
      for (int k = 0; k < WIDTH; k++)
        ((float *) &row)[k] = tile[x + k][y + i];
      *(Access *) &to[(size_t) (blockIdx.x * TILE + y + i) * n + blockIdx.y * TILE + x] = row;
    }
}

#define MAKE(...) template __global__ void tiled<__VA_ARGS__> (const float *, float *, int);
MAKE (32, 0, 1, 32)
MAKE (32, 1, 1, 32)
MAKE (32, 1, 1, 16)
MAKE (32, 1, 1, 8)
MAKE (32, 1, 1, 4)
MAKE (32, 1, 2, 32)
MAKE (32, 1, 2, 16)
MAKE (32, 1, 2, 8)
MAKE (32, 1, 2, 4)
MAKE (32, 1, 4, 32)
MAKE (32, 1, 4, 16)
MAKE (32, 1, 4, 8)
MAKE (32, 1, 4, 4)
MAKE (64, 1, 2, 32)
MAKE (64, 1, 2, 16)
MAKE (64, 1, 2, 8)
MAKE (64, 1, 4, 32)
MAKE (64, 1, 4, 16)
MAKE (64, 1, 4, 8)
