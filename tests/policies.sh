#!/bin/sh
# SPDX-License-Identifier: MIT
# Policies in libraries of their own: the examples of doc/policies compile as the page says, run, and make of a kernel
# what they promise; what cannot be loaded, and what chooses what it may not, is an error of one line.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir"
test -z "${SAN_CFLAGS-}" || export LSAN_OPTIONS=detect_leaks=0

fail () { echo "$*"; exit 1; }

# NAME, with the source on standard input unless it is an example: makes NAME.so.
build ()
{
  # shellcheck disable=SC2086
  $CC -std=c99 -pedantic -Wall -Wextra -Werror -O1 -shared -fPIC "-I$abs_srcdir/include" "$1" -o "$(basename "$1" .c).so"
}

for source in "$abs_srcdir"/doc/policies/*.c; do
  build "$source" || { echo "skipped: $CC makes no shared libraries"; exit 77; }
done

# The copy of what is built in, in a library, is the same run; a seed makes another, and is the same each time.
run='--gpu gtx980 --blocks 1024 --threads 256'
test -z "${SAN_CFLAGS-}" || run='--gpu gtx980 --blocks 256 --threads 256' # two generations, and not eight
"$abs_builddir/warpipe" compare volkov-mix $run --policy gto,./gto.so,./random.so --policy-set seed=1,2 --format csv >compare.csv
cut -d, -f1 compare.csv >labels
printf '%s\n' run gto gto.so 'random.so seed=1' 'random.so seed=2' | diff - labels
cycles () { "$abs_builddir/warpipe" run volkov-mix $run --format json "$@" | sed -n 's/^  "cycles": \(.*\),$/\1/p'; }
test "$(cycles --policy gto)" = "$(cycles --policy ./gto.so)" || fail "gto.so is not gto"
test "$(cycles --policy ./random.so)" = "$(cycles --policy ./random.so --policy-set seed=1 --cores 1)" ||
  fail "a seed is not the same run"
test "$(cycles --policy ./random.so)" != "$(cycles --policy ./random.so --policy-set seed=2)" || fail "a seed is nothing"
test "$(cycles --policy ./youngest.so)" != "$(cycles --policy gto)" || fail "the youngest is the oldest"
test "$(cycles --policy ./throttle.so --policy-set limit=1024)" = "$(cycles --policy gto)" ||
  fail "a throttle that lets all go is not gto"
test "$(cycles --policy ./throttle.so)" = "$(cycles --policy ./throttle.so --no-skip)" || fail "skipping changes a time"
cycles --policy ./critical.so >/dev/null
"$abs_builddir/warpipe" run volkov-mix $run --policy ./throttle.so --policy-set limit=2 --format json >report.json
tr -d ' \n' <report.json | grep -F '"policy":"throttle.solimit=2","policy_set":{"limit":2}' >/dev/null ||
  fail "the report does not name the knobs"

# A knob is an axis of a sweep, of the policies that have it.
"$abs_builddir/warpipe" sweep volkov-mix $run --policy rr,./throttle.so --policy-set limit=1-3,8 >sweep.csv
grep -c '^[1-9],volkov-mix' sweep.csv | grep -qx 5 || fail "$(cat sweep.csv)"
grep -c 'throttle.so limit=8' sweep.csv | grep -qx 1 || fail "$(cat sweep.csv)"

# Another library by the same name is another sweep.
"$abs_builddir/warpipe" sweep volkov-mix $run --policy ./gto.so --resume half.csv
cp youngest.so gto.so
if "$abs_builddir/warpipe" sweep volkov-mix $run --policy ./gto.so --resume half.csv 2>/dev/null; then
  fail "a sweep goes on with another policy"
fi
build "$abs_srcdir/doc/policies/gto.c"

# Many SMs on several cores, with an object for each scheduler.
test "$(cycles --policy ./random.so --sms all --cores 4)" = "$(cycles --policy ./random.so --sms all --cores 1)" ||
  fail "cores change a time"

# WHAT it must say, then arguments.
refuse ()
{
  what=$1
  shift
  if timeout 60 "$abs_builddir/warpipe" run volkov-mix $run "$@" >out 2>err; then
    fail "$*: runs, and was to say: $what"
  fi
  grep -F -- "$what" err >/dev/null || fail "$*: says $(cat err), and was to say: $what"
  test "$(wc -l <err)" = 1 || fail "$*: says more than a line: $(cat err)"
}

# SOURCE of choose()'s body, and what it says.
chooses ()
{
  cat >bad.c <<END
#include <warpipe/policy.h>
static uint32_t choose (void *self, const WpPolicyView *view, int64_t *until)
{ (void)self; (void)view; (void)until; $1 }
WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin = { WP_POLICY_HEAD, .choose = choose, .pure = $2 };
END
  build bad.c
  refuse "$3" --policy ./bad.so
}

chooses 'return view->n_slots;' false 'policy bad.so on scheduler 0 of SM 0 chose place 16, of which it has 16, from 0, at cycle 0'
chooses 'return view->n_slots;' true 'chose place 16, of which it has 16, from 0, at cycle 0'
chooses 'return view->now == 0 ? view->oldest : 0;' false 'chose warp 0 of block 0, in its place 0, which is not ready, at cycle 1'
chooses 'return WP_POLICY_NOBODY;' true 'chose nobody, and is pure, at cycle 0'
chooses 'return WP_POLICY_NOBODY;' false 'and the policy never chooses it (scheduler 0)'
chooses '*until = view->now; return WP_POLICY_NOBODY;' false 'wants no warp until cycle 0, which is not later, at cycle 0'
chooses '*until = view->now + 1; return WP_POLICY_NOBODY;' false 'has chosen nobody 1000000 times in a row, although warp 0 of block 0, in its place 0, could issue, at cycle'
chooses 'view->stop (view, "no more"); return 0;' false 'fails (no more) at cycle 0'

refuse '--policy ./none.so: there is no such file' --policy ./none.so
refuse '--policy ./: it is no file' --policy ./
refuse 'cannot be loaded as a shared library' --policy ./labels
echo 'int nothing;' >empty.c
build empty.c
refuse 'it has no variable wp_policy_plugin' --policy ./empty.so
sed 's/WP_POLICY_HEAD/.version = 99/' bad.c >old.c
build old.c
refuse 'is of version 99 of warpipe/policy.h, and this warpipe takes version 1' --policy ./old.so
refuse '--policy-set "limt": there is no such knob; there are limit (' --policy ./throttle.so --policy-set limt=2
refuse 'the policy has no knobs' --policy gto --policy-set limit=2
refuse '--policy-set limit=0: expected a whole number from 1 to 1024' --policy ./throttle.so --policy-set limit=0
refuse '--policy-set limit: expected one value; lists are for sweep and compare' --policy ./throttle.so --policy-set limit=1,2
refuse '--policy-set gives "limit" twice' --policy ./throttle.so --policy-set limit=1 --policy-set limit=2
refuse '--policy-set "limit": expected NAME=VALUE' --policy ./throttle.so --policy-set limit
refuse 'does not go with --order dataflow' --policy ./throttle.so --order dataflow
