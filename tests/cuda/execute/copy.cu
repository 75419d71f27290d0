// SPDX-License-Identifier: MIT
// Copies and saxpy: accesses of 1, 2, 4, 8 and 16 bytes a lane, guards, strides, grid-stride loops, and an index in
// 64 bits.
//
// case copy_bytes: copy_bytes<<<12, 128>>>(OUT, IN, 1500)
// case copy_shorts: copy_shorts<<<3, dim3(32, 8)>>>(OUT, IN, 700)
// case copy_float4: copy_float4<<<9, 64>>>(OUT, IN, 555)
// case copy_double2: copy_double2<<<dim3(2, 2), 96>>>(OUT, IN, 300)
// case copy_strided: copy_strided<<<4, 128>>>(OUT, IN, 512, 5)
// case copy_reversed: copy_reversed<<<8, 100>>>(OUT, IN, 777)
// case saxpy: saxpy<<<10, 256>>>(2500, 2.5f, X, Y)
// case saxpy_grid_stride: saxpy_grid_stride<<<3, 96>>>(5000, -0.75f, X, Y)
// case copy_iota: copy_float4<<<4, 32>>>(OUT, IN, 128)
//   data: IN=f32:iota

extern "C" __global__ void
copy_bytes (unsigned char *out, const unsigned char *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = in[i];
}

extern "C" __global__ void
copy_shorts (short *out, const short *in, int n)
{
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = -in[i];
}

extern "C" __global__ void
copy_float4 (float4 *out, const float4 *in, unsigned n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = in[i];
}

extern "C" __global__ void
copy_double2 (double2 *out, const double2 *in, long long n)
{
  long long i = (blockIdx.y * (long long) gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = make_double2 (in[i].y, in[i].x);
}

extern "C" __global__ void
copy_strided (int *out, const int *in, int n, int stride)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = in[i * stride];
}

extern "C" __global__ void
copy_reversed (long long *out, const long long *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[n - 1 - i] = in[i];
}

extern "C" __global__ void
saxpy (int n, float a, const float *x, float *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void
saxpy_grid_stride (int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}
