"""Many lines at once, such as a pasted log or table: its turns, and the lines that cannot be read.

Without a heading, `turn_notation` reads the cells of a row in the order of guess, clue and notes.
"""

import csv
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import one_spelling
from puzzlehunt.codes.spaces import split
from puzzlehunt.errors import (
    AmbiguousClueError,
    IllegalGuessError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    check_type,
    counted,
)
from puzzlehunt.game import meaning
from puzzlehunt.game.facts import shared_fact
from puzzlehunt.game.history import FACT, Fact, History, Item, Row, Turn
from puzzlehunt.game.merging import agreed_clue, merge
from puzzlehunt.game.turn_notation import (
    CLOCK,
    DATE,
    LONGEST_LINE,
    Line,
    awaits_answer,
    check_clue,
    check_guess,
    doubted_by_note,
    format_row,
    own_signs,
    parse_clue,
    parse_plain_turn,
    read_answer,
    read_line,
    read_turn,
    split_note,
    tried,
    undecorated,
    with_text,
)
from puzzlehunt.rules.families import TileRule
from puzzlehunt.rules.notation.clue import NONE_WORDS, UNREAD_SQUARE, cell_separator, cells_of
from puzzlehunt.rules.notation.synonyms import plain

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game


@dataclass(frozen=True, slots=True, order=True)
class LineError:
    """A line of a block that cannot be read: its number (from 1), the error message, its text."""

    line: int
    message: str
    text: str


def read_block(
    game: "Game", lines: Sequence[str], history: History, pending: Turn | None = None
) -> tuple[tuple[Turn, ...], tuple[LineError, ...]]:
    """Return the turns of a block of lines that follows a history, and the errors of other lines.

    The clue of a guess may be on the next line; `pending` is the turn of a guess that was typed
    before the block. Headings of messages are skipped. In hard mode each new guess must use the
    clues before it.
    """
    heading = None
    turns = {} if pending is None else {0: pending}  # by the number of the guess's line
    open_line = None if pending is None else 0  # whose guess waits for its clue
    problems = []
    for number, text in enumerate(lines, start=1):
        try:
            if new_heading := read_heading(game, text):
                heading = new_heading
                continue
            row = None if heading is None else heading.line(game, text)
            line = row or read_line(game, text)
            if not line.text:
                continue
            if row is not None:
                turn, open_line = parse_plain_turn(game, row), None
            elif open_line is not None and (answer := read_answer(game, line, turns[open_line])):
                turns[open_line] = answer
                open_line = open_line if awaits_answer(game, line.clue) else None
                continue
            else:
                turn, line = read_turn(game, line)
                open_line = number if not line.clue or awaits_answer(game, line.clue) else None
            turns[number] = doubted_by_note(game, turn)
        except PuzzlehuntError as error:
            if isinstance(error, AmbiguousClueError) or not is_heading(text):
                problems.append(LineError(number, str(error), text))
                open_line = None
    merged = merge(game, history, turns.values(), is_log=True)
    for number, one in zip(turns, merged.placed, strict=True):
        try:
            if game.hard and one.effect == "new":  # each compares all rows before it
                check_guess(game, one.turn.code, History(merged.history.turns[: one.row - 1]))
        except IllegalGuessError as error:
            problems.append(LineError(number, str(error), lines[number - 1]))
    refused = {one.line for one in problems}
    read = tuple(turn for number, turn in turns.items() if number not in refused)
    return read, tuple(sorted(problems))


def read_rows(game: "Game", text: str, history: History) -> tuple[Turn, ...]:
    """Return the turns of a block of lines, which may be none.

    Raises InvalidTurnError, which names every line that cannot be read.
    """
    turns, problems = read_block(game, text.splitlines(), history)
    if problems:
        raise InvalidTurnError(problems_text(problems))
    return turns


def problems_text(problems: Sequence[LineError]) -> str:
    """Return the errors of a block on one line: `line 2: ...; line 5: ...`."""
    return "; ".join(f"line {one.line}: {one.message}" for one in problems)


# Headings of messages, and of tables.

_HEADING = re.compile(
    r"(?:`{3,}|~{3,})\w*|[\s|+:=─━-]{3,}|(?!(?:.*?[,;|\t]){3})"
    r"(?:.*(?:[-\u2013\u2014•|,]|\s{2,}|\b(?:today|yesterday|at)\b"
    rf"|{DATE})\s*)?{CLOCK}:?",
    re.IGNORECASE,
)
"""A fence, a line drawn of signs, and one with the time of a message: `NAME - Today at 14:03`."""


