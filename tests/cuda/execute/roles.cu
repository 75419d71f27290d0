// SPDX-License-Identifier: MIT
// Warps that wait at barriers in shared memory where others arrive: a ring of stages that one warp copies and two others
// use, together or in turn, each stage by two copying warps, one that uses what it has copied itself, and a ring of threads
// that load. Those that are called odd_... cannot be simulated so.
//
// from: 90
// case roles_ring: roles_ring<<<2, 96>>>(IN, OUT, 22)
// case roles_turns: roles_turns<<<2, 96>>>(IN, OUT, 20)
// case roles_halves: roles_halves<<<2, 128>>>(IN, OUT, 9)
// case roles_own: roles_own<<<2, 64>>>(IN, OUT, 9)
// case roles_threads: roles_threads<<<2, 128>>>(IN, OUT, 9)
// case roles_bars: roles_bars<<<2, 96>>>(IN, OUT, 12)
// case roles_peek: roles_peek<<<2, 96>>>(IN, OUT, 22)
// case odd_waits: odd_waits<<<2, 96>>>(IN, OUT, 8)
// case odd_counts: odd_counts<<<2, 96>>>(IN, OUT, 8)
// case odd_first: odd_first<<<2, 96>>>(IN, OUT, 8)

typedef unsigned long long u64;

static __device__ unsigned
get_shared (const void *place)
{
  return (unsigned) __cvta_generic_to_shared (place);
}

static __device__ void
set_up (u64 *barrier, int count)
{
  asm volatile ("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(get_shared (barrier)), "r"(count) : "memory");
}

static __device__ void
arrive (u64 *barrier)
{
  asm volatile ("{.reg .b64 x; mbarrier.arrive.shared::cta.b64 x, [%0];}" ::"r"(get_shared (barrier)) : "memory");
}

static __device__ void
expect (u64 *barrier, int bytes)
{
  asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(get_shared (barrier)), "r"(bytes)
                : "memory");
}

static __device__ void
wait (u64 *barrier, int parity)
{
  unsigned over = 0;

  while (!over)
    asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                  : "=r"(over)
                  : "r"(get_shared (barrier)), "r"(parity)
                  : "memory");
}

static __device__ void
copy (void *to, const void *from, int bytes, u64 *barrier)
{
  asm volatile ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                    get_shared (to)),
                "l"(from), "r"(bytes), "r"(get_shared (barrier))
                : "memory");
}

