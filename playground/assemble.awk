# SPDX-License-Identifier: MIT
# assemble.awk NAME=FILE... TEMPLATE: the template with each @NAME@ replaced by what is in FILE (lines of any length), or by the value
# of NAME==VALUE.
function fail (text) {
  print "assemble.awk: " text "\n" > "/dev/stderr"
  exit 1
}
function put_file (path,   line, state) {
  while ((state = (getline line < path)) > 0)
    print line "\n"
  if (state < 0)
    fail(path ": cannot be read")
  close (path)
}
BEGIN {
  ORS = ""
  for (i = 1; i < ARGC - 1; i++) {
    at = index (ARGV[i], "=")
    parts[substr (ARGV[i], 1, at - 1)] = substr (ARGV[i], at + 1)
    ARGV[i] = ""
  }
}
{
  rest = $0
  while (match (rest, /@[a-z][a-z0-9.-]*@/)) {
    name = substr (rest, RSTART + 1, RLENGTH - 2)
    if (!(name in parts))
      fail("no part is called \"" name "\"")
    print substr (rest, 1, RSTART - 1)
    rest = substr (rest, RSTART + RLENGTH)
    if (substr (parts[name], 1, 1) == "=")
      print substr (parts[name], 2)
    else
      put_file(parts[name])
  }
  print rest "\n"
}
