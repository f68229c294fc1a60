"""The conversation in a real terminal: prompts, keys, pasted blocks, and coming back."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from puzzlehunt.game.files import gamefile

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

pexpect = pytest.importorskip("pexpect")

ROOT = Path(__file__).resolve().parents[2]
LOG = [
    line.removeprefix("  - ")
    for line in (ROOT / "examples" / "heart-2018.yaml").read_text().splitlines()
    if line.startswith("  - ")
]
UP, TAB, CTRL_C, CTRL_D = "\x1b[A", "\t", "\x03", "\x04"
PATIENCE = 60

_CONTROL = re.compile(
    r"\x1b\[(?P<numbers>[0-9;?>]*)(?P<kind>[A-Za-z])"
    r"|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>78]"
    r"|(?P<move>[\r\n\b\x07])|(?P<text>[^\x1b\r\n\b\x07]+)"
)


class Terminal:
    """A program in a pseudo-terminal, and what stands on its screen, scrolled lines included."""

    def __init__(self, *arguments: str, columns: int = 100) -> None:
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
        return self.screen.rpartition("\n")[2]

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
        before = len(self.screen)
        self.type(line)
        self.until(lambda screen: self.last.endswith(line))
        self.type("\r")
        self.until(lambda screen: len(screen) > before and self.last == prompt)
        return self.screen[before:]

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

    def _read(self) -> bool:
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


def _kept(home: Path) -> list[str]:
    (path,) = (home / "state" / "puzzlehunt" / "sessions").glob("*.yaml")
    game = gamefile.load(str(path))
    return [game.format_turn(turn) for turn in game.history.turns]


def test_a_game_is_played_at_a_prompt_and_kept_line_by_line(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    assert terminal.prompt().splitlines()[-2].startswith("try TARES - 0.4 bits")
    terminal.enter("HORSE B_WR_")
    assert _kept(home) == ["HORSE BWR__"]
    terminal.enter("flesh", prompt="FLESH clue>")
    shown = terminal.enter("RR")
    assert "2. FLESH: 2 red, 3 unread" in shown
    assert _kept(home) == ["HORSE BWR__", "FLESH RR___"]
    terminal.enter("/undo")
    assert terminal.leave() == 0
    assert _kept(home) == ["HORSE BWR__"]


def test_the_up_key_brings_the_last_line_back(play: Callable[..., Terminal], home: Path) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.enter("HORSE B_WR_")
    terminal.type(UP)
    terminal.until(lambda screen: terminal.last == "> HORSE B_WR_")
    terminal.type("\b" * 5 + "RR\r")
    terminal.until(lambda screen: "2. HORSE: 2 red" in screen and terminal.last == ">")
    assert _kept(home) == ["HORSE BWR__", "HORSE RR___"]


@pytest.mark.slow
def test_the_tab_key_completes_commands_and_words(play: Callable[..., Terminal]) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type("/und" + TAB)
    terminal.until(lambda screen: terminal.last == "> /undo")
    terminal.type(CTRL_C)
    terminal.prompt()
    terminal.type("pizz" + TAB)
    terminal.until(lambda screen: terminal.last == "> pizz")
    terminal.type(CTRL_C)
    terminal.prompt()
    terminal.type("horsw" + "\b" + TAB)
    terminal.until(lambda screen: "> HORSE" in screen.splitlines())


def test_ctrl_c_cancels_the_line_and_nothing_else(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.enter("HORSE B_WR_")
    terminal.type("WORSE __RW_")
    terminal.until(lambda screen: terminal.last == "> WORSE __RW_")
    terminal.type(CTRL_C)
    terminal.prompt()
    terminal.enter("ZONES RR")
    assert terminal.leave() == 0
    assert _kept(home) == ["HORSE BWR__", "ZONES RR___"]


def test_ctrl_d_leaves_and_a_standing_guess_is_kept_as_unread(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.enter("FLESH", prompt="FLESH clue>")
    assert terminal.leave() == 0
    assert _kept(home) == ["FLESH *"]


def test_a_line_and_ctrl_d_in_one_breath_lose_nothing(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type("HORSE B_WR_\r" + CTRL_D)
    assert terminal.wait() == 0
    assert _kept(home) == ["HORSE BWR__"]


def test_the_next_start_asks_to_resume_or_to_start_anew(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.enter("HORSE B_WR_")
    first.leave()
    second = play("play", "cryptic")
    second.until(lambda screen: "Resume your game of 1 row, or start anew? [R/n]" in screen)
    second.type("\r")
    assert " 1. HORSE BWR__" in second.prompt()
    second.enter("WORSE __RW_")
    second.leave()
    assert _kept(home) == ["HORSE BWR__", "WORSE WR___"]
    third = play("play", "cryptic")
    third.until(lambda screen: "Resume your game of 2 rows" in screen)
    third.type("n\r")
    assert "HORSE" not in third.prompt()
    third.leave()
    assert _kept(home) == []
    fourth = play("play", "cryptic")
    assert "Resume" not in fourth.prompt()


@pytest.mark.slow
def test_a_changed_game_is_another_game_to_resume(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.enter("HORSE B_WR_")
    first.leave()
    second = play("play", "cryptic", "--set", "secret.length=6")
    assert "Resume" not in second.prompt()
    second.enter("HORSES RR")
    second.leave()
    third = play("play", "cryptic")
    third.until(lambda screen: "Resume your game of 1 row" in screen)
    third.type("\r")
    assert "HORSE BWR__" in third.prompt()


@pytest.mark.slow
def test_a_log_that_was_mended_is_asked_about_too(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "heart-2018")
    first.prompt()
    first.enter("/drop 1")
    first.leave()
    second = play("play", "heart-2018")
    second.until(lambda screen: "Resume your game of 26 rows" in screen)


@pytest.mark.slow
def test_a_second_terminal_is_told_and_plays_unsaved(
    play: Callable[..., Terminal], home: Path
) -> None:
    first = play("play", "cryptic")
    first.prompt()
    first.enter("HORSE B_WR_")
    second = play("play", "cryptic")
    assert "not saved: " in second.prompt()
    assert "another puzzlehunt writes this session" in second.screen
    second.enter("WORSE __RW_")
    assert second.leave() == 0
    assert _kept(home) == ["HORSE BWR__"]


@pytest.mark.slow
def test_a_state_folder_that_cannot_be_written_is_one_line(
    play: Callable[..., Terminal], home: Path
) -> None:
    (home / "state").write_text("")
    terminal = play("play", "cryptic")
    assert terminal.prompt().count("not saved: ") == 1
    assert "1. HORSE: 1 black" in terminal.enter("HORSE B_WR_")
    assert terminal.leave() == 0


@pytest.mark.parametrize(
    "keys",
    [
        "\x1b[200~" + "\n".join(LOG) + "\n\x1b[201~",
        pytest.param("\x1b[200~" + "\r".join(LOG) + "\x1b[201~\r", marks=pytest.mark.slow),
        "\r".join(LOG) + "\r",
        pytest.param("\n".join(LOG) + "\n", marks=pytest.mark.slow),
    ],
    ids=["bracketed", "bracketed, the last line unfinished", "plain", "plain, line feeds"],
)
def test_a_pasted_log_is_one_block(keys: str, play: Callable[..., Terminal], home: Path) -> None:
    terminal = play("play", "cryptic")
    before = len(terminal.prompt())
    terminal.type(keys)
    terminal.until(lambda screen: "27. PERIL" in screen and terminal.last == ">")
    pasted = terminal.screen[before:]
    assert re.findall(r"^(\d+)\. ", pasted, re.MULTILINE) == [str(n) for n in range(1, 28)]
    assert pasted.count("47 left") == 1
    assert pasted.count("try ") == 1
    assert len(_kept(home)) == 27
    assert "0 rows now" in terminal.enter("/undo")
    assert _kept(home) == []


def test_the_unfinished_last_line_of_a_plain_paste_belongs_to_the_block(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type("\r".join(LOG))
    terminal.until(lambda screen: terminal.last == "  PERIL RW")
    assert _kept(home) == []
    terminal.type("\r")
    terminal.until(lambda screen: "27. PERIL" in screen and terminal.last == ">")
    assert "0 rows now" in terminal.enter("/undo")


def test_a_pasted_block_with_a_bad_line_comes_back_to_be_mended(
    play: Callable[..., Terminal], home: Path
) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type("\x1b[200~HORSE B_WR_\nWORSE __RW_\nZONES RRX\n\x1b[201~")
    terminal.until(lambda screen: "! line 3: 'RRX'" in screen and terminal.last == "ZONES RRX")
    assert _kept(home) == []
    terminal.type("\b\r")
    terminal.until(lambda screen: "3. ZONES: 2 red" in screen and terminal.last == ">")
    assert _kept(home) == ["HORSE BWR__", "WORSE WR___", "ZONES RR___"]


@pytest.mark.slow
def test_a_row_pasted_alone_is_a_row(play: Callable[..., Terminal], home: Path) -> None:
    terminal = play("play", "cryptic")
    terminal.prompt()
    terminal.type("\x1b[200~HORSE B_WR_\x1b[201~")
    terminal.until(lambda screen: terminal.last == "> HORSE B_WR_")
    assert _kept(home) == []
    terminal.type("\r")
    terminal.until(lambda screen: "1. HORSE: 1 black" in screen and terminal.last == ">")


@pytest.mark.slow
def test_a_narrow_terminal_breaks_lines_between_words(play: Callable[..., Terminal]) -> None:
    terminal = play("play", "heart-2018", columns=40)
    terminal.prompt()
    for line in ("/suggest 3", "/help", "HORSE BBBBR", "/why HEART"):
        terminal.enter(line)
    lines = terminal.screen.splitlines()
    assert max(map(len, lines)) <= 40
    whole = " ".join(lines)
    for words in ("* nothing read", "suggestion", "It became impossible with", "/drop 28, /undo"):
        assert words in whole


@pytest.mark.slow
def test_colours_are_shown_in_a_terminal_unless_nobody_wants_them(
    play: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    colour = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|38;5;\d+|9[0-7])[;m]")
    coloured = play("suggest", "mastermind")
    assert coloured.wait() == 0
    assert colour.search(coloured.raw)
    monkeypatch.setenv("NO_COLOR", "1")
    plain = play("suggest", "mastermind")
    assert plain.wait() == 0
    assert not colour.search(plain.raw)
    assert plain.screen == coloured.screen


def test_without_a_command_a_terminal_lists_the_games_and_asks_which(
    play: Callable[..., Terminal],
) -> None:
    terminal = play()
    terminal.until(lambda screen: screen.endswith("Which game:"))
    assert "bulls-and-cows" in terminal.screen
    terminal.type("4x2\r")
    terminal.prompt()
    assert "4x2 (16 codes)" in terminal.screen
    assert terminal.leave() == 0
