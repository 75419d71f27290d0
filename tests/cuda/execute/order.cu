// SPDX-License-Identifier: MIT
// Who waits for whom: spin locks, flags in volatile memory, barriers with names and numbers (warps that make and
// warps that use), barriers of subsets, warps that end early, and last blocks.
//
// case spin_lock: spin_lock<<<6, 32>>>(LOCK, OUT)
//   data: LOCK=zeros OUT=zeros
// case lane_locks: lane_locks<<<2, 64>>>(LOCKS, OUT)
//   data: LOCKS=zeros OUT=zeros
// case ping_pong: ping_pong<<<1, 64>>>(OUT, 10)
// case producers: producers<<<2, 128>>>(IN, OUT, 6)
// case named_barriers: named_barriers<<<2, 128>>>(IN, OUT)
// case early_end: early_end<<<2, 128>>>(IN, OUT)
// case volatile_flag: volatile_flag<<<4, 32>>>(FLAG, OUT)
//   data: FLAG=zeros
// case grid_turns: grid_turns<<<8, 32>>>(TURN, OUT)
//   data: TURN=zeros
// case barrier_object: barrier_object<<<2, 64>>>(IN, OUT)
//   from: 80
// case fences: fences<<<2, 64>>>(OUT)

/* Blocks add to a number that no atomic protects. */
extern "C" __global__ void
spin_lock (int *lock, volatile int *out)
{
  if (threadIdx.x == 0)
    {
      while (atomicCAS (lock, 0, 1) != 0)
        ;
      __threadfence ();
      out[0] = out[0] + blockIdx.x + 1;
      out[1] = out[1] * 1 + 1;
      __threadfence ();
      atomicExch (lock, 0);
    }
}

/* Lanes of one warp compete for the same locks: independent scheduling of threads must let the holder go on. */
extern "C" __global__ void
lane_locks (int *locks, volatile int *out)
{
  int slot = threadIdx.x % 4;
  bool done = false;

  while (!done)
    if (atomicCAS (&locks[slot], 0, 1) == 0)
      {
        __threadfence ();
        out[slot] = out[slot] + threadIdx.x;
        __threadfence ();
        atomicExch (&locks[slot], 0);
        done = true;
      }
}

/* Two warps take turns by a flag in shared memory. */
extern "C" __global__ void
ping_pong (int *out, int n)
{
  __shared__ volatile int turn, value;
  int warp = threadIdx.x / 32;

  if (threadIdx.x == 0)
    {
      turn = 0;
      value = 1;
    }
  __syncthreads ();
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < n; i++)
      {
        while (turn % 2 != warp)
          ;
        value = warp == 0 ? value * 2 : value + 3;
        __threadfence_block ();
        turn = turn + 1;
      }
  __syncthreads ();
  out[threadIdx.x] = value + threadIdx.x;
}

#define ARRIVE(id, threads) asm volatile ("barrier.cta.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory")
#define SYNC(id, threads) asm volatile ("barrier.cta.sync %0, %1;" ::"r"(id), "r"(threads) : "memory")

/* Two warps fill two buffers, two warps empty them: barriers 1 and 2 say full, 3 and 4 empty. */
extern "C" __global__ void
producers (const int *in, int *out, int rounds)
{
  __shared__ int buffers[2][64];
  int x = threadIdx.x % 64;

  if (threadIdx.x < 64)
    for (int i = 0; i < rounds; i++)
      {
        if (i >= 2)
          SYNC (3 + i % 2, 128);
        buffers[i % 2][x] = in[(blockIdx.x * rounds + i) * 64 + x] * 2;
        ARRIVE (1 + i % 2, 128);
      }
  else
    for (int i = 0; i < rounds; i++)
      {
        SYNC (1 + i % 2, 128);
        out[(blockIdx.x * rounds + i) * 64 + x] = buffers[i % 2][63 - x] + 1;
        if (i + 2 < rounds)
          ARRIVE (3 + i % 2, 128);
      }
}

/* Each pair of warps meets at a barrier of its own, then all. */
extern "C" __global__ void
named_barriers (const int *in, int *out)
{
  __shared__ int values[128];
  int x = threadIdx.x, pair = x / 64, sum;

  values[x] = in[blockIdx.x * 128 + x];
  if (pair == 0)
    asm volatile ("bar.sync 5, 64;" ::: "memory");
  else
    asm volatile ("bar.sync 6, 64;" ::: "memory");
  sum = values[pair * 64 + (x + 33) % 64];
  __syncthreads ();
  values[x] = sum;
  __syncthreads ();
  out[blockIdx.x * 128 + x] = values[127 - x] - sum;
}

/* Warps end before the others meet again: a barrier counts those that are left. */
extern "C" __global__ void
early_end (const int *in, int *out)
{
  __shared__ int values[128], sums[128];
  int x = threadIdx.x;

  values[x] = in[blockIdx.x * 128 + x];
  sums[x] = 0;
  __syncthreads ();
  if (x / 32 == 1 || x == 100)
    {
      out[blockIdx.x * 128 + x] = -1;
      return;
    }
  sums[x] = values[x] + values[127 - x];
  __syncthreads ();
  out[blockIdx.x * 128 + x] = sums[(x + 64) % 128];
}

extern "C" __global__ void
volatile_flag (volatile int *flag, int *out)
{
  if (blockIdx.x == 0)
    {
      if (threadIdx.x == 0)
        {
          flag[1] = 42;
          __threadfence ();
          flag[0] = 1;
        }
    }
  else
    while (flag[0] == 0)
      ;
  __syncwarp ();
  out[blockIdx.x * 32 + threadIdx.x] = blockIdx.x == 0 ? 42 : flag[1];
}

/* Blocks go in the order of their numbers. */
extern "C" __global__ void
grid_turns (unsigned *turn, unsigned *out)
{
  if (threadIdx.x == 0)
    while (atomicAdd (turn, 0) != blockIdx.x)
      ;
  __syncthreads ();
  out[blockIdx.x * 32 + threadIdx.x] = *(volatile unsigned *) turn * 100 + threadIdx.x;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      __threadfence ();
      atomicAdd (turn, 1);
    }
}

/* A barrier object in shared memory (mbarrier). */
extern "C" __global__ void
barrier_object (const int *in, int *out)
{
#if __CUDA_ARCH__ >= 800
  __shared__ unsigned long long barrier;
  __shared__ int values[64];
  unsigned at = (unsigned) __cvta_generic_to_shared (&barrier);
  unsigned long long token;
  unsigned done = 0;

  if (threadIdx.x == 0)
    asm volatile ("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x));
  __syncthreads ();
  values[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  asm volatile ("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  while (!done)
    asm volatile ("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r"(done)
                  : "r"(at), "l"(token)
                  : "memory");
  out[blockIdx.x * 64 + threadIdx.x] = values[63 - threadIdx.x];
#endif
}

extern "C" __global__ void
fences (unsigned *out)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  long long start = clock64 ();

  out[i] = i;
  __threadfence_system ();
  __threadfence ();
  __threadfence_block ();
  __nanosleep (20);
  if (clock64 () >= start)
    out[i] += 1;
}
