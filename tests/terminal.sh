#!/bin/sh
# SPDX-License-Identifier: MIT
# Colour and progress are for terminals: a report has escape sequences there, but not with NO_COLOR set and not in a
# pipe; a run, or bounds, of more than a second show how far they are on standard error, and a pipe sees nothing of it.
set -u
test -z "${SAN_CFLAGS-}" || { echo "skipped: what it shows takes seconds, of any build"; exit 77; }
command -v script >/dev/null || { echo "script (util-linux) is missing"; exit 77; }
. "$abs_srcdir/tests/scratch.sh"
escape=$(printf '\033')

# on_terminal COMMAND: what it writes on a terminal of its own. Some versions of script want a terminal to start with.
on_terminal () { script -qec "$1" terminal.txt </dev/null >/dev/null 2>&1; }

# shows PATTERN ARGUMENT...: whether warpipe with these arguments, which would take years, shows a line like this on its
# terminal; it is ended as soon as it does, or after half a minute.
shows ()
{
  pattern=$1
  shift
  : >terminal.txt
  script -qefc "echo \$\$ >pid; exec warpipe $* >report.txt" terminal.txt </dev/null >/dev/null 2>&1 &
  pid=$! tries=0 found=1
  while test $tries -lt 300 && kill -0 $pid 2>/dev/null; do
    if tr '\r' '\n' <terminal.txt | grep -q "$pattern"; then found=0 && break; fi
    tries=$((tries + 1))
    sleep 0.1
  done
  kill -TERM "$(cat pid)" # a background job ignores SIGINT
  wait $pid
  return $found
}

unset NO_COLOR
on_terminal "warpipe run vector-add --gpu gtx680" || { cat terminal.txt; exit 99; }
grep -q "$escape\[1mvector-add" terminal.txt || complain "no colour on a terminal"
on_terminal "NO_COLOR=1 warpipe run vector-add --gpu gtx680"
grep -q "vector-add on gtx680" terminal.txt || complain "no report with NO_COLOR"
grep -q "$escape" terminal.txt && complain "colour although NO_COLOR is set"
warpipe run vector-add --gpu gtx680 >pipe.txt
grep -q "$escape" pipe.txt && complain "colour in a file"

# A timeline has the width and the colours of its terminal.
on_terminal "stty cols 50; warpipe run lemeire-balanced --gpu simple --timeline --occupancy 2"
sed "s/$escape\[[0-9;]*m//g; s/[^ -~]//g" terminal.txt | sed '/^lemeire/,$d' | awk 'length > 50 && !/^Script/ { exit 1 }' \
  || complain "a timeline is wider than its terminal"
grep -q "$escape\[1;33mM$escape" terminal.txt || complain "no colour in a timeline"
on_terminal "NO_COLOR=1 warpipe run lemeire-balanced --gpu simple --timeline"
grep -q "$escape" terminal.txt && complain "colour in a timeline although NO_COLOR is set"

run="run vector-add --gpu gtx980 --blocks 9000000000000000 --no-skip"
shows '% .*million instructions a second' $run || complain "no progress on a terminal"
# shellcheck disable=SC2086
timeout --foreground -s INT 2 warpipe $run >report.txt 2>errors.txt
test ! -s errors.txt || complain "progress in a file: $(cat errors.txt)"

on_terminal "warpipe bounds vector-add --gpu gtx680"
grep -q "$escape\[1mLatency bound" terminal.txt || complain "bounds: no colour on a terminal"
cp "$abs_srcdir/tests/drift.xml" "$abs_srcdir/tests/drift-gpu.xml" .
run="bounds drift.xml --gpu drift-gpu.xml"
shows '% .*million instructions a second' $run || complain "bounds: no progress on a terminal"
# shellcheck disable=SC2086
timeout --foreground -s INT 2 warpipe $run >report.txt 2>errors.txt
test ! -s errors.txt || complain "bounds: progress in a file: $(cat errors.txt)"

shows '\[\.*\]  *0.0%  [0-9]* of 100000000 rows, [0-9.]* a second, [0-9]* h [0-9]* min left' \
  sweep volkov-mix --gpu gtx980 --seed 1-100000000 || complain "sweep: no progress on a terminal"

# Runs that take years: all commands that simulate say within two seconds how far they are, and when they would end.
cat >endless.xml <<'END'
<kernel name="endless">
  <launch blocks="4" threads="32"/>
  <program>
    <repeat count="2147483647"><repeat count="2000000">
      <i id="a" op="add.f32" after="a"/>
      <i op="ld.global.u32" after="a"/>
    </repeat></repeat>
  </program>
</kernel>
END
endless () { shows '\[\.*\]  *0.0%  .*, [0-9]* h [0-9]* min left' "$@" || complain "$1: no guess of the end"; }
endless run endless.xml --gpu gtx980 --memory contended
endless run endless.xml --gpu gtx980 --lifetimes lives.csv
endless compare endless.xml --gpu gtx980 --policy rr,gto --memory contended
endless explain endless.xml --gpu gtx980 --memory contended
endless sweep endless.xml --gpu gtx980 --seed 1-2 --memory contended
exit $failed
