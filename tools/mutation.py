"""A mutation run over the whole package: how many random one-line faults the fast tests find.

usage: python tools/mutation.py [ROOM ...] [--sample N] [--seed N] [--keep FOLDER]
                                [--again TEST ...]

Needs the extra `mutation`: cosmic-ray makes the faults, coverage says which tests run a line. Of
each room N places are drawn, and a fault of each is tried with the fast tests that run the place,
those of its own room first, until one fails. Prints a table of rooms and the faults that lived.

Works on a copy of the checkout. With --keep the copy, what the tests were seen to run and all
results stay in FOLDER, and a further run goes on from there; with --again it tries what lived
there with the named tests, as they are in the checkout now.
"""

import argparse
import ast
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import parso
import pytest
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from coverage import Coverage, CoverageData

ROOT = Path(__file__).resolve().parents[1]
Fault = tuple[str, int, str, int]
"""A file under `puzzlehunt/`, a line, an operator of cosmic-ray, and which of its occurrences."""
ROOMS = [
    *("codes", "kernels", "rules", "channel", "game", "engines", "strategies"),
    *("explanation", "session", "lab", "views", "terminal", "cli"),
]
_PATIENCE = 240
"""Seconds that the tests of one fault may take."""
_TESTS = 150
"""Tests of one room that are tried: the quickest of those that run the line."""

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


_TESTS_OTHERS = 15
"""The same, of each other room."""
_HEAVY = [
    *("hypothesis", "numba", "prompt_toolkit", "pydantic", "pysmt.shortcuts", "rich"),
    *("scipy.stats", "typer", "yaml", "z3"),
]
"""Imported once, before the processes that try a fault are forked: no fault changes them."""


class Watching:
    """A pytest plugin: which test runs which lines, and how long it takes if it passes."""

    def __init__(self, coverage: Coverage, done: Path) -> None:
        self.coverage = coverage
        self.done = done
        self.seconds: dict[str, float] = {}

    def pytest_sessionstart(self) -> None:
        self.coverage.start()

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        self.coverage.save()
        self.done.write_text(json.dumps(self.seconds), encoding="utf-8")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        began = time.perf_counter()
        self.seconds[item.nodeid] = 0.0
        result = yield
        if item.nodeid in self.seconds:
            self.seconds[item.nodeid] = time.perf_counter() - began
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.seconds.pop(report.nodeid, None)


