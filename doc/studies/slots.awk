# SPDX-License-Identifier: MIT
# slots.awk [-v from=1500] [-v name=TEXT]: from what `warpipe run ... --issues -` prints of a machine that issues once a
# cycle, 84 cycles as a letter each: L load, A add, R square root, B barrier, a dot where nothing is issued.
BEGIN {
  FS = ","
  from = from ? from : 1500
}
NF >= 10 && $1 ~ /^[0-9]/ && $1 >= from && $1 < from + 84 {
  letter[$1 - from] = $7 ~ /^ld/ ? "L" : $7 ~ /^add/ ? "A" : $7 ~ /^bar/ ? "B" : "R"
}
END {
  for (i = 0; i < 84; i++)
    line = line (i in letter ? letter[i] : ".")
  printf "%-10s %s\n", name, line
}
