#!/bin/sh
# SPDX-License-Identifier: MIT
# How fast is the engine? volkov-mix at alpha 32 with 64 warps on gtx980, no tables, by policy: million warp
# instructions a second (the best of three runs, user time), and machine instructions for each simulated one, counted by
# callgrind. The latter is the difference of two runs of different length, so that start-up does not count, and does
# not depend on what else the machine does.
set -eu
PATH=$abs_builddir:$PATH
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# rounds ROUNDS POLICY: the run, as JSON
rounds ()
{
  warpipe run volkov-mix --gpu gtx980 --threads 512 --set alpha=32 --set rounds="$1" --policy "$2" --format json
}

simulated () { rounds "$1" "$2" | sed -n 's/.*"instructions": \([0-9]*\),$/\1/p' | head -n 1; }

# User seconds of a long run.
user_time ()
{
  ( rounds 200 "$1" >"$dir/out"; times ) | tail -n 1 | awk '{ split ($1, t, /[ms]/); print t[1] * 60 + t[2] }'
}

best_time ()
{
  for i in 1 2 3; do user_time "$1"; done | sort -n | head -n 1
}

# Machine instructions of a run of ROUNDS. The program itself is run, not libtool's wrapper.
machine ()
{
  real=$abs_builddir/.libs/warpipe
  test -x "$real" || real=$abs_builddir/warpipe
  LD_LIBRARY_PATH=$abs_builddir/.libs valgrind --tool=callgrind --callgrind-out-file="$dir/callgrind" \
    "$real" run volkov-mix --gpu gtx980 --threads 512 --blocks 512 --set alpha=32 --set rounds="$1" --policy "$2" 2>&1 >/dev/null |
    sed -n 's/.*Collected : \([0-9]*\)$/\1/p'
}

printf '%-10s %32s %32s\n' policy 'million warp instructions/s' 'machine instructions for each'
warpipe list policies | while read -r policy rest; do
  n=$(simulated 200 "$policy")
  seconds=$(best_time "$policy")
  each=-
  if command -v valgrind >/dev/null; then
    # 512 blocks of 16 warps on 16 SMs: 512 warps of 33 instructions a round on the one SM that is simulated
    each=$(echo "$(machine 20 "$policy") $(machine 10 "$policy")" | awk '{ printf "%.0f", ($1 - $2) / (512 * 330) }')
  fi
  awk -v p="$policy" -v n="$n" -v s="$seconds" -v e="$each" 'BEGIN { printf "%-10s %32.1f %32s\n", p, n / s / 1e6, e }'
done
