"""Plays NetHack's tunes with the readers of `examples/reach`; prints how many guesses each takes.

Usage: python tools/tune_readers.py [py] [lua] [pl] [c]

Each tune that a reader names is compared with that of the library's book.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import puzzlehunt
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.strategies.search.decision_tree import DecisionTree
from puzzlehunt.strategies.search.tree_file import TreeFile, read

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples" / "reach"
DATA = FOLDER / "nethack.tree"
GAME = puzzlehunt.load("nethack")
PROGRAMS = {
    "py": (sys.executable,),
    "lua": ("lua5.4", "lua"),
    "pl": ("perl",),
    "c": ("cc", "gcc", "clang"),
}
"""What runs or compiles `tune.py`, `tune.lua`, ...; the first that is installed is taken."""


def book() -> TreeFile:
    """Return the library's book of the tune, from its own file."""
    (path,) = (ROOT / "books").glob("nethack-*.tree.gz")
    return read(path)


def reader(kind: str, folder: Path) -> list[str]:
    """Return the command of a reader, without its data; that of C is compiled into a folder.

    Raises FileNotFoundError if what runs or compiles it is not installed.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS[kind])), None)
    if program is None:
        raise FileNotFoundError(f"none of {', '.join(PROGRAMS[kind])} is installed")
    source = str(FOLDER / f"tune.{kind}")
    if kind != "c":
        return [program, source]
    strict = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    binary = str(folder / "tune")
    subprocess.run([program, *strict, "-o", binary, source], check=True)
    return [binary]


def guesses_taken(command: list[str], secrets: Iterable[Code], tree: DecisionTree) -> list[int]:
    """Return how many tunes a reader plays for each secret; fail if one is not that of a tree."""
    taken = []
    pipe, command = subprocess.PIPE, [*command, str(DATA)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as run:
        assert run.stdin
        assert run.stdout
        for secret in secrets:
            node, plays, said = 0, 0, ""
            while said != "found":
                guess, plays = tree.code(node), plays + 1
                assert run.stdout.readline() == f"{GAME.format_code(guess)}\n"
                gears, tumblers = GAME.score(guess, secret)
                run.stdin.write(f"{gears} {tumblers}\n")
                node = tree.children(node).get((gears, tumblers))
                said = "" if node is not None else run.stdout.readline().strip()
            assert guess == secret
            taken.append(plays)
        run.stdin.close()
    assert run.returncode == 0
    return taken


def main() -> None:
    """Play all tunes with the readers that are named, or with all four."""
    secrets, tree = list(GAME.secrets), book().tree
    for kind in sys.argv[1:] or PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            taken = guesses_taken(reader(kind, Path(folder)), secrets, tree)
        average = f"average {sum(taken) / len(taken):.4f}"
        print(f"tune.{kind:3}  {len(taken):,} tunes, {average}, worst {max(taken)}")


if __name__ == "__main__":
    main()
