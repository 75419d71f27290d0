// SPDX-License-Identifier: MIT
// Warps that meet at barriers in shared memory: in the words of cuda::barrier and cuda::pipeline, and of PTX. Those that
// are called part_... cannot be simulated as barriers at which those meet who wait.
//
//   from: 80
// case meet_sync: meet_sync<<<2, 128>>>(IN, OUT, 8, 3)
// case meet_barrier: meet_barrier<<<2, 128>>>(IN, OUT, 8, 3)
// case meet_late: meet_late<<<2, 64>>>(IN, OUT, 8, 1)
// case meet_copies: meet_copies<<<2, 128>>>(IN, OUT, 8)
// case meet_pipeline: meet_pipeline<<<2, 128>>>(IN, OUT, 8)
// case meet_halves: meet_halves<<<2, 128>>>(IN, OUT, 8)
// case meet_alone: meet_alone<<<2, 128>>>(IN, OUT, 8)
// case meet_noinc: meet_noinc<<<2, 128>>>(IN, OUT, 8)
// case meet_lanes: meet_lanes<<<2, 64>>>(IN, OUT, 8)
// case meet_signs: meet_signs<<<2, 128>>>(IN, OUT, 8)
// case meet_blocks: meet_blocks<<<2, 64>>>(IN, OUT, 8)
// case part_roles: part_roles<<<2, 128>>>(IN, OUT, 8)
// case part_order: part_order<<<2, 64>>>(IN, OUT, 8)
// case part_tests: part_tests<<<2, 64>>>(IN, OUT, 8)
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

/* A barrier that the block sets up, for COUNT threads in a phase. */
__device__ static Barrier *
set_up (unsigned long long *room, int count)
{
  Barrier *barrier = reinterpret_cast<Barrier *> (room);

  if (threadIdx.x == 0)
    init (barrier, count);
  __syncthreads ();
  return barrier;
}

__device__ static unsigned
get_shared (const void *place)
{
  return (unsigned)__cvta_generic_to_shared (place);
}

__device__ static void
wait_parity (unsigned at, unsigned parity)
{
  unsigned done = 0;

  while (!done)
    asm volatile ("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                  : "=r"(done)
                  : "r"(at), "r"(parity)
                  : "memory");
}

/* Numbers, one after the other. */
__device__ static unsigned
work (unsigned number, int steps)
{
#pragma unroll 1
  for (int k = 0; k < steps; k++)
    number = number * 5 + 1;
  return number;
}

#define LEFT(n, t) (((t) + 33) % (n))

/* Threads pass a number on in each round, and work: at the barrier of the block, and at one in shared memory. */
extern "C" __global__ void
meet_sync (const int *in, int *out, int rounds, int steps)
{
  __shared__ int piece[128];
  unsigned t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds; round++)
    {
      piece[t] = in[round * 128 + t];
      __syncthreads ();
      sum = work (sum + piece[LEFT (128, t)] * (round + 1), steps);
      __syncthreads ();
    }
  out[blockIdx.x * 128 + t] = sum;
}

