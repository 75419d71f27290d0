# SPDX-License-Identifier: MIT
# same-ops.sh single|double GPU...: every PTX spelling of an operation in floating point costs what the plain one does.
#
# PTX has op.rounding.ftz.sat.type, and an op is looked up by dropping parts from the right: mul.rz.f32 must not end at
# the integer mul, nor fma.rz.f64 at the single precision's fma. Two kernels, one of spellings, one of the plain ops,
# must run alike to the last column, and at the same rates. Each op is timed after itself, after a reciprocal square
# root and after a load from shared memory, for which some GPUs have completions by consumer.
set -eu
precision=$1
shift

awk -v precision="$precision" '
  function spell (op, plain) { print op type, plain type }
  function rounded (op, plain, sat,   r) {
    for (r = 1; r <= 5; r++) {
      spell (op rounding[r], plain)
      if (precision == "double") continue
      spell (op rounding[r] ".ftz", plain)
      if (sat) { spell (op rounding[r] ".sat", plain); spell (op rounding[r] ".ftz.sat", plain) }
    }
  }
  BEGIN {
    type = precision == "double" ? ".f64" : ".f32"
    rounding[1] = ""
    split (" .rn .rz .rm .rp", list, " ")
    for (r in list) rounding[r + 1] = list[r]
    n = split ("add sub mul mad fma", list, " ")
    for (i = 1; i <= n; i++) rounded (list[i], list[i], 1)
    n = split ("eq ne lt le gt ge equ neu ltu leu gtu geu num nan", list, " ")
    for (i = 1; i <= n; i++) spell ("setp." list[i], "min")
    n = split ("max abs neg", list, " ")
    for (i = 1; i <= n; i++) spell (list[i], "min")
    if (precision == "double") exit
    n = split ("eq ne lt le gt ge equ neu ltu leu gtu geu num nan", list, " ")
    for (i = 1; i <= n; i++) spell ("setp." list[i] ".ftz", "min")
    n = split ("min.ftz min.NaN min.ftz.NaN min.xorsign.abs min.ftz.NaN.xorsign.abs max.ftz max.NaN max.ftz.NaN " \
               "max.xorsign.abs max.ftz.NaN.xorsign.abs abs.ftz neg.ftz selp slct", list, " ")
    for (i = 1; i <= n; i++) spell (list[i], "min")
    print "slct.ftz.f32.s32 min.f32"
  }' >spellings

# Division and its like: on GPUs that have it only.
awk -v type="$(test "$precision" = double && echo .f64 || echo .f32)" 'BEGIN {
  n = split (type == ".f64" ? "div" : "div rcp sqrt", list, " ")
  split (".rn .rz .rm .rp", rounding, " ")
  for (i = 1; i <= n; i++)
    for (r = 1; r <= 4; r++) {
      print list[i] rounding[r] type, list[i] ".rn" type
      if (type == ".f32") print list[i] rounding[r] ".ftz" type, list[i] ".rn" type
    }
  }' >divisions

for gpu; do
  cp spellings list
  case $gpu in
    simple|8800gtx|gtx*) ;;
    *) cat divisions >>list ;;
  esac
  for which in 1 2; do
    awk -v which="$which" '
      function instruction (op) {
        printf "<i id=\"i%d\" op=\"%s\"%s/>\n", n, op, n == 0 ? "" : " after=\"i" n - 1 "\""
        n++
      }
      BEGIN { n = 0; print "<kernel name=\"spellings\"><launch blocks=\"1\" threads=\"32\"/><program>" }
      {
        instruction ($which); instruction ($which)
        instruction ("rsqrt.approx.f32"); instruction ($which)
        instruction ("ld.shared.u32"); instruction ($which)
      }
      END { print "</program></kernel>" }' list >spellings.xml
    warpipe run spellings.xml --gpu "$gpu" --sms 1 --format json --issues issues.csv >report-$which
    awk -F, -v which="$which" '
      NR == FNR { split ($0, word, " "); spelling[NR - 1] = word[1]; next }
      FNR > 1 {
        k = int ((FNR - 2) / 6)
        name = (FNR - 2) % 6 == 2 || (FNR - 2) % 6 == 4 ? $7 : spelling[k]
        # From the issue before: an op that is wrong does not shift those after it.
        print name, $1 - before, $8, $9 - $1, $10 - $1
        before = $1
      }' list issues.csv >issues-$which
  done
  if diff issues-2 issues-1 >difference && diff report-2 report-1 >>difference
  then echo "$gpu: $(wc -l <list) spellings"
  else echo "$gpu: DIFFERENT:"; head -n 20 difference
  fi
done
