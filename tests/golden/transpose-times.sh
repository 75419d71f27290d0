# SPDX-License-Identifier: MIT
# Reads lines MEASURED LAUNCH, of transposes of 32768 x 32768 floats in a public log, and prints each with what is
# predicted for 8192 x 8192, times 16, in microseconds, and the memory that it is predicted with.
while read -r measured launch; do
  warpipe run "$srcdir/tests/cuda/cubin/transposes.sm_90.cubin" --gpu h100-sxm --launch "$launch(I,O,8192)" \
    --execute-limit 5000000 --no-lines --format json 2>/dev/null |
    awk -F '[:,]' -v of="${launch%%<<<*}" -v measured="$measured" '
      $1 ~ /"memory"/ && !memory { memory = $2; gsub (/[" ]/, "", memory) }
      $1 ~ /"time_drained_us"/ { printf "%s, %s memory: %s measured, %.0f\n", of, memory, measured, 16 * $2 }'
done
