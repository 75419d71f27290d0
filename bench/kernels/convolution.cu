/* SPDX-License-Identifier: MIT */
/* A convolution of an image of 4096 x 4096 floats with a filter of 15 x 15, tiled in shared memory:
 * what launches that others measured are described to do. BLOCK_X x BLOCK_Y threads make TILE_X x
 * TILE_Y outputs each, BLOCK_X and BLOCK_Y apart; READ_ONLY: input by way of the read-only cache. */
#define WIDTH 4096
#define HEIGHT 4096
#define FILTER 15
#define IN_WIDTH (WIDTH + FILTER - 1)
#define IN_HEIGHT (HEIGHT + FILTER - 1)
#define TILE_WIDTH (BLOCK_X * TILE_X + FILTER - 1)
#define TILE_HEIGHT (BLOCK_Y * TILE_Y + FILTER - 1)

#if READ_ONLY
#define LOAD(place) __ldg (place)
#else
#define LOAD(place) (*(place))
#endif

__constant__ float d_filter[FILTER * FILTER];

extern "C" __global__ void
convolution (float *output, const float *input)
{
  __shared__ float tile[TILE_HEIGHT][TILE_WIDTH];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * BLOCK_X * TILE_X, top = blockIdx.y * BLOCK_Y * TILE_Y;
  float sum[TILE_Y][TILE_X] = {};

#pragma unroll
  for (int row = y; row < TILE_HEIGHT; row += BLOCK_Y)
#pragma unroll
    for (int column = x; column < TILE_WIDTH; column += BLOCK_X)
      if (top + row < IN_HEIGHT && left + column < IN_WIDTH)
        tile[row][column] = LOAD (&input[(top + row) * IN_WIDTH + left + column]);
  __syncthreads ();

/* The compiler of the time unrolled the loop over the rows whole up to 21 outputs a thread, and by
 * four beyond, as counters show which were measured. */
#if TILE_X * TILE_Y <= 21
#pragma unroll
#else
#pragma unroll 4
#endif
  for (int i = 0; i < FILTER; i++)
#pragma unroll
    for (int j = 0; j < FILTER; j++)
#pragma unroll
      for (int m = 0; m < TILE_Y; m++)
#pragma unroll
        for (int n = 0; n < TILE_X; n++)
          sum[m][n] += tile[y + m * BLOCK_Y + i][x + n * BLOCK_X + j] * d_filter[i * FILTER + j];

#pragma unroll
  for (int m = 0; m < TILE_Y; m++)
#pragma unroll
    for (int n = 0; n < TILE_X; n++)
      if (top + y + m * BLOCK_Y < HEIGHT && left + x + n * BLOCK_X < WIDTH)
        output[(top + y + m * BLOCK_Y) * WIDTH + left + x + n * BLOCK_X] = sum[m][n];
}
