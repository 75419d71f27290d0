#!/bin/sh
# SPDX-License-Identifier: MIT
# What was assumed of the addresses of a listing is said once, also of the kernel.xml that import made of it.
"$WARPIPE" import "$srcdir/tests/cuda/matmul.sm_80.ptx" --blocks 32 --threads 256 --trip all=4 \
  --branch all=not -o matmul.xml 2>/dev/null || { echo "the import failed"; exit 1; }
wanted='3 accesses assumed coalesced, 4 without bank conflicts, all from DRAM'
for command in "run" "explain" "bounds" "models" "sweep" "compare --policy rr,gto"; do
  "$WARPIPE" $command matmul.xml --gpu a100-40 >out 2>err || { echo "$command failed:"; cat err; exit 1; }
  test "$(grep -c "$wanted" err)" -eq 1 || { echo "$command does not say it once:"; cat err; exit 1; }
done
for command in "run" "explain" "bounds" "models"; do
  "$WARPIPE" $command matmul.xml --gpu a100-40 --format json 2>/dev/null |
    sed -n '/"notes": \[/,$p' | grep -q "$wanted" || { echo "$command: not in the notes of the JSON"; exit 1; }
done
# What has a context was not assumed.
sed 's/\(<i [^>]*op="ld.global[^"]*"\)/\1 context="sectors-8"/' matmul.xml >some.xml
"$WARPIPE" run some.xml --gpu a100-40 2>&1 >/dev/null | grep -q ': 1 access assumed coalesced, 4 without' ||
  { echo "accesses with a context were counted"; exit 1; }
