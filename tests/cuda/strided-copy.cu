// SPDX-License-Identifier: MIT
// A copy whose neighbouring threads touch words STRIDE apart: with --context, the lines of its load and its store run
// uncoalesced.
extern "C" __global__ void
strided_copy (float *to, const float *from, int stride)
{
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;

  to[i] = from[i];
}
