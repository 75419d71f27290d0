#!/bin/sh
# SPDX-License-Identifier: MIT
# "Latency-bound" of a kernel from PTX says that PTX's order is not the assembler's, which hides more.
kernel=$srcdir/tests/cuda/sgemm-16.sm_90.ptx
status=0
complain () { echo "$*"; status=1; }

# run FILE OPTION...: the sentences of the verdict, in one line.
run ()
{
  "$WARPIPE" run "$@" --gpu h100-sxm --blocks 2112 --registers 32 2>err >out || { cat err; exit 1; }
  sed -n '/^What limits it/,/^$/p' out | tr -s ' \n' ' '
}

set -- --threads 256 --trip L__BB0_2=128
verdict=$(run "$kernel" "$@")
case $verdict in
  *Latency-bound*"--order dataflow"*) ;;
  *) complain "the order of PTX is not mentioned: $verdict";;
esac
verdict=$(run "$kernel" "$@" --order dataflow)
case $verdict in
  *"hroughput-bound"*lsu* | *"several units"*"(lsu)"*) ;;
  *) complain "in dataflow order it should be bound by the load/store unit: $verdict";;
esac
case $verdict in *"order of PTX"* | *"PTX's order"*) complain "nothing is to be said in dataflow order: $verdict";; esac

# A kernel kept in a file is still in PTX's order.
"$WARPIPE" import "$kernel" "$@" -o kept.xml 2>/dev/null || complain "import failed"
verdict=$(run ./kept.xml)
case $verdict in
  *Latency-bound*"--order dataflow"*) ;;
  *) complain "the kept kernel does not mention it: $verdict";;
esac
exit $status
