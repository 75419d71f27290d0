# SPDX-License-Identifier: MIT
# What tests that drive a browser begin with (source it): $python has selenium, there is a Chromium, and the working folder
# is a new one that goes away. Leaves the test out where something is missing.
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import selenium' 2>/dev/null; then python=$candidate; break; fi
done
test -n "$python" || { echo "python3-selenium is missing"; exit 77; }
command -v chromedriver >/dev/null || { echo "chromium-driver is missing"; exit 77; }
command -v chromium >/dev/null || { echo "chromium is missing"; exit 77; }
. "$abs_srcdir/tests/scratch.sh"
