"""What a typed row costs: files, changes of room and calls, from the line to the printed answer.

    python tools/typed_row.py [--top 20]

The row is the second one of a session that is kept in a file, in a program that has answered such
a session before. Calls are those of all Python functions, and of generators that go on; files and
changes of room are those of the package, a change being two calls in a row from different rooms.
"""

import argparse
import io
import runpy
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

GAME, ROWS = "cryptic", ("TARES _R__R", "HORSE B_WR_")
PACKAGE = Path(next(iter(find_spec("puzzlehunt").submodule_search_locations)))
"""The folder of the package that runs: of the checkout, or installed."""


@dataclass
class Calls:
    """The calls between `begin` and `end`, by file and by function."""

    total: int = 0
    room_changes: int = 0
    by_file: Counter[str] = field(default_factory=Counter)
    by_function: Counter[tuple[str, str]] = field(default_factory=Counter)
    room: str = ""

    @property
    def files(self) -> list[str]:
        """The files of the package that ran."""
        return [file for file in self.by_file if file.startswith(str(PACKAGE))]

    @property
    def of_package(self) -> int:
        """The calls of the package's own functions."""
        return sum(self.by_file[file] for file in self.files)

    def begin(self) -> None:
        """Count from now on."""
        sys.setprofile(self._count)

    def end(self) -> None:
        """Count no further."""
        sys.setprofile(None)

    def _count(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code.co_filename == __file__:
            return
        self.total += 1
        self.by_file[code.co_filename] += 1
        self.by_function[code.co_filename, code.co_qualname] += 1
        if code.co_filename.startswith(str(PACKAGE)):
            room = Path(code.co_filename).relative_to(PACKAGE).parts[0]
            self.room_changes += bool(self.room) and room != self.room
            self.room = room


class TypedRows(io.StringIO):
    """Rows as from a pipe; `begin` is called before the last of them, `end` once it is answered."""

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        super().__init__()
        self._left = list(ROWS)
        self._begin, self._end = begin, end

    def __next__(self) -> str:
        if not self._left:
            self._end()
            raise StopIteration
        row = self._left.pop(0)
        if not self._left:
            self._begin()
        return f"{row}\n"


def play(begin: Callable[[], None] = lambda: None, end: Callable[[], None] = lambda: None) -> str:
    """Return what the program prints when the rows are typed into a new session."""
    given = sys.argv, sys.stdin
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["puzzlehunt", "play", GAME, "--session", f"{folder}/session.yaml"]
        sys.stdin = TypedRows(begin, end)
        try:
            with redirect_stdout(printed), redirect_stderr(printed):
                runpy.run_module("puzzlehunt", run_name="__main__")
        except SystemExit as left:
            if left.code:
                raise RuntimeError(printed.getvalue()) from None
        finally:
            end()
            sys.argv, sys.stdin = given
    return printed.getvalue()


def measured() -> Calls:
    """Return the calls that the last row makes when the program is warm."""
    play()
    calls = Calls()
    play(calls.begin, calls.end)
    return calls


def _short(file: str) -> str:
    path = Path(file)
    if path.is_relative_to(PACKAGE):
        return str(path.relative_to(PACKAGE))
    return f"({'/'.join(path.parts[-2:])})"


def main() -> None:
    """Print the figures, and the files and functions that are called most."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--top", type=int, default=20, help="files and functions to list")
    top = parser.parse_args().top
    calls = measured()
    print(
        f"{len(calls.files)} files, {calls.room_changes:,} changes of room, "
        f"{calls.total:,} calls, {calls.of_package:,} of them of the package"
    )
    for file, count in calls.by_file.most_common(top):
        print(f"{count:6,}  {_short(file)}")
    for (file, name), count in calls.by_function.most_common(top):
        print(f"{count:6,}  {_short(file)}: {name}")


if __name__ == "__main__":
    main()
