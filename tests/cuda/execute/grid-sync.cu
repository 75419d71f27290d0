// SPDX-License-Identifier: MIT
// Kernels whose blocks wait for one another at a barrier of the whole grid (this_grid().sync() of cooperative groups).
//
// case grid_sum: grid_sum<<<13, 96>>>(IN, PART, OUT, 5000)
// case grid_sweeps: grid_sweeps<<<10, 64>>>(A, B, 3000, 7)
//   data: A=file
// case grid_rounds: grid_rounds<<<7, 64>>>(IN, OUT, 5)
//   data: OUT=file
//   launch: grid_rounds<<<7, 64>>>(IN, OUT, 3)
// case grid_shape: grid_shape<<<dim3(3, 2, 2), dim3(8, 4, 2)>>>(IN, OUT)
// case grid_split: grid_split<<<6, 128>>>(IN, OUT, SIDE)
// case grid_uneven: grid_uneven<<<9, 40>>>(IN, OUT, 300)
// case grid_chain: grid_chain<<<6, 64>>>(IN, OUT, FLAG)
//   data: FLAG=zeros
// case grid_called: grid_called<<<5, 64>>>(IN, OUT)
// case grid_gradient: grid_gradient<<<4, 128>>>(B, X, R, P, AP, DOTS, 1000, 6)
//   data: DOTS=zeros
// case grid_large: grid_large<<<70000, 32>>>(OUT)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* The sum of all, in two phases: blocks first, by tiles of a warp and one atomic each; then the first block. */
extern "C" __global__ void
grid_sum (const int *in, int *part, int *out, int n)
{
  __shared__ int sum;
  cg::grid_group grid = cg::this_grid ();
  auto warp = cg::tiled_partition<32> (cg::this_thread_block ());
  int own = 0;

  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads ();
  for (int i = (int)grid.thread_rank (); i < n; i += (int)grid.size ())
    own += in[i];
  own = cg::reduce (warp, own, cg::plus<int> ());
  if (warp.thread_rank () == 0)
    atomicAdd (&sum, own);
  __syncthreads ();
  if (threadIdx.x == 0)
    part[blockIdx.x] = sum;
  grid.sync ();
  if (blockIdx.x == 0 && threadIdx.x < 32)
    {
      own = threadIdx.x < gridDim.x ? part[threadIdx.x] : 0;
      own = cg::reduce (warp, own, cg::plus<int> ());
      if (threadIdx.x == 0)
        *out = own;
    }
}

/* A stencil, from one buffer to the other and back. */
extern "C" __global__ void
grid_sweeps (float *a, float *b, int n, int sweeps)
{
  cg::grid_group grid = cg::this_grid ();

  for (int sweep = 0; sweep < sweeps; sweep++)
    {
      for (int i = (int)grid.thread_rank (); i < n; i += (int)grid.size ())
        b[i] = __fmul_rn (__fadd_rn (a[i > 0 ? i - 1 : 0], a[i < n - 1 ? i + 1 : i]), 0.5f);
      grid.sync ();
      float *t = a;
      a = b;
      b = t;
    }
}

/* In each round a block needs what the next one has made of the round before; odd numbers of barriers, in two launches. */
extern "C" __global__ void
grid_rounds (const int *in, int *out, int rounds)
{
  cg::grid_group grid = cg::this_grid ();
  int i = (int)grid.thread_rank (), n = (int)grid.size ();

  for (int round = 0; round < rounds; round++)
    {
      int from = out[(round & 1) * n + (i + blockDim.x) % n];

      out[(~round & 1) * n + i] = 3 * from + in[i] + round;
      grid.sync ();
    }
}

/* What a grid of three dimensions says of itself, from both sides of a barrier. */
extern "C" __global__ void
grid_shape (const int *in, int *out)
{
  cg::grid_group grid = cg::this_grid ();
  int rank = (int)grid.thread_rank (), n = (int)grid.num_threads ();

  out[rank] = in[rank] + (int)grid.block_rank () * 1000;
  grid.sync ();
  int other = out[n - 1 - rank];
  grid.sync ();
  out[rank] = other + (int)grid.num_blocks () * 100000 + (int)grid.dim_blocks ().y * 10 + (int)grid.block_index ().z
              + (grid.is_valid () ? 5 : 0);
}

/* Comes, does something else, and waits then. */
extern "C" __global__ void
grid_split (const int *in, int *out, int *side)
{
  cg::grid_group grid = cg::this_grid ();
  int i = (int)grid.thread_rank (), n = (int)grid.size ();

  out[i] = 2 * in[i];
  auto token = grid.barrier_arrive ();
  side[i] = in[i] ^ i;
  grid.barrier_wait (std::move (token));
  side[i] += out[n - 1 - i];
}

