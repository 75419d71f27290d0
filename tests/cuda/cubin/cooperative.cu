/* SPDX-License-Identifier: MIT */
/* Threads of a whole grid wait for each other, for rows of tests/bad/table and
 * golden/execute-views.test.
 *
 *   nvcc -cubin -arch=sm_80 cooperative.cu -o cooperative.sm_80.cubin      (CUDA 13.0)
 *   likewise sm_100; sm_90 with -lineinfo, of /kernels/cooperative.cu */
#include <cooperative_groups.h>

extern "C" __global__ void
all_wait (float *out)
{
  out[threadIdx.x] = 1;
  cooperative_groups::this_grid ().sync ();
  out[threadIdx.x] += 1;
}
