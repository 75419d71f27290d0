// SPDX-License-Identifier: MIT
// Blocks of a cluster: which one a block is; loads, stores and atomics in the shared memory of others; barrier.cluster,
// also where some threads have ended; arrivals at the mbarriers of others; asynchronous stores whose bytes arrive there;
// copies in bulk to others, and to several at once, with and without a tensor map; a ring of stages that blocks fill for
// one another; clusters that the launch says. Code for sm_120 calls a function to copy to several blocks.
//
// from: 90
// case cluster_ids: cluster_ids<<<dim3(4, 6), 32>>>(OUT)
// case cluster_swap: cluster_swap<<<8, 128>>>(IN, OUT)
// case cluster_launched: cluster_launched<<<dim3(3, 4), 64, 0, cluster(1, 2)>>>(IN, OUT)
// case cluster_histogram: cluster_histogram<<<8, 96>>>(IN, COUNTS, 3000)
// case cluster_uneven: cluster_uneven<<<6, 128>>>(OUT, 5)
// case cluster_send: cluster_send<<<4, 64>>>(IN, OUT, 6)
// case cluster_store: cluster_store<<<4, 64>>>(IN, OUT)
// case cluster_copy: cluster_copy<<<4, 32>>>(IN, OUT)
// case cluster_multicast: cluster_multicast<<<8, 64>>>(tensor_map(IN, s32, {32, 64}, {32, 4}), MORE, OUT)
//   until: 100
// case cluster_ring: cluster_ring<<<4, 96, 8320>>>(tensor_map(IN, s32, {32, 96}, {32, 8}),
//   more: tensor_map(MORE, s32, {32, 96}, {32, 8}), OUT, 12)
//   until: 100
// case cluster_turns: cluster_turns<<<4, 96>>>(OUT, 9)
// case cluster_spaces: cluster_spaces<<<2, 32>>>(OUT)
// case cluster_reduce: cluster_reduce<<<2, 32>>>(OUT)
//   check: refused
#include <cooperative_groups.h>

typedef unsigned long long u64;

struct alignas (64) Map /* CUtensorMap */
{
  u64 words[16];
};

__device__ unsigned
get_shared (const void *pointer)
{
  return (unsigned) __cvta_generic_to_shared (pointer);
}

