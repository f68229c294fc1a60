"""Reads a block of lines, such as a pasted log: its turns, and the lines that cannot be read."""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.errors import AmbiguousClueError, InvalidTurnError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import illegal_guesses, merge
from puzzlehunt.game.pasted import bare_texts, is_heading
from puzzlehunt.game.tables import Heading, read_heading
from puzzlehunt.game.turn_notation import Line, parse_plain_turn, read_line, read_turn, try_answer


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
    turns = [] if pending is None else [pending]
    line_numbers = [0] * len(turns)
    is_open = pending is not None  # whether the last turn waits for its clue
    problems: list[LineError] = []
    for number, text in enumerate(lines, start=1):
        try:
            if (new_heading := read_heading(game, text)) is not None:
                heading = new_heading.unless_row(text)
                continue
            row = None if heading is None else heading.line(game, text)
            line = read_line(game, text) if row is None else row
            if not line.text:
                continue
            answer = _answer(game, line, turns[-1]) if is_open and row is None else None
            if answer is not None:
                turns[-1], is_open = answer, False
                continue
            if row is None:
                turn, line = read_turn(game, line)
            else:
                turn = parse_plain_turn(game, row)
            turns.append(turn)
            line_numbers.append(number)
            is_open = row is None and not line.clue
        except PuzzlehuntError as error:
            if isinstance(error, AmbiguousClueError) or not is_heading(text):
                problems.append(LineError(number, str(error)))
    merged = merge(game, history, turns, is_log=True)
    for place, illegal in illegal_guesses(game, merged):
        problems.append(LineError(line_numbers[place], str(illegal)))
    return Block(tuple(turns), tuple(sorted(problems)))


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
    for text in bare_texts(line.text):
        answer = try_answer(game, text, turn.guess, note, turn.overlong)
        if answer is not None:
            break
    else:
        return None
    if answer.doubted or game.boards > 1 or not (line.guess and line.clue):
        return answer
    try:
        read_turn(game, line)
    except PuzzlehuntError:
        return answer
    return None
