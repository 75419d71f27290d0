// SPDX-License-Identifier: MIT
// Matrix instructions by inline PTX, one warp for each tile of C = A B + C: halves with sums in single and in half,
// bfloat16, TF32, bytes, doubles; and a GEMM of halves that loads its fragments by ldmatrix. A is m x k by rows, B
// is n x k (its columns, one after the other), C is m x n by rows.
//
// case mma_f16: mma_f16<<<dim3(4, 2), 32>>>(A, B, C, 32)
// case mma_f16_f16: mma_f16_f16<<<dim3(2, 2), 32>>>(A, B, C, 16)
// case mma_f16_wide: mma_f16_wide<<<dim3(3, 2), 32>>>(A, B, C, 48)
//   from: 80
// case mma_bf16: mma_bf16<<<dim3(2, 2), 32>>>(A, B, C, 32)
//   from: 80
// case mma_tf32: mma_tf32<<<dim3(2, 2), 32>>>(A, B, C, 24)
//   from: 80
// case mma_s8: mma_s8<<<dim3(2, 2), 32>>>(A, B, C, 64)
// case mma_s8_wide: mma_s8_wide<<<dim3(2, 2), 32>>>(A, B, C, 96)
//   from: 80
// case mma_f64: mma_f64<<<dim3(2, 2), 32>>>(A, B, C, 12)
//   from: 80
// case gemm_ldmatrix: gemm_ldmatrix<<<dim3(2, 2), 128>>>(A, B, C, 64)
// case matrix_moves: matrix_moves<<<1, 32>>>(IN, OUT)
#include <cuda_fp16.h>

#define LANE (threadIdx.x % 32)
#define GROUP (LANE / 4)
#define PLACE (LANE % 4)

/* Tiles of 16 x 8: their first row and column. */
#define ROW (blockIdx.y * 16)
#define COLUMN (blockIdx.x * 8)

template <typename T>
__device__ void
store_tile (T *c, int n, T c0, T c1, T c2, T c3)
{
  c[(ROW + GROUP) * n + COLUMN + PLACE * 2] = c0;
  c[(ROW + GROUP) * n + COLUMN + PLACE * 2 + 1] = c1;
  c[(ROW + GROUP + 8) * n + COLUMN + PLACE * 2] = c2;
  c[(ROW + GROUP + 8) * n + COLUMN + PLACE * 2 + 1] = c3;
}

/* m16n8k8, on all targets. */
extern "C" __global__ void
mma_f16 (const unsigned short *a, const unsigned short *b, float *c, int k)
{
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;

  for (int i = 0; i < k; i += 8)
    {
      unsigned a0 = *(const unsigned *) (a + (ROW + GROUP) * k + i + PLACE * 2);
      unsigned a1 = *(const unsigned *) (a + (ROW + GROUP + 8) * k + i + PLACE * 2);
      unsigned b0 = *(const unsigned *) (b + (COLUMN + GROUP) * k + i + PLACE * 2);

      asm ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
           : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
           : "r"(a0), "r"(a1), "r"(b0));
    }
  store_tile (c, gridDim.x * 8, c0, c1, c2, c3);
}

extern "C" __global__ void
mma_f16_f16 (const unsigned short *a, const unsigned short *b, unsigned *c, int k)
{
  unsigned c0 = 0, c1 = 0;

  for (int i = 0; i < k; i += 8)
    {
      unsigned a0 = *(const unsigned *) (a + (ROW + GROUP) * k + i + PLACE * 2);
      unsigned a1 = *(const unsigned *) (a + (ROW + GROUP + 8) * k + i + PLACE * 2);
      unsigned b0 = *(const unsigned *) (b + (COLUMN + GROUP) * k + i + PLACE * 2);

      asm ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
           : "+r"(c0), "+r"(c1)
           : "r"(a0), "r"(a1), "r"(b0));
    }
  c[((ROW + GROUP) * gridDim.x * 8 + COLUMN) / 2 + PLACE] = c0;
  c[((ROW + GROUP + 8) * gridDim.x * 8 + COLUMN) / 2 + PLACE] = c1;
}

