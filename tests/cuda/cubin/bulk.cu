// SPDX-License-Identifier: MIT
// Bulk copies, right and wrong; one by what is too short for a tensor map; and a kernel beside them that makes
// none, for golden/execute-views.test and bad/table.
//
//   nvcc -ptx -lineinfo -arch=compute_120 -diag-suppress 20054 bulk.cu -o - |
//     sed 's,^\([[:space:]]*\.file[[:space:]]*[0-9]* "\)[^"]*/,\1,' >bulk.ptx
//   ptxas -lineinfo -arch=sm_120 bulk.ptx -o bulk.sm_120.cubin      (CUDA 13.0)
#include <cuda/barrier>

__device__ unsigned
get_shared (const void *pointer)
{
  return (unsigned) __cvta_generic_to_shared (pointer);
}

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

/* Copies BYTES from IN + SHIFT bytes, while EXPECTED are waited for. */
extern "C" __global__ void
expects (const char *in, int *out, int shift, int bytes, int expected)
{
  __shared__ alignas (16) int piece[256];
  __shared__ unsigned long long barrier;
  unsigned over = 0;

  if (threadIdx.x == 3)
    {
      asm volatile ("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(get_shared (&barrier)) : "memory");
      asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(get_shared (&barrier)), "r"(expected)
                    : "memory");
      asm volatile ("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                        get_shared (piece)),
                    "l"(in + shift), "r"(bytes), "r"(get_shared (&barrier))
                    : "memory");
    }
  __syncthreads ();
  while (!over)
    asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                  : "=r"(over)
                  : "r"(get_shared (&barrier))
                  : "memory");
  out[threadIdx.x] = piece[threadIdx.x];
}

extern "C" __global__ void
tensors (const __grid_constant__ int4 map, int *out)
{
  __shared__ alignas (128) int piece[256];
  __shared__ unsigned long long barrier;

  asm volatile ("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                    get_shared (piece)),
                "l"(&map), "r"(0), "r"(get_shared (&barrier))
                : "memory");
  out[threadIdx.x] = piece[threadIdx.x];
}
