#!/bin/sh
# SPDX-License-Identifier: MIT
# Results do not depend on the number of cores, nor on whether recurring periods are skipped, except
# for what the report says about this. Whole devices whose SMs differ (random numbers; programs for
# some blocks only) and whose SMs do not, with and without launch latency; one that is interrupted;
# and a second core does take part.
set -u
. "$abs_srcdir/tests/scratch.sh"

cat >draws.xml <<END
<gpu like="gtx980" name="draws">
  <pipeline name="memory" channels="9" channel-issue="26.4"/>
  <op name="ld.global" transactions="4"><spread at="0 50 100" add="0 8 200"/></op>
</gpu>
END
sed -e 's/name="draws">/name="at-once"><launch latency="0"\/>/' draws.xml >at-once.xml
sed -e 's/name="draws">/name="shares">/' -e 's/name="memory"/& shared="3"/' draws.xml >shares.xml
cat >parts.xml <<END
<kernel name="parts">
  <launch blocks="3000" threads="256"/>
  <program blocks="0-499"><repeat count="20"><i id="a" op="compute" after="a"/></repeat></program>
  <program blocks="500-2999"><repeat count="20"><i id="a" op="memory" after="a"/></repeat></program>
</kernel>
END

# same TITLE ARGUMENT...: the report in full, one by one, and otherwise.
same ()
{
  title=$1
  shift
  warpipe run "$@" --sms all --format json --cores 1 --no-skip >one || complain "$title: exit status $?"
  grep -v '"cores"\|"skipped"' one >expected
  for how in "--cores 1" "--cores 2" "--cores 3" "--cores 2 --no-skip"; do
    # shellcheck disable=SC2086
    warpipe run "$@" --sms all --format json $how >other || complain "$title, $how: exit status $?"
    grep -v '"cores"\|"skipped"' other | cmp -s expected - || {
      complain "$title, $how: another report:"
      diff one other
    }
  done
}

same "blocks of one program" vector-add --gpu gtx980 --blocks 10000
same "as many blocks as fit" vector-add --gpu gtx980 --blocks 120
same "blocks of two programs" parts.xml --gpu gtx980
same "draws" vector-add --gpu ./draws.xml --memory contended --blocks 10000
same "draws, no launch latency" vector-add --gpu ./at-once.xml --memory contended --blocks 5000
same "SMs that share" vector-add --gpu ./shares.xml --blocks 10000
same "SMs that share, draws" vector-add --gpu ./shares.xml --memory contended --blocks 10000
same "a long last generation" volkov-mix --gpu ./draws.xml --memory contended --threads 256 --blocks 128 --set rounds=20

grep -q '"cores": [12],' other || complain "$(grep cores other): more than were asked for"

# Long enough for a second one to be tried.
warpipe run vector-add --gpu ./draws.xml --memory contended --blocks 50000 --sms all --cores 2 --format json >out
grep -q '"cores": 2,' out || complain "a second core took no part: $(grep cores out)"
warpipe run vector-add --gpu ./at-once.xml --memory contended --blocks 5000 --sms all --cores 2 >out
grep -q '^  cores .*: launches take no time' out || complain "the report does not say why one core is left alone"
warpipe run vector-add --gpu ./draws.xml --blocks 500 --sms all --cores 2 --issues issues.csv >out
grep -q '^  cores .*: tables' out || complain "the report does not say that tables need one core"

# --cores holds for what is executed, too.
if test -z "${SAN_CFLAGS-}"; then
  cat >begun.c <<END
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib.h>
#include <stdio.h>
GThread *
g_thread_try_new (const char *name, GThreadFunc run, gpointer data, GError **error)
{
  fprintf (stderr, "begun: %s\n", name);
  return ((__typeof__ (&g_thread_try_new))dlsym (RTLD_NEXT, "g_thread_try_new")) (name, run, data, error);
}
END
  ${CC-cc} -std=gnu11 -O1 -shared -fPIC $(pkg-config --cflags glib-2.0) -o begun.so begun.c -ldl || complain "begun.c"
  executing ()
  {
    LD_PRELOAD=$PWD/begun.so warpipe "$@" "$abs_srcdir/tests/cuda/execute/fixtures/copy.sm_80.cubin" --gpu a100-80 \
      --launch 'saxpy<<<512,128>>>(65536, 2.5f, X, Y)' 2>&1 >/dev/null | grep -c '^begun: execute'
  }
  test "$(executing explain --cores 2)" = 1 || complain "two cores: $(executing explain --cores 2) threads more execute"
  for command in run explain compare sweep; do
    test "$(executing $command --cores 1)" = 0 || complain "$command: $(executing $command --cores 1) threads more than one"
  done
fi

timeout --foreground --preserve-status -s INT 2 warpipe run vector-add --gpu ./draws.xml --memory contended \
  --blocks 9000000000000000 --sms all --cores 2 --format json >out
status=$?
test "$status" = 130 || complain "exit status $status when interrupted, expected 130"
grep -q '"complete": false' out || complain "the report does not say that it is of a part"
exit $failed
