// SPDX-License-Identifier: MIT
// Copies in bulk, without tensor maps: into shared memory with an mbarrier that counts their bytes, out of it in
// groups; a pipeline of two stages; those of cuda::memcpy_async() and cooperative groups; reductions of each type; within
// shared memory; prefetches; what is counted at an mbarrier by hand; which memory a pointer is into, as
// cuda::barrier asks.
//
// from: 90
// case bulk_copy: bulk_copy<<<3, 64, 8192>>>(IN, OUT, 4999)
// case bulk_large: bulk_large<<<2, 128, 65536>>>(IN, OUT)
// case bulk_pipeline: bulk_pipeline<<<2, 96>>>(A, B, OUT, 7)
// case bulk_memcpy: bulk_memcpy<<<3, 128, 4096>>>(IN, OUT, 1000)
// case bulk_memcpy_threads: bulk_memcpy_threads<<<2, 64>>>(IN, OUT)
// case bulk_add: bulk_add<<<5, 64>>>(IN, FLOATS, SUMS, FLOAT_SUMS)
// case bulk_reduce: bulk_reduce<<<1, 32>>>(IN, OUT)
// case bulk_within: bulk_within<<<2, 64>>>(IN, OUT)
// case bulk_counts: bulk_counts<<<1, 32>>>(IN, OUT)
// case bulk_lanes: bulk_lanes<<<2, 64>>>(IN, OUT)
// case bulk_prefetch: bulk_prefetch<<<2, 64>>>(IN, OUT)
// case bulk_masked: bulk_masked<<<1, 32>>>(IN, OUT)
// case bulk_spaces: bulk_spaces<<<1, 32>>>(OUT)
#pragma nv_diag_suppress static_var_with_dynamic_init /* cuda::barrier in shared memory */

#include <cooperative_groups.h>
#include <cuda/barrier>

typedef unsigned long long u64;

__device__ unsigned
get_shared (const void *pointer)
{
  return (unsigned) __cvta_generic_to_shared (pointer);
}

__device__ void
begin_barrier (u64 *barrier, int n)
{
  asm volatile ("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(get_shared (barrier)), "r"(n) : "memory");
  asm volatile ("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void
expect (u64 *barrier, int bytes)
{
  asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(get_shared (barrier)), "r"(bytes)
                : "memory");
}

__device__ void
arrive (u64 *barrier)
{
  asm volatile ("{.reg .b64 x; mbarrier.arrive.shared::cta.b64 x, [%0];}" ::"r"(get_shared (barrier)) : "memory");
}

__device__ bool
is_over (u64 *barrier, int parity)
{
  unsigned over;

  asm volatile ("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                : "=r"(over)
                : "r"(get_shared (barrier)), "r"(parity)
                : "memory");
  return over;
}

__device__ void
wait (u64 *barrier, int parity)
{
  unsigned over = 0;

  while (!over)
    asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                  : "=r"(over)
                  : "r"(get_shared (barrier)), "r"(parity)
                  : "memory");
}

__device__ void
copy_in (void *to, const void *from, int bytes, u64 *barrier)
{
  asm volatile ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                    get_shared (to)),
                "l"(from), "r"(bytes), "r"(get_shared (barrier))
                : "memory");
}

__device__ void
copy_out (void *to, const void *from, int bytes)
{
  asm volatile ("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(get_shared (from)),
                "r"(bytes)
                : "memory");
}

