// SPDX-License-Identifier: MIT
// Atomic operations: each kind on device and on shared memory, of 32 and 64 bits, on floats, doubles and pairs of
// halves, with and without the old value, at the scope of a block and of the system, and loops of compare-and-swap.
//
// case atomics_global: atomics_global<<<4, 96>>>(IN, OUT)
// case atomics_wide: atomics_wide<<<4, 96>>>(IN, OUT)
// case atomics_shared: atomics_shared<<<2, 128>>>(IN, OUT)
// case atomics_float: atomics_float<<<3, 64>>>(IN, F, D, H)
//   data: F=zeros D=zeros H=zeros
// case atomics_returned: atomics_returned<<<4, 64>>>(SLOTS, COUNT)
//   data: COUNT=zeros
// case atomics_loop: atomics_loop<<<3, 64>>>(IN, OUT)
//   data: OUT=zeros
// case atomics_scopes: atomics_scopes<<<3, 64>>>(IN, OUT)
//   data: OUT=zeros

extern "C" __global__ void
atomics_global (const unsigned *in, unsigned *out)
{
  unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];

  atomicAdd (out, value);
  atomicSub (out + 1, value);
  atomicMin ((int *) out + 2, (int) value);
  atomicMax ((int *) out + 3, (int) value);
  atomicMin (out + 4, value);
  atomicMax (out + 5, value);
  atomicAnd (out + 6, value | 0xf0f0);
  atomicOr (out + 7, value & 0x0ff00ff0);
  atomicXor (out + 8, value);
  atomicInc (out + 9, 100);
  atomicDec (out + 10, 50);
  atomicAdd (out + 11 + (value & 7), 1);
}

extern "C" __global__ void
atomics_wide (const unsigned long long *in, unsigned long long *out)
{
  unsigned long long value = in[blockIdx.x * blockDim.x + threadIdx.x];

  atomicAdd (out, value);
  atomicMin ((long long *) out + 1, (long long) value);
  atomicMax ((long long *) out + 2, (long long) value);
  atomicMin (out + 3, value);
  atomicMax (out + 4, value);
  atomicAnd (out + 5, value | 0xf0f0f0f0f0f0f0f0);
  atomicOr (out + 6, value & 0x00ff00ff00ff00ff);
  atomicXor (out + 7, value);
}

extern "C" __global__ void
atomics_shared (const int *in, unsigned long long *out)
{
  __shared__ unsigned narrow[12];
  __shared__ unsigned long long wide[4];
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];

  if (threadIdx.x < 12)
    narrow[threadIdx.x] = threadIdx.x == 4 || threadIdx.x == 6 ? ~0u : 0;
  if (threadIdx.x < 4)
    wide[threadIdx.x] = 0;
  __syncthreads ();
  atomicAdd (&narrow[0], (unsigned) value);
  atomicSub (&narrow[1], (unsigned) value);
  atomicMin ((int *) &narrow[2], value);
  atomicMax ((int *) &narrow[3], value);
  atomicMin (&narrow[4], (unsigned) value);
  atomicMax (&narrow[5], (unsigned) value);
  atomicAnd (&narrow[6], (unsigned) value | 0xff);
  atomicOr (&narrow[7], (unsigned) value & 0xff00);
  atomicXor (&narrow[8], (unsigned) value);
  atomicInc (&narrow[9], 30);
  atomicDec (&narrow[10], 30);
  atomicAdd (&narrow[11], atomicExch (&narrow[11], 0) + 1);
  atomicAdd (&wide[0], (unsigned long long) (long long) value);
  atomicMax ((long long *) &wide[1], (long long) value << 20);
  atomicXor (&wide[2], (unsigned long long) value << 16);
  if (threadIdx.x == 5)
    atomicCAS (&wide[3], 0ull, 77ull);
  __syncthreads ();
  if (threadIdx.x < 12)
    out[blockIdx.x * 16 + threadIdx.x] = narrow[threadIdx.x];
  if (threadIdx.x < 4)
    out[blockIdx.x * 16 + 12 + threadIdx.x] = wide[threadIdx.x];
}

#include <cuda_fp16.h>

/* Sums of small whole numbers, which no order of adding changes. */
extern "C" __global__ void
atomics_float (const int *in, float *f, double *d, __half2 *h)
{
  __shared__ float part;
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];

  if (threadIdx.x == 0)
    part = 0;
  __syncthreads ();
  atomicAdd (f + (value & 3), (float) value);
  atomicAdd (d + (value & 7), value * 0.5);
  atomicAdd (h + (value & 1), __floats2half2_rn ((float) (value & 1), 2.0f));
  atomicAdd (&part, (float) value);
  __syncthreads ();
  if (threadIdx.x == 0)
    atomicAdd (f + 4, part);
}

/* Each thread gets a place of its own. */
extern "C" __global__ void
atomics_returned (unsigned *slots, unsigned *count)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, place = atomicAdd (count, 1);

  slots[place] = i;
}

/* A product modulo 2^32 - 5 and a maximum of floats, by compare-and-swap. */
extern "C" __global__ void
atomics_loop (const float *in, unsigned *out)
{
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned old = out[0], seen;

  do
    {
      seen = old;
      if (__uint_as_float (seen) >= value)
        break;
      old = atomicCAS (out, seen, __float_as_uint (value));
    }
  while (old != seen);
  old = out[1];
  do
    {
      seen = old;
      old = atomicCAS (out + 1, seen, seen + (value > 0.5f ? 3 : 2));
    }
  while (old != seen);
}

extern "C" __global__ void
atomics_scopes (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  atomicAdd_block (out + blockIdx.x, in[i]);
  atomicAdd_system (out + 4, in[i]);
  atomicMax_system (out + 5, in[i]);
  atomicOr_block (out + 6 + blockIdx.x, in[i] & 0xff);
  out[16 + i] = atomicExch (out + 256 + i, in[i]);
}
