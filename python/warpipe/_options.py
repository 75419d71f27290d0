# SPDX-License-Identifier: MIT
"""Keywords as the library has its options: pairs of texts, which it checks."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SEVERAL = {"trip", "branch", "context", "launch", "data"}  # given once for each value


def make_text(value: Any) -> str:
    """A value of an option: True is yes; what can be gone through is a list."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return ",".join(make_text(one) for one in value)
    return str(value)


def make_pairs(options: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Pairs of OPTIONS; what is None is left out."""
    pairs = []
    for keyword, value in options.items():
        name = keyword.replace("_", "-")
        if value is None:
            continue
        if name == "set" and isinstance(value, Mapping):
            pairs += [(name, f"{parameter}={make_text(one)}") for parameter, one in value.items()]
        elif name in SEVERAL and isinstance(value, Mapping):
            pairs += [(name, f"{key}={one}") for key, one in value.items()]
        elif name in SEVERAL and not isinstance(value, str):
            pairs += [(name, str(one)) for one in value]
        else:
            pairs.append((name, make_text(value)))
    return tuple(pairs)
