#!/bin/sh
# SPDX-License-Identifier: MIT
# What each fuzz target came to, by the logs of `make fuzz-long` in the build folder: runs, edges of the code that were
# reached, inputs that are kept, and findings since fuzz-found/.began. Fails where there is a finding, or no run.
status=0
printf '%-14s %12s %9s %8s %9s\n' target runs coverage corpus findings
for name; do
  # The last line of libFuzzer's that has figures: "#1234: cov: 5 ft: 6 corp: 7 ...", or "#1234 DONE cov: ...".
  set -- $(awk '/^#[0-9]/ { line = $0 } END {
    n = split (line, word)
    runs = word[1]; gsub (/[#:]/, "", runs)
    for (i = 1; i < n; i++) if (word[i] == "cov:") cov = word[i + 1]; else if (word[i] == "corp:") corp = word[i + 1]
    sub (/\/.*/, "", corp)
    print runs + 0, cov + 0, corp + 0 }' "fuzz-$name.log" 2>/dev/null)
  found=$(find fuzz-found -name "$name-[a-z]*-*" -newer fuzz-found/.began | wc -l)
  printf '%-14s %12s %9s %8s %9s\n' "$name" "${1-0}" "${2-0}" "${3-0}" "$found"
  test "$found" = 0 && test "${1-0}" -gt 0 || status=1
done
test "$status" = 0 || echo "findings are in fuzz-found; a target that did not run says why in fuzz-NAME.log"
exit $status
