// SPDX-License-Identifier: MIT
// A bulk copy, which execution does not cover, and a kernel beside it that makes none, for golden/execute-views.test.
//
//   nvcc -cubin -arch=sm_120 -diag-suppress 20054 bulk.cu -o bulk.sm_120.cubin      (CUDA 13.0)
#include <cuda/barrier>

extern "C" __global__ void
plain (int *out)
{
  out[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void
copies (const int4 *in, int4 *out)
{
  __shared__ alignas (16) int4 piece[32];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;

  if (threadIdx.x == 0)
    init (&arrived, 32);
  __syncthreads ();
  cuda::memcpy_async (piece + threadIdx.x, in + threadIdx.x, cuda::aligned_size_t<16> (16), arrived);
  arrived.arrive_and_wait ();
  out[threadIdx.x] = piece[threadIdx.x ^ 1];
}
