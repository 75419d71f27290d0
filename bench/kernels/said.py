# SPDX-License-Identifier: MIT
"""said.py TABLE GENERATION: whether what `warpipe tune --format json`, on standard input, says of its
first choice is what known-errors.def has of its bound and GENERATION; status 1 where not."""
import json
import re
import sys


def main():
    with open(sys.argv[1], encoding="ascii") as text:
        table = {found[:3]: (int(found[3]), int(found[4])) for found in re.findall(
            r'KNOWN \("(.*)", "(.*)", "(.*)", (\d+), (\d+)\)', text.read())}
    tuning = json.load(sys.stdin)
    first, known = tuning["launches"][0], tuning.get("known")
    said = known and (known["measured"], known["half_within_percent"])
    right = table.get((first["bound"], first["resource"], sys.argv[2]))
    if said == right:
        return 0
    print(f"tune says {said} of {first['bound']}: {first['resource']}; the table has {right}")
    return 1


if __name__ == "__main__":
    if sys.argv[1:2] in (["--help"], ["-h"]):
        print(__doc__)
        sys.exit()
    sys.exit(main())
