#!/bin/sh
# SPDX-License-Identifier: MIT
# That no access has a context is no good news where addresses were assumed.
"$WARPIPE" explain "$srcdir/tests/cuda/vector-add.sm_80.ptx" --gpu a100-80 >out 2>/dev/null || exit 1
grep -q 'contexts ideal *no instruction has a context' out &&
  { echo "it says that no instruction has a context:"; grep contexts out; exit 1; }
grep -q 'contexts ideal *not known' out || { echo "it does not say that:"; grep contexts out; exit 1; }
