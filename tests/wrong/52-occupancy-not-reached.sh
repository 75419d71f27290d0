#!/bin/sh
# SPDX-License-Identifier: MIT
# An occupancy that the launch cannot reach is a warning that the JSON report carries, too.
"$WARPIPE" run vector-add --gpu gtx980 --occupancy 44 --format json >out 2>err || { echo "run:"; cat err; exit 1; }
grep -q '"name": "occupancy-not-reached"' out || { echo "not in the JSON:"; cat out; exit 1; }
"$WARPIPE" run vector-add --gpu gtx980 --occupancy 40 --format json >out 2>err
grep -q '"name": "occupancy-not-reached"' out && { echo "40 warps are five blocks:"; cat out; exit 1; }
"$WARPIPE" run vector-add --gpu gtx980 --occupancy 40 --blocks 16 >out 2>err
grep -q 'occupancy-not-reached: .* 8 warps .* size of the grid' out || { echo "not in the text:"; cat out; exit 1; }
"$WARPIPE" sweep vector-add --gpu gtx980 --occupancy 40,44 >out 2>err
test "$(grep -c occupancy-not-reached out)" = 1 || { echo "not in the row of 44:"; cat out; exit 1; }
grep -q 'occupancy-not-reached' err || { echo "sweep does not say so:"; cat err; exit 1; }
"$WARPIPE" compare vector-add --gpu gtx980 --occupancy 40,44 --format json >out 2>err
grep -q '"name": "occupancy-not-reached"' out || { echo "not in the JSON of compare:"; cat out; exit 1; }
exit 0
