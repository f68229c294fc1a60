"""SMT solvers on the family of instances that `tools/smtlib_family.py` writes.

Runs solvers on all instances or on a sample of problems, checks each answer against the instance's
statuses, and keeps answers and processor times in a CSV file; what is there is not run again. Then
prints tables, and draws how many instances each solver solves within a time.

z3 and Yices are programs, cvc5 and Bitwuzla the packages of the Python interpreter in `--bin`.
"""

import argparse
import csv
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from report import table

_CVC5 = """
import sys, cvc5
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, parser.getSymbolManager()), end="", flush=True)
"""
_BITWUZLA = """
import sys, bitwuzla
bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse(sys.argv[1])
"""
SOLVERS = {
    "z3": ["z3"],
    "cvc5": ["python", "-c", _CVC5],
    "yices": ["yices-smt2"],
    "bitwuzla": ["python", "-c", _BITWUZLA],
}
_STYLES = {"sums": "-", "bits": "--", "totalizers": "-.", "integers": ":"}
"""Styles of lines in the plot, by encoding, in the order in which they run."""
_MEMORY = 4 << 30
"""Memory that a solver gets (bytes)."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a solver did with an instance: `solved`, `time`, `wrong` or `error`, and CPU seconds."""

    path: Path
    solver: str
    outcome: str
    seconds: float

    @property
    def encoding(self) -> str:
        return self.path.parent.name


