#!/bin/sh
# SPDX-License-Identifier: MIT
# A barrier of some of a block's warps does not hold the others, and an arrive does not hold its warp.
k ()
{
  cat >k.xml <<K
<kernel name="k"><launch blocks="1" threads="64"/>
<program warps="0"><i id="x" op="ld.global"/>$1</program>
<program warps="1">$2<i op="add.f32"/></program></kernel>
K
  "$WARPIPE" run k.xml --gpu gtx980 --lifetimes lives >out 2>err || { cat err; exit 1; }
  sed -n 's/^0,0,1,[0-9]*,[0-9]*,0,\([0-9]*\).*/\1/p' lives
}
late='<barrier name="b" after="x"/>'
# The add of the second warp: after the load of the first, or at once.
test "$(k "$late" '<barrier name="b"/>')" = 374 || { echo "a barrier that does not hold: $(k "$late" '<barrier name="b"/>')"; exit 1; }
test "$(k "$late" '<arrive name="b"/>')" -lt 20 || { echo "an arrive that holds"; exit 1; }
late='<barrier name="b" warps="1" after="x"/>'
test "$(k "$late" '<barrier name="b" warps="1"/>')" -lt 20 || { echo "a barrier of one warp that holds"; exit 1; }