/* The higher its number, the longer a block takes, and the other way round after the barrier. */
extern "C" __global__ void
grid_uneven (const int *in, int *out, int n)
{
  cg::grid_group grid = cg::this_grid ();
  int t = (int)grid.thread_rank (), block = blockIdx.x;
  unsigned sum = 0;

  for (int i = 0; i < n * block; i++)
    sum = 5 * sum + in[(t + i) & 255];
  out[t] = (int)sum;
  grid.sync ();
  sum = out[(t + 77) % (int)grid.size ()];
  for (int i = 0; i < n * ((int)gridDim.x - block); i++)
    sum = 3 * sum + in[(t + i) & 255];
  grid.sync ();
  out[t] = (int)sum;
}

/* One thread of each block waits for the block after its own first, so that its warp is divided when it comes to the
 * barrier. */
extern "C" __global__ void
grid_chain (const int *in, int *out, int *flag)
{
  cg::grid_group grid = cg::this_grid ();
  int block = blockIdx.x, n = gridDim.x;

  if (threadIdx.x == 0)
    {
      while (atomicAdd (flag, 0) != n - 1 - block)
        ;
      out[block] = in[block] + (block < n - 1 ? 2 * out[block + 1] : 0);
      __threadfence ();
      atomicAdd (flag, 1);
    }
  grid.sync ();
  if (threadIdx.x == 33)
    out[n + block] = out[(block + 3) % n] + *flag;
}

__device__ __noinline__ int
meet (cg::grid_group grid, int x)
{
  grid.sync ();
  return x + 1;
}

/* By a function that is called. */
extern "C" __global__ void
grid_called (const int *in, int *out)
{
  cg::grid_group grid = cg::this_grid ();
  int i = (int)grid.thread_rank (), n = (int)grid.size (), count = 0;

  out[i] = in[i];
  count = meet (grid, count);
  int other = out[(i + 64) % n];
  count = meet (grid, count);
  out[i] = other * 10 + count;
}

/* Adds the product of A and B to SUM. */
__device__ void
add_product (cg::grid_group grid, const double *a, const double *b, int n, double *sum)
{
  auto warp = cg::tiled_partition<32> (cg::this_thread_block ());
  double own = 0;

  for (int i = (int)grid.thread_rank (); i < n; i += (int)grid.size ())
    own += a[i] * b[i];
  own = cg::reduce (warp, own, cg::plus<double> ());
  if (warp.thread_rank () == 0)
    atomicAdd (sum, own);
}

/* Conjugate gradients in one launch, of 2.5 in the diagonal and -1 beside it. */
extern "C" __global__ void
grid_gradient (const double *b, double *x, double *r, double *p, double *ap, double *dots, int n, int rounds)
{
  cg::grid_group grid = cg::this_grid ();
  int first = (int)grid.thread_rank (), step = (int)grid.size ();

  for (int i = first; i < n; i += step)
    {
      x[i] = 0;
      r[i] = p[i] = b[i];
    }
  add_product (grid, r, r, n, &dots[0]);
  grid.sync ();
  for (int round = 0; round < rounds; round++, dots += 2)
    {
      for (int i = first; i < n; i += step)
        ap[i] = 2.5 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < n - 1 ? p[i + 1] : 0);
      add_product (grid, p, ap, n, &dots[1]);
      grid.sync ();
      double alpha = dots[0] / dots[1];
      for (int i = first; i < n; i += step)
        {
          x[i] += alpha * p[i];
          r[i] -= alpha * ap[i];
        }
      add_product (grid, r, r, n, &dots[2]);
      grid.sync ();
      double beta = dots[2] / dots[0];
      for (int i = first; i < n; i += step)
        p[i] = r[i] + beta * p[i];
      grid.sync ();
    }
}

/* More blocks than a cooperative launch can have: there is no barrier, as the kernel can ask. */
extern "C" __global__ void
grid_large (int *out)
{
  cg::grid_group grid = cg::this_grid ();

  if (threadIdx.x == 0)
    out[blockIdx.x] = grid.is_valid () ? -1 : (int)grid.block_rank ();
}

/* No case: a block does not come to the barrier, which has no end then (check-execute-run, bad/table). */
extern "C" __global__ void
grid_left (int *out)
{
  cg::grid_group grid = cg::this_grid ();

  if (blockIdx.x == 3)
    return;
  out[blockIdx.x] = 1;
  grid.sync ();
  out[blockIdx.x] = 2;
}
