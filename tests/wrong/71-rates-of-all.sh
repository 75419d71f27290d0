#!/bin/sh
# SPDX-License-Identifier: MIT
# No kernel of tests/cuda moves more than the pins carry, on any GPU, unless a warning says so.
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
cat >check.py <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
pins = float(sys.argv[2])
rate = max([p["gbytes_per_s"] for p in report["pipelines"] if p["name"] == "memory"], default=0)
if rate > 1.001 * pins and not report.get("warnings"):
    print(f"{rate:.0f} GB/s, where the pins carry {pins:.0f}, and no warning")
END
n=0
for gpu in gtx980:224 v100:897 a100-40:1555 h100-sxm:3352; do
  for file in "$srcdir"/tests/cuda/*.sm_80.ptx; do
    "$WARPIPE" run "$file" --gpu "${gpu%:*}" --blocks 2048 --threads 128 \
      --shared-memory 16384 --format json >report 2>err || continue
    n=$((n + 1))
    said=$(python3 -B check.py report "${gpu#*:}") || exit 1
    test -z "$said" || echo "$(basename "$file") on ${gpu%:*}: $said"
  done
done
test $n -ge 60 || echo "only $n runs"
