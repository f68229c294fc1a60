#!/usr/bin/env python3
"""Random one-line faults of the package, and how many of them the fast tests notice.

usage: python tools/mutation.py [ROOM ...] [--sample N] [--seed N] [--keep FOLDER]

Needs the extra `mutation`: cosmic-ray makes the faults, testmon knows which tests run a function.
Of each room N lines are drawn, and a fault of each is tried with the fast tests that reach it,
until one fails. Prints each fault, and at the end how many were noticed. Works on a copy of the
tracked files; with --keep the copy, and what testmon found, serve the next run, too.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import parso
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parents[1]
ROOMS = sorted(path.parent.name for path in (ROOT / "puzzlehunt").glob("*/__init__.py"))
_SECONDS = 900
"""What the tests of one fault may take; those that never end have noticed it."""

# A number off by one, a comparison turned round or moved by its boundary, and so on. Left out are
# replacements that nearly always raise TypeError, or that differ in identity alone.
_OPERATORS = [
    name
    for name in operator_names()
    if name.endswith(
        (
            *("_Add_Sub", "_Sub_Add", "_Mul_Add", "_FloorDiv_Mul", "_Div_Mul", "_Mod_FloorDiv"),
            *("_BitAnd_BitOr", "_BitOr_BitAnd", "_BitXor_BitOr", "_LShift_RShift"),
            *("_Eq_NotEq", "_NotEq_Eq", "_Is_IsNot", "_IsNot_Is"),
            *("_Lt_LtE", "_Lt_Gt", "_LtE_Lt", "_LtE_Gt", "_Gt_GtE", "_Gt_Lt", "_GtE_Gt", "_GtE_Lt"),
            *("_USub_UAdd", "_Delete_USub", "_Delete_Not", "_Delete_Invert", "/AddNot"),
            *("TrueWithFalse", "FalseWithTrue", "AndWithOr", "OrWithAnd"),
            *("BreakWithContinue", "ContinueWithBreak", "/ExceptionReplacer", "/NumberReplacer"),
            *("/ZeroIterationForLoop",),
        )
    )
]


def without_types(text: str) -> str:
    """Return the code of a file without annotations, which no fault changes."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.unparse(tree)


def places_of(text: str) -> dict[int, list[tuple[str, int]]]:
    """Return the lines of a file where faults can be made, each with operators and occurrences."""
    nodes = list(ast_nodes(parso.parse(text)))
    found = defaultdict(list)
    for name in _OPERATORS:
        operator = get_operator(name)()
        lines = [start[0] for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, line in enumerate(lines):
            found[line].append((name, occurrence))
    return found


def with_fault(text: str, name: str, occurrence: int) -> str | None:
    """Return a file with a fault made by an operator; None if it cannot be, or changes no code."""
    try:
        faulty = mutate_code(text, get_operator(name)(), occurrence)
        return faulty if without_types(faulty) != without_types(text) else None
    except (AttributeError, SyntaxError):  # an exception `a.b`, the star before keyword arguments
        return None


def drawn(room: Path, count: int, seed: int) -> list[tuple[Path, int, str]]:
    """Draw faults of a room: lines evenly, then a fault of each.

    Returns the file, the line and the text with the fault. Files of compiled functions, whose
    lines nobody sees run, are left out.
    """
    random_source = random.Random(f"{seed} {room.name}")
    lines = []
    for path in sorted(room.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "@kernel" not in text:
            lines += [(path, line) for line in range(1, text.count("\n") + 1)]
    random_source.shuffle(lines)
    by_file: dict[Path, dict[int, list[tuple[str, int]]]] = {}
    chosen = []
    for path, line in lines:
        if len(chosen) == count:
            break
        text = path.read_text(encoding="utf-8")
        if path not in by_file:
            by_file[path] = places_of(text)
        places = by_file[path].get(line, [])
        for name, occurrence in random_source.sample(places, len(places)):
            if (faulty := with_fault(text, name, occurrence)) is not None:
                chosen.append((path, line, faulty))
                break
    return chosen


def tests(copy: Path, *options: str, seconds: float | None) -> int:
    """Run the fast tests of all rooms of a copy, and return pytest's exit status."""
    rooms = [f"tests/{room}" for room in ROOMS if (copy / "tests" / room).exists()]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "not slow", *options, *rooms]
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=copy, env=environment, stdout=sys.stderr, check=False, timeout=seconds
    ).returncode


def prepared(folder: Path) -> Path:
    """Return a copy of the tracked files, for which testmon has seen the fast tests run."""
    copy = folder / "copy"
    if not copy.exists():
        command = ["git", "ls-files", "-z"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, listed.stdout.split("\0")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
        tests(copy, "--testmon", seconds=None)
    return copy


def is_noticed(copy: Path, path: Path, faulty: str) -> bool:
    """Make a fault in the copy, run the tests that reach it, and mend the copy."""
    text, state = path.read_text(encoding="utf-8"), path.stat()
    try:
        path.write_text(faulty, encoding="utf-8")
        status = tests(copy, "--testmon-nocollect", "-x", "--tb=no", seconds=_SECONDS)
        return status not in (0, 5)  # 5: no test reaches the line
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def changed_line(text: str, faulty: str) -> str:
    """Return the first line of a text with a fault that differs from the text without it."""
    lines = zip(text.splitlines(), faulty.splitlines(), strict=False)
    return next((after.strip() for before, after in lines if before != after), "")


def main() -> int:
    parser = argparse.ArgumentParser(description="Random one-line faults of every room.")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"one of {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, default=10, help="faults of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that is kept for the next run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        copy = prepared((options.keep or Path(temporary)).resolve())
        noticed: list[bool] = []
        for room in options.rooms or ROOMS:
            for path, line, faulty in drawn(
                copy / "puzzlehunt" / room, options.sample, options.seed
            ):
                text = path.read_text(encoding="utf-8")
                noticed.append(is_noticed(copy, path, faulty))
                outcome = "noticed" if noticed[-1] else "**lived**"
                name = path.relative_to(copy / "puzzlehunt")
                print(f"{outcome}  {name}:{line}  {changed_line(text, faulty)}", flush=True)
    print(f"{sum(noticed)} of {len(noticed)} noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