#if __CUDA_ARCH__ >= 800
#define WIDE_HALVES(type)                                                                                           \
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;                                                                             \
                                                                                                                    \
  for (int i = 0; i < k; i += 16)                                                                                   \
    {                                                                                                               \
      const unsigned *above = (const unsigned *) (a + (ROW + GROUP) * k + i) + PLACE, *below = above + 4 * k;       \
      const unsigned *right = (const unsigned *) (b + (COLUMN + GROUP) * k + i) + PLACE;                            \
                                                                                                                    \
      asm ("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "       \
           "{%8, %9}, {%0, %1, %2, %3};"                                                                            \
           : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)                                                                 \
           : "r"(above[0]), "r"(below[0]), "r"(above[4]), "r"(below[4]), "r"(right[0]), "r"(right[4]));             \
    }                                                                                                               \
  store_tile (c, gridDim.x * 8, c0, c1, c2, c3)
#else
#define WIDE_HALVES(type)
#endif

extern "C" __global__ void
mma_f16_wide (const unsigned short *a, const unsigned short *b, float *c, int k)
{
  WIDE_HALVES ("f16");
}

extern "C" __global__ void
mma_bf16 (const unsigned short *a, const unsigned short *b, float *c, int k)
{
  WIDE_HALVES ("bf16");
}

extern "C" __global__ void
mma_tf32 (const float *a, const float *b, float *c, int k)
{
#if __CUDA_ARCH__ >= 800
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;

  for (int i = 0; i < k; i += 8)
    {
      const float *above = a + (ROW + GROUP) * k + i + PLACE, *below = above + 8 * k;
      const float *right = b + (COLUMN + GROUP) * k + i + PLACE;
      float from[6] = { above[0], below[0], above[4], below[4], right[0], right[4] };
      unsigned to[6];

      for (int j = 0; j < 6; j++)
        asm ("cvt.rna.tf32.f32 %0, %1;" : "=r"(to[j]) : "f"(from[j]));
      asm ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
           "{%0, %1, %2, %3};"
           : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
           : "r"(to[0]), "r"(to[1]), "r"(to[2]), "r"(to[3]), "r"(to[4]), "r"(to[5]));
    }
  store_tile (c, gridDim.x * 8, c0, c1, c2, c3);
#endif
}

/* m8n8k16, twice for the 16 rows. */
extern "C" __global__ void
mma_s8 (const signed char *a, const signed char *b, int *c, int k)
{
  int c0 = 0, c1 = 0, c2 = 0, c3 = 0;

  for (int i = 0; i < k; i += 16)
    {
      unsigned above = *(const unsigned *) (a + (ROW + GROUP) * k + i + PLACE * 4);
      unsigned below = *(const unsigned *) (a + (ROW + GROUP + 8) * k + i + PLACE * 4);
      unsigned right = *(const unsigned *) (b + (COLUMN + GROUP) * k + i + PLACE * 4);

      asm ("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
           : "+r"(c0), "+r"(c1)
           : "r"(above), "r"(right));
      asm ("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
           : "+r"(c2), "+r"(c3)
           : "r"(below), "r"(right));
    }
  store_tile (c, gridDim.x * 8, c0, c1, c2, c3);
}

/* Signed bytes by unsigned ones, m16n8k32. */
extern "C" __global__ void
mma_s8_wide (const signed char *a, const unsigned char *b, int *c, int k)
{
#if __CUDA_ARCH__ >= 800
  int c0 = 0, c1 = 0, c2 = 0, c3 = 0;

  for (int i = 0; i < k; i += 32)
    {
      const unsigned *above = (const unsigned *) (a + (ROW + GROUP) * k + i) + PLACE, *below = above + 2 * k;
      const unsigned *right = (const unsigned *) (b + (COLUMN + GROUP) * k + i) + PLACE;

      asm ("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
           "{%0, %1, %2, %3};"
           : "+r"(c0), "+r"(c1), "+r"(c2), "+r"(c3)
           : "r"(above[0]), "r"(below[0]), "r"(above[4]), "r"(below[4]), "r"(right[0]), "r"(right[4]));
    }
  store_tile (c, gridDim.x * 8, c0, c1, c2, c3);
#endif
}