__device__ unsigned
get_rank (void)
{
  unsigned rank;

  asm volatile ("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/* ADDRESS as the block of RANK has it. */
__device__ unsigned
map_to (unsigned address, unsigned rank)
{
  unsigned mapped;

  asm volatile ("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

__device__ void
meet (void)
{
  asm volatile ("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void
begin_barrier (u64 *barrier, int n)
{
  asm volatile ("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(get_shared (barrier)), "r"(n) : "memory");
  asm volatile ("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void
expect (u64 *barrier, int bytes)
{
  asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(get_shared (barrier)), "r"(bytes)
                : "memory");
}

__device__ void
arrive_at (u64 *barrier, unsigned rank)
{
  asm volatile ("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(map_to (get_shared (barrier), rank))
                : "memory");
}

__device__ void
await (u64 *barrier, int parity)
{
  unsigned over = 0;

  while (!over)
    asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;"
                  "selp.u32 %0, 1, 0, p;}"
                  : "=r"(over)
                  : "r"(get_shared (barrier)), "r"(parity)
                  : "memory");
}

#define GET(NAME)                                                                                                              \
  asm volatile ("mov.u32 %0, %%" #NAME ";" : "=r"(value));                                                                     \
  if (threadIdx.x == 0)                                                                                                        \
    *out = value;                                                                                                              \
  out++;

extern "C" __global__ void
__cluster_dims__ (2, 3, 1) cluster_ids (unsigned *out)
{
  unsigned value;

  out += (blockIdx.y * gridDim.x + blockIdx.x) * 14;
  GET (clusterid.x)
  GET (clusterid.y)
  GET (clusterid.z)
  GET (nclusterid.x)
  GET (nclusterid.y)
  GET (nclusterid.z)
  GET (cluster_ctaid.x)
  GET (cluster_ctaid.y)
  GET (cluster_ctaid.z)
  GET (cluster_nctaid.x)
  GET (cluster_nctaid.y)
  GET (cluster_nctaid.z)
  GET (cluster_ctarank)
  GET (cluster_nctarank)
}

extern "C" __global__ void
__cluster_dims__ (4, 1, 1) cluster_swap (const int *in, int *out)
{
  __shared__ int own[128];
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster ();
  const int *other = cluster.map_shared_rank (own, cluster.block_rank () ^ 3);
  const int i = blockIdx.x * 128 + threadIdx.x;

  own[threadIdx.x] = in[i];
  cluster.sync ();
  out[i] = other[127 - threadIdx.x] + cluster.num_blocks ();
  cluster.sync ();
}

extern "C" __global__ void
cluster_launched (const int *in, int *out)
{
  __shared__ int own[64];
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster ();
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x;

  own[threadIdx.x] = in[i];
  cluster.sync ();
  out[i] = 2 * cluster.map_shared_rank (own, cluster.block_rank () ^ 1)[threadIdx.x ^ 5] + cluster.dim_blocks ().y;
  cluster.sync ();
}

/* Each block has a quarter of the counts. */
extern "C" __global__ void
__cluster_dims__ (4, 1, 1) cluster_histogram (const unsigned *in, unsigned *counts, int n)
{
  __shared__ unsigned own[64];
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster ();

  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    own[i] = 0;
  cluster.sync ();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd (cluster.map_shared_rank (own, in[i] % 256 / 64) + in[i] % 64, 1u);
  cluster.sync ();
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    atomicAdd (&counts[cluster.block_rank () * 64 + i], own[i]);
}

/* Warps end after some rounds, those of the second block first. */
extern "C" __global__ void
__cluster_dims__ (2, 1, 1) cluster_uneven (int *out, int rounds)
{
  __shared__ int sums[2];
  const unsigned rank = get_rank (), sum = map_to (get_shared (sums), 0);
  const int warp = threadIdx.x / 32;

  if (threadIdx.x < 2)
    sums[threadIdx.x] = 0;
  meet ();
  for (int round = 0; round < rounds; round++)
    {
      if (warp > 0 && round > warp + (rank ? 0 : 1))
        return;
      if (threadIdx.x % 32 == 0)
        asm volatile ("red.shared::cluster.add.u32 [%0], %1;" ::"r"(sum + round % 2 * 4), "r"(1 << round) : "memory");
      meet ();
      if (rank == 0 && threadIdx.x == 0)
        out[blockIdx.x / 2 * rounds + round] = sums[round % 2];
    }
}

/* A number for each thread of the other block, which says when it has read it. */
extern "C" __global__ void
__cluster_dims__ (2, 1, 1) cluster_send (const int *in, int *out, int rounds)
{
  __shared__ int box[64];
  __shared__ u64 full, empty;
  const unsigned other = get_rank () ^ 1, to = map_to (get_shared (&box[threadIdx.x ^ 7]), other);
  int sum = 0;

  if (threadIdx.x == 0)
    {
      begin_barrier (&full, 64);
      begin_barrier (&empty, 64);
    }
  meet ();
  for (int round = 0; round < rounds; round++)
    {
      if (round > 0)
        await (&empty, (round - 1) & 1);
      asm volatile ("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(in[(blockIdx.x * rounds + round) * 64 + threadIdx.x])
                    : "memory");
      arrive_at (&full, other);
      await (&full, round & 1);
      sum = sum * 3 + box[threadIdx.x];
      arrive_at (&empty, other);
    }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  meet ();
}

/* 4, 8 and 16 bytes a thread. */
extern "C" __global__ void
__cluster_dims__ (2, 1, 1) cluster_store (const int *in, int *out)
{
  __shared__ alignas (16) int box[64 * 7];
  __shared__ u64 barrier;
  const unsigned other = get_rank () ^ 1, to = map_to (get_shared (box), other);
  const unsigned at = map_to (get_shared (&barrier), other);
  const int i = threadIdx.x, *from = in + (blockIdx.x * 64 + i) * 7;

  if (i == 0)
    {
      begin_barrier (&barrier, 1);
      expect (&barrier, sizeof box);
    }
  meet ();
  asm volatile ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                    to + i * 16),
                "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3]), "r"(at)
                : "memory");
  asm volatile ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s32 [%0], {%1, %2}, [%3];" ::"r"(
                    to + 64 * 16 + i * 8),
                "r"(from[4]), "r"(from[5]), "r"(at)
                : "memory");
  asm volatile ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.s32 [%0], %1, [%2];" ::"r"(to + 64 * 24 + i * 4),
                "r"(from[6]), "r"(at)
                : "memory");
  await (&barrier, 0);
  for (int k = i; k < 64 * 7; k += 64)
    out[blockIdx.x * 448 + k] = box[k];
  meet ();
}

/* From a block's own shared memory to that of the other one. */
extern "C" __global__ void
__cluster_dims__ (2, 1, 1) cluster_copy (const int *in, int *out)
{
  __shared__ alignas (16) int own[64], box[64];
  __shared__ u64 barrier;
  const unsigned other = get_rank () ^ 1;

  for (int i = threadIdx.x; i < 64; i += 32)
    own[i] = in[blockIdx.x * 64 + i] * 3;
  if (threadIdx.x == 0)
    {
      begin_barrier (&barrier, 1);
      expect (&barrier, sizeof box);
    }
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  meet ();
  if (threadIdx.x == 0)
    asm volatile ("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                      map_to (get_shared (box), other)),
                  "r"(get_shared (own)), "r"((int) sizeof box), "r"(map_to (get_shared (&barrier), other))
                  : "memory");
  await (&barrier, 0);
  for (int i = threadIdx.x; i < 64; i += 32)
    out[blockIdx.x * 64 + i] = box[i] + 1;
  meet ();
}

__device__ void
load_box (void *to, const Map *map, int y, u64 *barrier)
{
  asm volatile ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                ::"r"(get_shared (to)), "l"(map), "r"(0), "r"(y), "r"(get_shared (barrier))
                : "memory");
}

__device__ void
spread_box (void *to, const Map *map, int y, u64 *barrier, unsigned blocks)
{
  asm volatile ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
                " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(get_shared (to)), "l"(map), "r"(0), "r"(y), "r"(get_shared (barrier)),
                "h"((unsigned short) blocks)
                : "memory");
}

/* Each block of four brings a quarter to all, and some bytes to the two next ones. */
extern "C" __global__ void
__cluster_dims__ (4, 1, 1) cluster_multicast (const __grid_constant__ Map map, const int *more, int *out)
{
  __shared__ alignas (128) int boxes[4][128], words[4][16];
  __shared__ u64 barrier;
  const unsigned rank = get_rank (), cluster = blockIdx.x / 4;
  const unsigned blocks = (6u << rank | 6u << rank >> 4) & 15;
  int sum = 0;

  if (threadIdx.x == 0)
    {
      begin_barrier (&barrier, 1);
      expect (&barrier, sizeof boxes + 2 * sizeof words[0]);
    }
  meet ();
  if (threadIdx.x == 0)
    {
      spread_box (boxes[rank], &map, cluster * 32 + rank * 4, &barrier, 15);
      asm volatile ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3],"
                    " %4;" ::"r"(get_shared (words[rank])),
                    "l"(more + blockIdx.x * 16), "r"((int) sizeof words[0]), "r"(get_shared (&barrier)),
                    "h"((unsigned short) blocks)
                    : "memory");
    }
  await (&barrier, 0);
  for (int i = threadIdx.x; i < 512; i += 64)
    sum = sum * 5 + boxes[i / 128][i % 128];
  for (int k = 1; k < 3; k++)
    sum = sum * 7 + words[(rank + 4 - k) % 4][threadIdx.x % 16];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
  meet ();
}

