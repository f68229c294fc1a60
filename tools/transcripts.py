#!/usr/bin/env python3
"""Transcripts: Markdown in which somebody types, and the program answers.

In a block of `console`, `$` stands before a command of the program and a prompt before a line that
is typed into the game which `play` began; `...` stands before the further lines of a pasted block.
All else is what was printed. `<<< $'...'` after a command is its standard input. A block of
`yaml FILE`, `csv FILE` or `python FILE` is a file that the person writes. Three plain texts have
bad game files with their errors, rows and facts as people write them with what is read, and rows of
games with what a board's page says of them.

usage: python tools/transcripts.py [--only TEXT]

Writes into the transcripts what is printed today; --only into those whose file name has TEXT.
"""

import argparse
import re
import shlex
import sys
import tempfile
from collections.abc import Iterable
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from functools import cache
from html import unescape
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

from puzzlehunt.cli import main as program
from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.game.blocks import read_block, read_item
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import settings_document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History
from puzzlehunt.game.turn_notation import format_row
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.file_store import kept_settings
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import print_outcome, prompt
from puzzlehunt.web.snapshot import SECTIONS, section

_ROOT = Path(__file__).resolve().parents[1]
FOLDER = _ROOT / "examples" / "transcripts"
TRANSCRIPTS = [
    path for path in sorted(FOLDER.glob("*.md")) if "```console" in path.read_text(encoding="utf-8")
]
LANGUAGES = _ROOT / "tests" / "transcripts" / "languages.md"
ANSWERS = _ROOT / "tests" / "transcripts" / "answers.md"
RECORDED = sorted({*(_ROOT / "tests" / "transcripts").glob("*.md")} - {LANGUAGES, ANSWERS})
"""What is printed for each family of outcomes; the tests replay it."""
BAD_GAME_FILES = _ROOT / "tests" / "transcripts" / "bad-game-files.txt"
ROWS = _ROOT / "tests" / "transcripts" / "rows.txt"
PAGES = [_ROOT / "tests" / "transcripts" / name for name in ("pages.txt", "pages-of-big-games.txt")]
_BLOCK = re.compile(
    r"^```(?:console|(?:yaml|python|csv) (\S+))\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_TYPED = re.compile(r"(?:\$|(?:\S.* clue)?>|.*\[y/N\])(?: (.*)|$)")
_SECONDS = re.compile(r'(?<= games) in [0-9.]+ s$|"seconds": [0-9.]+, ')
_PASTED = re.compile(r"\.\.\.(?: (.*)|$)")


def replayed(text: str) -> str:
    """Return a transcript with what the program prints today."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        desk = _Desk()

        def again(block: re.Match[str]) -> str:
            file, lines = block.groups()
            if file:
                Path(file).write_text(lines, encoding="utf-8")
                return block[0]
            return f"```console\n{''.join(map(desk.answer, _inputs(lines)))}```"

        return _BLOCK.sub(again, text)


def _inputs(lines: str) -> list[str]:
    """Return what is typed in a block: commands with their `$`, lines without their prompt."""
    inputs: list[str] = []
    may_go_on = False
    for line in lines.splitlines():
        if may_go_on and (pasted := _PASTED.fullmatch(line)):
            inputs[-1] += "\n" + (pasted[1] or "")
        elif typed := _TYPED.fullmatch(line):
            inputs.append(line if line.startswith("$") else typed[1] or "")
            may_go_on = True
        else:
            may_go_on = False
    return inputs


def _empty() -> TextIOWrapper:
    """Return a file to print to."""
    return TextIOWrapper(BytesIO(), encoding="utf-8")


class _Desk:
    """Runs commands and types lines, in this process; what is printed has no colours."""

    def __init__(self) -> None:
        self._printed = _empty()
        self._conversation: Conversation | None = None

    def answer(self, typed: str) -> str:
        """Return a command or a typed line as it stands on the screen, with what is printed."""
        self._printed = _empty()
        if typed.startswith("$"):
            shown = typed
            command, _, stdin = typed.removeprefix("$ puzzlehunt ").partition(" <<< ")
            self._run(shlex.split(command), stdin.strip("$'").replace("\\n", "\n"))
        else:
            assert self._conversation is not None, f"nothing is played: {typed}"
            before = prompt(self._conversation.game, self._conversation.expected_line)
            shown = before + typed.replace("\n", "\n... ")
            self._show(self._conversation.handle(typed))
        self._printed.seek(0)
        lines = map(str.rstrip, [*shown.splitlines(), *self._printed])
        return "".join(f"{_SECONDS.sub('', line)}\n" for line in lines)

    def _run(self, arguments: list[str], stdin: str) -> None:
        if arguments[0] == "play" and not stdin:
            _, game, *settings = [argument for argument in arguments if argument != "--set"]
            coach = "--coach" in settings
            # Suggestions are the same on slow machines, too.
            changes = ("play.budget=60", *(one for one in settings if one != "--coach"))
            kept = kept_settings(settings_document(changes))
            session = Session(gamefile.load(game, changes), game, kept)
            self._conversation = Conversation(session, "count" if coach else "status")
            self._show(self._conversation.start())
            return
        with (
            redirect_stdout(self._printed),
            redirect_stderr(self._printed),
            patch.object(sys, "argv", ["puzzlehunt", *arguments]),
            patch.object(sys, "stdin", StringIO(stdin)),
            suppress(SystemExit),
        ):
            program.main()

    def _show(self, outcomes: Iterable[Outcome]) -> None:
        assert self._conversation is not None
        screen = Screen(self._printed, self._printed)
        for outcome in outcomes:
            print_outcome(outcome, screen, self._conversation.game)


def refused(text: str) -> str:
    """Return a text of bad game files with the error that each gets today."""
    whole, error = "(the whole file)\n", re.compile(r"((?:^(?!!!|##).+\n)+)^!! .*$", re.MULTILINE)

    def again(block: re.Match[str]) -> str:
        lines = block[1]
        is_whole = lines.startswith(whole)
        written = lines.removeprefix(whole) if is_whole else f"{SMALL}{lines}"
        return f"{lines}!! {error_of(written)}"

    return error.sub(again, text)


SMALL = "secret: {symbols: ABC, length: 3}\n"
"""The beginning of most bad game files."""


def error_of(game_file: str | bytes) -> str:
    """Return the error about a game file, without the name of the file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.yaml")
        file.write_bytes(game_file.encode() if isinstance(game_file, str) else game_file)
        try:
            gamefile.load(str(file))
        except GameFileError as error:
            return str(error).removeprefix(str(file)).removeprefix(":")
    return "no error"


def answered_rows(text: str) -> str:
    """Return a text of rows as people write them with the row, or the error, that each is today."""
    load = cache(gamefile.load)
    game, block, lines = load("cryptic"), list[str](), list[str]()
    for line in text.splitlines():
        if line.startswith(("=> ", "!! ")):
            lines += _rows_of(game, block) if block else []
            block = []
            continue
        if line.startswith("== "):
            game = load(line.removeprefix("== "))
        block = [*block, line.replace("\u21e5", "\t")] if line and line[:3] not in _NO_ROWS else []
        lines.append(line)
    return "".join(f"{line}\n" for line in lines).replace("\t", "\u21e5")


_NO_ROWS = ("## ", "== ")
"""Beginnings of lines that head a group, or name the game of the rows below."""


def _rows_of(game: Game, lines: list[str]) -> list[str]:
    if len(lines) == 1:
        try:
            item = read_item(game, lines[0])
            return [f"=> {item.text if isinstance(item, Fact) else format_row(game, item)}"]
        except PuzzlehuntError as error:
            return [f"!! {error}"]
    turns, problems = read_block(game, lines, History())
    refused = [f"!! line {problem.line}: {problem.message}" for problem in problems]
    return [*(f"=> {format_row(game, turn)}" for turn in turns), *refused]


def answered_pages(text: str) -> str:
    """Return a text of games and rows with what a board's page says of each today."""
    lines, session = list[str](), None
    for line in [*text.splitlines(), ""]:
        if line.startswith("=> "):
            continue
        if line.startswith("== "):
            game, *settings = line.removeprefix("== ").split()
            session = Session(gamefile.load(game, settings), "")
        elif session is not None and not line:
            lines += _page_of(session)
            session = None
        elif session is not None:
            fact = line.removeprefix("fact: ")
            if fact == line:
                session.play(line)
            else:
                session.history = session.history.add(session.game.parse_fact(fact))
        lines.append(line)
    return "\n".join(lines)


def _page_of(session: Session) -> list[str]:
    """Return what a page says of a session: each fragment as a line, and the marks of rows."""
    shown = list[str]()
    for part in SECTIONS:
        fragments, troubles, _ = section(session, part, 60)
        for name in [one for one in ("count", "sentence", "trouble") if one in fragments]:
            parts = re.split(r"<(?:/p|/li|/summary|/details)>", fragments[name])
            texts = [" ".join(unescape(re.sub(r"<[^>]*>", "", part)).split()) for part in parts]
            shown.append(f"=> {name}: {' | '.join(filter(None, texts))}")
        shown += [f"=> row {place + 1}: {one.words}" for place, one in troubles.items()]
        if fragments.keys() & {"trouble", "end"}:
            break
    return shown


def main() -> None:
    """Record what is printed today."""
    parser = argparse.ArgumentParser(
        description="Write into the transcripts what is printed today."
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="files whose name has TEXT")
    only = parser.parse_args().only
    made = {ROWS: answered_rows, BAD_GAME_FILES: refused}
    made |= dict.fromkeys(PAGES, answered_pages)
    made |= dict.fromkeys([*TRANSCRIPTS, *RECORDED, LANGUAGES, ANSWERS], replayed)
    for path, make in made.items():
        if only in path.name:
            path.write_text(make(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
