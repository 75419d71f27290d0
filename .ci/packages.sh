# SPDX-License-Identifier: MIT
# Sourced by ./demo, ./selftest and the Containerfile: the one list of the Debian packages that they need.

# What an installed program loads. libpython is for policies in Python, libstdc++ for names of C++.
run_packages="libglib2.0-0 zlib1g liblzma5 libjson-glib-1.0-0 libexpat1 libzstd1 libcairo2 libpython3.11 libstdc++6 fonts-dejavu-core"
build_packages="$run_packages build-essential autoconf automake libtool autoconf-archive pkg-config libglib2.0-dev zlib1g-dev liblzma-dev libjson-glib-dev libexpat1-dev libzstd-dev libcairo2-dev python3-dev"
test_packages="check doxygen valgrind python3 clang llvm-14 libclang-rt-14-dev clang-format libxml2-utils graphviz gnuplot-nox libopenmpi-dev openmpi-bin \
  chromium chromium-driver python3-selenium lld wasi-libc libclang-rt-14-dev-wasm32"
# Tests that need these are skipped where they are not to be had.
more_test_packages="fish groff-base mandoc ocl-icd-libopencl1 pocl-opencl-icd zsh"

# install_packages PACKAGE...: installs those that are missing, and says which.
install_packages ()
{
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || {
    echo "Not a Debian system: this needs what these packages hold: $*" >&2
    return 0
  }
  missing=
  for package; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing="$missing $package"
  done
  test -n "$missing" || return 0

  as_root=
  if test "$(id -u)" != 0; then
    command -v sudo >/dev/null || {
      echo "Missing packages:$missing" >&2
      echo "Install them as root: apt-get install$missing" >&2
      return 1
    }
    as_root=sudo
  fi
  echo "Installing with apt-get:$missing"
  $as_root apt-get -qq update &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
      -o Dpkg::Use-Pty=0 install $missing >/dev/null
}
