#!/bin/sh
# SPDX-License-Identifier: MIT
# Text from elsewhere: every name that import writes is one that run takes; nothing that reorders,
# hides or recolours text gets to a terminal; what is quoted is cut; cells and options start nothing.
set -u
. "$abs_srcdir/tests/path.sh"
data=$abs_srcdir/tests
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP TERM
cd "$dir" || exit 99
failed=0
complain () { echo "$*"; failed=1; }

# ---- Names: one rule, and a note where a name is changed ----

# Of control, C1, bidirectional and zero-width characters, halves of characters, and what CSV and
# XML take for their own.
hostile () {
  LC_ALL=C awk -v seed="$1" 'BEGIN {
    srand (seed)
    n = split ("a,Z,0,_,<,>,&,'"'"',{,},*,=,-, ,\t,\001,\033,\177,\302\200,\302\205,\302\237,\303\251," \
               "\303,\200,\377,\342\200\213,\342\200\256,\342\201\246,\357\273\277,\357\277\277," \
               "\355\240\200,\360\237\230\200,\342\200\250,\342\200,\",COMMA", part, ",")
    length_of = 1 + int (rand () * 40)
    for (i = 0; i < length_of; i++)
      {
        one = part[1 + int (rand () * n)]
        printf "%s", one == "COMMA" ? "," : one
      }
  }'
}

check_name () {
  { printf -- '-kernel name = '; cat name; echo; sed 1d "$data/bad/good.traceg"; } >t.traceg
  if ! warpipe import t.traceg -o k.xml 2>note; then
    complain "import refuses the name $(od -An -c name): $(cat note)"
  elif ! warpipe run k.xml --gpu gtx980 >out 2>err; then
    complain "run refuses what import wrote of $(od -An -c name): $(cat err)"
  fi
  for file in note out err; do
    ! LC_ALL=C grep -qE "$hidden" $file || complain "$file of $(od -An -c name): $(od -c $file)"
  done
}

# Control characters but line ends and tabs, and UTF-8 of C1, U+200B to U+200F, U+2028 to U+202E,
# U+2066 to U+2069, U+FEFF.
hidden=$(printf '[\001-\010\013-\037\177]|\302[\200-\237]|\342\200[\213-\217\250-\256]|\342\201[\246-\251]|\357\273\277')

head -1 "$data/bad/good.traceg" | grep -q '^-kernel name' || exit 99
hostile_names=30
test -z "${SAN_CFLAGS-}" || hostile_names=8 # it begins three processes for each, and fuzzers see more
for seed in $(seq $hostile_names); do
  hostile $seed >name
  check_name
done
printf 'void f<int, float>(char const*, "x")' >name
check_name
grep -q 'the kernel.s name .* is written void f<int_ float>(char const\*_ _x_): no name has' note \
  || complain "no note about a name: $(cat note)"
awk 'BEGIN { for (i = 0; i < 200; i++) printf "\303\251"; }' >name
check_name
printf 'plain_name' >name
check_name
! grep -q 'is written' note || complain "a note about a good name: $(cat note)"

# The same of PTX, of a listing and of machine code.
if command -v python3 >/dev/null; then
  python3 -B "$abs_srcdir/tests/names.py" "$data" || failed=1
fi

# The reader refuses by the same rule, in each kind of name and text.
for bad in '&#x85;' '&#x202E;' '&#x2066;' '&#x200B;' '&#xFEFF;' '&#x3164;'; do
  for place in 's/name="[^"]*"/name="a'$bad'b"/' '2s/<kernel /<kernel title="a'$bad'b" /;1s/<kernel /<kernel title="a'$bad'b" /'; do
    sed "$place" "$data/bad/good-kernel.xml" >k.xml
    ! cmp -s k.xml "$data/bad/good-kernel.xml" || continue
    if warpipe run k.xml --gpu gtx980 >out 2>err; then complain "$place was taken"; fi
    ! LC_ALL=C grep -qE "$hidden" err || complain "$place: $(od -c err)"
  done
done

# ---- Terminals ----

# File names, arguments and lines of sources.
name=$(printf 'a\342\200\256b\033[31m\302\233c')
cp "$data/bad/good-kernel.xml" "$name.xml"
for command in "validate $name.xml" "run $name --gpu gtx980" "run vector-add --gpu $name" "$name" \
               "run vector-add --gpu gtx980 --$name" "show $name.xml" "list $name"; do
  # shellcheck disable=SC2086
  warpipe $command >out 2>err
  for file in out err; do
    ! LC_ALL=C grep -qE "$hidden" $file || complain "warpipe $command: $file: $(od -c $file | head -5)"
  done
done

# Reports of others.
warpipe run vector-add --gpu gtx980 --blocks 4 --format json >a.json 2>err || complain "$(cat err)"
sed -E 's/"(kernel|gpu|policy)": "[^"]*"/"\1": "k\\u001b[31m\\u202ex\\u200b"/' a.json >"$name.json"
test "$(grep -c u202e "$name.json")" = 3 || exit 99
for format in text csv json; do
  warpipe diff a.json "$name.json" --format $format >out 2>err || complain "diff: $(cat err)"
  ! LC_ALL=C grep -qE "$hidden" out err || complain "diff --format $format: $(od -c out | head -5)"
