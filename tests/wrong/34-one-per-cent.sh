#!/bin/sh
# SPDX-License-Identifier: MIT
# Where instructions with others' figures are more than 1% of a pipeline's use, a warning takes the verdict's place.
# mix N: one fma.f16x2, which the GTX 980 has no figures for, with N adds.
mix ()
{
  echo "<kernel name='mix'><launch blocks='64' threads='256'/><program>
<i op='fma.f16x2'/><repeat count='$1'><i op='add.f32'/></repeat></program></kernel>" >mix.xml
  "$WARPIPE" run mix.xml --gpu gtx980 --format json >out 2>err || { cat err; exit 1; }
  grep -q '"fma.f16x2" on gtx980 has no figures for its type: 1 instruction' err || { echo "no note:"; cat err; }
}

mix 98
grep -q '"name": "approximated"' out || echo "1 of 99 instructions is approximated, without a warning"
grep -q '"kind": "none"' out || echo "there is a verdict over it"
mix 100
grep -q '"name": "approximated"' out && echo "1 of 101 instructions is less than 1%"
grep -q '"kind": "none"' out && echo "there is no verdict"
true
