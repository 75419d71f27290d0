# SPDX-License-Identifier: MIT
"""Kernels and GPUs. Each is read once, is never changed, and may be used by several threads at a time."""
from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from . import _build, _core, _options


class Assumption(UserWarning):
    """What had to be assumed, or which op runs in place of one that the GPU lacks: what the command line notes."""


def warn(message: str) -> None:
    warnings.warn(message, Assumption, stacklevel=2)


class Kernel(_core.Kernel):
    """A kernel by `name`: a shipped one, or a file (kernel.xml, PTX, a listing, a trace; machine code with `launch=` and
    `gpu=`). Options are the values of its parameters (`set={"alpha": 32}`) and how it is imported.

    name, title: texts (title may be None). launch: dict of blocks, threads, registers, shared_memory (bytes).
    parameters: dict of whole numbers. to_xml(): the text of a kernel.xml."""

    def __new__(cls, name: str | os.PathLike, /, *, _text: str | None = None, **options: Any) -> Kernel:
        self = super().__new__(cls, os.fspath(name), _text, _options.make_pairs(options), warn)
        self._made = _text is not None
        self._source = os.fspath(name)
        self._options = options
        return self

    @classmethod
    def from_xml(cls, text: str, name: str = "kernel.xml", **options: Any) -> Kernel:
        """A kernel of `text`, as a kernel.xml has it. Errors call it `name`."""
        return cls(name, _text=text, **options)

    @classmethod
    def build(cls, name: str, body: Sequence[_build.Step], *, blocks: int = 1, threads: int = 32, registers: int | None = None,
              shared_memory: int | None = None) -> Kernel:
        """A kernel of steps: `Instruction`, `Barrier`, `Arrive`, `Repeat`, or the op of an instruction as a text.

        threads: of a block. registers: of a thread. shared_memory: bytes of a block."""
        return cls.from_xml(_build.make_xml(name, body, blocks=blocks, threads=threads, registers=registers,
                                            shared_memory=shared_memory), name)

    def __repr__(self) -> str:
        return f"<warpipe.Kernel {self.name}>"


class Gpu(_core.Gpu):
    """A GPU by `name`: a shipped one, what people call it where only one can be meant (`"A100 80GB"`), or a gpu.xml.

    name, title, generation: texts (all but name may be None)."""

    def __new__(cls, name: str | os.PathLike, /, *, _text: str | None = None) -> Gpu:
        self = super().__new__(cls, os.fspath(name), _text)
        self._made = _text is not None
        self._source = os.fspath(name)
        return self

    @classmethod
    def from_xml(cls, text: str, name: str = "gpu.xml") -> Gpu:
        """A GPU of `text`, as a gpu.xml has it; `like="gtx980"` there names a shipped one."""
        return cls(name, _text=text)

    @classmethod
    def like(cls, name: str, figures: Mapping[str, Any]) -> Gpu:
        """The GPU `name` with other figures, as `--gpu-set` has them: `{"sms": 8, "op.ld.global.issue": 4}`."""
        return cls(f"{name}{{{' '.join(f'{path}={value}' for path, value in figures.items())}}}")

    def __repr__(self) -> str:
        return f"<warpipe.Gpu {self.name}>"