done

# An argument of 130 kB is not echoed whole, and the message still says what would have been right.
long=$(awk 'BEGIN { for (i = 0; i < 13000; i++) printf "0123456789"; }')
for command in "run $long --gpu gtx980" "run vector-add --gpu $long" "run --$long" "$long" \
               "run vector-add --gpu gtx980 --seed $long"; do
  # shellcheck disable=SC2086
  warpipe $command >out 2>err && complain "a long argument was taken"
  test "$(wc -c <err)" -lt 5000 || complain "$(wc -c <err) bytes for a long argument"
  grep -q 'bytes more' err || complain "a long argument is cut without a word: $(cut -c1-200 err)"
done

# ---- A name that begins with a dash ----

cp "$abs_srcdir/idg/kernels/vector-add.xml" ./-k.xml
for command in 'run --gpu gtx980' 'validate' 'show' 'bounds --gpu gtx980'; do
  # shellcheck disable=SC2086
  warpipe $command ./-k.xml >expected 2>err
  # shellcheck disable=SC2086
  warpipe $command -- -k.xml >out 2>err || complain "$command -- -k.xml: $(cat err)"
  sed 's/^\.\///' expected | cmp -s - out || complain "$command -- -k.xml prints something else"
done

# ---- Lists, and cells of CSV ----

for list in 1-3,2 2,2 1-9/4,5 1-9/3,2-8/2 4-8,1-4; do
  if warpipe sweep vector-add --gpu gtx980 --blocks 4 --seed $list >out 2>err; then
    complain "--seed $list was taken"
  fi
  grep -q 'gives "[0-9]*" twice' err || complain "--seed $list: $(cat err)"
done
warpipe sweep vector-add --gpu gtx980 --blocks 4 --occupancy 1-9/2,2-8/2 >out 2>err \
  || complain "steps that do not meet: $(cat err)"

for name in '=1+1|x' '@SUM(A1)' '+x' '-x'; do
  sed "s/<kernel name=\"[^\"]*\"/<kernel name=\"$name\"/" "$abs_srcdir/idg/kernels/vector-add.xml" >k.xml
  grep -qF "name=\"$name\"" k.xml || exit 99
  warpipe sweep k.xml --gpu gtx980 >out 2>err || complain "$name: $(cat err)"
  ! grep -qE '(^|,)"?[=@+]|(^|,)"?-[a-z]' out || complain "a cell is a formula: $(cat out)"
done
for name in '=1+1|x' '@SUM(A1)' '+x' '-x'; do
  printf '<gpu like="gtx980" name="g"><pipeline name="%s"/><op name="%s" pipeline="%s" issue="1" completion="6"/></gpu>' \
    "$name" "$name" "$name" >g.xml
  printf '<kernel name="k"><launch blocks="1" threads="32"/><program><i op="%s"/></program></kernel>' "$name" >k.xml
  warpipe run k.xml --gpu g.xml --issues i.csv >out 2>err || complain "$name: $(cat err)"
  grep -qF ",'$name,'$name," i.csv || complain "a cell of a trace is a formula: $(cat i.csv)"
done
cp "$abs_srcdir/configs/gtx980.xml" ./=a.xml
warpipe sweep vector-add --gpu =a.xml,gtx980 --occupancy 8,16 --plot p.csv >out 2>err || complain "--plot: $(cat err)"
grep -q "^'=a," p.csv || complain "a cell of a plot is a formula: $(cat p.csv)"

# ---- A kernel file and the compiler ----

printf '__global__ void k (float *a) { a[0] = 1; }\n' >k.cu
for options in '-ccbin ./x' '-o x' '-Xcompiler -fplugin=x' '-DA=$(touch started)' '-DA=`touch started`' \
               '-optf x' '-keep' '-D -ccbin' '-Xptxas -O3,-o,x' '-O3 --compiler-bindir=x'; do
  printf '<kernel name="k"><execute file="k.cu" launch="k&lt;&lt;&lt;1, 32>>>(A)" nvcc="%s"/></kernel>\n' \
    "$options" >k.xml
  if warpipe run k.xml --gpu a100-80 >out 2>err; then complain "nvcc=\"$options\" was taken"; fi
  grep -qE 'is no option that a kernel file may name|names a parameter that is not declared' err \
    || complain "nvcc=\"$options\": $(cat err)"
done
printf '<kernel name="k"><execute file="k.cu" launch="k&lt;&lt;&lt;1, 32>>>(A)" nvcc="%s"/></kernel>\n' \
  '-O3 -DTILE=16 -Iinclude -Xptxas -O1 -std=c++17' >k.xml
warpipe run k.xml --gpu a100-80 >out 2>err
! grep -q 'is no option that a kernel file may name' err || complain "harmless options: $(cat err)"
mv k.cu 'k$(touch started).cu'
warpipe run 'k$(touch started).cu' --gpu a100-80 --launch 'k<<<1, 32>>>(A)' >out 2>err \
  && complain 'a name that a shell would start was taken'
test ! -e started || complain "a shell has started what a file's name says"
exit $failed
