# SPDX-License-Identifier: MIT
"""Kernels of Python's objects. They become the text of a kernel.xml, so that one reader checks all kernels."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union
from xml.sax.saxutils import quoteattr


@dataclass(frozen=True)
class Instruction:
    """An instruction: `op` as the GPU's description names it (`ld.global.f32`), and what it waits for.

    after: ids of earlier instructions, between blanks or as a list; `"x:2"` is x of the iteration before the last."""
    op: str
    id: str | None = None
    after: str | Sequence[str] = ()
    context: str | None = None
    text: str | None = None
    stall: int | None = None


@dataclass(frozen=True)
class Barrier:
    """Where all warps of the block meet; with a name, those that come until `warps` have."""
    name: str | None = None
    warps: int | None = None
    after: str | Sequence[str] = ()
    text: str | None = None


@dataclass(frozen=True)
class Arrive:
    """Comes to the barrier `name` and goes on."""
    name: str
    after: str | Sequence[str] = ()
    text: str | None = None


@dataclass(frozen=True)
class Repeat:
    """`body`, `count` times."""
    count: int
    body: "Sequence[Step]"


Step = Union[Instruction, Barrier, Arrive, Repeat, str]


def attribute(name: str, value: object) -> str:
    if value is None or value == () or value == []:
        return ""
    text = value if isinstance(value, str) else " ".join(value) if isinstance(value, (list, tuple)) else str(value)
    return f" {name}={quoteattr(text)}"


def element(step: Step, indent: str) -> str:
    if isinstance(step, str):
        step = Instruction(step)
    if isinstance(step, Repeat):
        body = "".join(element(one, indent + "  ") for one in step.body)
        return f"{indent}<repeat{attribute('count', step.count)}>\n{body}{indent}</repeat>\n"
    names = {Instruction: ("i", ("id", "op", "after", "context", "stall", "text")),
             Barrier: ("barrier", ("name", "warps", "after", "text")), Arrive: ("arrive", ("name", "after", "text"))}
    if type(step) not in names:
        raise TypeError(f"{step!r}: expected an Instruction, Barrier, Arrive, Repeat, or the op of an instruction")
    tag, members = names[type(step)]
    return f"{indent}<{tag}{''.join(attribute(member, getattr(step, member)) for member in members)}/>\n"


def make_xml(name: str, body: Sequence[Step], **launch: int | None) -> str:
    """The kernel NAME whose warps run BODY; LAUNCH has blocks, threads, registers, shared_memory."""
    sizes = "".join(attribute(key.replace("_", "-"), value) for key, value in launch.items())
    program = "".join(element(step, "    ") for step in body)
    return f"<kernel name={quoteattr(name)}>\n  <launch{sizes}/>\n  <program>\n{program}  </program>\n</kernel>\n"
