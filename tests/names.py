# SPDX-License-Identifier: MIT
"""Kernels of PTX, of a listing and of machine code with names that are hostile: import may refuse them, in one line and
with nothing written, but what it writes is read by run, show and validate, and no terminal gets what reorders or hides.

    names.py TESTS-FOLDER, with warpipe on PATH"""
import os
import random
import re
import subprocess
import sys

tests = sys.argv[1]
SEEDS = 25
LAUNCH = b"<<<1, dim3(16, 16)>>>(A, B, C, 16)"
PARTS = [part.encode() for part in "aZ0_<>&'{}*=- ,\t\1\33\x7f\x80\x85\x9f\u00e9\u200b\u202e\u2066\ufeff\uffff\u2028\"\U0001f600:$%()[];"]
PARTS += [b"\xc3", b"\x80", b"\xff", b"\xed\xa0\x80", b"\xe2\x80"]  # halves of characters
# Names of C++ whose text has commas, quotes, braces and blanks; and what PTX has beside letters.
MANGLED = ["_Z1fIZ4mainEUlvE_EvT_", "_Zli2_xPKc", "_Z1fIJifdEEvDpT_", "_ZN12_GLOBAL__N_11gEPKc", "_Z1fILc34EEvv", "_Z1fILc44EEvv",
           "_Z1fILi-1EEvv", "_ZN1aclEv", "_Z1fPFviE", "_Z" + "1a" * 40, "_Z", "_ZZZ", "$_%", "_" * 4000, "a" * 300, "$"]
# Control characters but line ends and tabs, and what turns text around, hides, or has no width.
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
failed = 0


def complain(*words):
    global failed
    failed = 1
    print(*words)


def read(name):
    with open(os.path.join(tests, name), "rb") as file:
        return file.read()


def warpipe(*words):
    done = subprocess.run(["warpipe", *words], capture_output=True, timeout=100)
    return done.returncode, done.stdout, done.stderr


def make(kind, name):
    """A file with NAME, which is cut or repeated to the length that machine code has room for; what import also needs."""
    if kind == "ptx":
        return read("cuda/copy.sm_80.ptx").replace(b"copy", name), []
    if kind == "sass":
        return b"\t\tFunction : " + name + b"\n" + read("sass/listing-3.1.sass"), []
    name = (name * 8)[:len("sgemm_16")]
    return (read("cuda/sgemm-16.sm_80.cubin").replace(b"sgemm_16", name),
            ["--gpu", "a100-80", "--launch", name + LAUNCH])


def check(kind, name):
    data, words = make(kind, name)
    with open("in." + kind, "wb") as file:
        file.write(data)
    if os.path.exists("k.xml"):
        os.remove("k.xml")
    status, out, err = warpipe("import", "in." + kind, *words, "-o", "k.xml")
    said = [out, err]
    if status == 0:
        for also in ["run", "k.xml", "--gpu", "a100-80", "--sms", "1"], ["show", "k.xml"], ["validate", "k.xml"]:
            refused, out, err = warpipe(*also)
            said += [out, err]
            if refused:
                complain(kind, name, also[0], "refuses what import wrote:", err)
    elif status not in (1, 2) or os.path.exists("k.xml"):
        complain(kind, name, "import ends with status", status, "or has written:", err)
    for text in said:
        try:
            if HIDDEN.search(text.decode()):
                complain(kind, name, "what it says hides or turns text:", text)
        except UnicodeDecodeError:
            complain(kind, name, "what it says is not UTF-8:", text)
    return status == 0


def main():
    for kind, least in ("ptx", 10), ("sass", 15), ("cubin", 8):
        names = [name.encode() for name in MANGLED] if kind == "ptx" else []
        for seed in range(SEEDS):
            draw = random.Random(seed)
            names.append(b"".join(draw.choice(PARTS) for _ in range(draw.randint(1, 40))))
        taken = sum(check(kind, name) for name in names if b"\0" not in name)
        print(f"{kind}: {taken} of {len(names)} names were taken")
        if taken < least:
            complain(kind, "too few names were taken")
    return failed


sys.exit(main())
