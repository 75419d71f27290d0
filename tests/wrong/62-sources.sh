#!/bin/sh
# SPDX-License-Identifier: MIT
# What is no kernel is refused with the command that makes one of it.
echo '__global__ void k () {}' >k.hpp
"$WARPIPE" run k.hpp --gpu a100-80 >out 2>err && { echo "CUDA ran"; exit 1; }
grep -q 'nvcc -x cu -ptx -lineinfo -arch=sm_80 k.hpp.*k.ptx' err ||
  { echo "not what to type:"; cat err; exit 1; }

# What is executed takes a launch. Here nvcc cannot be found.
echo '__global__ void k () {}' >k.cu
PATH=/nowhere "$WARPIPE" run k.cu --gpu a100-80 >out 2>err && { echo "CUDA ran"; exit 1; }
grep -q 'nvcc.*not on the PATH: install.*nvcc -cubin -lineinfo -arch=sm_80' err ||
  { echo "not what to install:"; cat err; exit 1; }
"$WARPIPE" run "$srcdir/tests/cuda/cubin/units.sm_80.cubin" --gpu a100-80 >out 2>err &&
  { echo "a cubin ran without a launch"; exit 1; }
grep -q -- "--launch 'axpy<4><<<1024, 256>>>(1024, 1.0f, A, B)'" err || { echo "not what to type:"; cat err; exit 1; }

cp /bin/sh a.out
"$WARPIPE" run a.out --gpu a100-80 >out 2>err && { echo "a program ran"; exit 1; }
grep -q 'a.out: it has no code for GPUs; expected .* nvcc made' err || { echo "not what was expected:"; cat err; exit 1; }
