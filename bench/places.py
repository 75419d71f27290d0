# SPDX-License-Identifier: MIT
"""The places of a page that are written by rule: between a line <!-- NAME --> and a line
<!-- end -->."""
import re
import sys


def read(page):
    with open(page, encoding="utf-8") as text:
        return text.read()


def find(page, text, name):
    """Where place NAME is in TEXT, that of PAGE: a match whose first group is what stands there."""
    found = re.search(rf"<!-- {re.escape(name)} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    if not found:
        sys.exit(f"{page} has no place for {name}: a line <!-- {name} --> and a line <!-- end -->")
    return found


def write(page, tables):
    """Writes TABLES, of (name, lines), into PAGE."""
    text = read(page)
    for name, lines in tables:
        found = find(page, text, name)
        text = text[:found.start(1)] + "\n".join(lines) + "\n" + text[found.end(1):]
    with open(page, "w", encoding="utf-8") as out:
        out.write(text)


def differences(page, tables):
    """The names of those of TABLES that PAGE has otherwise."""
    text = read(page)
    return [name for name, lines in tables if find(page, text, name)[1].splitlines() != lines]