#define STAGES 2

/* The first warp loads, for its block and, in the first block, for both; the others add. */
extern "C" __global__ void
__cluster_dims__ (2, 1, 1)
    cluster_ring (const __grid_constant__ Map own, const __grid_constant__ Map common, int *out, int steps)
{
  extern __shared__ char room[];
  int *stages = (int *) (room + (0u - get_shared (room)) % 128); /* STAGES times 256 of its own, and 256 for both */
  __shared__ u64 full[STAGES], empty[STAGES];
  const unsigned rank = get_rank ();

  if (threadIdx.x == 0)
    for (int k = 0; k < STAGES; k++)
      {
        begin_barrier (&full[k], 1);
        begin_barrier (&empty[k], 4);
      }
  meet ();
  if (threadIdx.x == 0)
    for (int k = 0; k < steps; k++)
      {
        int *to = stages + k % STAGES * 512;

        if (k >= STAGES)
          await (&empty[k % STAGES], (k / STAGES - 1) & 1);
        expect (&full[k % STAGES], 2048);
        load_box (to, &own, (k + blockIdx.x) * 8 % 96, &full[k % STAGES]);
        if (rank == 0)
          spread_box (to + 256, &common, (k + blockIdx.x / 2) * 8 % 96, &full[k % STAGES], 3);
      }
  if (threadIdx.x >= 32)
    {
      int sum = 0;

      for (int k = 0; k < steps; k++)
        {
          const int *from = stages + k % STAGES * 512;

          await (&full[k % STAGES], k / STAGES & 1);
          for (int i = threadIdx.x - 32; i < 256; i += 64)
            sum = sum * 3 + from[i] * from[256 + (i ^ 9)];
          __syncwarp ();
          if (threadIdx.x % 32 < 2)
            arrive_at (&empty[k % STAGES], threadIdx.x % 32);
        }
      out[blockIdx.x * 64 + threadIdx.x - 32] = sum;
    }
  meet ();
}

