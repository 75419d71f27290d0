// SPDX-License-Identifier: MIT
// c = a b for matrices of n x n floats, n a multiple of 128: a block makes 128 x 128 elements of c, each thread 8 x 8
// of them in registers, as four blocks of 4 x 4 that are 64 apart. What is loaded and stored is four floats wide; a's
// tile is transposed on its way to shared memory. Launch: grid n/128 x n/128, block 256.
#define TILE 128
#define DEPTH 8

extern "C" __global__ void __launch_bounds__ (256)
sgemm_8x8 (const float *a, const float *b, float *c, int n)
{
  __shared__ __align__ (16) float as[DEPTH][TILE], bs[DEPTH][TILE];
  int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  int a_row = t / 2, a_column = t % 2 * 4, b_row = t / 32, b_column = t % 32 * 4;
  float sum[8][8] = { 0 }, left[8], right[8];

  a += (blockIdx.y * TILE + a_row) * n + a_column;
  b += b_row * n + blockIdx.x * TILE + b_column;
  for (int tile = 0; tile < n; tile += DEPTH)
    {
      float4 four = *(const float4 *) a;

      as[a_column][a_row] = four.x;
      as[a_column + 1][a_row] = four.y;
      as[a_column + 2][a_row] = four.z;
      as[a_column + 3][a_row] = four.w;
      *(float4 *) &bs[b_row][b_column] = *(const float4 *) b;
      a += DEPTH;
      b += DEPTH * n;
      __syncthreads ();
#pragma unroll
      for (int k = 0; k < DEPTH; k++)
        {
          *(float4 *) &left[0] = *(float4 *) &as[k][y];
          *(float4 *) &left[4] = *(float4 *) &as[k][y + 64];
          *(float4 *) &right[0] = *(float4 *) &bs[k][x];
          *(float4 *) &right[4] = *(float4 *) &bs[k][x + 64];
#pragma unroll
          for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
              sum[i][j] += left[i] * right[j];
        }
      __syncthreads ();
    }
  c += (blockIdx.y * TILE + y) * n + blockIdx.x * TILE + x;
#pragma unroll
  for (int i = 0; i < 8; i++)
    {
      float *row = &c[(i % 4 + i / 4 * 64) * n];

      *(float4 *) row = make_float4 (sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
      *(float4 *) (row + 64) = make_float4 (sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}
