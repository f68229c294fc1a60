"""The program in a pseudo-terminal, and what stands on its screen."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.turn_notation import format_turn

ROOT = Path(__file__).resolve().parents[2]
LOG = [
    line.removeprefix("  - ")
    for line in (ROOT / "examples" / "heart-2018.yaml").read_text().splitlines()
    if line.startswith("  - ")
]
UP, CTRL_C, CTRL_D = "\x1b[A", "\x03", "\x04"
PATIENCE = 60
_CONTROL = re.compile(
    r"\x1b\[(?P<numbers>[0-9;?>]*)(?P<kind>[A-Za-z])"
    r"|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>78]"
    r"|(?P<move>[\r\n\b\x07])|(?P<text>[^\x1b\r\n\b\x07]+)"
)


class Terminal:
    """A program in a pseudo-terminal, and what stands on its screen, scrolled lines included."""

    def __init__(self, *arguments: str, columns: int = 100) -> None:
        import pexpect

        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "puzzlehunt", *arguments],
            env=os.environ | {"TERM": "xterm-256color"},
            dimensions=(24, columns),
            encoding="utf-8",
        )
        self.child.delaybeforesend = None
        self.columns = columns
        self.raw = ""
        self._cells: list[list[str]] = [[]]
        self._row = self._column = 0
        self._unread = ""

    @property
    def screen(self) -> str:
        """Everything that stands on the screen or has scrolled off it."""
        return "\n".join("".join(line).rstrip() for line in self._cells).rstrip()

    @property
    def last(self) -> str:
        """The line of the cursor."""
        return "".join(self._cells[self._row]).rstrip()

    def type(self, keys: str) -> None:
        """Press keys, as fast as a terminal sends them."""
        self.child.send(keys)

    def until(self, shown: Callable[[str], object]) -> str:
        """Wait until the screen is as asked, and return it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if shown(self.screen):
                return self.screen
            if not self._read():
                break
        assert shown(self.screen), f"never shown; the screen:\n{self.screen}"
        return self.screen

    def prompt(self, prompt: str = ">") -> str:
        """Wait for an empty prompt, and return the screen."""
        return self.until(lambda screen: self.last == prompt)

    def enter(self, line: str, prompt: str = ">") -> str:
        """Type a line, wait for the next prompt, and return what came between."""
        self.type(line)
        self.until(lambda screen: self.last.endswith(line))
        row = self._row
        self.type("\r")
        self.until(lambda screen: self._row > row and self.last == prompt)
        return self.screen.split("\n", row + 1)[-1]

    def leave(self) -> int:
        """Press Ctrl-D, wait for the end, and return the exit status."""
        self.type(CTRL_D)
        return self.wait()

    def wait(self) -> int:
        """Wait for the end, and return the exit status."""
        while self._read():
            pass
        self.child.close()
        return int(self.child.exitstatus)

    def kill(self) -> None:
        """End the program without a chance to do anything more."""
        self.child.kill(signal.SIGKILL)
        self.child.wait()

    def _read(self) -> bool:
        import pexpect

        try:
            text = self.child.read_nonblocking(65_536, 1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += text
        text = self._unread + text
        at = 0
        while at < len(text) and (found := _CONTROL.match(text, at)):
            at = found.end()
            self._show(found)
        self._unread = text[at:]
        return True

    def _show(self, found: re.Match[str]) -> None:
        for character in found["text"] or "":
            self._put(character)
        match found["move"] or found["kind"]:
            case "\r":
                self._column = 0
            case "\n":
                self._down(1)
            case "\b":
                self._column = max(0, self._column - 1)
            case None:
                pass
            case kind:
                self._control(kind, found["numbers"].lstrip("?>").split(";")[0])

    def _control(self, kind: str, number: str) -> None:
        times = max(1, int(number or 0))
        match kind:
            case "A":
                self._row = max(0, self._row - times)
            case "B":
                self._down(times)
            case "C":
                self._column += times
            case "D":
                self._column = max(0, self._column - times)
            case "K":
                del self._cells[self._row][self._column :]
            case "J":
                del self._cells[self._row][self._column :]
                del self._cells[self._row + 1 :]
            case "n":
                self.child.send(f"\x1b[{min(self._row, 23) + 1};{self._column + 1}R")

    def _down(self, times: int) -> None:
        self._row += times
        while len(self._cells) <= self._row:
            self._cells.append([])

    def _put(self, character: str) -> None:
        if self._column >= self.columns:
            self._column = 0
            self._down(1)
        line = self._cells[self._row]
        line += " " * (self._column + 1 - len(line))
        line[self._column] = character
        self._column += 1


@pytest.fixture
def play(home: Path) -> Iterator[Callable[..., Terminal]]:
    """A function that starts the program in a terminal, and waits for nothing."""
    started: list[Terminal] = []

    def play(*arguments: str, columns: int = 100) -> Terminal:
        started.append(Terminal(*arguments, columns=columns))
        return started[-1]

    yield play
    for terminal in started:
        terminal.child.close(force=True)


def kept(home: Path, name: str = "cryptic") -> list[str]:
    """Return the rows of the game of cryptic that kept itself, or of one with another name."""
    (path,) = (home / "state" / "puzzlehunt" / "sessions").glob(f"{name}.yaml")
    game = gamefile.load(path)
    return [format_turn(game, turn) for turn in game.history.turns]


def kept_before(home: Path, text: str, name: str = "4x3") -> Path:
    """Write the file of a game that kept itself before, and return its path."""
    path = home / "state" / "puzzlehunt" / "sessions" / f"{name}.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def check_paste(keys: str, terminal: Terminal, home: Path) -> None:
    """Assert that a pasted log is one block, with one suggestion and one /undo."""
    before = len(terminal.prompt())
    terminal.type(keys)
    terminal.until(lambda screen: "27. PERIL" in screen and terminal.last == ">")
    pasted = terminal.screen[before:]
    assert re.findall(r"^(\d+)\. ", pasted, re.MULTILINE) == [str(n) for n in range(1, 28)]
    assert len(re.findall("^47 left", pasted, re.MULTILINE)) == 1
    assert pasted.count("try ") == 1
    assert len(kept(home)) == 27
    terminal.enter("/undo")
    assert kept(home) == []
