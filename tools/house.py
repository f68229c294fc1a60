"""How much there is to know: the size of the package, and what makes it hard to read.

usage: python tools/house.py [--list WHAT]

Prints a line for each measure. --list prints where: any, imports, parameters, names, files,
assertions.
"""

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "puzzlehunt"
TESTS = ROOT / "tests"
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "docs"]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Found:
    """What was found, as lines `FILE:LINE what`."""

    any: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    parameters: list[tuple[int, str]] = field(default_factory=list)
    options: list[int] = field(default_factory=lambda: [0])
    """The number of parameters of each command of the program: its options."""
    classes: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def sources(folder: Path) -> Iterator[tuple[str, ast.Module]]:
    """Yield the name and the tree of each file."""
    for path in sorted(folder.rglob("*.py")):
        yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def looked_through() -> Found:
    """Return what is counted in the package."""
    found = Found()
    for name, tree in sources(PACKAGE):
        for node in ast.walk(tree):
            place = f"{name}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Name) and node.id == "Any":
                found.any.append(place)
            if isinstance(node, ast.ClassDef):
                found.classes[node.name].append(place)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                arguments = node.args
                count = sum(map(len, (arguments.posonlyargs, arguments.args, arguments.kwonlyargs)))
                is_method = arguments.args[:1] and arguments.args[0].arg in ("self", "cls")
                if any(".command(" in ast.unparse(way) for way in node.decorator_list):
                    found.options.append(count)
                else:
                    found.parameters.append((count - bool(is_method), f"{place} {node.name}"))
                found.imports += [
                    f"{name}:{part.lineno}"
                    for part in own(node)
                    if isinstance(part, ast.Import | ast.ImportFrom)
                ]
    return found


def own(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions inside of it."""
    waiting: list[ast.AST] = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += ast.iter_child_nodes(node)


def printed_assertions() -> list[str]:
    """Return the assertions that hold a printed sentence: a text of two words or more."""
    found = []
    for name, tree in sources(TESTS):
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert) and any(
                isinstance(part, ast.Constant)
                and isinstance(part.value, str)
                and len(part.value.split()) > 2
                for part in ast.walk(node.test)
            ):
                found.append(f"{name}:{node.lineno}")
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How much there is to know.")
    choices = ["any", "imports", "parameters", "names", "files", "assertions"]
    parser.add_argument("--list", choices=choices)
    asked = parser.parse_args()
    found = looked_through()
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi")]
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in files}
    twice = {name: places for name, places in found.classes.items() if len(places) > 1}
    stems = Counter(path.stem for path in files if path.stem not in ("__init__", "base"))
    assertions = printed_assertions()
    tests = [path.read_text(encoding="utf-8").count("\n") for path in TESTS.rglob("*.py")]
    pages = [page for path in DOCS for page in ([path] if path.is_file() else path.rglob("*.md"))]
    words = sum(len(page.read_text(encoding="utf-8").split()) for page in pages)
    lists = {
        "any": found.any,
        "imports": found.imports,
        "parameters": [f"{count} {name}" for count, name in sorted(found.parameters)[-25:]],
        "names": [f"{name}: {', '.join(places)}" for name, places in sorted(twice.items())],
        "files": [
            *(f"{count} {path.relative_to(ROOT)}" for path, count in sorted(lines.items())),
            *(f"{stem}: {count} files" for stem, count in stems.items() if count > 1),
        ],
        "assertions": assertions,
    }
    if asked.list:
        print(*lists[asked.list], sep="\n")
        return
    rows = [
        ("lines of puzzlehunt/", sum(lines.values()), 37_000),
        ("files of puzzlehunt/", len(files), 215),
        ("longest file (lines)", max(lines.values()), 600),
        ("imports inside functions", len(found.imports), 80),
        ("Any", len(found.any), 150),
        ("parameters of one function", max(count for count, _ in found.parameters), 8),
        ("options of one command", max(found.options), 11),
        ("class names that stand twice", len(twice), 0),
        ("file names that stand twice", sum(count > 1 for count in stems.values()), 0),
        ("words of README, docs, CONTRIBUTING, CHANGELOG", words, 28_000),
        ("lines of tests/", sum(tests), 23_000),
        ("assertions on printed sentences", len(assertions), 150),
    ]
    for what, count, goal in rows:
        print(f"{what:50}{count:8,}   goal {goal:,}")


if __name__ == "__main__":
    main()