__device__ void
finish_copies ()
{
  asm volatile ("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile ("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* OUT = IN + 1 by pieces of 1024 floats, which go in and out; of the last one what is no multiple of 16 bytes goes by
 * threads. */
extern "C" __global__ void
bulk_copy (const float *in, float *out, int n)
{
  extern __shared__ __align__ (128) float piece[];
  __shared__ u64 barrier;
  int parity = 0;

  if (threadIdx.x == 0)
    begin_barrier (&barrier, 1);
  __syncthreads ();
  for (int first = blockIdx.x * 1024; first < n; first += gridDim.x * 1024, parity ^= 1)
    {
      int count = min (n - first, 1024), whole = count & ~3;

      if (threadIdx.x == 0)
        {
          expect (&barrier, whole * 4);
          copy_in (piece, in + first, whole * 4, &barrier);
        }
      if (threadIdx.x < count - whole)
        piece[whole + threadIdx.x] = in[first + whole + threadIdx.x];
      wait (&barrier, parity);
      __syncthreads ();
      for (int i = threadIdx.x; i < count; i += blockDim.x)
        piece[i] += 1;
      asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
      __syncthreads ();
      if (threadIdx.x == 0)
        {
          copy_out (out + first, piece, whole * 4);
          finish_copies ();
        }
      if (threadIdx.x < count - whole)
        out[first + whole + threadIdx.x] = piece[whole + threadIdx.x];
      __syncthreads ();
    }
}

/* 64 KiB at once, to another place of each block. The copy comes before its bytes are expected. */
extern "C" __global__ void
bulk_large (const int *in, int *out)
{
  extern __shared__ __align__ (128) int whole[];
  __shared__ u64 barrier;

  if (threadIdx.x == 0)
    begin_barrier (&barrier, blockDim.x);
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      copy_in (whole, in + blockIdx.x * 16384 + 4, 65536, &barrier);
      expect (&barrier, 65536);
    }
  else
    arrive (&barrier);
  wait (&barrier, 0);
  for (int i = threadIdx.x; i < 16384; i += blockDim.x)
    out[blockIdx.x * 16384 + i] = whole[i ^ 5];
}

/* A warp brings stages of A and B, of 256 elements each, to two others, which multiply them and give the stage back. */
extern "C" __global__ void
bulk_pipeline (const int *a, const int *b, int *out, int stages)
{
  __shared__ __align__ (128) int as[2][256], bs[2][256];
  __shared__ u64 full[2], empty[2];
  int t = threadIdx.x, sum[4] = {};

  if (t == 0)
    for (int k = 0; k < 2; k++)
      {
        begin_barrier (&full[k], 1);
        begin_barrier (&empty[k], 64);
      }
  __syncthreads ();
  a += blockIdx.x * stages * 256;
  b += blockIdx.x * stages * 256;
  if (t >= 64)
    {
      for (int k = 0; t == 64 && k < stages; k++)
        {
          wait (&empty[k % 2], k / 2 & 1 ^ 1);
          expect (&full[k % 2], 2048);
          copy_in (as[k % 2], a + k * 256, 1024, &full[k % 2]);
          copy_in (bs[k % 2], b + k * 256, 1024, &full[k % 2]);
        }
      return;
    }
  for (int k = 0; k < stages; k++)
    {
      wait (&full[k % 2], k / 2 & 1);
      for (int i = 0; i < 4; i++)
        sum[i] += as[k % 2][i * 64 + t] * bs[k % 2][255 - i * 64 - t];
      arrive (&empty[k % 2]);
    }
  for (int i = 0; i < 4; i++)
    out[blockIdx.x * 256 + i * 64 + t] = sum[i];
}

/* The block copies together, and waits at cuda::barrier. */
extern "C" __global__ void
bulk_memcpy (const float *in, float *out, int n)
{
  extern __shared__ __align__ (128) float piece[];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  auto block = cooperative_groups::this_thread_block ();

  if (threadIdx.x == 0)
    init (&arrived, blockDim.x);
  block.sync ();
  for (int round = 0; round < 2; round++)
    {
      cuda::memcpy_async (block, piece, in + (blockIdx.x * 2 + round) * n, cuda::aligned_size_t<16> (n * sizeof (float)),
                          arrived);
      arrived.arrive_and_wait ();
      for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[(blockIdx.x * 2 + round) * n + i] = piece[n - 1 - i];
      block.sync ();
    }
}

/* Each thread copies 16 bytes of its own. */
extern "C" __global__ void
bulk_memcpy_threads (const int4 *in, int4 *out)
{
  __shared__ __align__ (16) int4 piece[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  int t = threadIdx.x;

  if (t == 0)
    init (&arrived, blockDim.x);
  __syncthreads ();
  cuda::memcpy_async (piece + t, in + blockIdx.x * 64 + t, cuda::aligned_size_t<16> (16), arrived);
  arrived.arrive_and_wait ();
  out[blockIdx.x * 64 + t] = piece[t ^ 33];
}

#define REDUCE(op, to, from, bytes)                                                                            \
  asm volatile ("cp.reduce.async.bulk.global.shared::cta.bulk_group." op " [%0], [%1], %2;" ::"l"(to),         \
                "r"(get_shared (from)), "r"(bytes)                                                             \
                : "memory")

/* All blocks add their pieces to the same 256 sums. */
extern "C" __global__ void
bulk_add (const int *in, const float *floats, int *sums, float *float_sums)
{
  __shared__ __align__ (128) int piece[256];
  __shared__ __align__ (128) float float_piece[256];

  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    {
      piece[i] = in[blockIdx.x * 256 + i];
      float_piece[i] = floats[blockIdx.x * 256 + i];
    }
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      REDUCE ("add.s32", sums, piece, 1024);
      REDUCE ("add.f32", float_sums, float_piece, 1024);
      finish_copies ();
    }
}

/* Operations and types, 32 bytes each: the halves of IN. */
extern "C" __global__ void
bulk_reduce (const unsigned *in, unsigned *out)
{
  __shared__ __align__ (16) unsigned piece[16 * 8];

  for (int i = threadIdx.x; i < 128; i += 32)
    piece[i] = in[128 + i];
  for (int i = threadIdx.x; i < 128; i += 32)
    out[i] = in[i];
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile ("fence.proxy.async.global;" ::: "memory");
  __syncwarp ();
  if (threadIdx.x == 0)
    {
      REDUCE ("min.u32", out, piece, 32);
      REDUCE ("max.u32", out + 8, piece + 8, 32);
      REDUCE ("min.s32", out + 16, piece + 16, 32);
      REDUCE ("max.s32", out + 24, piece + 24, 32);
      REDUCE ("inc.u32", out + 32, piece + 32, 32);
      REDUCE ("dec.u32", out + 40, piece + 40, 32);
      REDUCE ("and.b32", out + 48, piece + 48, 32);
      REDUCE ("or.b32", out + 56, piece + 56, 32);
      REDUCE ("xor.b64", out + 64, piece + 64, 32);
      REDUCE ("add.u64", out + 72, piece + 72, 32);
      REDUCE ("min.s64", out + 80, piece + 80, 32);
      REDUCE ("max.u64", out + 88, piece + 88, 32);
      REDUCE ("add.f64", out + 96, piece + 96, 32);
      REDUCE ("add.noftz.f16", out + 104, piece + 104, 32);
      REDUCE ("max.f16", out + 112, piece + 112, 32);
      REDUCE ("add.noftz.bf16", out + 120, piece + 120, 32);
      finish_copies ();
    }
}

/* From one place of shared memory to another, and a sum there. */
extern "C" __global__ void
bulk_within (const int *in, int *out)
{
  __shared__ __align__ (128) int from[128], to[128];
  __shared__ u64 barrier;
  int t = threadIdx.x;

  from[t] = in[blockIdx.x * 128 + t];
  from[t + 64] = in[blockIdx.x * 128 + 64 + t];
  to[t + 64] = 1000 * t;
  if (t == 0)
    begin_barrier (&barrier, 1);
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  if (t == 0)
    {
      expect (&barrier, 512);
      asm volatile ("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                        get_shared (to)),
                    "r"(get_shared (from + 64)), "r"(get_shared (&barrier))
                    : "memory");
      asm volatile ("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 [%0], [%1], "
                    "256, [%2];" ::"r"(get_shared (to + 64)),
                    "r"(get_shared (from)), "r"(get_shared (&barrier))
                    : "memory");
    }
  wait (&barrier, 0);
  out[blockIdx.x * 128 + t] = to[t];
  out[blockIdx.x * 128 + 64 + t] = to[t + 64];
}

/* What is over when: bytes expected and come by hand, who arrives, who leaves. A bit for each question. */
extern "C" __global__ void
bulk_counts (const int *in, int *out)
{
  __shared__ __align__ (16) int piece[32];
  __shared__ u64 barrier;
  unsigned bits = 0, at = get_shared (&barrier);
  u64 token = 0;

#define ASK(parity) (bits = bits << 1 | is_over (&barrier, parity))
  if (threadIdx.x == 0)
    {
      begin_barrier (&barrier, 2);
      ASK (0);
      asm volatile ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 64;" ::"r"(at) : "memory");
      arrive (&barrier);
      ASK (0);
      arrive (&barrier);
      ASK (0); /* 64 bytes are missing */
      copy_in (piece, in, 48, &barrier);
      ASK (0);
      copy_in (piece + 12, in + 12, 16, &barrier);
      ASK (0); /* over */
      ASK (1);
      copy_in (piece + 16, in + 16, 64, &barrier);
      ASK (1); /* 64 came too early */
      expect (&barrier, 32);
      asm volatile ("mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [%0], 32;" ::"r"(at) : "memory");
      ASK (1); /* over; one is left to arrive */
      ASK (0);
      asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 1048575;" : "=l"(token) : "r"(at) : "memory");
      asm volatile ("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 1048574;" ::"r"(at) : "memory");
      ASK (0);
      asm volatile ("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
      ASK (0); /* over */
      asm volatile ("{.reg .pred p; .reg .u32 x; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 x, 1, 0, p; "
                    "shl.b32 %0, %0, 1; or.b32 %0, %0, x;}"
                    : "+r"(bits)
                    : "r"(at), "l"(token)
                    : "memory");
      out[32] = bits;
    }
  __syncwarp ();
  out[threadIdx.x] = piece[threadIdx.x];
}

/* Threads of a warp copy side by side, more each than the one before, some of them none. */
extern "C" __global__ void
bulk_lanes (const int *in, int *out)
{
  __shared__ __align__ (16) int pieces[64][16];
  __shared__ u64 barrier;
  int t = threadIdx.x, bytes = t % 4 * 16;

  for (int i = 0; i < 16; i++)
    pieces[t][i] = -1;
  if (t == 0)
    begin_barrier (&barrier, blockDim.x);
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  if (bytes > 0)
    {
      copy_in (pieces[t], in + (blockIdx.x * 64 + 63 - t) * 16, bytes, &barrier);
      expect (&barrier, bytes);
    }
  else
    arrive (&barrier);
  wait (&barrier, 0);
  for (int i = 0; i < 16; i++)
    out[(blockIdx.x * 64 + t) * 16 + i] = pieces[t ^ 1][i];
}

/* Into L2 first, then by a copy that says how long to keep it there. */
extern "C" __global__ void
bulk_prefetch (const int *in, int *out)
{
  __shared__ __align__ (128) int piece[1024];
  __shared__ u64 barrier;
  u64 policy;

  if (threadIdx.x == 0)
    {
      asm volatile ("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in + blockIdx.x * 1024), "r"(4096));
      asm volatile ("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
      begin_barrier (&barrier, 1);
      expect (&barrier, 4096);
      asm volatile ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], "
                    "%4;" ::"r"(get_shared (piece)),
                    "l"(in + blockIdx.x * 1024), "r"(4096), "r"(get_shared (&barrier)), "l"(policy)
                    : "memory");
    }
  __syncthreads ();
  wait (&barrier, 0);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    out[blockIdx.x * 1024 + i] = piece[i] * 3;
}

/* Of each 16 bytes some are left as they are, from sm_100 on; before that, by threads. */
extern "C" __global__ void
bulk_masked (const unsigned char *in, unsigned char *out)
{
  __shared__ __align__ (16) unsigned char piece[64];
  const unsigned short mask = 0x8c71;

  for (int i = threadIdx.x; i < 64; i += 32)
    {
      piece[i] = in[i];
      out[i] = in[64 + i];
    }
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile ("fence.proxy.async.global;" ::: "memory");
  __syncwarp ();
#if __CUDA_ARCH__ >= 1000
  if (threadIdx.x == 0)
    {
      asm volatile ("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%0], [%1], 64, %2;" ::"l"(out),
                    "r"(get_shared (piece)), "h"(mask)
                    : "memory");
      finish_copies ();
    }
#else
  for (int i = threadIdx.x; i < 64; i += 32)
    if (mask >> i % 16 & 1)
      out[i] = piece[i];
#endif
}

__device__ __noinline__ int
get_spaces (const void *pointer)
{
  int bits = 0;

#define ASK_SPACE(space)                                                                                       \
  asm ("{.reg .pred p; .reg .u32 x; isspacep." space " p, %1; selp.u32 x, 1, 0, p; shl.b32 %0, %0, 1; "        \
       "or.b32 %0, %0, x;}"                                                                                    \
       : "+r"(bits)                                                                                            \
       : "l"(pointer))
  ASK_SPACE ("shared::cta");
  ASK_SPACE ("shared::cluster");
  ASK_SPACE ("global");
  ASK_SPACE ("local");
  return bits;
}

/* Each third of the threads asks of a pointer into shared, device and local memory. */
extern "C" __global__ void
bulk_spaces (int *out)
{
  __shared__ int piece[32];
  int own[4] = { 1, 2, 3, 4 }, t = threadIdx.x;

  piece[t] = t;
  out[t] = get_spaces (t % 3 == 0 ? piece + t : t % 3 == 1 ? out + t : own + t % 4);
}