def is_heading(line: str) -> bool:
    """Return whether a line is the heading of a message, a horizontal rule or a fence."""
    text = line.strip()
    return len(text) <= LONGEST_LINE and bool(_HEADING.fullmatch(text))


_TITLES = {
    "guess": re.compile(r"guess(?:es|ed)?|words?|codes?|tunes?"),
    "clue": re.compile(
        "answers?|clues?|counts?|feedback|hints?|marks?|pegs|replies|reply|responses?|results?"
        "|scores?|squares|tiles"
    ),
    "note": re.compile("author|by|comments?|name|notes?|player|puzzles?|remarks?|team|title|who"),
    "doubt": re.compile("doubt(?:ed|ful)?|maybe"),
    "other": re.compile("#|at|attempts?|date|id|left|no|nr|number|rounds?|rows?|time|try|turns?"),
    "mark": re.compile(r"[a-z]{0,8} ?[1-9]\d?"),
}
"""Titles that columns may have in every game, by role; those of marks are numbered: `M1`, `3`.

A cell of a `mark` column is a mark, or the clue of a board. A column named by a kind is a `count`.
"""
_ROW_NUMBER = re.compile(r"^\s*#(?=\d)")


@dataclass(frozen=True, slots=True)
class Heading:
    """The role and the title of each column of a table; that of a count is the kind's name."""

    columns: tuple[tuple[str, str], ...]

    def line(self, game: "Game", text: str) -> Line | None:
        """Return a row of the table split into guess and clue; a row of blank cells has no text.

        None without cells. Raises InvalidTurnError for too many, AmbiguousClueError for two clues.
        """
        row, note = split_note(_ROW_NUMBER.sub("", plain(text)), game.alphabet)
        cells, size, (last_role, _) = _cells(row, game), len(self.columns), self.columns[-1]
        if not cells[1:] or not any(cells):
            return Line("") if cells[1:] else None
        if any(cells[size:]) and cell_separator(row) == "," and last_role in ("clue", "note"):
            cells = [*cells[: size - 1], ", ".join(cells[size - 1 :])]
        if any(cells[size:]):
            raise InvalidTurnError(f"{row.strip()!r} has {len(cells)} cells for {size} columns")
        texts = defaultdict[str, list[str]](list)
        for (role, title), cell in zip(self.columns, [*cells, *[""] * size], strict=False):
            if role != "count":
                texts[role].append(undecorated(cell, own_signs(game)))
            elif cell.strip("-\u2013\u2014_?"):
                texts[role].append(f"{cell} {title}")
        marks = ("|" if game.boards > 1 else ",").join(texts["mark"])
        clues = [", ".join(texts["count"]), *texts["clue"], marks]
        clues = [clue for clue in clues if clue.strip(",|")]
        if len(clues) > 1:
            raise AmbiguousClueError(f"two clues in one row: {' and '.join(map(repr, clues))}")
        guess, clue = "".join(texts["guess"]), "".join(clues)
        if doubt := "".join(texts["doubt"]):
            clue = f"{clue or '*'} ?{doubt.lstrip('?')}"
        notes = ", ".join(filter(None, [*texts["note"], note]))
        return Line(row.strip() if guess or clue else "", guess, clue, notes)


def _cells(row: str, game: "Game") -> list[str]:
    if '"' in row and (sign := cell_separator(row)):
        (cells,) = csv.reader([row.strip(" \r\n")], delimiter=sign, skipinitialspace=True)
        return [cell.strip() for cell in cells]
    return cells_of(undecorated(row.lstrip(" ").rstrip(), own_signs(game)).removeprefix("|"))


def read_heading(game: "Game", text: str) -> Heading | None:
    """Parse a line as the heading of a table of rows; None if it is not one.

    One cell of a heading is a known name of the guess, and another one of its clue. Raises
    AmbiguousClueError for such words without commas or tabs between, which may be a row.
    """
    cells = _cells(text, game)
    is_table, titles = len(cells) > 1, cells if len(cells) > 1 else text.split()
    titles = [title.strip(" *_:").casefold() for title in titles]
    if not any(title == "answer" or _TITLES["guess"].fullmatch(title) for title in titles):
        return None
    columns = [_column(game, title, is_table) for title in titles]
    if not any(role == "guess" for role, _ in columns) and ("clue", "answer") in columns:
        columns[columns.index(("clue", "answer"))] = ("guess", "answer")
    roles, names = [role for role, _ in columns], [name for _, name in columns if name]
    numbers = [re.sub(r"\D", "", name) for role, name in columns if role == "mark"]
    is_numbered = numbers == [str(n) for n, _ in enumerate(numbers, start=1)]  # else a row's counts
    has_clue = is_numbered and not {"clue", "count", "mark"}.isdisjoint(roles)
    if roles.count("guess") != 1 or not has_clue or len({*names}) < len(names):
        return None
    if is_table:
        return Heading(tuple(columns))
    if "" in roles or (len(titles) == 2 and len(text.split()[1]) == 1):
        return None
    raise AmbiguousClueError(f"{text.strip()!r}: a heading needs commas, a clue no blanks")


