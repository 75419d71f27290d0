# SPDX-License-Identifier: MIT
"""Executes the cells of notebooks, one after another in one name space, and shows what the last expression of each would
show; or the examples of a page, which print what the text behind them says. Fails where one does not."""
import ast
import contextlib
import io
import json
import re
import sys


def run_cell(space, text, place):
    tree = ast.parse(text, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), space)
    if last is None:
        return
    value = eval(compile(ast.Expression(last.value), place, "eval"), space)
    for show in ("_repr_html_", "_repr_svg_"):
        assert not hasattr(value, show) or getattr(value, show)() != "", (place, show)
    if value is not None:
        print(repr(value))


def run_notebook(path):
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    space = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            assert not cell["outputs"], f"{path}, cell {number}: outputs are not kept"
            run_cell(space, "".join(cell["source"]), f"{path}, cell {number}")


def run_page(path):
    with open(path, encoding="utf-8") as file:
        examples = re.findall(r"```python\n([^`]*)```\n\n```text\n([^`]*)```", file.read())
    assert len(examples) >= 3, f"{path}: only {len(examples)} examples"
    space = {"__name__": "__main__"}
    for text, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, path, "exec"), space)
        assert printed.getvalue() == expected, f"{path}: it prints\n{printed.getvalue()}and not\n{expected}"


for name in sys.argv[1:]:
    print(name)
    (run_page if name.endswith(".md") else run_notebook)(name)
