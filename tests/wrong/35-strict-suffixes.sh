#!/bin/sh
# SPDX-License-Identifier: MIT
# --strict refuses what a suffix changes and the GPU has no figures for, in a kernel written by hand, too.
cat >bare.xml <<'XML'
<gpu name="bare"><device sms="1" clock-mhz="1000"/><limits blocks="8" threads="1024"/>
<pipeline name="memory" kind="memory"/>
<op name="ld.global" pipeline="memory" issue="4" completion="100" bytes="128"/>
</gpu>
XML
echo "<kernel name='k'><launch blocks='8' threads='256'/><program>
<i op='ld.global.v4.f32'/></program></kernel>" >k.xml
"$WARPIPE" run k.xml --gpu ./bare.xml >out 2>err || { cat err; exit 1; }
grep -q '"ld.global.v4.f32" on bare has no figures for as many bytes' err || { echo "no note:"; cat err; }
for command in run explain bounds models sweep; do
  "$WARPIPE" $command k.xml --gpu ./bare.xml --strict >out 2>err
  test $? -eq 1 || echo "$command --strict runs it"
  grep -q '^warpipe: k.xml:2: .*runs as "ld.global"' err || { echo "$command --strict:"; cat err; }
done
# With a rule there is nothing to say.
sed 's/bytes="128"/& width="4"/' bare.xml >rule.xml
"$WARPIPE" run k.xml --gpu ./rule.xml --strict >out 2>err || { echo "the rule is not taken:"; cat err; }