def _column(game: "Game", title: str, is_table: bool) -> tuple[str, str]:
    """Return the role and the title of a column; an unknown one holds notes in a table."""
    kind = game.rule.notation.kind_called(title) if any(map(str.isalpha, title)) else ""
    kind = "unread" if title == "?" else kind
    roles = [role for role, pattern in _TITLES.items() if pattern.fullmatch(title)]
    if kind and (kind.casefold() == title or not roles):
        return "count", kind
    return (*roles, "note" if is_table else "")[0], title


# Shared results: rows of squares or circles, one for each guess, as players post them.


def filled(game: "Game", history: History, lines: Sequence[str]) -> History | None:
    """Return a history with the rows of a shared result as clues; None for other lines.

    The rows are the clues of all turns if there are as many, else of the unread ones, in order.
    If no turn is unread, they are of guesses of other people.
    Raises InvalidTurnError for another number of rows, and for one that cannot be a turn's clue.
    """
    if (shared := _shared(game, lines)) is None:
        return None
    turns = list(enumerate(history.turns, start=1))
    if len(shared) != len(turns):
        turns = [(n, turn) for n, turn in turns if meaning.is_unread(game, turn)]
    if not turns and isinstance(game.rule, TileRule) and game.secrets.listed:
        return history.add(shared_fact(game, " ".join(shared)))  # of other people
    if len(shared) != len(turns):
        found = f"{counted(len(shared), 'row')} of squares, {counted(len(turns), 'unread guess')}"
        raise InvalidTurnError(f"{found}; type all guesses first, one a line")
    for row_number, ((number, turn), row) in enumerate(zip(turns, shared, strict=True), start=1):
        earlier = History(history.turns[: number - 1])
        solved = meaning.winning_guesses(game, earlier) if game.boards > 1 else []
        squares = ["*" if any(solved[n : n + 1]) else each for n, each in enumerate(row.split())]
        try:
            clue = parse_clue(game, " ".join(squares), turn.code)
        except InvalidClueError as error:
            raise InvalidTurnError(f"row {row_number} of the text: {error}") from None
        if (agreed := agreed_clue(game, turn, replace(turn, clue=clue))) is None:
            raise InvalidTurnError(f"row {row_number} of the text contradicts row {number}")
        history = history.replace(number, with_text(game, replace(turn, clue=agreed)))
    return history


_NO_SIGNS = re.compile(r"[\s\ufe0e\ufe0f\u200b\u200d]")
_NUMBERED_TITLE = re.compile(r"\s*\S+\s+#\d\S*\s*")
"""A title such as `Peaks #123`, whose number would otherwise be a comment on a guess."""


def _shared(game: "Game", lines: Sequence[str]) -> list[str] | None:
    """Parse lines as a shared result; None if they are something else, or have guesses in them.

    Each is the clue of a guess, with blanks between boards; `*` is a board without squares. Titles
    and addresses are skipped.
    """
    signs = {UNREAD_SQUARE, *game.one_board.rule.notation.shared_signs}
    if signs & {*map(one_spelling, (*game.alphabet, *game.alphabet.aliases))}:
        return None
    groups: list[list[str]] = [[]]
    for line in lines:
        row = _NO_SIGNS.sub("", line)
        if not row:
            groups.append([])
        elif signs.issuperset(row):
            groups[-1].append(row)
        elif line.lstrip().startswith("/") or not signs.isdisjoint(line) or _is_guess(game, line):
            return None
    groups = [group for group in groups if group]
    rows, width = list(chain.from_iterable(groups)), game.one_board.length
    if game.boards == 1 or not rows:
        return rows or None
    # Some games show all rows of the first two boards, a blank line, then those of two more.
    groups = [rows] if len(rows[0]) == game.boards * width else groups
    return [
        " ".join(
            row[at : at + width] or "*"
            for row, group in zip(one, groups, strict=True)
            for at in range(0, len(row or group[0]), width)
        )
        for one in zip_longest(*groups, fillvalue="")
    ]


