// SPDX-License-Identifier: MIT
// What only code without optimisation has: its fixtures are compiled without (fixtures.txt).
//
// case narrow_parameters: narrow_parameters<<<1, 64>>>(OUT, -3, 200, -300, 60000, -12)
// case bit_fields: bit_fields<<<2, 64>>>(IN, OUT)
// case calls_in_loops: calls_in_loops<<<2, 64>>>(IN, OUT)
// case barrier_by_hand: barrier_by_hand<<<2, 64>>>(IN, OUT)
//   from: 80
// case add_by_exchange: add_by_exchange<<<2, 64>>>(IN, OUT)
// case destructors: destructors<<<2, 64>>>(IN, OUT)
// case on_heap: on_heap<<<1, 32>>>(OUT)
//   check: refused

/* Several in one register, as bytes and halves of it. */
extern "C" __global__ void
narrow_parameters (double *out, signed char a, unsigned char b, short c, unsigned short d, signed char e)
{
  out[threadIdx.x] = a * 2.0 + b * 3.0 + c * 5.0 + d * 7.0 + e * 11.0 + threadIdx.x;
}

struct Fields
{
  unsigned low : 5, middle : 11, one : 1, high : 15;
  int sign : 7;
};

/* A structure in local memory, whose words are set some bits at a time. */
extern "C" __global__ void
bit_fields (const unsigned *in, unsigned *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  struct Fields fields;

  fields.low = in[i];
  fields.middle = in[i] >> 5;
  fields.one = i;
  fields.high = in[i] >> 17;
  fields.sign = i;
  fields.low += fields.middle;
  if (fields.low & 1)
    fields.sign -= 3;
  out[i] = fields.low + fields.middle * 3 + fields.one * 5 + fields.high * 7 + fields.sign * 11;
}

/* Lanes are at different depths, each in a loop that the others of its call wait for. */
__device__ __noinline__ unsigned
walk (int depth, unsigned state)
{
  unsigned sum = 0;

  if (depth == 0)
    return state & 15;
  for (int k = 0; k < 3; k++)
    {
      state = state * 1664525 + 1013904223;
      if (state >> 29 == 0)
        break;
      if (state >> 29 == 1)
        continue;
      sum += walk (depth - 1, state);
      if (sum > 1000)
        return sum;
    }
  return sum;
}

extern "C" __global__ void
calls_in_loops (const unsigned *in, unsigned *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = walk (5, in[i]);
}

/* The instruction that makes the barrier works on the warp: it is repeated for each address among its lanes. */
extern "C" __global__ void
barrier_by_hand (const int *in, int *out)
{
#if __CUDA_ARCH__ >= 800
  __shared__ unsigned long long barrier;
  __shared__ int values[64];
  unsigned at = (unsigned) __cvta_generic_to_shared (&barrier), done = 0;
  unsigned long long token;

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

/* On a generic address: of 64 bits, shared memory has exchanges by the same instruction, and no sums. */
extern "C" __global__ void
add_by_exchange (const unsigned *in, unsigned long long *out)
{
  __shared__ unsigned long long sum, more;
  unsigned value = in[blockIdx.x * 64 + threadIdx.x];
  unsigned long long found, expected;

  if (threadIdx.x == 0)
    sum = more = 0;
  __syncthreads ();
  found = sum;
  do
    {
      expected = found;
      found = atomicCAS (&sum, expected, expected + value);
    }
  while (found != expected);
  atomicAdd (&more, (unsigned long long) value * value);
  __syncthreads ();
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x % 2 ? sum : more;
}

struct Shape
{
  int size;
  __device__ Shape (int s) : size (s) {}
  __device__ virtual ~Shape () {}
  __device__ virtual int area () const { return size; }
};

struct Square : Shape
{
  __device__ Square (int s) : Shape (s) {}
  __device__ int area () const override { return size * size; }
};

/* The table of virtual functions has one that frees memory, which nobody calls. */
extern "C" __global__ void
destructors (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Shape shape (in[i]);
  Square square (in[i]);
  const Shape *one = in[i] & 1 ? &shape : &square;

  out[i] = one->area ();
}

extern "C" __global__ void
on_heap (int **out)
{
  out[threadIdx.x] = new int (7);
}
