// SPDX-License-Identifier: MIT
// What CUDA C++ offers besides: local arrays, structures by value, unions, constant and device variables that
// launches share, templates, dynamic shared memory of two types, lambdas, special registers, generic addresses,
// clocks, vectors of bytes.
//
// case local_arrays: local_arrays<<<2, 48>>>(IN, OUT)
// case by_value: by_value<<<2, 64>>>({3, 2.5f, {1, 2, 3, 4}, (char) 7, 1.25}, OUT)
// case variables: count_up<<<2, 32>>>(5)
//   launch: count_up<<<3, 32>>>(-2)
//   launch: show_variables<<<1, 64>>>(OUT)
// case constants: constants<<<2, 64>>>(OUT)
//   data: weights=file
// case templates: _Z4fillIiLi3EEvPT_i<<<2, 64>>>(OUT, 11)
// case templates_double: fill<double, 7><<<2, 64>>>(OUT, 11)
// case dynamic_shared: dynamic_shared<<<2, 64, 64 * 12>>>(IN, OUT)
// case special_registers: special_registers<<<dim3(2, 3, 2), dim3(4, 5, 6)>>>(OUT)
// case generic: generic<<<2, 64>>>(IN, OUT)
// case pointers: pointers<<<2, 64>>>(IN, OUT)
// case many_parameters: many_parameters<<<1, 32>>>(OUT, 1, -2, 3, 4.5f, 5.25, -6, 7, 8, 9, 10, 1, -12)
// case lambdas: lambdas<<<2, 64>>>(IN, OUT)

extern "C" __global__ void
local_arrays (const unsigned char *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, counts[16], sum = 0;
  long long wide[5] = { 1, 2, 3, 4, 5 };

  for (int j = 0; j < 16; j++)
    counts[j] = 0;
  for (int j = 0; j < 20; j++)
    {
      int value = in[i * 20 + j];

      counts[value & 15] += j;
      wide[value % 5] += counts[value >> 4];
    }
  for (int j = 0; j < 16; j++)
    sum = sum * 3 + counts[j];
  out[2 * i] = sum;
  out[2 * i + 1] = (int) (wide[0] ^ wide[1] << 1 ^ wide[2] << 2 ^ wide[in[i * 20] % 5] << 3);
}

struct Settings
{
  int count;
  float scale;
  int table[4];
  char tag;
  double shift;
};

extern "C" __global__ void
by_value (Settings settings, double *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = settings.shift;

  for (int j = 0; j < settings.count; j++)
    sum += settings.table[(i + j) & 3] * settings.scale;
  out[i] = sum + settings.tag;
}

__device__ int total = 100;
__device__ int slots[64];
__device__ double ratio = 0.375;

extern "C" __global__ void
count_up (int step)
{
  atomicAdd (&total, step);
  slots[blockIdx.x * 2 + (threadIdx.x & 1)] = step * 10 + blockIdx.x;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    ratio += step;
}

extern "C" __global__ void
show_variables (double *out)
{
  out[threadIdx.x] = slots[threadIdx.x] + total * 1000.0 + ratio;
}

__constant__ float weights[32];
__constant__ int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
__constant__ struct
{
  short a;
  long long b;
} pair = { -7, 1ll << 40 };

extern "C" __global__ void
constants (double *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = weights[i & 31] * primes[i & 7] + primes[3] + pair.a + (double) pair.b;
}

template <typename T, int FACTOR>
__global__ void
fill (T *out, int shift)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = (T) (i * FACTOR + shift) / 2;
}

template __global__ void fill<int, 3> (int *, int);
template __global__ void fill<double, 7> (double *, int);

extern "C" __global__ void
dynamic_shared (const int *in, double *out)
{
  extern __shared__ double doubles[];
  int *whole = (int *) (doubles + blockDim.x), x = threadIdx.x, i = blockIdx.x * blockDim.x + x;

  whole[x] = in[i];
  doubles[x] = in[i] * 0.5;
  __syncthreads ();
  out[i] = doubles[blockDim.x - 1 - x] + whole[(x + 1) % blockDim.x];
}

extern "C" __global__ void
special_registers (unsigned *out)
{
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x, lane, below;

  asm ("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm ("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  out += (block * 120 + thread) * 4;
  out[0] = threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 16 | blockIdx.z << 20;
  out[1] = blockDim.x | blockDim.y << 4 | blockDim.z << 8 | gridDim.x << 12 | gridDim.y << 16 | gridDim.z << 20;
  out[2] = lane | warpSize << 8;
  out[3] = below;
}

__device__ __noinline__ int
sum_of (const int *values, int n)
{
  int sum = 0;

  for (int i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

/* One function adds up device, shared and local memory and constants by generic addresses. */
extern "C" __global__ void
generic (const int *in, int *out)
{
  __shared__ int shared[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x, local[4], k = i % 5;
  const int *from[5] = { in + i, shared + (threadIdx.x & 60), local, in + 64, primes + (i & 3) };

  shared[threadIdx.x] = in[i] * 2;
  for (int j = 0; j < 4; j++)
    local[j] = in[(i + j) % 128] ^ j;
  __syncthreads ();
  out[i] = sum_of (from[k], k == 0 ? 1 : 4) + (__isShared (from[k]) ? 1000 : 0) + (__isGlobal (from[k]) ? 2000 : 0)
           + (__isLocal (from[k]) ? 3000 : 0) + (__isConstant (from[k]) ? 4000 : 0);
}

struct Node
{
  int value;
  const Node *next;
};

/* A list that the kernel links in shared memory and then follows. */
extern "C" __global__ void
pointers (const int *in, int *out)
{
  __shared__ Node nodes[64];
  int x = threadIdx.x, sum = 0;

  nodes[x].value = in[blockIdx.x * 64 + x];
  nodes[x].next = (x & 7) == 7 ? nullptr : &nodes[x + 1];
  __syncthreads ();
  for (const Node *node = &nodes[x]; node != nullptr; node = node->next)
    sum = sum * 2 + node->value;
  out[blockIdx.x * 64 + x] = sum;
}

extern "C" __global__ void
many_parameters (double *out, char a, short b, int c, float d, double e, long long f, unsigned char g, unsigned short h,
                 unsigned i, unsigned long long j, bool k, signed char l)
{
  out[threadIdx.x] = a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11 + l * 12.0
                     + threadIdx.x;
}

template <typename F>
__device__ void
each (int n, F function)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    function (i);
}

extern "C" __global__ void
lambdas (const int *in, int *out)
{
  int shift = in[0];

  each (300, [=] (int i) { out[i] = in[i] * 3 - shift; });
}
