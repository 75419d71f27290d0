#!/bin/sh
# SPDX-License-Identifier: MIT
# A name that is not known is refused with the one that was meant.
try ()
{
  wanted=$1
  shift
  "$WARPIPE" "$@" >out 2>err && { echo "accepted: $*"; exit 1; }
  grep -q -e "did you mean.* $wanted" err || { echo "$*: not \"$wanted\":"; cat err; exit 1; }
}
try --occupancy run vector-add --gpu v100 --occupency 4
try --gpu run vector-add --gup v100
try explain expalin vector-add --gpu v100
try gto run vector-add --gpu v100 --policy gtoo
try vector-add run vector-ad --gpu v100
try alpha run volkov-mix --gpu v100 --set alpah=3
"$WARPIPE" show vector-add --occupancy 4 >out 2>err
grep -q 'one of run, bounds' err || { echo "not whose option it is:"; cat err; exit 1; }
