// SPDX-License-Identifier: MIT
// Chains of double-precision fused multiply-adds, ILP of them in each warp, for bench/data/incore-v100.csv. The loop of the
// benchmark that was measured was not at hand; this one is written to what the figures show: about 64
// multiply-adds in a round, one further operation in double precision for each chain, and a load that begins them.
// nvcc -ptx -arch=sm_75 incore.cu

enum
{
  ROUNDS = 100,
  OPERATIONS = 64 // in a round, over all chains; a whole number in each
};

template <int ILP>
static __device__ void
chains (double *a, double x, double y)
{
  double sum[ILP] = {};
  double *begin = a + threadIdx.x;

#pragma unroll 1
  for (int round = 0; round < ROUNDS;)
    {
      double t[ILP];
#pragma unroll
      for (int i = 0; i < ILP; i++)
        asm volatile("ld.global.f64 %0, [%1];"
                     : "=d"(t[i])
                     : "l"(begin + 32 * i)); // stays in the loop
#pragma unroll
      for (int i = 0; i < ILP; i++)
        asm volatile("" : "+d"(t[i])); // all of them come first, as ptxas has it,
      round++;
      asm volatile("" : "+r"(round)); // and the counter where nothing waits for it
#pragma unroll
      for (int k = 0; k < OPERATIONS / ILP; k++)
#pragma unroll
        for (int i = 0; i < ILP; i++)
          t[i] = t[i] * x + y;
#pragma unroll
      for (int i = 0; i < ILP; i++)
        sum[i] += t[i];
    }
#pragma unroll
  for (int i = 0; i < ILP; i++)
    a[threadIdx.x * ILP + i] = sum[i];
}

#define KERNEL(ilp)                                                                                \
  extern "C" __global__ void dfma##ilp (double *a, double x, double y) { chains<ilp> (a, x, y); }

KERNEL (1)
KERNEL (2)
KERNEL (3)
KERNEL (4)
KERNEL (5)
KERNEL (6)
KERNEL (7)
KERNEL (8)
