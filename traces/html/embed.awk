# SPDX-License-Identifier: MIT
# Makes C of page.html, page.css and page.js: each a text of its own. No line's end is lost, so that the hashes of the
# texts are those of what stands in the page.
BEGIN {
  names["html"] = "page"; names["css"] = "style"; names["js"] = "script"
  print "/* Made of the files in traces/html by embed.awk: edit those. */"
  print "/* clang-format off */"
  print "#include \"traces/wp-html-parts.h\""
}
FNR == 1 {
  if (NR > 1)
    print "  ;"
  suffix = FILENAME
  sub (/^.*\./, "", suffix)
  print "\nconst char wp_html_" names[suffix] "[] ="
}
{
  gsub (/\\/, "&&")
  gsub (/"/, "\\\"")
  gsub (/\?/, "\\?")
  print "  \"" $0 "\\n\""
}
END {
  print "  ;"
}
