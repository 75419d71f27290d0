#!/bin/sh
# SPDX-License-Identifier: MIT
# validate warns of results that nobody waits for, and of rounds that do not wait for one another.
cat >unused.xml <<'END'
<kernel name="unused"><launch blocks="16" threads="256"/>
<program><repeat count="100"><i id="x" op="ld.global"/><i op="add" after="x"/><i id="y" op="ld.global"/></repeat></program></kernel>
END
"$WARPIPE" validate unused.xml >out 2>err || { echo "a warning is no error:"; cat err; }
grep -q 'unused.xml:2: the result of op "ld.global" (id "y") is used by nobody' err || { echo "nothing of y:"; cat err; }
grep -q 'unused.xml:2: the rounds of this repeat do not wait' err || { echo "nothing of the rounds:"; cat err; }
"$WARPIPE" validate unused.xml --strict >out 2>err && echo "--strict accepts it"
for kernel in "$srcdir"/idg/kernels/vector-add.xml "$srcdir"/idg/kernels/volkov-mix.xml; do
  "$WARPIPE" validate "$kernel" >out 2>err
  test ! -s err || { echo "a warning of a kernel that is right:"; cat err; }
done
exit 0
