#!/bin/sh
# SPDX-License-Identifier: MIT
# The import of a long listing is not quadratic: with eight times the parts it takes about eight times the machine
# instructions, by callgrind, in each of four shapes (loops, ways out, ways back, ifs). A quadratic step would show as
# up to 64 times. Counts, and not times: they are the same on any machine.
test -z "${SAN_CFLAGS-}" || { echo "skipped: sanitizers and valgrind do not go together"; exit 77; }
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }

count() {
	WARPIPE_LISTING_PARTS=$1 CK_FORK=no CK_RUN_CASE='long listings' \
		"${LIBTOOL:-$abs_builddir/libtool}" --mode=execute \
		valgrind --tool=callgrind --callgrind-out-file=/dev/null tests/check-layout 2>&1 |
		sed -n 's/.*Collected : //p'
}

none=$(count 8) few=$(count 500) many=$(count 4000)
echo "machine instructions of 8, 500, 4000 parts: $none $few $many"
test -n "$none" && test -n "$few" && test -n "$many" || exit 1
test $((many - none)) -lt $((16 * (few - none)))
