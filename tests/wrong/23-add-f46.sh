#!/bin/sh
# SPDX-License-Identifier: MIT
# A suffix that is no word of PTX is an error with the nearest word, and no add of another type.
cat >k.xml <<END
<kernel name="k">
  <launch blocks="1" threads="32"/>
  <program>
    <i op="add.f46"/>
  </program>
</kernel>
END
for gpu in gtx980 v100 a100-40; do
  "$WARPIPE" run k.xml --gpu "$gpu" >out 2>err && { echo "it ran on $gpu"; exit 1; }
  grep -q 'k.xml:4: .*add.f46.*add.f64' err || { echo "$gpu: no word on add.f64:"; cat err; exit 1; }
done
exit 0