// The second block of a cluster is the first to come to `both`, of which the first block has come to `own` before.
extern "C" __global__ void
__cluster_dims__ (2) cluster_turns (int *out, int steps)
{
  __shared__ u64 own, both, back;
  const unsigned rank = get_rank ();

  if (threadIdx.x == 0)
    {
      begin_barrier (&own, 1);
      begin_barrier (&both, 2);
      begin_barrier (&back, 2);
    }
  meet ();
  if (threadIdx.x == 0)
    for (int k = 0; k < steps; k++)
      {
        if (k > 0)
          await (&back, (k - 1) & 1);
        arrive_at (&own, rank);
        arrive_at (&both, rank);
        arrive_at (&both, rank ^ 1);
      }
  if (threadIdx.x >= 32)
    {
      int sum = blockIdx.x;

      for (int k = 0; k < steps; k++)
        {
          await (threadIdx.x < 64 ? &own : &both, k & 1);
          sum = sum * 3 + threadIdx.x;
          __syncwarp ();
          if (threadIdx.x % 32 == 0)
            arrive_at (&back, rank);
        }
      out[blockIdx.x * 64 + threadIdx.x - 32] = sum;
    }
  meet ();
}

/* What a generic address is in, whose it is, and what an atomic finds there. */
extern "C" __global__ void
__cluster_dims__ (2, 1, 1) cluster_spaces (unsigned *out)
{
  __shared__ unsigned own;
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster ();
  unsigned *other = cluster.map_shared_rank (&own, cluster.block_rank () ^ 1);
  unsigned is_own, is_in_cluster;

  own = 10 + cluster.block_rank ();
  cluster.sync ();
  out += blockIdx.x * 6;
  if (threadIdx.x == 0)
    {
      asm volatile ("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(is_own) : "l"(other));
      asm volatile ("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(is_in_cluster) : "l"(other));
      out[0] = is_own;
      out[1] = is_in_cluster;
      out[2] = cluster.query_shared_rank (other);
      out[3] = atomicExch (other, 100 + cluster.block_rank ());
    }
  cluster.sync ();
  if (threadIdx.x == 0)
    {
      out[4] = own;
      out[5] = atomicCAS (other, 101 - cluster.block_rank (), 5);
    }
  cluster.sync ();
}

extern "C" __global__ void
__cluster_dims__ (2, 1, 1) cluster_reduce (unsigned *out)
{
  __shared__ unsigned sum;
  __shared__ u64 barrier;

  if (threadIdx.x == 0)
    begin_barrier (&barrier, 1);
  meet ();
  asm volatile ("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                    map_to (get_shared (&sum), 0)),
                "r"(threadIdx.x), "r"(map_to (get_shared (&barrier), 0))
                : "memory");
  out[blockIdx.x] = sum;
}

/* For a row of tests/bad/table: the second block never comes. */
extern "C" __global__ void
__cluster_dims__ (2, 1, 1) cluster_endless (const volatile int *go)
{
  while (get_rank () == 1 && *go == 0)
    ;
  meet ();
}
