// SPDX-License-Identifier: MIT
// cp.async: copies into shared memory of 4, 8 and 16 bytes, groups in flight, zero-filled tails; a GEMM with
// mma.sync and ldmatrix whose tiles come by cp.async in three stages; a barrier in shared memory (mbarrier) at which
// copies and threads arrive.
//
// from: 80
// case async_copy: async_copy<<<3, 64>>>(IN, OUT, 700)
// case async_sizes: async_sizes<<<2, 32>>>(IN, OUT)
// case async_barrier: async_barrier<<<2, 64>>>(IN, OUT)
// case async_polls: async_polls<<<2, 64>>>(IN, OUT, 8)
// case gemm_async: gemm_async<<<dim3(2, 2), 128>>>(A, B, C, 128)
#include <cuda_fp16.h>

__device__ unsigned
get_shared (const void *pointer)
{
  return (unsigned) __cvta_generic_to_shared (pointer);
}

/* OUT = IN + 1 by pieces of 256 floats, the next of which is on its way while one is added to. */
extern "C" __global__ void
async_copy (const float *in, float *out, int n)
{
  __shared__ __align__ (16) float pieces[2][256];
  int step = 256 * gridDim.x, stage = 0;

#define FETCH(to, first)                                                                                       \
  do                                                                                                           \
    {                                                                                                          \
      int i = (first) + threadIdx.x * 4, left = n - i, bytes = left <= 0 ? 0 : left < 4 ? left * 4 : 16;       \
                                                                                                               \
      asm volatile ("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(get_shared (&pieces[to][threadIdx.x * 4])), \
                    "l"(in + (bytes == 0 ? 0 : i)), "r"(bytes));                                               \
      asm volatile ("cp.async.commit_group;");                                                                 \
    }                                                                                                          \
  while (0)

  FETCH (0, blockIdx.x * 256);
  for (int first = blockIdx.x * 256; first < n; first += step)
    {
      FETCH (1 - stage, first + step);
      asm volatile ("cp.async.wait_group 1;");
      __syncthreads ();
      for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (first + i < n)
          out[first + i] = pieces[stage][i] + 1;
      __syncthreads ();
      stage = 1 - stage;
    }
}

extern "C" __global__ void
async_sizes (const unsigned *in, unsigned *out)
{
  __shared__ __align__ (16) unsigned piece[32 * 7];
  const unsigned *from = in + blockIdx.x * 224;
  int lane = threadIdx.x;

  asm volatile ("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(get_shared (piece + lane)), "l"(from + lane));
  asm volatile ("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(get_shared (piece + 32 + lane * 2)),
                "l"(from + 32 + lane * 2));
  asm volatile ("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(get_shared (piece + 96 + lane * 4)),
                "l"(from + 96 + (31 - lane) * 4));
  asm volatile ("cp.async.wait_all;");
  __syncthreads ();
  for (int i = 0; i < 7; i++)
    out[blockIdx.x * 224 + i * 32 + lane] = piece[i * 32 + (lane ^ 1)];
}

/* Two warps meet at a barrier for three rounds, then the first alone: their copies arrive; copies and threads; a thread
 * for its warp, while the other warp arrives for the last time; copies of who is left. */
extern "C" __global__ void
async_barrier (const int *in, int *out)
{
  __shared__ unsigned long long barrier;
  __shared__ int piece[64];
  int t = threadIdx.x, sum = 0;
  unsigned at = get_shared (&barrier);

  if (t == 0)
    asm volatile ("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at));
  __syncthreads ();
  for (int round = 0; round < 4; round++)
    {
      unsigned done = 0;

      if (round == 3 && t >= 32)
        break;
      asm volatile ("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(get_shared (piece + t)),
                    "l"(in + (blockIdx.x * 4 + round) * 64 + t)
                    : "memory");
      if (round == 0 || round == 3)
        asm volatile ("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
      else if (round == 1)
        {
          asm volatile ("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at) : "memory");
          asm volatile ("{.reg .b64 x; mbarrier.arrive.shared.b64 x, [%0];}" ::"r"(at) : "memory");
        }
      else
        {
          asm volatile ("cp.async.wait_all;" ::: "memory");
          __syncwarp ();
          if (t >= 32)
            asm volatile ("{.reg .b64 x; mbarrier.arrive_drop.shared.b64 x, [%0];}" ::"r"(at) : "memory");
#if __CUDA_ARCH__ >= 900
          else if (t == 0)
            asm volatile ("{.reg .b64 x; mbarrier.arrive.shared.b64 x, [%0], 32;}" ::"r"(at) : "memory");
#else
          else
            asm volatile ("{.reg .b64 x; mbarrier.arrive.shared.b64 x, [%0];}" ::"r"(at) : "memory");
#endif
        }
      for (int tries = 0; !done && tries < 1000; tries++)
        asm volatile ("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                      : "=r"(done)
                      : "r"(at), "r"(round & 1)
                      : "memory");
      sum += done ? piece[round == 3 ? t ^ 1 : t ^ 33] * (round + 1) : 1000000;
      if (round < 3)
        __syncthreads ();
    }
  out[blockIdx.x * 64 + t] = sum;
}

/* Warps hand rounds over to one another, and look at the clock while they wait, as cuda::barrier does: asleep from 40 us
 * on. */
extern "C" __global__ void
async_polls (const int *in, int *out, int rounds)
{
  __shared__ volatile int turn;
  int t = threadIdx.x, warp = t / 32, sum = 0;

  if (t == 0)
    turn = 0;
  __syncthreads ();
  for (int round = 0; round < rounds; round++)
    {
      unsigned long long began, now;

      asm volatile ("mov.u64 %0, %globaltimer;" : "=l"(began));
      while (turn != 2 * round + warp)
        {
          asm volatile ("mov.u64 %0, %globaltimer;" : "=l"(now));
          if (now - began > 40000)
            __nanosleep ((now - began) / 4);
        }
      sum += in[(blockIdx.x * rounds + round) * 64 + t] * (turn + 1);
      __syncwarp ();
      if (t % 32 == 0)
        turn = 2 * round + warp + 1;
      __syncwarp ();
    }
  out[blockIdx.x * 64 + t] = sum;
}

#define STAGES 3

/* A block of 4 warps makes 64 x 64 elements of C = A B, halves in, floats out, all by rows; a warp makes 32 x 32. */
extern "C" __global__ void
gemm_async (const __half *a, const __half *b, float *c, int n)
{
  __shared__ __align__ (16) __half as[STAGES][64][24], bs[STAGES][16][72];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 2 * 32, column = warp % 2 * 32;
  float sums[2][4][4] = {};

#define LOAD(tile)                                                                                             \
  do                                                                                                           \
    {                                                                                                          \
      int k = (tile) * 16, slot = (tile) % STAGES, t = threadIdx.x;                                            \
                                                                                                               \
      if (k < n)                                                                                               \
        {                                                                                                      \
          asm volatile ("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(get_shared (&as[slot][t / 2][t % 2 * 8])), \
                        "l"(a + (blockIdx.y * 64 + t / 2) * n + k + t % 2 * 8));                               \
          asm volatile ("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(get_shared (&bs[slot][t / 8][t % 8 * 8])), \
                        "l"(b + (k + t / 8) * n + blockIdx.x * 64 + t % 8 * 8));                               \
        }                                                                                                      \
      asm volatile ("cp.async.commit_group;");                                                                 \
    }                                                                                                          \
  while (0)

  LOAD (0);
  LOAD (1);
  for (int tile = 0; tile * 16 < n; tile++)
    {
      int slot = tile % STAGES;
      unsigned left[2][4], right[2][4];

      asm volatile ("cp.async.wait_group 1;");
      __syncthreads ();
      LOAD (tile + 2);
      for (int i = 0; i < 2; i++)
        {
          asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                        : "=r"(left[i][0]), "=r"(left[i][1]), "=r"(left[i][2]), "=r"(left[i][3])
                        : "r"(get_shared (&as[slot][row + i * 16 + lane % 16][lane / 16 * 8])));
          asm volatile ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                        : "=r"(right[i][0]), "=r"(right[i][1]), "=r"(right[i][2]), "=r"(right[i][3])
                        : "r"(get_shared (&bs[slot][lane % 16][column + i * 16 + lane / 16 * 8])));
        }
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
          asm ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
               : "r"(left[i][0]), "r"(left[i][1]), "r"(left[i][2]), "r"(left[i][3]), "r"(right[j / 2][j % 2 * 2]),
                 "r"(right[j / 2][j % 2 * 2 + 1]));
    }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      {
        float *to = c + (blockIdx.y * 64 + row + i * 16 + lane / 4) * n + blockIdx.x * 64 + column + j * 8
                    + lane % 4 * 2;

        *(float2 *) to = make_float2 (sums[i][j][0], sums[i][j][1]);
        *(float2 *) (to + 8 * n) = make_float2 (sums[i][j][2], sums[i][j][3]);
      }
}
