#!/bin/sh
# SPDX-License-Identifier: MIT
# What an import assumed, and which ops run as others, is in the JSON report, not on standard error alone.
"$WARPIPE" run "$srcdir/tests/cuda/matmul.sm_80.ptx" --blocks 32 --threads 256 --trip all=4 --branch all=not \
  --gpu gtx980 --format json >out 2>err || { echo "run:"; cat err; exit 1; }
test -s err || { echo "nothing was assumed?"; exit 1; }
sed -n '/"notes": \[/,/^  \]/p' out >notes
sed -n 's/^warpipe: //p' err | grep -v '^warning: ' | while IFS= read -r note; do
  escaped=$(printf '%s' "$note" | sed 's/\\/\\\\/g; s/"/\\"/g')
  grep -qF "$escaped" notes || printf '%s\n' "not in the notes: $note"
done
for command in explain bounds models; do
  "$WARPIPE" $command "$srcdir/tests/cuda/matmul.sm_80.ptx" --blocks 32 --threads 256 --trip all=4 --branch all=not \
    --gpu gtx980 --format json 2>/dev/null | grep -A2 '"notes": \[' | grep -q 'matmul' || { echo "$command has no notes"; exit 1; }
done
exit 0