// N stages of 128 numbers.
template <int N> struct Ring
{
  int pieces[N][128];
  u64 full[N], empty[N];

  __device__ void
  begin (int fill, int use)
  {
    if (threadIdx.x == 0)
      for (int k = 0; k < N; k++)
        {
          set_up (&full[k], fill);
          set_up (&empty[k], use);
        }
    asm volatile ("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads ();
  }
};

#define SHARED(n) __shared__ __align__ (128) Ring<n> ring
#define WARP (threadIdx.x / 32)
#define LANE (threadIdx.x % 32)

// The sum of a thread, of four numbers of each stage.
static __device__ int
use (const int *piece, int t)
{
  int sum = 0;

  for (int i = 0; i < 4; i++)
    sum += piece[(i * 32 + t + 5) % 128] * (i + 1);
  return sum;
}

// Two warps use each stage together.
extern "C" __global__ void
roles_ring (const int *in, int *out, int rounds)
{
  SHARED (4);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (1, 2);
  if (WARP == 0)
    {
#pragma unroll 1
      for (int k = 0; LANE == 0 && k < rounds; k++)
        {
          wait (&ring.empty[k % 4], (k / 4 & 1) ^ 1);
          expect (&ring.full[k % 4], 512);
          copy (ring.pieces[k % 4], in + k * 128, 512, &ring.full[k % 4]);
        }
      return;
    }
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    {
      wait (&ring.full[k % 4], k / 4 & 1);
      sum += use (ring.pieces[k % 4], threadIdx.x);
      __syncwarp ();
      if (LANE == 0)
        arrive (&ring.empty[k % 4]);
    }
  out[blockIdx.x * 64 + threadIdx.x - 32] = sum;
}

// They use the stages in turn: each barrier is waited for by the one, then by the other, who goes on when this one has
// waited (BAR).
extern "C" __global__ void
roles_turns (const int *in, int *out, int rounds)
{
  SHARED (3);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (1, 1);
  if (WARP == 2)
    {
#pragma unroll 1
      for (int k = 0; LANE == 0 && k < rounds; k++)
        {
          wait (&ring.empty[k % 3], (k / 3 & 1) ^ 1);
          expect (&ring.full[k % 3], 512);
          copy (ring.pieces[k % 3], in + k * 128, 512, &ring.full[k % 3]);
        }
      return;
    }
  if (WARP == 1)
    asm volatile ("barrier.arrive 1, 64;" ::: "memory");
#pragma unroll 1
  for (int k = WARP; k < rounds; k += 2)
    {
      if (WARP == 0)
        asm volatile ("barrier.sync 1, 64;" ::: "memory");
      else
        asm volatile ("barrier.sync 2, 64;" ::: "memory");
      wait (&ring.full[k % 3], k / 3 & 1);
      if (WARP == 0)
        asm volatile ("barrier.arrive 2, 64;" ::: "memory");
      else if (k + 1 < rounds)
        asm volatile ("barrier.arrive 1, 64;" ::: "memory");
      sum += use (ring.pieces[k % 3], threadIdx.x);
      __syncwarp ();
      if (LANE == 0)
        arrive (&ring.empty[k % 3]);
    }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Two warps copy half a stage each, and two use all of it.
extern "C" __global__ void
roles_halves (const int *in, int *out, int rounds)
{
  SHARED (2);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (2, 64);
  if (WARP < 2)
    {
#pragma unroll 1
      for (int k = 0; LANE == 0 && k < rounds; k++)
        {
          wait (&ring.empty[k % 2], (k / 2 & 1) ^ 1);
          expect (&ring.full[k % 2], 256);
          copy (ring.pieces[k % 2] + WARP * 64, in + k * 128 + WARP * 64, 256, &ring.full[k % 2]);
        }
      return;
    }
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    {
      wait (&ring.full[k % 2], k / 2 & 1);
      sum += use (ring.pieces[k % 2], threadIdx.x);
      arrive (&ring.empty[k % 2]);
    }
  out[blockIdx.x * 64 + threadIdx.x - 64] = sum;
}

// The warp that copies uses the stages, too, and comes to the barrier of the block in between.
extern "C" __global__ void
roles_own (const int *in, int *out, int rounds)
{
  SHARED (2);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (1, 1);
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; k++)
      {
        expect (&ring.full[k], 512);
        copy (ring.pieces[k], in + k * 128, 512, &ring.full[k]);
      }
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    {
      if (WARP == 0)
        {
          wait (&ring.full[k % 2], k / 2 & 1);
          sum += use (ring.pieces[k % 2], threadIdx.x);
        }
      __syncthreads ();
      if (WARP == 1)
        {
          sum += use (ring.pieces[k % 2], threadIdx.x);
          __syncwarp ();
          if (LANE == 0)
            arrive (&ring.empty[k % 2]);
        }
      if (threadIdx.x == 0 && k + 2 < rounds)
        {
          wait (&ring.empty[k % 2], k / 2 & 1);
          expect (&ring.full[k % 2], 512);
          copy (ring.pieces[k % 2], in + (k + 2) * 128, 512, &ring.full[k % 2]);
        }
      __syncwarp ();
    }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// All threads of two warps load what those of two others use.
extern "C" __global__ void
roles_threads (const int *in, int *out, int rounds)
{
  SHARED (2);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (64, 64);
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    if (WARP < 2)
      {
        wait (&ring.empty[k % 2], (k / 2 & 1) ^ 1);
        ring.pieces[k % 2][threadIdx.x] = in[k * 128 + threadIdx.x];
        ring.pieces[k % 2][threadIdx.x + 64] = in[k * 128 + threadIdx.x + 64];
        arrive (&ring.full[k % 2]);
      }
    else
      {
        wait (&ring.full[k % 2], k / 2 & 1);
        sum += use (ring.pieces[k % 2], threadIdx.x);
        arrive (&ring.empty[k % 2]);
      }
  if (WARP > 1)
    out[blockIdx.x * 64 + threadIdx.x - 64] = sum;
}

// As roles_ring, where those who use a stage let each other go by turns, at named barriers of BAR.
extern "C" __global__ void
roles_bars (const int *in, int *out, int rounds)
{
  SHARED (4);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (1, 2);
  if (WARP == 2)
    {
#pragma unroll 1
      for (int k = 0; LANE == 0 && k < rounds; k++)
        {
          wait (&ring.empty[k % 4], (k / 4 & 1) ^ 1);
          expect (&ring.full[k % 4], 512);
          copy (ring.pieces[k % 4], in + k * 128, 512, &ring.full[k % 4]);
        }
      return;
    }
  if (WARP == 1)
    asm volatile ("barrier.arrive 1, 64;" ::: "memory");
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    {
      wait (&ring.full[k % 4], k / 4 & 1);
      if (WARP == 0)
        asm volatile ("barrier.sync 1, 64;" ::: "memory");
      else
        asm volatile ("barrier.sync 2, 64;" ::: "memory");
      sum += use (ring.pieces[k % 4], threadIdx.x);
      if (WARP == 0)
        asm volatile ("barrier.arrive 2, 64;" ::: "memory");
      else if (k + 1 < rounds)
        asm volatile ("barrier.arrive 1, 64;" ::: "memory");
      __syncwarp ();
      if (LANE == 0)
        arrive (&ring.empty[k % 4]);
    }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Of two warps for which a third one arrives the second waits in odd rounds alone.
extern "C" __global__ void
odd_waits (const int *in, int *out, int rounds)
{
  SHARED (1);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (32, 64);
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    if (WARP == 2)
      {
        wait (ring.empty, (k & 1) ^ 1);
        for (int i = LANE; i < 128; i += 32)
          ring.pieces[0][i] = in[k * 128 + i];
        arrive (ring.full);
      }
    else
      {
        if (WARP == 0)
          wait (ring.full, k & 1);
        asm volatile ("barrier.sync 1, 64;" ::: "memory");
        if (WARP == 1 && k % 2 == 1)
          wait (ring.full, k & 1);
        if (WARP == 0 || k % 2 == 1)
          sum += use (ring.pieces[0], threadIdx.x);
        arrive (ring.empty);
      }
  if (WARP < 2)
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The warp that fills arrives twice in odd rounds, with half of its lanes each.
extern "C" __global__ void
odd_counts (const int *in, int *out, int rounds)
{
  SHARED (1);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (32, 64);
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    if (WARP == 2)
      {
        wait (ring.empty, (k & 1) ^ 1);
        for (int i = LANE; i < 128; i += 32)
          ring.pieces[0][i] = in[k * 128 + i];
        if (k % 2 == 0)
          arrive (ring.full);
        else if (LANE < 16)
          arrive (ring.full);
        else
          arrive (ring.full);
      }
    else
      {
        wait (ring.full, k & 1);
        sum += use (ring.pieces[0], threadIdx.x);
        arrive (ring.empty);
      }
  if (WARP < 2)
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// The warp that copies is the first one that waits for it, in each round, and of the others one in turn.
extern "C" __global__ void
odd_first (const int *in, int *out, int rounds)
{
  SHARED (1);
  int sum = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (1, 1);
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    {
      if (threadIdx.x == 0)
        {
          expect (ring.full, 512);
          copy (ring.pieces[0], in + k * 128, 512, ring.full);
        }
      __syncwarp ();
      if (WARP == 0 || (k + WARP) % 2 == 0)
        {
          wait (ring.full, k & 1);
          sum += use (ring.pieces[0], threadIdx.x);
        }
      __syncthreads ();
    }
  if (WARP < 2)
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// As roles_ring, but the next stage is asked for once between what expects the bytes of this one and the copy.
extern "C" __global__ void
roles_peek (const int *in, int *out, int rounds)
{
  SHARED (4);
  int sum = 0;
  unsigned is_free = 0;

  in += blockIdx.x * rounds * 128;
  ring.begin (1, 2);
  if (WARP == 0)
    {
#pragma unroll 1
      for (int k = 0; LANE == 0 && k < rounds; k++)
        {
          if (!is_free)
            wait (&ring.empty[k % 4], (k / 4 & 1) ^ 1);
          expect (&ring.full[k % 4], 512);
          asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                        : "=r"(is_free)
                        : "r"(get_shared (&ring.empty[(k + 1) % 4])), "r"(((k + 1) / 4 & 1) ^ 1)
                        : "memory");
          copy (ring.pieces[k % 4], in + k * 128, 512, &ring.full[k % 4]);
        }
      return;
    }
#pragma unroll 1
  for (int k = 0; k < rounds; k++)
    {
      wait (&ring.full[k % 4], k / 4 & 1);
      sum += use (ring.pieces[k % 4], threadIdx.x);
      __syncwarp ();
      if (LANE == 0)
        arrive (&ring.empty[k % 4]);
    }
  out[blockIdx.x * 64 + threadIdx.x - 32] = sum;
}
