# SPDX-License-Identifier: MIT
"""The places of doc/fidelity-kernels.md that are written by rule: between a line <!-- NAME --> and
a line <!-- end -->."""
import os
import re
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "doc",
                    "fidelity-kernels.md")


def read():
    with open(PAGE, encoding="utf-8") as text:
        return text.read()


def place(text, name):
    found = re.search(rf"<!-- {re.escape(name)} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    if not found:
        sys.exit(f"{PAGE} has no place for {name}: a line <!-- {name} --> and a line <!-- end -->")
    return found


def write(tables):
    text = read()
    for name, lines in tables:
        found = place(text, name)
        text = text[:found.start(1)] + "\n".join(lines) + "\n" + text[found.end(1):]
    with open(PAGE, "w", encoding="utf-8") as out:
        out.write(text)


def differences(tables):
    """The names of the tables that the page has otherwise."""
    text = read()
    return [name for name, lines in tables if place(text, name)[1].splitlines() != lines]
