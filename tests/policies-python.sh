#!/bin/sh
# SPDX-License-Identifier: MIT
# Policies in Python: the examples of doc/policies run and make of a kernel what those in C do; cores change nothing; what
# is wrong in a script is an error of one line that names the script and its line.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir"
test -z "${SAN_CFLAGS-}" || export LSAN_OPTIONS=detect_leaks=0

fail () { echo "$*"; exit 1; }

warpipe=$abs_builddir/warpipe
run='--gpu gtx980 --blocks 64 --threads 256'
cp "$abs_srcdir"/doc/policies/*.py .

# Without Python there is one line that says so.
if "$warpipe" --version | grep -q 'without Python'; then
  status=0
  "$warpipe" run volkov-mix $run --policy ./gto.py 2>err >out || status=$?
  test "$status" = 2 || fail "without Python: exit status $status"
  grep -qF 'was built without Python' err || fail "without Python: $(cat err)"
  exit 0
fi

# The script is gto; a script with a knob is its like in C, for each value.
"$warpipe" compare volkov-mix $run --policy gto,./gto.py --format csv >gto.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i } NR > 1 { print $c }' gto.csv | uniq | wc -l |
  grep -qx 1 || fail "gto.py is not gto: $(cat gto.csv)"
$CC -std=c99 -O1 -shared -fPIC "-I$abs_srcdir/include" "$abs_srcdir/doc/policies/throttle.c" -o throttle.so
cycles () { "$warpipe" run volkov-mix $run --format json "$@" | sed -n 's/^  "cycles": \(.*\),$/\1/p'; }
for limit in 1 3; do
  test "$(cycles --policy ./throttle.py --policy-set limit=$limit)" = \
    "$(cycles --policy ./throttle.so --policy-set limit=$limit)" || fail "throttle.py is not throttle.c"
done

# Rows of a sweep on several threads, and SMs on several, are those of one.
for cores in 1 4; do
  "$warpipe" sweep volkov-mix $run --policy ./throttle.py,./gto.py --policy-set limit=1-3 --cores $cores >$cores.csv
  cycles --policy ./throttle.py --sms all --cores $cores >$cores.cycles
done
grep -c '^[1-4],volkov-mix' 1.csv | grep -qx 4 || fail "$(cat 1.csv)"
cmp 1.csv 4.csv
cmp 1.cycles 4.cycles

# What a script prints is talk.
cat >bad.py <<'END'
class Policy:
    def choose(self, view):
        print("hello")
        return view.oldest
END
"$warpipe" run volkov-mix $run --blocks 1 --policy ./bad.py --format json >out 2>err
grep -q hello err || fail "print() says nothing on standard error"
! grep -q hello out || fail "print() writes among results"

# STATUS, what it must say; the script on standard input.
refuse ()
{
  cat >bad.py
  status=0
  timeout 60 "$warpipe" run volkov-mix $run --policy ./bad.py >out 2>err || status=$?
  test "$status" = "$1" || fail "exit status $status, and was to be $1: $(cat err)"
  grep -F -- "$2" err >/dev/null || fail "says $(cat err), and was to say: $2"
  test "$(wc -l <err)" = 1 || fail "says more than a line: $(cat err)"
}

# What choose() does, and what that says.
chooses ()
{
  printf 'class Policy:\n    def choose(self, view):\n        %s\n' "$1" | refuse 1 "$2"
}

printf 'x = (\n' | refuse 2 "--policy ./bad.py: line 1: SyntaxError: '(' was never closed"
printf '\nimport none_such\n' | refuse 2 "./bad.py: line 2: ModuleNotFoundError: No module named 'none_such'"
printf 'a\0b' | refuse 2 './bad.py: ValueError: it is no text'
printf 'a = 1\n' | refuse 2 'it has no class Policy; expected one with a method choose(self, view)'
printf 'class Policy:\n  pass\n' | refuse 2 'its class Policy has no method choose(self, view)'
printf 'class Policy:\n  knobs = {"a": 3}\n  def choose(self, view):\n    pass\n' |
  refuse 2 "knobs has 'a': 3; expected \"name\": (value, min, max, \"what it does\")"
printf 'class Policy:\n  knobs = 3\n  def choose(self, view):\n    pass\n' | refuse 2 'knobs is no dict'
printf 'class Policy:\n  def start(self, view):\n    raise ValueError("no")\n  def choose(self, view):\n    pass\n' |
  refuse 1 'with policy bad.py: line 3: ValueError: no'
chooses 'return 1 / 0' 'policy bad.py on scheduler 0 of SM 0 fails (line 3: ZeroDivisionError: division by zero) at cycle 0'
chooses 'return 99' 'fails (line 2: choose() returned 99; expected one of view.ready(), or None) at cycle 0'
chooses 'return "a"' "choose() returned 'a'; expected"
chooses 'return -1' 'choose() returned -1; expected'
chooses 'return 2 ** 80 + view.oldest' 'choose() returned 1208925819614629174706176; expected'
chooses 'return view.pipeline(99)' 'line 3: IndexError: there is no pipeline 99; there are'
chooses 'return None' 'and the policy never chooses it (scheduler 0)'
chooses 'view.hold(view.now)' 'wants no warp until cycle 0, which is not later, at cycle 0'
chooses 'view.stop("no more")' 'fails (no more) at cycle 0'
refuse 1 'line 5: RuntimeError: a view shows nothing once the call has returned' <<'END'
class Policy:
    def launched(self, view, warp):
        Policy.first = getattr(Policy, "first", view)
    def choose(self, view):
        return view.oldest if view is Policy.first else Policy.first.now
END
