// SPDX-License-Identifier: MIT
// A load and ALPHA additions, each dependent on the one before, over and over (Volkov 2016, section 4.1): what is loaded
// is an address, and the additions to it are of zero.
#define ALPHA 32

extern "C" __global__ void
volkov_mix (char *where, float zero, int rounds, float *out)
{
  float value = __int_as_float ((blockIdx.x * blockDim.x + threadIdx.x) * 4);

#pragma unroll 1
  for (int i = 0; i < rounds; i++)
    {
      value = *(const volatile float *) (where + __float_as_int (value));
#pragma unroll
      for (int j = 0; j < ALPHA; j++)
        value += zero;
    }
  *out = value;
}
