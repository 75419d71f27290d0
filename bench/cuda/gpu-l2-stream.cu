// SPDX-License-Identifier: MIT
// Streaming kernels in double precision over arrays that fit in L2, one element a thread, as measured on two GPUs by
// gpu-benches (bench/data/gpu-l2-stream-*.csv; written anew after its description). Shared memory of the launch sets how
// many blocks an SM holds; the kernels themselves use none.
// nvcc -ptx -arch=sm_75 gpu-l2-stream.cu

#define KERNEL extern "C" __global__ void
#define LENGTH 155584 // elements of an array: 2431 kB / 2 / 8

typedef const double *__restrict__ Input;

static __device__ int
element ()
{
  return (int)(blockIdx.x * blockDim.x + threadIdx.x) % LENGTH;
}

KERNEL
read (Input b, long n)
{
  int i = element ();
  double value;
  if (i < n) // nothing reads the value; the warp ends when it has come
    asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(value) : "l"(b + i));
  (void)value;
}

KERNEL
scale (double *__restrict__ a, Input b, long n)
{
  int i = element ();
  if (i < n)
    a[i] = b[i] * 1.2;
}

KERNEL
triad (double *__restrict__ a, Input b, Input c, Input d, long n)
{
  int i = element ();
  if (i < n)
    a[i] = b[i] * d[i] + c[i];
}

KERNEL
write (double *__restrict__ a, long n)
{
  int i = element ();
  if (i < n)
    a[i] = 0.23;
}