class Finding:
    """A pytest plugin that writes the first test that fails into a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.file.exists():
            self.file.write_text(report.nodeid, encoding="utf-8")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.file.exists():
            self.file.write_text(f"importing {report.nodeid}", encoding="utf-8")


def in_child(copy: Path, log: Path, patience: float, arguments: list[str], *plugins: Any) -> int:
    """Run pytest in a copy, in a process forked from this one. Returns -1 where it never ends."""
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(out, stream)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.chdir(copy)
            os.environ |= {"PYTHONPATH": str(copy), "COLUMNS": "300"}
            ours = {str(ROOT / "tests" / "support"), str(ROOT / "tools")}
            sys.path[:] = [str(copy), *(path for path in sys.path if path not in ours)]
            status = int(pytest.main(["-p", "no:cacheprovider", "-q", *arguments], [*plugins]))
        finally:
            sys.stdout.flush()
            os._exit(status)
    until = time.monotonic() + patience
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def watch(folder: Path) -> None:
    """Run the fast tests of every room once and keep in `folder` which of them runs which line."""
    copy = folder / "copy"
    for room in ROOMS:
        done = folder / f"{room}.json"
        tests = copy / "tests" / room
        if done.exists() or not tests.exists():
            continue
        print(f"watching the tests of {room}", file=sys.stderr, flush=True)
        coverage = Coverage(
            data_file=str(folder / f"{room}.coverage"),
            source=[str(copy / "puzzlehunt")],
            config_file=False,
        )
        watching = Watching(coverage, done)
        in_child(copy, folder / f"{room}.log", 3600, [f"tests/{room}"], watching)


class Seen:
    """Which tests run a line, and how long each takes."""

    def __init__(self, folder: Path) -> None:
        self.copy = folder / "copy"
        self.seconds: dict[str, float] = {}
        self.data: dict[str, CoverageData] = {}
        for room in ROOMS:
            if (folder / f"{room}.json").exists():
                self.seconds |= json.loads((folder / f"{room}.json").read_text("utf-8"))
                self.data[room] = CoverageData(str(folder / f"{room}.coverage"))
                self.data[room].read()
        self.lines: dict[tuple[str, str], dict[int, list[str]]] = {}

    def tests(self, room: str, file: str, line: int) -> list[str]:
        """Return the tests of a room that run a line, quickest first.

        Coverage notes one line of a statement over several, and no test for what is run when the
        file is imported: then the tests of the statement count, or all that run the file.
        """
        path = self.copy / "puzzlehunt" / file
        if (room, file) not in self.lines and room in self.data:
            self.lines[room, file] = self.data[room].contexts_by_lineno(str(path))
        by_line = self.lines.get((room, file), {})
        for lines in ([line], statement(path.read_text(encoding="utf-8"), line), [*by_line]):
            found = {test for each in lines for test in by_line.get(each, [])}
            if found := found & self.seconds.keys():
                return sorted(found, key=self.seconds.__getitem__)
        return []

    def is_run(self, file: str, line: int) -> bool:
        """Return whether any test was seen to run a line; ask only after `tests`."""
        path = self.copy / "puzzlehunt" / file
        lines = statement(path.read_text(encoding="utf-8"), line)
        return any(each in self.lines.get((room, file), {}) for room in ROOMS for each in lines)


def statement(text: str, line: int) -> range:
    """Return the lines of the smallest statement that a line belongs to."""
    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt)
    ]
    return min((span for span in spans if line in span), key=len, default=range(line, line + 1))


def compiled_and_typed(text: str) -> set[int]:
    """Return the lines of a file that are no target.

    Functions that numba compiles: coverage sees no line of them run, and each fault costs seconds
    of compiling. Types and the words of docstrings: no fault changes what happens.
    """
    lines: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            decorators = {ast.unparse(each) for each in node.decorator_list}
            if decorators & {"kernel", "inlined", "inner", "makes_no_array"}:
                lines |= set(range(node.lineno - len(node.decorator_list), node.end_lineno + 1))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            lines |= set(range(node.lineno, node.end_lineno + 1))
    return lines


def typed_spans(text: str) -> set[tuple[int, int]]:
    """Return (line, column) of everything inside an annotation."""
    spans: set[tuple[int, int]] = set()
    for node in ast.walk(ast.parse(text)):
        for field in ("annotation", "returns"):
            inside = getattr(node, field, None)
            if isinstance(inside, ast.expr):
                rows = text.splitlines()
                for row in range(inside.lineno, inside.end_lineno + 1):
                    first = inside.col_offset if row == inside.lineno else 0
                    last = inside.end_col_offset if row == inside.end_lineno else len(rows[row - 1])
                    spans |= {(row, column) for column in range(first, last + 1)}
    return spans


def faults(path: Path) -> list[tuple[int, str, int]]:
    """Return (line, operator, occurrence) of every fault that can be made in a file."""
    text = path.read_text(encoding="utf-8")
    left_out, typed = compiled_and_typed(text), typed_spans(text)
    nodes = list(ast_nodes(parso.parse(text)))
    found = []
    for name in _OPERATORS:
        operator = get_operator(name)()
        occurrence = 0
        for node in nodes:
            for start, _ in operator.mutation_positions(node):
                if start[0] not in left_out and start not in typed:
                    found.append((start[0], name, occurrence))
                occurrence += 1
    return found


def drawn(copy: Path, room: str, count: int, seed: int) -> list[Fault]:
    """Draw faults of a room: places evenly, then one of the faults of the place."""
    package = copy / "puzzlehunt"
    paths = sorted((package / room).rglob("*.py"))
    places = defaultdict(list)
    for path in paths:
        if "compiled" not in path.relative_to(package).parts:
            for line, name, occurrence in faults(path):
                place = (str(path.relative_to(package)), line)
                places[place].append((*place, name, occurrence))
    rng = random.Random(f"{seed} {room}")
    order = sorted(places)
    rng.shuffle(order)
    return [rng.choice(places[place]) for place in order[:count]]


_tick = 0


def tried(folder: Path, fault: Fault, groups: list[list[str]]) -> dict[str, Any]:
    """Make one fault in the copy, run groups of tests until one fails, and mend the copy."""
    global _tick  # noqa: PLW0603
    file, _, name, occurrence = fault
    path = folder / "copy" / "puzzlehunt" / file
    was, stat = path.read_text(encoding="utf-8"), path.stat()
    made = mutate_code(was, get_operator(name)(), occurrence)
    lines = zip(was.splitlines(), made.splitlines(), strict=False)
    before, after = next(((a, b) for a, b in lines if a != b), ("", ""))
    told = {"fault": fault, "was": before.strip(), "is": after.strip(), "found": ""}
    told["tests"] = sum(map(len, groups))
    found = folder / "found.txt"
    began = time.monotonic()
    try:
        path.write_text(made, encoding="utf-8")
        _tick += 10  # what was compiled of an earlier fault of this file is never taken for this
        os.utime(path, (stat.st_mtime + _tick, stat.st_mtime + _tick))
        for tests in filter(None, groups):
            found.unlink(missing_ok=True)
            status = pytest.ExitCode.USAGE_ERROR
            for names in (tests, sorted({test.split("[")[0] for test in tests})):
                if status == pytest.ExitCode.USAGE_ERROR:  # a case has another name than before
                    status = in_child(
                        folder / "copy", folder / "last.log", _PATIENCE, ["-x", "--tb=no", *names],
                        Finding(found),
                    )  # fmt: skip
            if found.exists():
                told["found"] = found.read_text(encoding="utf-8")
            elif status != 0:
                told["found"] = "the tests never end" if status == -1 else f"status {status}"
            if told["found"]:
                break
    finally:
        path.write_text(was, encoding="utf-8")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return told | {"seconds": round(time.monotonic() - began, 1)}


def prepared(folder: Path) -> Path:
    """Return a folder with a copy of the tracked files, and of what numba has compiled for them."""
    if not (folder / "copy").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (folder / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / "copy" / name)
        for cached in ROOT.glob("puzzlehunt/**/__pycache__/*.nb[ic]"):
            target = folder / "copy" / cached.relative_to(ROOT)
            target.parent.mkdir(exist_ok=True)
            shutil.copy2(cached, target)
    return folder


def table(results: list[dict[str, Any]]) -> str:
    """Return the figures of each room, and the faults that lived."""
    rooms: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        rooms[result["fault"][0].split("/")[0]].append(result)
    rows = ["| room | sampled | killed | alive |", "|---|---|---|---|"]
    for room, of_room in [*rooms.items(), ("all", results)]:
        killed = sum(bool(each["found"]) for each in of_room)
        rows.append(f"| {room} | {len(of_room)} | {killed} | {len(of_room) - killed} |")
    for each in results:
        if not each["found"]:
            file, line, name, _ = each["fault"]
            rows.append(
                f"\n{file}:{line} ({name.removeprefix('core/')}; {each['tests']} tests)"
                f"\n    - {each['was']}\n    + {each['is']}"
            )
    return "\n".join(rows)


def run(folder: Path, seen: Seen, sample: list[Fault], again: list[str]) -> None:
    """Try the faults of a sample, but those that were tried before, and keep every result."""
    kept = folder / "results.json"
    results = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else []
    known = {tuple(each["fault"]): each for each in results}
    for fault in sample:
        tests_known = fault in known and (known[fault]["found"] or known[fault]["tests"])
        if bool(tests_known) != bool(again) or (again and known[fault]["found"]):
            continue
        file, line, *_ = fault
        room = file.split("/", maxsplit=1)[0]
        others = [other for other in reversed(ROOMS) if other != room]
        groups = [
            seen.tests(room, file, line)[:_TESTS],
            [test for other in others for test in seen.tests(other, file, line)[:_TESTS_OTHERS]],
        ]
        if again:
            groups = [again]
        elif not seen.is_run(file, line):  # or in processes of their own, which coverage misses
            groups = [[f"tests/{room}"]]
        known[fault] = last = tried(folder, fault, groups)
        kept.write_text(json.dumps([*known.values()]), encoding="utf-8")
        said = last["found"] or "**lived**: " + last["is"]
        print(f"{last['seconds']:5.1f} s  {file}:{line}  {said}", file=sys.stderr, flush=True)
    print(table([known[fault] for fault in sample if fault in known]))


def main() -> int:
    parser = argparse.ArgumentParser(description="Random one-line faults of every room.")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"one of {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, default=25, help="faults of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that is kept for the next run")
    parser.add_argument("--again", nargs="+", default=[], metavar="TEST")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the copy is mended first
    with tempfile.TemporaryDirectory() as temporary:
        folder = prepared((asked.keep or Path(temporary)).resolve())
        watch(folder)
        if asked.again:
            shutil.copytree(ROOT / "tests", folder / "copy" / "tests", dirs_exist_ok=True)
        rooms = [
            drawn(folder / "copy", room, asked.sample, asked.seed) for room in asked.rooms or ROOMS
        ]
        sample = [fault for row in zip_longest(*rooms) for fault in row if fault]
        for name in _HEAVY:
            import_module(name)
        run(folder, Seen(folder), sample, asked.again)
    return 0


if __name__ == "__main__":
    sys.exit(main())
