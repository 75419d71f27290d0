#!/bin/sh
# SPDX-License-Identifier: MIT
# What is no kernel is refused with the command that makes one of it.
echo '__global__ void k () {}' >k.cu
"$WARPIPE" run k.cu --gpu a100-80 >out 2>err && { echo "CUDA ran"; exit 1; }
grep -q 'nvcc -ptx -lineinfo -arch=sm_80 k.cu.*k.ptx' err ||
  { echo "not what to type:"; cat err; exit 1; }
printf '\177ELF\002\001\001\000' >a.out
"$WARPIPE" run a.out --gpu a100-80 >out 2>err && { echo "a program ran"; exit 1; }
grep -q 'cuobjdump -sass a.out' err || { echo "not what to type:"; cat err; exit 1; }
