// SPDX-License-Identifier: MIT
// Rows of matrices: softmax, the same online (maximum and sum in one pass), layer norm, RMS norm with halves, GELU,
// and attention of one query.
//
// case softmax: softmax<<<6, 128>>>(IN, OUT, 300)
// case softmax_online: softmax_online<<<3, dim3(32, 4)>>>(IN, OUT, 10, 75)
// case layer_norm: layer_norm<<<5, 96>>>(IN, GAIN, BIAS, OUT, 200)
// case rms_norm: rms_norm<<<5, 64>>>(IN, OUT, 128)
// case gelu: gelu<<<4, 64>>>(IN, OUT, 250)
// case attention: attention<<<3, 32>>>(Q, K, V, OUT, 40)
#include <cuda_fp16.h>

__device__ float
largest_of_block (float value)
{
  __shared__ float parts[32];
  int lane = threadIdx.x % 32;

  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf (value, __shfl_xor_sync (~0u, value, offset));
  if (lane == 0)
    parts[threadIdx.x / 32] = value;
  __syncthreads ();
  value = lane < blockDim.x / 32 ? parts[lane] : -INFINITY;
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf (value, __shfl_xor_sync (~0u, value, offset));
  return value;
}

__device__ float
sum_of_block (float value)
{
  __shared__ float parts[32];
  int lane = threadIdx.x % 32;

  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync (~0u, value, offset);
  __syncthreads ();
  if (lane == 0)
    parts[threadIdx.x / 32] = value;
  __syncthreads ();
  value = lane < blockDim.x / 32 ? parts[lane] : 0;
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync (~0u, value, offset);
  return value;
}

extern "C" __global__ void
softmax (const float *in, float *out, int n)
{
  const float *row = in + blockIdx.x * n;
  float most = -INFINITY, sum = 0;

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    most = fmaxf (most, row[i]);
  most = largest_of_block (most);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += expf (row[i] - most);
  sum = sum_of_block (sum);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = expf (row[i] - most) / sum;
}

/* A warp for each row. */
extern "C" __global__ void
softmax_online (const float *in, float *out, int rows, int n)
{
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float most = -INFINITY, sum = 0;

  if (row >= rows)
    return;
  for (int i = threadIdx.x; i < n; i += 32)
    {
      float value = in[row * n + i], larger = fmaxf (most, value);

      sum = sum * __expf (most - larger) + __expf (value - larger);
      most = larger;
    }
  for (int offset = 16; offset > 0; offset /= 2)
    {
      float other_most = __shfl_xor_sync (~0u, most, offset), other_sum = __shfl_xor_sync (~0u, sum, offset);
      float larger = fmaxf (most, other_most);

      sum = sum * __expf (most - larger) + other_sum * __expf (other_most - larger);
      most = larger;
    }
  for (int i = threadIdx.x; i < n; i += 32)
    out[row * n + i] = __fdividef (__expf (in[row * n + i] - most), sum);
}

extern "C" __global__ void
layer_norm (const float *in, const float *gain, const float *bias, float *out, int n)
{
  const float *row = in + blockIdx.x * n;
  float sum = 0, squares = 0, mean, scale;

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += row[i];
  mean = sum_of_block (sum) / n;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    squares += (row[i] - mean) * (row[i] - mean);
  scale = rsqrtf (sum_of_block (squares) / n + 1e-5f);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

extern "C" __global__ void
rms_norm (const __half2 *in, __half2 *out, int n)
{
  float squares = 0, scale;

  for (int i = threadIdx.x; i < n / 2; i += blockDim.x)
    {
      float2 pair = __half22float2 (in[blockIdx.x * n / 2 + i]);

      squares += pair.x * pair.x + pair.y * pair.y;
    }
  scale = rsqrtf (sum_of_block (squares) / n + 1e-6f);
  for (int i = threadIdx.x; i < n / 2; i += blockDim.x)
    {
      float2 pair = __half22float2 (in[blockIdx.x * n / 2 + i]);

      out[blockIdx.x * n / 2 + i] = __floats2half2_rn (pair.x * scale, pair.y * scale);
    }
}

extern "C" __global__ void
gelu (const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = 0.5f * in[i] * (1 + tanhf (0.79788456f * (in[i] + 0.044715f * in[i] * in[i] * in[i])));
}

/* A block of one warp for each query of 32 elements; n keys and values. */
extern "C" __global__ void
attention (const float *q, const float *k, const float *v, float *out, int n)
{
  __shared__ float scores[64];
  int lane = threadIdx.x;
  float mine = q[blockIdx.x * 32 + lane], most = -INFINITY, sum = 0, result = 0;

  for (int i = 0; i < n; i++)
    {
      float part = mine * k[i * 32 + lane];

      for (int offset = 16; offset > 0; offset /= 2)
        part += __shfl_xor_sync (~0u, part, offset);
      part *= 0.17677669f;
      if (lane == 0)
        scores[i] = part;
      most = fmaxf (most, part);
    }
  __syncwarp ();
  for (int i = 0; i < n; i++)
    {
      float weight = expf (scores[i] - most);

      sum += weight;
      result += weight * v[i * 32 + lane];
    }
  out[blockIdx.x * 32 + lane] = result / sum;
}
