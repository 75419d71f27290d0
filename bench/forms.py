#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each form of PTX's instructions: is it executed, and do all targets compute the same?

usage: forms.py [--targets 75,80,90a,100a,120a] [--match REGEX] [--page FILE]

A form is an op with one choice of types, rounding and so on. Those that the assembler (ptxas, on the PATH) takes for a
target are put into kernels, which are executed on the same random data as those of other targets: where one has an
instruction for what another one computes in steps, both leave the same in memory, or one of them is wrong. What
doc/execute.md says is not covered has to be refused; all else has to be executed. Products of floating point are added up
in an order that each target has for itself, and only have to be executed. Exit status 1: a form that is neither. --page keeps
the table between two comments of FILE. WARPIPE names the program."""
import argparse
import concurrent.futures
import itertools
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

WARPIPE = os.environ.get("WARPIPE", "warpipe")
GPUS = {"75": "titanrtx", "80": "a100-80", "86": "a40", "89": "rtx4090", "90a": "h100-sxm", "100a": "b200", "120a": "rtx5090"}
BEGIN, END = "<!-- make validate-forms: begin -->", "<!-- make validate-forms: end -->"
THREADS, RECORD = 64, 1024  # each thread has a record: inputs, from 256 on what it accesses, from 512 on results
RESULTS, SHARED, FIRST_RESULT = 512, 768, 50

# Letters of registers, and what is loaded into them.
LETTERS = {"f32": "f", "f64": "d", "f16": "h", "bf16": "h", "f16x2": "r", "bf16x2": "r", "f32x2": "l"}
LETTERS.update({f"{sign}{bits}": letter for bits, letter in ((8, "h"), (16, "h"), (32, "r"), (64, "l")) for sign in "usb"})
BITS = {"h": "b16", "r": "b32", "l": "b64", "f": "f32", "d": "f64"}

NOT_COVERED = re.compile(r"xorsign|\.oob|cvt\.rs|\.b1\.b1\.|ldmatrix.*(m16n16|b8x16)|stmatrix.*m16n8|st\.bulk")
ADDED_UP = re.compile(r"^mma\S*\.(f16|bf16|tf32|e\dm\d)\.")


def letter(kind, number):
    return f"%{LETTERS.get(kind, kind)}{number}"


def vector(kind, n, first):
    return "{" + ", ".join(letter(kind, first + k) for k in range(n)) + "}"


def cross(template, **choices):
    """TEMPLATE for all combinations of CHOICES; T0 to T3 and T50 are registers of type T."""
    for values in itertools.product(*choices.values()):
        text = template
        for name, value in zip(choices, values):
            text = re.sub(rf"<{name}(\d+)>", lambda found: letter(value, found[1]), text).replace(f"<{name}>", value)
        yield text


def holding(condition):
    """A predicate becomes a number."""
    return "{ .reg .pred q; " + condition + " selp.b32 %r51, 1, 2, q; }"


ROUND = ("", ".rn", ".rz", ".rm", ".rp")
FLOATS = ("f32", "f64", "f16", "bf16", "f16x2", "bf16x2", "f32x2")
WHOLE = ("u16", "s16", "u32", "s32", "u64", "s64")
COMPARE = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")


def conversions():
    kinds = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64")
    for to, of, sat in itertools.product(kinds, kinds, ("", ".sat")):
        whole = (".rni", ".rzi", ".rmi", ".rpi") if "f" in of and (to == of or "f" not in to) else ()
        rounds = ("",) + whole + (ROUND[1:] if "f" in to and to != of else ())
        yield from cross(f"cvt<round><ftz>{sat}.{to}.{of} {letter(to, 50)}, {letter(of, 0)};", round=rounds,
                         ftz=("", ".ftz") if "f32" in (to, of) else ("",))
    for relu, sat in itertools.product(("", ".relu"), ("", ".satfinite")):
        yield from cross(f"cvt<round>{relu}{sat}.<to>.f32 %r50, %f0, %f1;", round=(".rn", ".rz"), to=("f16x2", "bf16x2"))
        yield from cross(f"cvt<round>{relu}{sat}.<to>.f32 %h50, %f0;", round=(".rn", ".rz"), to=("f16", "bf16"))
        yield from cross(f"cvt<round>{sat}{relu}.tf32.f32 %r50, %f0;", round=(".rn", ".rz", ".rna"))
    yield from cross("{ .reg .b16 x, y; cvt.rn.satfinite<relu>.<to>.f32 x, %f0, %f1; "
                     "cvt.rn.satfinite<relu>.<to>.f32 y, %f2, %f3; mov.b32 %r50, {y, x}; }",
                     relu=("", ".relu"), to=("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2"))
    yield from cross("{ .reg .b16 x, y; cvt.rn.satfinite<relu>.<to>.f16x2 x, %r0; "
                     "cvt.rn.satfinite<relu>.<to>.f16x2 y, %r1; mov.b32 %r50, {y, x}; }",
                     relu=("", ".relu"), to=("e4m3x2", "e5m2x2"))
    yield from cross("{ .reg .b8 x, y, z, w; cvt.rn.satfinite<relu>.e2m1x2.f32 x, %f0, %f1; "
                     "cvt.rn.satfinite<relu>.e2m1x2.f32 y, %f2, %f3; cvt.rn.satfinite<relu>.e2m1x2.f32 z, %f1, %f2; "
                     "cvt.rn.satfinite<relu>.e2m1x2.f32 w, %f3, %f0; mov.b32 %r50, {x, y, z, w}; }", relu=("", ".relu"))
    yield from cross("cvt.rn<relu>.f16x2.<of> %r50, %h0;", relu=("", ".relu"), of=("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2"))
    yield from cross("{ .reg .b8 x, y; mov.b16 {x, y}, %h0; cvt.rn<relu>.f16x2.e2m1x2 %r50, y; }", relu=("", ".relu"))
    yield from cross("cvt<round>.satfinite.ue8m0x2.<of>;", round=(".rz", ".rp"), of=("f32 %h50, %f0, %f1", "bf16x2 %h50, %r0"))
    yield "cvt.rn.bf16x2.ue8m0x2 %r50, %h0;"
    yield from cross("cvt.rs<sat>.<to>.f32 %r50, <of>, %r0;", sat=("", ".satfinite"), to=("f16x2", "bf16x2", "e4m3x4", "e2m1x4"),
                     of=("%f0, %f1", "{%f0, %f1, %f2, %f3}"))
    yield from cross("cvt.pack.sat.<to>.s32.b32 %r50, %r0, %r1, %r2;", to=("u8", "s8", "u4", "s4", "u2", "s2"))
    yield from cross("cvt.pack.sat.<to>.s32 %r50, %r0, %r1;", to=("u16", "s16"))


def floats():
    more = ("", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu", ".oob")
    yield from cross("<op><round><more>.<t> <t50>, <t0>, <t1>;", op=("add", "sub", "mul", "div"), round=ROUND, more=more, t=FLOATS)
    yield from cross("fma<round><more>.<t> <t50>, <t0>, <t1>, <t2>;", round=ROUND, more=more, t=FLOATS)
    yield from cross("<op><round><ftz>.<t> <t50>, <t0>;", op=("sqrt", "rcp"), round=ROUND, ftz=("", ".ftz"), t=FLOATS)
    more = tuple("".join(words) for words in itertools.product(("", ".ftz"), ("", ".NaN"), ("", ".xorsign.abs", ".abs")))
    yield from cross("<op><more>.<t> <t50>, <t0>, <t1>;", op=("min", "max"), more=more, t=FLOATS)
    yield from cross("<op><more>.<t> <t50>, <t0>, <t1>, <t2>;", op=("min", "max"), more=more, t=FLOATS)
    yield from cross("<op><ftz>.<t> <t50>, <t0>;", op=("abs", "neg"), ftz=("", ".ftz"), t=FLOATS)
    yield from cross("<op>.approx<ftz>.<t> <t50>, <t0>;", op=("sin", "cos", "lg2", "ex2", "rcp", "rsqrt", "sqrt", "tanh"),
                     ftz=("", ".ftz"), t=FLOATS)
    yield from cross("<op><ftz>.<t> <t50>, <t0>, <t1>;", op=("div.full", "div.approx", "copysign"), ftz=("", ".ftz"), t=FLOATS)
    yield from cross(holding("setp.<is><ftz>.<t> q, <t0>, <t1>;"), **{"is": COMPARE}, ftz=("", ".ftz"), t=FLOATS)
    yield from cross("set.<is>.<to>.<t> <to50>, <t0>, <t1>;", **{"is": COMPARE}, to=("u32", "f32", "f16", "f16x2"), t=FLOATS)
    yield from cross("{ .reg .pred q, s; setp.<is>.<t> q|s, <t0>, <t1>; selp.b32 %r50, 1, 2, q; selp.b32 %r51, 1, 2, s; }",
                     **{"is": COMPARE}, t=("f16x2", "bf16x2"))
    yield from cross("<op><round><sat>.f32.<t> %f50, <t0>, %f1;", op=("add", "sub"), round=("", ".rn", ".rz"), sat=("", ".sat"),
                     t=("f16", "bf16"))
    yield from cross("fma<round><sat>.f32.<t> %f50, <t0>, <t1>, %f2;", round=(".rn", ".rz"), sat=("", ".sat"), t=("f16", "bf16"))
    yield from cross(holding("testp.<is>.<t> q, <t0>;"), t=("f32", "f64"),
                     **{"is": ("finite", "infinite", "number", "notanumber", "normal", "subnormal")})


def whole_numbers():
    yield from cross("<op>.<t> <t50>, <t0>, <t1>;", op=("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"), t=WHOLE)
    yield from cross("<op>.<t> <t50>, <t0>, <t1>, <t2>;", op=("mad.lo", "mad.hi", "sad"), t=WHOLE)
    yield from cross("<op>.<t> <t50>, <t0>;", op=("abs", "neg"), t=WHOLE)
    yield from cross("shr.<t> <t50>, <t0>, %r1;", t=WHOLE)
    for narrow, wide in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
        yield f"mul.wide.{narrow} {letter(wide, 50)}, {letter(narrow, 0)}, {letter(narrow, 1)};"
        yield f"mad.wide.{narrow} {letter(wide, 50)}, {letter(narrow, 0)}, {letter(narrow, 1)}, {letter(wide, 2)};"
    long = ("u32", "s32", "u64", "s64")
    yield from cross("bfe.<t> <t50>, <t0>, %r1, %r2;", t=long)
    yield from cross("bfind<how>.<t> %r50, <t0>;", how=("", ".shiftamt"), t=long)
    yield from cross("<op>.<t> %r50, %r0, %r1;", op=("mul24.lo", "mul24.hi", "szext.clamp", "szext.wrap"), t=("u32", "s32"))
    yield from cross("<op>.<t> %r50, %r0, %r1, %r2;", op=("mad24.lo", "mad24.hi"), t=("u32", "s32"))
    yield from cross("<op>.<a>.<b> %r50, %r0, %r1, %r2;", op=("dp4a", "dp2a.lo", "dp2a.hi"), a=("u32", "s32"), b=("u32", "s32"))
    yield from cross("<op>.s32 %r50, %r0, %r1;", op=("add.sat", "sub.sat", "min.relu", "max.relu"))
    yield "mad.hi.sat.s32 %r50, %r0, %r1, %r2;"
    yield from cross("<op>.<t> %r50, %r0, %r1;", op=("add", "sub", "min", "max", "min.relu", "max.relu", "add.sat", "sub.sat"),
                     t=("u16x2", "s16x2", "u8x4", "s8x4"))
    yield from cross("<op>.<t> <t50>, <t0>, <t1>;", op=("and", "or", "xor"), t=("b16", "b32", "b64"))
    yield from cross("<op>.<t> <t50>, <t0>;", op=("not", "cnot", "brev"), t=("b16", "b32", "b64"))
    yield from cross("<op>.<t> %r50, <t0>;", op=("popc", "clz"), t=("b32", "b64"))
    yield from cross("bfi.<t> <t50>, <t0>, <t1>, %r2, %r3;", t=("b32", "b64"))
    yield from cross("shl.<t> <t50>, <t0>, %r1;", t=("b16", "b32", "b64"))
    yield "fns.b32 %r50, %r0, %r1, %r2;"
    yield from cross("bmsk.<how>.b32 %r50, %r0, %r1;", how=("clamp", "wrap"))
    yield from cross("lop3.b32 %r50, %r0, %r1, %r2, <table>;", table=("0x5a", "0x96", "0xe8", "0x01", "0xca"))
    yield from cross("shf.<way>.<how>.b32 %r50, %r0, %r1, %r2;", way="lr", how=("clamp", "wrap"))
    yield from cross("prmt.b32<how> %r50, %r0, %r1, %r2;", how=("", ".f4e", ".b4e", ".rc8", ".rc16", ".ecl", ".ecr"))
    yield "{ add.cc.u32 %r50, %r0, %r1; addc.cc.u32 %r51, %r2, %r3; addc.u32 %r52, %r4, %r5; }"
    yield "{ sub.cc.u32 %r50, %r0, %r1; subc.cc.u32 %r51, %r2, %r3; subc.u32 %r52, %r4, %r5; }"
    yield "{ mad.lo.cc.u32 %r50, %r0, %r1, %r2; madc.hi.u32 %r51, %r0, %r1, %r3; }"
    yield "{ mad.lo.cc.u64 %l50, %l0, %l1, %l2; madc.hi.u64 %l51, %l0, %l1, %l3; }"
    yield from cross("<op>.<t> %r50, %r0, %r1;", op=("vadd", "vsub", "vabsdiff", "vmin", "vmax"),
                     t=("s32.s32.s32", "u32.u32.u32", "s32.s32.u32"))
    yield from cross("<op>.<t>.sat %r50, %r0.b1, %r1.h1;", op=("vadd", "vsub", "vabsdiff", "vmin", "vmax"),
                     t=("s32.s32.s32", "u32.u32.u32"))
    yield from cross("<op>.u32.u32.u32<how> %r50, %r0, %r1;", op=("vshl", "vshr"), how=(".wrap", ".clamp"))
    yield from cross("<op><n>.<t><more> %r50, %r0, %r1, %r2;", op=("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"), n="24",
                     t=("s32.s32.s32", "u32.u32.u32"), more=("", ".sat", ".add"))
    yield from cross("slct.<t>.<sign> <t50>, <t0>, <t1>, <sign2>;", t=("u32", "b64", "f32", "f64"), sign=("s32", "f32"))


def warps():
    yield from cross("redux.sync.<op> %r50, %r0, -1;", op=("add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                                                           "and.b32", "or.b32", "xor.b32"))
    yield from cross("redux.sync.<op><more>.f32 %f50, %f0, -1;", op=("min", "max"), more=("", ".abs", ".NaN", ".abs.NaN"))
    yield from cross(holding("shfl.sync.<how>.b32 %r50|q, %r0, %r1, %r2, -1;"), how=("up", "down", "bfly", "idx"))
    yield from cross(holding("setp.lt.u32 q, %r0, %r1; vote.sync.<how>.pred q, q, -1;"), how=("any", "all", "uni"))
    yield "{ .reg .pred q; setp.lt.u32 q, %r0, %r1; vote.sync.ballot.b32 %r50, q, -1; }"
    yield from cross("{ .reg .b32 x; match.any.sync.<t> %r50, <t0>, -1; }", t=("b32", "b64"))
    yield from cross(holding("match.all.sync.<t> %r50|q, <t0>, -1;"), t=("b32", "b64"))
    yield "activemask.b32 %r50;"
    yield holding("elect.sync %r50|q, -1;")
    yield from cross("mov.u32 %r50, %<name>;", name=("tid.x", "ntid.x", "laneid", "ctaid.y", "nctaid.x", "lanemask_eq",
                                                      "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt"))
    yield from cross(holding("setp.lt.u32 q, %r0, %r1; barrier.red.<how>.pred q, 0, q;"), how=("and", "or"))
    yield "{ .reg .pred q; setp.lt.u32 q, %r0, %r1; barrier.red.popc.u32 %r50, 0, q; }"


def memory():
    """%l9 and %r9 are addresses, in device memory and in shared memory."""
    spaces = ((".global", "%l9"), (".shared", "%r9"), ("", "%l9"))
    for (space, at), n, kind in itertools.product(spaces, (1, 2, 4, 8), ("u8", "s8", "u16", "b32", "b64")):
        if n == 8 and kind != "b32":
            continue
        of = letter(kind, 50) if n == 1 else vector(kind, n, 50)
        to = letter(kind, 0) if n == 1 else vector(kind, n, 0)
        size = "" if n == 1 else f".v{n}"
        yield f"ld{space}{size}.{kind} {of}, [{at}];"
        yield f"st{space}{size}.{kind} [{at}], {to};"
    yield from cross("ld<how>.b32 %r50, [%l9];", how=(
        ".global.ca", ".global.cg", ".global.cs", ".global.lu", ".global.cv", ".global.nc", ".volatile.global", ".relaxed.gpu.global",
        ".acquire.gpu.global", ".relaxed.sys.global", ".acquire.cta.global", ".mmio.relaxed.sys.global",
        ".global.nc.L1::no_allocate", ".global.L1::evict_last", ".global.L2::128B", ".global.nc.L2::256B"))
    yield from cross("st<how>.b32 [%l9], %r0;", how=(".global.wb", ".global.cg", ".global.cs", ".global.wt", ".volatile.global",
                                                     ".relaxed.gpu.global", ".release.gpu.global", ".release.sys.global"))
    ops = [f"{op}.{kind}" for op, kinds in (
        ("add", "u32 s32 u64 f32 f64 noftz.f16 noftz.bf16 noftz.f16x2 noftz.bf16x2"), ("min", "u32 s32 u64 s64"),
        ("max", "u32 s32 u64 s64"), ("and", "b32 b64"), ("or", "b32 b64"), ("xor", "b32 b64"), ("exch", "b32 b64"), ("inc", "u32"),
        ("dec", "u32")) for kind in kinds.split()]
    for (space, at), op, order in itertools.product(spaces, ops, ("", ".relaxed.cta", ".acq_rel.gpu", ".release.sys")):
        kind = op.split(".")[-1]
        yield f"atom{order}{space}.{op} {letter(kind, 50)}, [{at}], {letter(kind, 0)};"
        if not order:
            yield f"red{space}.{op} [{at}], {letter(kind, 0)};"
    for (space, at), kind in itertools.product(spaces, ("b16", "b32", "b64")):
        yield f"atom{space}.cas.{kind} {letter(kind, 50)}, [{at}], {letter(kind, 0)}, {letter(kind, 1)};"
    for n, (kind, op) in itertools.product((2, 4), (("f32", "add"), ("f16x2", "add.noftz"), ("bf16x2", "max.noftz"))):
        yield f"red.global.{op}.v{n}.{kind} [%l9], {vector(kind, n, 0)};"
        yield f"atom.global.{op}.v{n}.{kind} {vector(kind, n, 50)}, [%l9], {vector(kind, n, 0)};"
    yield from cross("cp.async.ca.shared.global [%r9], [%l9], <n>; cp.async.wait_all;", n=("4", "8", "16"))
    yield from cross("cp.async.cg.shared.global<how> [%r9], [%l9], 16<part>; cp.async.commit_group; cp.async.wait_group 0;",
                     how=("", ".L2::128B"), part=("", ", 8"))
    for n, turned in itertools.product((1, 2, 4), ("", ".trans")):
        yield f"ldmatrix.sync.aligned.m8n8.x{n}{turned}.shared.b16 {vector('r', n, 50)}, [%r9];"
        yield f"stmatrix.sync.aligned.m8n8.x{n}{turned}.shared.b16 [%r9], {vector('r', n, 0)};"
        yield f"ldmatrix.sync.aligned.m8n16.x{n}.shared.b8x16.b4x16_p64 {vector('r', n, 50)}, [%r9];"
        yield f"stmatrix.sync.aligned.m16n8.x{n}.trans.shared.b8 [%r9], {vector('r', n, 0)};"
    yield "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r50, %r51}, [%r9];"
    yield "movmatrix.sync.aligned.m8n8.trans.b16 %r50, %r0;"
    yield from cross("<fence>;", fence=("fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.sc.sys", "membar.cta", "membar.gl", "membar.sys",
                                        "fence.proxy.async", "prefetch.global.L1 [%l9]", "prefetch.global.L2 [%l9]",
                                        "discard.global.L2 [%l9], 128", "applypriority.global.L2::evict_normal [%l9], 128",
                                        "griddepcontrol.wait", "griddepcontrol.launch_dependents"))
    yield from cross("{ .reg .b64 p; createpolicy.fractional.L2::<how>.b64 p, 0.5; ld.global.L2::cache_hint.b32 %r50, [%l9], p; }",
                     how=("evict_last", "evict_first", "evict_normal"))
    yield from cross(holding("isspacep.<space> q, %l9;"), space=("global", "shared", "local"))


def products():
    def product(shape, kinds, counts, more="", layout="row.col"):
        d, a, b, c = counts
        to, of = kinds.split(".")[0].replace("s32", "r"), "f64" if kinds.endswith("f64") else "r"
        to = "r" if to == "f16" else to
        return (f"mma.sync.aligned.{shape}.{layout}{more}.{kinds} "
                f"{vector(to, d, 50)}, {vector(of, a, 0)}, {vector(of, b, 16)}, {vector(to, c, 24)};")

    for kind in ("f16", "bf16"):
        yield product("m16n8k16", f"f32.{kind}.{kind}.f32", (4, 4, 2, 4))
        yield product("m16n8k8", f"f32.{kind}.{kind}.f32", (4, 2, 1, 4))
    yield product("m16n8k16", "f16.f16.f16.f16", (2, 4, 2, 2))
    yield product("m16n8k8", "f16.f16.f16.f16", (2, 2, 1, 2))
    yield product("m16n8k8", "f32.tf32.tf32.f32", (4, 4, 2, 4))
    yield product("m16n8k4", "f32.tf32.tf32.f32", (4, 2, 1, 4))
    for layout in ("row.row", "row.col", "col.row", "col.col"):
        yield product("m8n8k4", "f32.f16.f16.f32", (8, 2, 2, 8), layout=layout)
        yield product("m8n8k4", "f16.f16.f16.f16", (4, 2, 2, 4), layout=layout)
    for a, b, bits, more in itertools.product("us", "us", (8, 4), ("", ".satfinite")):
        kinds = f"s32.{a}{bits}.{b}{bits}.s32"
        for shape, counts in ((f"m8n8k{128 // bits}", (2, 1, 1, 2)), (f"m16n8k{128 // bits}", (4, 2, 1, 4)),
                              (f"m16n8k{256 // bits}", (4, 4, 2, 4))):
            yield product(shape, kinds, counts, more)
    for op, (shape, counts) in itertools.product(("xor", "and"), (("m8n8k128", (2, 1, 1, 2)), ("m16n8k256", (4, 4, 2, 4)))):
        yield product(shape, "s32.b1.b1.s32", counts).replace("s32.b1.b1.s32", f"s32.b1.b1.s32.{op}.popc")
    eights = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")
    for a, b, more in itertools.product(eights, eights, ("", ".kind::f8f6f4")):
        yield product("m16n8k32", f"f32.{a}.{b}.f32", (4, 4, 2, 4), more)
        yield product("m16n8k32", f"f16.{a}.{b}.f16", (2, 4, 2, 2), more)
    for depth, counts in ((4, (4, 2, 1, 4)), (8, (4, 4, 2, 4)), (16, (4, 8, 4, 4))):
        yield product(f"m16n8k{depth}", "f64.f64.f64.f64", counts)
    yield product("m8n8k4", "f64.f64.f64.f64", (2, 1, 1, 2))


FAMILIES = {"conversions": conversions, "floating point": floats, "whole numbers": whole_numbers, "warps": warps, "memory": memory,
            "products of matrices": products}


class Form:
    def __init__(self, number, family, text):
        self.number, self.family, self.text = number, family, text
        self.names = sorted({(name, int(k)) for name, k in re.findall(r"%([hrlfd])(\d+)\b", text)} - {("l", 9), ("r", 9)})
        self.got = {}  # by target: bytes that it left, or what the program says

    def kernel(self):
        """The PTX of a kernel that loads inputs, is the form, and stores results."""
        shared = "%r9" in self.text
        lines = [f".visible .entry form(.param .u64 p) .maxntid {THREADS}", "{",
                 ".reg .b16 %h<64>; .reg .b32 %r<64>; .reg .b64 %l<64>; .reg .f32 %f<64>; .reg .f64 %d<64>;",
                 ".reg .u64 %at; .reg .u32 %t; .reg .b32 %m<4>;", f".shared .align 128 .b8 sm[{THREADS * 128}];",
                 f"ld.param.u64 %at, [p]; mov.u32 %t, %tid.x; mad.wide.u32 %at, %t, {RECORD}, %at; add.u64 %l9, %at, 256;",
                 "mov.u32 %r9, sm; mad.lo.u32 %r9, %t, 128, %r9;"]
        words = "{%m0, %m1, %m2, %m3}"
        for k in range(0, 128 if shared else 0, 16):
            lines.append(f"ld.global.v4.b32 {words}, [%l9+{k}]; st.shared.v4.b32 [%r9+{k}], {words};")
        for k, (name, number) in enumerate(self.names):
            if number < FIRST_RESULT:
                lines.append(f"ld.global.{BITS[name]} %{name}{number}, [%at+{8 * k}];")
        lines += ["bar.sync 0;" if shared else "", self.text, "bar.sync 0;" if shared else ""]
        for k, (name, number) in enumerate(self.names):
            if number >= FIRST_RESULT:
                lines.append(f"st.global.{BITS[name]} [%at+{RESULTS + 8 * (k % 32)}], %{name}{number};")
        for k in range(0, 128 if shared else 0, 16):
            lines.append(f"ld.shared.v4.b32 {words}, [%r9+{k}]; st.global.v4.b32 [%at+{SHARED + k}], {words};")
        return "\n".join(lines + ["ret;", "}", ""])

    def data(self):
        """Random inputs, with more of the numbers that are special than there would be."""
        chance = random.Random(self.number)
        special = (0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 1, 0x80000001, 0x7fffff, 0x3f800000, 0xbf800000,
                   0x4f000000, 0xcf000000, 0x5f000000, 0x3f000000, 0x3fc00000, 255, 0xffff, 0x7fffffff, 31, 32, 33)
        wide = (0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, float("inf"), -float("inf"), float("nan"), 1e300, 1e-310, 2.0 ** 31, 2.0 ** 63)
        data = bytearray(chance.randbytes(RECORD * THREADS))
        for thread, (k, (name, number)) in itertools.product(range(THREADS), enumerate(self.names)):
            at, kind = thread * RECORD + 8 * k, chance.random()
            if number >= FIRST_RESULT or kind < 0.3:
                continue
            size = chance.choice((-1, 1)) * 2.0 ** chance.uniform(-20, 20)
            if name == "d":
                struct.pack_into("<d", data, at, chance.choice(wide) if kind < 0.5 else size)
            elif name == "h" and kind < 0.6:
                struct.pack_into("<H", data, at, chance.choice((0, 0x8000, 0x7c00, 0xfc00, 0x7fff, 0x7f80, 1, 0x8001, 0x3c00, 0x7bff)))
            elif name != "h":
                struct.pack_into("<I", data, at, chance.choice(special) if kind < 0.5 else
                                 struct.unpack("<I", struct.pack("<f", size))[0])
        return bytes(data)


def assemble(target, form, path):
    head = f".version 9.0\n.target sm_{target}\n.address_size 64\n"
    with open(path + ".ptx", "w", encoding="utf-8") as file:
        file.write(head + form.kernel())
    try:  # some forms keep some assemblers busy for ever
        done = subprocess.run(["ptxas", f"-arch=sm_{target}", path + ".ptx", "-o", path], capture_output=True, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return False
    finally:
        os.remove(path + ".ptx")
    return done.returncode == 0


def execute(target, form, folder):
    """What the form leaves in memory, or what the program says; None if the assembler does not take it for the target."""
    path = os.path.join(folder, f"{target}-{form.number}")
    if not assemble(target, form, path):
        return None
    with open(path + ".in", "wb") as file:
        file.write(form.data())
    done = subprocess.run([WARPIPE, "run", path, "--gpu", GPUS[target], "--launch", f"form<<<1, {THREADS}>>>(p)", "--data",
                           f"p=file:{path}.in", "--dump", f"p={path}.out"], capture_output=True, text=True, check=False)
    os.remove(path)
    os.remove(path + ".in")
    # A GPU may lack the figures to simulate what was executed: its memory is right, or not.
    if done.returncode != 0 and "has no figure for op" not in done.stderr:
        return (done.stderr.strip() or f"status {done.returncode}").splitlines()[-1].split(": ", 2)[-1]
    with open(path + ".out", "rb") as file:
        left = file.read()
    os.remove(path + ".out")
    return left


def run_target(target, forms, folder, workers):
    for form, got in zip(forms, workers.map(lambda form: execute(target, form, folder), forms)):
        if got is not None:
            form.got[target] = got
    print(f"sm_{target}: {sum(target in form.got for form in forms)} forms", file=sys.stderr)


def judge(form):
    """What is wrong with a form, "" if nothing is."""
    refused = sorted(target for target, got in form.got.items() if isinstance(got, str))
    values = {got for got in form.got.values() if not isinstance(got, str)}
    if NOT_COVERED.search(form.text):
        other = [form.got[target] for target in refused if not re.search("not (covered|known)", form.got[target])]
        return other[0] if other else ""
    if refused:
        return f"sm_{refused[0]}: {form.got[refused[0]]}"
    return f"differs among {', '.join(sorted(form.got))}" if len(values) > 1 and not ADDED_UP.search(form.text) else ""


def tabulate(forms, targets):
    yield "| forms of | " + " | ".join(f"sm_{target}" for target in targets) + " | on two targets at least, the same |"
    yield "| --- |" + " ---: |" * (len(targets) + 1)
    for family in list(FAMILIES) + ["all"]:
        own = [form for form in forms if family in (form.family, "all") and form.got]
        counts = [sum(isinstance(form.got.get(target), bytes) for form in own) for target in targets]
        several = [form for form in own if sum(isinstance(got, bytes) for got in form.got.values()) > 1]
        same = sum(len({got for got in form.got.values() if isinstance(got, bytes)}) == 1 for form in several)
        yield f"| {family} | " + " | ".join(map(str, counts)) + f" | {same} of {len(several)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="75,80,90a,100a,120a")
    parser.add_argument("--match", default="")
    parser.add_argument("--page")
    options = parser.parse_args()
    texts = dict.fromkeys((family, text) for family, make in FAMILIES.items() for text in make())
    forms = [Form(number, family, text) for number, (family, text) in enumerate(texts) if re.search(options.match, text)]
    targets = options.targets.split(",")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for target in targets:
            run_target(target, forms, folder, workers)
    table = "\n".join(tabulate(forms, targets))
    print(table)
    wrong = [f"{form.text}: {judge(form)}" for form in forms if judge(form)]
    for line in wrong:
        print(line, file=sys.stderr)
    if options.page and not wrong:
        with open(options.page, encoding="utf-8") as file:
            before, rest = file.read().split(BEGIN)
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
