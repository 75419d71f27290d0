// SPDX-License-Identifier: MIT
// Softmax of each row of a matrix with n columns: a warp takes a row, in three passes over it. Launch: grid rows/8,
// block 32 x 8.
extern "C" __global__ void
row_softmax (const float *in, float *out, int n)
{
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  float largest = -INFINITY, sum = 0;

  in += row * n;
  out += row * n;
  for (int i = lane; i < n; i += 32)
    largest = fmaxf (largest, in[i]);
  for (int step = 16; step > 0; step /= 2)
    largest = fmaxf (largest, __shfl_xor_sync (0xffffffff, largest, step));
  for (int i = lane; i < n; i += 32)
    sum += expf (in[i] - largest);
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync (0xffffffff, sum, step);
  sum = 1 / sum;
  for (int i = lane; i < n; i += 32)
    {
      float power = expf (in[i] - largest);

      out[i] = power * sum;
    }
}
