#!/bin/sh
# SPDX-License-Identifier: MIT
# Graphs of all shipped kernels, alone and on one of a few GPUs (WARPIPE_SHOW_GPUS=all: on all): what others read of them
# is right (show.py), graphviz takes the DOT, xmllint the SVG, a picture is whole or not there, and lines are no wider
# than they may be.
test -z "${SAN_CFLAGS-}" || { echo "skipped: graphs are those of any other build"; exit 77; }
. "$abs_srcdir/tests/path.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
failed=0

fail ()
{
  echo "$*"
  failed=1
}

# check KERNEL [GPU [ORDER]]
check ()
{
  what="$*"
  kernel=$1
  set -- ${2:+--gpu=$2} ${3:+--order=$3}
  warpipe show "$kernel" "$@" >"$dir/text" 2>"$dir/err" || {
    # What a GPU cannot run is refused in one line.
    test $# -gt 0 && test "$(wc -l <"$dir/err")" = 1 && ! warpipe bounds "$kernel" "$@" --no-limits >/dev/null 2>&1 ||
      fail "$what: $(cat "$dir/err")"
    return
  }
  awk 'length ($0) > 100 { exit 1 }' "$dir/text" || fail "$what: a line is too wide"
  : >"$dir/bounds"
  test $# = 0 || warpipe bounds "$kernel" "$@" --no-limits --format json >"$dir/bounds" || fail "$what: bounds"
  test -s "$dir/bounds" || rm "$dir/bounds"
  warpipe show "$kernel" "$@" --format graphml >"$dir/graphml" || fail "$what: graphml"
  if test -e "$dir/bounds"; then python3 "$abs_srcdir/tests/show.py" "$dir/bounds"
  else python3 "$abs_srcdir/tests/show.py"; fi <"$dir/graphml" >"$dir/length" 2>&1 ||
    fail "$what: $(tail -n 1 "$dir/length")"
}

gpus=${WARPIPE_SHOW_GPUS-gtx680}
test -n "${SAN_CFLAGS-}${WARPIPE_SHOW_GPUS-}" || gpus="8800gtx gtx680 titanrtx"
test "$gpus" != all || gpus=$(warpipe list gpus | awk '$1 != "name" && $1 !~ /-o0$/ { print $1 }')
for kernel in $(warpipe list kernels | awk '/^[^ ]/ && $1 != "name" { print $1 }'); do
  check "$kernel"
  if test -n "${WARPIPE_SHOW_GPUS-}"; then
    for gpu in $gpus; do check "$kernel" "$gpu"; done
  else # the GPUs take turns
    check "$kernel" "${gpus%% *}"
    case $gpus in *" "*) gpus="${gpus#* } ${gpus%% *}";; esac
  fi
  check "$kernel" simple dataflow
done
check "$abs_srcdir/tests/golden/bounds-specialised.xml" gtx980
check "$abs_srcdir/tests/golden/show-names.xml"
test "$(warpipe show vector-add --gpu gtx680 --format graphml | python3 "$abs_srcdir/tests/show.py")" = 544 ||
  fail "the path of figure 3.5 is not 544 cycles long"

# A reader that goes away is no failure worth a word, however much there was to write.
cd "$dir" || exit 99
awk 'BEGIN {
  print "<kernel name=\"long\"><launch blocks=\"1\" threads=\"32\"/><program>"
  for (i = 0; i < 9999; i++) print "<i op=\"mov.u32\"/>"
  print "</program></kernel>" }' >long.xml
for format in text dot graphml; do
  { warpipe show long.xml --format $format 2>err; echo $? >status; } | true
  test "$(cat status)" = 3 && test ! -s err || fail "$format without a reader: exit status $(cat status), $(cat err)"
done

# Pictures.
if command -v dot >/dev/null; then
  for kernel in vector-add lemeire-barrier barrier-divergence volkov-mix "$abs_srcdir/tests/golden/show-names.xml"; do
    warpipe show "$kernel" --format dot | dot -Tcanon >canon 2>err && test ! -s err || fail "$kernel: $(cat err)"
    warpipe show "$kernel" -o out.svg || fail "$kernel: no SVG"
    ! command -v xmllint >/dev/null || xmllint --noout out.svg || fail "$kernel: the SVG is not well-formed"
  done
  warpipe show "$abs_srcdir/tests/golden/show-names.xml" --format svg | grep -qF 'nor is \n a new line, nor \G a name<' ||
    fail "the heading is not as written"
  warpipe show vector-add --gpu gtx680 -o out.svg && grep -q '>at 343<' out.svg || fail "the SVG has no times"
  warpipe show vector-add -o out.png && head -c 4 out.png | grep -q PNG || fail "no PNG"
  warpipe show vector-add --format pdf >out && head -c 4 out | grep -q '%PDF' || fail "no PDF"
  # Where dot finds no way for its curves, lines are straight.
  awk 'BEGIN {
    print "<kernel name=\"deep\"><launch blocks=\"1\" threads=\"32\"/><program><i id=\"a\" op=\"mov.u32\"/>"
    for (i = 0; i < 64; i++) printf "<repeat count=\"%d\"><i op=\"add.f32\" after=\"a z\"/>", i % 4 == 0 ? 2 : 1
    printf "<i id=\"z\" op=\"ld.global.f32\" after=\"a\"/>"
    for (i = 0; i < 64; i++) printf "</repeat>"
    print "</program></kernel>" }' >deep.xml
  warpipe show deep.xml -o out.svg 2>err || fail "repeats in repeats: $(cat err)"
  rm -f out.svg out.png out canon err
  # A dot that fails, and one that waits until the program is told to end.
  mkdir bin
  printf '#!/bin/sh\necho broken >&2; exit 3\n' >bin/dot
  chmod +x bin/dot
  PATH=$dir/bin:$PATH warpipe show vector-add -o out.svg 2>err && fail "a failed dot went unnoticed"
  grep -q '^warpipe: dot could not draw the picture: broken$' err || fail "a failed dot: $(cat err)"
  printf '#!/bin/sh\nprintf "<svg>"\n' >bin/dot
  PATH=$dir/bin:$PATH warpipe show vector-add -o out.svg 2>err
  test $? = 3 && grep -q '^warpipe: dot could not draw the picture; what it wrote is not whole$' err ||
    fail "half a picture: $(cat err)"
  printf '#!/bin/sh\necho $$ >pid\nexec sleep 60\n' >bin/dot
  (PATH=$dir/bin:$PATH exec warpipe show vector-add -o out.svg 2>err) &
  child=$!
  while test ! -s pid; do sleep 0.05; done
  kill -TERM $child
  wait $child
  test $? = 143 || fail "exit status $? after SIGTERM"
  ! kill -0 "$(cat pid)" 2>/dev/null || fail "dot lives on"
  test ! -e out.svg || fail "a half picture is left"
  # What ends both at once is no failure of dot's.
  printf '#!/bin/sh\nkill -TERM $PPID; kill -TERM $$\n' >bin/dot
  PATH=$dir/bin:$PATH warpipe show vector-add -o out.svg 2>err
  test $? = 143 || fail "ended together with dot, the exit status is not 143"
  test ! -s err || fail "ended together with dot: $(cat err)"
fi
exit $failed
