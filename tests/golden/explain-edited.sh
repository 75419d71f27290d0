# SPDX-License-Identifier: MIT
# What "warpipe explain" says of a kernel with one thing ideal is what "warpipe run" says of files that are edited so.
# Prints how many figures were compared, and those that differ.
gpu=$golden/explain-gpu.xml
n=0

# edit NAME: ideal-gpu.xml and ideal-kernel.xml are made of the GPU's and of $kernel.
edit ()
{
  on_gpu= on_kernel=
  case $1 in
    memory-latency) on_gpu='/"ld.global"/,/<\/op>/s/ completion="[0-9]*"/ completion="0"/' ;;
    memory-bandwidth) on_gpu='/"ld.global"/,/<\/op>/s/ issue="[0-9]*"/ issue="0"/' ;;
    compute-latency) on_gpu='/"ld.global"/,/<\/op>/!s/ completion\(-each\)*="[0-9]*"/ completion\1="0"/' ;;
    compute-throughput) on_gpu='/"ld.global"/,/<\/op>/!s/ issue\(-each\)*="[0-9\/]*"/ issue\1="0"/' ;;
    schedulers) on_gpu='s/ interval="1"/ interval="0"/' ;;
    contexts) on_kernel='s/ context="[^"]*"//' ;;
    barriers) on_kernel='s/<barrier[^>]*>//' ;;
    replacement) on_gpu='/<launch/s/"100"/"0"/' ;;
    occupancy) on_gpu='/<limits/s/ \(blocks\|registers\|shared-memory\)="[0-9]*"//g' ;;
    ilp-latency) on_gpu='s/ ilp-latency="4"//' ;;
  esac
  sed "$on_gpu" "$gpu" >ideal-gpu.xml
  sed "$on_kernel" "$kernel" >ideal-kernel.xml
  ! cmp -s "$gpu" ideal-gpu.xml || ! cmp -s "$kernel" ideal-kernel.xml || echo "$1: nothing was edited"
}

for kernel in "$golden"/explain-*.xml; do
  test "$kernel" != "$gpu" || continue
  warpipe explain "$kernel" --gpu "$gpu" --format json |
    awk '/"name":/ { name = $2 } /"cycles":/ && name != "" { print name, $2; name = "" } /"pairs":/ { exit }' |
    tr -d '",' >figures
  while read -r name cycles; do
    edit "$name"
    run=$(warpipe run ideal-kernel.xml --gpu ideal-gpu.xml --format json | awk '/"cycles":/ { print $2 + 0 }')
    test "$run" = "$cycles" || echo "${kernel##*/}, $name: explain says $cycles, run $run"
    n=$((n + 1))
  done <figures
done
echo "$n figures"
