# SPDX-License-Identifier: MIT
"""Programs in doc/library.md: each block of C with a main() is compiled, as C and as C++, and run; it
prints the block of text that follows it. `library.py PAGE FOLDER` writes FOLDER/N.c and FOLDER/N.txt;
`library.py PAGE FOLDER update` puts what FOLDER/N.out holds into the page.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```(c|text)\n(.*?)^```$", re.M | re.S)


def main():
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    blocks = list(BLOCK.finditer(page.read_text()))
    pairs = [(c, text) for c, text in zip(blocks, blocks[1:]) if c[1] == "c" and "main (" in c[2]]
    assert pairs and all(text[1] == "text" for _, text in pairs), "a program without its output"
    if sys.argv[3:] == ["update"]:
        whole = page.read_text()
        for n, (_, text) in reversed(list(enumerate(pairs, 1))):
            whole = whole[:text.start(2)] + (folder / f"{n}.out").read_text() + whole[text.end(2):]
        page.write_text(whole)
        return
    for n, (program, text) in enumerate(pairs, 1):
        (folder / f"{n}.c").write_text(program[2])
        (folder / f"{n}.txt").write_text(text[2])


main()
