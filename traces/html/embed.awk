# SPDX-License-Identifier: MIT
# Makes C of the page, its style and its script (the .html, the .css and the .js files, in the order given): each a text of
# its own. The parts of the script share one scope, which nothing else sees. No line's end is lost, so that the hashes of
# the texts are those of what stands in the page.
function begin (name) {
  print "\nconst char wp_html_" name "[] ="
  open = name
  if (open == "script")
    put("\"use strict\";\n(() => {")
}
function end () {
  if (open == "script")
    put("})();")
  if (open != "")
    print "  ;"
}
function put (text) {
  gsub (/\\/, "&&", text)
  gsub (/"/, "\\\"", text)
  gsub (/\?/, "\\?", text)
  gsub (/\n/, "\\n", text)
  print "  \"" text "\\n\""
}
BEGIN {
  names["html"] = "page"; names["css"] = "style"; names["js"] = "script"
  print "/* Made of the files in traces/html by embed.awk: edit those. */"
  print "/* clang-format off */"
  print "#include \"traces/html/wp-html-parts.h\""
}
FNR == 1 {
  suffix = FILENAME
  sub (/^.*\./, "", suffix)
  if (names[suffix] != open) {
    end()
    begin(names[suffix])
  }
}
{
  put($0)
}
END {
  end()
}
