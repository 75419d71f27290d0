# SPDX-License-Identifier: MIT
"""Executes the cells of a notebook, one after another in one name space, and shows what the last expression of each would
show. Fails where a cell does."""
import ast
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)
space = {"__name__": "__main__"}
for number, cell in enumerate(notebook["cells"]):
    if cell["cell_type"] != "code":
        continue
    tree = ast.parse("".join(cell["source"]), f"{sys.argv[1]}, cell {number}")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"cell {number}", "exec"), space)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), space)
        for show in ("_repr_html_", "_repr_svg_"):
            assert not hasattr(value, show) or getattr(value, show)(), (number, show)
        if value is not None:
            print(repr(value))
assert all(not cell.get("outputs") for cell in notebook["cells"]), "outputs are not kept"
