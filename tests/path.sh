# SPDX-License-Identifier: MIT
# Puts the program first on PATH (source it). What libtool's wrapper of it would run is taken, with
# the libraries that the wrapper would set: a shell script takes longer than most runs.
PATH=$abs_builddir:$PATH
if test -x "$abs_builddir/.libs/warpipe"; then
  PATH=$abs_builddir/.libs:$PATH
  LD_LIBRARY_PATH=$abs_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
fi
export PATH