def outcome(solver: str, path: Path, limit: int, folder: str | None) -> tuple[str, float]:
    """Return how a solver's answers to a file compare with its statuses, and processor seconds."""
    expected = re.findall(r"^\(set-info :status (\w+)\)$", path.read_text("utf-8"), re.MULTILINE)
    program, *options = SOLVERS[solver]
    if solver == "yices" and len(expected) > 1:
        options = ["--incremental"]
    found = shutil.which(program, path=folder)
    if found is None:
        raise SystemExit(f"{solver} needs {program}, which is not in {folder or 'the PATH'}")

    with tempfile.TemporaryFile() as out:
        command = [found, *options, str(path)]
        popen = subprocess.Popen(command, stdout=out, stderr=out)
        resource.prlimit(popen.pid, resource.RLIMIT_CPU, (limit, limit))
        resource.prlimit(popen.pid, resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        _, status, usage = os.wait4(popen.pid, 0)
        out.seek(0)
        answers = re.findall(rb"^(sat|unsat)\r?$", out.read(), re.MULTILINE)
    seconds = usage.ru_utime + usage.ru_stime
    given = [answer.decode() for answer in answers]
    if given == expected:
        return "solved", seconds
    if given != expected[: len(given)]:
        return "wrong", seconds
    return ("time" if os.WTERMSIG(status) == signal.SIGKILL else "error"), seconds


def chosen(folder: Path, sample: int | None, encodings: list[str]) -> list[str]:
    """Return the paths of instances in encodings: of all problems, or of `sample / 4` or so."""
    lines = (folder / "instances.tsv").read_text("utf-8").splitlines()[1:]
    paths = [line.split("\t")[0] for line in lines]
    problems = list(dict.fromkeys(Path(path).stem for path in paths))
    if sample is not None:
        number = max(1, sample * len(problems) // len(paths))
        problems = [problems[n * len(problems) // number] for n in range(number)]
    kept = [path for path in paths if Path(path).stem in problems]
    return [p for encoding in encodings for p in kept if Path(p).parent.name == encoding]


def read(path: Path, limit: int) -> list[Run]:
    """Return the runs of a CSV file, after `limit` seconds without an answer; [] without a file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    runs = [Run(Path(row[0]), row[1], row[2], float(row[3])) for row in rows]
    late = [run.outcome == "solved" and run.seconds > limit for run in runs]
    return [
        replace(run, outcome="time") if each else run for run, each in zip(runs, late, strict=True)
    ]


def row(runs: Iterable[Run], limit: int, least: dict[tuple[str, str], float]) -> list[object]:
    """Return a line on the runs of one solver with one encoding.

    `least` has the least seconds of each solver for each problem, with any encoding.
    """
    runs = list(runs)
    seconds = [run.seconds for run in runs if run.outcome == "solved"]
    best = sum(run.seconds == least.get((run.solver, run.path.stem)) for run in runs)
    charged = sum(seconds) + 2 * limit * (len(runs) - len(seconds))
    return [
        f"{len(seconds)} of {len(runs)}",
        f"{median(seconds):.2f}" if seconds else "",
        f"{max(seconds):.2f}" if seconds else "",
        f"{charged:.0f}",
        best,
        sum(run.outcome in ("wrong", "error") for run in runs),
    ]


def hardness(runs: list[Run], limit: int) -> list[list[object]]:
    """Return a line an encoding: how many problems take the fastest solver longer than a time."""
    rows: list[list[object]] = []
    for encoding in dict.fromkeys(run.encoding for run in runs):
        least: dict[str, float] = {}
        for run in runs:
            if run.encoding == encoding:
                seconds = run.seconds if run.outcome == "solved" else math.inf
                least[run.path.stem] = min(seconds, least.get(run.path.stem, math.inf))
        above = [sum(each > bound for each in least.values()) for bound in (0.1, 1, limit)]
        slowest = max(least.values())
        rows.append([encoding, len(least), *above, f"{slowest:.2f}"])
    return rows


def plotted(groups: dict[tuple[str, str], list[Run]], path: str) -> None:
    """Draw how many instances each solver solves with each encoding within a time."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for (solver, encoding), runs in groups.items():
        seconds = sorted(max(0.01, run.seconds) for run in runs if run.outcome == "solved")
        colour = f"C{list(SOLVERS).index(solver)}"
        label, style = f"{solver}, {encoding}", _STYLES[encoding]
        axes.plot(range(1, len(seconds) + 1), seconds, style, color=colour, label=label)
    axes.set(yscale="log", xlabel="instances solved", ylabel="processor seconds for each")
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folder", type=Path, help="the family's folder")
    parser.add_argument("runs", type=Path, help="a CSV file, which new runs are added to")
    parser.add_argument("--solver", nargs="*", choices=SOLVERS, default=list(SOLVERS))
    parser.add_argument("--encoding", nargs="*", choices=_STYLES, default=list(_STYLES))
    parser.add_argument("--limit", type=int, default=20, help="processor seconds for an instance")
    parser.add_argument("--sample", type=int, metavar="N", help="about N instances; default: all")
    parser.add_argument("--bin", metavar="FOLDER", help="where the programs are")
    parser.add_argument("--plot", metavar="FILE")
    given = parser.parse_args()
    done = {(str(run.path), run.solver) for run in read(given.runs, given.limit)}
    for path in chosen(given.folder, given.sample, given.encoding):
        for solver in given.solver:
            # Bitwuzla has no integers.
            if (path, solver) not in done and not (solver == "bitwuzla" and "QF_LIA" in path):
                found, seconds = outcome(solver, given.folder / path, given.limit, given.bin)
                with given.runs.open("a", newline="", encoding="utf-8") as file:
                    csv.writer(file).writerow([path, solver, found, f"{seconds:.3f}"])
    groups: dict[tuple[str, str], list[Run]] = {}
    least: dict[tuple[str, str], float] = {}
    runs = sorted(read(given.runs, given.limit), key=lambda each: each.seconds)
    for run in runs:
        groups.setdefault((run.solver, run.encoding), []).append(run)
        if run.outcome == "solved":
            least.setdefault((run.solver, run.path.stem), run.seconds)
    groups = {
        (solver, encoding): groups[solver, encoding]
        for solver in SOLVERS
        for encoding in _STYLES
        if (solver, encoding) in groups
    }
    header = ["solver", "encoding", "solved", "median", "slowest", "charged", "best", "wrong"]
    rows = [[*names, *row(runs, given.limit, least)] for names, runs in groups.items()]
    print(table(header, rows))
    print()
    header = ["encoding", "problems", "> 0.1 s", "> 1 s", f"> {given.limit} s", "slowest"]
    print(table(header, hardness(runs, given.limit)))
    if given.plot:
        plotted(groups, given.plot)


if __name__ == "__main__":
    main()
