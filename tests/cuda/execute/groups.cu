// SPDX-License-Identifier: MIT
// Kernels in the words of CUDA's own headers: cooperative groups (tiles of a warp, coalesced threads, reductions, scans), WMMA
// fragments, atomics and barriers of libcu++, whole numbers of 128 bits, cuda::std.
//
// case tile_sum: tile_sum<<<3, 96>>>(IN, OUT)
// case tile_scan: tile_scan<<<2, 64>>>(IN, OUT)
// case coalesced: coalesced<<<4, 64>>>(IN, OUT, COUNT)
//   data: COUNT=zeros
// case labeled: labeled<<<2, 64>>>(IN, OUT)
// case block_group: block_group<<<3, 128>>>(IN, OUT)
// case wmma_half: wmma_half<<<dim3(2, 2), 32>>>(A, B, C, 32)
// case wmma_bytes: wmma_bytes<<<dim3(2, 2), 32>>>(A, B, C, 32)
// case atomic_reference: atomic_reference<<<4, 64>>>(IN, OUT)
//   data: OUT=zeros
// case wide_numbers: wide_numbers<<<2, 64>>>(X, Y, OUT)
// case standard: standard<<<2, 64>>>(IN, OUT)
// case copy_async: copy_async<<<2, 128>>>(IN, OUT)
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <mma.h>

namespace cg = cooperative_groups;

/* Sums of tiles of 4, 16 and 32 threads. */
extern "C" __global__ void
tile_sum (const int *in, int *out)
{
  cg::thread_block block = cg::this_thread_block ();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto four = cg::tiled_partition<4> (block);
  auto sixteen = cg::tiled_partition<16> (block);
  auto warp = cg::tiled_partition<32> (block);

  out[3 * i] = cg::reduce (four, in[i], cg::plus<int> ());
  out[3 * i + 1] = cg::reduce (sixteen, in[i], cg::greater<int> ());
  out[3 * i + 2] = cg::reduce (warp, in[i], cg::bit_xor<int> ()) + warp.meta_group_rank () + sixteen.thread_rank ();
}

extern "C" __global__ void
tile_scan (const int *in, int *out)
{
  auto tile = cg::tiled_partition<16> (cg::this_thread_block ());
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[3 * i] = cg::inclusive_scan (tile, in[i]);
  out[3 * i + 1] = cg::exclusive_scan (tile, in[i], cg::plus<int> ());
  out[3 * i + 2] = tile.shfl (in[i], 3) + tile.shfl_down (in[i], 2) + tile.any (in[i] > 900) + tile.ballot (in[i] > 0);
}

/* The threads that are in a branch share one atomic. */
extern "C" __global__ void
coalesced (const int *in, int *out, int *count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (in[i] > 0)
    {
      cg::coalesced_group group = cg::coalesced_threads ();
      int base = 0;

      if (group.thread_rank () == 0)
        base = atomicAdd (count, group.size ());
      out[group.shfl (base, 0) + group.thread_rank ()] = in[i];
    }
}

extern "C" __global__ void
labeled (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto warp = cg::tiled_partition<32> (cg::this_thread_block ());
  auto same = cg::labeled_partition (warp, in[i] & 3);

  out[i] = cg::reduce (same, in[i], cg::plus<int> ()) * 100 + same.size ();
}

/* Tiles wider than a warp do not need barriers of their own kind: the block's. */
extern "C" __global__ void
block_group (const int *in, int *out)
{
  __shared__ int values[128];
  cg::thread_block block = cg::this_thread_block ();

  values[block.thread_rank ()] = in[block.group_index ().x * block.size () + block.thread_rank ()];
  block.sync ();
  for (unsigned half = block.size () / 2; half > 0; half /= 2)
    {
      if (block.thread_rank () < half)
        values[block.thread_rank ()] = max (values[block.thread_rank ()], values[block.thread_rank () + half]);
      cg::sync (block);
    }
  cg::invoke_one (block, [&] { out[block.group_index ().x] = values[0]; });
}

/* C = A B by fragments of 16 x 16 x 16; halves, floats. */
extern "C" __global__ void
wmma_half (const half *a, const half *b, float *c, int n)
{
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;

  wmma::fill_fragment (sums, 0.0f);
  for (int k = 0; k < n; k += 16)
    {
      wmma::load_matrix_sync (left, a + blockIdx.y * 16 * n + k, n);
      wmma::load_matrix_sync (right, b + k * n + blockIdx.x * 16, n);
      wmma::mma_sync (sums, left, right, sums);
    }
  for (int i = 0; i < sums.num_elements; i++)
    sums.x[i] *= 0.5f;
  wmma::store_matrix_sync (c + blockIdx.y * 16 * n + blockIdx.x * 16, sums, n, wmma::mem_row_major);
}

extern "C" __global__ void
wmma_bytes (const signed char *a, const signed char *b, int *c, int n)
{
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums;

  wmma::fill_fragment (sums, 7);
  for (int k = 0; k < n; k += 16)
    {
      wmma::load_matrix_sync (left, a + blockIdx.y * 16 * n + k, n);
      wmma::load_matrix_sync (right, b + blockIdx.x * 16 * n + k, n);
      wmma::mma_sync (sums, left, right, sums);
    }
  wmma::store_matrix_sync (c + blockIdx.y * 16 * n + blockIdx.x * 16, sums, n, wmma::mem_row_major);
}

extern "C" __global__ void
atomic_reference (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> sum (out[0]), most (out[1]), steps (out[2]);
  int old = steps.load (cuda::memory_order_relaxed);

  sum.fetch_add (in[i], cuda::memory_order_relaxed);
  most.fetch_max (in[i], cuda::memory_order_acq_rel);
  while (!steps.compare_exchange_weak (old, old + 2, cuda::memory_order_release, cuda::memory_order_relaxed))
    ;
  if (i == 9)
    cuda::atomic_ref<int, cuda::thread_scope_system> (out[3]).store (77, cuda::memory_order_release);
}

extern "C" __global__ void
wide_numbers (const unsigned long long *x, const unsigned long long *y, unsigned long long *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned __int128 a = (unsigned __int128) x[i] << 64 | y[i], b = (unsigned __int128) y[i] * x[i];
  unsigned __int128 sum = a + b, product = a * b, rest = sum % (x[i] | 1), turned = product << 13 | product >> 115;

  out[6 * i] = (unsigned long long) sum;
  out[6 * i + 1] = (unsigned long long) (sum >> 64);
  out[6 * i + 2] = (unsigned long long) product;
  out[6 * i + 3] = (unsigned long long) (product >> 64);
  out[6 * i + 4] = (unsigned long long) rest;
  out[6 * i + 5] = (unsigned long long) (turned >> 64) ^ (unsigned long long) turned;
}

extern "C" __global__ void
standard (const float2 *in, float2 *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::std::complex<float> z (in[i].x, in[i].y), power (1, 0);
  cuda::std::array<float, 4> table = { 1, 2, 3, 4 };
  auto both = cuda::std::make_tuple (z * z, cuda::std::norm (z));

  for (int j = 0; j < (i & 7); j++)
    power *= z;
  power += cuda::std::get<0> (both) * table[i & 3];
  out[i] = make_float2 (power.real (), power.imag () + cuda::std::get<1> (both));
}

extern "C" __global__ void
copy_async (const int *in, int *out)
{
  __shared__ alignas (16) int values[256];
  cg::thread_block block = cg::this_thread_block ();

  cg::memcpy_async (block, values, in + blockIdx.x * 256, sizeof values);
  cg::wait (block);
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    out[blockIdx.x * 256 + i] = values[255 - i];
}