def _is_guess(game: "Game", line: str) -> bool:
    """Return whether a line is a turn, or one word about as long as a guess."""
    if _NUMBERED_TITLE.fullmatch(line):
        return False
    word = read_line(game, line).text
    lengths = range(game.guesses.lengths[0] - 1, game.guesses.lengths[-1] + 2)
    is_word = word.isalnum() and len(word) in lengths
    return is_word or tried(read_row, game, line) is not None


# One line.


def read_row(game: "Game", line: str, needs_clue: bool = False) -> Turn:
    """Return the turn of a line: a guess, then its clue; without a clue, the turn is unread.

    Raises InvalidCodeError, InvalidClueError, or InvalidTurnError for a line without a guess or,
    if it `needs_clue`, without a clue.
    """
    check_type("row", line, str, "a line such as 'GUESS CLUE'")
    if read_heading(game, line) is not None:
        raise InvalidTurnError(f"{line.strip()!r} is a heading, not a row; rows are GUESS CLUE")
    if line.lstrip().startswith("/") and game.alphabet.number("/") is None:
        ways = "rows are GUESS CLUE, facts /fact TEXT; a Session has methods such as undo()"
        raise InvalidTurnError(f"{line.split()[0]} is for the prompt of puzzlehunt play; {ways}")
    try:
        turn, read = read_turn(game, read_line(game, line))
    except InvalidCodeError:
        if tried(parse_clue, game, line, next(iter(game.guesses))) is None:
            raise
        problem = f"{line.strip()!r} is a clue, but to which guess? GUESS CLUE"
        raise InvalidTurnError(problem) from None
    if needs_clue and not read.clue:
        row = f"{turn.guess} {turn.answer}"
        raise InvalidTurnError(f"{read.guess} has no clue; write {row} if nothing was read")
    return turn


def read_item(game: "Game", line: str, needs_clue: bool = False) -> Item:
    """Return the fact of a line such as `/fact no Q`, or the turn of any other, as `read_row`."""
    word, *text = line.split(maxsplit=1) or [""]
    if word == FACT.rstrip():
        return game.parse_fact("".join(text))
    return read_row(game, line, needs_clue)


def reading_trouble(game: "Game", turn: Turn) -> str:
    """Return why a turn would be read differently from a file, "" if it would be read the same."""
    line = format_row(game, turn)
    try:
        same = read_row(game, line) == turn
    except PuzzlehuntError as error:
        return str(error)
    return "" if same else f"{line} would mean that the guess won"


def as_item(game: "Game", item: Row) -> Item:
    """Return a turn or a fact of a row, as `Game.as_history` does."""
    if isinstance(item, str):
        return read_item(game, item, needs_clue=True)
    if isinstance(item, tuple) and len(item) == 2:
        return game.turn(*item)
    check_type("row", item, Turn | Fact, "a Turn, a Fact, a line, or a pair (guess, answer)")
    if isinstance(item, Turn):
        check_clue(game, item.clue, game.parse_guess(item.code))
    return item


# An example.

_DRAWN = 40
"""Guesses that are drawn, each with a secret; the one whose answer shows most is the example."""


def example_turn(game: "Game") -> Turn | None:
    """Return an example of a guess with its clue, always the same for the same game.

    The clue has many kinds of marks, each once if often unread; the note tells the secret, unless
    it would lie. None if no clue can be true.
    """
    rng, secrets, notation = random.Random(0), game.one_board.secrets, game.rule.notation
    if not meaning.is_explained(game):
        guess = game.secrets.random(rng)
        marks = ("XYXZX" * len(guess))[: len(guess)]
        return read_row(game, f"{game.format_code(guess)} {marks}")
    # By row and secret: kinds of marks, symbols, how common the word is.
    shown = {}
    for _ in range(_DRAWN):
        secret = game.secrets.random(rng)
        guess = (game.guesses if game.only_questions else game.secrets).random(rng)
        guess = split(guess, game.boards)[0]
        if (feedback := game.score(guess, secret)) == game.rule.winning:
            continue
        clue = notation.format(notation.full_clue(feedback, guess))
        if game.channel.reads is not None:
            clue = "".join(dict.fromkeys(clue))
        marks_shown = 0 if clue in NONE_WORDS else len({*clue} - {"0"})
        weight = secrets.weight(guess) if secrets.listed else 0.0
        row = f"{game.format_code(guess)} {clue}"
        shown[row, secret] = marks_shown, len({*guess}), weight
    for row, secret in sorted(shown, key=shown.__getitem__, reverse=True):
        if turn := tried(read_row, game, row):
            told = replace(turn, note=f"if the secret is {game.format_code(secret)}")
            return told if meaning.fits(game, History((turn,)), secret) else turn
    return None
