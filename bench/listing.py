# SPDX-License-Identifier: MIT
"""What warpipe cannot know about a PTX listing and is given as an option: which accesses hit in a
cache."""


def contexts(path, entry, misses=(), context="l1", accesses="ld.global"):
    """--context for the loads of ENTRY from global memory (or other ACCESSES: how their lines may
    begin), but for those whose numbers, from 0 on, are in MISSES; by lines of the file."""
    with open(path, encoding="ascii") as text:
        lines = text.read().splitlines()
    begin = next(i for i, line in enumerate(lines) if f".entry {entry}(" in line)
    end = lines.index("}", begin)
    found = [i + 1 for i in range(begin, end) if lines[i].strip().startswith(accesses)]
    return [word for i, number in enumerate(found) if i not in misses
            for word in ("--context", f"{number}={context}")]
