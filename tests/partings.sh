#!/bin/sh
# SPDX-License-Identifier: MIT
# What `warpipe compare` says against the tables of `warpipe run`, by other means: percentiles of
# lifetimes against --lifetimes, sorted and counted; where two schedules diverge against the first
# difference of --issues, line by line; the warp picked is one of the candidates; and nothing
# depends on the number of cores.
set -u
. "$abs_srcdir/tests/scratch.sh"
test -z "${SAN_CFLAGS-}" || { echo "skipped: figures are those of any other build"; exit 77; }

# field NAME: the values of a column of the CSV on standard input, one a line.
field ()
{
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}

# Nearest rank: the first lifetime that at least P per cent of the warps do not exceed.
percentile ()
{
  awk -F, 'NR > 1 { printf "%.6f\n", $7 - $6 }' "$2" | sort -g |
    awk -v p="$1" '{ all[NR] = $1 } END { for (i = 1; i * 100 < p * NR; i++); print all[i] }'
}

# check KERNEL GPU POLICY POLICY OPTION...
check ()
{
  kernel=$1 gpu=$2 one=$3 other=$4
  shift 4
  title="$kernel on $gpu, $one and $other, $*"
  warpipe compare "$kernel" --gpu "$gpu" --policy "$one,$other" "$@" --format csv >compared.csv ||
    complain "$title: exit status $?"
  warpipe compare "$kernel" --gpu "$gpu" --policy "$one,$other" "$@" --format csv --cores 1 | cmp -s compared.csv - ||
    complain "$title: another comparison on one core"
  line=0
  for policy in $one $other; do
    line=$((line + 1))
    warpipe run "$kernel" --gpu "$gpu" --policy $policy "$@" --no-skip --lifetimes lives.csv --issues issues-$line.csv \
      --format json >report || complain "$title: exit status $?"
    for p in 5 50 95; do
      got=$(field lifetime_p$p <compared.csv | sed -n ${line}p)
      want=$(percentile $p lives.csv)
      # Times in tables are rounded, so that their differences may be off in the last place.
      awk -v a="$got" -v b="$want" 'BEGIN { exit a == "" || a - b > 2e-6 || b - a > 2e-6 }' ||
        complain "$title: $policy: percentile $p is $got, by the lifetimes it is $want"
    done
    cycles=$(field cycles <compared.csv | sed -n ${line}p)
    grep -q "\"cycles\": $cycles,\$" report || complain "$title: $policy: $cycles cycles; the report has others"
  done

  # The first line that differs, and the earlier of the two (those of one time are in the order of
  # visits).
  cut -d, -f1-6 issues-1.csv >one
  cut -d, -f1-6 issues-2.csv >other
  number=$(cmp one other 2>/dev/null | sed 's/.*line //')
  got=$(field parting_time <compared.csv | sed -n 2p),$(field parting_sm <compared.csv | sed -n 2p),$(field parting_scheduler <compared.csv | sed -n 2p)
  if test -z "$number"; then
    test "$got" = ",," || complain "$title: parts at $got; the issues are the same"
    return
  fi
  first=$(sed -n "${number}p" one | cut -d, -f1-3)
  second=$(sed -n "${number}p" other | cut -d, -f1-3)
  test "$got" = "$first" || test "$got" = "$second" ||
    complain "$title: parts at $got; line $number of the issues is at $first, $second"
  awk -F, -v got="${got%%,*}" -v a="${first%%,*}" -v b="${second%%,*}" \
    'BEGIN { least = a + 0 < b + 0 ? a + 0 : b + 0; exit got + 0 != least }' ||
    complain "$title: parts at $got, which is not the earlier of $first, $second"

  # Who was picked there, by the issues.
  warpipe compare "$kernel" --gpu "$gpu" --policy "$one,$other" "$@" --format json >compared.json
  awk '/"picks"/ { in_it = 1 } in_it && /"issues": true/ { getline block; getline warp
         gsub (/[^0-9]/, "", block); gsub (/[^0-9]/, "", warp); print block "," warp }' compared.json >picked
  for file in one other; do
    sed -n "${number}p" $file | grep "^$got," | cut -d, -f4,5
  done >wanted
  cmp -s wanted picked || complain "$title: picked $(echo $(cat picked)), by the issues $(echo $(cat wanted))"
  # Each is among the candidates, and no candidate is listed twice.
  awk '/"candidates"/ { n++; getline }
       n > 0 && /"block"/ { getline warp; name = n $0 warp; if (seen[name]++) bad = 1 }
       END { exit bad }' compared.json || complain "$title: a candidate twice"
}

check vector-add gtx980 rr gto --blocks 300
check vector-add gtx680 rr two-level --blocks 300
check vector-abs-positive v100 oldest gty --blocks 1000
check kothapalli-matmul gtx480 block two-level --set tiles=4
check kothapalli-matmul gtx480 rr two-level --set tiles=4 --active-set 1
check volkov-mix-sfu v100 rr gto --blocks 640 --set rounds=3
check volkov-mix gtx980 rr gto --occupancy 4 --threads 32 --blocks 640
check barrier-divergence gtx980 rr gto
check permute-random gtx980 rr block --blocks 64 --sms 2
check vector-add gtx680 gto block --memory contended --blocks 40
check lemeire-two-series gtx680 rr oldest --order dataflow --threads 256 --blocks 40

# A million warps: few lifetimes differ.
timeout 120 warpipe compare vector-add --gpu gtx980 --threads 32 --blocks 16000000 --policy rr,gto --format csv >many.csv ||
  complain "many warps: exit status $?"
test "$(field warps <many.csv | sort -u)" = 1000000 || complain "many warps: not as many as there should be"
exit $failed
