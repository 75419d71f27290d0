// SPDX-License-Identifier: MIT
// Calls: through pointers in a table, not inlined, recursive, virtual; jump tables of large switches; a stack of
// one's own; what is called gets a pointer to a parameter of the kernel.
//
// case call_table: call_table<<<3, 64>>>(IN, OUT)
// case call_recursive: call_recursive<<<2, 48>>>(IN, OUT)
// case call_virtual: call_virtual<<<2, 64>>>(IN, OUT)
// case switch_table: switch_table<<<4, 64>>>(IN, OUT)
// case interpret: interpret<<<2, 64>>>(CODE, OUT, 24)
// case quicksort: quicksort<<<1, 32>>>(IN, OUT)
// case ackermann: ackermann<<<1, 32>>>(OUT)
// case parameter_pointer: parameter_pointer<<<2, 32>>>(3, {5, {2, 3, 5, 7, 11, 13, 17}, OUT})
// case tiles: tiles<<<8, 32>>>(UNKNOWN, SUMS, OUT, 32, 3, 3)
#include <cassert>

typedef int (*Operation) (int, int);

__device__ __noinline__ int
add_both (int a, int b)
{
  return a + b;
}

__device__ __noinline__ int
subtract (int a, int b)
{
  return a - b;
}

__device__ __noinline__ int
multiply (int a, int b)
{
  return a * b + 1;
}

__device__ __noinline__ int
mix (int a, int b)
{
  for (int i = 0; i < (b & 3); i++)
    a = add_both (a, multiply (a, i));
  return a;
}

__device__ Operation operations[4] = { add_both, subtract, multiply, mix };

extern "C" __global__ void
call_table (const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = operations[in[i] & 3](in[i], i);
}

__device__ __noinline__ unsigned
fibonacci (unsigned n)
{
  return n < 2 ? n : fibonacci (n - 1) + fibonacci (n - 2);
}

extern "C" __global__ void
call_recursive (const unsigned *in, unsigned *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  out[i] = fibonacci (in[i] % 12);
}

struct Shape
{
  __device__ virtual float area () const = 0;
};

struct Square : Shape
{
  float side;
  __device__ Square (float s) : side (s) {}
  __device__ float area () const override { return side * side; }
};

struct Triangle : Shape
{
  float base, height;
  __device__ Triangle (float b, float h) : base (b), height (h) {}
  __device__ float area () const override { return base * height * 0.5f; }
};

extern "C" __global__ void
call_virtual (const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square (in[i]);
  Triangle triangle (in[i], 4.0f);
  const Shape *shape = in[i] > 0.5f ? (const Shape *) &square : &triangle;

  out[i] = shape->area ();
}

extern "C" __global__ void
switch_table (const unsigned *in, unsigned *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[i];

  switch (value % 13)
    {
    case 0: value = value * 3 + 1; break;
    case 1: value = value ^ 0x1234; break;
    case 2: value = value >> 3; break;
    case 3: value = __popc (value); break;
    case 4: value = value / 77; break;
    case 5: value = ~value; break;
    case 6: value = value * value; break;
    case 7: value = __brev (value); break;
    case 8: value = value % 1009; break;
    case 9: value = value << 5 | value >> 27; break;
    case 10: value = 10 - value; break;
    case 11: value = __clz (value); break;
    default: value = value & 0xf0f0f0f0; break;
    }
  out[i] = value;
}

/* A machine with a stack: the program's bytes choose what is done. */
extern "C" __global__ void
interpret (const unsigned char *code, int *out, int n)
{
  int stack[16], top = 0, i = blockIdx.x * blockDim.x + threadIdx.x;

  for (int at = 0; at < n; at++)
    switch (code[at])
      {
      case 0: stack[top++] = i; break;
      case 1: stack[top++] = at; break;
      case 2: top--; stack[top - 1] += stack[top]; break;
      case 3: top--; stack[top - 1] -= stack[top]; break;
      case 4: top--; stack[top - 1] *= stack[top]; break;
      case 5: stack[top] = stack[top - 1]; top++; break;
      case 6: if (stack[top - 1] & 1) at++; break;
      case 7: stack[top - 1] = stack[top - 1] * 2 + 1; break;
      case 8: stack[top - 1] ^= 0x2a; break;
      default: at = n;
      }
  out[i] = top > 0 ? stack[top - 1] : -1;
}

__device__ __noinline__ void
sort_range (short *values, int low, int high)
{
  while (low < high)
    {
      short pivot = values[(low + high) / 2];
      int left = low, right = high;

      while (left <= right)
        {
          while (values[left] < pivot)
            left++;
          while (values[right] > pivot)
            right--;
          if (left <= right)
            {
              short swap = values[left];

              values[left++] = values[right];
              values[right--] = swap;
            }
        }
      sort_range (values, low, right);
      low = left;
    }
}

/* Each thread sorts 24 numbers in its own local memory. */
extern "C" __global__ void
quicksort (const short *in, short *out)
{
  short values[24];

  for (int i = 0; i < 24; i++)
    values[i] = in[threadIdx.x * 24 + i];
  sort_range (values, 0, 23);
  for (int i = 0; i < 24; i++)
    out[threadIdx.x * 24 + i] = values[i];
}

__device__ __noinline__ int
reckon (int m, int n)
{
  return m == 0 ? n + 1 : reckon (m - 1, n == 0 ? 1 : reckon (m, n - 1));
}

extern "C" __global__ void
ackermann (int *out)
{
  out[threadIdx.x] = reckon (threadIdx.x % 3, threadIdx.x / 3 % 5);
}

struct Primes
{
  int shift, numbers[7], *out;
};

__device__ __noinline__ void
put_prime (const Primes *primes, int i)
{
  primes->out[i] = primes->numbers[i % 7] << primes->shift;
}

extern "C" __global__ void
parameter_pointer (int shift, const __grid_constant__ Primes primes)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  put_prime (&primes, i);
  primes.out[i] += shift;
}

struct Tile
{
  int row, column;
  bool is_there;
};

static __device__ Tile
find_tile (unsigned index, unsigned n_tiles, int bits)
{
  if (index >= n_tiles)
    return { -1, -1, false };
  return { (int)(index >> bits), (int)(index & ((1u << bits) - 1)), true };
}

// Whether there is a tile is a bool in a part of a register that held sums before, and is looked at behind the call of
// assert().
extern "C" __global__ void __maxnreg__ (56)
tiles (const float *in, float *sums_out, int *out, unsigned n_tiles, int bits, int depth)
{
  unsigned index = blockIdx.x;
  Tile tile = find_tile (index, n_tiles, bits);

  while (tile.is_there)
    {
      float sums[31] = {};

      assert (depth > 0);
      for (int k = 0; k < depth; k++)
        for (int j = 0; j < 31; j++)
          sums[j] += in[((tile.row * depth + k) * 31 + j) * 32 + threadIdx.x]
                     * in[tile.column * 32 + threadIdx.x];
      for (int j = 0; j < 31; j++)
        sums_out[(((tile.row << bits) + tile.column) * 31 + j) * 32 + threadIdx.x] = sums[j];
      out[index * 32 + threadIdx.x] = (int)(index + threadIdx.x);
      index += gridDim.x;
      tile = find_tile (index, n_tiles, bits);
    }
}
