#!/usr/bin/env python3
"""Print the circles of the package's graph of imports, and what each room imports of others.

    python tools/import_graph.py

Imports within functions and those for types alone count like all others. The exit status is 1
where files import each other in a circle.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = "puzzlehunt"
FOLDER = Path(__file__).resolve().parent.parent / PACKAGE

Graph = Mapping[str, set[str]]


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the files of the package, each with its syntax tree."""
    files = sorted(FOLDER.rglob("*.py"))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}


def graph() -> Graph:
    """Return the modules of the package, each with those that it imports.

    The package itself only hands on names, and says its version.
    """
    files = {_name(path): tree for path, tree in trees().items()}
    del files[PACKAGE]
    return {name: set(_imported(tree, name, files)) for name, tree in files.items()}


def _name(path: Path) -> str:
    """Return the name of a module."""
    parts = path.relative_to(FOLDER.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(tree: ast.Module, name: str, files: Mapping[str, ast.Module]) -> Iterator[str]:
    """Yield the modules of the package that a file imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            submodules = [f"{node.module}.{each.name}" for each in node.names]
            found = [each if each in files else node.module for each in submodules]
        else:
            continue
        yield from (each for each in found if each in files and each != name)


def circles(modules: Graph) -> list[list[str]]:
    """Return circles of imports, no two with a file in common; [] if there are none."""
    left, found = dict(modules), []
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle = error.args[1][:-1]
            found.append(circle[::-1])
            left = {
                name: others - set(circle) for name, others in left.items() if name not in circle
            }
        else:
            return found


def room(name: str) -> str:
    """Return the room of a module."""
    return name.split(".")[1]


def main() -> int:
    """Print circles and rooms; return the exit status."""
    modules = graph()
    between = Counter(
        (room(name), room(other)) for name, others in modules.items() for other in others
    )
    for each in dict.fromkeys(map(room, modules)):
        others = sorted((o, n) for (r, o), n in between.items() if r == each and o != each)
        print(f"{each}: {', '.join(f'{other} {number}' for other, number in others)}")
    found = circles(modules)
    for circle in found:
        print("circle:", " -> ".join([*circle, circle[0]]))
    print(f"{len(modules)} files, {sum(map(len, modules.values()))} imports, {len(found)} circles")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
