// SPDX-License-Identifier: MIT
// Kernels on CUB's collectives, as libraries have them: blocks that load, reduce, scan, sort, select and count, and warps.
//
// case cub_reduce: cub_reduce<<<3, 128>>>(IN, OUT)
// case cub_scan: cub_scan<<<2, 128>>>(IN, OUT)
// case cub_sort: cub_sort<<<2, 64>>>(KEYS, VALUES)
// case cub_warp: cub_warp<<<2, 64>>>(IN, OUT)
// case cub_histogram: cub_histogram<<<1, 128>>>(IN, OUT)
// case cub_differences: cub_differences<<<1, 128>>>(IN, OUT)
// case cub_merge_sort: cub_merge_sort<<<2, 64>>>(DATA)
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

extern "C" __global__ void
cub_reduce (const int *in, int *out)
{
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ union
  {
    Load::TempStorage load;
    Reduce::TempStorage reduce;
  } storage;
  int items[4], sum;

  Load (storage.load).Load (in + blockIdx.x * 512, items);
  __syncthreads ();
  sum = Reduce (storage.reduce).Sum (items);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

extern "C" __global__ void
cub_scan (const long long *in, long long *out)
{
  using Load = cub::BlockLoad<long long, 128, 3, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<long long, 128, 3, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<long long, 128, cub::BLOCK_SCAN_RAKING>;
  __shared__ union
  {
    Load::TempStorage load;
    Store::TempStorage store;
    Scan::TempStorage scan;
  } storage;
  long long items[3];

  Load (storage.load).Load (in + blockIdx.x * 384, items);
  __syncthreads ();
  Scan (storage.scan).InclusiveSum (items, items);
  __syncthreads ();
  Store (storage.store).Store (out + blockIdx.x * 384, items);
}

/* Pairs by key, in place. */
extern "C" __global__ void
cub_sort (unsigned *keys, int *values)
{
  using Sort = cub::BlockRadixSort<unsigned, 64, 4, int>;
  __shared__ Sort::TempStorage storage;
  unsigned key[4];
  int value[4];

  for (int i = 0; i < 4; i++)
    {
      key[i] = keys[blockIdx.x * 256 + threadIdx.x * 4 + i];
      value[i] = values[blockIdx.x * 256 + threadIdx.x * 4 + i];
    }
  Sort (storage).Sort (key, value);
  for (int i = 0; i < 4; i++)
    {
      keys[blockIdx.x * 256 + threadIdx.x * 4 + i] = key[i];
      values[blockIdx.x * 256 + threadIdx.x * 4 + i] = value[i];
    }
}

extern "C" __global__ void
cub_warp (const double *in, double *out)
{
  using Reduce = cub::WarpReduce<double>;
  using Scan = cub::WarpScan<int>;
  __shared__ Reduce::TempStorage reduce[2];
  __shared__ Scan::TempStorage scan[2];
  int i = blockIdx.x * 64 + threadIdx.x, warp = threadIdx.x / 32, before;
  double most = Reduce (reduce[warp]).Reduce (in[i], [] (double a, double b) { return a > b ? a : b; });

  Scan (scan[warp]).ExclusiveSum ((int) in[i], before);
  out[i] = before + __shfl_sync (~0u, most, 0);
}

extern "C" __global__ void
cub_histogram (const unsigned char *in, unsigned *out)
{
  using Histogram = cub::BlockHistogram<unsigned char, 128, 4, 32, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ Histogram::TempStorage storage;
  __shared__ unsigned counts[32];
  unsigned char items[4];

  for (int i = 0; i < 4; i++)
    items[i] = in[threadIdx.x * 4 + i];
  Histogram (storage).Histogram (items, counts);
  __syncthreads ();
  if (threadIdx.x < 32)
    out[threadIdx.x] = counts[threadIdx.x];
}

extern "C" __global__ void
cub_differences (const int *in, int *out)
{
  using Difference = cub::BlockAdjacentDifference<int, 128>;
  __shared__ Difference::TempStorage storage;
  int items[2] = { in[threadIdx.x * 2], in[threadIdx.x * 2 + 1] }, result[2];

  Difference (storage).SubtractLeft (items, result, [] (int a, int b) { return a - b; });
  out[threadIdx.x * 2] = result[0];
  out[threadIdx.x * 2 + 1] = result[1];
}

extern "C" __global__ void
cub_merge_sort (float *data)
{
  using Sort = cub::BlockMergeSort<float, 64, 3>;
  __shared__ Sort::TempStorage storage;
  float items[3];

  for (int i = 0; i < 3; i++)
    items[i] = data[blockIdx.x * 192 + threadIdx.x * 3 + i];
  Sort (storage).Sort (items, [] (float a, float b) { return a > b; });
  for (int i = 0; i < 3; i++)
    data[blockIdx.x * 192 + threadIdx.x * 3 + i] = items[i];
}
