// SPDX-License-Identifier: MIT
// Streaming kernels in double precision, one element a thread, as measured on many GPUs by gpu-benches
// (bench/data/gpu-stream-*.csv; written anew after its description). Shared memory of the launch sets how many blocks
// an SM holds; the kernels themselves use none. Edges of the stencils lie inside the array: it is longer by four.
// nvcc -ptx -arch=sm_75 gpu-stream.cu

#define KERNEL extern "C" __global__ void

typedef const double *__restrict__ Input;

static __device__ long
element ()
{
  return blockIdx.x * (long)blockDim.x + threadIdx.x;
}

KERNEL
init (double *__restrict__ a, long n)
{
  long i = element ();
  if (i < n)
    a[i] = 0.5;
}

KERNEL
read (Input b, long n)
{
  long i = element ();
  double value;
  if (i < n) // nothing reads the value; the warp ends when it has come
    asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(value) : "l"(b + i));
  (void)value;
}

KERNEL
scale (double *__restrict__ a, Input b, long n)
{
  long i = element ();
  if (i < n)
    a[i] = 0.5 * b[i];
}

KERNEL
triad (double *__restrict__ a, Input b, Input c, Input d, long n)
{
  long i = element ();
  if (i < n)
    a[i] = b[i] * d[i] + c[i];
}

KERNEL
pt3 (double *__restrict__ a, Input b, long n)
{
  long i = element ();
  if (i >= n)
    return;
  double x = b[i], y = b[i + 1], z = b[i + 2];
  asm("" : "+d"(x), "+d"(y), "+d"(z));
  a[i] = 0.5 * x - y + 0.25 * z;
}

KERNEL
pt5 (double *__restrict__ a, Input b, long n)
{
  long i = element ();
  if (i >= n)
    return;
  double v = b[i], w = b[i + 1], x = b[i + 2], y = b[i + 3], z = b[i + 4];
  asm("" : "+d"(v), "+d"(w), "+d"(x), "+d"(y), "+d"(z));
  a[i] = 0.25 * v + 0.5 * w - x + 0.5 * y + 0.25 * z;
}

// In an older version of the benchmark, which an H100 was measured with.
KERNEL
triad3 (double *__restrict__ a, Input b, Input c, long n)
{
  long i = element ();
  if (i < n)
    a[i] = 0.5 * b[i] + c[i];
}