extern "C" __global__ void
meet_barrier (const int *in, int *out, int rounds, int steps)
{
  __shared__ unsigned long long room;
  __shared__ int piece[128];
  Barrier *barrier = set_up (&room, 128);
  unsigned t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds; round++)
    {
      piece[t] = in[round * 128 + t];
      barrier->arrive_and_wait ();
      sum = work (sum + piece[LEFT (128, t)] * (round + 1), steps);
      barrier->arrive_and_wait ();
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* The first warp works before the barrier, if the others wait for it there, and they after it. */
extern "C" __global__ void
meet_late (const int *in, int *out, int rounds, int meets)
{
  __shared__ unsigned long long room;
  Barrier *barrier = set_up (&room, 64);
  int t = threadIdx.x, sum = t;

  for (int round = 0; t < 32 && round < rounds; round++)
    sum = in[(sum & 1023)];
  if (meets)
    barrier->arrive_and_wait ();
  for (int round = 0; t >= 32 && round < rounds; round++)
    sum = in[(sum & 1023)];
  out[blockIdx.x * 64 + t] = sum;
}

/* Copies arrive, too. */
extern "C" __global__ void
meet_copies (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long room;
  __shared__ int piece[128];
  Barrier *barrier = set_up (&room, 128);
  int t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds; round++)
    {
      cuda::memcpy_async (&piece[t], &in[round * 128 + t], cuda::aligned_size_t<4> (4), *barrier);
      barrier->arrive_and_wait ();
      sum += piece[LEFT (128, t)] * (round + 1);
      barrier->arrive_and_wait ();
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* All threads produce and consume; the next piece is on its way meanwhile. */
extern "C" __global__ void
meet_pipeline (const int *in, int *out, int rounds)
{
  __shared__ int pieces[2][128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline (cg::this_thread_block (), &state);
  int t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds + 1; round++)
    {
      if (round < rounds)
        {
          pipe.producer_acquire ();
          cuda::memcpy_async (&pieces[round % 2][t], &in[round * 128 + t], cuda::aligned_size_t<4> (4), pipe);
          pipe.producer_commit ();
        }
      if (round > 0)
        {
          pipe.consumer_wait ();
          sum += pieces[(round - 1) % 2][LEFT (128, t)] * round;
          pipe.consumer_release ();
        }
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* Two warps at one barrier, two at another; all at that of the block in between. */
extern "C" __global__ void
meet_halves (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long rooms[2];
  __shared__ int piece[128];
  int t = threadIdx.x, half = t / 64, sum = 0;
  Barrier *barrier = set_up (&rooms[0], 64);

  set_up (&rooms[1], 64);
  barrier += half;
  for (int round = 0; round < rounds; round++)
    {
      piece[t] = in[round * 128 + t];
      barrier->arrive_and_wait ();
      sum += piece[half * 64 + LEFT (64, t % 64)] * (round + 1);
      if (round % 2 == 0)
        __syncthreads ();
      barrier->arrive_and_wait ();
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* Each warp waits for its own copies. */
extern "C" __global__ void
meet_alone (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long rooms[4];
  __shared__ int piece[128];
  int t = threadIdx.x, warp = t / 32, sum = 0;
  Barrier *barrier = set_up (&rooms[0], 32);

  for (int k = 1; k < 4; k++)
    set_up (&rooms[k], 32);
  barrier += warp;
  for (int round = 0; round < rounds; round++)
    {
      cuda::memcpy_async (&piece[t], &in[round * 128 + t], cuda::aligned_size_t<4> (4), *barrier);
      barrier->arrive_and_wait ();
      sum += piece[warp * 32 + LEFT (32, t % 32)] * (round + 1);
      __syncwarp ();
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* Copies alone arrive, and are waited for by the number of the round. */
extern "C" __global__ void
meet_noinc (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long room;
  __shared__ int piece[128];
  unsigned at = get_shared (&room);
  int t = threadIdx.x, sum = 0;

  set_up (&room, 128);
  for (int round = 0; round < rounds; round++)
    {
      asm volatile ("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(get_shared (piece + t)), "l"(in + round * 128 + t)
                    : "memory");
      asm volatile ("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
      wait_parity (at, round & 1);
      sum += piece[LEFT (128, t)] * (round + 1);
      __syncthreads ();
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* Lanes of a warp come one half after the other: those that wait first let the others go on. */
extern "C" __global__ void
meet_lanes (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long room;
  __shared__ int piece[64];
  Barrier *barrier = set_up (&room, 64);
  int t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds; round++)
    {
      if (t % 32 < 16)
        {
          piece[t] = in[round * 64 + t];
          barrier->arrive_and_wait ();
        }
      else
        {
          piece[t] = -in[round * 64 + t];
          barrier->arrive_and_wait ();
        }
      sum += piece[LEFT (64, t)] * (round + 1);
      __syncthreads ();
    }
  out[blockIdx.x * 64 + t] = sum;
}

/* A number's sign is asked for as the phase of a barrier is, up to sm_89: nobody waits for it. */
extern "C" __global__ void
meet_signs (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long room;
  __shared__ int piece[128];
  Barrier *barrier = set_up (&room, 128);
  int t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds; round++)
    {
      unsigned is_negative;

      piece[t] = in[round * 128 + t];
      barrier->arrive_and_wait ();
      asm volatile ("{.reg .b32 x; .reg .pred p; and.b32 x, %1, 0x80000000; setp.ne.b32 p, x, 0; selp.u32 %0, 1, 0, p;}"
                    : "=r"(is_negative)
                    : "r"(piece[round * 7 % 128]));
      if (is_negative)
        sum += 1000;
      else
        sum += piece[LEFT (128, t)] * (round + 1);
      barrier->arrive_and_wait ();
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* Each block has a round more than the one before it, and its second warp more work in each: of many blocks the programs
 * are not all that warps did. */
extern "C" __global__ void
meet_blocks (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long room;
  __shared__ int piece[64];
  Barrier *barrier = set_up (&room, 64);
  unsigned t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds + (int)blockIdx.x; round++)
    {
      piece[t] = in[round % rounds * 64 + t];
      barrier->arrive_and_wait ();
      sum = work (sum + piece[LEFT (64, t)], t / 32 * round);
      barrier->arrive_and_wait ();
    }
  out[blockIdx.x * 64 + t] = sum;
}

/* The first warp fills pieces that the others empty: those that wait are not those that arrive. */
extern "C" __global__ void
part_roles (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long rooms[2][2];
  __shared__ int pieces[2][32];
  int t = threadIdx.x, warp = t / 32, sum = 0;

  for (int k = 0; k < 2; k++)
    {
      set_up (&rooms[0][k], 32);
      set_up (&rooms[1][k], 96);
    }
  for (int round = 0; round < rounds; round++)
    {
      Barrier *full = reinterpret_cast<Barrier *> (&rooms[0][round % 2]);
      Barrier *empty = reinterpret_cast<Barrier *> (&rooms[1][round % 2]);
      unsigned phase = round / 2 & 1;

      if (warp == 0)
        {
          wait_parity (get_shared (empty), phase ^ 1);
          pieces[round % 2][t] = in[round * 32 + t];
          (void)full->arrive ();
        }
      else
        {
          wait_parity (get_shared (full), phase);
          sum += pieces[round % 2][LEFT (32, t % 32)] * warp;
          (void)empty->arrive ();
        }
    }
  out[blockIdx.x * 128 + t] = sum;
}

/* The second warp arrives, comes to the barrier of the block, and then waits; the first one waits first: if they met where
 * they wait, each would wait for the other for ever. */
extern "C" __global__ void
part_order (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long room;
  __shared__ int piece[64];
  Barrier *barrier = set_up (&room, 64);
  int t = threadIdx.x, sum = 0;

  for (int round = 0; round < rounds; round++)
    {
      piece[t] = in[round * 64 + t];
      Barrier::arrival_token token = barrier->arrive ();
      if (t < 32)
        barrier->wait (std::move (token));
      __syncthreads ();
      if (t >= 32)
        barrier->wait (std::move (token));
      sum += piece[LEFT (64, t)] * (round + 1);
      __syncthreads ();
    }
  out[blockIdx.x * 64 + t] = sum;
}

/* The first warp does not wait: what the second one has to do it does itself after some tries. */
extern "C" __global__ void
part_tests (const int *in, int *out, int rounds)
{
  __shared__ unsigned long long room;
  unsigned at = get_shared (&room);
  int t = threadIdx.x, sum = 0;

  set_up (&room, 64);
  for (int round = 0; round < rounds; round++)
    {
      if (t < 32)
        {
          unsigned done = 0;

          asm volatile ("{.reg .b64 x; mbarrier.arrive.shared.b64 x, [%0];}" ::"r"(at) : "memory");
          for (int tries = 0; !done && tries < 3; tries++)
            asm volatile ("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                          : "=r"(done)
                          : "r"(at), "r"(round & 1)
                          : "memory");
          sum += in[round * 64 + t] + (done ? 0 : 1);
        }
      __syncthreads ();
      if (t >= 32)
        {
          asm volatile ("{.reg .b64 x; mbarrier.arrive.shared.b64 x, [%0];}" ::"r"(at) : "memory");
          wait_parity (at, round & 1);
          sum += in[round * 64 + t];
        }
      __syncthreads ();
    }
  out[blockIdx.x * 64 + t] = sum;
}
