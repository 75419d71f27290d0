# SPDX-License-Identifier: MIT
"""The tables of doc/fidelity-kernels.md."""
import os
import sys

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path.append(BENCH)

import places  # pylint: disable=wrong-import-position

PAGE = os.path.join(BENCH, os.pardir, "doc", "fidelity-kernels.md")


def write(tables):
    places.write(PAGE, tables)


def differences(tables):
    """The names of the tables that the page has otherwise."""
    return places.differences(PAGE, tables)
