// SPDX-License-Identifier: MIT
// Loops in the shapes that nvcc gives them: behind guards, unrolled with a remainder, in a tree whose rounds the launch
// counts, left early, two on a line.

// One thread adds up a column: unrolled, and the remainder either a loop or straight-line code.
extern "C" __global__ void
column_sums (const float *a, float *out, int n)
{
  float sum = 0;

  for (int i = 0; i < n; i++)
    sum += a[i * 128 + threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// A tree over the threads of a block, however many there are.
extern "C" __global__ void
tree (const float *in, float *out)
{
  __shared__ float part[1024];
  int t = threadIdx.x;

  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads ();
  for (int half = blockDim.x / 2; half > 0; half >>= 1)
    {
      if (t < half)
        part[t] += part[t + half];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

// Rows of a sparse matrix: a loop in a guard, from what is loaded to what is loaded.
extern "C" __global__ void
sparse_rows (const int *begins, const int *columns, const float *values, const float *x, float *y, int rows)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;

  if (row < rows)
    {
      float sum = 0;

      for (int i = begins[row]; i < begins[row + 1]; i++)
        sum += values[i] * x[columns[i]];
      y[row] = sum;
    }
}

// A search, left by break.
extern "C" __global__ void
search (const int *keys, int *out, int n, int key)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = 0;

  while (i < n)
    {
      if (keys[i * 32 + t] == key)
        break;
      i++;
    }
  out[t] = i;
}

// An early return, then two loops on a line.
extern "C" __global__ void
two_loops (const float *a, const float *b, float *out, int n, int m)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, product = 1;

  if (t >= n)
    return;
#define EACH(I, N) _Pragma ("unroll 1") for (int I = 0; I < N; I++)
  EACH (i, n) sum += a[i * 256 + t]; EACH (j, m) product *= b[j * 256 + t];
  out[t] = sum + product;
}
