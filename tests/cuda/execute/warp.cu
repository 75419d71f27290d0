// SPDX-License-Identifier: MIT
// What lanes of a warp tell one another: votes, shuffles of every kind and width, match, reductions by instruction
// (redux), and loops that each lane leaves on its own.
//
// case votes: votes<<<3, 96>>>(IN, OUT)
// case shuffles: shuffles<<<2, 64>>>(IN, OUT)
// case matches: matches<<<2, 128>>>(IN, OUT)
// case redux: redux<<<2, 64>>>(IN, OUT)
//   from: 80
// case collatz: collatz<<<3, 64>>>(IN, OUT, 180)
// case compact: compact<<<4, 64>>>(IN, OUT, COUNT, 250)
//   data: COUNT=zeros
// case nested: nested<<<2, 96>>>(IN, OUT)
// case one_at_a_time: one_at_a_time<<<1, 64>>>(IN, OUT)

extern "C" __global__ void
votes (const int *in, unsigned *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];

  out[8 * i] = __ballot_sync (~0u, value > 0);
  out[8 * i + 1] = __any_sync (~0u, value > 90);
  out[8 * i + 2] = __all_sync (~0u, value > -90);
  out[8 * i + 3] = __ballot_sync (~0u, value & 1) & ((1u << threadIdx.x % 32) - 1);
  if (value > 0)
    out[8 * i + 4] = __activemask ();
  else
    out[8 * i + 4] = __popc (__activemask ());
  __syncwarp ();
  out[8 * i + 5] = __syncthreads_count (value > 20);
  out[8 * i + 6] = __syncthreads_and (value > -95);
  out[8 * i + 7] = __syncthreads_or (value > 95);
}

extern "C" __global__ void
shuffles (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, value = in[i];
  double wide = value * 1.5;
  float narrow = value * 0.25f;

  out[10 * i] = __shfl_sync (~0u, value, value & 31);
  out[10 * i + 1] = __shfl_sync (~0u, value, lane / 2, 8);
  out[10 * i + 2] = __shfl_up_sync (~0u, value, 3);
  out[10 * i + 3] = __shfl_up_sync (~0u, value, 2, 16);
  out[10 * i + 4] = __shfl_down_sync (~0u, value, 5);
  out[10 * i + 5] = __shfl_down_sync (~0u, value, 1, 4);
  out[10 * i + 6] = __shfl_xor_sync (~0u, value, 21);
  out[10 * i + 7] = __shfl_xor_sync (~0u, value, 9, 16);
  out[10 * i + 8] = (int) __shfl_sync (~0u, wide, 31 - lane);
  out[10 * i + 9] = (int) __shfl_xor_sync (~0u, narrow, 1);
}

extern "C" __global__ void
matches (const int *in, unsigned *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i], same;

  out[4 * i] = __match_any_sync (~0u, value & 3);
  out[4 * i + 1] = __match_any_sync (~0u, (unsigned long long) (value & 7) << 35);
  out[4 * i + 2] = __match_all_sync (~0u, value >> 31, &same);
  out[4 * i + 3] = same;
}

extern "C" __global__ void
redux (const int *in, unsigned *out)
{
#if __CUDA_ARCH__ >= 800
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];

  out[8 * i] = __reduce_add_sync (~0u, value);
  out[8 * i + 1] = __reduce_min_sync (~0u, value);
  out[8 * i + 2] = __reduce_max_sync (~0u, (unsigned) value);
  out[8 * i + 3] = __reduce_and_sync (~0u, (unsigned) value | 0xff);
  out[8 * i + 4] = __reduce_or_sync (~0u, (unsigned) value & 0xff00);
  out[8 * i + 5] = __reduce_xor_sync (~0u, (unsigned) value);
  out[8 * i + 6] = 0;
  if (threadIdx.x % 32 < 11)
    out[8 * i + 6] = __reduce_add_sync (0x7ff, (unsigned) value);
  out[8 * i + 7] = __reduce_max_sync (~0u, value);
#endif
}

/* Steps of 3 n + 1 to one: each lane leaves the loop on its own. */
extern "C" __global__ void
collatz (const unsigned *in, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value, steps = 0;

  if (i >= n)
    return;
  value = in[i];
  while (value != 1)
    {
      if (value & 1)
        value = 3 * value + 1;
      else
        value >>= 1;
      steps++;
    }
  out[i] = steps;
}

/* Keeps the odd ones: one atomic for each warp. The order among warps is that in which they came. */
extern "C" __global__ void
compact (const int *in, int *out, int *count, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keeps = i < n && in[i] % 2 != 0;
  unsigned mask = __ballot_sync (~0u, keeps);
  int base = 0;

  if (lane == 0 && mask != 0)
    base = atomicAdd (count, __popc (mask));
  base = __shfl_sync (~0u, base, 0);
  if (keeps)
    out[base + __popc (mask & ((1u << lane) - 1))] = in[i];
}

/* Branches within loops within branches, with break, continue and an early return. */
extern "C" __global__ void
nested (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i], sum = 0;

  out[i] = -1;
  for (int j = 0; j < (value & 15); j++)
    {
      if ((j ^ value) % 3 == 0)
        continue;
      for (int k = j; k < 10; k++)
        {
          if (((k * value) & 31) == 7)
            break;
          sum += k % 2 ? k * j : -k;
          if (sum > 200)
            return;
        }
      if (sum < -100)
        break;
    }
  switch (value & 7)
    {
    case 0:
      sum += 1000;
      break;
    case 3:
      sum -= 77;
      /* fall through */
    case 4:
      sum *= 3;
      break;
    case 6:
      return;
    default:
      sum ^= 0x55;
    }
  out[i] = sum;
}

/* Lanes take turns: each iteration serves one lane and all that have its value. */
extern "C" __global__ void
one_at_a_time (const int *in, int *out)
{
  int lane = threadIdx.x % 32, value = in[threadIdx.x] & 7, turn = 0;
  unsigned left = __activemask ();
  bool waits = true;

  while (waits)
    {
      int leader = __ffs (left) - 1, chosen = __shfl_sync (left, value, leader);

      turn++;
      if (value == chosen)
        waits = false;
      left = __ballot_sync (left, waits);
    }
  out[threadIdx.x] = turn * 100 + lane;
}
