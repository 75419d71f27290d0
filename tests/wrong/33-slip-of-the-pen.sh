#!/bin/sh
# SPDX-License-Identifier: MIT
# A suffix that no instruction has is an error that says what was meant, and not another instruction.
for case in "add.f46 add.f64" "ld.global.v3.f32 ld.global.v2.f32" "ld.glbal.f32 ld.global.f32"; do
  set -- $case
  echo "<kernel name='k'><launch blocks='1' threads='32'/><program>
<i op='$1'/></program></kernel>" >k.xml
  for gpu in gtx980 a100-80; do
    "$WARPIPE" run k.xml --gpu $gpu >out 2>err
    test $? -eq 1 || echo "$1 runs on $gpu"
    grep -q "^warpipe: k.xml:2: .*did you mean \"$2\"" err || { echo "$1 on $gpu is not suggested to be $2:"; cat err; }
  done
done
# A name that PTX does not begin so is anyone's own.
cat >own.xml <<'XML'
<gpu name="own" like="simple"><op name="load.row" pipeline="memory" issue="4" completion="20"/></gpu>
XML
echo "<kernel name='k'><launch blocks='1' threads='32'/><program><i op='load.row.left'/></program></kernel>" >k.xml
"$WARPIPE" run k.xml --gpu ./own.xml >out 2>err || { echo "an op of one's own is refused:"; cat err; }
test ! -s err || { echo "an op of one's own is told of:"; cat err; }
