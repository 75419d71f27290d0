// SPDX-License-Identifier: MIT
// Transposes of a matrix of floats: straight, through shared memory with and without a column of padding, and of
// bytes.
//
// case transpose_naive: transpose_naive<<<dim3(2, 3), dim3(32, 8)>>>(IN, OUT, 64, 96)
// case transpose_tiled: transpose_tiled<<<dim3(2, 3), dim3(32, 8)>>>(IN, OUT, 64, 96)
// case transpose_padded: transpose_padded<<<dim3(2, 3), dim3(32, 8)>>>(IN, OUT, 64, 96)
// case transpose_bytes: transpose_bytes<<<dim3(3, 3), dim3(16, 16)>>>(IN, OUT, 40)

extern "C" __global__ void
transpose_naive (const float *in, float *out, int width, int height)
{
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

  for (int j = 0; j < 32; j += 8)
    out[x * height + y + j] = in[(y + j) * width + x];
}

template <int PAD>
__device__ void
transpose (const float *in, float *out, int width, int height)
{
  __shared__ float tile[32][32 + PAD];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads ();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void
transpose_tiled (const float *in, float *out, int width, int height)
{
  transpose<0> (in, out, width, height);
}

extern "C" __global__ void
transpose_padded (const float *in, float *out, int width, int height)
{
  transpose<1> (in, out, width, height);
}

extern "C" __global__ void
transpose_bytes (const unsigned char *in, unsigned char *out, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

  if (x < n && y < n)
    out[x * n + y] = in[y * n + x];
}
