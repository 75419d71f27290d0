#!/bin/sh
# SPDX-License-Identifier: MIT
# What grows with its input grows in proportion to it: with eight times as much it takes no more than ten times the
# machine instructions, by callgrind, less those of next to nothing. A quadratic step would show as up to 64 times.
# Counts, and not times: they are the same on any machine.
test -z "${SAN_CFLAGS-}" || { echo "skipped: sanitizers and valgrind do not go together"; exit 77; }
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
set -u
. "$abs_srcdir/tests/scratch.sh"

# All commands run in one process (commands.c), and callgrind writes what it has counted at the end of each: to begin takes
# it longer than most of them. The first one is not looked at: what is there once is done in it.
: >asked
: >checks

# count ARGUMENTS...: asks for warpipe with these arguments.
count ()
{
  printf '%s\n' $# >>asked
  for word; do printf '%s\0' "$word"; done >>asked
}

# check WHAT N COMMAND: COMMAND SIZE, a function here, for next to nothing, N, and 8 N.
check ()
{
  for size in 1 "$2" $((8 * $2)); do $3 $size; done
  printf '%s|%s\n' "$2" "$1" >>checks
}
count list gpus

# Lists of values, each written out; these rows are all refused, which costs least.
listed () { count sweep vector-add --gpu gtx980 --cores 1 --blocks 1 --threads "$(seq -s, 1025 $((1024 + $1)))"; }
check "a list of values" 200 listed

# PTX whose kernel has the lines of LINES, printf(1)'s format, so many times, and its import.
imported ()
{
  {
    cat <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
.reg .pred %p<2>;
.reg .b32 %r<4>;
.reg .b64 %rd<2>;
ld.param.u64 %rd1, [a];
ld.param.u32 %r1, [n];
ld.global.u32 %r2, [%rd1];
setp.ne.s32 %p1, %r1, %r2;
END
    # shellcheck disable=SC2059 # the lines are a format
    for i in $(seq "$1"); do printf "$lines" $i $i; done
    printf 'st.global.u32 [%%rd1], %%r2;\nret;\n}\n'
  } >in-$((n += 1)).ptx
  count import in-$n.ptx --branch all=both --blocks 1 --threads 32 -o out.xml
}
n=0
lines='@%%p1 add.s32 %%r2, %%r2, %%r1;\n'
check "guarded writes that read what they write" 150 imported
lines='@%%p1 mov.u32 %%r2, %%r1;\nadd.s32 %%r3, %%r2, %%r1;\n'
check "guarded writes and reads" 150 imported
lines='@%%p1 bra $L%d;\nadd.s32 %%r2, %%r2, %%r1;\n$L%d:\n'
check "branches that go both ways" 80 imported
lines='@%%p1 bra $L%d;\nmov.u32 %%r2, %%r1;\n$L%d:\nadd.s32 %%r3, %%r2, %%r1;\n'
check "branches that go both ways, and reads behind" 80 imported

# Warps that are resident on one SM at a time, on four schedulers: more than 64 on each.
resident ()
{
  count run $kernel --gpu gtx980 --policy "$policy" --sms 1 --no-limits --blocks $((16 * $1)) --threads 32 --no-skip
}
kernel="volkov-mix --set rounds=8"
for policy in rr gto oldest two-level; do
  check "resident warps of $kernel, $policy" 300 resident
done
kernel=lemeire-barrier policy=rr
check "resident warps of $kernel, $policy" 300 resident

"${LIBTOOL:-$abs_builddir/libtool}" --mode=execute valgrind --tool=callgrind --callgrind-out-file="$dir/counts" \
  --dump-after=wp_cli_main "$abs_builddir/tests/commands" out.txt err.txt <asked >statuses 2>log.txt || complain "$(cat log.txt)"
number=1
while IFS='|' read -r n what; do
  for name in none few many; do
    number=$((number + 1))
    value=$(sed -n 's/^summary: //p' "counts.$number")
    eval "$name=\$value"
  done
  echo "$what: machine instructions of 1, $n, $((8 * n)): $none $few $many"
  test -n "$none" && test -n "$few" && test -n "$many" && test "$few" -gt "$none" || { complain "$what: no counts"; continue; }
  test $((many - none)) -lt $((10 * (few - none))) || complain "$what: worse than linear"
done <checks
exit $failed
