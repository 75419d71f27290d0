# SPDX-License-Identifier: MIT
# explain-first.sh GPU KERNEL...: for each kernel what "warpipe explain" names first, or the two that it names together; the
# per cent that this gains, and the time as it is and with it.
gpu=$1
shift
for kernel; do
  warpipe explain "$kernel" --gpu "$gpu" --format json | tr -d '",' | awk '
    /^  kernel:/ { kernel = $2 }
    /^  cycles:/ { cycles = $2 }
    /^  first:/ { first = $2; part = "ideals" }
    /^  together: \[/ { getline; first = $1; getline; first = first " + " $1; part = "pairs" }
    /^  (ideals|pairs):/ { in_it = $1 == part ":" }
    in_it && $1 == "cycles:" && !(part in time) { time[part] = $2 }
    in_it && $1 == "gain:" && !(part in gain) { gain[part] = $2 }
    END { printf "%-28s %-28s %5.1f%%  %s %s\n", kernel, first, 100 * gain[part], cycles, time[part] }'
done
