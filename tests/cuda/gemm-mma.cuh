// SPDX-License-Identifier: MIT
// What gemm-mma.cu and gemm-cp-async.cu share: how the warps of a block multiply two tiles in shared memory.
#define TILE 128
#define DEPTH 32

__device__ static unsigned
shared_address (const void *p)
{
  return (unsigned) __cvta_generic_to_shared (p);
}

__device__ static void
load_matrix (unsigned (&to)[4], const half *from)
{
  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                : "r"(shared_address (from)));
}

__device__ static void
load_matrix_transposed (unsigned (&to)[4], const half *from)
{
  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                : "r"(shared_address (from)));
}

__device__ static void
multiply (float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
  asm volatile ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                "{%0, %1, %2, %3};"
                : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ static void
multiply_tiles (const half (*as)[DEPTH + 8], const half (*bs)[TILE + 8], float (&sum)[4][8][4])
{
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = warp / 2 * 64 + lane % 16, column = warp % 2 * 64 + lane / 16 * 8;

#pragma unroll
  for (int k = 0; k < DEPTH; k += 16)
    {
      unsigned left[4][4], right[4][4];

#pragma unroll
      for (int i = 0; i < 4; i++)
        load_matrix (left[i], &as[row + i * 16][k + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < 4; j++)
        load_matrix_transposed (right[j], &bs[k + lane % 16][column + j * 16]);
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
          multiply (sum[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
    }
}

__device__ static void
store_tile (const float (&sum)[4][8][4], float *c, int n)
{
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = blockIdx.y * TILE + warp / 2 * 64 + lane / 4, column = blockIdx.x * TILE + warp % 2 * 64 + lane % 4 * 2;

#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      {
        float *at = &c[(row + i * 16) * n + column + j * 8];

        *(float2 *) at = make_float2 (sum[i][j][0], sum[i][j][1]);
        *(float2 *) (at + 8 * n) = make_float2 (sum[i][j][2], sum[i][j][3]);
      }
}
