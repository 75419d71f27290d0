#!/bin/sh
# SPDX-License-Identifier: MIT
# A function that a loop calls, and that is called elsewhere, too, does not make the loop an unrolled one.
kernel=$srcdir/tests/cuda/gemm-cp-async.sm_80.ptx
"$WARPIPE" run "$kernel" --gpu a100-40 --blocks 216 --sms 1 --registers 224 --trip gemm-cp-async.cu:37=127 \
  --context gemm-cp-async.cu:10=l2 --format json >out 2>err || { echo "the run failed:"; cat err; exit 1; }
# 128 tiles of 64 mma for each of 8 warps.
grep -A1 '"name": "tensor"' out | grep -q '"instructions": 65536,' ||
  { echo "not 65536 mma:"; grep -A1 '"name": "tensor"' out; }
exit 0
