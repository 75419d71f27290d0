# SPDX-License-Identifier: MIT
# Figures of `warpipe models --format csv` with six significant digits: the last of its twelve depend on how a compiler
# orders floating point.
BEGIN { FS = OFS = "," }
NR > 1 { for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e-?[0-9]+)?$/) $i = sprintf ("%.6g", $i) }
{ print }
