# SPDX-License-Identifier: MIT
"""Writes inputs for a fuzz target to begin with, made of files that other tests have.

    fuzz-seeds.py TARGET SOURCE-TREE FOLDER"""
import glob
import hashlib
import os
import re
import struct
import sys

target, top, folder = sys.argv[1:4]
MAX_BYTES = 16384


def keep(data):
    if len(data) <= MAX_BYTES:
        with open(os.path.join(folder, "seed-" + hashlib.sha1(data).hexdigest()[:16]), "wb") as file:
            file.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def find(*patterns):
    return sorted(path for pattern in patterns for path in glob.glob(os.path.join(top, pattern)))


def find_strings(text, name):
    """The texts in the array NAME of C code."""
    body = re.search(r"\b%s\[\]\s*=\s*\{(.*?)\};" % name, text, re.S).group(1)
    return [one for one in re.split(r",\s*\n|,\s{2,}|, (?=\")", body) if one.strip()]


def make_files():
    """Each command with a few files of each format, under a name that fits, in each way."""
    code = read(os.path.join(top, "tests", "fuzz-files.c")).decode()
    commands, names = (len(find_strings(code, name)) for name in ("commands", "names"))
    suffixes = [one.strip().strip('",') for one in find_strings(code, "names")]
    files = find("tests/bad/good*", "tests/fuzz/corpus/report/*", "tests/cuda/copy.sm_80.ptx", "tests/accel/*.traceg",
                 "tests/fuzz/corpus/accel/*.[gx]z", "tests/fuzz/corpus/kernel/[em]*.xml", "configs/gtx980.xml",
                 "tests/fuzz/corpus/gpu/[em]*.xml", "tests/sass/*.sass", "tests/cuda/execute/fixtures/copy.sm_*.cubin")
    for number, path in enumerate(files):
        data = read(path)
        fits = [k for k, name in enumerate(suffixes) if path.endswith(name[1:]) and len(name) > 1]
        for command in range(commands):
            keep(bytes([command, fits[-1] if fits else number % names, (command + number) % 16 // 13]) + data)


def find_code(image):
    """The sections .text.* of a cubin: its target, and the code of each."""
    at, = struct.unpack_from("<Q", image, 40)
    n, names = struct.unpack_from("<HH", image, 60)
    flags, = struct.unpack_from("<I", image, 48)
    sections = [struct.unpack_from("<IIQQQQ", image, at + 64 * k) for k in range(n)]
    for name, _, _, _, offset, size in sections:
        if image[sections[names][4] + name:].startswith(b".text."):
            yield flags >> 8 & 255 if image[7] == 0x41 else flags & 255, image[offset:offset + size]


def make_execute():
    targets = [70, 75, 80, 86, 89, 90, 100, 120]
    for number, path in enumerate(find("tests/cuda/*.cubin", "tests/cuda/*/*.cubin", "tests/cuda/execute/fixtures/*.cubin")):
        for sm, code in find_code(read(path)):
            if sm in targets and len(code) <= 4096:
                keep(bytes([targets.index(sm), number % 3 + (128 if number % 8 == 0 else 0)]) + code)


def make_launch():
    for path in find("tests/*.tap", "tests/*.py", "tests/cuda/execute/*.py", "tests/golden/*.test", "doc/*.md"):
        for text in re.findall(rb"[\w:<>, ]+<<<.*?>>>\(.*?\)", read(path)):
            keep(text.strip())


def make_policy():
    for seed in range(32):
        keep(seed.to_bytes(8, "little") + bytes([seed]) + bytes(range(6, 32)) + bytes([seed * 8]))


def make_of(*patterns):
    """The files themselves."""
    def make():
        for path in find(*patterns):
            keep(read(path))
    return make


makers = {"accel": make_of("tests/accel/*"), "capability": make_of("configs/*.csv"), "gpu": make_of("configs/*.xml"),
          "kernel": make_of("idg/kernels/*.xml"), "ptx": make_of("tests/cuda/*.ptx"), "sass": make_of("tests/sass/*"),
          "files": make_files, "execute": make_execute, "cubin": make_of("tests/cuda/*.cubin", "tests/cuda/cubin/*", "tests/cuda/execute/fixtures/*.cubin"),
          "launch": make_launch, "policy": make_policy}
if target in makers:
    makers[target]()
