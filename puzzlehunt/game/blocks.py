"""Reads a block of lines, such as a pasted log: its turns, and the lines that cannot be read."""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.errors import AmbiguousClueError, InvalidTurnError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import illegal_guesses, merge
from puzzlehunt.game.pasted import is_heading, parts_around, without
from puzzlehunt.game.tables import Heading, read_heading
from puzzlehunt.game.turn_notation import (
    Line,
    awaits_answer,
    doubted_by_note,
    parse_answer,
    parse_plain_turn,
    read_line,
    read_turn,
    tried,
)


@dataclass(frozen=True, slots=True, order=True)
class LineError:
    """A line of a block that cannot be read: its number (from 1) and the error message."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Block:
    """The turns in a block, and an error for each line that cannot be read."""

    turns: tuple[Turn, ...]
    problems: tuple[LineError, ...] = ()


def read_block(
    game: Game,
    lines: Sequence[str],
    history: History,
    pending: Turn | None = None,
    heading: Heading | None = None,
) -> Block:
    """Return the turns and the errors of a block of lines that follows a history.

    A guess without a clue may have its clue on the next line. `pending` is the turn of a guess that
    was typed before the block and has no clue yet: its clue may be on the first line. Rows below a
    table's heading are read by its columns; `heading` is such a heading, typed before the block.
    Headings of messages are skipped. In hard mode each new guess must use the clues before it.
    """
    turns = {} if pending is None else {0: pending}  # by the number of the guess's line
    open_line = None if pending is None else 0  # whose guess waits for its clue
    problems: list[LineError] = []
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
            elif open_line is not None and (answer := _answer(game, line, turns[open_line])):
                turns[open_line] = answer
                open_line = open_line if awaits_answer(game, line.clue) else None
                continue
            else:
                turn, line = read_turn(game, line)
                open_line = number if not line.clue or awaits_answer(game, line.clue) else None
            turns[number] = doubted_by_note(game, turn)
        except PuzzlehuntError as error:
            if isinstance(error, AmbiguousClueError) or not is_heading(text):
                problems.append(LineError(number, str(error)))
                open_line = None
    merged = merge(game, history, turns.values(), is_log=True)
    illegal = illegal_guesses(game, merged)
    problems += [LineError([*turns][place], str(error)) for place, error in illegal]
    return Block(tuple(turns.values()), tuple(sorted(problems)))


def read_rows(game: Game, text: str, history: History) -> tuple[Turn, ...]:
    """Return the turns of a block of lines, which may be none.

    Raises InvalidTurnError, which names every line that cannot be read.
    """
    block = read_block(game, text.splitlines(), history)
    if block.problems:
        raise InvalidTurnError(problems_text(block.problems))
    return block.turns


def problems_text(problems: Sequence[LineError]) -> str:
    """Return the errors of a block on one line: `line 2: ...; line 5: ...`."""
    return "; ".join(f"line {one.line}: {one.message}" for one in problems)


def _answer(game: Game, line: Line, turn: Turn) -> Turn | None:
    """Return a turn with a line as its clue, None if the line is not such a clue."""
    note = line.note or turn.note
    answers = (
        tried(parse_answer, game, text, turn.guess, note, turn.overlong)
        for text, _ in without(parts_around, line.text, game.own_signs)
    )
    answer = next(filter(None, answers), None)
    is_turn = answer and line.guess and line.clue and tried(read_turn, game, line)
    return None if is_turn else answer
