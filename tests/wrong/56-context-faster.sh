#!/bin/sh
# SPDX-License-Identifier: MIT
# A latency that was changed without its contexts makes conflicts faster than none: no verdict where contexts are used.
cat >slow.xml <<'END'
<gpu name="slow" like="gtx980"><op name="ld.global" completion="1600"/></gpu>
END
"$WARPIPE" run permute-random --gpu slow.xml --format json >out 2>err || { echo "run:"; cat err; exit 1; }
grep -q '"name": "context-faster"' out || { echo "no warning:"; grep -A3 '"warnings"' out; exit 1; }
grep -q '"kind": "none"' out || { echo "a verdict all the same:"; grep -A3 '"verdict"' out; exit 1; }
"$WARPIPE" run volkov-mix --gpu slow.xml --format json 2>err | grep -q context-faster && { echo "this kernel has no context"; exit 1; }
"$WARPIPE" run permute-random --gpu gtx980 --format json 2>err | grep -q context-faster && { echo "the shipped description warns"; exit 1; }
exit 0