/* m8n8k4, twice for the 16 rows. */
extern "C" __global__ void
mma_f64 (const double *a, const double *b, double *c, int k)
{
#if __CUDA_ARCH__ >= 800
  double c0 = 0, c1 = 0, c2 = 0, c3 = 0;

  for (int i = 0; i < k; i += 4)
    {
      double above = a[(ROW + GROUP) * k + i + PLACE], below = a[(ROW + GROUP + 8) * k + i + PLACE];
      double right = b[(COLUMN + GROUP) * k + i + PLACE];

      asm ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
           : "+d"(c0), "+d"(c1)
           : "d"(above), "d"(right));
      asm ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
           : "+d"(c2), "+d"(c3)
           : "d"(below), "d"(right));
    }
  store_tile (c, gridDim.x * 8, c0, c1, c2, c3);
#endif
}

/* A block of 4 warps makes 32 x 32 elements, a warp 16 x 16; n is a multiple of 32; ldmatrix transposes b. */
extern "C" __global__ void
gemm_ldmatrix (const __half *a, const __half *b, float *c, int n)
{
  __shared__ __align__ (16) __half as[32][40], bs[32][40];
  int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
  float sums[2][4] = {};

  for (int tile = 0; tile < n; tile += 32)
    {
      int y = threadIdx.x / 4, x = threadIdx.x % 4 * 8;

      *(uint4 *) &as[y][x] = *(const uint4 *) (a + (blockIdx.y * 32 + y) * n + tile + x);
      *(uint4 *) &bs[y][x] = *(const uint4 *) (b + (tile + y) * n + blockIdx.x * 32 + x);
      __syncthreads ();
      for (int k = 0; k < 32; k += 16)
        {
          unsigned left[4], right[4];
          unsigned from_a = (unsigned) __cvta_generic_to_shared (&as[row + LANE % 16][k + LANE / 16 * 8]);
          unsigned from_b = (unsigned) __cvta_generic_to_shared (&bs[k + LANE % 16][column + LANE / 16 * 8]);

          asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                        : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                        : "r"(from_a));
          asm volatile ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                        : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3])
                        : "r"(from_b));
          for (int half = 0; half < 2; half++)
            for (int step = 0; step < 2; step++)
              asm ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
                   "{%0, %1, %2, %3};"
                   : "+f"(sums[half][0]), "+f"(sums[half][1]), "+f"(sums[half][2]), "+f"(sums[half][3])
                   : "r"(left[step * 2]), "r"(left[step * 2 + 1]), "r"(right[half * 2 + step]));
        }
      __syncthreads ();
    }
  for (int half = 0; half < 2; half++)
    {
      float *to = c + (blockIdx.y * 32 + row + GROUP) * n + blockIdx.x * 32 + column + half * 8 + PLACE * 2;

      *(float2 *) to = make_float2 (sums[half][0], sums[half][1]);
      *(float2 *) (to + 8 * n) = make_float2 (sums[half][2], sums[half][3]);
    }
}

/* ldmatrix of one and two matrices, and a matrix transposed in registers. */
extern "C" __global__ void
matrix_moves (const unsigned short *in, unsigned *out)
{
  __shared__ __align__ (16) unsigned short tile[16][8];
  unsigned from, one, two[2], moved;

  for (int i = threadIdx.x; i < 128; i += 32)
    tile[i / 8][i % 8] = in[i];
  __syncthreads ();
  from = (unsigned) __cvta_generic_to_shared (&tile[LANE % 16][0]);
  asm volatile ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(one) : "r"(from));
  asm volatile ("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                : "=r"(two[0]), "=r"(two[1])
                : "r"(from));
  asm volatile ("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(one));
  out[LANE] = one;
  out[32 + LANE] = two[0];
  out[64 + LANE] = two[1];
  out[96 + LANE] = moved;
}
