// SPDX-License-Identifier: MIT
// Sorting: bitonic in shared memory and over device memory (a launch for each step), by digits with ballots, odd-
// even, by merging, by counting, and a warp's by shuffles.
//
// case bitonic_shared: bitonic_shared<<<2, 128>>>(DATA)
// case bitonic_global: bitonic_global<<<2, 32>>>(DATA, 2, 1)
//   launch: bitonic_global<<<2, 32>>>(DATA, 4, 2)
//   launch: bitonic_global<<<2, 32>>>(DATA, 4, 1)
//   launch: bitonic_global<<<2, 32>>>(DATA, 8, 4)
//   launch: bitonic_global<<<2, 32>>>(DATA, 8, 2)
//   launch: bitonic_global<<<2, 32>>>(DATA, 8, 1)
//   launch: bitonic_global<<<2, 32>>>(DATA, 16, 8)
//   launch: bitonic_global<<<2, 32>>>(DATA, 16, 4)
//   launch: bitonic_global<<<2, 32>>>(DATA, 16, 2)
//   launch: bitonic_global<<<2, 32>>>(DATA, 16, 1)
//   launch: bitonic_global<<<2, 32>>>(DATA, 32, 16)
//   launch: bitonic_global<<<2, 32>>>(DATA, 32, 8)
//   launch: bitonic_global<<<2, 32>>>(DATA, 32, 4)
//   launch: bitonic_global<<<2, 32>>>(DATA, 32, 2)
//   launch: bitonic_global<<<2, 32>>>(DATA, 32, 1)
//   launch: bitonic_global<<<2, 32>>>(DATA, 64, 32)
//   launch: bitonic_global<<<2, 32>>>(DATA, 64, 16)
//   launch: bitonic_global<<<2, 32>>>(DATA, 64, 8)
//   launch: bitonic_global<<<2, 32>>>(DATA, 64, 4)
//   launch: bitonic_global<<<2, 32>>>(DATA, 64, 2)
//   launch: bitonic_global<<<2, 32>>>(DATA, 64, 1)
// case radix_sort: radix_sort<<<2, 128>>>(IN, OUT)
// case odd_even: odd_even<<<1, 64>>>(DATA, 100)
// case merge_sort: merge_sort<<<1, 64>>>(DATA, SCRATCH, 200)
// case counting_sort: counting_sort<<<1, 128>>>(IN, OUT, 300)
// case warp_sort: warp_sort<<<2, 64>>>(IN, OUT)

extern "C" __global__ void
bitonic_shared (unsigned *data)
{
  __shared__ unsigned values[256];

  for (int i = threadIdx.x; i < 256; i += 128)
    values[i] = data[blockIdx.x * 256 + i];
  for (int size = 2; size <= 256; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2)
      {
        int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
        bool ascending = (low & size) == 0;

        __syncthreads ();
        if ((values[low] > values[high]) == ascending)
          {
            unsigned swap = values[low];

            values[low] = values[high];
            values[high] = swap;
          }
      }
  __syncthreads ();
  for (int i = threadIdx.x; i < 256; i += 128)
    data[blockIdx.x * 256 + i] = values[i];
}

extern "C" __global__ void
bitonic_global (float *data, int size, int stride)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;

  if (other > i && (data[i] > data[other]) == ((i & size) == 0))
    {
      float swap = data[i];

      data[i] = data[other];
      data[other] = swap;
    }
}

/* 128 words a block, bit by bit, stable: a ballot and a sum over warps say where each goes. */
extern "C" __global__ void
radix_sort (const unsigned *in, unsigned *out)
{
  __shared__ unsigned values[128];
  __shared__ int zeros[4];
  int x = threadIdx.x, lane = x % 32, warp = x / 32;
  unsigned value = in[blockIdx.x * 128 + x];

  for (int bit = 0; bit < 32; bit++)
    {
      bool is_one = value >> bit & 1;
      unsigned ballot = __ballot_sync (~0u, !is_one);
      int before = __popc (ballot & ((1u << lane) - 1)), all = 0, place;

      if (lane == 0)
        zeros[warp] = __popc (ballot);
      __syncthreads ();
      for (int i = 0; i < 4; i++)
        {
          if (i < warp)
            before += zeros[i];
          all += zeros[i];
        }
      place = is_one ? all + x - before : before;
      values[place] = value;
      __syncthreads ();
      value = values[x];
    }
  out[blockIdx.x * 128 + x] = value;
}

extern "C" __global__ void
odd_even (short *data, int n)
{
  for (int step = 0; step < n; step++)
    {
      int i = 2 * threadIdx.x + step % 2;

      if (i + 1 < n && data[i] > data[i + 1])
        {
          short swap = data[i];

          data[i] = data[i + 1];
          data[i + 1] = swap;
        }
      __syncthreads ();
    }
}

extern "C" __global__ void
merge_sort (int *data, int *scratch, int n)
{
  for (int width = 1; width < n; width *= 2)
    {
      for (int first = threadIdx.x * 2 * width; first < n; first += blockDim.x * 2 * width)
        {
          int middle = min (first + width, n), last = min (first + 2 * width, n), left = first, right = middle;

          for (int i = first; i < last; i++)
            if (left < middle && (right >= last || data[left] <= data[right]))
              scratch[i] = data[left++];
            else
              scratch[i] = data[right++];
        }
      __syncthreads ();
      for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = scratch[i];
      __syncthreads ();
    }
}

/* Bytes: a histogram, its prefix sums by one thread, and each thread writes the run of its value. */
extern "C" __global__ void
counting_sort (const unsigned char *in, unsigned char *out, int n)
{
  __shared__ int counts[128], starts[129];

  counts[threadIdx.x] = 0;
  __syncthreads ();
  for (int i = threadIdx.x; i < n; i += 128)
    atomicAdd (&counts[in[i] & 127], 1);
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      starts[0] = 0;
      for (int i = 0; i < 128; i++)
        starts[i + 1] = starts[i] + counts[i];
    }
  __syncthreads ();
  for (int i = starts[threadIdx.x]; i < starts[threadIdx.x + 1]; i++)
    out[i] = threadIdx.x;
}

extern "C" __global__ void
warp_sort (const long long *in, long long *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  long long value = in[i];

  for (int size = 2; size <= 32; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2)
      {
        long long other = __shfl_xor_sync (~0u, value, stride);
        bool keeps_less = ((lane & stride) == 0) == ((lane & size) == 0);

        value = keeps_less ? min (value, other) : max (value, other);
      }
  out[i] = value;
}
