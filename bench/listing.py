# SPDX-License-Identifier: MIT
"""What warpipe cannot know about a PTX listing and is given as an option: which accesses hit in a
cache."""


def contexts(path, entry, skip, context="l1", accesses="ld.global"):
    """--context for the loads of ENTRY from global memory (or other ACCESSES: how their lines may
    begin), but for the first SKIP of them; by lines of the file."""
    with open(path, encoding="ascii") as text:
        lines = text.read().splitlines()
    begin = next(i for i, line in enumerate(lines) if f".entry {entry}(" in line)
    end = lines.index("}", begin)
    loads = [i + 1 for i in range(begin, end) if lines[i].strip().startswith(accesses)]
    return [word for number in loads[min(skip, len(loads)):]
            for word in ("--context", f"{number}={context}")]
