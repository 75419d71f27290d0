# SPDX-License-Identifier: MIT
# Sourced by tests that need a library which the program may have been built without.

# with LIBRARY: whether `warpipe --version` lists it.
with () { warpipe --version | grep -q "^with $1:"; }

# lacks FILE: whether a message in FILE says that the program was built without a library, and it was: $library.
lacks ()
{
  library=$(sed -n 's/.* this warpipe was built without \([A-Za-z-]*\).*/\1/p' "$1" | sed 1q)
  test -n "$library" && warpipe --version | grep -q "^without $library:"
}
