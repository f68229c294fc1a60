#!/usr/bin/env python3
"""How much there is to know: the size of each room, its budget, and what is hard to read.

usage: python tools/house.py [--check | --lower | --list WHAT]

--check fails where a line of tools/budgets.tsv is exceeded or could be lowered, or where the sum
of its rooms, or another of its numbers that is over its goal, was lower in an earlier version.
--lower lowers the numbers to what is there, but not below their goals. --list prints where: any,
imports, parameters, members, numbers.
"""

import argparse
import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tools" / "budgets.tsv"
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md")
MEASURES = ("any", "imports", "parameters", "members", "numbers")
Budgets = dict[str, tuple[int, int]]
"""The number and the goal of each line; the lines before BYTES are rooms."""
BYTES = "bytes of the package"


def git(*words: str) -> str:
    """Return what git prints in the checkout."""
    return subprocess.run(
        ["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True
    ).stdout


def tracked(*patterns: str) -> list[Path]:
    """Return the files that git tracks and that are there."""
    names = git("ls-files", "-z", "--", *patterns).split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def lines(*patterns: str) -> int:
    """Return the number of line ends in files, as `wc -l` does."""
    return sum(path.read_bytes().count(b"\n") for path in tracked(*patterns))


def room(path: Path) -> str:
    """Return the room of a file of the package."""
    below = path.relative_to(ROOT / "puzzlehunt")
    if len(below.parts) > 1:
        return below.parts[0]
    return "errors + system" if below.stem in ("errors", "system") else "top"


def sizes() -> dict[str, int]:
    """Return the size of each room, then of all else that has a budget."""
    files = tracked("puzzlehunt/*.py", "puzzlehunt/*.pyi")
    found = dict.fromkeys(budgets(TABLE.read_text(encoding="utf-8")), 0)
    for path in files:
        found[room(path)] += path.read_bytes().count(b"\n")
    return found | {
        BYTES: sum(path.stat().st_size for path in files),
        "files of the package": len(files),
        "JavaScript": lines("puzzlehunt/*.js"),
        "CSS": lines("puzzlehunt/*.css"),
        "templates, YAML, code of examples": lines(
            "puzzlehunt/*.html", "puzzlehunt/*.yaml", "examples/*.yaml", "examples/*.py"
        ),
        "tests": lines("tests/*.py"),
        "all text under tests": lines("tests"),
        "tools and benchmarks": lines("tools/*.py", "benchmarks/*.py"),
        "words of docs": sum(len(path.read_text("utf-8").split()) for path in tracked(*PAGES)),
    }


def budgets(text: str) -> Budgets:
    """Return the lines of the table."""
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {name: (int(number), int(goal)) for name, number, goal in rows}


def limits(table: Budgets) -> dict[str, int]:
    """Return what never rises: the sum of the rooms, and each other number."""
    names = list(table)
    others = names[names.index(BYTES) :]
    rooms = sum(number for name, (number, _) in table.items() if name not in others)
    return {"all rooms": rooms} | {name: table[name][0] for name in others}


def faults(table: Budgets, found: dict[str, int], earlier: dict[str, Budgets]) -> Iterator[str]:
    """Yield what is wrong with the sizes, or with the table beside earlier ones, by commit."""
    for name, (number, goal) in table.items():
        if found[name] > number:
            yield f"{name}: {found[name]:,}, over its budget of {number:,}"
        elif number > max(found[name], goal):
            yield f"{name}: {found[name]:,}; lower its budget of {number:,} (--lower)"
    now = limits(table)
    for commit, before in earlier.items():
        for name, number in limits(before).items():
            if now.get(name, 0) > max(number, table.get(name, (0, 0))[1]):
                yield f"{name}: the budget is {now[name]:,}, and was {number:,} in {commit}"


def earlier_tables() -> dict[str, Budgets]:
    """Return the versions of the table that were committed."""
    name = str(TABLE.relative_to(ROOT))
    commits = git("log", "--format=%h", "--", name).split()
    return {commit: budgets(git("show", f"{commit}:{name}")) for commit in commits}


def lower() -> None:
    """Lower the numbers of the table to what is there."""
    found, rows = sizes(), []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, number, goal = line.split("\t")
            line = f"{name}\t{min(int(number), max(found[name], int(goal)))}\t{goal}"
        rows.append(line + "\n")
    TABLE.write_text("".join(rows), encoding="utf-8")


def looked_through() -> dict[str, list[str]]:
    """Return what else is counted in the package, as lines `FILE:LINE what`."""
    found: dict[str, list[str]] = {name: [] for name in MEASURES}
    for path in tracked("puzzlehunt/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Name) and node.id == "Any":
                found["any"].append(place)
            elif isinstance(node, ast.Import | ast.ImportFrom) and node.col_offset > 4:
                found["imports"].append(f"{place} {ast.unparse(node)}")
            elif isinstance(node, ast.FunctionDef):
                names = [part.arg for part in node.args.args + node.args.kwonlyargs]
                if len(set(names) - {"self", "cls"}) > 7:
                    found["parameters"].append(f"{place} {node.name}")
            elif isinstance(node, ast.ClassDef) and node.name == "Rule":
                named = (ast.FunctionDef, ast.Assign, ast.AnnAssign)
                found["members"] += [
                    f"{part.lineno} {ast.unparse(part)[:60]!r}"
                    for part in node.body
                    if isinstance(part, named)
                ]
            elif (
                isinstance(node, ast.Constant)
                and isinstance(node.value, int | float)
                and node.value not in (0, 1, 2)
                and room(path) in ("engines", "strategies")
            ):
                found["numbers"].append(f"{place} {node.value}")
    return found


def main() -> int:
    """Print the table, or check or lower it."""
    parser = argparse.ArgumentParser(description="The size of each room, and its budget.")
    parser.add_argument("--check", action="store_true", help="fail where a budget is exceeded")
    parser.add_argument("--lower", action="store_true", help="lower the budgets to what is there")
    parser.add_argument("--list", choices=MEASURES, help="print where these are")
    asked = parser.parse_args()
    if asked.lower:
        lower()
    if asked.check:
        table = budgets(TABLE.read_text(encoding="utf-8"))
        wrong = list(faults(table, sizes(), earlier_tables()))
        print(*wrong, sep="\n", end="\n" if wrong else "")
        return len(wrong) > 0
    if asked.list:
        print(*looked_through()[asked.list], sep="\n")
        return 0
    found = sizes()
    for name, (number, goal) in budgets(TABLE.read_text(encoding="utf-8")).items():
        print(f"{name:36}{found[name]:10,}   budget {number:10,}   goal {goal:10,}")
    for name, places in looked_through().items():
        print(f"{name:36}{len(places):10,}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
